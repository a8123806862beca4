//! The session as a whole: what it is busy with, its name, its commands, and cuts in the conversation.

use claude_protocol::from_cli::ConversationReset;
use claude_protocol::from_cli::system::compaction::CompactTrigger;
use claude_protocol::from_cli::system::{
    CommandsChanged, CompactBoundary, CompactMetadata, SessionStateChanged, SessionTitleChanged, Status, StatusWord,
    WorkerShuttingDown,
};
use claude_protocol::{SessionId, Uuid};

use super::quiet::Quiet;
use super::{Converter, Profile, init};
use crate::event::Body;
use crate::event::session::{AvailableCommands, SessionStateWord, SessionStatus, SessionStatusWord, WorkerShutdown};
use crate::event::turn::{CompactionTrigger, ContextCompaction};

impl Converter {
    pub(super) fn status(&mut self, line: Status) {
        let word = match line.status {
            None => SessionStatusWord::Idle,
            Some(StatusWord::Compacting) => SessionStatusWord::Compacting,
            Some(StatusWord::Requesting) => SessionStatusWord::Requesting,
            Some(word @ (StatusWord::Processing | StatusWord::Other(_))) => older_word(word.as_str()),
        };
        self.put_status(SessionStatus {
            status: word,
            message: line.message,
            permission_mode: line.permission_mode.map(|mode| mode.to_string()),
            compact_result: line.compact_result.map(|result| result.to_string()),
            compact_error: line.compact_error,
            title: None,
            cwd: None,
            version: None,
        });
    }

    pub(super) fn title(&mut self, line: SessionTitleChanged) {
        self.put_status(SessionStatus {
            // It says nothing of what the agent is busy with.
            status: SessionStatusWord::Other("title_changed".to_owned()),
            message: None,
            permission_mode: None,
            compact_result: None,
            compact_error: None,
            title: Some(line.title.unwrap_or_default()),
            cwd: None,
            version: None,
        });
    }

    pub(super) fn put_status(&mut self, status: SessionStatus) {
        let is_core = match status.status {
            SessionStatusWord::Compacting
            | SessionStatusWord::Resuming
            | SessionStatusWord::Interrupted
            | SessionStatusWord::Ended
            | SessionStatusWord::Error => true,
            SessionStatusWord::Requesting | SessionStatusWord::Idle | SessionStatusWord::Other(_) => false,
        };
        match self.out.profile() {
            Profile::Core if !is_core => self.out.quiet(Quiet::Profile),
            Profile::Core | Profile::Full => self.out.put(Body::SessionStatus(Box::new(status))),
        }
    }

    pub(super) fn session_state(&mut self, line: SessionStateChanged) {
        let state = line.state.map(|state| state.to_string()).unwrap_or_default();
        self.out.put(Body::SessionState(SessionStateWord { state }));
    }

    pub(super) fn commands_changed(&mut self, line: CommandsChanged) {
        let commands = init::commands(line.commands.unwrap_or_default());
        self.start.commands = Some(commands.clone());
        self.out.put(Body::AvailableCommands(AvailableCommands { available_commands: commands }));
    }

    pub(super) fn shutting_down(&mut self, line: WorkerShuttingDown) {
        self.out.put(Body::WorkerShutdown(WorkerShutdown { reason: line.reason }));
    }

    pub(super) fn compact_boundary(&mut self, line: CompactBoundary) {
        let mut figures = line.compact_metadata.unwrap_or_default();
        let kept = figures.preserved_messages.take().and_then(|kept| kept.uuids).unwrap_or_default();
        self.compaction.kept = kept.into_iter().map(Uuid::into_shared).collect();
        self.compacted(figures, line.summary);
    }

    /// The conversation was summed up.
    pub(super) fn compacted(&mut self, figures: CompactMetadata, summary: Option<String>) {
        self.compaction.count += 1;
        self.compaction.awaiting_summary = summary.is_none();
        // Where it is not told, nobody knows: what was before it is over.
        self.context.used = figures.post_tokens;
        let trigger = match figures.trigger {
            Some(CompactTrigger::Manual) => CompactionTrigger::Manual,
            Some(CompactTrigger::Auto | CompactTrigger::Other(_)) | None => CompactionTrigger::Auto,
        };
        self.out.put(Body::ContextCompaction(Box::new(ContextCompaction {
            trigger,
            pre_tokens: figures.pre_tokens,
            post_tokens: figures.post_tokens,
            summary,
            duration_ms: figures.duration_ms,
            new_conversation_id: None,
            reset_trigger: None,
        })));
    }

    pub(super) fn conversation_reset(&mut self, line: ConversationReset) {
        let trigger = line.trigger.map(|trigger| trigger.to_string());
        self.cleared(line.new_conversation_id, trigger);
        if let Some(uuid) = line.user_message_uuid {
            self.take_prompts(&[uuid.into_shared()]);
        }
    }

    /// The conversation was thrown away, and the count of its cost with it.
    pub(super) fn cleared(&mut self, new_conversation: Option<SessionId>, reset_trigger: Option<String>) {
        self.costs.cleared();
        self.context.used = None;
        self.compaction.awaiting_summary = false;
        self.out.put(Body::ContextCompaction(Box::new(ContextCompaction {
            trigger: CompactionTrigger::Cleared,
            pre_tokens: None,
            post_tokens: None,
            summary: None,
            duration_ms: None,
            new_conversation_id: new_conversation.map(|conversation| conversation.to_string()),
            reset_trigger,
        })));
        let todos = self.todos.cleared();
        self.put_todos(todos);
    }
}

/// A word that only the older documents have, or that nobody knows yet: neutral, never an error.
fn older_word(word: &str) -> SessionStatusWord {
    match word {
        "resuming" => SessionStatusWord::Resuming,
        "interrupted" => SessionStatusWord::Interrupted,
        "ended" => SessionStatusWord::Ended,
        "error" => SessionStatusWord::Error,
        _ => SessionStatusWord::Other(word.to_owned()),
    }
}
