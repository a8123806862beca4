//! The agent's process: when it starts and ends, and what ends with it.

use crate::event::ask::FOR_THIS_SESSION;
use crate::event::session::{ProcessExit, ProcessStart};
use crate::state::clip::{self, LIST_BYTES, Room, TEXT_BYTES};
use crate::state::header::{AgentProcess, Exit};
use crate::state::item::{ErrorItem, Item, ItemBody, Order, TurnOutcome};
use crate::state::tool::DecisionOutcome;
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
    status.cwd = Some(clip::short_shared(&started.cwd));
    if let Some(version) = &started.version {
        status.version = Some(clip::short_shared(version));
    }
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
        let text = draft.clip(&format!("{words}\n{}", tail.join("\n")), TEXT_BYTES, "");
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
    for id in draft.ids_since(Order::default(), now) {
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
    for item in draft.items_since(Order::default()) {
        let decision = match &item.body {
            ItemBody::Tool(tool) => tool.decision.as_ref(),
            ItemBody::Agent(agent) => agent.decision.as_ref(),
            _ => None,
        };
        let remembered = decision.into_iter().flat_map(|decision| &decision.remembered);
        for grant in remembered.filter(|grant| grant.ends_with(FOR_THIS_SESSION)) {
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
        Some(0) => true,
        Some(1) => draft.status().turn.is_none() && last_turn().is_some_and(|last| *last != TurnOutcome::Completed),
        _ => false,
    }
}

/// The last lines that the process wrote, as many as are worth showing.
fn tail(lines: &[String]) -> Vec<String> {
    let mut room = Room(2 * LIST_BYTES);
    let mut tail = room.list(lines.iter().rev(), 3, |line, room| room.text(line));
    tail.reverse();
    tail
}
