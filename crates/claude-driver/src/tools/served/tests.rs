//! Servers, fed by hand as the CLI feeds them.

mod real;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use rmcp::model::{ListPromptsResult, PaginatedRequestParams, Prompt, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Barrier, Notify};

use super::*;
use crate::tools::{Tool, ToolContext, ToolError, ToolOutput};

#[derive(Deserialize, JsonSchema)]
struct Stock {
    /// The article.
    sku: String,
}

/// A session with one server called `deck`, and what it says unasked.
struct Host {
    served: ServedTools,
    outgoing: mpsc::UnboundedReceiver<Outgoing>,
}

impl Host {
    fn new(tools: impl IntoIterator<Item = Tool>) -> Host {
        Host::serving(ToolServer::new("deck").version("1.2").instructions("Take care.").tools(tools))
    }

    fn serving(server: ToolServer) -> Host {
        let (notify, outgoing) = mpsc::unbounded_channel();
        Host { served: ServedTools::start(&[server], notify), outgoing }
    }

    async fn say(&self, message: Value) -> Option<Value> {
        let answer = self.served.handle("deck", &Raw::from_value(&message).unwrap()).await.unwrap();
        answer.map(|answer| answer.parse().unwrap())
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.say(call(7, tool, arguments)).await.unwrap();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
        answer["result"].clone()
    }
}

fn call(id: u32, tool: &str, arguments: Value) -> Value {
    let meta = json!({"claudecode/toolUseId": "toolu_1", "progressToken": id});
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

fn stock() -> Tool {
    Tool::new(
        "stock",
        "Units on hand",
        |stock: Stock, _context| async move { Ok(format!("{} units", stock.sku.len())) },
    )
    .read_only()
}

/// A tool that says when it has begun, never ends, and says whether it was dropped.
fn endless(begun: &Arc<Notify>, dropped: &Arc<AtomicBool>) -> Tool {
    struct Dropped(Arc<AtomicBool>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let (begun, dropped) = (Arc::clone(begun), Arc::clone(dropped));
    Tool::new("endless", "Never ends", move |(): (), _context| {
        let (begun, dropped) = (Arc::clone(&begun), Dropped(Arc::clone(&dropped)));
        async move {
            begun.notify_one();
            std::future::pending::<()>().await;
            drop(dropped);
            Ok("ended")
        }
    })
}

fn failed(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}

fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": false})
}

#[tokio::test]
async fn the_handshake_tells_who_the_server_is() {
    let host = Host::new([stock()]);
    assert_eq!(host.served.names(), ["deck"]);
    let client = json!({"name": "claude-code", "version": "2.1.325"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let result = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "instructions": "Take care.",
        "serverInfo": {"name": "deck", "version": "1.2"},
    });
    let expected = Some(json!({"jsonrpc": "2.0", "id": 0, "result": result}));
    assert_eq!(host.say(hello.clone()).await, expected);
    assert_eq!(host.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await, None);
    // A CLI that connects again says it all again.
    assert_eq!(host.say(hello).await, expected);
}

#[tokio::test]
async fn tools_are_listed_with_schema_and_hints() {
    let wipe = Tool::new("wipe", "Empties it", |(): (), _| async move { Ok(()) }).title("Wipe").destructive();
    let host = Host::new([stock(), wipe.clone(), wipe.idempotent().open_world().always_loaded()]);
    let answer = host.say(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await.unwrap();
    assert_eq!(
        answer["result"],
        json!({"tools": [
            {
                "name": "stock", "description": "Units on hand", "annotations": {"readOnlyHint": true},
                "inputSchema": {
                    "type": "object", "required": ["sku"],
                    "properties": {"sku": {"type": "string", "description": "The article."}},
                },
            },
            {
                "name": "wipe", "title": "Wipe", "description": "Empties it",
                "annotations": {"destructiveHint": true, "idempotentHint": true, "openWorldHint": true},
                "inputSchema": {"type": "object", "properties": {}}, "_meta": {"anthropic/alwaysLoad": true},
            },
        ]})
    );
}

#[tokio::test]
async fn a_call_runs_and_what_is_wrong_with_it_is_told() {
    let read = Tool::new("read", "Reads", |path: String, _| async move {
        let text = path.strip_prefix('/').ok_or(ToolError::new("not from the root"))?;
        let number: u8 = text.parse()?;
        Ok(ToolOutput::from(json!({"number": number})))
    });
    let save = Tool::new("save", "Saves", |(): (), _: ToolContext| async move {
        Err::<(), _>(io::Error::other("the disk is full").into())
    });
    let host = Host::new([stock(), read, save]);
    assert_eq!(host.call("stock", json!({"sku": "A-1"})).await, said("3 units"));
    assert_eq!(
        host.call("stock", json!({"sku": 1})).await,
        failed("the arguments do not fit: `sku`: invalid type: integer `1`, expected a string")
    );
    assert_eq!(host.call("stock", json!({})).await, failed("the arguments do not fit: missing field `sku`"));
    let structured = host.call("read", json!({"value": "/12"})).await;
    assert_eq!(structured["structuredContent"], json!({"number": 12}));
    assert_eq!(host.call("read", json!({"value": "12"})).await, failed("not from the root"));
    assert_eq!(host.call("read", json!({"value": "/x"})).await, failed("invalid digit found in string"));
    assert_eq!(host.call("save", json!({})).await, failed("the disk is full"));
}

#[tokio::test]
async fn a_panic_fails_the_call_and_nothing_else() {
    let at_once =
        Tool::new("at_once", "Panics", |(): (), _| -> std::future::Ready<Result<(), ToolError>> { panic!("1") });
    let later = Tool::new("later", "Panics", |(): (), _| async move {
        tokio::task::yield_now().await;
        if true {
            panic!("2");
        }
        Ok(())
    });
    let host = Host::new([stock(), at_once, later]);
    assert_eq!(host.call("at_once", json!({})).await, failed("the tool panicked"));
    assert_eq!(host.call("later", json!({})).await, failed("the tool panicked"));
    assert_eq!(host.call("stock", json!({"sku": "A"})).await, said("1 units"));
}

#[tokio::test]
async fn strangers_get_an_error_and_no_silence() {
    let host = Host::new([stock()]);
    let answer = host.say(call(3, "stocks", json!({}))).await.unwrap();
    assert_eq!(answer["error"], json!({"code": -32602, "message": "there is no tool `stocks`"}));
    let answer = host.say(json!({"jsonrpc": "2.0", "id": "a", "method": "no/such"})).await.unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("a"), &json!(-32601)));
    let answer = host.say(json!({"hello": "there"})).await.unwrap();
    assert_eq!(answer["error"]["code"], -32600);
    // A notification, an answer, and an error to requests that nobody made.
    assert_eq!(host.say(json!({"jsonrpc": "2.0", "method": "notifications/whatever"})).await, None);
    assert_eq!(host.say(json!({"jsonrpc": "2.0", "id": 9, "result": {}})).await, None);
    let error = json!({"code": 1, "message": "no"});
    assert_eq!(host.say(json!({"jsonrpc": "2.0", "id": 9, "error": error})).await, None);
    let unknown = host.served.handle("dock", &Raw::from_text("{}").unwrap()).await;
    assert_eq!(unknown, Err(UnknownServer("dock".to_owned())));
    assert_eq!(unknown.unwrap_err().to_string(), "there is no server `dock` in this process");
}

#[tokio::test]
async fn lone_surrogates_reach_a_tool_as_replacement_characters() {
    let host = Host::new([Tool::new("echo", "Says it", |text: String, _| async move { Ok(text) })]);
    let message = call(7, "echo", json!({"value": "LONE \u{1f600}"})).to_string().replace("LONE", r"\ud800");
    let answer = host.served.handle("deck", &Raw::from_text(&message).unwrap()).await.unwrap().unwrap();
    assert_eq!(answer.parse::<Value>().unwrap()["result"], said("\u{fffd} \u{1f600}"));
}

#[tokio::test]
async fn progress_reaches_the_cli_before_the_answer() {
    let work = Tool::new("work", "Works", |(): (), context: ToolContext| async move {
        context.progress(1.0, 2.0, "half").await;
        context.progress(2.0, None, "").await;
        Ok(context.tool_use_id().unwrap().to_string())
    });
    let mut host = Host::new([work]);
    assert_eq!(host.call("work", json!({})).await, said("toolu_1"));
    let told: Vec<(String, Value)> = std::iter::from_fn(|| host.outgoing.try_recv().ok())
        .map(|outgoing| (outgoing.server, outgoing.message.parse().unwrap()))
        .collect();
    let half = json!({"progressToken": 7, "progress": 1.0, "total": 2.0, "message": "half"});
    let whole = json!({"progressToken": 7, "progress": 2.0});
    let told_of =
        |params| ("deck".to_owned(), json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}));
    assert_eq!(told, [told_of(half), told_of(whole)]);
    // Who did not ask is not told.
    let mut quiet = call(8, "work", json!({}));
    quiet["params"]["_meta"].as_object_mut().unwrap().remove("progressToken");
    assert_eq!(host.say(quiet).await.unwrap()["result"], said("toolu_1"));
    assert!(host.outgoing.try_recv().is_err());
}

#[tokio::test]
async fn calls_run_side_by_side_and_answers_find_their_requests() {
    let barrier = Arc::new(Barrier::new(3));
    let meet = Tool::new("meet", "Waits for the others", move |name: String, _| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            Ok(name)
        }
    });
    let host = Host::new([meet]);
    let met = |id, name| host.say(call(id, "meet", json!({"value": name})));
    let (a, b, c) = tokio::join!(met(1, "a"), met(2, "b"), met(3, "c"));
    for (answer, id, name) in [(a, 1, "a"), (b, 2, "b"), (c, 3, "c")] {
        assert_eq!(answer.unwrap(), json!({"jsonrpc": "2.0", "id": id, "result": said(name)}));
    }
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_answered() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let host = Host::new([endless(&begun, &dropped), stock()]);
    let cancel = async {
        begun.notified().await;
        let params = json!({"requestId": 7, "reason": "enough"});
        host.say(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await
    };
    let (answer, cancelled) = tokio::join!(host.say(call(7, "endless", json!({}))), cancel);
    assert_eq!(cancelled, None);
    let error = json!({"code": -32603, "message": "the request was cancelled"});
    assert_eq!(answer, Some(json!({"jsonrpc": "2.0", "id": 7, "error": error})));
    until(|| dropped.load(Ordering::SeqCst)).await;
    // The same id is free again.
    assert_eq!(host.call("stock", json!({"sku": "A"})).await, said("1 units"));
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_cancelled() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let seen = Arc::new(Mutex::new(None));
    let noted = Arc::clone(&seen);
    let watched = Tool::new("watched", "Is watched", move |(): (), context: ToolContext| {
        *noted.lock().unwrap() = Some(context);
        std::future::pending::<Result<(), ToolError>>()
    });
    let host = Host::new([endless(&begun, &dropped), watched]);
    {
        let waiting = host.say(call(7, "endless", json!({})));
        tokio::select! {
            _ = waiting => panic!("it ended"),
            () = begun.notified() => {}
        }
    }
    until(|| dropped.load(Ordering::SeqCst)).await;
    let context = {
        let mut waiting = Box::pin(host.say(call(8, "watched", json!({}))));
        until(|| (&mut waiting).now_or_never().is_none() && seen.lock().unwrap().is_some()).await;
        seen.lock().unwrap().take().unwrap()
    };
    context.cancelled().await;
    assert!(context.is_cancelled());
}

#[tokio::test]
async fn the_end_of_the_session_ends_every_call() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let (notify, mut outgoing) = mpsc::unbounded_channel();
    let served = ServedTools::start(&[ToolServer::new("deck").tool(endless(&begun, &dropped))], notify);
    let call = Raw::from_value(&call(7, "endless", json!({}))).unwrap();
    {
        let mut waiting = Box::pin(served.handle("deck", &call));
        assert!((&mut waiting).now_or_never().is_none());
        begun.notified().await;
        // So that only the end of the session, and no withdrawal, can end the call.
        std::mem::forget(waiting);
    }
    drop(served);
    until(|| dropped.load(Ordering::SeqCst)).await;
    assert_eq!(outgoing.recv().await, None);
}

#[tokio::test]
async fn an_id_that_comes_twice_is_two_calls() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let host = Host::new([endless(&begun, &dropped), stock()]);
    let again = async {
        begun.notified().await;
        let answer = host.call("stock", json!({"sku": "A"})).await;
        assert!(!dropped.load(Ordering::SeqCst));
        let params = json!({"requestId": 7});
        host.say(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
        answer
    };
    let (first, second) = tokio::join!(host.say(call(7, "endless", json!({}))), again);
    assert_eq!(second, said("1 units"));
    assert_eq!(first.unwrap()["error"]["message"], "the request was cancelled");
    // Numbers that the CLI never gave cancel nothing.
    let params = json!({"requestId": 4});
    let early = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    let (answer, _) = tokio::join!(host.call("stock", json!({"sku": "AB"})), host.say(early));
    assert_eq!(answer, said("2 units"));
}

#[tokio::test]
async fn nobody_waits_for_a_server_that_has_ended() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let host = Host::new([endless(&begun, &dropped), stock()]);
    let end = async {
        begun.notified().await;
        host.served.lines[0].1.end();
        // Some of these may still reach the server, the others stay in its queue.
        let calls = (20..40).map(|id| host.say(call(id, "stock", json!({"sku": "A"}))));
        futures_util::future::join_all(calls).await
    };
    let (answer, late) = tokio::join!(host.say(call(7, "endless", json!({}))), end);
    assert_eq!(answer.unwrap()["error"]["message"], "the session has ended");
    assert!(late.iter().all(|answer| answer.as_ref().unwrap()["error"].is_object()), "{late:?}");
    let answer = host.say(call(8, "stock", json!({"sku": "A"}))).await.unwrap();
    assert_eq!((&answer["id"], &answer["error"]["message"]), (&json!(8), &json!("the server has ended")));
}

#[tokio::test(start_paused = true)]
async fn a_time_limit_ends_a_call_and_no_other_time_does() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let slow = Tool::new("slow", "Takes a day", |(): (), _| async move {
        tokio::time::sleep(Duration::from_secs(86_400)).await;
        Ok("at last")
    });
    let host = Host::new([endless(&begun, &dropped).time_limit(Duration::from_secs(90)), slow]);
    assert_eq!(host.call("endless", json!({})).await, failed("the tool did not finish within 90s"));
    assert!(dropped.load(Ordering::SeqCst));
    assert_eq!(host.call("slow", json!({})).await, said("at last"));
    // What a tool left running elsewhere learns that its time is up.
    let (sender, mut contexts) = mpsc::unbounded_channel();
    let leaves = Tool::new("leaves", "Leaves work behind", move |(): (), context: ToolContext| {
        sender.send(context).unwrap();
        std::future::pending::<Result<(), ToolError>>()
    });
    let host = Host::new([leaves.time_limit(Duration::from_secs(1))]);
    assert_eq!(host.call("leaves", json!({})).await, failed("the tool did not finish within 1s"));
    contexts.recv().await.unwrap().cancelled().await;
}

/// A server of a user's own, with a prompt and a habit of panicking.
struct Own;

impl ServerHandler for Own {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_prompts().build())
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        assert!(page.is_none(), "no pages here");
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("greet", Some("Says hello"), None)]))
    }
}

#[tokio::test]
async fn a_server_of_the_users_own_is_served_whole() {
    let host = Host::serving(ToolServer::from_handler("deck", Own));
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "prompts/list"});
    let answer = host.say(list.clone()).await.unwrap();
    assert_eq!(answer["result"], json!({"prompts": [{"name": "greet", "description": "Says hello"}]}));
    let mut page = list.clone();
    page["params"] = json!({"cursor": "2"});
    let error = json!({"code": -32603, "message": "the server panicked"});
    assert_eq!(host.say(page).await.unwrap()["error"], error);
    assert!(host.say(list).await.unwrap()["result"].is_object());
}

/// Lets the other tasks run until it is so.
async fn until(mut so: impl FnMut() -> bool) {
    while !so() {
        tokio::task::yield_now().await;
    }
}
