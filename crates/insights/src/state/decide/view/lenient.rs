//! The fields of tool inputs and results that a screen shows. Each may be absent, and one that does not fit is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess};

use super::fit::{Fill, Fit, Key};
use super::patch::PatchLines;

/// Declares what is read of an input or a result: fields, and where they are not called so, the keys that they stand under.
macro_rules! lenient {
    ($(
        #[doc = $doc:literal]
        $name:ident { $( $field:ident $(= $($key:literal)|+)?: $type:ty, )* }
    )*) => { $(
        #[doc = $doc]
        #[derive(Default)]
        pub(in crate::state::decide) struct $name {
            $( pub(in crate::state::decide) $field: $type, )*
        }

        impl Fit for $name {
            fn object<'de, A: MapAccess<'de>>(&mut self, mut object: A) -> Result<bool, A::Error> {
                #[allow(non_camel_case_types, reason = "they are the fields")]
                enum Member { $( $field, )* Other }
                fn member(key: &str) -> Member {
                    $( if is_key!(key, $field $(, $($key)|+)?) { return Member::$field } )*
                    Member::Other
                }
                while let Some(member) = object.next_key_seed(Key(member))? {
                    match member {
                        $( Member::$field => _ = object.next_value_seed(Fill(&mut self.$field))?, )*
                        Member::Other => _ = object.next_value::<IgnoredAny>()?,
                    }
                }
                Ok(true)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut read = Self::default();
                Fill(&mut read).deserialize(deserializer)?;
                Ok(read)
            }
        }
    )* };
}

/// Does the key stand for the field?
macro_rules! is_key {
    ($key:ident, $field:ident) => {
        $key == stringify!($field)
    };
    ($key:ident, $field:ident, $($name:literal)|+) => {
        matches!($key, $($name)|+)
    };
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
        replace_all: Flag,
        content: Text,
        edits: Vec<OneEdit>,
    }

    /// One of several edits.
    OneEdit {
        old_string: Text,
        new_string: Text,
        replace_all: Flag,
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

    /// A thing to do, in any form: one of a list, or the input of `TaskCreate`, `TaskUpdate` and `TaskGet`.
    Todo {
        id: Text,
        task_id = "taskId": Text,
        subject = "subject" | "content": Text,
        description: Text,
        status: Text,
        active_form = "activeForm": Text,
        owner: Text,
        blocks: Vec<String>,
        blocked_by = "blockedBy": Vec<String>,
    }

    /// `AskUserQuestion`
    AskInput {
        questions: Vec<AskedQuestion>,
    }

    /// One of the questions.
    AskedQuestion {
        question: Text,
        header: Text,
        multi_select = "multiSelect": Flag,
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
        plan_file_path = "planFilePath": Text,
    }

    /// `Skill`
    SkillInput {
        skill = "skill" | "command": Text,
        args: Text,
    }

    /// What `Bash` gives.
    BashResult {
        stdout: Text,
        stderr: Text,
        interrupted: Flag,
        background_task_id = "backgroundTaskId": Text,
    }

    /// What `Read` gives.
    ReadResult {
        file: ReadFile,
    }

    /// A file that was read.
    ReadFile {
        content: Text,
        num_lines = "numLines": Count,
        start_line = "startLine": Count,
        total_lines = "totalLines": Count,
    }

    /// What `Edit`, `Write` and `MultiEdit` give.
    EditResult {
        kind = "type": Text,
        patch = "structuredPatch": Option<Vec<PatchHunk>>,
        user_modified = "userModified": Flag,
    }

    /// A part of a diff.
    PatchHunk {
        old_start = "oldStart": f64,
        old_lines = "oldLines": f64,
        new_start = "newStart": f64,
        new_lines = "newLines": f64,
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
        num_files = "numFiles": Count,
        num_lines = "numLines": Count,
        num_matches = "numMatches": Count,
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
        new_todos = "newTodos": Option<Vec<Todo>>,
        task: Option<Todo>,
        tasks: Option<Vec<Todo>>,
    }

    /// The answers to questions; in the result, and in the input that an answer changed.
    Answers {
        answers: BTreeMap<String, Answer>,
        annotations: BTreeMap<String, Annotation>,
    }

    /// What is noted beside an answer.
    Annotation {
        notes: Text,
    }

    /// What `ExitPlanMode` gives.
    PlanResult {
        plan: Text,
        file_path = "filePath": Text,
    }
}

/// A search gives words and pages, in one list.
pub(in crate::state::decide) enum WebFinding {
    Words(String),
    Pages(WebPages),
}

impl Default for WebFinding {
    fn default() -> Self {
        WebFinding::Words(String::new())
    }
}

impl Fit for WebFinding {
    fn text(&mut self, text: Cow<'_, str>) -> bool {
        *self = WebFinding::Words(text.into_owned());
        true
    }

    fn object<'de, A: MapAccess<'de>>(&mut self, object: A) -> Result<bool, A::Error> {
        let mut pages = WebPages::default();
        let fits = pages.object(object)?;
        *self = WebFinding::Pages(pages);
        Ok(fits)
    }
}

/// An answer is one word, or several.
#[derive(Default)]
pub(in crate::state::decide) struct Answer(pub(super) Vec<String>);

impl Fit for Answer {
    fn text(&mut self, text: Cow<'_, str>) -> bool {
        self.0 = vec![text.into_owned()];
        true
    }

    fn list<'de, A: SeqAccess<'de>>(&mut self, list: A) -> Result<bool, A::Error> {
        self.0.list(list)
    }
}
