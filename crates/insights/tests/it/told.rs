//! What each captured session tells, one short line for each event: read these to see what happened.

use insights::convert::Profile;
use insights::event::InsightsEvent;
use serde_json::Value;

use crate::fixtures::{Scenario, VERSIONS, scenarios_of};
use crate::support::accounted;

/// The fields that tell most, in the order in which they are shown.
const TELLING: &[&str] = &[
    "kind",
    "phase",
    "state",
    "status",
    "subtype",
    "how",
    "trigger",
    "toolName",
    "callId",
    "parentCallId",
    "agentType",
    "messageId",
    "blockIndex",
    "textDelta",
    "jsonDelta",
    "abandonedFrom",
    "role",
    "text",
    "summary",
    "result",
    "error",
    "errorText",
    "exitCode",
    "allowed",
    "message",
    "isError",
    "isInterrupted",
    "isInterrupt",
    "ok",
    "suggestion",
    "source",
    "level",
    "permissionMode",
    "model",
    "title",
    "command",
    "remembered",
    "turnCostUsd",
    "inheritedCostUsd",
    "contextUsed",
    "contextTokens",
    "compactions",
    "promptUuids",
    "attempt",
    "taskId",
    "decidedBy",
    "notRun",
    "description",
    "hookEvent",
    "outcome",
    "code",
    "signal",
    "requestId",
    "messageType",
    "blockType",
    "messageUuid",
];

fn line(event: &InsightsEvent) -> String {
    let Value::Object(fields) = serde_json::to_value(event).unwrap() else { panic!("not an object") };
    let mut line = format!("{} {}", event.seq.unwrap_or(0), fields["event"].as_str().unwrap());
    if fields["event"] == "task_list" {
        for task in fields["tasks"].as_array().unwrap() {
            line += &format!(" [{} {}: {}]", task["id"], task["status"], task["subject"]);
        }
    }
    for name in TELLING {
        let Some(value) = fields.get(*name).filter(|value| !value.is_null() && **value != Value::Bool(false)) else {
            continue;
        };
        if *name == "messageUuid" && fields["event"] != "user_input" {
            continue;
        }
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) if name.ends_with("Usd") => format!("{:.6}", number.as_f64().unwrap()),
            other => other.to_string(),
        };
        let text = text.replace('\n', "⏎").replace("00000000-0000-4000-8000-", "…");
        let short: String = text.chars().take(48).collect();
        line += &format!(" {name}={short}{}", if short.len() < text.len() { "…" } else { "" });
    }
    line
}

fn told(scenario: &Scenario) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut deltas = 0;
    for (seq, (events, quiet)) in (1..).zip(accounted(scenario.records(), Profile::Full)) {
        for event in events {
            lines.push(line(&event));
            // Of many pieces of the same kind the first and the last tell enough.
            let streamed = lines.last().is_some_and(|line| line.contains(" stream_delta kind=text "));
            deltas = if streamed { deltas + 1 } else { 0 };
            if deltas > 2 {
                let last = lines.pop().unwrap();
                lines.pop();
                lines.push(last);
            }
        }
        if let Some(quiet) = quiet {
            lines.push(format!("{seq} – {quiet:?}"));
        }
    }
    lines.join("\n")
}

#[test]
fn every_captured_session_tells_what_happened_in_it() {
    for version in VERSIONS {
        insta::with_settings!({ snapshot_path => format!("snapshots/events/{version}"), prepend_module_to_snapshot => false, omit_expression => true }, {
            for scenario in scenarios_of(version) {
                insta::assert_snapshot!(scenario.name.clone(), told(&scenario));
            }
        });
    }
}
