//! The scripted model, as a client sees it.

use lab::model::RequestKind;
use lab::script::Broken;
use lab::{Model, Reply, Script};
use serde_json::{Value, json};

use crate::http::post;

const PATH: &str = "/v1/messages?beta=true";

fn ask(text: &str) -> Value {
    json!({"model": "some-model", "stream": true, "tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": text}]})
}

fn events(body: &str) -> Vec<Value> {
    body.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

fn kinds(body: &str) -> Vec<String> {
    events(body).iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_text_streams_word_by_word() {
    let model = Model::start(
        Script::new().says("Hello you.").using(json!({"cache_read_input_tokens": 7, "final_output_tokens": 9})),
    )
    .await
    .unwrap();
    let answer = post(&model.base_url(), PATH, &ask("hi")).await;
    let usage = json!({"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 7, "output_tokens": 1, "service_tier": "standard"});
    let message = json!({
        "id": "msg_lab0001", "type": "message", "role": "assistant", "model": "some-model", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    let expected = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello "}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "you."}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ];
    assert_eq!(events(&answer.body), expected);
    assert!(answer.whole && answer.head.contains("request-id: req_lab0001"));
    assert!(answer.body.starts_with("event: message_start\ndata: {"));
}

#[tokio::test]
async fn another_story_can_be_told_and_no_id_comes_twice() {
    let model = Model::start(Script::new().says("One.").says("Never.").says("Again.").always()).await.unwrap();
    assert!(post(&model.base_url(), PATH, &ask("hi")).await.body.contains("One."));
    assert_eq!(model.unused_replies(), 2);
    model.tell(Script::new().says("Two.")).unwrap();
    let answer = post(&model.base_url(), PATH, &ask("hi")).await;
    assert!(answer.body.contains("Two.") && answer.body.contains("msg_lab0004"), "{}", answer.body);
    assert!(post(&model.base_url(), PATH, &ask("hi")).await.body.contains("OK."));
    assert_eq!(model.unused_replies(), 0);
}

#[tokio::test]
async fn a_request_that_wants_no_stream_gets_one_message() {
    let reply = Reply::new().thinks("Hm.").calls("Bash", json!({"command": "ls"}));
    let model = Model::start(Script::new().reply(reply)).await.unwrap();
    let mut request = ask("hi");
    request["stream"] = json!(false);
    let answer = post(&model.base_url(), PATH, &request).await;
    let message: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        message["content"][1],
        json!({"type": "tool_use", "name": "Bash", "input": {"command": "ls"}, "id": "toolu_lab000101"})
    );
    assert_eq!((&message["stop_reason"], &message["usage"]["output_tokens"]), (&json!("tool_use"), &json!(20)));
}

#[tokio::test]
async fn failures_come_with_their_status_and_kind() {
    let model = Model::start(Script::new().fails(400).fails(529)).await.unwrap();
    for (status, kind) in [(400, "invalid_request_error"), (529, "overloaded_error")] {
        let answer = post(&model.base_url(), PATH, &ask("hi")).await;
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!((answer.status, body["error"]["type"].as_str()), (status, Some(kind)));
    }
}

#[tokio::test]
async fn a_cut_stream_really_ends_in_the_middle() {
    let model = Model::start(Script::new().says("one two three four").cut_after(2)).await.unwrap();
    let answer = post(&model.base_url(), PATH, &ask("hi")).await;
    assert!(!answer.whole);
    assert_eq!(kinds(&answer.body).last().map(String::as_str), Some("content_block_delta"));
}

#[tokio::test]
async fn a_broken_stream_holds_data_that_is_no_json() {
    let reply = Reply { broken: Some(Broken::Json), ..Reply::new().says("one two") };
    let model = Model::start(Script::new().reply(reply)).await.unwrap();
    let answer = post(&model.base_url(), PATH, &ask("hi")).await;
    assert!(answer.body.contains("data: {\"type\":\n\n"));
}

#[tokio::test]
async fn a_paused_stream_goes_on_when_its_gate_is_released() {
    let model = Model::start(Script::new().says("one two").pausing_after(1, "go")).await.unwrap();
    let (url, request) = (model.base_url(), ask("hi"));
    let asking = tokio::spawn(async move { post(&url, PATH, &request).await });
    model.saw_requests(1).await;
    model.release("go");
    assert!(asking.await.unwrap().whole);
}

#[tokio::test]
async fn each_request_gets_the_reply_that_is_meant_for_it() {
    let script = Script::new().says("main one").says("sub one").when("SUBTASK").says("main two");
    let model = Model::start(script).await.unwrap();
    let mut texts = Vec::new();
    for prompt in ["go", "SUBTASK-A", "on", "more"] {
        let mut request = ask(prompt);
        request["stream"] = json!(false);
        let answer = post(&model.base_url(), PATH, &request).await;
        let message: Value = serde_json::from_str(&answer.body).unwrap();
        texts.push(message["content"][0]["text"].as_str().unwrap().to_owned());
    }
    assert_eq!(texts, ["main one", "sub one", "main two", "OK."]);
    assert_eq!(model.unused_replies(), 0);
}

#[tokio::test]
async fn side_calls_do_not_shift_the_story() {
    let model = Model::start(Script::new().says("The story.")).await.unwrap();
    let side =
        json!({"model": "small", "messages": [{"role": "user", "content": "<policy_spec> … Command: touch a b"}]});
    let answer = post(&model.base_url(), PATH, &side).await;
    assert_eq!(serde_json::from_str::<Value>(&answer.body).unwrap()["content"][0]["text"], "touch");
    let counted = post(&model.base_url(), "/v1/messages/count_tokens", &ask("hi")).await;
    assert_eq!(counted.body, r#"{"input_tokens":1234}"#);
    let kinds: Vec<RequestKind> = model.requests().iter().map(|request| request.kind).collect();
    assert_eq!(kinds, [RequestKind::Side, RequestKind::CountTokens]);
    assert_eq!(model.unused_replies(), 1);
}

#[tokio::test]
async fn an_error_event_ends_a_stream() {
    let error = json!({"type": "overloaded_error", "message": "too much"});
    let reply = Reply { error_event: Some(error.clone()), ..Reply::new().searched("q", "https://example.com/a", "A") };
    let model = Model::start(Script::new().reply(reply)).await.unwrap();
    let answer = post(&model.base_url(), PATH, &ask("hi")).await;
    assert_eq!(events(&answer.body).last(), Some(&json!({"type": "error", "error": error})));
    assert!(answer.body.contains("web_search_tool_result"));
}
