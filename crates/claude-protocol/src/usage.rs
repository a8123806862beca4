//! Token counts and costs: of one API message, of a turn, and per model; what fills the context ([`context`]) and what
//! the session and the plan have used ([`report`]).

pub mod context;
pub mod report;

wire! {
    /// The token counts of one API message, or, on a `result`, of the turn's main loop without its subagents. Never a
    /// running total: see [`ModelUsage`] for that.
    pub struct Usage {
        /// Tokens sent that no cache had.
        pub input_tokens: Option<u64>,
        /// Tokens answered. On `assistant` lines this is the count as the answer began.
        pub output_tokens: Option<u64>,
        /// Tokens written to the cache.
        pub cache_creation_input_tokens: Option<u64>,
        /// Tokens read from the cache.
        pub cache_read_input_tokens: Option<u64>,
        /// How long the written tokens stay in the cache.
        pub cache_creation: Option<CacheCreation>,
        /// What the API's own tools did.
        pub server_tool_use: Option<ServerToolUsage>,
        /// The class of service; null on synthetic messages.
        pub service_tier: Option<ServiceTier>,
        /// What the output tokens were for (2.1.325).
        pub output_tokens_details: Option<OutputTokensDetails>,
        /// Where the model ran; empty when it is not said (2.1.38, 2.1.325).
        pub inference_geo: Option<String>,
        /// The counts of each pass, when the API made several for one message (2.1.38, 2.1.325; empty or null on every
        /// line seen).
        pub iterations: Option<Vec<IterationUsage>>,
        /// How fast the model was made to answer (2.1.325).
        pub speed: Option<Speed>,
        /// Whether a second try on another model was paid for (2.1.325; null on every line seen).
        pub fallback_credit: Option<FallbackCredit>,
    }

    /// How long tokens that were written to the cache stay there.
    pub struct CacheCreation {
        /// Tokens for an hour.
        pub ephemeral_1h_input_tokens: Option<u64>,
        /// Tokens for five minutes.
        pub ephemeral_5m_input_tokens: Option<u64>,
    }

    /// How often the API's own tools ran.
    pub struct ServerToolUsage {
        /// Searches of the web.
        pub web_search_requests: Option<u64>,
        /// Pages fetched.
        pub web_fetch_requests: Option<u64>,
    }

    /// What output tokens were for (2.1.325).
    pub struct OutputTokensDetails {
        /// Tokens thought, which count as output.
        pub thinking_tokens: Option<u64>,
    }

    /// The counts of one pass of the API over a message. Declared, not measured.
    pub struct IterationUsage {
        /// `message`, `compaction`, `advisor_message` or `fallback_message`.
        pub r#type: Option<String> = "type",
        /// The model of this pass.
        pub model: Option<String>,
        /// Tokens sent that no cache had.
        pub input_tokens: Option<u64>,
        /// Tokens answered.
        pub output_tokens: Option<u64>,
        /// Tokens written to the cache.
        pub cache_creation_input_tokens: Option<u64>,
        /// Tokens read from the cache.
        pub cache_read_input_tokens: Option<u64>,
        /// How long the written tokens stay in the cache.
        pub cache_creation: Option<CacheCreation>,
    }

    /// Whether a second try on another model was paid for. Declared, not measured.
    pub struct FallbackCredit {
        /// What became of the credit.
        pub status: Option<FallbackCreditStatus>,
    }

    /// What became of a credit. Declared, not measured.
    pub struct FallbackCreditStatus {
        /// `redeemed` or `not_applied`.
        pub r#type: Option<String> = "type",
        /// Why it was not applied.
        pub reason: Option<String>,
        /// What would have to go from the request for it to be applied.
        pub remove_to_redeem: Option<Vec<String>>,
    }

    /// Tokens and cost of one model, subagents and internal calls included. In `modelUsage` of a `result` a running
    /// total of the session (as in the transcript's `cost-state`), which goes on over a resume since 2.1.325 (2.1.38
    /// began again at 0) and is reset by `/clear`.
    pub struct ModelUsage {
        /// Tokens sent that no cache had.
        pub input_tokens: Option<u64> = "inputTokens",
        /// Tokens answered.
        pub output_tokens: Option<u64> = "outputTokens",
        /// Tokens thought, counted in `output_tokens` too (2.1.325).
        pub thinking_tokens: Option<u64> = "thinkingTokens",
        /// Tokens read from the cache.
        pub cache_read_input_tokens: Option<u64> = "cacheReadInputTokens",
        /// Tokens written to the cache.
        pub cache_creation_input_tokens: Option<u64> = "cacheCreationInputTokens",
        /// Those of them that stay five minutes (2.1.325).
        pub cache_creation_ephemeral_5m_input_tokens: Option<u64> = "cacheCreationEphemeral5mInputTokens",
        /// Those of them that stay an hour (2.1.325).
        pub cache_creation_ephemeral_1h_input_tokens: Option<u64> = "cacheCreationEphemeral1hInputTokens",
        /// Searches of the web.
        pub web_search_requests: Option<u64> = "webSearchRequests",
        /// An estimate in US dollars. One of the older documents spells it `costUsd`.
        pub cost_usd: Option<f64> = "costUSD" | "costUsd",
        /// The size of the model's context in tokens.
        pub context_window: Option<u64> = "contextWindow",
        /// The most tokens the model may answer (2.1.38, 2.1.325).
        pub max_output_tokens: Option<u64> = "maxOutputTokens",
        /// The id under which the price was looked up (2.1.325).
        pub canonical_model: Option<String> = "canonicalModel",
        /// Who served the model, for example `firstParty` or `bedrock` (2.1.325).
        pub provider: Option<String>,
        /// Where the price is from (2.1.325).
        pub cost_basis: Option<CostBasis> = "costBasis",
    }
}

words! {
    /// The class of service of a call of the API.
    pub enum ServiceTier {
        /// The usual one (2.1.1 to 2.1.325).
        Standard = "standard",
        /// With priority. Declared, not measured.
        Priority = "priority",
        /// In a batch. Declared, not measured.
        Batch = "batch",
    }

    /// How fast the model was made to answer (2.1.325).
    pub enum Speed {
        /// As usual (2.1.325).
        Standard = "standard",
        /// Fast mode. Declared, not measured.
        Fast = "fast",
    }

    /// Where the price of a model is from (2.1.325).
    pub enum CostBasis {
        /// The CLI's own list of prices.
        List = "list",
        /// The organization's settings.
        Managed = "managed",
        /// No price is known for this model: the cost is a guess.
        Unknown = "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::ModelUsage;
    use crate::raw::Raw;
    use crate::wire::to_json;

    #[test]
    fn the_cost_is_read_in_both_spellings_and_written_in_the_present_one() {
        let read = |text: &str| Raw::from_text(text).unwrap().read::<ModelUsage>().unwrap().value;
        let expected = ModelUsage { input_tokens: Some(10), cost_usd: Some(0.25), ..ModelUsage::default() };
        assert_eq!(read(r#"{"inputTokens":10,"costUSD":0.25}"#), expected);
        assert_eq!(read(r#"{"inputTokens":10,"costUsd":0.25}"#), expected);
        assert_eq!(to_json(&expected), r#"{"inputTokens":10,"costUSD":0.25}"#);
    }
}
