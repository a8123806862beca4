//! Tools that change files, and the diff that their results carry.

wire! {
    /// One replacement in a file (2.1.1 to 2.1.325).
    pub struct EditInput {
        /// The file.
        pub file_path: String,
        /// The text to replace; empty to make a new file.
        pub old_string: String,
        /// The text to put in its place.
        pub new_string: String,
        /// Replace every occurrence?
        pub replace_all: Option<bool>,
    }

    /// Several replacements in a file. Gone before 2.1.1; from one of the older documents.
    pub struct MultiEditInput {
        /// The file.
        pub file_path: String,
        /// The replacements, done in order.
        pub edits: Vec<SingleEdit>,
    }

    /// One of several replacements.
    pub struct SingleEdit {
        /// The text to replace.
        pub old_string: String,
        /// The text to put in its place.
        pub new_string: String,
        /// Replace every occurrence?
        pub replace_all: Option<bool>,
    }

    /// A file was edited (2.1.1 to 2.1.325).
    pub struct EditResult {
        /// The file.
        pub file_path: Option<String> = "filePath",
        /// The text that was replaced.
        pub old_string: Option<String> = "oldString",
        /// The text that took its place: the host's, when the host changed the input.
        pub new_string: Option<String> = "newString",
        /// The replacements of a `MultiEdit`; not measured.
        pub edits: Option<Vec<SingleEdit>>,
        /// The whole file before the edit, so it can be megabytes; null for a new one.
        pub original_file: Option<String> = "originalFile" | "originalFileContents",
        /// The change as hunks of a diff.
        pub structured_patch: Option<Vec<Hunk>> = "structuredPatch",
        /// Said to tell whether the user changed the input, but false even then: compare the inputs.
        pub user_modified: Option<bool> = "userModified",
        /// Was every occurrence replaced?
        pub replace_all: Option<bool> = "replaceAll",
        /// The model has not seen the file's content (2.1.325).
        pub content_not_in_model_context: Option<bool> = "contentNotInModelContext",
        /// Had the file changed since the model read it, and the edit fitted all the same (2.1.233, 2.1.325)?
        pub stale_recovered: Option<bool> = "staleRecovered",
        /// The change as git sees it (declared, not measured).
        pub git_diff: Option<GitDiff> = "gitDiff",
        /// Is the change only staged (declared, not measured)?
        pub staged: Option<bool>,
    }

    /// A run of changed lines with the lines around it.
    pub struct Hunk {
        /// The first line in the old file, from 1.
        pub old_start: u64 = "oldStart",
        /// How many lines of the old file.
        pub old_lines: u64 = "oldLines",
        /// The first line in the new file, from 1.
        pub new_start: u64 = "newStart",
        /// How many lines of the new file.
        pub new_lines: u64 = "newLines",
        /// The lines, each with ` `, `-`, `+` or `\` (no newline at the end of the file) in front.
        pub lines: Vec<String>,
    }

    /// A change as git sees it (declared, not measured).
    pub struct GitDiff {
        /// The file, from the repository's root.
        pub filename: Option<String>,
        /// `modified` or `added`.
        pub status: Option<String>,
        /// Lines added.
        pub additions: Option<u64>,
        /// Lines removed.
        pub deletions: Option<u64>,
        /// Lines changed in all.
        pub changes: Option<u64>,
        /// The diff as text.
        pub patch: Option<String>,
        /// The repository, `owner/name`.
        pub repository: Option<String>,
    }

    /// A file to write (2.1.1 to 2.1.325).
    pub struct WriteInput {
        /// The file.
        pub file_path: String,
        /// All of its new content.
        pub content: String,
    }

    /// A file was written (2.1.1 to 2.1.325).
    pub struct WriteResult {
        /// Is the file new?
        pub r#type: Option<WriteKind> = "type",
        /// The file.
        pub file_path: Option<String> = "filePath",
        /// Its content now.
        pub content: Option<String>,
        /// The change as hunks of a diff; empty for a new file.
        pub structured_patch: Option<Vec<Hunk>> = "structuredPatch",
        /// Its content before; null for a new file.
        pub original_file: Option<String> = "originalFile",
        /// See [`EditResult::user_modified`] (2.1.325).
        pub user_modified: Option<bool> = "userModified",
        /// The model has not seen the file's content (not measured).
        pub content_not_in_model_context: Option<bool> = "contentNotInModelContext",
        /// The change as git sees it (declared, not measured).
        pub git_diff: Option<GitDiff> = "gitDiff",
        /// Is the change only staged (declared, not measured)?
        pub staged: Option<bool>,
    }

    /// A cell of a notebook to change (2.1.1 to 2.1.325).
    pub struct NotebookEditInput {
        /// The notebook.
        pub notebook_path: String,
        /// The cell; on an insert the one before the new cell, and without it the new one comes first.
        pub cell_id: Option<String>,
        /// The cell's new text.
        pub new_source: Option<String>,
        /// `code` or `markdown`.
        pub cell_type: Option<String>,
        /// `replace` (also when absent), `insert` or `delete`.
        pub edit_mode: Option<String>,
    }

    /// A notebook was changed (2.1.1 to 2.1.325).
    pub struct NotebookEditResult {
        /// The cell's text now.
        pub new_source: Option<String>,
        /// The cell's text before (2.1.325).
        pub old_source: Option<String>,
        /// The cell.
        pub cell_id: Option<String>,
        /// `code` or `markdown`.
        pub cell_type: Option<String>,
        /// The notebook's language.
        pub language: Option<String>,
        /// `replace`, `insert` or `delete`.
        pub edit_mode: Option<String>,
        /// Empty when all went well.
        pub error: Option<String>,
        /// The notebook.
        pub notebook_path: Option<String>,
        /// The whole file before, as text.
        pub original_file: Option<String>,
        /// The whole file now, as text.
        pub updated_file: Option<String>,
    }
}

words! {
    /// What writing did.
    pub enum WriteKind {
        /// The file is new.
        Create = "create",
        /// The file was there and has been replaced.
        Update = "update",
        /// The same as `update`, in one of the older documents; never measured.
        Overwrite = "overwrite",
    }
}
