//! The server that runs already, asked for a new launch link by whoever can read the installation's key.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use journal::Data;
use server::Secrets;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(5);

/// A new launch link of the server at `address`, asked for over its socket on this machine: browsers may reach it over TLS only,
/// or through a proxy.
pub(super) async fn launch_url(data: &Data, address: &str, socket: Option<&Path>) -> Result<String> {
    let socket = socket.context("it does not say where programs find it")?;
    let (scheme, rest) = address.split_once("://").context("it does not say where it is")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let token = Secrets::open(data.path())?.local_token();
    let request = format!(
        "POST /{path}api/v1/launches HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nx-quarterdeck: 1\r\n\
         content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
    );
    let mut answer = String::new();
    let asked = async {
        let mut stream = UnixStream::connect(socket).await?;
        stream.write_all(request.as_bytes()).await?;
        stream.read_to_string(&mut answer).await
    };
    timeout(PATIENCE, asked).await??;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(std::io::Error::from(ErrorKind::UnexpectedEof))?;
    if !head.starts_with("HTTP/1.1 200") {
        bail!("it refuses: {}", head.lines().next().unwrap_or_default());
    }
    let launch: serde_json::Value = serde_json::from_str(body)?;
    let path = launch["path"].as_str().context("it gives no path")?;
    Ok(format!("{scheme}://{host}{path}"))
}

/// Is nobody there any more? One that was just killed may be reached still, by a socket that a program has which it was starting.
pub(super) fn is_gone(error: &anyhow::Error) -> bool {
    let is_nobody = |cause: &(dyn std::error::Error + 'static)| {
        let kind = cause.downcast_ref().map(std::io::Error::kind);
        use ErrorKind::{BrokenPipe, ConnectionRefused, ConnectionReset, NotFound, UnexpectedEof};
        matches!(kind, Some(BrokenPipe | ConnectionRefused | ConnectionReset | NotFound | UnexpectedEof))
    };
    error.chain().any(is_nobody)
}
