//! The fields of tool inputs and results that a screen shows. Each may be absent; what does not fit is absent as a whole.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::patch::PatchLines;

/// Declares what is read of an input or a result: every field may be absent.
macro_rules! lenient {
    ($(
        #[doc = $doc:literal]
        $name:ident { $( $(#[$meta:meta])* $field:ident: $type:ty, )* }
    )*) => { $(
        #[doc = $doc]
        #[derive(Default, Deserialize)]
        #[serde(default)]
        pub(in crate::state::decide) struct $name {
            $( $(#[$meta])* pub(in crate::state::decide) $field: $type, )*
        }
    )* };
}

type Text = Option<String>;
type Flag = Option<bool>;
/// Counts come as floats from some versions.
type Count = Option<f64>;

lenient! {
    /// `Bash`, and whatever else runs a command.
    BashInput {
        command: Text,
        description: Text,
        run_in_background: Flag,
    }

    /// `Read`
    ReadInput {
        file_path: Text,
        offset: Count,
    }

    /// `Edit`, `Write` and `MultiEdit`
    EditInput {
        file_path: Text,
        old_string: Text,
        new_string: Text,
        content: Text,
        edits: Vec<OneEdit>,
    }

    /// One of several edits.
    OneEdit {
        old_string: Text,
        new_string: Text,
    }

    /// `NotebookEdit`
    NotebookInput {
        notebook_path: Text,
        new_source: Text,
        cell_id: Text,
        cell_type: Text,
        edit_mode: Text,
    }

    /// `Glob` and `Grep`
    SearchInput {
        pattern: Text,
        path: Text,
    }

    /// `WebFetch` and `WebSearch`
    WebInput {
        url: Text,
        prompt: Text,
        query: Text,
    }

    /// `TodoWrite`
    TodoInput {
        todos: Vec<Todo>,
    }

    /// `TaskCreate`, `TaskUpdate` and `TaskGet`: one thing to do.
    TaskInput {
        #[serde(rename = "taskId")]
        task_id: Text,
        #[serde(flatten)]
        todo: Todo,
    }

    /// A thing to do, in either form.
    Todo {
        id: Text,
        #[serde(alias = "content")]
        subject: Text,
        description: Text,
        status: Text,
        #[serde(rename = "activeForm")]
        active_form: Text,
        owner: Text,
        blocks: Vec<String>,
        #[serde(rename = "blockedBy")]
        blocked_by: Vec<String>,
    }

    /// `AskUserQuestion`
    AskInput {
        questions: Vec<AskedQuestion>,
    }

    /// One of the questions.
    AskedQuestion {
        question: Text,
        header: Text,
        #[serde(rename = "multiSelect")]
        multi_select: Flag,
        options: Vec<AskedOption>,
    }

    /// One of the options.
    AskedOption {
        label: Text,
        description: Text,
        preview: Text,
    }

    /// `ExitPlanMode`
    PlanInput {
        plan: Text,
        #[serde(rename = "planFilePath")]
        plan_file_path: Text,
    }

    /// `Skill`
    SkillInput {
        #[serde(alias = "command")]
        skill: Text,
        args: Text,
    }

    /// What `Bash` gives.
    BashResult {
        stdout: Text,
        stderr: Text,
        interrupted: Flag,
        #[serde(rename = "backgroundTaskId")]
        background_task_id: Text,
    }

    /// What `Read` gives.
    ReadResult {
        file: ReadFile,
    }

    /// A file that was read.
    ReadFile {
        content: Text,
        #[serde(rename = "numLines")]
        num_lines: Count,
        #[serde(rename = "startLine")]
        start_line: Count,
        #[serde(rename = "totalLines")]
        total_lines: Count,
    }

    /// What `Edit`, `Write` and `MultiEdit` give.
    EditResult {
        #[serde(rename = "type")]
        kind: Text,
        #[serde(rename = "structuredPatch")]
        patch: Option<Vec<PatchHunk>>,
        #[serde(rename = "userModified")]
        user_modified: Flag,
    }

    /// A part of a diff.
    PatchHunk {
        #[serde(rename = "oldStart")]
        old_start: f64,
        #[serde(rename = "oldLines")]
        old_lines: f64,
        #[serde(rename = "newStart")]
        new_start: f64,
        #[serde(rename = "newLines")]
        new_lines: f64,
        lines: PatchLines,
    }

    /// What `NotebookEdit` gives.
    NotebookResult {
        old_source: Text,
        original_file: Text,
        language: Text,
        cell_id: Text,
        cell_type: Text,
        edit_mode: Text,
        error: Text,
    }

    /// What `Glob` and `Grep` give.
    SearchResult {
        filenames: Vec<String>,
        #[serde(rename = "numFiles")]
        num_files: Count,
        #[serde(rename = "numLines")]
        num_lines: Count,
        #[serde(rename = "numMatches")]
        num_matches: Count,
        mode: Text,
        content: Text,
        truncated: Flag,
    }

    /// What `WebFetch` gives.
    FetchResult {
        result: Text,
        code: Count,
    }

    /// What `WebSearch` gives.
    WebSearchResult {
        results: Vec<WebFinding>,
    }

    /// The pages of one search.
    WebPages {
        content: Vec<WebPage>,
    }

    /// A page.
    WebPage {
        title: Text,
        url: Text,
    }

    /// What the tools for things to do give.
    TodoResult {
        #[serde(rename = "newTodos")]
        new_todos: Option<Vec<Todo>>,
        task: Option<Todo>,
        tasks: Option<Vec<Todo>>,
    }

    /// The answers to questions; in the result, and in the input that an answer changed.
    Answers {
        answers: BTreeMap<String, Answer>,
        annotations: Annotations,
    }

    /// What `ExitPlanMode` gives.
    PlanResult {
        plan: Text,
        #[serde(rename = "filePath")]
        file_path: Text,
    }
}

/// A search gives words and pages, in one list.
#[derive(Deserialize)]
#[serde(untagged)]
pub(in crate::state::decide) enum WebFinding {
    Words(String),
    Pages(WebPages),
}

/// An answer is one word, or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(in crate::state::decide) enum Answer {
    One(String),
    Several(Vec<String>),
    /// Something that no version writes.
    Other(serde::de::IgnoredAny),
}

/// What is noted beside answers, by question.
#[derive(Deserialize)]
#[serde(untagged)]
pub(in crate::state::decide) enum Annotations {
    Told(BTreeMap<String, Annotation>),
    Other(serde::de::IgnoredAny),
}

impl Default for Annotations {
    fn default() -> Self {
        Annotations::Told(BTreeMap::new())
    }
}

/// What is noted beside an answer.
#[derive(Deserialize)]
#[serde(untagged)]
pub(in crate::state::decide) enum Annotation {
    Told {
        notes: String,
    },
    /// A preview alone, or something that no version writes.
    Other(serde::de::IgnoredAny),
}
