//! What the session cost, and how much of the plan is used: the answer to `get_usage`, and the report of `/usage`.

use std::collections::BTreeMap;

use crate::usage::ModelUsage;

wire! {
    /// The answer to `get_usage` (2.1.325).
    pub struct UsageAnswer {
        /// The session so far.
        pub session: Option<SessionUsage>,
        /// The plan; null with an API key.
        pub subscription_type: Option<String>,
        /// Does the plan have limits?
        pub rate_limits_available: Option<bool>,
        /// The limits; null if there are none (declared, only null was measured).
        pub rate_limits: Option<PlanLimits>,
        /// What uses up the plan, by the transcripts of this machine (declared, only null was measured).
        pub behaviors: Option<Behaviors>,
    }

    /// What `/usage` shows, on the `assistant` line that brings its text; for subscribers only. Declared as an
    /// experiment, not measured.
    pub struct UsageReport {
        /// The session so far.
        pub session: Option<SessionUsage>,
        /// The plan; null when it could not be asked.
        pub rate_limits: Option<PlanUsage>,
    }

    /// The session so far.
    pub struct SessionUsage {
        /// An estimate in US dollars.
        pub total_cost_usd: Option<f64>,
        /// Milliseconds spent in calls of the API.
        pub total_api_duration_ms: Option<f64>,
        /// Milliseconds since the session began.
        pub total_duration_ms: Option<f64>,
        /// Lines of files that were added.
        pub total_lines_added: Option<u64>,
        /// Lines of files that were removed.
        pub total_lines_removed: Option<u64>,
        /// Tokens and cost by model.
        pub model_usage: Option<BTreeMap<String, ModelUsage>>,
    }

    /// How much of each window of the plan is used.
    pub struct PlanLimits {
        /// Five hours.
        pub five_hour: Option<PlanWindow>,
        /// Seven days.
        pub seven_day: Option<PlanWindow>,
        /// Seven days, for other programs.
        pub seven_day_oauth_apps: Option<PlanWindow>,
        /// Seven days of Opus.
        pub seven_day_opus: Option<PlanWindow>,
        /// Seven days of Sonnet.
        pub seven_day_sonnet: Option<PlanWindow>,
        /// Seven days of other models.
        pub model_scoped: Option<Vec<ModelWindow>>,
        /// What may be used beyond the plan.
        pub extra_usage: Option<ExtraUsage>,
    }

    /// A window of the plan.
    pub struct PlanWindow {
        /// How much is used, from 0 to 100.
        pub utilization: Option<f64>,
        /// When it begins anew, as an ISO time.
        pub resets_at: Option<String>,
    }

    /// A window of the plan for one model.
    pub struct ModelWindow {
        /// The model's name for people.
        pub display_name: Option<String>,
        /// How much is used, from 0 to 100.
        pub utilization: Option<f64>,
        /// When it begins anew, as an ISO time.
        pub resets_at: Option<String>,
    }

    /// What the plan has used. Declared, not measured.
    pub struct PlanUsage {
        /// The meters as the server sent them, in its order; null when it sent none.
        pub limits: Option<Vec<UsageLimit>>,
        /// Spending beyond the plan.
        pub extra_usage: Option<ExtraUsage>,
    }

    /// A meter of the plan. Declared, not measured.
    pub struct UsageLimit {
        /// Which meter, for example `session` or `weekly_all`.
        pub kind: Option<String>,
        /// The group to show it in.
        pub group: Option<String>,
        /// How much is used up, 0 to 100.
        pub percent: Option<f64>,
        /// When it starts again, as ISO 8601.
        pub resets_at: Option<String>,
        /// What it is for, if not for everything.
        pub scope: Option<UsageScope>,
        /// How bad it is, for example `normal` or `critical`.
        pub severity: Option<String>,
        /// Is this the one to show when there is room for one only?
        pub is_active: Option<bool>,
    }

    /// What a meter is for. Declared, not measured.
    pub struct UsageScope {
        /// A model.
        pub model: Option<UsageScopeName>,
        /// A product.
        pub surface: Option<UsageScopeName>,
    }

    /// The name of what a meter is for. Declared, not measured.
    pub struct UsageScopeName {
        /// For people.
        pub display_name: Option<String>,
    }

    /// What may be used beyond the plan. Amounts are in the smallest unit of the currency (cents). Declared, not
    /// measured.
    pub struct ExtraUsage {
        /// Is it turned on?
        pub is_enabled: Option<bool>,
        /// The most in a month.
        pub monthly_limit: Option<f64>,
        /// What is spent.
        pub used_credits: Option<f64>,
        /// How much of the limit is spent, from 0 to 100.
        pub utilization: Option<f64>,
        /// The currency.
        pub currency: Option<String>,
    }

    /// What uses up the plan.
    pub struct Behaviors {
        /// The last 24 hours.
        pub day: Option<BehaviorWindow>,
        /// The last seven days.
        pub week: Option<BehaviorWindow>,
    }

    /// What used up the plan in a span of time.
    pub struct BehaviorWindow {
        /// Calls of the API.
        pub request_count: Option<u64>,
        /// Sessions.
        pub session_count: Option<u64>,
        /// Habits; they overlap.
        pub behaviors: Option<Vec<Behavior>>,
        /// What to do about it, the largest share first.
        pub recommendations: Option<Vec<Recommendation>>,
        /// What can be done at once.
        pub fix: Option<BehaviorFix>,
        /// By subagent.
        pub agents: Option<Vec<Share>>,
        /// By skill.
        pub skills: Option<Vec<Share>>,
        /// By plugin.
        pub plugins: Option<Vec<Share>>,
        /// By MCP server.
        pub mcp_servers: Option<Vec<Share>>,
    }

    /// A habit.
    pub struct Behavior {
        /// For example `cache_miss`, `long_context`, `subagent_heavy`.
        pub key: Option<String>,
        /// Its share, from 0 to 100.
        pub pct: Option<f64>,
        /// Calls of the API that show it.
        pub count: Option<u64>,
    }

    /// Something to do.
    pub struct Recommendation {
        /// The habit or the kind of source it is about.
        pub key: Option<String>,
        /// The share it is about, from 0 to 100.
        pub pct: Option<f64>,
        /// What to do.
        pub title: Option<String>,
        /// Why, or how.
        pub detail: Option<String>,
    }

    /// What can be done at once.
    pub struct BehaviorFix {
        /// The recommendations it covers.
        pub keys: Option<Vec<String>>,
        /// Prompts to send, one after the other.
        pub messages: Option<Vec<String>>,
    }

    /// Something and its share.
    pub struct Share {
        /// What.
        pub name: Option<String>,
        /// Its share, from 0 to 100.
        pub pct: Option<f64>,
    }
}
