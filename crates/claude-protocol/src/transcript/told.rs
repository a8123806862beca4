//! What an entry is about: the conversation, or the CLI's own books. An entry in; the few things that matter out.

use super::record::{QueueOperation, QueueVerb};
use super::{AssistantEntry, Attachment, AttachmentEntry, Entry, SystemEntry, UserEntry};
use crate::line::NotJson;
use crate::permission::PermissionMode;
use crate::wire::Other;

/// What an entry tells of the conversation. The one place where all kinds are sorted, so that a new kind has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// A prompt, the result of a tool, or words that the CLI puts in the user's mouth.
    User(Box<UserEntry>),
    /// One block of an answer.
    Assistant(Box<AssistantEntry>),
    /// News that the user sees.
    System(SystemEntry),
    /// What the model is told besides the conversation. A prompt that came while a turn was running is kept as one.
    Attachment(Box<AttachmentEntry>),
    /// How the session is called.
    Title(Option<String>),
    /// The permission mode.
    PermissionMode(Option<PermissionMode>),
    /// That work in the background has ended, in the words for the model. Where a turn tells the model so, it is also among
    /// what was said.
    TaskNotification(String),
    /// The CLI's books: counts, queues, requests, snapshots. They can be longer than the rest.
    Books,
    /// A kind that this crate does not know.
    Other(Other),
    /// No JSON: the piece of a line that a crash left.
    NotJson(NotJson),
}

impl Entry {
    /// What the entry tells.
    pub fn told(self) -> Told {
        match self {
            Entry::User(entry) => Told::User(entry),
            Entry::Assistant(entry) => Told::Assistant(entry),
            Entry::System(entry) => Told::System(entry),
            Entry::Attachment(entry) => Told::Attachment(entry),
            Entry::Summary(entry) => Told::Title(entry.summary),
            Entry::CustomTitle(entry) => Told::Title(entry.custom_title),
            Entry::AiTitle(entry) => Told::Title(entry.ai_title),
            Entry::PermissionMode(entry) => Told::PermissionMode(entry.permission_mode),
            Entry::QueueOperation(entry) => entry.into_notification().map_or(Told::Books, Told::TaskNotification),
            Entry::Progress(_)
            | Entry::SavedHookContext(_)
            | Entry::LastPrompt(_)
            | Entry::Mode(_)
            | Entry::CostState(_)
            | Entry::ToolsUsed(_)
            | Entry::AtisLatch(_)
            | Entry::ApiRequest(_)
            | Entry::ApiRequestShape(_)
            | Entry::ApiRequestBlob(_)
            | Entry::FileHistorySnapshot(_)
            | Entry::FileHistoryDelta(_)
            | Entry::AgentName(_)
            | Entry::AgentColor(_)
            | Entry::AgentSetting(_)
            | Entry::Tag(_)
            | Entry::PrLink(_)
            | Entry::WorktreeState(_)
            | Entry::Relocated(_)
            | Entry::ContentReplacement(_)
            | Entry::DerivedFrom(_) => Told::Books,
            Entry::Other(other) => Told::Other(other),
            Entry::NotJson(not_json) => Told::NotJson(not_json),
        }
    }
}

impl Told {
    /// Is this something that was said or done, or how the session is called? Of what is not known that is assumed.
    pub fn is_conversation(&self) -> bool {
        match self {
            Told::User(entry) => entry.is_said(),
            Told::Assistant(entry) => entry.is_said(),
            Told::Attachment(entry) => matches!(entry.attachment, Attachment::QueuedCommand(_)),
            Told::System(_) | Told::Title(_) | Told::PermissionMode(_) | Told::Other(_) => true,
            Told::TaskNotification(_) | Told::Books | Told::NotJson(_) => false,
        }
    }
}

/// How the words begin that tell the model of work in the background.
const TASK_NOTIFICATION: &str = "<task-notification>";

/// What a resumed CLI puts into the file where a killed one left a prompt without an answer, so that prompts and answers alternate
/// (2.1.325, `sigkill-then-resume`). It is not on the stream.
const NO_ANSWER: &str = "No response requested.";

impl QueueOperation {
    /// The words that tell the model of work in the background, if it was those that went into the queue.
    fn into_notification(self) -> Option<String> {
        let content = self.content.filter(|_| self.operation == Some(QueueVerb::Enqueue))?;
        content.starts_with(TASK_NOTIFICATION).then_some(content)
    }
}

impl UserEntry {
    /// The words that tell the model of work in the background, if it is these (2.1.325).
    pub fn notification(&self) -> Option<&str> {
        self.message.content.texts().next().filter(|text| text.starts_with(TASK_NOTIFICATION))
    }

    /// Was this said, or what was said in short? Else it is words to the model that nobody sees.
    pub fn is_said(&self) -> bool {
        self.is_meta != Some(true) || self.is_compact_summary == Some(true)
    }
}

impl AssistantEntry {
    /// Was this said? Else nobody sees it.
    pub fn is_said(&self) -> bool {
        let is_filler = self.message.is_synthetic() && self.message.content.texts().eq([NO_ANSWER]);
        self.is_meta != Some(true) && !is_filler
    }
}
