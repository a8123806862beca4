//! The server that runs already, asked for a new launch link by whoever can read the installation's key.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use journal::Data;
use server::Secrets;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(5);

/// A new launch link of the server at `address`. One that speaks TLS is not asked: its page says what to do.
pub(super) async fn launch_url(data: &Data, address: &str) -> Result<String> {
    let rest = address.strip_prefix("http://").context("it speaks TLS")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let token = Secrets::open(data.path())?.local_token();
    let request = format!(
        "POST /{path}api/v1/launches HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nx-quarterdeck: 1\r\n\
         content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
    );
    let mut answer = String::new();
    let asked = async {
        let mut stream = TcpStream::connect(host).await?;
        stream.write_all(request.as_bytes()).await?;
        stream.read_to_string(&mut answer).await
    };
    timeout(PATIENCE, asked).await??;
    let (head, body) = answer.split_once("\r\n\r\n").context("it does not answer")?;
    if !head.starts_with("HTTP/1.1 200") {
        bail!("it refuses: {}", head.lines().next().unwrap_or_default());
    }
    let launch: serde_json::Value = serde_json::from_str(body)?;
    let path = launch["path"].as_str().context("it gives no path")?;
    Ok(format!("http://{host}{path}"))
}

/// Is nobody there any more?
pub(super) fn is_gone(error: &anyhow::Error) -> bool {
    let refused = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().map(std::io::Error::kind) == Some(std::io::ErrorKind::ConnectionRefused)
    };
    error.chain().any(refused)
}
