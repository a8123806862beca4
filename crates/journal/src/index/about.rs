//! What an item of a conversation is about: an item in; the row of a call and the words to search out.

use std::sync::Arc;

use insights::event::tool::ToolKind;
use insights::state::header::QueuedState;
use insights::state::item::{Item, ItemBody, UserItem, UserRole};
use insights::state::tool::{ToolItem, ToolView};
use insights::state::{Clip, Queued};

use super::collect::HEAD_BYTES;
use super::rows::CallRow;

/// The head of a text.
pub(super) fn head(text: &str) -> String {
    Clip::new(text.trim(), HEAD_BYTES, 0, "").text
}

/// Did a person say this to the main agent?
pub(super) fn is_prompt(item: &Item, user: &UserItem) -> bool {
    user.role == UserRole::Person && item.parent.is_none()
}

/// Does nobody know whether the agent took this prompt?
pub(super) fn is_unconfirmed(queued: &Queued) -> bool {
    queued.state == QueuedState::Unconfirmed
}

/// The row of an item that is a call.
pub(super) fn call(item: &Item, turn: Option<u32>) -> Option<CallRow> {
    let (name, kind, ended_at, status, about) = match &item.body {
        ItemBody::Tool(tool) => (&tool.name, tool.tool_kind.clone(), tool.ended_at, &tool.status, head(subject(tool))),
        ItemBody::Agent(agent) => {
            (&agent.name, ToolKind::Think, agent.ended_at, &agent.status, head(&agent.description))
        }
        ItemBody::User(_)
        | ItemBody::Text(_)
        | ItemBody::Thinking(_)
        | ItemBody::Command(_)
        | ItemBody::Compaction(_)
        | ItemBody::Notice(_)
        | ItemBody::Error(_)
        | ItemBody::Hook(_)
        | ItemBody::Turn(_)
        | ItemBody::Unknown(_) => return None,
    };
    Some(CallRow {
        id: item.id.to_string(),
        seq: item.order.0,
        place: item.order.1,
        turn,
        name: name.clone(),
        kind,
        parent: item.parent.as_ref().map(|parent| parent.to_string()),
        started_at: item.at,
        // A clock may have been set back meanwhile; nothing ends before it began.
        ended_at: ended_at.map(|at| at.max(item.at)),
        status: status.clone(),
        about,
    })
}

/// The command that a call runs.
pub(super) fn command(tool: &ToolItem) -> Option<&Clip> {
    match &tool.view {
        ToolView::Command { command, .. } => Some(command),
        _ => None,
    }
}

/// The paths that a call works with.
pub(super) fn paths(tool: &ToolItem) -> impl Iterator<Item = &str> {
    let named = path(tool).filter(|path| !tool.locations.iter().any(|known| known == path));
    let all = tool.locations.iter().map(String::as_str).chain(named);
    all.filter(|path| !path.trim().is_empty())
}

fn path(tool: &ToolItem) -> Option<&str> {
    match &tool.view {
        ToolView::Read { path, .. } | ToolView::Notebook { path, .. } => Some(path),
        ToolView::Edit { diff, .. } => Some(&diff.path),
        ToolView::Search { path, .. } | ToolView::Plan { path, .. } => path.as_deref(),
        ToolView::Command { .. }
        | ToolView::Fetch { .. }
        | ToolView::WebSearch { .. }
        | ToolView::Todo { .. }
        | ToolView::Question { .. }
        | ToolView::Skill { .. }
        | ToolView::Mcp { .. }
        | ToolView::Other { .. } => None,
    }
}

/// What a call is about, in its own words before those for people.
fn subject(tool: &ToolItem) -> &str {
    match &tool.view {
        ToolView::Command { command, .. } => &command.text,
        ToolView::Search { pattern, .. } => pattern,
        ToolView::Fetch { url, .. } => &url.text,
        ToolView::WebSearch { query, .. } => query,
        ToolView::Skill { skill, .. } => skill,
        ToolView::Read { .. }
        | ToolView::Edit { .. }
        | ToolView::Notebook { .. }
        | ToolView::Plan { .. }
        | ToolView::Todo { .. }
        | ToolView::Question { .. }
        | ToolView::Mcp { .. }
        | ToolView::Other { .. } => path(tool).unwrap_or(&tool.title),
    }
}

/// Keeps a text of the status: mostly it is what it was.
pub(super) fn keep(kept: &mut Option<String>, now: &Option<Arc<str>>) {
    if kept.as_deref() != now.as_deref() {
        *kept = now.as_deref().map(str::to_owned);
    }
}
