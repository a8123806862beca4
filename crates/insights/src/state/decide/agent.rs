//! Subagents: the call that starts one, what is told of it while it works, and its end.

use serde::Deserialize;

use crate::event::tool::{SubagentComplete, SubagentSpawn, ToolCompletion, ToolInvocation};
use crate::state::clip::{self, Clip, InBlock, PART_BYTES, VIEW_BYTES};
use crate::state::item::{Item, ItemBody, ItemId};
use crate::state::tool::{AgentItem, ToolStatus};

use super::draft::{Draft, call_item, new_agent};
use super::meters::finite;
use super::task;
use super::tool::{error, first_status, is_stopping, is_undecided, last_status, refused, told_decision};

/// Does the tool start a subagent? Older versions call it `Task`, newer ones `Agent`.
pub(super) fn is_agent(tool: &str) -> bool {
    matches!(tool, "Task" | "Agent")
}

/// The item of a call that starts a subagent. [`spawn`] says the rest.
pub(super) fn called(draft: &Draft<'_>, id: &ItemId, call: &ToolInvocation) -> ItemBody {
    ItemBody::Agent(Box::new(AgentItem {
        name: clip::short(&call.tool_name),
        status: first_status(draft, id),
        input: draft.clip(call.input.text(), PART_BYTES, InBlock(call.line_block, "input")),
        background: call.run_in_background == Some(true),
        ..new_agent()
    }))
}

/// What the call says of the subagent.
pub(super) fn spawn(draft: &mut Draft<'_>, spawn: &SubagentSpawn) {
    let seq = draft.seq();
    let Some(agent) = agent_mut(draft, &call_item(&spawn.call_id)) else { return };
    // What was told of a subagent since then knows better.
    if agent.ended_at.is_some() {
        return;
    }
    agent.agent_type = spawn.agent_type.as_deref().map(clip::short);
    agent.description = clip::short(spawn.description.as_deref().unwrap_or_default());
    agent.model = spawn.model.as_deref().map(clip::short);
    agent.background = spawn.background == Some(true);
    let prompt = spawn.prompt.as_deref().unwrap_or_default();
    agent.prompt = Clip::new(prompt, PART_BYTES, seq, InBlock(spawn.line_block, "input/prompt"));
}

/// What the tool gives when a subagent was started or has ended.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Launched {
    status: Option<String>,
    is_async: Option<bool>,
    agent_id: Option<String>,
    output_file: Option<String>,
}

/// The tool has returned: the subagent has ended, or goes on in the background. [`complete`] tells the rest of an end.
pub(super) fn returned(draft: &mut Draft<'_>, id: &ItemId, completion: &ToolCompletion) {
    let (seq, at) = (draft.seq(), draft.at());
    let stopping = is_stopping(draft);
    let launched: Launched = completion.output.as_ref().map(crate::Json::read).unwrap_or_default();
    let runs_on = !completion.is_error
        && (completion.runs_on_as.is_some()
            || launched.is_async == Some(true)
            || launched.status.as_deref().is_some_and(|status| status.ends_with("_launched")));
    let agent_id = launched.agent_id.as_deref().or(completion.runs_on_as.as_deref());
    let Some(agent) = agent_mut(draft, id) else { return };
    if let Some(agent_id) = agent_id {
        agent.agent_id = Some(clip::short(agent_id));
        agent.task_id = agent.task_id.take().or_else(|| agent.agent_id.clone());
    }
    agent.retry = None;
    if runs_on {
        agent.status = ToolStatus::Background;
        agent.background = true;
        if let Some(task) = agent_id {
            task::goes_on(draft, id, task, launched.output_file.as_deref());
        }
        return;
    }
    agent.status = last_status(completion, agent.decision.as_ref(), stopping);
    agent.ended_at = Some(at);
    if agent.status == ToolStatus::Denied && is_undecided(agent.decision.as_ref()) {
        agent.decision = Some(refused(completion, at));
    }
    told_decision(&mut agent.decision, completion);
    if completion.is_error {
        agent.error = error(completion, seq);
    }
    end_calls(draft, id);
}

/// A subagent has ended, in the foreground or the background.
pub(super) fn complete(draft: &mut Draft<'_>, complete: &SubagentComplete) {
    let id = call_item(&complete.call_id);
    let at = draft.at();
    let words = complete.summary.as_deref().filter(|words| !words.is_empty());
    let result = words.map(|words| draft.clip_words(words, VIEW_BYTES));
    let Some(agent) = agent_mut(draft, &id) else { return };
    // The tool's own result knows whether it was refused.
    if matches!(agent.status, ToolStatus::Running | ToolStatus::Background | ToolStatus::Waiting) {
        agent.status = ended(complete.status.as_deref());
    }
    agent.ended_at = agent.ended_at.or(Some(at));
    agent.retry = None;
    agent.agent_id = complete.agent_id.as_deref().map(clip::short).or(agent.agent_id.take());
    agent.model = complete.resolved_model.as_deref().map(clip::short).or(agent.model.take());
    agent.tokens = complete.total_tokens.or(agent.tokens);
    agent.tool_uses = complete.total_tool_use_count.or(agent.tool_uses);
    agent.duration_ms = finite(complete.total_duration_ms).or(agent.duration_ms);
    // Of one that was stopped, only what it was to do is told.
    let stopped = agent.status == ToolStatus::Cancelled;
    let tells_more = agent.error.is_none() && (!stopped || words != Some(&agent.description));
    if let Some(result) = result.filter(|_| tells_more) {
        agent.result = Some(result);
    }
    end_calls(draft, &id);
}

/// How a task ended, by its own word for it.
pub(super) fn ended(status: Option<&str>) -> ToolStatus {
    match status {
        Some("failed" | "error") => ToolStatus::Failed,
        Some("stopped" | "killed" | "cancelled") => ToolStatus::Cancelled,
        _ => ToolStatus::Completed,
    }
}

/// The calls of a subagent that has ended will not end by themselves.
pub(super) fn end_calls(draft: &mut Draft<'_>, agent: &ItemId) {
    let Some(order) = draft.item(agent).map(|item| item.order) else { return };
    let open = draft.ids_since(order, |item| item.parent.as_ref() == Some(agent) && is_open(item));
    open.iter().for_each(|id| cancel(draft, id));
}

/// Is it a call that waits, runs or is being written?
pub(super) fn is_open(item: &Item) -> bool {
    let open = |status: &ToolStatus| matches!(status, ToolStatus::Writing | ToolStatus::Waiting | ToolStatus::Running);
    match &item.body {
        ItemBody::Tool(tool) => open(&tool.status),
        ItemBody::Agent(agent) => open(&agent.status),
        _ => false,
    }
}

/// The call will not end by itself any more.
pub(super) fn cancel(draft: &mut Draft<'_>, id: &str) {
    // A command that runs as a subagent has no result of its own: it ends with its turn.
    let command = id.starts_with(super::draft::FORKED_COMMAND);
    end(draft, id, if command { ToolStatus::Completed } else { ToolStatus::Cancelled });
}

/// The call is over, in this way.
pub(super) fn end(draft: &mut Draft<'_>, id: &str, status: ToolStatus) {
    let at = draft.at();
    match draft.item_mut(id).map(|item| &mut item.body) {
        Some(ItemBody::Tool(tool)) => {
            tool.status = status;
            tool.ended_at = Some(at);
        }
        Some(ItemBody::Agent(agent)) => {
            agent.status = status;
            agent.ended_at = Some(at);
            agent.retry = None;
        }
        _ => {}
    }
}

pub(super) fn agent_mut<'d>(draft: &'d mut Draft<'_>, id: &str) -> Option<&'d mut AgentItem> {
    match draft.item_mut(id).map(|item| &mut item.body) {
        Some(ItemBody::Agent(agent)) => Some(agent),
        _ => None,
    }
}
