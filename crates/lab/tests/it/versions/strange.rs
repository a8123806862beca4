//! What a session wrote that our types do not know: lines, tool inputs, tool results and answers to commands.

use std::collections::HashMap;

use claude_protocol::control::{Ask, answer_drift};
use claude_protocol::{Drift, FromCli, RequestId, ToCli, ToolInput, ToolResult, ToolUseId, decode, decode_as, drift};
use lab::{Direction, Record};

/// One entry for each thing that no type names, with the line it is in.
pub(super) fn strange(records: &[Record]) -> Vec<String> {
    let mut look = Look::default();
    for record in records {
        match record.direction {
            Direction::In => look.sent(&record.text),
            Direction::Out => look.wrote(&record.text),
            Direction::Err | Direction::Meta => {}
        }
    }
    look.found
}

/// A walk along a session: what is inside of some lines can be read only by who has seen the lines before.
#[derive(Default)]
struct Look {
    tools: HashMap<ToolUseId, String>,
    commands: HashMap<RequestId, String>,
    found: Vec<String>,
}

impl Look {
    fn sent(&mut self, text: &str) {
        self.note("stdin", &drift::<ToCli>(text), text);
        if let ToCli::ControlRequest(request) = decode_as::<ToCli>(text).body {
            self.commands.insert(request.request_id.clone(), request.request.kind().to_owned());
        }
    }

    fn wrote(&mut self, text: &str) {
        self.note("line", &drift::<FromCli>(text), text);
        match decode(text).body {
            FromCli::NotJson(_) => self.found.push(format!("no JSON: {text}")),
            FromCli::Assistant(line) => {
                for call in line.message.content.tool_uses() {
                    self.tools.insert(call.id.clone(), call.name.clone());
                    self.note("input", &ToolInput::drift(&call.name, &call.input), text);
                }
            }
            FromCli::User(line) => {
                if let (Some(block), Some(result)) = (line.message.content.tool_results().next(), &line.tool_use_result)
                {
                    let tool = self.tools.get(&block.tool_use_id).cloned().unwrap_or_default();
                    self.note("result", &ToolResult::drift(&tool, result), text);
                }
            }
            FromCli::ControlRequest(request) => {
                if let Ask::CanUseTool(ask) = request.request {
                    self.note("asked input", &ToolInput::drift(&ask.tool_name, &ask.input), text);
                }
            }
            FromCli::ControlResponse(response) => {
                let command = response.response.request_id.as_ref().and_then(|id| self.commands.get(id));
                let (Some(command), Some(data)) = (command.cloned(), response.answer()) else { return };
                match answer_drift(&command, &data) {
                    Some(drift) => self.note("answer", &drift, text),
                    None => self.found.push(format!("no answer to `{command}`: {text}")),
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, part: &str, drift: &Drift, text: &str) {
        if *drift != Drift::default() {
            self.found.push(format!("{part}: {drift:?} in {text}"));
        }
    }
}

fn record(direction: Direction, text: &str) -> Record {
    Record { direction, text: text.to_owned(), value: None }
}

fn found(lines: &[(Direction, &str)]) -> usize {
    strange(&lines.iter().map(|(direction, text)| record(*direction, text)).collect::<Vec<_>>()).len()
}

#[test]
fn a_known_line_is_not_strange_and_every_kind_of_drift_is() {
    assert_eq!(found(&[(Direction::Out, r#"{"type":"keep_alive"}"#)]), 0);
    assert_eq!(found(&[(Direction::Out, r#"{"type":"tomorrow"}"#)]), 1);
    assert_eq!(found(&[(Direction::Out, r#"{"type":"keep_alive","more":1}"#)]), 1);
    assert_eq!(found(&[(Direction::Out, r#"{"type":"keep_alive","uuid":1}"#)]), 1);
    assert_eq!(found(&[(Direction::Out, "oh")]), 1);
}

#[test]
fn a_strange_input_result_and_answer_is_found_by_what_came_before() {
    let call = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}"#;
    let result = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]},"tool_use_result":{"stdout":"","more":1}}"#;
    assert_eq!(found(&[(Direction::Out, call), (Direction::Out, result)]), 1);
    assert_eq!(found(&[(Direction::Out, &call.replace(r#""ls""#, r#""ls","more":1"#))]), 1);
    let ask = r#"{"type":"control_request","request_id":"r","request":{"subtype":"interrupt"}}"#;
    let answer =
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"more":1}}}"#;
    assert_eq!(found(&[(Direction::In, ask), (Direction::Out, answer)]), 1);
}
