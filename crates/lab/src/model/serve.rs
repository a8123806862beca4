//! The model behind a port of loopback: requests come in and are kept, replies go out.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::Response;
use futures_util::stream as futures_stream;
use regex::Regex;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::choose::{self, Choice, RequestKind};
use super::mind::{END, Mind, Request, Shared, lock};
use super::stream::{self, Piece};
use crate::error::LabError;
use crate::json;
use crate::script::Script;

/// A running scripted model. Dropping it cuts every stream that is still held and closes the port.
#[derive(Debug)]
pub struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

impl Model {
    /// Listens on a free loopback port and answers from the script.
    pub async fn start(script: Script) -> Result<Model, LabError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(LabError::Listen)?;
        let address = listener.local_addr().map_err(LabError::Listen)?;
        let Mind { shared } = Mind::new(script)?;
        let app = Router::new()
            .fallback(answer)
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let server = tokio::spawn(async move {
            // A listener on loopback does not fail in a way that could be told to anyone.
            let _ = axum::serve(listener, app).await;
        });
        Ok(Model { address, shared, server })
    }

    /// Where the model is, for `ANTHROPIC_BASE_URL`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far, of every kind.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.borrow().clone()
    }

    /// The requests of the story so far: no warm-ups, titles or token counts.
    pub fn story_requests(&self) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.kind == RequestKind::Story).collect()
    }

    /// Waits until the story has seen so many requests.
    pub async fn saw_requests(&self, count: usize) {
        self.saw(|requests| requests.iter().filter(|request| request.kind == RequestKind::Story).count() >= count)
            .await;
    }

    /// Waits until a request came whose first or last message matches.
    pub async fn saw_request(&self, pattern: &Regex) {
        self.saw(|requests| requests.iter().any(|request| pattern.is_match(&choose::haystack(&request.body)))).await;
    }

    /// Opens a gate for good: replies that wait at it go on.
    pub fn release(&self, gate: &str) {
        self.shared.release(gate);
    }

    /// Says this from now on; what was not said yet is forgotten.
    pub fn tell(&self, script: Script) -> Result<(), LabError> {
        lock(&self.shared.chooser).tell(script)
    }

    /// Replies of the script that nobody asked for.
    pub fn unused_replies(&self) -> usize {
        lock(&self.shared.chooser).unused()
    }

    /// The script and its gates, for an agent that asks without HTTP.
    pub(crate) fn mind(&self) -> Mind {
        Mind { shared: Arc::clone(&self.shared) }
    }

    async fn saw(&self, test: impl FnMut(&Vec<Request>) -> bool) {
        let mut requests = self.shared.requests.subscribe();
        let mut test = test;
        // The sender lives as long as `self`, so the wait ends only by the test.
        let _ = requests.wait_for(|requests| test(requests)).await;
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.shared.release(END);
        self.server.abort();
    }
}

async fn answer(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, body: Bytes) -> Response {
    let path = uri.path_and_query().map_or_else(String::new, ToString::to_string);
    let request = std::str::from_utf8(&body).ok().and_then(json::lenient).unwrap_or(Value::Null);
    let kind = RequestKind::of(&method, uri.path(), &request);
    shared.requests.send_modify(|requests| requests.push(Request { path, body: request.clone(), kind }));
    match kind {
        RequestKind::CountTokens => json_response(StatusCode::OK, &json!({"input_tokens": 1234}), &[]),
        RequestKind::Other => {
            let error = json!({"type": "error", "error": {"type": "not_found_error", "message": "not found"}});
            json_response(StatusCode::NOT_FOUND, &error, &[])
        }
        RequestKind::Background => {
            shared.pass(END).await;
            cut()
        }
        RequestKind::Story | RequestKind::Side => {
            let choice = lock(&shared.chooser).choose(&request, kind);
            reply(&shared, choice, &request).await
        }
    }
}

async fn reply(shared: &Arc<Shared>, choice: Choice, request: &Value) -> Response {
    if let Some(gate) = &choice.reply.gate
        && !shared.pass(gate).await
    {
        return cut();
    }
    if let Some(delay_ms) = choice.reply.start_delay_ms {
        tokio::time::sleep(Duration::from_millis(delay_ms)).await;
    }
    let mut headers = vec![("request-id".to_owned(), choice.request_id())];
    headers.extend(choice.reply.headers.iter().map(|(name, value)| (name.clone(), value.clone())));
    if let Some(status) = choice.reply.status {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        return json_response(status, &stream::error_body(&choice), &headers);
    }
    if request["stream"] != json!(true) {
        return json_response(StatusCode::OK, &stream::whole_message(&choice, request), &headers);
    }
    let pieces = stream::pieces(&choice, request).into_iter();
    let shared = Arc::clone(shared);
    let body = futures_stream::unfold((pieces, shared), |(mut pieces, shared)| async move {
        loop {
            match pieces.next()? {
                Piece::Data(text) => return Some((Ok(Bytes::from(text)), (pieces, shared))),
                Piece::Sleep(delay_ms) => tokio::time::sleep(Duration::from_millis(delay_ms)).await,
                Piece::Pause(gate) => {
                    if !shared.pass(&gate).await {
                        return Some((Err(std::io::Error::other("the model ended")), (Vec::new().into_iter(), shared)));
                    }
                }
                Piece::Cut => {
                    // What was said so far leaves only when the body has nothing ready for a moment.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    return Some((Err(std::io::Error::other("cut on purpose")), (Vec::new().into_iter(), shared)));
                }
            }
        }
    });
    respond(StatusCode::OK, "text/event-stream", &headers, Body::from_stream(body))
}

fn json_response(status: StatusCode, body: &Value, headers: &[(String, String)]) -> Response {
    respond(status, "application/json", headers, Body::from(body.to_string()))
}

fn respond(status: StatusCode, content_type: &str, headers: &[(String, String)], body: Body) -> Response {
    let mut builder = Response::builder().status(status).header(header::CONTENT_TYPE, content_type);
    for (name, value) in headers {
        builder = builder.header(name, value);
    }
    builder.body(body).unwrap_or_else(|_| Response::new(Body::from("a header of the script is malformed")))
}

/// A response whose connection breaks before the first byte of the body.
fn cut() -> Response {
    let broken = futures_stream::once(async { Err::<Bytes, _>(std::io::Error::other("the model ended")) });
    respond(StatusCode::OK, "text/event-stream", &[], Body::from_stream(broken))
}
