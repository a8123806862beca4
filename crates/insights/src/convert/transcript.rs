//! Entries of the CLI's transcript files: the same conversation as on stdout, told afterwards. An entry in, the events that
//! its line gave when it was live out. What is not part of the conversation is quiet.
//!
//! A session is imported with its own file first, then those of its subagents: the result of a call names the agent that
//! worked for it, and so its entries find their call.

use std::sync::Arc;

use claude_protocol::content::{Block, Content};
use claude_protocol::from_cli::system::CompactMetadata;
use claude_protocol::from_cli::user::{PermissionDecision, ToolResultMeta};
use claude_protocol::transcript::attachment::QueuedCommand;
use claude_protocol::transcript::system::{ApiErrorEntry, CompactBoundaryEntry, LocalCommandEntry, ModelChangeEntry};
use claude_protocol::transcript::{
    AssistantEntry, Attachment, AttachmentEntry, Entry, Place, SystemEntry, Told, UserEntry,
};
use claude_protocol::{AgentId, Uuid};
use serde::{Deserialize, Serialize};

use super::assistant::Said;
use super::command::{self, Figures, LocalCommand};
use super::notice::informational;
use super::quiet::Quiet;
use super::recent::Recent;
use super::user::{Heard, Words};
use super::work::fallback;
use super::{Converter, task};
use crate::event::Body;
use crate::event::session::{SessionStatus, SessionStatusWord};
use crate::event::text::{InputState, ModelFallback, Notice, UserInput};
use crate::event::turn::ApiRetry;

/// So many subagents find their calls. Their files are read after all of the session's own, or long after they have ended.
const AGENTS: usize = 4096;

/// What is remembered of a file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Import {
    /// The call that each subagent works for.
    agents: Recent<Arc<str>, AGENTS>,
    /// What was last told of the session as a whole.
    told: Setting,
}

/// What an entry says of the session as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Setting {
    cwd: Option<String>,
    version: Option<String>,
    mode: Option<String>,
    title: Option<String>,
}

impl Import {
    /// A result names the subagent that worked for its call.
    pub(super) fn worked(&mut self, agent: &str, call: &Arc<str>) {
        self.agents.insert(agent.into(), Arc::clone(call));
    }

    /// The call that an entry of a subagent belongs to. One whose call is not known has a lane of its own.
    fn lane(&self, place: &Place) -> Option<Arc<str>> {
        let agent = place.agent_id.as_ref()?;
        let known = self.agents.get(agent.as_str()).cloned();
        Some(known.unwrap_or_else(|| format!("agent-{agent}").into()))
    }
}

impl Converter {
    pub(super) fn transcript(&mut self, body: Entry) {
        let place = body.place();
        if let Some(session) = &place.session_id {
            self.out.session(session.as_str());
        }
        let parent = self.import.lane(&place);
        let about = self.out.about();
        about.imported = true;
        about.message_uuid = place.uuid.map(Uuid::into_shared);
        about.agent_id = place.agent_id.map(AgentId::into_shared);
        match body.told() {
            Told::User(entry) => self.user_entry(*entry, parent),
            Told::Assistant(entry) => self.assistant_entry(*entry, parent),
            Told::System(entry) => self.system_entry(entry),
            Told::Attachment(entry) => self.attachment(*entry),
            Told::Title(title) => self.title_entry(title),
            Told::PermissionMode(mode) => {
                let mode = mode.map(|mode| mode.to_string());
                self.setting(Setting { mode, ..Setting::default() });
            }
            Told::TaskNotification(words) => self.task_entry(&words),
            Told::Books => self.out.quiet(Quiet::Bookkeeping),
            Told::Other(other) => self.unknown(&other.kind, None),
            Told::NotJson(not_json) => self.not_json(&not_json),
        }
    }

    fn user_entry(&mut self, entry: UserEntry, parent: Option<Arc<str>>) {
        self.setting_of(&parent, entry.cwd.as_ref(), entry.version.as_ref());
        let is_summary = entry.is_compact_summary == Some(true);
        // Words to the model that nobody said are not told live either.
        if !entry.is_said() {
            return self.out.quiet(Quiet::Bookkeeping);
        }
        self.out.about().origin = entry.origin.as_ref().map(|origin| origin.kind().into());
        if let Some(words) = entry.notification().filter(|_| parent.is_none()) {
            return self.task_entry(words);
        }
        let typed = entry.message.content.texts().next().and_then(command::typed);
        if let Some(typed) = typed {
            return self.prompt_entry(Content::from(typed.as_str()), parent);
        }
        let is_result = entry.tool_use_result.is_some() || entry.source_tool_assistant_uuid.is_some();
        let says_stopped = entry.message.content.texts().any(|text| text.starts_with(super::user::INTERRUPTED));
        let decisions = entry.message.content.blocks().iter().filter_map(|block| decision(block, &entry));
        let heard = Heard {
            decisions: decisions.collect(),
            uuid: self.out.about().message_uuid.clone(),
            parent,
            is_synthetic: is_summary
                || (entry.prompt_source.as_deref() == Some("system") && !is_result && !says_stopped),
            is_replay: false,
            is_summary,
            result: entry.tool_use_result,
            result_pointer: "/toolUseResult",
            content: entry.message.content,
        };
        self.heard(heard);
    }

    fn assistant_entry(&mut self, entry: AssistantEntry, parent: Option<Arc<str>>) {
        self.setting_of(&parent, entry.cwd.as_ref(), entry.version.as_ref());
        if !entry.is_said() {
            return self.out.quiet(Quiet::Bookkeeping);
        }
        let failed = entry.is_api_error_message == Some(true);
        let error = entry.error.map(|error| error.to_string()).or(entry.api_error);
        self.said(Said {
            parent,
            error: error.or_else(|| failed.then(|| "unknown".to_owned())),
            error_status: entry.api_error_status,
            aborted: entry.is_aborted_mid_stream,
            thinking_duration_ms: entry.thinking_duration_ms,
            message: *entry.message,
            ..Said::default()
        });
    }

    fn system_entry(&mut self, entry: SystemEntry) {
        match entry {
            SystemEntry::CompactBoundary(entry) => self.boundary_entry(*entry),
            SystemEntry::LocalCommand(entry) => self.command_entry(*entry),
            SystemEntry::ApiError(entry) => self.retry_entry(*entry),
            SystemEntry::Informational(entry) => {
                let about = informational(entry.tool_use_id, entry.level, entry.content);
                let body = Notice { prevent_continuation: entry.prevent_continuation, ..about };
                self.out.put(Body::Notice(Box::new(body)));
            }
            SystemEntry::ModelFallback(entry)
            | SystemEntry::ModelRefusalFallback(entry)
            | SystemEntry::ModelRefusalNoFallback(entry)
            | SystemEntry::ModelConsentFallback(entry) => self.model_entry(*entry),
            SystemEntry::AwaySummary(entry) => self.noted("away_summary", entry.content, ""),
            SystemEntry::ScheduledTaskFire(entry) => self.noted("scheduled_task_fire", entry.content, ""),
            SystemEntry::AgentsKilled(entry) => {
                self.noted("agents_killed", entry.content, "The subagents were stopped")
            }
            SystemEntry::MemorySaved(entry) => self.noted("memory_saved", entry.content, "Memories were written"),
            SystemEntry::MicrocompactBoundary(_)
            | SystemEntry::StopHookSummary(_)
            | SystemEntry::TurnDuration(_)
            | SystemEntry::BridgeStatus(_)
            | SystemEntry::CloudSessionStatus(_)
            | SystemEntry::FileSnapshot(_)
            | SystemEntry::PermissionRetry(_) => self.out.quiet(Quiet::Bookkeeping),
            SystemEntry::Other(other) => self.unknown("system", Some(other.kind)),
        }
    }

    fn boundary_entry(&mut self, entry: CompactBoundaryEntry) {
        let recorded = entry.compact_metadata.map(|recorded| *recorded).unwrap_or_default();
        let mut figures = CompactMetadata::default();
        figures.trigger = recorded.trigger;
        figures.pre_tokens = recorded.pre_tokens;
        figures.post_tokens = recorded.post_tokens;
        figures.duration_ms = recorded.duration_ms;
        self.compacted(figures, None);
    }

    fn command_entry(&mut self, entry: LocalCommandEntry) {
        let content = entry.content.unwrap_or_default();
        let Some((output, is_error)) = command::tagged(&content) else {
            // Old versions keep the command itself as such an entry.
            return match command::typed(&content) {
                Some(typed) => self.prompt_entry(Content::from(typed.as_str()), None),
                None => self.noted("local_command", Some(content), ""),
            };
        };
        if output.is_empty() && !is_error {
            return self.out.quiet(Quiet::Empty);
        }
        let mut figures = Figures::of_reports(entry.context_usage, entry.usage_report);
        figures.context = figures.context.or_else(|| command::usage_of_table(&output));
        let is_error = is_error || entry.command_outcome.is_some();
        let command = match entry.command_run {
            Some(run) => {
                LocalCommand { command: run.command, args: run.args.filter(|args| !args.is_empty()), is_error }
            }
            None => self.prompts.command(is_error),
        };
        self.command_output(output, command, figures);
    }

    fn retry_entry(&mut self, entry: ApiErrorEntry) {
        let error = entry.error.unwrap_or_default();
        self.out.put(Body::ApiRetry(ApiRetry {
            attempt: entry.retry_attempt.unwrap_or_default(),
            max_retries: entry.max_retries,
            retry_delay_ms: entry.retry_in_ms,
            error_status: error.status,
            error: error.formatted.or(error.message),
            no_response_ms: None,
        }));
    }

    fn model_entry(&mut self, entry: ModelChangeEntry) {
        self.out.put(Body::ModelFallback(Box::new(ModelFallback {
            reason: entry.trigger.or_else(|| entry.api_refusal_category.clone()),
            category: entry.api_refusal_category,
            explanation: entry.api_refusal_explanation,
            refused_user_message_uuid: entry.refused_user_message_uuid.map(Uuid::into_shared),
            text: entry.content.unwrap_or_default(),
            ..fallback(entry.original_model, entry.fallback_model)
        })));
    }

    /// What came while a turn was running is kept as an attachment.
    fn attachment(&mut self, entry: AttachmentEntry) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others are told to the model and to nobody else")]
        match entry.attachment {
            Attachment::QueuedCommand(queued) => self.queued_entry(*queued),
            _ => self.out.quiet(Quiet::Bookkeeping),
        }
    }

    fn queued_entry(&mut self, queued: QueuedCommand) {
        let is_prompt = queued.command_mode.as_deref().is_none_or(|mode| mode == "prompt");
        if !is_prompt || queued.is_meta == Some(true) {
            return self.out.quiet(Quiet::Bookkeeping);
        }
        if let Some(uuid) = queued.source_uuid {
            self.out.about().message_uuid = Some(uuid.into_shared());
        }
        self.prompt_entry(queued.prompt.unwrap_or_default(), None);
    }

    /// A prompt of a person.
    fn prompt_entry(&mut self, content: Content, parent_call_id: Option<Arc<str>>) {
        let (words, _) = Words::of(content);
        self.prompts.runs(&words.text());
        self.out.put(Body::UserInput(Box::new(UserInput {
            text: words.text(),
            images: words.images,
            is_synthetic: false,
            state: InputState::Consumed,
            parent_call_id,
            by: None,
            client_id: None,
            priority: None,
            is_interrupt: None,
        })));
    }

    /// Work in the background has ended. Both the queue and the turn that it began may say so: the first one counts.
    fn task_entry(&mut self, words: &str) {
        match task::notification(words).filter(|told| self.calls.runs(&told.task_id, told.tool_use_id.as_ref())) {
            Some(told) => self.task_notification(told),
            None => self.out.quiet(Quiet::Bookkeeping),
        }
    }

    fn title_entry(&mut self, title: Option<String>) {
        self.setting(Setting { title, ..Setting::default() });
    }

    /// The main agent's entries say where and with what the session runs; told when it changes.
    fn setting_of(&mut self, parent: &Option<Arc<str>>, cwd: Option<&String>, version: Option<&String>) {
        if parent.is_none() {
            let setting = Setting { cwd: cwd.cloned(), version: version.cloned(), ..Setting::default() };
            if self.import.news(&setting).is_some() {
                self.setting(setting);
            }
        }
    }

    fn setting(&mut self, setting: Setting) {
        let Some(told) = self.import.news(&setting) else { return self.out.quiet(Quiet::Bookkeeping) };
        self.import.told = told;
        self.put_status(SessionStatus {
            // It says nothing of what the agent is busy with.
            status: SessionStatusWord::Other("imported".to_owned()),
            message: None,
            permission_mode: setting.mode,
            compact_result: None,
            compact_error: None,
            title: setting.title,
            cwd: setting.cwd,
            version: setting.version,
        });
    }
}

impl Import {
    /// What is told of the session once this is; none if it is known.
    fn news(&self, setting: &Setting) -> Option<Setting> {
        let mut told = self.told.clone();
        let Setting { cwd, version, mode, title } = setting.clone();
        told.cwd = cwd.or(told.cwd);
        told.version = version.or(told.version);
        told.mode = mode.or(told.mode);
        told.title = title.or(told.title);
        (told != self.told).then_some(told)
    }
}

/// How the permission for a call came about, in the form of the stream.
fn decision(block: &Block, entry: &UserEntry) -> Option<ToolResultMeta> {
    let Block::ToolResult(result) = block else { return None };
    let mut meta = ToolResultMeta::default();
    meta.id = Some(result.tool_use_id.clone());
    meta.non_execution_kind.clone_from(&entry.tool_denial_kind);
    meta.permission_decision = entry.permission_decision.as_ref().map(|recorded| {
        let mut decision = PermissionDecision::default();
        decision.decision.clone_from(&recorded.decision);
        decision.source.clone_from(&recorded.source);
        decision.reason_type.clone_from(&recorded.reason_type);
        decision
    });
    Some(meta)
}
