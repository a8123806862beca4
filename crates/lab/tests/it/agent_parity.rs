//! The scripted agent against the real CLI: the same scenario through both gives the same kinds of lines in the same
//! order, and the same requests are asked and answered.
//!
//! Compared are, for what the CLI writes: the type and subtype of each line, the kinds of blocks in messages, whether a
//! message is a subagent's, a replay, synthetic or aborted, the kind of a streamed event and of its delta, the subtype of
//! a control request (and the method of an MCP message), whether a control response is an error and which fields it has,
//! the state of a prompt. For what the host writes: types and subtypes, so that a missing or an additional question shows.
//! The two directions are compared apart, since two pipes have no common order.
//!
//! No kind of line is left out. Not in the list are scenarios that an agent without hands, disk and clock cannot play:
//! those that wait for what a command does to files (`background-*`, `interrupt-during-tool`, `message-injected-mid-turn`,
//! `bash-*`, `tool-error`, `rewind-files`, `skill-tool`, `parallel-subagents`), where tools run while the message streams
//! (`parallel-permissions`, `parallel-tools-streaming`), signals (tested on the program instead), slash commands and
//! compaction, limits of the API and of the CLI (`api-max-tokens`, `api-refusal`, `max-*`, `json-schema*`), effects of
//! hooks beyond permission, MCP servers that are processes, plans, and sessions that are missing on disk.

use std::path::{Path, PathBuf};

use futures_util::{StreamExt, stream};
use lab::real::{install, pinned_versions};
use lab::scenario::{all_files, play, play_with_agent};
use lab::{Direction, Record, Scenario};
use serde_json::Value;

/// Scenarios whose real side is the committed capture.
const CAPTURED: &[&str] = &[
    "api-error-400",
    "api-retry-529",
    "ask-user-question-denied",
    "ask-user-question-free-text",
    "ask-user-question-multi",
    "ask-user-question-single",
    "at-file",
    "big-text",
    "cancel-async-message",
    "continue",
    "control-queries",
    "control-set-max-thinking-tokens",
    "control-set-model",
    "control-set-permission-mode",
    "control-unknown-subtype",
    "document-block-in",
    "edit-replace-all",
    "edit-structured-result",
    "eof-idle",
    "eof-mid-stream",
    "eof-pending-permission",
    "fork-session",
    "glob-grep-enabled",
    "hooks-pretool-allow",
    "hooks-pretool-deny",
    "hooks-pretool-modify",
    "image-block-in",
    "interrupt-mid-stream",
    "interrupt-pending-permission",
    "interrupt-queued",
    "malformed-stdin",
    "mcp-sdk-server",
    "multi-turn",
    "no-session-persistence",
    "notebook-edit",
    "parallel-tools",
    "permission-allow-updated-input",
    "permission-allow",
    "permission-denied-dontask",
    "permission-denied-rule",
    "permission-deny-interrupt",
    "permission-deny",
    "permission-suggestion-session",
    "plain-text-initialize",
    "plain-text",
    "queue-two-messages",
    "read-image",
    "read-notebook",
    "read",
    "rename",
    "replay-user-messages",
    "resume-session-at",
    "resume",
    "session-id",
    "slash-custom-command",
    "stdin-unknown-type",
    "streaming-text",
    "subagent-permission",
    "subagent",
    "task-tools",
    "thinking-streaming",
    "todo-write",
    "tool-bash-allowed",
    "web-search",
    "write-create",
    "write-overwrite",
];

/// Scenarios whose real side is run here and now.
const LIVE: [&str; 3] = ["permission-allow", "interrupt-mid-stream", "queue-two-messages"];

/// The kinds of lines of a session, each direction for itself.
#[derive(Debug, PartialEq)]
struct Kinds {
    written_by_the_agent: Vec<String>,
    written_by_the_host: Vec<String>,
    exit_codes: Vec<Value>,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_writes_the_kinds_of_lines_that_were_captured_from_the_cli() {
    let mut played = stream::iter(CAPTURED).map(|name| async move { (name, acted(name).await) }).buffer_unordered(8);
    while let Some((name, acted)) = played.next().await {
        assert_eq!(acted, captured(name), "the scenario {name}: left the agent, right the CLI");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_writes_the_kinds_of_lines_that_the_cli_writes_now() {
    let newest = *pinned_versions().last().unwrap();
    let installed = install(newest).await.unwrap();
    for name in LIVE {
        let real = play(&scenario(name), &installed).await.unwrap();
        assert_eq!(acted(name).await, kinds_of(&real.records), "the scenario {name}: left the agent, right the CLI");
    }
}

async fn acted(name: &str) -> Kinds {
    let newest = *pinned_versions().last().unwrap();
    let played = play_with_agent(&scenario(name), newest).await.unwrap();
    kinds_of(&played.records)
}

fn scenario(name: &str) -> Scenario {
    let file = all_files().unwrap().into_iter().find(|file| file.file_stem().is_some_and(|stem| stem == name));
    Scenario::load(&file.unwrap(), *pinned_versions().last().unwrap()).unwrap().unwrap()
}

fn kinds_of(records: &[Record]) -> Kinds {
    kinds(records.iter().filter_map(|record| Some((record.direction.name(), record.value.clone()?))))
}

fn captured(name: &str) -> Kinds {
    let newest = pinned_versions().last().unwrap().to_string();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").join(newest);
    let file: PathBuf = folder.join(format!("{name}.jsonl"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    kinds(lines.iter().filter_map(|line| Some((line["dir"].as_str()?, line.get("line")?.clone()))))
}

fn kinds<'a>(lines: impl Iterator<Item = (&'a str, Value)>) -> Kinds {
    let mut kinds = Kinds { written_by_the_agent: Vec::new(), written_by_the_host: Vec::new(), exit_codes: Vec::new() };
    for (direction, line) in lines {
        let kind = kind(&line);
        if direction == Direction::Out.name() {
            kinds.written_by_the_agent.push(kind);
        } else if direction == Direction::In.name() {
            kinds.written_by_the_host.push(kind);
        } else if line["event"] == "exit" {
            kinds.exit_codes.push(line["code"].clone());
        }
    }
    kinds
}

fn kind(line: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let kind = text(&line["type"]);
    let detail = match kind.as_str() {
        "assistant" | "user" => message_kind(line),
        "stream_event" => format!("{} {}", text(&line["event"]["type"]), text(&line["event"]["delta"]["type"])),
        "control_request" => {
            let request = &line["request"];
            format!(
                "{} {} {}",
                text(&request["subtype"]),
                text(&request["tool_name"]),
                text(&request["message"]["method"])
            )
        }
        "control_response" => {
            let response = &line["response"];
            let mut fields: Vec<&String> =
                response["response"].as_object().into_iter().flat_map(|fields| fields.keys()).collect();
            fields.sort();
            format!("{} {} {fields:?}", text(&response["subtype"]), text(&response["error_code"]))
        }
        "command_lifecycle" => format!("{} {}", text(&line["state"]), text(&line["command_uuid"])),
        "result" => format!("{} {} {}", text(&line["subtype"]), line["is_error"], text(&line["terminal_reason"])),
        _ => format!("{} {}", text(&line["subtype"]), text(&line["status"])),
    };
    format!("{kind} {detail}")
}

fn message_kind(line: &Value) -> String {
    let mut words = vec![match &line["message"]["content"] {
        Value::Array(blocks) => {
            let block = |block: &Value| {
                format!("{} error:{}", block["type"].as_str().unwrap_or("-"), block["is_error"] == true)
            };
            blocks.iter().map(block).collect::<Vec<_>>().join(",")
        }
        _ => "a string".to_owned(),
    }];
    words.extend(line["parent_tool_use_id"].is_string().then(|| "of a subagent".to_owned()));
    for mark in ["isReplay", "isSynthetic", "aborted"] {
        words.extend((line[mark] == true).then(|| mark.to_owned()));
    }
    words.join(" ")
}
