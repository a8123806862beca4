//! Tools for later: cron jobs and the next waking.

wire! {
    /// A prompt to send at set times (2.1.325).
    pub struct CronCreateInput {
        /// When: five fields, local time.
        pub cron: String,
        /// What to send.
        pub prompt: Option<String>,
        /// Again and again (also when absent), or once.
        pub recurring: Option<bool>,
        /// Keep it in `.claude/scheduled_tasks.json`, beyond this session.
        pub durable: Option<bool>,
    }

    /// A job: as it was created, or as an element of the list.
    pub struct CronJob {
        /// Its id.
        pub id: Option<String>,
        /// When, as five fields; only in lists.
        pub cron: Option<String>,
        /// When, in words.
        pub human_schedule: Option<String> = "humanSchedule",
        /// What is sent; only in lists.
        pub prompt: Option<String>,
        /// Again and again? Absent in lists for one that runs once.
        pub recurring: Option<bool>,
        /// Does it outlive the session? Absent in lists for one that does.
        pub durable: Option<bool>,
        /// The next time, in milliseconds since 1970, sometimes with a fraction.
        pub next_fire_at: Option<f64> = "nextFireAt",
    }

    /// A job to delete (2.1.325).
    pub struct CronDeleteInput {
        /// The job.
        pub id: String,
    }

    /// A job was deleted.
    pub struct CronDeleteResult {
        /// The job.
        pub id: Option<String>,
        /// Was it the waking of a loop, which has ended with it (declared, not measured)?
        pub ended_loop_wakeup: Option<bool> = "endedLoopWakeup",
    }

    /// A question for the jobs (2.1.325).
    pub struct CronListInput {}

    /// The jobs.
    pub struct CronListResult {
        /// All of them.
        pub jobs: Option<Vec<CronJob>>,
    }

    /// A prompt to send once, in a while (2.1.325).
    pub struct ScheduleWakeupInput {
        /// Seconds from now.
        pub delay_seconds: Option<f64> = "delaySeconds",
        /// Why.
        pub reason: Option<String>,
        /// What to send.
        pub prompt: Option<String>,
        /// Take back all wakings.
        pub stop: Option<bool>,
        /// Do nothing (declared, not measured).
        pub noop: Option<bool>,
    }

    /// The waking is set, or all are taken back.
    pub struct ScheduleWakeupResult {
        /// When, in milliseconds since 1970; 0 when stopped.
        pub scheduled_for: Option<f64> = "scheduledFor",
        /// Seconds from now, within what is allowed.
        pub clamped_delay_seconds: Option<f64> = "clampedDelaySeconds",
        /// Is that another delay than was asked for?
        pub was_clamped: Option<bool> = "wasClamped",
        /// Were the wakings taken back?
        pub stopped: Option<bool>,
        /// How many.
        pub cancelled_wakeups: Option<u64> = "cancelledWakeups",
    }
}
