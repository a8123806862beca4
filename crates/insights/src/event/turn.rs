//! Turns: how they end and what they use.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::json::Json;
use crate::shape::{event, names, state};

event! {
    /// A turn has ended.
    pub struct TurnComplete {
        /// Did it end in an error, in the way of any version? An interrupt is none.
        pub is_error: bool,
        /// `success`, `error_max_turns`, …
        pub subtype: Option<String>,
        /// What went wrong.
        pub errors: Option<Vec<String>>,
        /// The last text.
        pub result: Option<String>,
        /// Dollars: the agent's running total.
        pub cost_usd: Option<f64>,
        /// Dollars of this turn.
        pub turn_cost_usd: Option<f64>,
        /// Dollars that the running total held before the session's first turn.
        pub inherited_cost_usd: Option<f64>,
        /// How long the turn took.
        pub duration_ms: Option<f64>,
        /// How long the model took: a running total.
        pub duration_api_ms: Option<f64>,
        /// Messages that the turn added in the user's role, plus one.
        pub num_turns: Option<u64>,
        /// Tokens of this turn's main loop.
        pub usage: Option<TokenUsage>,
        /// Tokens and dollars by model: running totals.
        pub model_usage: Option<BTreeMap<String, ModelTokenUsage>>,
        /// The same for this turn alone.
        pub turn_model_usage: Option<BTreeMap<String, ModelTokenUsage>>,
        /// Calls that were refused.
        pub permission_denials: Option<Vec<PermissionDenial>>,
        /// Why the model stopped.
        pub stop_reason: Option<String>,
        /// Why the loop of model and tools ended.
        pub terminal_reason: Option<String>,
        /// The HTTP status of the failure that ended the turn.
        pub api_error_status: Option<u64>,
        /// What the model gave for a schema.
        pub structured_output: Option<Json>,
        /// A call that was put off.
        pub deferred_tool_use: Option<Json>,
        /// Prompts that still wait.
        pub queued_turn_count: Option<u64>,
        /// The number of this result in its process.
        pub result_index: Option<u64>,
        /// How long until the first token.
        pub ttft_ms: Option<f64>,
        /// The local command that ran instead of a turn.
        pub local_command: Option<String>,
        /// Why the agent could not start.
        pub startup_failure_reason: Option<String>,
        /// Fast mode.
        pub fast_mode_state: Option<String>,
        /// When the login ends for good.
        pub credential_expires_at: Option<String>,
        /// Was the turn cut off by an interrupt?
        pub is_interrupted: bool,
        /// The prompts that it answers, where the agent or the order tells.
        pub prompt_uuids: Vec<Arc<str>>,
    }

    /// A call that was refused.
    pub struct PermissionDenial {
        /// The tool.
        pub tool_name: String,
        /// The call.
        pub tool_use_id: Arc<str>,
        /// Its input.
        pub tool_input: Json,
    }

    /// What one call of the model used.
    pub struct UsageUpdate {
        /// The counts as the agent gives them, not added up.
        pub step_usage: Json,
        /// The call whose subagent it is of: such figures say nothing of the main context.
        pub parent_call_id: Option<Arc<str>>,
        /// The message; its lines repeat the figures.
        pub message_id: Option<Arc<str>>,
        /// Tokens in the main context, where these figures tell.
        pub context_tokens: Option<u64>,
        /// The model.
        pub model: Option<String>,
    }

    /// The context was summed up or cleared.
    pub struct ContextCompaction {
        /// Why.
        pub trigger: CompactionTrigger,
        /// Tokens before.
        pub pre_tokens: Option<u64>,
        /// Tokens after.
        pub post_tokens: Option<u64>,
        /// The summary, where it is told right away.
        pub summary: Option<String>,
        /// How long it took.
        pub duration_ms: Option<f64>,
        /// A name of the conversation from now on. The session's id is another: the next `init` has it.
        pub new_conversation_id: Option<String>,
        /// What cleared it: `clear`, `plan_mode_exit`, …
        pub reset_trigger: Option<String>,
    }

    /// A call of the model failed and will be made again.
    pub struct ApiRetry {
        /// The number of the try.
        pub attempt: u64,
        /// How many there may be.
        pub max_retries: Option<u64>,
        /// How long until it is made.
        pub retry_delay_ms: Option<f64>,
        /// The HTTP status.
        pub error_status: Option<u64>,
        /// What went wrong.
        pub error: Option<String>,
        /// How long the agent waited for an answer of which nothing came.
        pub no_response_ms: Option<f64>,
    }
}

state! {
    /// Tokens.
    #[derive(Default)]
    pub struct TokenUsage {
        /// Sent, without those that a cache had.
        pub input_tokens: u64,
        /// Answered.
        pub output_tokens: u64,
        /// Sent, and read from the cache.
        pub cache_read_tokens: Option<u64>,
        /// Sent, and written to the cache.
        pub cache_creation_tokens: Option<u64>,
    }

    /// Tokens and dollars of one model.
    #[derive(Default)]
    pub struct ModelTokenUsage {
        /// Sent, without those that a cache had.
        pub input_tokens: u64,
        /// Answered.
        pub output_tokens: u64,
        /// Sent, and read from the cache.
        pub cache_read_tokens: Option<u64>,
        /// Sent, and written to the cache.
        pub cache_creation_tokens: Option<u64>,
        /// Those of them that stay there for five minutes, where the agent tells.
        pub cache_creation_5m_tokens: Option<u64>,
        /// Those of them that stay there for an hour.
        pub cache_creation_1h_tokens: Option<u64>,
        /// Dollars.
        pub cost_usd: Option<f64>,
        /// The size of its context.
        pub context_window: Option<u64>,
        /// Searches of the web.
        pub web_search_requests: Option<u64>,
        /// The most that it may answer.
        pub max_output_tokens: Option<u64>,
        /// Those of the answered that were thoughts.
        pub thinking_tokens: Option<u64>,
        /// The id under which the price was looked up.
        pub canonical_model: Option<Arc<str>>,
        /// Who served it.
        pub provider: Option<Arc<str>>,
        /// Where the price is from; `unknown` when it is a guess.
        pub cost_basis: Option<Arc<str>>,
    }
}

/// What is told of the main agent's model, among all that were used. The agent may call a model by a longer name than its bill
/// does, with something in brackets behind it.
pub(crate) fn main_model<'m, U>(models: &'m BTreeMap<String, U>, main: Option<&str>) -> Option<&'m U> {
    fn plain(name: &str) -> &str {
        name.split('[').next().unwrap_or_default()
    }
    let named = main.and_then(|main| {
        let same = || models.iter().find(|(name, _)| plain(name) == plain(main)).map(|(_, told)| told);
        models.get(main).or_else(same)
    });
    named.or_else(|| models.values().next().filter(|_| models.len() == 1))
}

names! {
    /// Why the context was summed up or cleared.
    pub enum CompactionTrigger {
        /// It was full.
        Auto,
        /// The user asked for it.
        Manual,
        /// It was thrown away.
        Cleared,
    }
}
