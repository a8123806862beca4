//! Tools in this process, called by every pinned version of the real CLI.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use lab::{CliVersion, Launch, Reply, Script, Session, Stage};

use super::*;

lab::on_every_version! {
    calls_side_by_side_reach_the_model,
    failures_reach_the_model_and_the_session_goes_on,
    an_interrupt_ends_the_call,
}

/// What a host reacts to.
enum Event {
    Line(Value),
    Answer(Value, Raw),
    Outgoing(Outgoing),
    Interrupt,
}

/// A session of a real CLI with a host that serves it.
struct Played {
    stage: Stage,
    host: Host,
    session: Session,
}

impl Played {
    async fn start(cli: CliVersion, script: Script, tools: impl IntoIterator<Item = Tool>) -> Played {
        let stage = Stage::new(cli, script).await.unwrap();
        let host = Host::new(tools);
        let mut session = stage.start(Launch::new().allowing()).await.unwrap();
        // The CLI may speak to the servers before it answers, so nobody waits here.
        session.request(json!({"subtype": "initialize", "sdkMcpServers": host.served.names()})).await.unwrap();
        Played { stage, host, session }
    }

    /// Plays a turn to its result and gives all lines that concern the host; interrupts the turn when told so.
    async fn turn(&mut self, interrupt: &Notify) -> Vec<Value> {
        let Played { host: Host { served, outgoing }, session, .. } = self;
        session.user("Use the tools").await.unwrap();
        let mut answers = FuturesUnordered::new();
        let mut seen = Vec::new();
        loop {
            let event = tokio::select! {
                line = session.wait_for("the host's turn", concerns_the_host) => Event::Line(line.unwrap()),
                Some((request, answer)) = answers.next() => Event::Answer(request, answer),
                Some(message) = outgoing.recv() => Event::Outgoing(message),
                () = interrupt.notified() => Event::Interrupt,
            };
            match event {
                Event::Line(line) => {
                    seen.push(line.clone());
                    let request = &line["request"];
                    if line["type"] == "result" {
                        return seen;
                    } else if request["subtype"] == "mcp_message" {
                        let server = request["server_name"].as_str().unwrap().to_owned();
                        let message = Raw::from_value(&request["message"]).unwrap();
                        let served = &*served;
                        answers.push(async move {
                            let answer = served.handle(&server, &message).await.unwrap();
                            (line, answer.unwrap_or_else(ServedTools::no_answer))
                        });
                    }
                }
                Event::Answer(request, answer) => {
                    let answer: Value = answer.parse().unwrap();
                    session.answer(&request, json!({"mcp_response": answer})).await.unwrap();
                }
                Event::Outgoing(Outgoing { server, message }) => {
                    let message: Value = message.parse().unwrap();
                    let request = json!({"subtype": "mcp_message", "server_name": server, "message": message});
                    session.request(request).await.unwrap();
                }
                Event::Interrupt => {
                    session.request(json!({"subtype": "interrupt"})).await.unwrap();
                }
            }
        }
    }

    /// The tool results that the model got in the end, by tool use: was it an error, and its content as text.
    fn results(&self) -> Vec<(bool, String)> {
        let requests = self.stage.model.story_requests();
        let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
        let mut blocks: Vec<&Value> = messages
            .iter()
            .filter_map(|message| message["content"].as_array())
            .flatten()
            .filter(|block| block["type"] == "tool_result")
            .collect();
        blocks.sort_by_key(|block| block["tool_use_id"].to_string());
        blocks.iter().map(|block| (block["is_error"] == true, block["content"].to_string())).collect()
    }
}

fn concerns_the_host(line: &Value) -> bool {
    let kind = line["type"].as_str().unwrap_or_default();
    ["control_request", "control_cancel_request", "control_response", "result"].contains(&kind)
}

async fn calls_side_by_side_reach_the_model(cli: CliVersion) {
    // Neither call ends before the other has begun.
    let barrier = Arc::new(Barrier::new(2));
    let meet = Tool::new("meet", "Waits for the other", move |stock: Stock, context: ToolContext| {
        let barrier = Arc::clone(&barrier);
        async move {
            context.progress(1.0, 2.0, "waiting").await;
            barrier.wait().await;
            Ok(format!("met {} in {}", stock.sku, context.tool_use_id().unwrap()))
        }
    });
    let both =
        Reply::new().calls("mcp__deck__meet", json!({"sku": "A-1"})).calls("mcp__deck__meet", json!({"sku": "B-2"}));
    let script = Script::new().reply(both).says("They met.");
    let mut played = Played::start(cli, script, [meet.read_only()]).await;
    let seen = played.turn(&Notify::new()).await;

    assert_eq!(seen.last().unwrap()["result"], "They met.");
    let results = played.results();
    assert_eq!(results.len(), 2);
    assert!(!results[0].0 && results[0].1.contains("met A-1 in toolu_lab000100"), "{results:?}");
    assert!(!results[1].0 && results[1].1.contains("met B-2 in toolu_lab000101"), "{results:?}");
    // One answer is to `initialize`; the others are to our progress, which the CLI asks for since 2.1.38.
    let answers = seen.iter().filter(|line| line["type"] == "control_response");
    let accepted = answers.filter(|line| line["response"]["subtype"] == "success").count();
    assert_eq!(accepted, if cli >= "2.1.38".parse().unwrap() { 3 } else { 1 });
    assert_eq!(played.session.finish().await.unwrap().code, Some(0));
}

async fn failures_reach_the_model_and_the_session_goes_on(cli: CliVersion) {
    let boom =
        Tool::new("boom", "Panics", |(): (), _| -> std::future::Ready<Result<(), ToolError>> { panic!("on purpose") });
    let report = Tool::new("report", "Reports", |(): (), _| async move { ToolOutput::json(&[("units", 3)]) });
    let script = Script::new()
        .calls("mcp__deck__boom", json!({}))
        .calls("mcp__deck__stock", json!({"sku": 3}))
        .calls("mcp__deck__report", json!({}))
        .says("All done.");
    let mut played = Played::start(cli, script, [boom, stock().always_loaded(), report]).await;
    let seen = played.turn(&Notify::new()).await;

    assert_eq!(seen.last().unwrap()["result"], "All done.");
    let prompt = played.stage.model.story_requests()[0].body["tools"].as_array().unwrap().clone();
    let loaded = |name: &str| prompt.iter().any(|tool| tool["name"] == name);
    assert!(loaded("mcp__deck__stock"));
    assert_eq!(loaded("mcp__deck__boom"), cli < "2.1.325".parse().unwrap());
    let results = played.results();
    assert_eq!(results.iter().map(|(failed, _)| *failed).collect::<Vec<_>>(), [true, true, false]);
    assert!(results[0].1.contains("the tool panicked"), "{results:?}");
    assert!(results[1].1.contains("`sku`: invalid type: integer `3`, expected a string"), "{results:?}");
    assert!(results[2].1.contains(r#"[[\"units\",3]]"#), "{results:?}");
    assert_eq!(played.session.finish().await.unwrap().code, Some(0));
}

async fn an_interrupt_ends_the_call(cli: CliVersion) {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let script = Script::new().calls("mcp__deck__endless", json!({}));
    let mut played = Played::start(cli, script, [endless(&begun, &dropped)]).await;
    let seen = played.turn(&begun).await;

    let cancelled = |line: &&Value| line["request"]["message"]["method"] == "notifications/cancelled";
    assert_eq!(seen.iter().filter(cancelled).count(), 1);
    assert_eq!(seen.last().unwrap()["subtype"], "error_during_execution");
    let ended = until(|| dropped.load(Ordering::SeqCst));
    played.session.within("the end of the call", ended).await.unwrap();
    // The exit code is the CLI's word on the interrupted turn: 0, and 1 in 2.1.325.
    played.session.finish().await.unwrap();
}
