//! Which of the known forms a line is, and what in it no type names.
//!
//! A line may be a trace record around another line, an entry of a transcript file, or plain stream-json of either
//! direction. Payloads whose type depends on an earlier line (answers by their request, tool results by their call) are
//! looked into as well, so a sorter remembers the ids of one file.

use std::collections::HashMap;

use claude_protocol::content::{Block, Content};
use claude_protocol::control::answer_drift;
use claude_protocol::form::Form;
use claude_protocol::line::Message;
use claude_protocol::trace::{Direction, TraceRecord};
use claude_protocol::transcript::JournalEntry;
use claude_protocol::{Drift, Entry, FromCli, Line, Raw, RequestId, ToCli, ToolResult, ToolUseId, decode_as, drift};

use super::report::{Here, Speaker};

/// Sorts the lines of one file.
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    /// Tool calls by id.
    tools: HashMap<ToolUseId, String>,
    /// What the host asked of the CLI, by request id.
    asked: HashMap<RequestId, String>,
}

impl Sorter {
    pub(crate) fn take(&mut self, here: &mut Here<'_>, bytes: Vec<u8>) {
        let line = Line::from(bytes);
        let Some(record) = TraceRecord::from_text(&line.text()) else {
            return match Form::of(&line.text()) {
                Form::Stdout => self.stdout(here, line),
                Form::Stdin => self.stdin(here, line),
                Form::Transcript => self.transcript(here, line),
                Form::Journal => {
                    let kind = |body: &JournalEntry| format!("journal {}", body.kind());
                    look(here, line, Speaker::Cli, kind);
                }
            };
        };
        if let Line::Bytes(_) = line {
            // The record's text is mended already, so its inner line would not show it.
            let mut damage = Drift::default();
            damage.notes = drift::<FromCli>(line).notes;
            here.drift(Speaker::Cli, "trace record", damage);
        }
        match record.dir {
            Direction::Out => self.stdout(here, record.text().into()),
            Direction::In => self.stdin(here, record.text().into()),
            Direction::Err => here.kind("stderr"),
            Direction::Meta | Direction::Other(_) => here.kind("meta"),
        }
    }

    fn stdout(&mut self, here: &mut Here<'_>, line: Line) {
        let Some(body) = look(here, line, Speaker::Cli, FromCli::full_kind) else { return };
        match &body {
            FromCli::Assistant(assistant) => self.remember_calls(&assistant.message.content),
            FromCli::User(user) => self.tool_result(here, &user.message.content, user.tool_use_result.as_ref()),
            FromCli::ControlResponse(response) => {
                let asked = response.response.request_id.as_ref().and_then(|id| self.asked.get(id));
                if let (Some(asked), Some(answer)) = (asked, response.answer())
                    && let Some(drift) = answer_drift(asked, &answer)
                {
                    here.drift(Speaker::Cli, &format!("control_response to {asked}"), drift);
                }
            }
            _ => {}
        }
    }

    fn stdin(&mut self, here: &mut Here<'_>, line: Line) {
        let body = look(here, line, Speaker::Host, |body: &ToCli| format!("stdin {}", body.kind()));
        if let Some(ToCli::ControlRequest(request)) = body {
            self.asked.insert(request.request_id, request.request.kind().to_owned());
        }
    }

    fn transcript(&mut self, here: &mut Here<'_>, line: Line) {
        match look(here, line, Speaker::Cli, |body: &Entry| format!("transcript {}", body.full_kind())) {
            Some(Entry::Assistant(assistant)) => self.remember_calls(&assistant.message.content),
            Some(Entry::User(user)) => {
                self.tool_result(here, &user.message.content, user.tool_use_result.as_ref());
            }
            _ => {}
        }
    }

    fn remember_calls(&mut self, content: &Content) {
        for block in content.blocks() {
            if let Block::ToolUse(call) = block {
                self.tools.insert(call.id.clone(), call.name.clone());
            }
        }
    }

    /// The structured result beside a `tool_result` block; of several blocks in one line it belongs to the first.
    fn tool_result(&self, here: &mut Here<'_>, content: &Content, result: Option<&Raw>) {
        let called = content.blocks().iter().find_map(|block| match block {
            Block::ToolResult(result) => self.tools.get(&result.tool_use_id),
            _ => None,
        });
        if let (Some(name), Some(result)) = (called, result) {
            let drift = ToolResult::drift(name, result);
            here.drift(Speaker::Cli, &format!("tool result of {name}"), drift);
        }
    }
}

/// Reads a line, counts it and notes what drifted in it; `None` if it is no JSON.
fn look<M: Message>(here: &mut Here<'_>, line: Line, speaker: Speaker, kind: impl Fn(&M) -> String) -> Option<M> {
    let drift = drift::<M>(line.clone());
    let body = decode_as::<M>(line).body;
    if body.is_not_json() {
        here.not_json();
        return None;
    }
    let kind = kind(&body);
    here.kind(&kind);
    here.drift(speaker, &kind, drift);
    Some(body)
}
