//! Remarks: notices, hooks, fallbacks, and what nobody understands.

use crate::event::session::{
    FilesPersisted, MemoryRecall, ProtocolError, StorageProblem, UnknownBlock, UnknownMessage, WorkerShutdown,
};
use crate::event::text::{Hook, HookPhase, ModelFallback, Notice, NoticeLevel};
use crate::state::clip::{self, TEXT_BYTES};
use crate::state::item::{HookItem, ItemBody, ItemId, NoticeItem, UnknownItem};

use super::draft::{Draft, bounded};
use super::stream::message_block;
use super::text::supersede;

/// A remark of the agent for people. Of those with one key only the last one counts.
pub(super) fn notice(draft: &mut Draft<'_>, notice: &Notice) {
    let id = match &notice.key {
        Some(key) => format!("notice/{}", bounded(key)).into(),
        None => draft.own_id(),
    };
    put(draft, id, notice.level.clone(), &notice.source, &notice.text);
}

/// A remark of our own about something else.
pub(super) fn remark(draft: &mut Draft<'_>, level: NoticeLevel, source: &str, text: &str) {
    put(draft, draft.own_id(), level, source, text);
}

fn put(draft: &mut Draft<'_>, id: ItemId, level: NoticeLevel, source: &str, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    let text = draft.clip(text, TEXT_BYTES, "");
    draft.put_new(id, None, ItemBody::Notice(NoticeItem { level, source: clip::short(source), text }));
}

/// Another model has taken over, or nobody has.
pub(super) fn fallback(draft: &mut Draft<'_>, fallback: &ModelFallback) {
    supersede(draft, &fallback.retracted_uuids);
    if let Some(model) = &fallback.fallback_model {
        draft.status_mut().model = Some(clip::short_shared(model));
    }
    let text = match (&fallback.text, &fallback.fallback_model) {
        (text, Some(model)) if text.is_empty() => &format!("{model} has taken over"),
        (text, _) => text,
    };
    remark(draft, NoticeLevel::Warning, "model_fallback", text);
}

/// A hook of the settings ran. One that went well and said nothing is nobody's business.
pub(super) fn hook(draft: &mut Draft<'_>, hook: &Hook) {
    draft.heard();
    if hook.phase != HookPhase::Response {
        return;
    }
    let outputs = [&hook.output, &hook.stdout, &hook.stderr].map(|output| output.as_deref().unwrap_or_default().trim());
    let [output, stdout, stderr] = outputs;
    let mut text = if output.is_empty() { stdout } else { output }.to_owned();
    if !stderr.is_empty() && !text.contains(stderr) {
        text = format!("{text}\n{stderr}").trim_start().to_owned();
    }
    if text.is_empty() && hook.outcome.as_deref() == Some("success") {
        return;
    }
    let item = HookItem {
        name: clip::short(hook.hook_name.as_deref().unwrap_or("hook")),
        event: hook.hook_event.as_deref().map(clip::short),
        outcome: hook.outcome.as_deref().map(clip::short),
        exit_code: hook.exit_code,
        output: draft.clip(&text, TEXT_BYTES, ""),
    };
    draft.put_new(draft.own_id(), None, ItemBody::Hook(item));
}

pub(super) fn storage(draft: &mut Draft<'_>, problem: &StorageProblem) {
    let text = match &problem.error {
        Some(error) => format!("The agent could not keep its own record: {error}"),
        None => "The agent could not keep its own record".to_owned(),
    };
    remark(draft, NoticeLevel::Error, &problem.kind, &text);
}

pub(super) fn shutdown(draft: &mut Draft<'_>, shutdown: &WorkerShutdown) {
    let text = match &shutdown.reason {
        Some(reason) => format!("The agent will end: {reason}"),
        None => "The agent will end".to_owned(),
    };
    remark(draft, NoticeLevel::Info, "worker_shutdown", &text);
}

/// Files were uploaded; only failures are worth a word.
pub(super) fn files(draft: &mut Draft<'_>, files: &FilesPersisted) {
    if !files.failed.is_empty() {
        let text = format!("Could not upload {}", files.failed.join(", "));
        remark(draft, NoticeLevel::Warning, "files_persisted", &text);
    }
}

pub(super) fn memories(draft: &mut Draft<'_>, recall: &MemoryRecall) {
    if !recall.paths.is_empty() {
        remark(draft, NoticeLevel::Info, "memory_recall", &format!("Recalled {}", recall.paths.join(", ")));
    }
}

pub(super) fn protocol_error(draft: &mut Draft<'_>, error: &ProtocolError) {
    let text = format!("{}: {}", error.error, error.line);
    unknown(draft, draft.own_id(), None, "protocol_error", &text);
}

pub(super) fn unknown_block(draft: &mut Draft<'_>, block: &UnknownBlock) {
    let id = match &block.message_id {
        Some(message) => message_block(message, block.block_index).into(),
        None => draft.own_id(),
    };
    let parent = draft.parent(block.parent_call_id.as_ref());
    unknown(draft, id, parent, &block.block_type, block.block.text());
}

pub(super) fn unknown_message(draft: &mut Draft<'_>, message: &UnknownMessage) {
    let kind = match &message.subtype {
        Some(subtype) => format!("{}/{subtype}", message.message_type),
        None => message.message_type.clone(),
    };
    let text = message.direction.as_deref().unwrap_or_default();
    unknown(draft, draft.own_id(), None, &kind, text);
}

fn unknown(draft: &mut Draft<'_>, id: ItemId, parent: Option<ItemId>, kind: &str, text: &str) {
    let item = UnknownItem { message_type: clip::short(kind), text: clip::short(text) };
    draft.put_new(id, parent, ItemBody::Unknown(item));
}
