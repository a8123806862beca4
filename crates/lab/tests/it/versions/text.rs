//! What the model says: text, streams, thoughts, failures, and answers in a given shape.

use claude_protocol::FromCli;
use claude_protocol::content::{ApiMessage, Block, StopReason};
use claude_protocol::control::catalog::ApiKeySource;
use claude_protocol::from_cli::ResultKind;
use claude_protocol::from_cli::stream::{Delta, Event};
use claude_protocol::permission::PermissionMode;
use claude_protocol::tool::{ToolInput, ToolResult};
use lab::{CliVersion, Launch, Script};
use serde_json::{Value, json};

use super::talk::{MODEL, Talk, Told, last_sent, stage};

lab::on_every_version! {
    a_prompt_is_answered_with_text,
    an_answer_streams_before_it_is_whole,
    thoughts_come_before_the_answer,
    an_api_error_is_a_failed_turn,
    an_answer_takes_the_shape_of_a_schema,
}

async fn a_prompt_is_answered_with_text(cli: CliVersion) {
    let usage = json!({
        "input_tokens": 12, "cache_creation_input_tokens": 1500, "cache_read_input_tokens": 9000,
        "final_output_tokens": 42,
    });
    let stage = stage(cli, Script::new().says("Hello from the model.").using(usage)).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    let result = talk.turn("Say hello").await;
    let told = talk.finish().await;

    assert_eq!(told.kinds(), ["system/init", "assistant", "result/success"]);
    let init = told.inits()[0];
    assert_eq!(init.claude_code_version, Some(cli.to_string()));
    assert_eq!(init.model.as_deref(), Some(MODEL));
    assert_eq!(init.cwd, Some(stage.place.project().display().to_string()));
    assert_eq!(init.permission_mode, Some(PermissionMode::Default));
    assert_eq!(init.api_key_source, Some(ApiKeySource::Environment));
    assert!(init.tools.as_ref().unwrap().iter().any(|tool| tool == "Bash"));
    assert!(told.lines.iter().all(|line| line.session_id() == init.session_id.as_ref() && line.uuid().is_some()));

    assert_eq!(told.blocks(), [&Block::text("Hello from the model.")]);
    assert_eq!(told.assistants()[0].message.model.as_deref(), Some(MODEL));
    assert_eq!(result.result.as_deref(), Some("Hello from the model."));
    assert_eq!((result.failed(), result.num_turns, told.code), (false, Some(1), Some(0)));
    let usage = result.usage.unwrap();
    assert_eq!(
        (usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens, usage.output_tokens),
        (Some(12), Some(1500), Some(9000), Some(42))
    );
    let cost = result.total_cost_usd.unwrap();
    assert!(cost > 0.0);
    assert_eq!(result.model_usage.unwrap()[MODEL].cost_usd, Some(cost));
    assert!(last_sent(&stage).to_string().contains("Say hello"));
}

async fn an_answer_streams_before_it_is_whole(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("One word at a time.").using(json!({"final_output_tokens": 42}))).await;
    let mut talk = Talk::start(&stage, Launch::new().args(["--include-partial-messages"])).await;
    talk.turn("Say it slowly").await;
    let told = talk.finish().await;

    let mut expected = vec!["system/init"];
    if cli.is_present() {
        expected.push("system/status");
    }
    expected.extend(["message_start", "content_block_start"]);
    expected.extend(["content_block_delta"; 5]);
    // The whole block comes before the end of its stream.
    expected.extend(["assistant", "content_block_stop", "message_delta", "message_stop", "result/success"]);
    assert_eq!(told.kinds(), expected);
    assert_eq!(
        streamed(&told, |delta| if let Delta::Text(more) = delta { &more.text } else { "" }),
        "One word at a time."
    );
    assert_eq!(told.blocks(), [&Block::text("One word at a time.")]);
    let events: Vec<&Event> = events(&told);
    let Event::MessageStart(start) = events[0] else { panic!("{:?}", events[0]) };
    assert_eq!(start.message.id, told.assistants()[0].message.id);
    let Event::MessageDelta(end) = events[events.len() - 2] else { panic!("{:?}", events.last()) };
    assert_eq!(end.delta.stop_reason, Some(StopReason::EndTurn));
    assert_eq!(end.usage.as_ref().unwrap().output_tokens, Some(42));
}

async fn thoughts_come_before_the_answer(cli: CliVersion) {
    let thought = "Let me weigh this with care.";
    let stage = stage(cli, Script::new().thinks(thought).says("It is 42.")).await;
    let launch = Launch::new().args(["--include-partial-messages", "--max-thinking-tokens", "4000"]);
    let mut talk = Talk::start(&stage, launch).await;
    let result = talk.turn("Think about it").await;
    let told = talk.finish().await;

    let [Block::Thinking(thinking), answer] = told.blocks()[..] else { panic!("{:?}", told.blocks()) };
    assert_eq!(thinking.thinking, thought);
    assert_eq!(*answer, Block::text("It is 42."));
    assert_eq!(streamed(&told, |delta| if let Delta::Thinking(more) = delta { &more.thinking } else { "" }), thought);
    let signature = streamed(&told, |delta| if let Delta::Signature(whole) = delta { &whole.signature } else { "" });
    assert!(!signature.is_empty());
    assert_eq!(thinking.signature, Some(signature));
    assert_eq!(result.result.as_deref(), Some("It is 42."));
    // Only the present version counts the tokens while the model thinks.
    let counts = told.kinds().iter().filter(|kind| *kind == "system/thinking_tokens").count();
    assert_eq!(counts > 0, cli.is_present());
}

async fn an_api_error_is_a_failed_turn(cli: CliVersion) {
    // The CLI asks again after a 400, with other parameters, so the model fails as often as it is asked.
    let stage = stage(cli, Script::new().fails(400).always()).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    let result = talk.turn("Fail, please").await;
    let told = talk.finish().await;

    assert_eq!(told.kinds(), ["system/init", "assistant", "result/success"]);
    let words = told.assistants()[0];
    assert!(words.is_synthetic());
    assert_eq!(words.message.model.as_deref(), Some(ApiMessage::SYNTHETIC));
    let text = words.message.content.text();
    assert!(text.starts_with("API Error: 400 ") && text.contains("scripted 400"), "{text}");
    assert!(words.error.is_some());
    assert_eq!(result.result.as_deref(), Some(&*text));
    assert_eq!((result.failed(), &result.subtype, told.code), (true, &ResultKind::Success, Some(1)));
    assert_eq!(words.api_error_status, cli.is_present().then_some(400));
}

async fn an_answer_takes_the_shape_of_a_schema(cli: CliVersion) {
    let schema = json!({
        "type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "number"}},
        "required": ["name", "age"],
    });
    let ada = json!({"name": "Ada", "age": 36});
    let mut script = Script::new().calls("StructuredOutput", ada.clone());
    if !cli.is_present() {
        // Older versions ask the model for a last word; the present one takes the call for the answer.
        script = script.says("Done.");
    }
    let stage = stage(cli, script).await;
    let mut talk = Talk::start(&stage, Launch::new().args(["--json-schema".to_owned(), schema.to_string()])).await;
    let result = talk.turn("Who?").await;
    let told = talk.finish().await;

    assert_eq!(result.structured_output.unwrap().parse::<Value>().unwrap(), ada);
    assert!(!result.result.unwrap().is_empty());
    let Block::ToolUse(call) = told.blocks()[0] else { panic!("{:?}", told.blocks()) };
    let ToolInput::StructuredOutput(input) = ToolInput::read(&call.name, &call.input).value else { panic!("{call:?}") };
    assert_eq!(input.parse::<Value>().unwrap(), ada);
    let results = told.results();
    assert_eq!(results[0].1, ToolResult::Text("Structured output provided successfully".to_owned()));
    assert_eq!((results.len(), told.code, stage.model.unused_replies()), (1, Some(0), 0));
    let tools = stage.model.story_requests()[0].body["tools"].clone();
    let offered = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "StructuredOutput").unwrap();
    assert_eq!(offered["input_schema"]["properties"], schema["properties"]);
}

fn events(told: &Told) -> Vec<&Event> {
    let events = told.lines.iter().filter_map(|line| match line {
        FromCli::StreamEvent(line) => Some(&line.event),
        _ => None,
    });
    events.collect()
}

/// The pieces of one kind, joined.
fn streamed(told: &Told, piece: impl Fn(&Delta) -> &str) -> String {
    let deltas = events(told).into_iter().filter_map(|event| match event {
        Event::BlockDelta(block) => Some(&block.delta),
        _ => None,
    });
    deltas.map(piece).collect()
}
