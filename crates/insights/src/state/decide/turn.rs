//! Turns: how they end, what they did, and what is left to tidy up then.

use crate::UnixMillis;
use crate::event::turn::{ApiRetry, TurnComplete};
use crate::state::clip::{self, LIST_BYTES, PART_BYTES, Room, SHORT_BYTES};
use crate::state::header::Retry;
use crate::state::item::{Denial, FileChange, Item, ItemBody, ItemId, Order, TurnItem, TurnOutcome};
use crate::state::tool::{DecisionOutcome, ToolStatus, ToolView};
use crate::state::words;

use super::draft::{Draft, call_item};
use super::meters::{self, finite};
use super::tool::refusal;
use super::{agent, ask, stream};

/// The most files that a turn names.
const FILES: usize = 100;

/// How deep subagents may have started each other before nobody believes it.
const DEPTH: usize = 32;

/// A turn has ended.
pub(super) fn complete(draft: &mut Draft<'_>, complete: &TurnComplete) {
    draft.heard();
    let from = draft.turn_start();
    settle(draft, from, &DecisionOutcome::Withdrawn);
    refuse(draft, complete);
    let item = turn_item(draft, complete, from);
    let outcome = item.outcome.clone();
    draft.put_new(draft.own_id(), None, ItemBody::Turn(Box::new(item)));
    meters::turn(draft, complete, &outcome);
    let status = draft.status_mut();
    status.turn = None;
    status.compacting = false;
    if let Some(state) = &complete.fast_mode_state {
        status.fast_mode = Some(clip::short_shared(state));
    }
}

/// Older versions tell only here that a call did not fail but was refused.
fn refuse(draft: &mut Draft<'_>, complete: &TurnComplete) {
    let at = draft.at();
    for denial in complete.permission_denials.iter().flatten() {
        let id = call_item(&denial.tool_use_id);
        let failed = |item: &Item| matches!(&item.body, ItemBody::Tool(tool) if tool.status == ToolStatus::Failed);
        if draft.item(&id).is_some_and(failed)
            && let Some(Item { body: ItemBody::Tool(tool), .. }) = draft.item_mut(&id)
        {
            tool.status = ToolStatus::Denied;
            tool.decision.get_or_insert_with(|| refusal(None, at));
        }
    }
}

/// Ends what will not end by itself any more. What runs in the background goes on.
pub(super) fn settle(draft: &mut Draft<'_>, from: Order, outcome: &DecisionOutcome) {
    ask::close_all(draft, outcome, |draft, ask| match &ask.call {
        Some(call) => !in_background(draft, call),
        None => true,
    });
    let unfinished = draft.unsettled_since(from, |item| {
        (agent::is_open(item) || stream::is_streaming(item)) && !in_background(draft, &item.id)
    });
    for id in unfinished {
        match draft.item_mut(&id).map(|item| &mut item.body) {
            Some(ItemBody::Text(text)) => {
                text.done = true;
                text.aborted = true;
            }
            Some(ItemBody::Thinking(thinking)) => thinking.done = true,
            _ => agent::cancel(draft, &id),
        }
    }
}

/// Does the item belong to a subagent that runs in the background?
fn in_background(draft: &Draft<'_>, id: &ItemId) -> bool {
    let parent = |item: &&Item| item.parent.as_ref().and_then(|parent| draft.item(parent));
    let lineage = std::iter::successors(draft.item(id), parent);
    lineage.take(DEPTH).any(|item| match &item.body {
        ItemBody::Agent(agent) => agent.status == ToolStatus::Background,
        _ => false,
    })
}

fn turn_item(draft: &Draft<'_>, complete: &TurnComplete, from: Order) -> TurnItem {
    // Each look at an item is a search, so all is asked of one list.
    let items: Vec<&Item> = draft.items_since(from).collect();
    let said = Said::by(&items);
    let outcome = outcome(complete, &said);
    let told: Vec<ItemId> = complete.prompt_uuids.iter().map(call_item).collect();
    let prompts = match &draft.status().turn {
        Some(turn) if told.is_empty() => turn.prompts.clone(),
        _ => told,
    };
    let denials = complete.permission_denials.as_deref().unwrap_or_default();
    let structured = complete.structured_output.as_ref();
    let calls = items.iter().filter(|item| matches!(item.body, ItemBody::Tool(_) | ItemBody::Agent(_)));
    TurnItem {
        message: message(complete, &outcome, &said),
        outcome,
        prompts: Room(LIST_BYTES).list(prompts, SHORT_BYTES / 4, |prompt, _| prompt),
        origin: draft.event.origin.as_deref().map(clip::short),
        duration_ms: finite(complete.duration_ms),
        cost_usd: finite(complete.turn_cost_usd),
        usage: complete.usage.clone(),
        models: meters::models(complete.turn_model_usage.as_ref()),
        tool_calls: u32::try_from(calls.count()).unwrap_or(u32::MAX),
        files: files(&items),
        denials: Room(LIST_BYTES).list(denials, SHORT_BYTES / 4, |denial, room| Denial {
            tool: room.text(&denial.tool_name),
            call: call_item(&denial.tool_use_id),
        }),
        structured_output: structured.map(|json| draft.clip(json.text(), PART_BYTES, "/structured_output")),
    }
}

/// Who spoke in a turn.
struct Said {
    /// The model, or a tool in its name.
    model: bool,
    /// A local command.
    command: bool,
    /// Anybody, to the user.
    anybody: bool,
}

impl Said {
    fn by(items: &[&Item]) -> Self {
        let mut said = Said { model: false, command: false, anybody: false };
        for item in items {
            match &item.body {
                ItemBody::Text(_) | ItemBody::Thinking(_) | ItemBody::Tool(_) | ItemBody::Agent(_) => said.model = true,
                ItemBody::Command(_) => said.command = true,
                ItemBody::Compaction(_) | ItemBody::Notice(_) | ItemBody::Error(_) => said.anybody = true,
                ItemBody::User(_) | ItemBody::Hook(_) | ItemBody::Turn(_) | ItemBody::Unknown(_) => {}
            }
        }
        said.anybody |= said.model || said.command;
        said
    }
}

fn outcome(complete: &TurnComplete, said: &Said) -> TurnOutcome {
    match complete.subtype.as_deref() {
        _ if complete.is_interrupted => TurnOutcome::Interrupted,
        Some("error_max_turns") => TurnOutcome::MaxTurns,
        Some("error_max_budget_usd") => TurnOutcome::MaxBudget,
        _ if complete.is_error => TurnOutcome::Failed,
        // Older versions do not say that a local command ran instead of the model.
        _ if complete.local_command.is_some() || (said.command && !said.model) => TurnOutcome::Command,
        _ => TurnOutcome::Completed,
    }
}

/// What to say of a turn that did not end well, or in which nobody else said anything: a prompt that was blocked, a
/// command that is not known. Of an interrupt the agent has nothing to say that people would read.
fn message(complete: &TurnComplete, outcome: &TurnOutcome, said: &Said) -> Option<String> {
    let result = complete.result.clone();
    let words = match outcome {
        TurnOutcome::Failed | TurnOutcome::MaxBudget | TurnOutcome::MaxTurns => {
            let errors = complete.errors.as_deref().unwrap_or_default().join("\n");
            [Some(errors), result, complete.startup_failure_reason.clone()]
        }
        TurnOutcome::Completed | TurnOutcome::Command if !said.anybody => [result, None, None],
        TurnOutcome::Completed | TurnOutcome::Command | TurnOutcome::Interrupted => return None,
    };
    let told = words.into_iter().flatten().find(|words| !words.trim().is_empty())?;
    Some(clip::head(&told, LIST_BYTES).to_owned())
}

/// The files that the turn changed, each once.
fn files(items: &[&Item]) -> Vec<FileChange> {
    let mut files: Vec<FileChange> = Vec::new();
    for item in items {
        let Some(change) = file(item) else { continue };
        let full = files.len() >= FILES;
        match files.iter_mut().find(|known| known.path == change.path) {
            Some(known) => {
                known.added = known.added.saturating_add(change.added);
                known.removed = known.removed.saturating_add(change.removed);
                known.created |= change.created;
            }
            None if full => {}
            None => files.push(change),
        }
    }
    Room(4 * LIST_BYTES).list(files, 80, |change, room| FileChange { path: room.text(&change.path), ..change })
}

fn file(item: &Item) -> Option<FileChange> {
    let ItemBody::Tool(tool) = &item.body else { return None };
    if tool.status != ToolStatus::Completed {
        return None;
    }
    let lines = |text: &str| u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    match &tool.view {
        ToolView::Edit { diff, .. } => Some(FileChange {
            path: diff.path.clone(),
            added: diff.added,
            removed: diff.removed,
            created: diff.created,
        }),
        ToolView::Notebook { path, source, old_source, .. } => Some(FileChange {
            path: path.clone(),
            added: lines(&source.text),
            removed: old_source.as_ref().map_or(0, |old| lines(&old.text)),
            created: false,
        }),
        _ => None,
    }
}

/// A call of the model failed and will be made again.
pub(super) fn retry(draft: &mut Draft<'_>, retry: &ApiRetry) {
    draft.heard();
    draft.begin_turn();
    let at = draft.at();
    if let Some(turn) = draft.turn_mut() {
        turn.retry = Some(Retry {
            attempt: retry.attempt,
            max: retry.max_retries,
            at: UnixMillis(at.0.saturating_add(retry.retry_delay_ms.unwrap_or_default() as i64)),
            error: words::api_error(retry.error_status, retry.error.as_deref()),
        });
    }
}
