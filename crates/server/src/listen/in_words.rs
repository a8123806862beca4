//! Refusals in words. A head that it cannot read is answered by the HTTP library itself, with a status and without a body, and
//! it lets nobody else do that. Its answer is known by its form, and goes out with the body that every error has.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderMap;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::error::{ApiError, Code, ErrorBody};
use crate::guard::protect;

/// How long somebody who was refused may go on talking. If the connection were closed meanwhile, he would not hear why.
const PATIENCE: Duration = Duration::from_secs(5);

/// The library's own answers are shorter than this.
const MOST_BYTES: usize = 256;

/// How the library says that it says nothing.
const NO_BODY: &str = "content-length: 0\r\n";

/// A connection on which nobody is refused without a word.
pub(super) struct InWords<S> {
    stream: S,
    /// Has all been sent that was said so far? Only what is written then can be an answer from its beginning, and not a piece of
    /// a file that looks like one.
    begins: bool,
    refusal: Option<Refusal>,
}

/// The last words on a connection.
struct Refusal {
    unsent: Bytes,
    patience: Pin<Box<Sleep>>,
}

impl<S> InWords<S> {
    pub(super) fn new(stream: S) -> InWords<S> {
        InWords { stream, begins: true, refusal: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for InWords<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for InWords<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let InWords { stream, begins, refusal } = &mut *self;
        if std::mem::take(begins)
            && let Some(words) = in_words(bytes)
        {
            *refusal = Some(Refusal { unsent: words.into(), patience: Box::pin(sleep(PATIENCE)) });
        }
        let Some(Refusal { unsent, .. }) = refusal else { return Pin::new(stream).poll_write(context, bytes) };
        while !unsent.is_empty() {
            let sent = ready!(Pin::new(&mut *stream).poll_write(context, unsent))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            *unsent = unsent.slice(sent..);
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.begins = true;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let InWords { stream, refusal, .. } = &mut *self;
        ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
        let Some(Refusal { patience, .. }) = refusal else { return Poll::Ready(Ok(())) };
        // Nobody reads what he still says, but he gets to hear the answer.
        let mut unread = [0; 4096];
        while patience.as_mut().poll(context).is_pending() {
            let mut unread = ReadBuf::new(&mut unread);
            let heard = ready!(Pin::new(&mut *stream).poll_read(context, &mut unread));
            if heard.is_err() || unread.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The same answer with a body, if this is one of the library's own.
fn in_words(answer: &[u8]) -> Option<String> {
    if answer.len() > MOST_BYTES {
        return None;
    }
    let answer = std::str::from_utf8(answer).ok()?;
    let (first, _) = answer.strip_prefix("HTTP/1.")?.split_once("\r\n")?;
    let (code, text) = match first.split(' ').nth(1)? {
        "400" => (
            Code::BadRequest,
            "this cannot be read as HTTP/1.1: look at the first line, the headers and `content-length`, and whether the address \
             should begin with `https:` or `http:`",
        ),
        "414" => (Code::AddressTooLong, "the path and the query are too long: what is long belongs into the body"),
        "431" => {
            (Code::HeadTooLarge, "these are too many headers, or they are too long: a hundred short ones can be read")
        }
        _ => return None,
    };
    let (before, after) = answer.split_once(NO_BODY)?;
    let body = serde_json::to_string(&ErrorBody::from(ApiError::new(code, text))).ok()?;
    let mut headers = HeaderMap::new();
    protect(&mut headers);
    let mut lines = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in &headers {
        lines += &format!("{name}: {}\r\n", value.to_str().ok()?);
    }
    Some(format!("{before}{lines}{after}{body}"))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const OWN: &[u8] = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\ndate: today\r\n\r\n";

    #[test]
    fn only_an_answer_of_the_library_gets_words() {
        assert!(in_words(OWN).is_some());
        let with = |from: &str, to: &str| String::from_utf8_lossy(OWN).replacen(from, to, 1);
        for answer in [with("400", "200"), with(": 0", ": 1"), with("HTTP", "http"), with("today", &"x".repeat(300))] {
            assert_eq!(in_words(answer.as_bytes()), None, "{answer}");
        }
    }

    #[tokio::test]
    async fn a_piece_of_an_answer_that_looks_like_a_refusal_stays_as_it_is() {
        let (mut client, server) = duplex(4096);
        let mut server = InWords::new(server);
        // As when the other side takes it in two pieces.
        server.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        server.write_all(OWN).await.unwrap();
        server.flush().await.unwrap();
        server.shutdown().await.unwrap();
        let mut heard = Vec::new();
        client.read_to_end(&mut heard).await.unwrap();
        assert!(heard.ends_with(OWN), "{}", String::from_utf8_lossy(&heard));
    }

    #[tokio::test]
    async fn a_refusal_is_sent_whole_over_a_narrow_line_and_to_somebody_who_still_talks() {
        let (client, server) = duplex(7);
        let (mut hearing, mut saying) = tokio::io::split(client);
        let mut server = InWords::new(server);
        let refusing = async {
            server.write_all(OWN).await.unwrap();
            server.flush().await.unwrap();
            server.shutdown().await.unwrap();
        };
        let talking = async {
            let said = saying.write_all(&[b'x'; 1000]).await;
            saying.shutdown().await.unwrap();
            said
        };
        let mut heard = String::new();
        let (said, ..) = tokio::join!(talking, hearing.read_to_string(&mut heard), refusing);
        said.unwrap();
        assert_eq!(Some(heard), in_words(OWN));
    }

    #[tokio::test(start_paused = true)]
    async fn somebody_who_neither_talks_nor_goes_is_not_waited_for() {
        let (_client, server) = duplex(4096);
        let mut server = InWords::new(server);
        server.write_all(OWN).await.unwrap();
        server.shutdown().await.unwrap();
    }
}
