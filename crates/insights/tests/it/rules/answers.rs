//! Texts and thoughts: streamed, whole, cut off, and words that are no answer.

use insights::UnixMillis;
use insights::state::clip::Clip;
use insights::state::item::{CompactionItem, ErrorItem, Item, ItemBody, Order, TextItem, UserRole};
use insights::state::{Change, State};
use serde_json::json;

use crate::script::*;

fn words(text: &str) -> Clip {
    Clip { text: text.to_owned(), more: None }
}

fn answer(text: &str, done: bool, aborted: bool, model: Option<&str>) -> ItemBody {
    ItemBody::Text(TextItem { text: words(text), done, aborted, model: model.map(str::to_owned) })
}

#[test]
fn a_text_grows_by_its_pieces_and_is_replaced_by_the_whole() {
    let empty = json!({"type": "text", "text": ""});
    let pieces = || vec![init(), message_start("m"), block_start(0, empty.clone()), piece(0, "Hel"), piece(0, "lo")];
    let growing = after(pieces());
    let expected = Item {
        id: "m/0".into(),
        order: Order(3, 0),
        parent: None,
        at: UnixMillis(3000),
        seq: 3,
        uuid: Some("d".into()),
        body: answer("Hello", false, false, None),
    };
    assert_eq!(growing.items.iter().collect::<Vec<_>>(), [&expected]);

    let whole = after(pieces().into_iter().chain([text("m", "Hello!")]).collect());
    let expected = Item {
        order: Order(6, 0),
        at: UnixMillis(6000),
        seq: 6,
        uuid: Some("u-m".into()),
        body: answer("Hello!", true, false, Some("opus")),
        ..expected
    };
    assert_eq!(whole.items.iter().collect::<Vec<_>>(), [&expected]);
}

#[test]
fn a_piece_is_one_small_change() {
    let empty = json!({"type": "text", "text": ""});
    let events = events(vec![init(), message_start("m"), block_start(0, empty), piece(0, "Hel")]);
    let mut state = State::default();
    let changes: Vec<Vec<Change>> = events.iter().map(|event| state.apply(event)).collect();
    assert_eq!(changes.last().unwrap(), &[Change::Append { id: "m/0".into(), text: "Hel".to_owned() }]);
}

#[test]
fn a_try_that_was_given_up_leaves_nothing() {
    let empty = json!({"type": "text", "text": ""});
    let stop = json!({"type": "message_stop"});
    let abandoned = out(json!({
        "type": "stream_event", "session_id": "s1", "uuid": "d", "parent_tool_use_id": null, "event": stop,
        "abandoned_blocks": {"api_message_id": "m1", "from_block_index": 0}
    }));
    let state = after(vec![init(), message_start("m1"), block_start(0, empty), piece(0, "half a"), abandoned]);
    assert_eq!(ids(&state), [""; 0]);
    assert_eq!(state.status.turn.clone().and_then(|turn| turn.block), None);
}

#[test]
fn a_try_that_was_given_up_without_a_word_leaves_nothing_either() {
    let empty = json!({"type": "text", "text": ""});
    let state = after(vec![init(), message_start("m1"), block_start(0, empty), piece(0, "half a"), text("m2", "all")]);
    assert_eq!(ids(&state), ["m2/0"]);
}

#[test]
fn an_answer_that_was_cut_off_stays_as_far_as_it_came() {
    let empty = json!({"type": "text", "text": ""});
    let ended = ended(json!({"subtype": "error_during_execution", "is_error": false}));
    let state = after(vec![init(), message_start("m"), block_start(0, empty), piece(0, "half a"), interrupt(), ended]);
    assert_eq!(item(&state, "m/0").body, answer("half a", true, true, None));
}

#[test]
fn a_message_that_comes_again_is_shown_once_and_where_it_was() {
    let state = after(vec![init(), text("m", "one"), text("m2", "two"), text("m", "one")]);
    assert_eq!(ids(&state), ["m/0", "m2/0"]);
}

#[test]
fn a_failed_call_of_the_model_is_an_error_and_no_answer() {
    let mut line = json!({
        "type": "assistant", "session_id": "s1", "uuid": "e", "parent_tool_use_id": null, "error": "rate_limit",
        "is_api_error_message": true, "api_error_status": 429
    });
    line["message"] = json!({
        "id": "m", "role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error: slow down"}]
    });
    let state = after(vec![init(), out(line)]);
    let category = Some("rate_limit".to_owned());
    let error = ErrorItem { text: words("API Error: slow down"), category, status: Some(429) };
    assert_eq!(item(&state, "m/0").body, ItemBody::Error(error));
}

#[test]
fn a_summary_belongs_to_its_compaction() {
    let boundary = system(
        "compact_boundary",
        json!({"compact_metadata": {
            "trigger": "auto", "pre_tokens": 9000, "post_tokens": 800, "duration_ms": 12.0
        }}),
    );
    let summary = out(json!({
        "type": "user", "session_id": "s1", "uuid": "sum", "isSynthetic": true, "parent_tool_use_id": null,
        "message": {"role": "user", "content": [{"type": "text", "text": "So far: …"}]}
    }));
    let compacting = system("status", json!({"status": "compacting"}));
    let state = after(vec![init(), compacting, boundary, summary]);
    let item = item(&state, "sys-compact_boundary");
    let ItemBody::Compaction(compaction) = &item.body else { panic!("{item:?}") };
    let expected = CompactionItem {
        trigger: insights::event::turn::CompactionTrigger::Auto,
        pre_tokens: Some(9000),
        post_tokens: Some(800),
        duration_ms: Some(12.0),
        summary: Some(words("So far: …")),
        error: None,
    };
    assert_eq!(compaction, &expected);
    assert_eq!(state.items.len(), 1);
    assert_eq!(state.meters.context.used, Some(800));
    assert_eq!(state.meters.context.compactions.len(), 1);
    assert!(!state.status.compacting);
}

#[test]
fn words_of_the_cli_in_the_users_name_are_not_the_users() {
    let feedback = out(json!({
        "type": "user", "session_id": "s1", "uuid": "f", "isSynthetic": true, "parent_tool_use_id": null,
        "message": {"role": "user", "content": [{"type": "text", "text": "Stop hook feedback: go on"}]}
    }));
    let state = after(vec![init(), feedback]);
    let ItemBody::User(user) = &state.items.iter().next().unwrap().body else { panic!("{state:?}") };
    assert_eq!((&user.role, user.text.text.as_str()), (&UserRole::System, "Stop hook feedback: go on"));
}
