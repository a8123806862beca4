//! Turns: how they end, what they did, and what is left to tidy up then.

use crate::UnixMillis;
use crate::event::turn::{ApiRetry, TurnComplete};
use crate::state::clip::{self, LIST_BYTES, PART_BYTES, Room, SHORT_BYTES};
use crate::state::header::Retry;
use crate::state::item::{Denial, FileChange, Item, ItemBody, ItemId, Order, TurnItem, TurnOutcome};
use crate::state::tool::{AgentItem, DecisionOutcome, ToolStatus, ToolView};
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
    let unanswered = if complete.is_interrupted { DecisionOutcome::Interrupted } else { DecisionOutcome::Withdrawn };
    settle(draft, from, &unanswered);
    refuse(draft, complete);
    let item = turn_item(draft, complete, from);
    meters::turn(draft, complete, &item);
    draft.put_new(draft.own_id(), None, ItemBody::Turn(Box::new(item)));
    let status = draft.status_mut();
    status.turn = None;
    status.compacting = false;
    if let Some(state) = &complete.fast_mode_state {
        status.fast_mode = Some(clip::short_shared(state));
    }
}

/// Older versions tell only here that a call did not fail but was refused: by nobody that could have been asked.
fn refuse(draft: &mut Draft<'_>, complete: &TurnComplete) {
    let at = draft.at();
    let by = if draft.status().mode.as_deref() == Some("dontAsk") { "mode" } else { "rule" };
    for denial in complete.permission_denials.iter().flatten() {
        let id = call_item(&denial.tool_use_id);
        if draft.item(&id).and_then(status) != Some(&ToolStatus::Failed) {
            continue;
        }
        let (status, decision) = match draft.item_mut(&id).map(|item| &mut item.body) {
            Some(ItemBody::Tool(tool)) => (&mut tool.status, &mut tool.decision),
            Some(ItemBody::Agent(agent)) => (&mut agent.status, &mut agent.decision),
            _ => continue,
        };
        *status = ToolStatus::Denied;
        decision.get_or_insert_with(|| refusal(by, at));
    }
}

/// How far a call is.
fn status(item: &Item) -> Option<&ToolStatus> {
    match &item.body {
        ItemBody::Tool(tool) => Some(&tool.status),
        ItemBody::Agent(agent) => Some(&agent.status),
        _ => None,
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
    lineage(draft, id).any(|agent| agent.status == ToolStatus::Background)
}

/// The subagents that the item belongs to, or is.
fn lineage<'d>(draft: &'d Draft<'_>, id: &ItemId) -> impl Iterator<Item = &'d AgentItem> {
    let parent = |item: &&'d Item| item.parent.as_ref().and_then(|parent| draft.item(parent));
    let lineage = std::iter::successors(draft.item(id), parent).take(DEPTH);
    lineage.filter_map(|item| match &item.body {
        ItemBody::Agent(agent) => Some(&**agent),
        _ => None,
    })
}

fn turn_item(draft: &Draft<'_>, complete: &TurnComplete, from: Order) -> TurnItem {
    // Each look at an item is a search, so all is asked of one list.
    let items: Vec<&Item> = draft.items_since(from).collect();
    let said = Said::by(&items);
    let told: Vec<ItemId> = complete.prompt_uuids.iter().map(call_item).collect();
    let prompts = match &draft.status().turn {
        Some(turn) if told.is_empty() => turn.prompts.clone(),
        _ => told,
    };
    let outcome = outcome(complete, &said, || is_command(draft, &prompts));
    // What was cut off while it waited for leave is on the list too.
    let is_denied =
        |call: &ItemId| draft.item(call).and_then(status).is_none_or(|status| *status == ToolStatus::Denied);
    let told = complete.permission_denials.iter().flatten().filter(|denial| is_denied(&denial.tool_use_id));
    let told = told.map(|denial| (denial.tool_name.as_str(), call_item(&denial.tool_use_id)));
    let mut denials: Vec<(&str, ItemId)> = told.collect();
    // Versions before 2.1.325 do not tell what a hook refused.
    denials.extend(items.iter().filter_map(|item| denied(item)).filter(|(_, call)| {
        complete.permission_denials.iter().flatten().all(|told| call_item(&told.tool_use_id) != *call)
    }));
    let structured = complete.structured_output.as_ref();
    let mut done = beside(draft, from);
    done.extend(&items);
    let calls = done.iter().filter(|item| matches!(item.body, ItemBody::Tool(_) | ItemBody::Agent(_)));
    TurnItem {
        message: message(complete, &outcome, &said),
        outcome,
        prompts: Room(LIST_BYTES).list(prompts, SHORT_BYTES / 4, |prompt, _| prompt),
        origin: draft.event.origin.as_deref().map(clip::short),
        duration_ms: finite(complete.duration_ms),
        cost_usd: finite(complete.turn_cost_usd),
        usage: complete.usage.clone(),
        context_tokens: draft.meters().context.used,
        models: meters::models(complete.turn_model_usage.as_ref()),
        tool_calls: u32::try_from(calls.count()).unwrap_or(u32::MAX),
        files: files(&done),
        denials: Room(LIST_BYTES)
            .list(denials, SHORT_BYTES / 4, |(tool, call), room| Denial { tool: room.text(tool), call }),
        structured_output: structured.map(|json| draft.clip(json.text(), PART_BYTES, "/structured_output")),
    }
}

/// The tool and the call, if it was denied.
fn denied(item: &Item) -> Option<(&str, ItemId)> {
    match &item.body {
        ItemBody::Tool(tool) if tool.status == ToolStatus::Denied => Some((&tool.name, item.id.clone())),
        ItemBody::Agent(agent) if agent.status == ToolStatus::Denied => Some(("Agent", item.id.clone())),
        _ => None,
    }
}

/// What subagents in the background did between the turn before and this one: its cost is told with this one.
fn beside<'d>(draft: &'d Draft<'_>, from: Order) -> Vec<&'d Item> {
    let before = draft.items_backwards().find(|item| matches!(item.body, ItemBody::Turn(_)));
    let Some(before) = before.map(|turn| turn.order) else { return Vec::new() };
    let between = draft.items_since(before).take_while(|item| item.order < from);
    between.filter(|item| lineage(draft, &item.id).any(|agent| agent.background)).collect()
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

/// Was a command all that the turn was asked to do?
fn is_command(draft: &Draft<'_>, prompts: &[ItemId]) -> bool {
    let [prompt] = prompts else { return false };
    match draft.item(prompt).map(|item| &item.body) {
        Some(ItemBody::User(user)) => user.text.text.starts_with('/'),
        _ => false,
    }
}

fn outcome(complete: &TurnComplete, said: &Said, is_command: impl Fn() -> bool) -> TurnOutcome {
    let is_free = finite(complete.turn_cost_usd).unwrap_or(0.0) == 0.0;
    match complete.subtype.as_deref() {
        _ if complete.is_interrupted => TurnOutcome::Interrupted,
        Some("error_max_turns") => TurnOutcome::MaxTurns,
        Some("error_max_budget_usd") => TurnOutcome::MaxBudget,
        _ if complete.is_error => TurnOutcome::Failed,
        // Older versions do not say that a local command ran instead of the model.
        _ if complete.local_command.is_some() || (said.command && !said.model) => TurnOutcome::Command,
        // One that they do not know, for which nobody was asked.
        _ if !said.anybody && is_free && is_command() => TurnOutcome::Command,
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
