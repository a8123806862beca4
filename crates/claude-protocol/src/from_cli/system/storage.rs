//! `system` lines about files that the CLI writes, loses, uploads or installs. All declared, none measured.

use crate::ids::SessionId;

message! {
    /// Files were uploaded. Declared, not measured.
    pub struct FilesPersisted {
        /// Those that were.
        pub files: Option<Vec<PersistedFile>>,
        /// Those that were not.
        pub failed: Option<Vec<FailedFile>>,
        /// When, as ISO 8601.
        pub processed_at: Option<String>,
    }

    /// Entries of a mirrored transcript could not be kept and are lost. Declared, not measured.
    pub struct MirrorError {
        /// Why.
        pub error: Option<String>,
        /// Whose entries.
        pub key: Option<MirrorKey>,
    }

    /// The disk was full: lines of a transcript or settings were not saved. At the very end. Declared, not measured.
    pub struct SessionWritesLost {
        /// `ENOSPC` or `EDQUOT`.
        pub error_code: Option<String>,
        /// What was not saved: `transcript`, `global_config`.
        pub lost: Option<Vec<String>>,
        /// The sessions whose transcripts have gaps.
        pub transcript_session_ids: Option<Vec<SessionId>>,
    }

    /// Plugins are being installed. Declared, not measured.
    pub struct PluginInstall {
        /// How it goes.
        pub status: Option<PluginInstallStatus>,
        /// The plugin.
        pub name: Option<String>,
        /// Why it failed.
        pub error: Option<String>,
    }
}

wire! {
    /// A file that was uploaded. Declared, not measured.
    pub struct PersistedFile {
        /// Its name.
        pub filename: Option<String>,
        /// The id that it got.
        pub file_id: Option<String>,
    }

    /// A file that was not uploaded. Declared, not measured.
    pub struct FailedFile {
        /// Its name.
        pub filename: Option<String>,
        /// Why.
        pub error: Option<String>,
    }

    /// Whose entries were lost. Declared, not measured.
    pub struct MirrorKey {
        /// The project.
        pub project_key: Option<String> = "projectKey",
        /// The session.
        pub session_id: Option<SessionId> = "sessionId",
        /// The part of the session, for a subagent.
        pub subpath: Option<String>,
    }
}

words! {
    /// How the installation of plugins goes. Declared, not measured.
    pub enum PluginInstallStatus {
        /// It begins.
        Started = "started",
        /// A plugin is there.
        Installed = "installed",
        /// A plugin could not be installed.
        Failed = "failed",
        /// It is over.
        Completed = "completed",
    }
}
