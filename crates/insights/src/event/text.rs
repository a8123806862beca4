//! Words: of the model, of the user, and of the agent itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::turn::ModelTokenUsage;
use crate::shape::{event, names, state};
use crate::time::UnixMillis;

event! {
    /// A whole block of text or of thinking.
    pub struct Text {
        /// The text; empty when thinking is not shown.
        pub text: String,
        /// What kind of words.
        pub kind: TextKind,
        /// The call whose subagent speaks.
        pub parent_call_id: Option<Arc<str>>,
        /// The model.
        pub model: Option<String>,
        /// The message; its blocks share it.
        pub message_id: Option<Arc<str>>,
        /// The number of the block in its message.
        pub block_index: Option<u32>,
        /// Its place among the blocks of its line, where that is not the first.
        pub line_block: Option<u32>,
        /// What went wrong with the call of the model that these words stand for.
        pub error: Option<String>,
        /// The HTTP status of that failure.
        pub error_status: Option<u64>,
        /// Was the answer cut off here?
        pub aborted: Option<bool>,
        /// Lines that this one takes the place of.
        pub supersedes: Option<Vec<Arc<str>>>,
        /// Did the agent write this itself, instead of the model?
        pub is_synthetic: Option<bool>,
        /// Who else speaks in the user's name: `compaction` for a summary, `hook` and the like.
        pub role: Option<TextRole>,
        /// How long the model thought.
        pub thinking_duration_ms: Option<f64>,
    }

    /// A local command has answered.
    pub struct LocalCommandOutput {
        /// What it said, without tags.
        pub text: String,
        /// Did it fail?
        pub is_error: bool,
        /// The command, without the slash.
        pub command: Option<String>,
        /// What was typed after it.
        pub args: Option<String>,
        /// What fills the context, on the answer of `/context`.
        pub context_usage: Option<ContextUsage>,
        /// What the session and the plan have used, on the answer of `/usage`.
        pub usage_report: Option<Box<UsageReport>>,
    }

    /// What fills the context.
    pub struct ContextUsage {
        /// The model.
        pub model: Option<String>,
        /// Tokens in it.
        pub used: u64,
        /// Tokens that fit into it.
        pub max: u64,
        /// How full it is, in percent.
        pub percent: f64,
        /// What they are for.
        pub categories: Vec<ContextCategory>,
    }

    /// A share of the context.
    pub struct ContextCategory {
        /// Its name.
        pub name: String,
        /// Its tokens.
        pub tokens: u64,
    }

    /// What the session and the plan have used, as the agent itself counts it.
    pub struct UsageReport {
        /// Dollars of the session, an estimate.
        pub cost_usd: Option<f64>,
        /// How long the session has taken.
        pub duration_ms: Option<f64>,
        /// How long the model took of that.
        pub duration_api_ms: Option<f64>,
        /// Lines of files that were added.
        pub lines_added: Option<u64>,
        /// Lines of files that were removed.
        pub lines_removed: Option<u64>,
        /// Tokens and dollars of the session, by model.
        pub model_usage: Option<BTreeMap<String, ModelTokenUsage>>,
        /// The meters of the plan, in the agent's order; none where the plan could not be asked.
        pub limits: Option<Vec<UsageLimit>>,
        /// What may be used beyond the plan.
        pub extra_usage: Option<ExtraUsage>,
    }

    /// A meter of the plan.
    pub struct UsageLimit {
        /// Which one: `session`, `weekly_all`, …
        pub kind: Option<String>,
        /// The group to show it in.
        pub group: Option<String>,
        /// How much of it is used, in percent.
        pub used_percent: Option<f64>,
        /// When it begins anew.
        pub resets_at: Option<UnixMillis>,
        /// The model that it is for, if not for all, by its name for people.
        pub model: Option<String>,
        /// The product that it is for, in the same way.
        pub surface: Option<String>,
        /// How bad it is: `normal`, `critical`, …
        pub severity: Option<String>,
        /// Is it the one to show where there is room for one only?
        pub is_active: Option<bool>,
    }

    /// What may be used beyond the plan. Amounts are in the smallest unit of the currency.
    pub struct ExtraUsage {
        /// Is it turned on?
        pub is_enabled: Option<bool>,
        /// The most in a month.
        pub monthly_limit: Option<f64>,
        /// What is spent.
        pub used_credits: Option<f64>,
        /// How much of the limit that is, in percent.
        pub used_percent: Option<f64>,
        /// The currency.
        pub currency: Option<String>,
    }

    /// A remark of the agent for people.
    pub struct Notice {
        /// Where it is from: `informational`, `notification`, `plugin_install`, …
        pub source: String,
        /// How urgent it is.
        pub level: NoticeLevel,
        /// The words.
        pub text: String,
        /// Of notes with the same key only the last one counts.
        pub key: Option<String>,
        /// The call that it is about.
        pub tool_use_id: Option<Arc<str>>,
        /// Does the turn end here?
        pub prevent_continuation: Option<bool>,
        /// How much it matters, in the agent's own word.
        pub priority: Option<String>,
        /// For how long the agent would show it.
        pub timeout_ms: Option<f64>,
        /// The colour that it would have there.
        pub color: Option<String>,
        /// The feature of the agent that it belongs to, in the agent's own word.
        pub tag: Option<String>,
    }

    /// Another model has taken over, or nobody has.
    pub struct ModelFallback {
        /// The model that was asked.
        pub original_model: Option<String>,
        /// The one that answers now.
        pub fallback_model: Option<String>,
        /// Why.
        pub reason: Option<String>,
        /// What the agent does about a refusal: `retry`.
        pub direction: Option<String>,
        /// What the other model is for: `session`, or `local` for this one answer.
        pub scope: Option<String>,
        /// The policy that a refusal is about.
        pub category: Option<String>,
        /// Why a model refused, in words.
        pub explanation: Option<String>,
        /// The prompt that was refused.
        pub refused_user_message_uuid: Option<Arc<str>>,
        /// What to tell people.
        pub text: String,
        /// Lines that do not count any more.
        pub retracted_uuids: Vec<Arc<str>>,
    }

    /// A hook of the settings ran.
    pub struct Hook {
        /// Whether it has begun or ended.
        pub phase: HookPhase,
        /// The run of it.
        pub hook_id: Option<Arc<str>>,
        /// Its name.
        pub hook_name: Option<String>,
        /// What it was called for.
        pub hook_event: Option<String>,
        /// What it wrote.
        pub stdout: Option<String>,
        /// What it wrote beside that.
        pub stderr: Option<String>,
        /// What it gave.
        pub output: Option<String>,
        /// Its exit code.
        pub exit_code: Option<i64>,
        /// `success`, `error` or `cancelled`.
        pub outcome: Option<String>,
    }
}

impl ModelFallback {
    /// Is the other model asked for this one answer only, so that the session goes on with the one it had?
    pub fn is_for_one_answer(&self) -> bool {
        self.scope.as_deref() == Some("local")
    }
}

state! {
    /// Something was said to the agent, or would be.
    pub struct UserInput {
        /// The text.
        pub text: String,
        /// The pictures and documents.
        pub images: Vec<ImageData>,
        /// Did nobody type it?
        pub is_synthetic: bool,
        /// What has become of it.
        pub state: InputState,
        /// The subagent that it was said to.
        pub parent_call_id: Option<Arc<str>>,
        /// Which person or device sent it.
        pub by: Option<String>,
        /// The sender's own id of it.
        pub client_id: Option<String>,
        /// When it is to run: `now`, `next` or `later`.
        pub priority: Option<String>,
        /// Is it the mark that an interrupt leaves?
        pub is_interrupt: Option<bool>,
    }

    /// A picture or a document.
    pub struct ImageData {
        /// Its type, for example `image/png`.
        pub media_type: String,
        /// The bytes, in base64; left out where only a reference is known.
        pub data: Option<String>,
        /// Where it is on the web.
        pub url: Option<String>,
        /// Where it stands in the line, as a JSON pointer.
        pub pointer: Option<String>,
        /// How long it is, in bytes.
        pub bytes: u64,
        /// The record that holds it, if that is not the one that this event was made from.
        pub seq: Option<u64>,
        /// How many characters of the text stand before it; none if it comes before all of them.
        pub after: Option<u64>,
    }
}

names! {
    /// What kind of words.
    pub enum TextKind {
        /// The answer.
        Text,
        /// The thoughts before it.
        Thinking,
        /// A plan.
        Plan,
        /// What went wrong.
        Error,
    }

    /// In whose name the agent itself speaks.
    pub enum TextRole {
        /// The summary that a compaction left.
        CompactionSummary,
        /// A hook's feedback, or a request to go on.
        Feedback,
        /// A prompt of the user that came back.
        Replay,
        /// The output of a local command.
        LocalCommand,
    }

    /// What has become of a prompt.
    pub enum InputState {
        /// It was written to the agent.
        Sent,
        /// The agent has put it into its queue.
        Queued,
        /// The agent has taken it.
        Consumed,
        /// It was taken back before that.
        Cancelled,
        /// The agent's process ended before it said anything about it.
        Unconfirmed,
    }

    /// How urgent a remark is.
    #[derive(Default)]
    pub enum NoticeLevel {
        /// Good to know.
        #[default]
        Info,
        /// Better look.
        Warning,
        /// Something failed.
        Error,
    }

    /// Whether a hook has begun or ended.
    pub enum HookPhase {
        /// It has begun.
        Started,
        /// It has written something.
        Progress,
        /// It has ended.
        Response,
    }
}
