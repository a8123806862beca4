//! A client small enough to see the bytes: one request over one connection.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What came back before the connection ended.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    /// The body without the marks of chunked transfer.
    pub(crate) body: String,
    /// Whether the body ended as HTTP says it should.
    pub(crate) whole: bool,
}

pub(crate) async fn post(base_url: &str, path: &str, body: &Value) -> Answer {
    let body = body.to_string();
    let address = base_url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head =
        format!("POST {path} HTTP/1.1\r\nhost: lab\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    // A cut connection may end with a reset, which is as good as an end here.
    let _ = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8(bytes).unwrap();
    let (head, rest) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
    if !head.contains("transfer-encoding: chunked") {
        return Answer { status, head: head.to_owned(), body: rest.to_owned(), whole: true };
    }
    let (body, whole) = unchunk(rest);
    Answer { status, head: head.to_owned(), body, whole }
}

fn unchunk(mut rest: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return (body, true);
        }
        let Some(chunk) = more.get(..size) else { break };
        body.push_str(chunk);
        rest = &more[size + 2..];
    }
    (body, false)
}
