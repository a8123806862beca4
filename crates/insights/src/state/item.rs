//! Items: what a conversation shows, in order. Each has an id from the wire, so that live and imported agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::clip::Clip;
use super::tool::{AgentItem, Decision, DecisionOutcome, ToolItem, ToolStatus};
use crate::event::text::NoticeLevel;
use crate::event::turn::{CompactionTrigger, ModelTokenUsage, TokenUsage};
use crate::shape::{Field, names, state};
use crate::time::UnixMillis;

/// The id of an item: a tool call's id, `<message id>/<block>`, a prompt's uuid, or `#<seq>` where the wire has none.
pub type ItemId = Arc<str>;

/// Where an item stands: the record that put it there, and its number among those of that record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Order(pub u64, pub u32);

impl Field for Order {}

state! {
    /// One thing in the conversation.
    pub struct Item {
        /// Its id.
        pub id: ItemId,
        /// Where it stands.
        pub order: Order,
        /// The item of the subagent that it belongs to.
        pub parent: Option<ItemId>,
        /// When it came.
        pub at: UnixMillis,
        /// The record that says most about it, for looking at the raw line.
        pub seq: u64,
        /// The id of the line that made it, in the stream and in the agent's own file.
        pub uuid: Option<Arc<str>>,
        /// What it is.
        pub body: ItemBody,
    }
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ItemBody {
    /// Something was said to the agent.
    User(UserItem),
    /// A text of the answer.
    Text(TextItem),
    /// A thought.
    Thinking(ThinkingItem),
    /// A call of a tool.
    Tool(Box<ToolItem>),
    /// A subagent, with its own items below it.
    Agent(Box<AgentItem>),
    /// What a local command answered.
    Command(CommandItem),
    /// The context was summed up or cleared.
    Compaction(CompactionItem),
    /// A remark.
    Notice(NoticeItem),
    /// Something went wrong.
    Error(ErrorItem),
    /// A hook ran.
    Hook(HookItem),
    /// A turn has ended.
    Turn(Box<TurnItem>),
    /// A message that we do not know.
    Unknown(UnknownItem),
}

impl Field for ItemBody {}

state! {
    /// Something was said to the agent.
    pub struct UserItem {
        /// The words.
        pub text: Clip,
        /// The pictures.
        pub images: Vec<ImageRef>,
        /// How many more there are, for which there was no room.
        pub more_images: Option<u64>,
        /// Which person or device sent it.
        pub by: Option<String>,
        /// Who speaks.
        pub role: UserRole,
    }

    /// A picture, to be fetched when it is looked at.
    pub struct ImageRef {
        /// Its type.
        pub media_type: String,
        /// How long it is, in bytes.
        pub bytes: u64,
        /// The record that holds it.
        pub seq: u64,
        /// Where in the record's line its base64 is, as a JSON pointer; empty if it is on the web.
        pub pointer: String,
        /// Where it is on the web.
        pub url: Option<String>,
        /// How many characters of the message's text stand before it; none if it comes before all of them.
        pub after: Option<u64>,
    }

    /// A text of the answer.
    pub struct TextItem {
        /// The words.
        pub text: Clip,
        /// Is it whole? While it is not, it grows.
        pub done: bool,
        /// Was it cut off?
        pub aborted: bool,
        /// The model.
        pub model: Option<String>,
    }

    /// A thought.
    pub struct ThinkingItem {
        /// The words; empty when they are not shown.
        pub text: Clip,
        /// Is it whole?
        pub done: bool,
        /// How long it took.
        pub duration_ms: Option<f64>,
        /// A guess at its tokens so far.
        pub tokens: Option<u64>,
    }

    /// What a local command answered.
    pub struct CommandItem {
        /// The command, without the slash.
        pub command: Option<String>,
        /// What it said.
        pub text: Clip,
        /// Did it fail?
        pub is_error: bool,
    }

    /// The context was summed up or cleared.
    pub struct CompactionItem {
        /// Why.
        pub trigger: CompactionTrigger,
        /// Tokens before.
        pub pre_tokens: Option<u64>,
        /// Tokens after.
        pub post_tokens: Option<u64>,
        /// How long it took.
        pub duration_ms: Option<f64>,
        /// The summary that takes the place of what was said.
        pub summary: Option<Clip>,
        /// Why it failed.
        pub error: Option<String>,
    }

    /// A remark.
    pub struct NoticeItem {
        /// How urgent.
        pub level: NoticeLevel,
        /// Where it is from.
        pub source: String,
        /// The words.
        pub text: Clip,
    }

    /// Something went wrong.
    pub struct ErrorItem {
        /// The words.
        pub text: Clip,
        /// What it was: `rate_limit`, `authentication_failed`, `exit`, …
        pub category: Option<String>,
        /// The HTTP status.
        pub status: Option<u64>,
    }

    /// A hook ran.
    pub struct HookItem {
        /// Its name.
        pub name: String,
        /// What it was called for.
        pub event: Option<String>,
        /// `success`, `error`, `cancelled`; none while it runs.
        pub outcome: Option<String>,
        /// Its exit code.
        pub exit_code: Option<i64>,
        /// What it wrote.
        pub output: Clip,
    }

    /// A turn has ended.
    pub struct TurnItem {
        /// How.
        pub outcome: TurnOutcome,
        /// In words, if not well.
        pub message: Option<String>,
        /// The prompts that it answered.
        pub prompts: Vec<ItemId>,
        /// Who began it, if not a prompt: `task-notification`, …
        pub origin: Option<String>,
        /// How long it took.
        pub duration_ms: Option<f64>,
        /// Dollars.
        pub cost_usd: Option<f64>,
        /// Tokens of the main loop.
        pub usage: Option<TokenUsage>,
        /// Tokens in the context when it ended.
        pub context_tokens: Option<u64>,
        /// Tokens and dollars by model.
        pub models: BTreeMap<String, ModelTokenUsage>,
        /// Tools that were called, subagents' included.
        pub tool_calls: u32,
        /// Files that were changed.
        pub files: Vec<FileChange>,
        /// Calls that were refused.
        pub denials: Vec<Denial>,
        /// What the model gave for a schema, as JSON text.
        pub structured_output: Option<Clip>,
    }

    /// A file that a turn changed.
    pub struct FileChange {
        /// The file.
        pub path: String,
        /// Lines that came.
        pub added: u32,
        /// Lines that went.
        pub removed: u32,
        /// Was it not there before?
        pub created: bool,
    }

    /// A call that was refused.
    pub struct Denial {
        /// The tool.
        pub tool: String,
        /// The call.
        pub call: ItemId,
    }

    /// A message that we do not know.
    pub struct UnknownItem {
        /// Its type, with its subtype.
        pub message_type: String,
        /// What is known of it, in words.
        pub text: String,
    }
}

names! {
    /// Who speaks to the agent.
    pub enum UserRole {
        /// A person.
        Person,
        /// The agent that set this one to work.
        Agent,
        /// The CLI, in the user's name: a hook's feedback, a request to go on.
        System,
        /// The mark that an interrupt leaves.
        Interrupt,
    }

    /// How a turn ended.
    pub enum TurnOutcome {
        /// Well.
        Completed,
        /// The user cut it off.
        Interrupted,
        /// It failed.
        Failed,
        /// It took too many rounds.
        MaxTurns,
        /// It became too expensive.
        MaxBudget,
        /// A local command ran, and no turn.
        Command,
    }
}

impl TurnItem {
    /// Why it did not end well, in words. That the user cut it off is no failure.
    pub fn failure(&self) -> Option<String> {
        let otherwise = match self.outcome {
            TurnOutcome::Completed | TurnOutcome::Interrupted | TurnOutcome::Command => return None,
            TurnOutcome::Failed => "The turn failed",
            TurnOutcome::MaxTurns => "The turn took too many rounds",
            TurnOutcome::MaxBudget => "The turn became too expensive",
        };
        Some(self.message.clone().unwrap_or_else(|| otherwise.to_owned()))
    }
}

impl Item {
    /// May the end of a turn or of the agent's process change it, or take something with it that it tells of? Such are what
    /// is being written, calls that have not ended, and decisions that nobody made or that hold only for this process.
    pub(crate) fn is_unsettled(&self) -> bool {
        let goes_on = |status: &ToolStatus| {
            matches!(status, ToolStatus::Writing | ToolStatus::Waiting | ToolStatus::Running | ToolStatus::Background)
        };
        let for_now = |decision: &Option<Decision>| {
            decision.as_ref().is_some_and(|decision| {
                decision.outcome == DecisionOutcome::Withdrawn || decision.for_this_process().next().is_some()
            })
        };
        match self.body.written() {
            Some(Written::Text(text)) => !text.done,
            Some(Written::Thinking(thinking)) => !thinking.done,
            Some(Written::Tool(tool)) => goes_on(&tool.status) || for_now(&tool.decision),
            Some(Written::Agent(agent)) => goes_on(&agent.status) || for_now(&agent.decision),
            None => false,
        }
    }
}

/// What a model writes piece by piece.
pub(crate) enum Written<'a> {
    Text(&'a TextItem),
    Thinking(&'a ThinkingItem),
    Tool(&'a ToolItem),
    Agent(&'a AgentItem),
}

impl ItemBody {
    /// The item as one that a model writes, if it is one.
    pub(crate) fn written(&self) -> Option<Written<'_>> {
        match self {
            ItemBody::Text(text) => Some(Written::Text(text)),
            ItemBody::Thinking(thinking) => Some(Written::Thinking(thinking)),
            ItemBody::Tool(tool) => Some(Written::Tool(tool)),
            ItemBody::Agent(agent) => Some(Written::Agent(agent)),
            ItemBody::User(_)
            | ItemBody::Command(_)
            | ItemBody::Compaction(_)
            | ItemBody::Notice(_)
            | ItemBody::Error(_)
            | ItemBody::Hook(_)
            | ItemBody::Turn(_)
            | ItemBody::Unknown(_) => None,
        }
    }

    /// The text that grows while the item is made, if it has one.
    pub(crate) fn growing(&mut self) -> Option<&mut String> {
        match self {
            ItemBody::Text(text) => Some(&mut text.text.text),
            ItemBody::Thinking(thinking) => Some(&mut thinking.text.text),
            ItemBody::Tool(tool) => Some(&mut tool.input.text),
            ItemBody::Agent(agent) => Some(&mut agent.input.text),
            // These are all that `written` knows.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::tool::ToolKind;
    use crate::state::tool::ToolView;

    #[test]
    fn a_tool_call_is_written_and_read_back() {
        let tool = ToolItem {
            name: "Bash".to_owned(),
            tool_kind: ToolKind::Execute,
            title: "ls".to_owned(),
            status: ToolStatus::Running,
            input: Clip::default(),
            view: ToolView::Other { output: Clip::default() },
            images: Vec::new(),
            more_images: None,
            error: None,
            locations: Arc::default(),
            decision: None,
            elapsed_seconds: None,
            ended_at: None,
            task_id: None,
            summary: None,
        };
        let body = ItemBody::Tool(Box::new(tool));
        let json = serde_json::to_string(&body).unwrap();
        assert_eq!(serde_json::from_str::<ItemBody>(&json).unwrap(), body);
    }
}
