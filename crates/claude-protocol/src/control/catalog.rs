//! What a session has to offer: commands, agents, models, plugins, the account. Told in the answer to `initialize`, and
//! again on `system` lines.

wire! {
    /// A slash command or a skill.
    pub struct SlashCommand {
        /// Its name, without the slash.
        pub name: String,
        /// What it does.
        pub description: Option<String>,
        /// What may follow it, for example `[<target>]`; empty if nothing does.
        pub argument_hint: Option<String> = "argumentHint",
        /// Other names of it (2.1.325).
        pub aliases: Option<Vec<String>>,
        /// Is it the CLI's own? (2.1.325)
        pub builtin: Option<bool>,
        /// The plugin it comes from (declared, not measured).
        pub plugin: Option<String>,
    }

    /// A kind of subagent (2.1.325).
    pub struct AgentInfo {
        /// Its name, the value of `subagent_type`.
        pub name: String,
        /// What it is for.
        pub description: Option<String>,
        /// Its model; `inherit` for that of the main agent.
        pub model: Option<String>,
    }

    /// A model to choose from.
    pub struct ModelInfo {
        /// What `set_model` takes.
        pub value: Option<String>,
        /// The full name that `value` stands for (2.1.325).
        pub resolved_model: Option<String> = "resolvedModel",
        /// Its name for people.
        pub display_name: Option<String> = "displayName",
        /// What it is good for, and its price.
        pub description: Option<String>,
        /// Can it be told how hard to think? (2.1.325)
        pub supports_effort: Option<bool> = "supportsEffort",
        /// How hard (2.1.325).
        pub supported_effort_levels: Option<Vec<EffortLevel>> = "supportedEffortLevels",
        /// Does it decide by itself how long to think? (2.1.325)
        pub supports_adaptive_thinking: Option<bool> = "supportsAdaptiveThinking",
        /// Has it a fast mode? (2.1.325)
        pub supports_fast_mode: Option<bool> = "supportsFastMode",
        /// Can it be used in auto mode? (2.1.325)
        pub supports_auto_mode: Option<bool> = "supportsAutoMode",
        /// Can thinking be turned off? (2.1.325)
        pub supports_thinking_off: Option<bool> = "supportsThinkingOff",
        /// Shown, but not to be chosen (declared, not measured).
        pub disabled: Option<bool>,
        /// The price without the present discount (declared, not measured).
        pub promo_list_price: Option<String> = "promoListPrice",
    }

    /// A plugin (2.1.325).
    pub struct Plugin {
        /// Its name.
        pub name: String,
        /// Where it is, or `builtin`.
        pub path: Option<String>,
        /// Its name and marketplace, `name@marketplace`.
        pub source: Option<String>,
        /// Its version, as its author wrote it. Declared, not measured.
        pub version: Option<String>,
    }

    /// Who pays.
    pub struct Account {
        /// The user.
        pub email: Option<String>,
        /// The organization.
        pub organization: Option<String>,
        /// The plan.
        pub subscription_type: Option<String> = "subscriptionType",
        /// Where the login comes from; `none` with an API key.
        pub token_source: Option<String> = "tokenSource",
        /// Where the API key comes from.
        pub api_key_source: Option<ApiKeySource> = "apiKeySource",
        /// Whose API it is: `firstParty`, `bedrock`, `vertex`, … (2.1.325).
        pub api_provider: Option<String> = "apiProvider",
    }
}

words! {
    /// How hard a model thinks.
    pub enum EffortLevel {
        /// Hardly.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Hard.
        High = "high",
        /// Harder (not in 2.1.38).
        XHigh = "xhigh",
        /// As hard as it can (not in 2.1.38).
        Max = "max",
    }

    /// Where the API key is from. The words `user`, `project`, `org`, `temporary` and `oauth` are declared as words of
    /// the past.
    pub enum ApiKeySource {
        /// The environment (2.1.1 to 2.1.325).
        Environment = "ANTHROPIC_API_KEY",
        /// The command from the settings. Declared, not measured.
        Helper = "apiKeyHelper",
        /// A login at the console. Declared, not measured.
        LoginManagedKey = "/login managed key",
        /// There is none: a subscription, a token, or another provider (2.1.325).
        None = "none",
    }

    /// Fast mode.
    pub enum FastModeState {
        /// Off (2.1.38, 2.1.325).
        Off = "off",
        /// On, but resting after a limit. Declared, not measured.
        Cooldown = "cooldown",
        /// On. Declared, not measured.
        On = "on",
    }

    /// Why fast mode cannot be used. Declared, not measured, where it does not say otherwise.
    pub enum FastModeDisabledReason {
        /// The plan is free.
        Free = "free",
        /// The user turned it off.
        Preference = "preference",
        /// Usage beyond the plan is off.
        ExtraUsageDisabled = "extra_usage_disabled",
        /// It could not be asked for.
        NetworkError = "network_error",
        /// Nobody knows.
        Unknown = "unknown",
        /// The model is served by somebody else.
        NotFirstParty = "not_first_party",
        /// An environment variable turned it off.
        DisabledByEnv = "disabled_by_env",
        /// The model has none.
        ModelNotAllowed = "model_not_allowed",
        /// The host has to turn it on (2.1.325).
        SdkOptInRequired = "sdk_opt_in_required",
        /// Not known yet.
        Pending = "pending",
    }
}
