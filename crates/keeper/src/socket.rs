//! The socket of a keeper: clients come and go; each gets the records it does not have, and answers to its frames.

use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use claude_protocol::Line;
use insights::Source;
use journal::{Folder, Reader};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::frame::{FromKeeper, PROTOCOL, ToKeeper};
use crate::keep::{Order, Progress};

/// How long a client may take to say who it is.
const GREETING: Duration = Duration::from_secs(10);

/// Records are handed over in pieces of about this size.
const PIECE_BYTES: usize = 256 * 1024;

/// How long clients may take, after the agent's end, to read what is left.
const DRAIN: Duration = Duration::from_secs(30);

/// Binds a socket, with only its owner let in. A socket file that nobody listens on is left over and removed: the caller holds
/// the lock of what the socket is for, so nobody else listens there.
pub fn bind(path: &Path) -> std::io::Result<UnixListener> {
    use std::os::unix::fs::PermissionsExt;
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Serves clients until the session is over and all of them have what there is.
pub(crate) async fn serve(
    listener: UnixListener,
    folder: Folder,
    orders: mpsc::Sender<Order>,
    progress: watch::Receiver<Progress>,
) {
    let mut clients = JoinSet::new();
    let mut over = progress.clone();
    loop {
        tokio::select! {
            _ = over.wait_for(|progress| progress.over) => break,
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    clients.spawn(serve_client(stream, folder.clone(), orders.clone(), progress.clone()));
                }
            }
            Some(_) = clients.join_next() => {}
        }
    }
    drop(listener);
    // Whoever is stuck reads the log itself later.
    let _ = timeout(DRAIN, async { while clients.join_next().await.is_some() {} }).await;
}

/// One client, from its greeting to its end. An error is the client's end and nobody else's.
async fn serve_client(
    stream: UnixStream,
    folder: Folder,
    orders: mpsc::Sender<Order>,
    progress: watch::Receiver<Progress>,
) -> std::io::Result<()> {
    let (from, to) = stream.into_split();
    let mut frames = Frames { pipe: BufReader::new(from), begun: Vec::new() };
    let greeting = timeout(GREETING, frames.next()).await.map_err(std::io::Error::other)??;
    let Some(ToKeeper::Attach { after, .. }) = greeting else { return Ok(()) };
    let reader = Reader::after(folder, after).map_err(std::io::Error::other)?;
    let (replies, outbox) = mpsc::channel(64);
    let now = progress.borrow().clone();
    let hello = FromKeeper::Hello {
        protocol: PROTOCOL,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
        agent_pid: now.agent_pid,
        last_seq: now.last_seq,
    };
    let mut sending = pin!(send(to, hello, reader, outbox, progress.clone()));
    tokio::select! {
        // Whoever cannot be understood is hung up on, and does not wait for answers that will never come.
        received = receive(&mut frames, orders, replies, progress) => received?,
        sent = &mut sending => return sent,
    }
    // The client has said its last, and may still listen.
    sending.await
}

/// Frames of a client to the loop, and answers back.
async fn receive(
    frames: &mut Frames,
    orders: mpsc::Sender<Order>,
    replies: mpsc::Sender<FromKeeper>,
    progress: watch::Receiver<Progress>,
) -> std::io::Result<()> {
    while let Some(frame) = frames.next().await? {
        let (reply, answer) = oneshot::channel();
        let order = match frame {
            ToKeeper::Write { ticket, id, by, line } => {
                Order::Write { ticket, source: Source::Stdin { by, id }, line: Line::from(line), reply }
            }
            ToKeeper::Note { ticket, fact } => Order::Note { ticket, fact: Line::from(fact), reply },
            ToKeeper::Stop { how } => {
                let _ = orders.send(Order::Stop(how)).await;
                continue;
            }
            ToKeeper::Status { ticket } => {
                let now = progress.borrow().clone();
                let status = FromKeeper::Status {
                    ticket,
                    agent_pid: now.agent_pid,
                    last_seq: now.last_seq,
                    readers: 0,
                    disk_full: now.disk_full,
                };
                let _ = replies.send(status).await;
                continue;
            }
            ToKeeper::Attach { .. } | ToKeeper::Unknown => continue,
        };
        let _ = orders.send(order).await;
        // Without an answer the loop is over, and so is this.
        let Ok(answer) = answer.await else { return Ok(()) };
        let _ = replies.send(answer).await;
    }
    Ok(())
}

/// Records and answers to a client, until the session is over and it has all of them.
async fn send(
    mut to: OwnedWriteHalf,
    hello: FromKeeper,
    mut reader: Reader,
    mut outbox: mpsc::Receiver<FromKeeper>,
    mut progress: watch::Receiver<Progress>,
) -> std::io::Result<()> {
    write_frame(&mut to, &hello).await?;
    let mut listening = true;
    loop {
        let over = progress.borrow_and_update().over;
        send_records(&mut to, &mut reader).await?;
        if over {
            return to.shutdown().await;
        }
        tokio::select! {
            answer = outbox.recv(), if listening => match answer {
                // What the answer speaks of shall be there before it.
                Some(answer) => {
                    send_records(&mut to, &mut reader).await?;
                    write_frame(&mut to, &answer).await?;
                }
                None => listening = false,
            },
            changed = progress.changed() => if changed.is_err() { return Ok(()) },
        }
    }
}

/// All records that are there.
async fn send_records(to: &mut OwnedWriteHalf, reader: &mut Reader) -> std::io::Result<()> {
    loop {
        let mut piece = String::new();
        while piece.len() < PIECE_BYTES {
            let Some(record) = reader.next_json().map_err(std::io::Error::other)? else { break };
            piece.push_str(&record);
            piece.push('\n');
        }
        if piece.is_empty() {
            return Ok(());
        }
        to.write_all(piece.as_bytes()).await?;
    }
}

async fn write_frame(to: &mut OwnedWriteHalf, frame: &FromKeeper) -> std::io::Result<()> {
    let mut text = serde_json::to_string(frame)?;
    text.push('\n');
    to.write_all(text.as_bytes()).await
}

/// The frames of a client.
struct Frames {
    pipe: BufReader<OwnedReadHalf>,
    begun: Vec<u8>,
}

impl Frames {
    /// The next frame; `None` when the client has gone. Cancel-safe.
    async fn next(&mut self) -> std::io::Result<Option<ToKeeper>> {
        self.pipe.read_until(b'\n', &mut self.begun).await?;
        let line = std::mem::take(&mut self.begun);
        if line.is_empty() {
            return Ok(None);
        }
        let text = std::str::from_utf8(&line).map_err(std::io::Error::other)?;
        ToKeeper::from_json(text).map(Some).map_err(std::io::Error::other)
    }
}
