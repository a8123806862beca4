//! Lines about the account: the login and the limits of the plan.

message! {
    /// The state of a login, at the start (2.1.325, only with the hidden `--enable-auth-status`).
    pub struct AuthStatus {
        /// Is a login under way?
        pub is_authenticating: Option<bool> = "isAuthenticating",
        /// What the login says, line by line.
        pub output: Option<Vec<String>>,
        /// Why it failed. Declared, not measured.
        pub error: Option<String>,
    }

    /// The limits of the plan have changed, for logins with a subscription only (2.1.325).
    pub struct RateLimitEvent {
        /// The limits.
        pub rate_limit_info: Option<Box<RateLimitInfo>>,
    }
}

wire! {
    /// The limits of a subscription (2.1.325).
    pub struct RateLimitInfo {
        /// May requests be made?
        pub status: Option<RateLimitStatus>,
        /// When the window ends, in seconds since 1970.
        pub resets_at: Option<f64> = "resetsAt",
        /// The window that is closest to its limit.
        pub rate_limit_type: Option<RateLimitType> = "rateLimitType",
        /// How much of it is used up, 0 to 1.
        pub utilization: Option<f64>,
        /// The mark that was passed, 0 to 1.
        pub surpassed_threshold: Option<f64> = "surpassedThreshold",
        /// All windows.
        pub unified_windows: Option<RateLimitWindows> = "unifiedWindows",
        /// May requests be made beyond the plan? Declared, not measured.
        pub overage_status: Option<RateLimitStatus> = "overageStatus",
        /// When the window for that ends, in seconds since 1970. Declared, not measured.
        pub overage_resets_at: Option<f64> = "overageResetsAt",
        /// Why no requests can be made beyond the plan, for example `out_of_credits`. Declared, not measured.
        pub overage_disabled_reason: Option<String> = "overageDisabledReason",
        /// Are requests being made beyond the plan?
        pub is_using_overage: Option<bool> = "isUsingOverage",
        /// Is the account beyond the plan? Declared, not measured.
        pub overage_in_use: Option<bool> = "overageInUse",
        /// Has the account turned that on? Declared, not measured.
        pub overage_enabled: Option<bool> = "overageEnabled",
        /// What shares the limit, if it is a shared one: `service`, `channel` or `group_pool`. Declared, not measured.
        pub limit_scope: Option<String> = "limitScope",
        /// `credits_required` when credits have to be bought. Declared, not measured.
        pub error_code: Option<String> = "errorCode",
        /// May the user buy credits? Declared, not measured.
        pub can_user_purchase_credits: Option<bool> = "canUserPurchaseCredits",
        /// Is there a means of payment? Declared, not measured.
        pub has_chargeable_saved_payment_method: Option<bool> = "hasChargeableSavedPaymentMethod",
        /// Is the day's share used up? In the CLI's code, not measured.
        pub daily_cap_paused: Option<bool> = "dailyCapPaused",
        /// Is the limit not enforced for now? In the CLI's code, not measured.
        pub rate_limit_grace_active: Option<bool> = "rateLimitGraceActive",
        /// Use beyond the plan this month. In the CLI's code, not measured.
        pub overage_period_monthly: Option<OveragePeriod> = "overagePeriodMonthly",
        /// Use beyond the plan of the channel. In the CLI's code, not measured.
        pub overage_period_channel: Option<OveragePeriod> = "overagePeriodChannel",
        /// Another model could be used instead; only in transcripts (2.1.325).
        pub unified_rate_limit_fallback_available: Option<bool> = "unifiedRateLimitFallbackAvailable",
        /// Credits that are offered for sale. In the CLI's code, not measured.
        pub usage_credit_offer: Option<UsageCreditOffer> = "usageCreditOffer",
        /// Whether the administrator can be asked for more. In the CLI's code, not measured.
        pub admin_request_offer: Option<AdminRequestOffer> = "adminRequestOffer",
    }

    /// How much is used beyond the plan. In the CLI's code (2.1.325), not measured.
    pub struct OveragePeriod {
        /// How much of what is allowed, 0 to 1.
        pub utilization: Option<f64>,
    }

    /// Credits that are offered for sale. In the CLI's code (2.1.325), not measured.
    pub struct UsageCreditOffer {
        /// `pct_off` or `extra_credit`.
        pub kind: Option<String>,
        /// The percentage.
        pub headline_pct: Option<f64> = "headlinePct",
        /// Days that are left.
        pub days_left: Option<f64> = "daysLeft",
        /// The offer as text.
        pub label: Option<String>,
    }

    /// Whether the administrator can be asked for more. In the CLI's code (2.1.325), not measured.
    pub struct AdminRequestOffer {
        /// For example `can_ask`.
        pub state: Option<String>,
        /// The button's text.
        pub label: Option<String>,
        /// The button's text afterwards.
        pub done_label: Option<String> = "doneLabel",
        /// Is the user to be asked first?
        pub confirm: Option<bool>,
        /// How to ask.
        pub confirm_prompt: Option<String> = "confirmPrompt",
        /// Did the last request fail?
        pub last_file_failed: Option<bool> = "lastFileFailed",
        /// The number of this state.
        pub revision: Option<u64>,
    }

    /// The windows of the plan (2.1.325).
    pub struct RateLimitWindows {
        /// The last five hours.
        pub five_hour: Option<RateLimitWindow>,
        /// The last seven days. In the CLI, not measured.
        pub seven_day: Option<RateLimitWindow>,
        /// The last seven days, with what was used beyond the plan. In the CLI, not measured.
        pub seven_day_overage_included: Option<RateLimitWindow>,
    }

    /// A window of the plan (2.1.325).
    pub struct RateLimitWindow {
        /// How much is used up, 0 to 1.
        pub utilization: Option<f64>,
        /// When it ends, in seconds since 1970.
        pub resets_at: Option<f64> = "resetsAt",
        /// May requests be made? In the CLI, not measured.
        pub status: Option<RateLimitStatus>,
        /// The mark that was passed, 0 to 1.
        pub surpassed_threshold: Option<f64> = "surpassedThreshold",
    }
}

words! {
    /// May requests be made?
    pub enum RateLimitStatus {
        /// Yes. Declared, not measured.
        Allowed = "allowed",
        /// Yes, but the limit is near (2.1.325).
        AllowedWarning = "allowed_warning",
        /// No. Declared, not measured.
        Rejected = "rejected",
    }

    /// A limit of the plan. Declared, not measured, where it does not say otherwise.
    pub enum RateLimitType {
        /// The last five hours (2.1.325).
        FiveHour = "five_hour",
        /// The last seven days.
        SevenDay = "seven_day",
        /// The last seven days, Opus only.
        SevenDayOpus = "seven_day_opus",
        /// The last seven days, Sonnet only.
        SevenDaySonnet = "seven_day_sonnet",
        /// The last seven days, with what was used beyond the plan.
        SevenDayOverageIncluded = "seven_day_overage_included",
        /// Beyond the plan.
        Overage = "overage",
    }
}
