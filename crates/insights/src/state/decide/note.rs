//! Remarks: notices, hooks, fallbacks, and what nobody understands.

use crate::event::ask::FilesRestored;
use crate::event::files::{FailedFile, FilesPersisted, MemoryRecall};
use crate::event::session::{ProtocolError, StorageProblem, UnknownBlock, UnknownMessage, WorkerShutdown};
use crate::event::text::{Hook, HookPhase, ModelFallback, Notice, NoticeLevel};
use crate::place;
use crate::state::ask::{Ask, AskBody};
use crate::state::clip::{self, TEXT_BYTES};
use crate::state::item::{HookItem, ItemBody, ItemId, NoticeItem, UnknownItem};

use super::draft::{Draft, bounded};
use super::stream::message_block;
use super::text::supersede;

/// The most bytes of a prompt that a remark names.
const PROMPT_BYTES: usize = 80;

/// The most files that a remark names.
const NAMED_FILES: usize = 20;

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

/// Plugins that did not load. Each turn tells of them, but once is enough.
pub(super) fn plugins(draft: &mut Draft<'_>, errors: &[String]) {
    let text = errors.join("\n");
    let id: ItemId = format!("plugins/{}", bounded(&text)).into();
    if draft.item(&id).is_none() {
        put(draft, id, NoticeLevel::Warning, "plugin_errors", &text);
    }
}

/// How a question that is about no call was decided: nothing else would tell that there was one.
pub(super) fn asked(draft: &mut Draft<'_>, ask: &Ask, became: &str, by: Option<&str>) {
    let (source, asked) = match &ask.body {
        AskBody::Elicitation(asked) => {
            let server = asked.server.as_deref().unwrap_or("An MCP server");
            ("elicitation", format!("{server} asks: {}", asked.message.text))
        }
        AskBody::Dialog(asked) => ("dialog", asked.dialog.clone().unwrap_or_else(|| "A dialog".to_owned())),
        AskBody::Permission(asked) => ("permission", format!("{}: {}", asked.tool, asked.title)),
        AskBody::Question(_) => ("permission", "A question for you".to_owned()),
        AskBody::Plan(_) => ("permission", "A plan for you to approve".to_owned()),
    };
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    put(draft, format!("ask/{}", ask.id).into(), NoticeLevel::Info, source, &format!("{asked}\n{became}{by}"));
}

fn put(draft: &mut Draft<'_>, id: ItemId, level: NoticeLevel, source: &str, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    let text = draft.clip_words(text, TEXT_BYTES);
    draft.put_new(id, None, ItemBody::Notice(NoticeItem { level, source: clip::short(source), text }));
}

/// Another model has taken over, or nobody has.
pub(super) fn fallback(draft: &mut Draft<'_>, fallback: &ModelFallback) {
    supersede(draft, &fallback.retracted_uuids);
    if let Some(model) = fallback.fallback_model.as_ref().filter(|_| !fallback.is_for_one_answer()) {
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
    let written = [(&hook.output, "/output"), (&hook.stdout, "/stdout"), (&hook.stderr, "/stderr")];
    let mut written = written.map(|(text, pointer)| (text.as_deref().unwrap_or_default(), pointer)).into_iter();
    let said = written.by_ref().take(2).find(|(text, _)| !text.trim().is_empty());
    let error = written.last().filter(|(error, _)| said.is_none_or(|(text, _)| !text.contains(error.trim())));
    let (texts, pointers): (Vec<&str>, Vec<&str>) = said.into_iter().chain(error).unzip();
    let whole = texts.into_iter().fold(String::new(), place::on_lines);
    let text = whole.trim();
    if text.is_empty() && hook.outcome.as_deref() == Some("success") {
        return;
    }
    let item = HookItem {
        name: clip::short(hook.hook_name.as_deref().unwrap_or("hook")),
        event: hook.hook_event.as_deref().map(clip::short),
        outcome: hook.outcome.as_deref().map(clip::short),
        exit_code: hook.exit_code,
        output: draft.clip(text, TEXT_BYTES, pointers.join(" ")).behind(whole.len() - whole.trim_start().len()),
    };
    draft.put_new(draft.own_id(), None, ItemBody::Hook(item));
}

pub(super) fn storage(draft: &mut Draft<'_>, problem: &StorageProblem) {
    let mut text = match &problem.error {
        Some(error) => format!("The agent could not keep its own record: {error}"),
        None => "The agent could not keep its own record".to_owned(),
    };
    if let Some(lost @ [_, ..]) = problem.lost.as_deref() {
        text.extend(["\nLost: ", &lost.join(", ")]);
    }
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
        let why = |file: &FailedFile| match &file.error {
            Some(error) => format!("{} ({error})", file.filename),
            None => file.filename.clone(),
        };
        let text = format!("Could not upload {}", files.failed.iter().map(why).collect::<Vec<_>>().join(", "));
        remark(draft, NoticeLevel::Warning, "files_persisted", &text);
    }
}

/// Somebody had files put back. Who reads on must not take what was edited before for what is there now.
pub(super) fn restored(draft: &mut Draft<'_>, restored: &FilesRestored) {
    let files = match restored.files.len() {
        0 => "Files".to_owned(),
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    };
    let prompt = draft.items_backwards().find_map(|item| match &item.body {
        ItemBody::User(user) if item.uuid.as_deref() == Some(&*restored.before) => user.text.text.trim().lines().next(),
        _ => None,
    });
    let before = match prompt {
        Some(line) => {
            let head = clip::head(line, PROMPT_BYTES);
            format!("“{head}{}”", if head.len() < line.len() { "…" } else { "" })
        }
        None => "an earlier message".to_owned(),
    };
    let mut text = format!("{files} put back to before {before}");
    if let Some(by) = &restored.by {
        text.extend([", by ", by]);
    }
    let folder = draft.status().cwd.as_deref();
    for file in restored.files.iter().take(NAMED_FILES) {
        text.extend(["\n", relative(file, folder)]);
    }
    if let Some(rest @ 1..) = restored.files.len().checked_sub(NAMED_FILES) {
        text.push_str(&format!("\nand {rest} more"));
    }
    remark(draft, NoticeLevel::Info, "rewind_files", &text);
}

/// A path as it is in the session's folder, if it is there.
fn relative<'p>(path: &'p str, folder: Option<&str>) -> &'p str {
    folder.and_then(|folder| path.strip_prefix(folder)?.strip_prefix('/')).unwrap_or(path)
}

pub(super) fn memories(draft: &mut Draft<'_>, recall: &MemoryRecall) {
    let paths: Vec<&str> = recall.memories.iter().filter_map(|memory| memory.path.as_deref()).collect();
    if !paths.is_empty() {
        remark(draft, NoticeLevel::Info, "memory_recall", &format!("Recalled {}", paths.join(", ")));
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
