//! Files and memories: what was uploaded, and what was put before the model.

use crate::shape::event;

event! {
    /// Files were uploaded.
    pub struct FilesPersisted {
        /// Those that went well.
        pub files: Vec<PersistedFile>,
        /// Those that did not.
        pub failed: Vec<FailedFile>,
        /// When, as the agent tells it.
        pub processed_at: Option<String>,
    }

    /// A file that was uploaded.
    pub struct PersistedFile {
        /// Its name.
        pub filename: String,
        /// The id that it got.
        pub file_id: Option<String>,
    }

    /// A file that was not.
    pub struct FailedFile {
        /// Its name.
        pub filename: String,
        /// Why.
        pub error: Option<String>,
    }

    /// Memories were put before the model.
    pub struct MemoryRecall {
        /// `select` or `synthesize`.
        pub mode: Option<String>,
        /// The memories.
        pub memories: Vec<RecalledMemory>,
    }

    /// A memory that was put before the model.
    pub struct RecalledMemory {
        /// Where it is from: a file, or a name for a text that was made out of many.
        pub path: Option<String>,
        /// Whose it is: `personal`, `team` or `organization`.
        pub scope: Option<String>,
        /// What it says, where that cannot be read in the file.
        pub content: Option<String>,
    }
}
