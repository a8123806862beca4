//! Remarks: lines that are for people, in the CLI's words where it has some.

use claude_protocol::from_cli::ErrorLine;
use claude_protocol::from_cli::system::notices::{Level, NotificationPriority};
use claude_protocol::from_cli::system::repository::{CodeChangePublished, VcsStateChanged};
use claude_protocol::from_cli::system::storage::PluginInstallStatus;
use claude_protocol::from_cli::system::undeclared::{
    FileAttachmentsMissing, InstructionSizeWarning, MemorySaved, PeerMessageHold, PostTurnSummary, StopHookSummary,
};
use claude_protocol::from_cli::system::{Informational, LocalCommandOutput, Notification, PluginInstall};
use claude_protocol::{Note, ToolUseId};

use super::Converter;
use super::command::{self, Figures};
use super::quiet::Quiet;
use crate::event::Body;
use crate::event::text::{Notice, NoticeLevel, Text, TextKind};

/// So many of the fields that do not fit are named to people; all of them are in the event.
const MISFITS_NAMED: usize = 4;

impl Converter {
    /// A remark of a kind that needs no more than its words; `instead` where the CLI has none.
    pub(super) fn noted(&mut self, source: &str, text: Option<String>, instead: &str) {
        let text = text.filter(|text| !text.is_empty()).unwrap_or_else(|| instead.to_owned());
        self.put_notice(source, NoticeLevel::Info, text);
    }

    pub(super) fn plugin_says(&mut self, source: &str, plugin: Option<String>, text: Option<String>) {
        match (plugin, text) {
            (Some(plugin), Some(text)) => self.put_notice(source, NoticeLevel::Info, format!("{plugin}: {text}")),
            (None, Some(text)) => self.put_notice(source, NoticeLevel::Info, text),
            (_, None) => self.out.quiet(Quiet::OwnScreen),
        }
    }

    /// A line of a known kind of which so little fits that nothing else is told of it.
    pub(super) fn misfit(&mut self, kind: &str, notes: &[Note]) {
        let some: Vec<String> = notes.iter().take(MISFITS_NAMED).map(ToString::to_string).collect();
        let more = if notes.len() > MISFITS_NAMED { ", …" } else { "" };
        let text = format!("A line says nothing that could be read: {}{more}", some.join(", "));
        self.put_notice(kind, NoticeLevel::Warning, text);
    }

    pub(super) fn put_notice(&mut self, source: &str, level: NoticeLevel, text: String) {
        self.out.put(Body::Notice(Box::new(notice(source, level, text))));
    }

    pub(super) fn informational(&mut self, line: Informational) {
        if line.prompt_submit_outcome.is_some() {
            self.turn.blocked = None;
        }
        let about = informational(line.tool_use_id, line.level, line.content);
        let body = Notice { prevent_continuation: line.prevent_continuation, tag: line.tag, ..about };
        self.out.put(Body::Notice(Box::new(body)));
    }

    pub(super) fn notification(&mut self, line: Notification) {
        let level = match line.priority {
            Some(NotificationPriority::High | NotificationPriority::Immediate) => NoticeLevel::Warning,
            Some(NotificationPriority::Low | NotificationPriority::Medium | NotificationPriority::Other(_)) | None => {
                NoticeLevel::Info
            }
        };
        let body = Notice {
            key: line.key,
            priority: line.priority.map(|priority| priority.to_string()),
            timeout_ms: line.timeout_ms,
            color: line.color,
            ..notice("notification", level, line.text.unwrap_or_default())
        };
        self.out.put(Body::Notice(Box::new(body)));
    }

    pub(super) fn plugin_install(&mut self, line: PluginInstall) {
        let name = line.name.as_deref().unwrap_or("plugins");
        let (level, text) = match line.status {
            Some(PluginInstallStatus::Failed) => {
                let why = line.error.unwrap_or_default();
                (NoticeLevel::Warning, format!("{name} could not be installed: {why}"))
            }
            Some(status) => (NoticeLevel::Info, format!("Installation of {name}: {status}")),
            None => (NoticeLevel::Info, format!("Installation of {name}")),
        };
        self.put_notice("plugin_install", level, text);
    }

    pub(super) fn local_command_output(&mut self, line: LocalCommandOutput) {
        let content = line.content.unwrap_or_default();
        let (text, is_error) = command::tagged(&content).unwrap_or((content, false));
        let command = self.prompts.command(is_error);
        let figures = Figures::of_words(&text);
        self.command_output(text, command, figures);
    }

    pub(super) fn repository_changed(&mut self, line: VcsStateChanged) {
        let kind = line.kind.map_or_else(|| "change".to_owned(), |kind| kind.to_string());
        let branch = line.branch.map(|branch| format!(" on {branch}")).unwrap_or_default();
        self.put_notice("vcs_state_changed", NoticeLevel::Info, format!("The repository has changed: {kind}{branch}"));
    }

    pub(super) fn change_published(&mut self, line: CodeChangePublished) {
        let action = line.action.unwrap_or_else(|| "published".to_owned());
        let what = line.url.or(line.identifier).unwrap_or_default();
        self.put_notice("code_change_published", NoticeLevel::Info, format!("A change was {action}: {what}"));
    }

    pub(super) fn post_turn_summary(&mut self, line: PostTurnSummary) {
        let words = [line.status_detail.or(line.status_category), line.needs_action];
        let text = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        self.put_notice("post_turn_summary", NoticeLevel::Info, text);
    }

    pub(super) fn memory_saved(&mut self, line: MemorySaved) {
        let paths = line.written_paths.unwrap_or_default().join(", ");
        let verb = line.verb.unwrap_or_else(|| "Saved".to_owned());
        self.put_notice("memory_saved", NoticeLevel::Info, format!("{verb} memories: {paths}"));
    }

    pub(super) fn attachments_missing(&mut self, line: FileAttachmentsMissing) {
        let missing = line.missing.unwrap_or_default();
        let names = missing.into_iter().map(|file| file.reason.or(file.file_uuid).unwrap_or_default());
        let text = format!("Files of the prompt are not there: {}", names.collect::<Vec<_>>().join(", "));
        self.put_notice("file_attachments_missing", NoticeLevel::Warning, text);
    }

    pub(super) fn instructions_large(&mut self, line: InstructionSizeWarning) {
        let (size, limit) = (line.total_chars.unwrap_or(0), line.total_limit_chars.unwrap_or(0));
        let text = format!("The files with instructions have {size} characters; {limit} would be better");
        self.put_notice("instruction_size_warning", NoticeLevel::Warning, text);
    }

    pub(super) fn peer_message_hold(&mut self, line: PeerMessageHold) {
        let from = line.from_name.or(line.from).unwrap_or_else(|| "another session".to_owned());
        let state = line.state.map_or_else(|| "held".to_owned(), |state| state.to_string());
        let text = format!("A message of {from} was {state}");
        let key = line.message_uuid.map(|uuid| uuid.to_string());
        let body = Notice { key, ..notice("peer_message_hold", NoticeLevel::Info, text) };
        self.out.put(Body::Notice(Box::new(body)));
    }

    pub(super) fn stop_hooks(&mut self, line: StopHookSummary) {
        let errors = line.hook_errors.unwrap_or_default();
        let level = if errors.is_empty() { NoticeLevel::Info } else { NoticeLevel::Warning };
        let count = line.hook_count.unwrap_or(0);
        let words = line.stop_reason.into_iter().chain(errors).collect::<Vec<_>>().join("; ");
        let text = if words.is_empty() { format!("{count} hooks ran") } else { words };
        let body =
            Notice { prevent_continuation: line.prevented_continuation, ..notice("stop_hook_summary", level, text) };
        self.out.put(Body::Notice(Box::new(body)));
    }

    /// The error line of the older documents.
    pub(super) fn error_line(&mut self, line: ErrorLine) {
        let details = line.error.unwrap_or_default();
        self.out.put(Body::Text(Box::new(Text {
            text: details.message.unwrap_or_default(),
            kind: TextKind::Error,
            parent_call_id: None,
            model: None,
            message_id: None,
            block_index: None,
            line_block: None,
            error: details.r#type.or_else(|| Some("unknown".to_owned())),
            error_status: None,
            aborted: None,
            supersedes: None,
            is_synthetic: None,
            role: None,
            thinking_duration_ms: None,
        })));
    }
}

/// How grave a remark is.
pub(super) fn level(told: Option<Level>) -> NoticeLevel {
    match told {
        Some(Level::Warning) => NoticeLevel::Warning,
        Some(Level::Error) => NoticeLevel::Error,
        Some(Level::Info | Level::Notice | Level::Suggestion | Level::Other(_)) | None => NoticeLevel::Info,
    }
}

/// A remark of the agent about what it does. Of those about one call the last one counts.
pub(super) fn informational(call: Option<ToolUseId>, told: Option<Level>, text: Option<String>) -> Notice {
    let tool_use_id = call.map(ToolUseId::into_shared);
    let key = tool_use_id.as_ref().map(ToString::to_string);
    Notice { key, tool_use_id, ..notice("informational", level(told), text.unwrap_or_default()) }
}

/// A remark that has its words and nothing else.
pub(super) fn notice(source: &str, level: NoticeLevel, text: String) -> Notice {
    Notice {
        source: source.to_owned(),
        level,
        text,
        key: None,
        tool_use_id: None,
        prevent_continuation: None,
        priority: None,
        timeout_ms: None,
        color: None,
        tag: None,
    }
}
