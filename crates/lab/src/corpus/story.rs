//! The story of the corpus: a size and a seed in, the lines of one session out, whose kinds have their shares by bytes.
//!
//! The kind that is furthest behind its share says what happens next, and what has to happen before that happens first: a
//! result needs its call, a call its message, a message its turn. So every stretch of the corpus has the whole mix.

use serde_json::Value;

use super::blocks::{Block, Call};
use super::shapes::Session;
use super::{BIG_LINE_BYTES, Kind, Line};

/// A session while it is told.
pub(super) struct Story {
    session: Session,
    lines: Vec<Line>,
    budgets: [Budget; Kind::ALL.len()],
    in_turn: bool,
    /// The call of the subagent that works. What it says is not streamed.
    agent: Option<Call>,
    /// The other calls that have no result yet.
    open: Vec<Call>,
}

impl Story {
    pub(super) fn new(bytes: usize, seed: u64) -> Self {
        Self {
            session: Session::new(seed),
            lines: Vec::with_capacity(bytes / 500),
            budgets: Kind::ALL.map(|kind| Budget::new(kind, bytes)),
            in_turn: false,
            agent: None,
            open: Vec::new(),
        }
    }

    /// All lines, the last turn with its end.
    pub(super) fn tell(mut self) -> Vec<Line> {
        while let Some(next) = self.furthest_behind() {
            if !self.in_turn {
                self.begin_turn();
                continue;
            }
            match next {
                Kind::Delta => self.speak(),
                Kind::Assistant => self.work(),
                Kind::ToolResult => self.end_a_call(),
                Kind::InitControl => self.answer(),
                Kind::Result => self.end_turn(),
                Kind::Big => self.change_a_large_file(),
            }
        }
        if self.in_turn {
            self.end_turn();
        }
        self.lines
    }

    fn furthest_behind(&self) -> Option<Kind> {
        let open = self.budgets.iter().filter(|budget| budget.is_open());
        open.min_by_key(|budget| budget.used_per_myriad()).map(|budget| budget.kind)
    }

    fn share_used(&self, kind: Kind) -> usize {
        self.budgets[kind as usize].used_per_myriad()
    }

    fn put(&mut self, kind: Kind, line: &Value) {
        let text = line.to_string();
        self.budgets[kind as usize].used_bytes += text.len();
        self.lines.push(Line { kind, text });
    }

    fn begin_turn(&mut self) {
        self.in_turn = true;
        let init = self.session.init();
        self.put(Kind::InitControl, &init);
    }

    /// Everything that was begun ends, and the turn with it.
    fn end_turn(&mut self) {
        let open = std::mem::take(&mut self.open);
        open.iter().chain(&self.agent.take()).for_each(|call| self.end(call));
        self.in_turn = false;
        let result = self.session.result();
        self.put(Kind::Result, &result);
    }

    /// The agent says something.
    fn speak(&mut self) {
        let bytes = self.session.random.size(64, 2048);
        let block = self.session.words(bytes);
        self.message(&block, "end_turn");
    }

    /// A message of one block: begun, in pieces, whole, ended.
    fn message(&mut self, block: &Block, stop_reason: &str) {
        let begin = [self.session.message_start(), self.session.block_start(0, block)];
        let pieces = self.session.deltas(0, block);
        begin.iter().chain(&pieces).for_each(|line| self.put(Kind::Delta, line));
        let whole = self.session.assistant(block, None);
        self.put(Kind::Assistant, &whole);
        let block_stop = self.session.block_stop(0);
        let [end, stop] = self.session.message_stop(stop_reason);
        [block_stop, end, stop].iter().for_each(|line| self.put(Kind::Delta, line));
    }

    /// The subagent says or does something.
    fn work(&mut self) {
        let Some(agent) = self.agent.as_ref().map(|agent| agent.id().to_owned()) else {
            let call = Call::agent(&mut self.session.random);
            self.message(&Block::Call(call.clone()), "tool_use");
            self.agent = Some(call);
            return;
        };
        if self.session.random.one_in(3) && self.share_used(Kind::ToolResult) <= self.share_used(Kind::Assistant) {
            return self.call();
        }
        let bytes = self.session.random.size(128, 8192);
        let block = self.session.words(bytes);
        let line = self.session.assistant(&block, Some(&agent));
        self.put(Kind::Assistant, &line);
    }

    /// Somebody calls a tool: the subagent if there is one, unless pieces are asked for.
    fn call(&mut self) {
        let bytes = self.session.random.size(64, 4096);
        let streamed = self.share_used(Kind::Delta) <= self.share_used(Kind::Assistant);
        let agent = self.agent.as_ref().filter(|_| !streamed).map(|agent| agent.id().to_owned());
        let call = Call::new(&mut self.session.random, bytes, agent.as_deref());
        let block = Block::Call(call.clone());
        match call.by() {
            None => self.message(&block, "tool_use"),
            Some(agent) => {
                let line = self.session.assistant(&block, Some(agent));
                self.put(Kind::Assistant, &line);
            }
        }
        // Whoever only reads needs no leave.
        if call.changes_something() {
            let request = self.session.can_use_tool(&call);
            self.put(Kind::InitControl, &request);
        }
        self.open.push(call);
    }

    /// A call has its result, the oldest first.
    fn end_a_call(&mut self) {
        if self.open.is_empty() {
            self.call();
        }
        let call = self.open.remove(0);
        self.end(&call);
    }

    fn end(&mut self, call: &Call) {
        let result = self.session.tool_result(call);
        self.put(Kind::ToolResult, &result);
    }

    /// The agent answers the host.
    fn answer(&mut self) {
        let response = self.session.control_response();
        self.put(Kind::InitControl, &response);
    }

    fn change_a_large_file(&mut self) {
        let bytes = self.session.random.size(64, 2048);
        let call = Call::edit(&mut self.session.random, bytes);
        self.message(&Block::Call(call.clone()), "tool_use");
        let left_bytes = self.budgets[Kind::Big as usize].left_bytes();
        let result = self.session.big(&call, left_bytes);
        self.put(Kind::Big, &result);
    }
}

/// How many bytes a kind may have, and how many it has.
struct Budget {
    kind: Kind,
    bytes: usize,
    used_bytes: usize,
}

impl Budget {
    fn new(kind: Kind, corpus_bytes: usize) -> Self {
        Self { kind, bytes: corpus_bytes / 100 * kind.percent(), used_bytes: 0 }
    }

    /// About half a line may stay unused, so that the shares come out right on average.
    fn is_open(&self) -> bool {
        let slack_bytes = match self.kind {
            Kind::Delta | Kind::ToolResult => 4096,
            Kind::Assistant | Kind::Result | Kind::InitControl => 1024,
            Kind::Big => BIG_LINE_BYTES / 2,
        };
        self.used_bytes + slack_bytes < self.bytes
    }

    fn used_per_myriad(&self) -> usize {
        self.used_bytes * 10_000 / self.bytes.max(1)
    }

    fn left_bytes(&self) -> usize {
        self.bytes.saturating_sub(self.used_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The lines as JSON.
    fn told() -> Vec<Value> {
        let lines = Story::new(12_000_000, 5).tell();
        lines.iter().map(|line| serde_json::from_str(&line.text).unwrap()).collect()
    }

    fn block(line: &Value) -> &Value {
        &line["message"]["content"][0]
    }

    #[test]
    fn a_turn_begins_before_anything_is_said_and_ends_when_all_is_done() {
        let (mut in_turn, mut turns) = (false, 0);
        for line in told() {
            match line["type"].as_str() {
                Some("system") => assert!(!std::mem::replace(&mut in_turn, true), "a turn in a turn"),
                Some("result") => {
                    assert!(std::mem::take(&mut in_turn), "an end without a beginning");
                    turns += 1;
                }
                _ => assert!(in_turn, "{line}"),
            }
        }
        assert!(!in_turn && turns > 50, "{turns} turns");
    }

    #[test]
    fn the_pieces_of_a_message_are_the_block_that_follows() {
        let (mut message, mut text, mut whole) = (Value::Null, None, 0);
        for line in told() {
            let event = &line["event"];
            match (line["type"].as_str(), event["type"].as_str()) {
                (_, Some("message_start")) => message = event["message"]["id"].clone(),
                (_, Some("content_block_start")) => text = Some(String::new()),
                (_, Some("content_block_delta")) => {
                    assert_eq!(line["api_message_id"], message);
                    let delta = &event["delta"];
                    let piece = ["text", "thinking", "partial_json"].iter().find_map(|field| delta[*field].as_str());
                    text.as_mut().unwrap().push_str(piece.unwrap_or_default());
                }
                (Some("assistant"), _) if line["parent_tool_use_id"].is_null() => {
                    let block = block(&line);
                    let words = block["text"].as_str().or(block["thinking"].as_str()).map(str::to_owned);
                    assert_eq!(line["message"]["id"], message);
                    assert_eq!(text.take().unwrap(), words.unwrap_or_else(|| block["input"].to_string()));
                    whole += 1;
                }
                _ => {}
            }
        }
        assert!(whole > 100, "{whole} blocks");
    }

    #[test]
    fn a_call_is_made_then_asked_about_then_has_one_result() {
        let (mut open, mut asked, mut results) = (BTreeSet::new(), 0, 0);
        for line in told() {
            match line["type"].as_str() {
                Some("assistant") if block(&line)["type"] == "tool_use" => {
                    assert!(open.insert(block(&line)["id"].to_string()));
                }
                Some("control_request") => {
                    assert!(open.contains(&line["request"]["tool_use_id"].to_string()));
                    asked += 1;
                }
                Some("user") => {
                    assert!(open.remove(&block(&line)["tool_use_id"].to_string()), "a result without a call");
                    results += 1;
                }
                _ => {}
            }
            if let Some(parent) = line["parent_tool_use_id"].as_str() {
                assert!(open.contains(&Value::from(parent).to_string()), "a subagent that nobody started");
            }
        }
        assert!(open.is_empty() && asked > 50 && results > 100, "{open:?}, {asked} asked, {results} results");
    }
}
