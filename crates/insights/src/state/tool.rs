//! Tool calls and subagents as a screen shows them: what was asked, how far it is, what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ask::Question;
use super::clip::Clip;
use super::item::ImageRef;
use super::lines::Lines;
use crate::event::ask::FOR_THIS_SESSION;
use crate::event::task::TodoTask;
use crate::event::tool::ToolKind;
use crate::shape::{Field, names, state};
use crate::time::UnixMillis;

state! {
    /// A call of a tool.
    pub struct ToolItem {
        /// The tool, by its own name.
        pub name: String,
        /// What kind of work it does. Not `kind`: that is which item it is.
        pub tool_kind: ToolKind,
        /// A line for people: the description, the path, the pattern.
        pub title: String,
        /// How far it is.
        pub status: ToolStatus,
        /// The input as JSON text, as the model wrote it; grows while it is written.
        pub input: Clip,
        /// What the tool does and gave, by kind.
        pub view: ToolView,
        /// The pictures in the result.
        pub images: Vec<ImageRef>,
        /// How many more there are, for which there was no room.
        pub more_images: Option<u64>,
        /// What went wrong.
        pub error: Option<Clip>,
        /// The paths that it is about.
        pub locations: Arc<[String]>,
        /// Who decided about it.
        pub decision: Option<Decision>,
        /// How long it has run, as the agent says.
        pub elapsed_seconds: Option<f64>,
        /// When it ended.
        pub ended_at: Option<UnixMillis>,
        /// The task, if it runs in the background or takes long.
        pub task_id: Option<String>,
        /// A few words about what it did.
        pub summary: Option<String>,
    }

    /// Who decided about a call, and how.
    pub struct Decision {
        /// How.
        pub outcome: DecisionOutcome,
        /// Who: a person or device, `rule`, `hook`, …
        pub by: Option<String>,
        /// When.
        pub at: UnixMillis,
        /// What was said with a refusal.
        pub message: Option<String>,
        /// Was the input changed before it ran?
        pub edited: bool,
        /// What is remembered, in words.
        pub remembered: Vec<String>,
    }

    /// A subagent: a call of the agent tool, or a command that runs as one.
    pub struct AgentItem {
        /// The tool, or the command.
        pub name: String,
        /// The kind of the subagent.
        pub agent_type: Option<String>,
        /// What it is to do.
        pub description: String,
        /// The input as JSON text; grows while it is written.
        pub input: Clip,
        /// What it is told.
        pub prompt: Clip,
        /// How far it is.
        pub status: ToolStatus,
        /// Does it run in the background?
        pub background: bool,
        /// Its id, for going on with it.
        pub agent_id: Option<String>,
        /// Its task, for stopping it.
        pub task_id: Option<String>,
        /// The model.
        pub model: Option<String>,
        /// Its last words.
        pub result: Option<Clip>,
        /// What went wrong.
        pub error: Option<Clip>,
        /// Who decided about it.
        pub decision: Option<Decision>,
        /// Tokens that it used.
        pub tokens: Option<u64>,
        /// Tools that it called.
        pub tool_uses: Option<u64>,
        /// How long it took.
        pub duration_ms: Option<f64>,
        /// The tool that it called last.
        pub last_tool: Option<String>,
        /// Why it waits: its call of the model failed and will be made again.
        pub retry: Option<String>,
        /// When it ended.
        pub ended_at: Option<UnixMillis>,
    }

    /// A part of a diff.
    pub struct Hunk {
        /// The first line before; 0 where the place is not known.
        pub old_start: u32,
        /// Lines before.
        pub old_lines: u32,
        /// The first line after; 0 where the place is not known.
        pub new_start: u32,
        /// Lines after.
        pub new_lines: u32,
        /// The lines, each with a space, a minus or a plus in front.
        pub lines: Lines,
    }

    /// A page that a search found.
    pub struct WebHit {
        /// Its title.
        pub title: String,
        /// Its address.
        pub url: String,
    }

    /// A change of a file.
    #[derive(Default)]
    pub struct Diff {
        /// The file.
        pub path: String,
        /// The parts.
        pub hunks: Vec<Hunk>,
        /// Lines that came.
        pub added: u32,
        /// Lines that went.
        pub removed: u32,
        /// Was the file not there before?
        pub created: bool,
        /// Was it changed by a person before it was written?
        pub user_modified: bool,
        /// Which of its edits replace every occurrence of what they look for; none if each replaces one.
        pub everywhere: Option<Everywhere>,
        /// Was it computed from what the agent wants to do, and not yet done?
        pub proposed: bool,
        /// Are there more parts than these? Then the whole is in this record.
        pub more: Option<super::clip::More>,
    }
}

/// What a tool does and gave, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "view", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", ts(optional_fields))]
#[cfg_attr(feature = "schema", schemars(transform = crate::schema::never_null))]
pub enum ToolView {
    /// A command in a shell.
    Command {
        /// The command.
        command: Clip,
        /// What it is for.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// What it wrote.
        output: Clip,
        /// Its exit code.
        #[serde(skip_serializing_if = "Option::is_none")]
        exit_code: Option<i64>,
        /// Was it cut off?
        interrupted: bool,
        /// Does it run in the background?
        background: bool,
    },
    /// A file that was read.
    Read {
        /// The file.
        path: String,
        /// What is in it.
        content: Clip,
        /// The first line that was read.
        #[serde(skip_serializing_if = "Option::is_none")]
        start_line: Option<u64>,
        /// Lines that were read.
        #[serde(skip_serializing_if = "Option::is_none")]
        lines: Option<u64>,
        /// Lines that there are.
        #[serde(skip_serializing_if = "Option::is_none")]
        total_lines: Option<u64>,
    },
    /// A file that is changed or written.
    Edit {
        /// The change.
        diff: Diff,
        /// The whole new content, of a file that is written.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<Clip>,
    },
    /// A search over files.
    Search {
        /// What is looked for.
        pattern: String,
        /// Where.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// What was found.
        output: Clip,
        /// How much was found.
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u64>,
        /// Was more found than is shown?
        truncated: bool,
    },
    /// A page of the web.
    Fetch {
        /// Its address.
        url: Clip,
        /// What was asked about it.
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt: Option<String>,
        /// What came of it.
        output: Clip,
        /// The HTTP status.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<u64>,
    },
    /// A search of the web.
    WebSearch {
        /// What was searched for.
        query: String,
        /// The pages that were found.
        hits: Vec<WebHit>,
        /// What came of it.
        output: Clip,
    },
    /// A list of things to do.
    Todo {
        /// The list after the call, or the things that the call is about.
        todos: Vec<TodoTask>,
    },
    /// A cell of a notebook.
    Notebook {
        /// The notebook.
        path: String,
        /// The cell.
        #[serde(skip_serializing_if = "Option::is_none")]
        cell_id: Option<String>,
        /// `code` or `markdown`.
        #[serde(skip_serializing_if = "Option::is_none")]
        cell_type: Option<String>,
        /// `replace`, `insert` or `delete`.
        #[serde(skip_serializing_if = "Option::is_none")]
        edit_mode: Option<String>,
        /// The language of the code.
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// What is written into it.
        source: Clip,
        /// What was in it.
        #[serde(skip_serializing_if = "Option::is_none")]
        old_source: Option<Clip>,
    },
    /// Questions to the user.
    Question {
        /// The questions.
        questions: Vec<Question>,
        /// The answers, by question.
        answers: BTreeMap<String, Vec<String>>,
        /// What was noted beside them, by question.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        notes: BTreeMap<String, String>,
    },
    /// A plan to be approved.
    Plan {
        /// The plan.
        plan: Clip,
        /// The file that it is in.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    },
    /// A skill.
    Skill {
        /// Its name.
        skill: String,
        /// What it was told.
        #[serde(skip_serializing_if = "Option::is_none")]
        args: Option<String>,
        /// What it gave.
        output: Clip,
    },
    /// A tool of an MCP server.
    Mcp {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
        /// What it gave, as text.
        output: Clip,
    },
    /// Any other tool.
    Other {
        /// What it gave, as text.
        output: Clip,
    },
}

impl Field for ToolView {}

impl Decision {
    /// What was granted with it for as long as the agent's process runs, in words.
    pub(crate) fn for_this_process(&self) -> impl Iterator<Item = &String> {
        self.remembered.iter().filter(|grant| grant.ends_with(FOR_THIS_SESSION))
    }
}

names! {
    /// Which edits of a change replace every occurrence of what they look for.
    pub enum Everywhere {
        /// All of them.
        All,
        /// Some of them.
        Some,
    }

    /// How far a call is.
    pub enum ToolStatus {
        /// The model still writes it.
        Writing,
        /// It waits for leave.
        Waiting,
        /// It runs.
        Running,
        /// It runs on in the background.
        Background,
        /// It ended well.
        Completed,
        /// It failed.
        Failed,
        /// It was refused.
        Denied,
        /// It was called off, or the turn ended without it.
        Cancelled,
        /// It ran in the background until the agent's process ended; what came of it nobody said.
        Ended,
    }

    /// How a question about a call was decided.
    pub enum DecisionOutcome {
        /// It may run.
        Allowed,
        /// It may not.
        Denied,
        /// The question was withdrawn.
        Withdrawn,
        /// It was not answered, since somebody interrupted the turn.
        Interrupted,
        /// Nobody is left to answer.
        Abandoned,
    }
}
