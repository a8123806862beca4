//! Tools that change where and how the session works, and that report to the user.

use crate::raw::Raw;

wire! {
    /// A git worktree to work in from now on (2.1.325).
    pub struct EnterWorktreeInput {
        /// A name for a new one; the CLI makes one up when absent.
        pub name: Option<String>,
        /// One that exists already.
        pub path: Option<String>,
    }

    /// The session works in a worktree now (2.1.325).
    pub struct EnterWorktreeResult {
        /// Its directory.
        pub worktree_path: Option<String> = "worktreePath",
        /// Its branch.
        pub worktree_branch: Option<String> = "worktreeBranch",
        /// What was done, in words.
        pub message: Option<String>,
    }

    /// The end of work in the worktree (2.1.325).
    pub struct ExitWorktreeInput {
        /// What to do with it: `keep` or `remove`.
        pub action: Option<String>,
        /// Remove it though it has changes.
        pub discard_changes: Option<bool>,
    }

    /// The session is back where it was (2.1.325).
    pub struct ExitWorktreeResult {
        /// What was done with the worktree: `keep` or `remove`.
        pub action: Option<String>,
        /// Where the session came from.
        pub original_cwd: Option<String> = "originalCwd",
        /// Where it is now.
        pub restored_cwd: Option<String> = "restoredCwd",
        /// Was the old directory gone?
        pub original_cwd_missing: Option<bool> = "originalCwdMissing",
        /// The worktree.
        pub worktree_path: Option<String> = "worktreePath",
        /// Its branch.
        pub worktree_branch: Option<String> = "worktreeBranch",
        /// Its tmux session (declared, not measured).
        pub tmux_session_name: Option<String> = "tmuxSessionName",
        /// Changed files that were thrown away.
        pub discarded_files: Option<u64> = "discardedFiles",
        /// Commits that were thrown away.
        pub discarded_commits: Option<u64> = "discardedCommits",
        /// What was done, in words.
        pub message: Option<String>,
    }

    /// A setting of the CLI to read or write (declared for 2.1.1 to 2.1.38, where it was not enabled).
    pub struct ConfigInput {
        /// The setting.
        pub setting: String,
        /// Its new value: a string, a boolean or a number. Absent to read it.
        pub value: Option<Raw>,
    }

    /// The setting (not measured).
    pub struct ConfigResult {
        /// Did it work?
        pub success: Option<bool>,
        /// `get` or `set`.
        pub operation: Option<String>,
        /// The setting.
        pub setting: Option<String>,
        /// Its value.
        pub value: Option<Raw>,
        /// Its value before.
        pub previous_value: Option<Raw> = "previousValue",
        /// Its value now.
        pub new_value: Option<Raw> = "newValue",
        /// Why it did not work.
        pub error: Option<String>,
    }

    /// What a review found (2.1.325).
    pub struct ReportFindingsInput {
        /// The effort of the review.
        pub level: Option<String>,
        /// The findings.
        pub findings: Option<Vec<Finding>>,
    }

    /// What a review found, as shown to the user (2.1.325).
    pub struct ReportFindingsResult {
        /// How many findings.
        pub count: Option<u64>,
        /// The effort of the review.
        pub level: Option<String>,
        /// The findings.
        pub findings: Option<Vec<Finding>>,
    }

    /// A finding of a review.
    pub struct Finding {
        /// The file.
        pub file: Option<String>,
        /// The line.
        pub line: Option<u64>,
        /// What is wrong.
        pub summary: Option<String>,
        /// The same in a few words.
        pub short_summary: Option<String>,
        /// How it goes wrong.
        pub failure_scenario: Option<String>,
        /// Its kind.
        pub category: Option<String>,
        /// `CONFIRMED` or `PLAUSIBLE`.
        pub verdict: Option<String>,
        /// `fixed`, `skipped` or `no_change_needed` (declared, not measured).
        pub outcome: Option<String>,
    }

    /// A notification to the user's devices (declared, not measured).
    pub struct PushNotificationInput {
        /// The text.
        pub message: Option<String>,
        /// `proactive`, if anything.
        pub status: Option<String>,
    }

    /// Whether the user was notified (declared, not measured).
    pub struct PushNotificationResult {
        /// The text.
        pub message: Option<String>,
        /// Was it sent to the user's devices?
        pub push_sent: Option<bool> = "pushSent",
        /// Was it shown on this machine?
        pub local_sent: Option<bool> = "localSent",
        /// Why not: `config_off`, `user_present` or `no_transport`.
        pub disabled_reason: Option<String> = "disabledReason",
        /// When.
        pub sent_at: Option<String> = "sentAt",
    }
}
