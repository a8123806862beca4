//! Answers that fill whole dialogs: status, plan, changes, memory, skills, export (2.1.325; undeclared).

use crate::tool::edit::Hunk;

wire! {
    /// What `/status` shows.
    pub struct StatusDialog {
        /// Its parts.
        pub sections: Option<Vec<StatusSection>>,
    }

    /// A part of the status.
    pub struct StatusSection {
        /// Its heading.
        pub title: Option<String>,
        /// Its lines.
        pub rows: Option<Vec<StatusRow>>,
    }

    /// A line of the status.
    pub struct StatusRow {
        /// What it is about.
        pub label: Option<String>,
        /// What it says.
        pub value: Option<String>,
    }

    /// The plan of plan mode.
    pub struct Plan {
        /// Is there one?
        pub exists: Option<bool>,
        /// Its text.
        pub content: Option<String>,
        /// Its file.
        pub path: Option<String>,
    }

    /// The conversation as a text.
    pub struct ExportedConversation {
        /// The text.
        pub text: Option<String>,
        /// A name for the file.
        pub default_filename: Option<String>,
    }

    /// What has changed in the workspace.
    pub struct WorkspaceDiff {
        /// The changes; null if there are none to be had.
        pub diff: Option<Diff>,
        /// Why not, for example `no-repository`.
        pub no_diff_reason: Option<String> = "noDiffReason",
    }

    /// Changes.
    pub struct Diff {
        /// In numbers.
        pub stats: Option<DiffStats>,
        /// By file.
        pub per_file_stats: Option<Vec<FileStats>> = "perFileStats",
        /// What was left out.
        pub omitted: Option<OmittedFiles>,
        /// The changed lines, by file.
        pub hunks: Option<Vec<FileHunks>>,
        /// Files that were too large.
        pub skipped_large: Option<Vec<String>> = "skippedLarge",
        /// Files that may not be shown.
        pub restricted: Option<Vec<String>>,
        /// Against what: the working tree's state, or a branch.
        pub source: Option<DiffSource>,
    }

    /// Changes in numbers.
    pub struct DiffStats {
        /// Files.
        pub files_count: Option<u64> = "filesCount",
        /// Lines.
        pub lines_added: Option<u64> = "linesAdded",
        /// Lines.
        pub lines_removed: Option<u64> = "linesRemoved",
    }

    /// The changes of a file in numbers.
    pub struct FileStats {
        /// The file.
        pub path: Option<String>,
        /// Lines.
        pub added: Option<u64>,
        /// Lines.
        pub removed: Option<u64>,
        /// Is it no text?
        pub is_binary: Option<bool> = "isBinary",
        /// Does git not know it?
        pub is_untracked: Option<bool> = "isUntracked",
        /// `added`, `modified`, `removed`, `renamed` or `copied`.
        pub status: Option<String>,
        /// Its name before.
        pub previous_path: Option<String> = "previousPath",
        /// Its name now.
        pub new_path: Option<String> = "newPath",
    }

    /// Files that were left out.
    pub struct OmittedFiles {
        /// How many.
        pub files: Option<u64>,
        /// Is that exact?
        pub exact: Option<bool>,
    }

    /// The changed lines of a file.
    pub struct FileHunks {
        /// The file.
        pub path: Option<String>,
        /// The pieces.
        pub hunks: Option<Vec<Hunk>>,
    }

    /// Against what the changes are.
    pub struct DiffSource {
        /// `working-tree` or `branch`.
        pub kind: Option<String>,
        /// The branch.
        pub base_branch: Option<String> = "baseBranch",
        /// The commit.
        pub base_ref: Option<String> = "baseRef",
    }

    /// What `/memory` shows.
    pub struct MemoryDialog {
        /// Instruction files.
        pub files: Option<Vec<MemoryFileEntry>>,
        /// Folders of memories.
        pub folders: Option<Vec<MemoryFolder>>,
        /// Memories.
        pub memories: Option<Vec<Memory>>,
        /// Does the CLI write memories by itself?
        pub auto_memory: Option<MemorySwitch>,
        /// Does the CLI tidy them by itself?
        pub auto_dream: Option<MemorySwitch>,
    }

    /// An instruction file.
    pub struct MemoryFileEntry {
        /// `user`, `project`, `project-alt`, `local` or `other`.
        pub kind: Option<String>,
        /// The file.
        pub path: Option<String>,
        /// Its name for people.
        pub label: Option<String>,
        /// What it is for.
        pub description: Option<String>,
        /// Is it there?
        pub exists: Option<bool>,
    }

    /// A folder of memories.
    pub struct MemoryFolder {
        /// `auto`, `team` or `agent`.
        pub kind: Option<String>,
        /// The folder.
        pub path: Option<String>,
        /// Its name for people.
        pub label: Option<String>,
        /// What it is for.
        pub description: Option<String>,
    }

    /// A memory.
    pub struct Memory {
        /// Its name.
        pub name: Option<String>,
        /// Its file.
        pub path: Option<String>,
        /// What it is about.
        pub description: Option<String>,
        /// `user`, `feedback`, `project` or `reference`.
        pub r#type: Option<String> = "type",
        /// When it was last changed, in Unix milliseconds.
        pub modified_ms: Option<f64>,
    }

    /// Something of the memory that can be turned on and off.
    pub struct MemorySwitch {
        /// Is it offered at all?
        pub shown: Option<bool>,
        /// Is it on?
        pub enabled: Option<bool>,
        /// Can the user change it?
        pub toggleable: Option<bool>,
        /// How it is, in words.
        pub status: Option<String>,
        /// More words.
        pub detail: Option<String>,
    }

    /// What `/skills` shows.
    pub struct SkillsDialog {
        /// The skills.
        pub skills: Option<Vec<SkillEntry>>,
    }

    /// A skill.
    pub struct SkillEntry {
        /// Its name.
        pub name: Option<String>,
        /// Its name for people.
        pub display_name: Option<String>,
        /// What it does.
        pub description: Option<String>,
        /// Where it is from.
        pub source: Option<String>,
        /// Its tokens in the context.
        pub tokens: Option<u64>,
        /// `on`, `name-only`, `user-invocable-only` or `off`.
        pub state: Option<String>,
        /// Who keeps it from being changed.
        pub locked_by: Option<String>,
        /// Is the model told of it?
        pub advertised: Option<bool>,
        /// Its names.
        pub handles: Option<SkillHandles>,
    }

    /// The names of a skill.
    pub struct SkillHandles {
        /// Without its plugin.
        pub unqualified_name: Option<String>,
        /// Others.
        pub aliases: Option<Vec<String>>,
        /// True if the short name belongs to something else.
        pub bare_name_reserved: Option<bool>,
    }
}
