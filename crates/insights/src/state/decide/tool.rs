//! Tool calls: a card when the call is made, its progress, and what came of it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::event::task::TodoTask;
use crate::event::tool::{ToolCallStatus, ToolCompletion, ToolInvocation, ToolKind, ToolProgress, ToolSummary};
use crate::json::Json;
use crate::state::clip::{self, Clip, ERROR_BYTES, InBlock, LIST_BYTES, PART_BYTES, ResultContent, Room};
use crate::state::item::{Item, ItemBody, ItemId, UserRole};
use crate::state::tool::{Decision, DecisionOutcome, ToolItem, ToolStatus, ToolView};

use super::draft::{Draft, call_item};
use super::meters::finite;
use super::prompt::images;
use super::view::{self, Place};
use super::{agent, ask, stream, task};

/// What a word in a list costs in JSON beside its text.
const AROUND_WORD: usize = 3;

/// Who has refused, in the agent's words, when a person did; and when a person cut the call off.
const USER_REJECTED: &str = "user-rejected";

/// What results say that were cut off, in versions that say it.
const CUT_OFF: [&str; 2] = ["[Request interrupted by user", "Tool permission request failed: AbortError"];

/// The input of a call in the line that holds it: nearly always in its one block.
fn input_place(call: &ToolInvocation) -> Cow<'static, str> {
    match call.line_block {
        None => Cow::Borrowed("/message/content/0/input"),
        block => Cow::Owned(InBlock(block, "input").into()),
    }
}

/// The agent calls a tool.
pub(super) fn invocation(draft: &mut Draft<'_>, call: &ToolInvocation) {
    let id = call_item(&call.call_id);
    let main = call.parent_call_id.is_none();
    if main {
        draft.begin_turn();
    }
    if draft.item(&id).is_some_and(is_called) {
        return;
    }
    if main {
        draft.goes_on();
        draft.ends_block();
        if let Some(turn) = draft.turn_mut() {
            turn.calls.push(id.clone());
        }
    }
    let parent = draft.parent(call.parent_call_id.as_ref());
    let body = if agent::is_agent(&call.tool_name) {
        agent::called(draft, &id, call)
    } else {
        let pointer = input_place(call);
        let place = Place { seq: draft.seq(), pointer: &pointer };
        let (mut title, mut view) = view::of_input(&call.tool_name, &call.input, place);
        if let ToolView::Todo { todos } = &mut view {
            title = name_todo(draft, &call.input, todos).or(title);
        }
        let name = clip::short(&call.tool_name);
        let mut tool = new_tool(name, call.kind.clone(), first_status(draft, &id), view);
        tool.title = title.or_else(|| call.title.as_deref().map(clip::short)).unwrap_or_default();
        tool.input = draft.clip(call.input.text(), PART_BYTES, InBlock(call.line_block, "input"));
        tool.locations = some(call.locations.as_deref().unwrap_or_default()).into();
        ItemBody::Tool(Box::new(tool))
    };
    draft.put_new(id, parent, body);
}

/// A call about one thing to do names it by its number; the list knows what it is called, and how far it is.
fn name_todo(draft: &Draft<'_>, input: &Json, todos: &mut [TodoTask]) -> Option<String> {
    let [todo] = todos else { return None };
    let known = draft.tasks().iter().find(|known| known.id == todo.id)?;
    if !view::says_status(input) {
        todo.status.clone_from(&known.status);
    }
    todo.subject.is_empty().then(|| {
        todo.subject.clone_from(&known.subject);
        known.subject.clone()
    })
}

/// Is the item that of a call that was made, and not one that is still being written or that nobody has seen?
fn is_called(item: &Item) -> bool {
    match &item.body {
        ItemBody::Agent(agent) => !agent.input.text.is_empty() && !stream::is_streaming(item),
        _ => !stream::is_streaming(item),
    }
}

/// A call runs, unless a question about it is open.
pub(super) fn first_status(draft: &Draft<'_>, id: &ItemId) -> ToolStatus {
    match draft.asks().iter().any(|ask| ask.call.as_ref() == Some(id)) {
        true => ToolStatus::Waiting,
        false => ToolStatus::Running,
    }
}

/// A tool has ended, or runs on in the background.
pub(super) fn completion(draft: &mut Draft<'_>, completion: &ToolCompletion) {
    let id = call_item(&completion.call_id);
    forget_call(draft, &id);
    let unanswered = ask::call_ended(draft, &id);
    if draft.item(&id).is_none() {
        unseen(draft, &id, completion);
    }
    ended(draft, &id, completion);
    // What went well, or ran at all, somebody has allowed.
    if completion.is_error && completion.exit_code.is_none() {
        unanswered.iter().for_each(|question| ask::came_to_nothing(draft, question));
    }
}

/// What came of a call.
fn ended(draft: &mut Draft<'_>, id: &ItemId, completion: &ToolCompletion) {
    let (seq, at) = (draft.seq(), draft.at());
    let stopping = is_stopping(draft);
    let is_agent = draft.item(id).is_some_and(|item| matches!(item.body, ItemBody::Agent(_)));
    if is_agent {
        return agent::returned(draft, id, completion);
    }
    let Some(Item { body: ItemBody::Tool(tool), .. }) = draft.item_mut(id) else { return };
    // What was cancelled and says so itself, late, was cancelled.
    let stopping = stopping || tool.status == ToolStatus::Cancelled;
    tool.status = last_status(completion, tool.decision.as_ref(), stopping);
    tool.ended_at = Some(at);
    (tool.images, tool.more_images) = images(&completion.images, seq);
    if tool.status == ToolStatus::Denied && is_undecided(tool.decision.as_ref()) {
        tool.decision = Some(refused(completion, at));
    }
    told_decision(&mut tool.decision, completion);
    let before = std::mem::replace(&mut tool.view, ToolView::Other { output: Clip::default() });
    let result = view::with_result(before, completion, seq);
    tool.view = result.view;
    if let Some(task) = &result.background_task {
        tool.status = ToolStatus::Background;
        tool.task_id = Some(clip::short(task));
        tool.ended_at = None;
    }
    // A command that failed says all in its output.
    let failed = completion.is_error && completion.exit_code.is_none();
    tool.error = failed.then(|| error(completion, seq)).flatten();
    let changed = completion.locations.as_deref().unwrap_or_default();
    if !changed.is_empty() {
        tool.locations = some(changed).into();
    }
    if let Some(task) = &result.background_task {
        task::goes_on(draft, id, task, None);
    }
}

/// What went wrong, in words.
pub(super) fn error(completion: &ToolCompletion, seq: u64) -> Option<Clip> {
    let content = completion.content.as_deref();
    let text = completion.error_text.as_deref().or(content)?;
    let from = content.and_then(|content| content.find(text)).unwrap_or(0);
    Some(Clip::new(text, ERROR_BYTES, seq, ResultContent(completion.block_index)).behind(from))
}

/// Is the turn about to be interrupted?
pub(super) fn is_stopping(draft: &Draft<'_>) -> bool {
    draft.status().turn.as_ref().is_some_and(|turn| turn.interrupting)
}

/// How a call ended. A refusal and an interrupt look alike on the wire; what was decided before tells them apart, or the
/// mark of the interrupt that comes after it: [`interrupted`].
pub(super) fn last_status(completion: &ToolCompletion, decision: Option<&Decision>, stopping: bool) -> ToolStatus {
    let refused = decision.is_some_and(|decision| decision.outcome == DecisionOutcome::Denied);
    let text = completion.content.as_deref().unwrap_or_default();
    let not_run = completion.not_run.is_some() || (completion.is_error && text.starts_with("The user doesn't want to"));
    let last_line = || text.trim_end().lines().last().unwrap_or_default();
    let stopping = stopping || (completion.is_error && CUT_OFF.iter().any(|words| last_line().starts_with(words)));
    match completion.status {
        ToolCallStatus::Completed => ToolStatus::Completed,
        ToolCallStatus::Cancelled => ToolStatus::Cancelled,
        ToolCallStatus::Failed if refused => ToolStatus::Denied,
        ToolCallStatus::Failed if stopping => ToolStatus::Cancelled,
        ToolCallStatus::Failed if not_run => ToolStatus::Denied,
        ToolCallStatus::Failed => ToolStatus::Failed,
    }
}

/// Somebody pressed stop, says the conversation: of the calls since the last prompt, those that look refused and were
/// refused by nobody were cut off. Transcripts, and lines without what was written to the agent, tell it in no other way.
pub(super) fn interrupted(draft: &mut Draft<'_>, parent: Option<&Arc<str>>) {
    let is_prompt = |item: &Item| matches!(&item.body, ItemBody::User(user) if user.role == UserRole::Person);
    let since = draft.items_backwards().take_while(|item| !is_prompt(item));
    let calls = since.filter(|item| item.parent.as_ref() == parent).map(|item| item.id.clone()).collect::<Vec<_>>();
    for id in calls {
        let Some(item) = draft.item(&id).filter(|item| is_cut_off(item)) else { continue };
        let id = Arc::clone(&item.id);
        let (status, decision) = match draft.item_mut(&id).map(|item| &mut item.body) {
            Some(ItemBody::Tool(tool)) => (&mut tool.status, &mut tool.decision),
            Some(ItemBody::Agent(agent)) => (&mut agent.status, &mut agent.decision),
            _ => continue,
        };
        *status = ToolStatus::Cancelled;
        decision.take_if(|decision| decision.outcome == DecisionOutcome::Denied);
    }
}

/// Does a call look refused or failed without anybody who decided so?
fn is_cut_off(item: &Item) -> bool {
    let (status, decision) = match &item.body {
        ItemBody::Tool(tool) => (&tool.status, &tool.decision),
        ItemBody::Agent(agent) => (&agent.status, &agent.decision),
        _ => return false,
    };
    matches!(status, ToolStatus::Denied | ToolStatus::Failed)
        && decision.as_ref().is_some_and(|decision| match decision.outcome {
            DecisionOutcome::Withdrawn | DecisionOutcome::Interrupted => true,
            DecisionOutcome::Denied => decision.by.as_deref() == Some(USER_REJECTED),
            DecisionOutcome::Allowed | DecisionOutcome::Abandoned => false,
        })
}

/// What a result tells of the decision about its call: a question that was withdrawn may have been answered by a hook.
pub(super) fn told_decision(decision: &mut Option<Decision>, completion: &ToolCompletion) {
    let withdrawn = decision.as_mut().filter(|decision| decision.outcome == DecisionOutcome::Withdrawn);
    let (Some(decision), Some(by)) = (withdrawn, &completion.decided_by) else { return };
    decision.by = Some(clip::short(by));
    decision.outcome = if completion.not_run.is_some() { DecisionOutcome::Denied } else { DecisionOutcome::Allowed };
}

/// Has nobody said no yet? Where one hook has nothing against a call and another refuses it, it is refused.
pub(super) fn is_undecided(decision: Option<&Decision>) -> bool {
    decision
        .is_none_or(|decision| decision.outcome == DecisionOutcome::Allowed && decision.by.as_deref() == Some("hook"))
}

/// The refusal that a result tells of. Where it names nobody, it speaks of the user.
pub(super) fn refused(completion: &ToolCompletion, at: crate::UnixMillis) -> Decision {
    refusal(completion.decided_by.as_deref().or(completion.not_run.as_deref()).unwrap_or(USER_REJECTED), at)
}

/// A call was refused by a rule or somebody that nobody saw.
pub(super) fn refusal(by: &str, at: crate::UnixMillis) -> Decision {
    Decision {
        outcome: DecisionOutcome::Denied,
        by: Some(clip::short(by)),
        at,
        message: None,
        edited: false,
        remembered: Vec::new(),
    }
}

/// A result whose call was not seen is shown by itself.
fn unseen(draft: &mut Draft<'_>, id: &ItemId, completion: &ToolCompletion) {
    let name = completion.tool_name.as_deref().unwrap_or("Tool");
    let parent = draft.parent(completion.parent_call_id.as_ref());
    let place = Place { seq: draft.seq(), pointer: "" };
    let (_, view) = view::of_input(name, &crate::Json::trusted("{}"), place);
    let tool = new_tool(clip::short(name), ToolKind::Other, ToolStatus::Running, view);
    draft.put_new(id.clone(), parent, ItemBody::Tool(Box::new(tool)));
}

/// The call is none of those that the turn waits for.
fn forget_call(draft: &mut Draft<'_>, id: &ItemId) {
    if draft.status().turn.as_ref().is_some_and(|turn| turn.calls.contains(id))
        && let Some(turn) = draft.turn_mut()
    {
        turn.calls.retain(|call| call != id);
    }
}

/// A tool still runs.
pub(super) fn progress(draft: &mut Draft<'_>, progress: &ToolProgress) {
    draft.heard();
    match draft.item_mut(&call_item(&progress.call_id)).map(|item| &mut item.body) {
        Some(ItemBody::Tool(tool)) if tool.ended_at.is_none() => {
            tool.elapsed_seconds = finite(Some(progress.elapsed_seconds));
            if let Some(task) = &progress.task_id {
                tool.task_id = Some(clip::short(task));
            }
        }
        Some(ItemBody::Agent(agent)) if agent.ended_at.is_none() => {
            agent.duration_ms = finite(Some(progress.elapsed_seconds * 1000.0));
            agent.retry = progress.retry.as_deref().map(clip::short);
        }
        _ => {}
    }
}

/// A few words about calls that have ended.
pub(super) fn summary(draft: &mut Draft<'_>, summary: &ToolSummary) {
    // The words are about all of them together and are shown once, at the last one.
    let Some(last) = summary.call_ids.last() else { return };
    if let Some(Item { body: ItemBody::Tool(tool), .. }) = draft.item_mut(&call_item(last)) {
        tool.summary = Some(clip::short(&summary.summary));
    }
}

/// A call of which only the name is known.
pub(super) fn new_tool(name: String, tool_kind: ToolKind, status: ToolStatus, view: ToolView) -> ToolItem {
    ToolItem {
        name,
        tool_kind,
        title: String::new(),
        status,
        input: Clip::default(),
        view,
        images: Vec::new(),
        more_images: None,
        error: None,
        locations: Arc::default(),
        decision: None,
        elapsed_seconds: None,
        ended_at: None,
        task_id: None,
        summary: None,
    }
}

/// As many of the words as a list may hold.
pub(super) fn some(words: &[String]) -> Vec<String> {
    Room(LIST_BYTES).list(words, AROUND_WORD, |word, room| room.text(word))
}
