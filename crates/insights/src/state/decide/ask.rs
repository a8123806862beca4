//! Questions that are open, and how each was decided: permissions, questions, plans, forms of MCP servers, dialogs.

use std::sync::Arc;

use crate::event::ask::{
    Elicitation, PermissionCancelled, PermissionDenied, PermissionRequest, PermissionResolved, PermissionSuggestion,
    UserDialog,
};
use crate::json::Json;
use crate::state::ask::{Ask, AskBody, DialogAsk, ElicitationAsk, PermissionAsk, PlanAsk, QuestionAsk, Suggestion};
use crate::state::clip::{self, ADDRESS_BYTES, ERROR_BYTES, PART_BYTES, Room, VIEW_BYTES};
use crate::state::item::{ItemBody, ItemId};
use crate::state::tool::{Decision, DecisionOutcome, ToolStatus, ToolView};

use super::draft::{Draft, call_item};
use super::note;
use super::view::{self, Answers, Place};

/// Where the input of a permission request stands.
const INPUT: Place<'static> = Place { seq: 0, pointer: "/request/input" };

/// Where the input stands that an answer changed.
const UPDATED: Place<'static> = Place { seq: 0, pointer: "/response/response/updatedInput" };

/// The same, in a hook's answer.
const UPDATED_BY_HOOK: Place<'static> = Place { seq: 0, pointer: "/response/response/hookSpecificOutput/updatedInput" };

/// The same, in the answer of a hook that is asked for a permission.
const UPDATED_WITH_LEAVE: Place<'static> =
    Place { seq: 0, pointer: "/response/response/hookSpecificOutput/decision/updatedInput" };

/// The agent asks for leave to use a tool, or asks the user by way of one.
pub(super) fn permission(draft: &mut Draft<'_>, request: &PermissionRequest) {
    let place = Place { seq: draft.seq(), ..INPUT };
    let body = match request.tool_name.as_str() {
        "AskUserQuestion" => AskBody::Question(QuestionAsk { questions: view::asked(&request.tool_input, place) }),
        "ExitPlanMode" => {
            let (plan, path) = view::planned(&request.tool_input, place);
            AskBody::Plan(PlanAsk { plan, path, suggestions: suggestions(request.suggestions.as_deref()) })
        }
        _ => AskBody::Permission(Box::new(permission_ask(draft, request, place))),
    };
    let call = request.tool_use_id.as_ref().map(call_item);
    if let Some(id) = &call {
        set_status(draft, id, ToolStatus::Waiting);
    }
    open(draft, &request.request_id, call, body);
}

fn permission_ask(draft: &Draft<'_>, request: &PermissionRequest, place: Place<'_>) -> PermissionAsk {
    let (title, view) = view::of_input(&request.tool_name, &request.tool_input, place);
    let short = |text: &Option<String>| text.as_deref().map(clip::short);
    let named = short(&request.title).or(title).or_else(|| short(&request.display_name));
    PermissionAsk {
        tool: clip::short(&request.tool_name),
        tool_kind: request.tool_kind.clone(),
        title: named.unwrap_or_else(|| clip::short(&request.tool_name)),
        description: short(&request.description),
        view,
        input: draft.clip(request.tool_input.text(), PART_BYTES, INPUT.pointer),
        reason: short(&request.reason),
        reason_type: short(&request.reason_type),
        blocked_path: short(&request.blocked_path),
        matched_rule: short(&request.matched_ask_rule),
        mcp_source: request.mcp_server.as_ref().and_then(|server| short(&server.source)),
        suggestions: suggestions(request.suggestions.as_deref()),
        default_to_no: request.default_to_no == Some(true),
        suppress_always_allow: request.suppress_always_allow == Some(true),
    }
}

/// What could be remembered, as far as there is room for it. Those that are left out come last, so numbers stay right.
fn suggestions(offered: Option<&[PermissionSuggestion]>) -> Vec<Suggestion> {
    Room(ERROR_BYTES).list(offered.unwrap_or_default(), 120, |offered, room| Suggestion {
        kind: room.text(&offered.kind),
        label: room.text(&offered.description),
        rules: room.list(offered.rules.iter().flatten(), 3, |rule, room| match &rule.rule_content {
            Some(content) => room.text(&format!("{}({content})", rule.tool_name)),
            None => room.text(&rule.tool_name),
        }),
        directories: room.list(offered.directories.iter().flatten(), 3, |directory, room| room.text(directory)),
        mode: offered.mode.as_deref().map(|mode| room.text(mode)),
        behavior: offered.behavior.as_deref().map(|behavior| room.text(behavior)),
        destination: offered.destination.as_deref().map(|destination| room.text(destination)),
    })
}

/// An MCP server asks the user for something.
pub(super) fn elicitation(draft: &mut Draft<'_>, asked: &Elicitation) {
    let short = |text: &Option<String>| text.as_deref().map(clip::short);
    let schema = asked.requested_schema.as_ref();
    let body = AskBody::Elicitation(Box::new(ElicitationAsk {
        server: short(&asked.mcp_server),
        display_name: short(&asked.display_name),
        title: short(&asked.title),
        description: short(&asked.description),
        message: draft.clip(&asked.message, VIEW_BYTES, "/request/message"),
        mode: short(&asked.mode),
        url: asked.url.as_deref().map(|url| draft.clip(url, ADDRESS_BYTES, "/request/url")),
        schema: schema.map(|schema| draft.clip(schema.text(), VIEW_BYTES, "/request/requested_schema")),
        property_order: super::tool::some(asked.property_order.as_deref().unwrap_or_default()),
        elicitation_id: short(&asked.elicitation_id),
    }));
    open(draft, &asked.request_id, None, body);
}

/// The agent wants a dialog shown.
pub(super) fn dialog(draft: &mut Draft<'_>, dialog: &UserDialog) {
    let payload = dialog.payload.as_ref().map_or("", |payload| payload.text());
    let body = AskBody::Dialog(DialogAsk {
        dialog: dialog.dialog_kind.as_deref().map(clip::short),
        payload: draft.clip(payload, VIEW_BYTES, "/request/payload"),
    });
    open(draft, &dialog.request_id, dialog.tool_use_id.as_ref().map(call_item), body);
}

fn open(draft: &mut Draft<'_>, request: &Arc<str>, call: Option<ItemId>, body: AskBody) {
    draft.heard();
    let id = call_item(request);
    let agent_id = draft.event.agent_id.as_deref().map(clip::short);
    let ask = Ask { id, seq: draft.seq(), at: draft.at(), call, agent_id, body };
    let asks = draft.asks_mut();
    asks.retain(|open| open.id != ask.id);
    asks.push(Arc::new(ask));
}

/// A question was answered.
pub(super) fn resolved(draft: &mut Draft<'_>, resolved: &PermissionResolved) {
    let Some(ask) = close(draft, &call_item(&resolved.request_id)) else { return unasked(draft, resolved) };
    let (outcome, status) = match resolved.allowed {
        true => (DecisionOutcome::Allowed, ToolStatus::Running),
        false => (DecisionOutcome::Denied, ToolStatus::Denied),
    };
    let is_permission = matches!(ask.body, AskBody::Permission(_));
    let decision = Decision {
        outcome,
        by: resolved.by.as_deref().map(clip::short),
        at: draft.at(),
        message: resolved.message.as_deref().map(clip::short),
        // The answer to a question is its input, changed; nobody would call that an edit.
        edited: is_permission && resolved.updated_input.is_some(),
        remembered: super::tool::some(&resolved.remembered),
    };
    let granted = &decision.remembered;
    if draft.status().lost_grants.iter().any(|lost| granted.contains(lost)) {
        draft.status_mut().lost_grants.retain(|lost| !granted.contains(lost));
    }
    if resolved.allowed && matches!(ask.body, AskBody::Plan(_)) && draft.status().mode.as_deref() == Some("plan") {
        // Planning is over. Versions since 2.1.29 say at once what the mode is instead; older ones with the next turn.
        draft.status_mut().mode = Some("default".into());
    }
    let Some(call) = &ask.call else {
        return note::asked(draft, &ask, answered(&ask, resolved), resolved.by.as_deref());
    };
    decide(draft, call, decision, Some(status));
    if let Some(updated) = &resolved.updated_input {
        change_input(draft, call, updated, UPDATED);
    }
}

/// A hook has let a call run, or another one in its place, and nobody was asked.
fn unasked(draft: &mut Draft<'_>, resolved: &PermissionResolved) {
    let Some(call) = resolved.tool_use_id.as_ref().map(call_item) else { return };
    let decision = Decision {
        outcome: DecisionOutcome::Allowed,
        by: resolved.by.as_deref().map(clip::short),
        at: draft.at(),
        message: resolved.message.as_deref().map(clip::short),
        edited: resolved.updated_input.is_some(),
        remembered: super::tool::some(&resolved.remembered),
    };
    decide(draft, &call, decision, None);
    if let Some(updated) = &resolved.updated_input {
        let place = match resolved.hook_event.as_deref() {
            Some("PermissionRequest") => UPDATED_WITH_LEAVE,
            _ => UPDATED_BY_HOOK,
        };
        change_input(draft, &call, updated, place);
    }
}

/// The call runs with another input than the agent had in mind: what is shown is what runs. What it asked for is kept beside it.
fn change_input(draft: &mut Draft<'_>, call: &str, updated: &Json, place: Place<'static>) {
    let place = Place { seq: draft.seq(), ..place };
    let Some(ItemBody::Tool(tool)) = draft.item_mut(call).map(|item| &mut item.body) else { return };
    match &mut tool.view {
        ToolView::Question { answers, notes, .. } => {
            let told: Answers = updated.read();
            *notes = told.notes();
            *answers = told.into_lists();
        }
        ToolView::Plan { .. } => {}
        view => {
            let (title, changed) = view::of_input(&tool.name, updated, place);
            *view = changed;
            tool.title = title.unwrap_or_else(|| tool.title.clone());
        }
    }
}

/// What somebody did with a question, in a word.
fn answered(ask: &Ask, resolved: &PermissionResolved) -> &'static str {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Answer {
        action: Option<String>,
    }
    let action = resolved.response.as_ref().map(|answer| answer.read::<Answer>()).and_then(|answer| answer.action);
    match (&ask.body, resolved.allowed, action.as_deref()) {
        (AskBody::Elicitation(_), true, _) => "Accepted",
        (AskBody::Elicitation(_), false, Some("decline")) => "Declined",
        (AskBody::Elicitation(_) | AskBody::Dialog(_), false, _) => "Closed",
        (AskBody::Dialog(_) | AskBody::Question(_), true, _) => "Answered",
        (AskBody::Permission(_) | AskBody::Plan(_), true, _) => "Allowed",
        (AskBody::Permission(_) | AskBody::Plan(_) | AskBody::Question(_), false, _) => "Denied",
    }
}

/// A question was withdrawn: somebody else decided, or the turn was cut off.
pub(super) fn cancelled(draft: &mut Draft<'_>, cancelled: &PermissionCancelled) {
    if let Some(ask) = close(draft, &call_item(&cancelled.request_id)) {
        let outcome = withdrawal(draft);
        withdraw(draft, &ask, outcome);
    }
}

/// Why a question is not asked any more.
fn withdrawal(draft: &Draft<'_>) -> DecisionOutcome {
    match super::tool::is_stopping(draft) {
        true => DecisionOutcome::Interrupted,
        false => DecisionOutcome::Withdrawn,
    }
}

/// Nobody will be asked the questions any more that pass `filter`.
pub(super) fn close_all(draft: &mut Draft<'_>, outcome: &DecisionOutcome, filter: impl Fn(&Draft<'_>, &Ask) -> bool) {
    let gone: Vec<Arc<Ask>> = draft.asks().iter().filter(|ask| filter(draft, ask)).cloned().collect();
    for ask in gone {
        close(draft, &ask.id);
        withdraw(draft, &ask, outcome.clone());
    }
}

/// A call has its result, and with it its questions are over, also where the answers are not among the lines: those that were open.
pub(super) fn call_ended(draft: &mut Draft<'_>, call: &ItemId) -> Vec<Arc<Ask>> {
    let about = draft.asks().iter().filter(|ask| ask.call.as_ref() == Some(call));
    let over: Vec<Arc<Ask>> = about.cloned().collect();
    over.iter().for_each(|ask| _ = close(draft, &ask.id));
    over
}

/// A call came to nothing while it was asked about. Unless its result says who has decided so, nobody has.
pub(super) fn came_to_nothing(draft: &mut Draft<'_>, ask: &Ask) {
    let decision = ask.call.as_ref().and_then(|call| draft.item(call)).and_then(|item| match &item.body {
        ItemBody::Tool(tool) => tool.decision.as_ref(),
        ItemBody::Agent(agent) => agent.decision.as_ref(),
        _ => None,
    });
    if decision.is_none() {
        let outcome = withdrawal(draft);
        withdraw(draft, ask, outcome);
    }
}

fn withdraw(draft: &mut Draft<'_>, ask: &Ask, outcome: DecisionOutcome) {
    let at = draft.at();
    let decision = Decision { outcome, by: None, at, message: None, edited: false, remembered: Vec::new() };
    match &ask.call {
        Some(call) => decide(draft, call, decision, Some(ToolStatus::Running)),
        None => note::asked(draft, ask, unanswered(&decision.outcome), None),
    }
}

/// Why a question has no answer.
fn unanswered(outcome: &DecisionOutcome) -> &'static str {
    match outcome {
        DecisionOutcome::Abandoned => "The agent ended before there was an answer",
        DecisionOutcome::Interrupted => "Interrupted before there was an answer",
        DecisionOutcome::Withdrawn | DecisionOutcome::Allowed | DecisionOutcome::Denied => "Not asked any more",
    }
}

fn close(draft: &mut Draft<'_>, id: &str) -> Option<Arc<Ask>> {
    let place = draft.asks().iter().position(|ask| &*ask.id == id)?;
    Some(draft.asks_mut().remove(place))
}

/// A tool was refused without asking.
pub(super) fn denied(draft: &mut Draft<'_>, denied: &PermissionDenied) {
    let Some(call) = denied.tool_use_id.as_ref().map(call_item) else { return };
    // The parts of a command were looked at one by one, and a rule refuses one of them.
    let by = denied.reason_type.as_deref().filter(|by| *by != "subcommandResults").unwrap_or("rule");
    let mut decision = super::tool::refusal(by, draft.at());
    decision.message = denied.reason.as_deref().or(denied.message.as_deref()).map(clip::short);
    decide(draft, &call, decision, None);
    set_status(draft, &call, ToolStatus::Denied);
}

/// Notes at the call how it was decided. A question that is withdrawn because a hook has decided changes nothing of that.
fn decide(draft: &mut Draft<'_>, call: &str, decision: Decision, status: Option<ToolStatus>) {
    let (now, place) = match draft.item_mut(call).map(|item| &mut item.body) {
        Some(ItemBody::Tool(tool)) => (&mut tool.status, &mut tool.decision),
        Some(ItemBody::Agent(agent)) => (&mut agent.status, &mut agent.decision),
        _ => return,
    };
    let is_by_hook = |decided: &Decision| decided.by.as_deref() == Some("hook");
    if decision.outcome != DecisionOutcome::Withdrawn || !place.as_ref().is_some_and(is_by_hook) {
        *place = Some(decision);
    }
    if let (ToolStatus::Waiting, Some(status)) = (&*now, status) {
        *now = status;
    }
}

fn set_status(draft: &mut Draft<'_>, call: &str, status: ToolStatus) {
    match draft.item_mut(call).map(|item| &mut item.body) {
        Some(ItemBody::Tool(tool)) if tool.ended_at.is_none() => tool.status = status,
        Some(ItemBody::Agent(agent)) if agent.ended_at.is_none() => agent.status = status,
        _ => {}
    }
}
