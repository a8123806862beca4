//! A server started as users start it, and requests to it: a command in; its address, and what it answers, out.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Child;

use crate::process;

/// A server that runs. It is killed when this is dropped.
pub(crate) struct Served {
    pub(crate) child: Child,
    /// The login link that it printed.
    pub(crate) link: String,
}

impl Served {
    /// Starts `quarterdeck serve` and waits until it says where it is.
    pub(crate) async fn start(mut serve: Command) -> Result<Served> {
        serve.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = tokio::process::Command::from(serve).kill_on_drop(true).spawn().context("no server")?;
        let stdout = child.stdout.take().context("the server has no stdout")?;
        let link = BufReader::new(stdout).lines().next_line().await?.context("the server printed no address")?;
        Ok(Served { child, link })
    }

    /// Where it listens: `127.0.0.1:4180`.
    pub(crate) fn address(&self) -> Result<String> {
        let address = self.link.strip_prefix("http://").and_then(|rest| rest.split('/').next());
        Ok(address.context("no address")?.to_owned())
    }

    /// SIGTERM, as a service manager stops it.
    pub(crate) async fn stop(mut self) -> Result<()> {
        let pid = self.child.id().context("the server is gone")?;
        process::output(process::command("kill").arg(pid.to_string()))?;
        self.child.wait().await?;
        Ok(())
    }
}

/// A client with a token.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) address: String,
    pub(crate) token: String,
}

/// An answer: the head as text, and the body.
pub(crate) struct Answer {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Client {
    /// A request that has to succeed.
    pub(crate) async fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let Answer { head, body } = self.ask(method, path, body).await?;
        if !head.starts_with("HTTP/1.1 2") {
            bail!("`{method} {path}`: {head} {body}");
        }
        Ok(body)
    }

    /// One request, over a connection of its own.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Answer> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nx-quarterdeck: 1\r\ncontent-type: \
             application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let (head, body) = answer.split_once("\r\n\r\n").context("the server does not answer")?;
        Ok(Answer { head: head.to_owned(), body: serde_json::from_str(body).unwrap_or_default() })
    }
}
