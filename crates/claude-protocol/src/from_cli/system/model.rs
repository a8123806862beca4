//! `system` lines about the model and the API: retries, other models, thinking.

use crate::from_cli::assistant::AssistantError;
use crate::ids::Uuid;

message! {
    /// A call of the API failed and will be made again after a while; then nothing comes until it has worked or failed
    /// for good (2.1.325).
    pub struct ApiRetry {
        /// Which try will be next, from 1.
        pub attempt: Option<u64>,
        /// The most tries; 10 as a rule.
        pub max_retries: Option<u64>,
        /// Milliseconds until then.
        pub retry_delay_ms: Option<f64>,
        /// The HTTP status; null when there was no answer.
        pub error_status: Option<u64>,
        /// What went wrong.
        pub error: Option<AssistantError>,
        /// How long the API did not answer at all. Declared, not measured.
        pub no_response: Option<NoResponse>,
    }

    /// Another model has taken over, because the first was not to be had (2.1.325 with `--fallback-model`, undeclared).
    pub struct ModelFallback {
        /// Why.
        pub trigger: Option<String>,
        /// The model so far.
        pub original_model: Option<String>,
        /// The model from here on.
        pub fallback_model: Option<String>,
        /// In words.
        pub content: Option<String>,
    }

    /// The model refused, and another one is asked. Declared, not measured.
    pub struct ModelRefusalFallback {
        /// Always `refusal`.
        pub trigger: Option<String>,
        /// `retry`; `revert` and `sticky` are words of the past.
        pub direction: Option<String>,
        /// What the other model is for; absent means the session.
        pub scope: Option<FallbackScope>,
        /// The model that refused.
        pub original_model: Option<String>,
        /// The model that is asked.
        pub fallback_model: Option<String>,
        /// The API's id of the request that was refused.
        pub request_id: Option<String>,
        /// The policy that the refusal is about.
        pub api_refusal_category: Option<String>,
        /// Why, in words. Not to be parsed.
        pub api_refusal_explanation: Option<String>,
        /// Was there a refusal about security before? In the CLI's code, not measured.
        pub saw_cyber_refusal: Option<bool>,
        /// How the account could be verified for work on security. In the CLI's code, not measured.
        pub api_refusal_cyber_verification: Option<CyberVerification>,
        /// Lines to take back.
        pub retracted_message_uuids: Option<Vec<Uuid>>,
        /// The prompt that was refused, to be edited and sent again.
        pub refused_user_message_uuid: Option<Uuid>,
        /// In words.
        pub content: Option<String>,
    }

    /// The model refused, and no other one is asked (2.1.325).
    pub struct ModelRefusalNoFallback {
        /// The model that refused.
        pub original_model: Option<String>,
        /// The API's id of the request that was refused.
        pub request_id: Option<String>,
        /// The policy that the refusal is about; null on the lines seen.
        pub api_refusal_category: Option<String>,
        /// Why, in words; null on the lines seen.
        pub api_refusal_explanation: Option<String>,
        /// The prompt that was refused, to be edited and sent again.
        pub refused_user_message_uuid: Option<Uuid>,
        /// In words; empty on the lines seen.
        pub content: Option<String>,
    }

    /// The model thinks (2.1.325, only with partial messages). A guess, for a spinner.
    pub struct ThinkingTokens {
        /// Tokens of this thinking block so far.
        pub estimated_tokens: Option<u64>,
        /// Tokens since the last such line.
        pub estimated_tokens_delta: Option<i64>,
        /// The prompt that is answered, if the host gave it a uuid. Declared, not measured.
        pub user_message_uuid: Option<Uuid>,
    }
}

wire! {
    /// How an account could be verified for work on security. In the CLI's code (2.1.325), not measured.
    pub struct CyberVerification {
        /// What it is.
        pub r#type: Option<String> = "type",
        /// For which degree.
        pub tier: Option<String>,
        /// Why.
        pub reason: Option<String>,
    }

    /// How long the API did not answer at all. Declared, not measured.
    pub struct NoResponse {
        /// Milliseconds for which the CLI waited.
        pub waited_ms: Option<f64>,
        /// Milliseconds for which it will wait the next time.
        pub retry_wait_ms: Option<f64>,
    }
}

words! {
    /// What another model is for. Declared, not measured.
    pub enum FallbackScope {
        /// The session goes on with it.
        Session = "session",
        /// Only this answer, of a subagent or a side question, is from it.
        Local = "local",
    }
}
