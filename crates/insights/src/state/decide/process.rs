//! The agent's process: when it starts and ends, and what ends with it.

use std::sync::Arc;

use crate::event::session::{ProcessExit, ProcessStart};
use crate::state::clip::{self, LIST_BYTES, Room, TEXT_BYTES};
use crate::state::header::{AgentProcess, Exit};
use crate::state::item::{ErrorItem, Item, ItemBody, Order, TurnOutcome};
use crate::state::tool::{Decision, DecisionOutcome};
use crate::state::words;

use super::draft::Draft;
use super::{task, turn};

/// The agent's process was started.
pub(super) fn start(draft: &mut Draft<'_>, started: &ProcessStart) {
    let status = draft.status_mut();
    status.agent = AgentProcess::Starting;
    status.exit = None;
    status.turn = None;
    status.compacting = false;
    // It was set for the process that is gone.
    status.thinking = None;
    // So was a mode, unless this one begins with it. What it is the agent says with its first turn.
    let default = status.mode.take().filter(|mode| &**mode == "default");
    status.mode = mode(&started.argv).or(default);
    status.cwd = Some(clip::short_shared(&started.cwd));
    if let Some(version) = &started.version {
        status.version = Some(clip::short_shared(version));
    }
}

/// The mode that a process is told to begin with. To ask for nothing comes before any other.
fn mode(argv: &[String]) -> Option<Arc<str>> {
    if argv.iter().any(|argument| argument == "--dangerously-skip-permissions") {
        return Some("bypassPermissions".into());
    }
    let name = "--permission-mode";
    let beside = argv.windows(2).filter_map(|pair| (pair[0] == name).then_some(pair[1].as_str()));
    let within = argv.iter().filter_map(|argument| argument.strip_prefix(name)?.strip_prefix('='));
    beside.chain(within).last().map(clip::short_shared)
}

/// The agent's process has ended: nothing goes on without it.
pub(super) fn exit(draft: &mut Draft<'_>, exit: &ProcessExit) {
    task::stop_all(draft);
    turn::settle(draft, Order::default(), &DecisionOutcome::Abandoned);
    abandon(draft);
    let lost_grants = lost_grants(draft);
    let died = !exit.expected && (exit.lost || exit.signal.is_some() || !ended_well(draft, exit));
    let tail = tail(&exit.stderr_tail);
    let status = draft.status_mut();
    status.turn = None;
    status.compacting = false;
    status.login = None;
    status.lost_grants = lost_grants;
    status.agent = if died { AgentProcess::Died } else { AgentProcess::Ended };
    status.exit =
        died.then(|| Exit { code: exit.code, signal: exit.signal, lost: exit.lost, stderr_tail: tail.clone() });
    if died {
        let (_, words) = words::describe(draft.status(), &[], &[], |_| None);
        let told =
            std::iter::once(words.as_str()).chain(tail.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
        let text = draft.clip(&told, TEXT_BYTES, "");
        let item = ErrorItem { text, category: Some("exit".to_owned()), status: None };
        draft.put_new(draft.own_id(), None, ItemBody::Error(item));
    }
}

/// Questions that were withdrawn because the process ended were not decided by anybody.
fn abandon(draft: &mut Draft<'_>) {
    let at = draft.at();
    let now = |item: &Item| match &item.body {
        ItemBody::Tool(tool) => tool.ended_at == Some(at) && tool.decision.is_some(),
        ItemBody::Agent(agent) => agent.ended_at == Some(at) && agent.decision.is_some(),
        _ => false,
    };
    for id in draft.unsettled_since(Order::default(), now) {
        let decision = match draft.item_mut(&id).map(|item| &mut item.body) {
            Some(ItemBody::Tool(tool)) => tool.decision.as_mut(),
            Some(ItemBody::Agent(agent)) => agent.decision.as_mut(),
            _ => None,
        };
        if let Some(decision) = decision.filter(|last| last.outcome == DecisionOutcome::Withdrawn && last.at == at) {
            decision.outcome = DecisionOutcome::Abandoned;
        }
    }
}

/// What was allowed for as long as the process runs, each once.
fn lost_grants(draft: &Draft<'_>) -> Vec<String> {
    let mut grants: Vec<&String> = Vec::new();
    for item in draft.as_drafted(draft.unsettled()) {
        let decision = match &item.body {
            ItemBody::Tool(tool) => tool.decision.as_ref(),
            ItemBody::Agent(agent) => agent.decision.as_ref(),
            _ => None,
        };
        for grant in decision.into_iter().flat_map(Decision::for_this_process) {
            if !grants.contains(&grant) {
                grants.push(grant);
            }
        }
    }
    Room(LIST_BYTES).list(grants, 3, |grant, room| room.text(grant))
}

/// The agent ends with 0, and with 1 if its last turn did not go well: that was told already.
fn ended_well(draft: &Draft<'_>, exit: &ProcessExit) -> bool {
    let last_turn = || {
        draft.items_backwards().find_map(|item| match &item.body {
            ItemBody::Turn(turn) => Some(&turn.outcome),
            _ => None,
        })
    };
    match exit.code {
        // Not in the midst of a turn: then somebody else has ended it, and the turn goes unanswered.
        Some(0) => draft.status().turn.is_none(),
        Some(1) => draft.status().turn.is_none() && last_turn().is_some_and(|last| *last != TurnOutcome::Completed),
        _ => false,
    }
}

/// How many of the last lines that a process wrote are shown; the fact has more.
const TAIL_LINES: usize = 20;

/// The last lines that the process wrote, as many as are worth showing.
fn tail(lines: &[String]) -> Vec<String> {
    let mut room = Room(2 * LIST_BYTES);
    let mut tail = room.list(lines.iter().rev().take(TAIL_LINES), 3, |line, room| room.text(line));
    tail.reverse();
    tail
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::convert::RawLines;
    use crate::{Converter, HostFact, Profile, Record, State, UnixMillis};

    /// What the agent says in each of its processes: a call that ends, and one that does not.
    fn lines(round: u64) -> [Value; 3] {
        let call = |name: &str| {
            let block = json!({"type": "tool_use", "id": format!("{name}{round}"), "name": "Bash", "input": {}});
            json!({"type": "assistant", "message": {"id": format!("m{name}{round}"), "content": [block]}})
        };
        let result = json!({"type": "tool_result", "tool_use_id": format!("a{round}"), "content": "done"});
        [call("a"), json!({"type": "user", "message": {"role": "user", "content": [result]}}), call("b")]
    }

    #[test]
    fn an_exit_looks_at_what_is_open_and_not_at_all_that_was() {
        let mut converter = Converter::new("s", Profile::Full, RawLines::LeftOut);
        let (mut state, mut seq) = (State::default(), 0);
        let looked_at = |state: &State| state.items.unsettled_since(Order::default()).count();
        for round in 0..2000 {
            let exit = HostFact::Exited { code: Some(0), signal: None, stderr_tail: Vec::new(), expected: true };
            let said = lines(round).map(|line| Record::stdout(0, UnixMillis(0), line.to_string()));
            for mut record in said.into_iter().chain([Record::host(0, UnixMillis(0), &exit)]) {
                seq += 1;
                (record.seq, record.at) = (seq, UnixMillis(seq as i64));
                if seq % 4 == 0 {
                    assert_eq!(looked_at(&state), 1, "before exit {round}");
                }
                converter.convert(record).iter().for_each(|event| _ = state.apply(event));
            }
            assert_eq!(looked_at(&state), 0, "after exit {round}");
        }
        assert_eq!(state.items.len(), 4000);
    }

    #[test]
    fn of_many_last_words_the_last_are_shown() {
        let words = |from: u32| (from..200).map(|number| format!("line {number}")).collect::<Vec<_>>();
        let exit = HostFact::Exited { code: Some(1), signal: None, stderr_tail: words(0), expected: false };
        let mut state = State::default();
        let mut converter = Converter::new("s", Profile::Full, RawLines::LeftOut);
        for event in converter.convert(Record::host(1, UnixMillis(1), &exit)) {
            state.apply(&event);
        }
        let shown = state.status.exit.as_ref().map(|exit| exit.stderr_tail.clone());
        assert_eq!(shown, Some(words(180)));
    }
}
