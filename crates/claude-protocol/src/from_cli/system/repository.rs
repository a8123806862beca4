//! `system` lines about the repository: a command has changed it, or a change went out for review. In the CLI,
//! undeclared.

message! {
    /// A shell command has changed the repository: time to look again (2.1.325, undeclared). What it says is a hint
    /// only.
    pub struct VcsStateChanged {
        /// What kind of change.
        pub kind: Option<VcsChange>,
        /// The branch of a commit or a push, where it is known.
        pub branch: Option<String>,
        /// The directory in which the command ended.
        pub cwd: Option<String>,
    }

    /// A change went out for review, or the session has to do with one that did. May come more than once for the same
    /// change. In the CLI, not measured. All of it is taken from the output of commands, so it can be forged.
    pub struct CodeChangePublished {
        /// Where: `github`, `github-enterprise`, `gitlab`, `bitbucket`, `gerrit`, … An open set.
        pub provider: Option<String>,
        /// The page of the change.
        pub url: Option<String>,
        /// The repository, `owner/name`.
        pub repo: Option<String>,
        /// The number of the pull request, as text.
        pub identifier: Option<String>,
        /// What the session did, for example `created`, `merged` or `pushed`.
        pub action: Option<String>,
        /// The branch that the change is from.
        pub branch: Option<String>,
    }
}

words! {
    /// How a repository was changed. Others may come.
    pub enum VcsChange {
        /// A commit, also by a cherry-pick (2.1.325).
        Commit = "commit",
        /// A push. In the CLI, not measured.
        Push = "push",
        /// A merge. In the CLI, not measured.
        Merge = "merge",
        /// A rebase. In the CLI, not measured.
        Rebase = "rebase",
    }
}
