//! A CLI played by hand over a pipe in memory: it says exactly the lines that a test tells it to, when it tells it to.

use claude_driver::{Claude, Session};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex, split};

/// The CLI's end of the pipe.
pub(super) struct Peer {
    lines: Lines<BufReader<Box<dyn AsyncRead + Send + Unpin>>>,
    out: Box<dyn AsyncWrite + Send + Unpin>,
}

/// A session that has shaken hands with a peer.
pub(super) async fn met(claude: &Claude) -> (Session, Peer) {
    let (host, theirs) = duplex(256 * 1024);
    let mut peer = Peer::over(theirs);
    let (session, ()) = tokio::join!(claude.start_over(split(host)), peer.greet());
    (session.unwrap(), peer)
}

impl Peer {
    pub(super) fn over(pipe: DuplexStream) -> Self {
        let (reader, out) = split(pipe);
        Peer::over_two(reader, out)
    }

    /// Over a pipe for each direction.
    pub(super) fn over_two(
        reader: impl AsyncRead + Send + Unpin + 'static,
        out: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let reader: Box<dyn AsyncRead + Send + Unpin> = Box::new(reader);
        Peer { lines: BufReader::new(reader).lines(), out: Box::new(out) }
    }

    /// Hears nothing any more, but may still speak.
    pub(super) fn goes_deaf(&mut self) {
        let nothing: Box<dyn AsyncRead + Send + Unpin> = Box::new(tokio::io::empty());
        self.lines = BufReader::new(nothing).lines();
    }

    /// Answers `initialize`.
    pub(super) async fn greet(&mut self) {
        let hello = self.hear().await.unwrap();
        assert_eq!(hello["request"]["subtype"], "initialize");
        self.agree(&hello).await;
    }

    /// The next line of the host; none when it has hung up.
    pub(super) async fn hear(&mut self) -> Option<Value> {
        let line = self.lines.next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    pub(super) async fn say(&mut self, line: &Value) {
        self.write(&format!("{line}\n")).await;
    }

    /// Several lines at once.
    pub(super) async fn say_all(&mut self, lines: &[Value]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.write(&text).await;
    }

    pub(super) async fn write(&mut self, text: &str) {
        self.out.write_all(text.as_bytes()).await.unwrap();
    }

    /// Says yes to a request.
    pub(super) async fn agree(&mut self, request: &Value) {
        let id = &request["request_id"];
        let yes = json!({"subtype": "success", "request_id": id, "response": {}});
        self.say(&json!({"type": "control_response", "response": yes})).await;
    }
}

/// A question of the CLI.
pub(super) fn asked(id: &str, request: Value) -> Value {
    json!({"type": "control_request", "request_id": id, "request": request})
}

/// The CLI takes a question back.
pub(super) fn taken_back(id: &str) -> Value {
    json!({"type": "control_cancel_request", "request_id": id})
}

/// A request to use a tool.
pub(super) fn may_use(tool: &str) -> Value {
    json!({"subtype": "can_use_tool", "tool_name": tool, "input": {}, "tool_use_id": "toolu_1"})
}

/// The result that names these prompts, after a total cost.
pub(super) fn result(prompts: &[&Value], text: &str, total_cost_usd: f64) -> Value {
    json!({
        "type": "result", "subtype": "success", "is_error": false, "result": text, "total_cost_usd": total_cost_usd,
        "user_message_uuids": prompts, "terminal_reason": "completed",
    })
}
