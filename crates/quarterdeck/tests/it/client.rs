//! A client of the server that no library helps: requests go out as bytes, answers come back as they are. And its
//! WebSocket.

use std::io;
use std::net::Ipv4Addr;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Who asks, and where.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) port: u16,
    /// A bearer token.
    pub(crate) token: Option<String>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Reads the answer to a request that begins so.
    pub(crate) async fn read(request: &[u8], stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Reply> {
        let (status, headers) = head(stream).await?;
        let mut reply = Reply { status, headers, body: Vec::new() };
        let of = |name: &str| reply.header(name).map(str::to_owned);
        if request.starts_with(b"HEAD ") {
            return Ok(reply);
        }
        if of("transfer-encoding").as_deref() == Some("chunked") {
            while let Some(chunk) = chunk(stream).await? {
                reply.body.extend(chunk);
            }
        } else if let Some(length) = of("content-length") {
            reply.body = vec![0; length.parse().map_err(io::Error::other)?];
            stream.read_exact(&mut reply.body).await?;
        }
        Ok(reply)
    }

    /// The first header of this name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body; null, if there is none.
    pub(crate) fn json(&self) -> Value {
        match self.body.is_empty() {
            true => Value::Null,
            false => serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text())),
        }
    }

    /// The code of an error; none, if it is no error.
    pub(crate) fn code(&self) -> Option<String> {
        (self.status >= 400).then(|| self.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
    }

    /// The body of an answer that has to be a good one.
    #[track_caller]
    pub(crate) fn good(self) -> Value {
        assert!(self.status < 300, "{} {}", self.status, self.text());
        self.json()
    }
}

impl Client {
    pub(crate) async fn get(&self, path: &str) -> io::Result<Reply> {
        self.request("GET", path, &[], b"").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> io::Result<Reply> {
        self.change("POST", path, body).await
    }

    /// A request that changes something, in the form that such requests have.
    pub(crate) async fn change(&self, method: &str, path: &str, body: &Value) -> io::Result<Reply> {
        let headers = [("x-quarterdeck", "1"), ("content-type", "application/json")];
        self.request(method, path, &headers, body.to_string().as_bytes()).await
    }

    /// A request with the host, the token and the length that it should have, and these headers.
    pub(crate) async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Reply> {
        self.raw(&self.bytes(method, path, headers, body)).await
    }

    /// Sends exactly these bytes on a new connection, and reads one answer.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> io::Result<Reply> {
        let mut stream = BufReader::new(self.connect().await?);
        // A server that has refused already need not read the rest.
        let _ = stream.write_all(bytes).await;
        Reply::read(bytes, &mut stream).await
    }

    /// An answer that goes on: its lines, as they come.
    pub(crate) async fn lines(&self, path: &str) -> io::Result<Lines> {
        let mut stream = BufReader::new(self.connect().await?);
        stream.write_all(&self.bytes("GET", path, &[], b"")).await?;
        let (status, _) = head(&mut stream).await?;
        assert_eq!(status, 200);
        Ok(Lines { stream, rest: Vec::new() })
    }

    /// A WebSocket, opened with a ticket.
    pub(crate) async fn socket(&self) -> io::Result<Socket> {
        let reply = self.post("/api/v1/socket-tickets", &serde_json::json!({})).await?;
        let ticket = reply.good()["ticket"].as_str().unwrap().to_owned();
        let url = format!("ws://127.0.0.1:{}/api/v1/socket?ticket={ticket}", self.port);
        Socket::open(url, self.connect().await?).await
    }

    pub(crate) async fn connect(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn bytes(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nconnection: close\r\n", self.port);
        if let Some(token) = &self.token {
            head += &format!("authorization: Bearer {token}\r\n");
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if method != "GET" {
            head += &format!("content-length: {}\r\n", body.len());
        }
        [head.as_bytes(), b"\r\n", body].concat()
    }
}

async fn line(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<String> {
    let mut line = String::new();
    match stream.read_line(&mut line).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(line.trim_end().to_owned()),
    }
}

async fn head(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<(u16, Vec<(String, String)>)> {
    let first = line(stream).await?;
    let status = first.split(' ').nth(1).and_then(|word| word.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no answer: `{first}`")))?;
    let mut headers = Vec::new();
    loop {
        let line = line(stream).await?;
        let Some((name, value)) = line.split_once(':') else { return Ok((status, headers)) };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

async fn chunk(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let length = usize::from_str_radix(&line(stream).await?, 16).map_err(io::Error::other)?;
    let mut chunk = vec![0; length];
    stream.read_exact(&mut chunk).await?;
    line(stream).await?;
    Ok((length > 0).then_some(chunk))
}

/// The lines of an answer that goes on.
pub(crate) struct Lines {
    stream: BufReader<TcpStream>,
    rest: Vec<u8>,
}

impl Lines {
    /// The next line; none when the answer has ended.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                return Some(serde_json::from_slice(&line).unwrap());
            }
            self.rest.extend(chunk(&mut self.stream).await.ok()??);
        }
    }
}

/// A WebSocket.
pub(crate) struct Socket<S = TcpStream> {
    stream: WebSocketStream<S>,
    /// How many frames were heard.
    pub(crate) frames: usize,
    /// How many bytes they had.
    pub(crate) bytes: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// Opens one over a connection.
    pub(crate) async fn open(request: impl IntoClientRequest + Unpin, over: S) -> io::Result<Socket<S>> {
        let opened = tokio_tungstenite::client_async(request, over).await;
        Ok(Socket { stream: opened.map_err(io::Error::other)?.0, frames: 0, bytes: 0 })
    }

    pub(crate) async fn say(&mut self, frame: &Value) -> io::Result<()> {
        self.stream.send(Message::text(frame.to_string())).await.map_err(io::Error::other)
    }

    /// The next frame; none when the socket is closed.
    pub(crate) async fn hear(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await?.ok()? {
                Message::Text(text) => {
                    self.frames += 1;
                    self.bytes += text.len();
                    return Some(serde_json::from_str(&text).unwrap());
                }
                Message::Close(_) => return None,
                Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }
}
