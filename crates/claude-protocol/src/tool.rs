//! Inputs and structured results of the tools, typed by the tool's name.
//!
//! A message carries both as [`Raw`]: which type they have is known only to who knows the call's name. Read them with
//! [`ToolInput::read`] (the `input` of a `tool_use` block) and [`ToolResult::read`] (`tool_use_result` on the stream,
//! `toolUseResult` in a transcript).

pub mod agent;
pub mod ask;
pub mod edit;
pub mod mcp;
pub mod read;
pub mod schedule;
pub mod search;
pub mod session;
pub mod shell;
pub mod todo;

pub use mcp::McpName;

use crate::cursor::{Cursor, Fault, Listen};
use crate::note::Drift;
use crate::raw::{Raw, Reading};
use crate::wire::Wire;

/// Declares the tools: one variant of [`ToolInput`] and one of [`ToolResult`] for each, by the present name and the
/// older ones.
macro_rules! tools {
    ($(
        $(#[$meta:meta])*
        $variant:ident($input:ty, $result:ty) = $name:literal $(| $alias:literal)*
    ),* $(,)?) => {
        /// What a tool is asked to do.
        #[derive(Clone, Debug, PartialEq)]
        pub enum ToolInput {
            $( $(#[$meta])* $variant($input), )*
            /// A tool of an MCP server; [`McpName::parse`] takes its name apart.
            Mcp(Raw),
            /// A tool that this crate does not know, or an input that is no object.
            Other(Raw),
        }

        /// What a tool gave, besides the text that the model sees.
        #[derive(Clone, Debug, PartialEq)]
        pub enum ToolResult {
            $( $(#[$meta])* $variant($result), )*
            /// A tool of an MCP server.
            Mcp(mcp::McpResult),
            /// The tool failed, was refused, or does not exist: what follows `Error: `. Of any tool, in all versions.
            Error(String),
            /// Any other plain string: the sentence of `StructuredOutput`, an MCP result of 2.1.1, but also
            /// `User rejected tool use` and `InputValidationError: …` (up to 2.1.38). Whether the call failed is told by
            /// the `is_error` of its block.
            Text(String),
            /// A tool that this crate does not know, or a result of an unknown form.
            Other(Raw),
        }

        /// The names of the tools that this crate knows: the present ones, then the older ones.
        pub const TOOLS: &[&str] = &[$($name,)* $($($alias,)*)*];

        impl ToolInput {
            fn read_at(name: &str, cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
                match name {
                    $( $name $(| $alias)* => Wire::read(cursor).map(ToolInput::$variant), )*
                    _ if McpName::parse(name).is_some() => Wire::read(cursor).map(ToolInput::Mcp),
                    _ => Wire::read(cursor).map(ToolInput::Other),
                }
            }
        }

        impl ToolResult {
            fn read_at(name: &str, cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
                if cursor.peek() == b'"' {
                    return String::read(cursor).map(ToolResult::from_text);
                }
                match name {
                    $( $name $(| $alias)* => Wire::read(cursor).map(ToolResult::$variant), )*
                    _ if McpName::parse(name).is_some() => Wire::read(cursor).map(ToolResult::Mcp),
                    _ => Wire::read(cursor).map(ToolResult::Other),
                }
            }
        }
    };
}

tools! {
    /// Starts a subagent.
    Agent(Box<agent::AgentInput>, Box<agent::AgentResult>) = "Agent" | "Task",
    /// Asks the user.
    AskUserQuestion(Box<ask::AskUserQuestionInput>, Box<ask::AskUserQuestionResult>) = "AskUserQuestion",
    /// Runs a command.
    Bash(Box<shell::BashInput>, Box<shell::BashResult>) = "Bash",
    /// Reads the output of a background command. Gone since before 2.1.1, see [`TaskOutput`](Self::TaskOutput).
    BashOutput(Box<shell::TaskOutputInput>, Box<shell::BashOutputResult>) = "BashOutput" | "BashOutputTool",
    /// Reads or writes a setting of the CLI.
    Config(session::ConfigInput, Box<session::ConfigResult>) = "Config",
    /// Sets up a prompt for set times.
    CronCreate(schedule::CronCreateInput, schedule::CronJob) = "CronCreate",
    /// Deletes such a prompt.
    CronDelete(schedule::CronDeleteInput, schedule::CronDeleteResult) = "CronDelete",
    /// Lists such prompts.
    CronList(schedule::CronListInput, schedule::CronListResult) = "CronList",
    /// Replaces text in a file.
    Edit(edit::EditInput, Box<edit::EditResult>) = "Edit",
    /// Goes into plan mode.
    EnterPlanMode(ask::EnterPlanModeInput, ask::EnterPlanModeResult) = "EnterPlanMode",
    /// Goes into a git worktree.
    EnterWorktree(session::EnterWorktreeInput, session::EnterWorktreeResult) = "EnterWorktree",
    /// Shows a plan for approval.
    ExitPlanMode(Box<ask::ExitPlanModeInput>, Box<ask::ExitPlanModeResult>) = "ExitPlanMode" | "exit_plan_mode",
    /// Leaves a git worktree.
    ExitWorktree(session::ExitWorktreeInput, Box<session::ExitWorktreeResult>) = "ExitWorktree",
    /// Finds files by name.
    Glob(search::GlobInput, search::GlobResult) = "Glob",
    /// Finds text in files.
    Grep(Box<search::GrepInput>, Box<search::GrepResult>) = "Grep",
    /// Lists the agents that can be written to.
    ListAgents(agent::ListAgentsInput, agent::ListAgentsResult) = "ListAgents",
    /// Lists the resources of MCP servers.
    ListMcpResources(mcp::ListMcpResourcesInput, Vec<mcp::McpResource>) = "ListMcpResourcesTool" | "ListMcpResources",
    /// Lists a directory. Gone since before 2.1.1.
    Ls(search::LsInput, Raw) = "LS",
    /// Watches a command and wakes the model with each line.
    Monitor(Box<shell::MonitorInput>, shell::MonitorResult) = "Monitor",
    /// Replaces several texts in a file. Gone since before 2.1.1.
    MultiEdit(edit::MultiEditInput, Box<edit::EditResult>) = "MultiEdit",
    /// Changes a cell of a notebook.
    NotebookEdit(edit::NotebookEditInput, Box<edit::NotebookEditResult>) = "NotebookEdit",
    /// Notifies the user.
    PushNotification(session::PushNotificationInput, session::PushNotificationResult) = "PushNotification",
    /// Reads a file.
    Read(read::ReadInput, read::ReadResult) = "Read",
    /// Reads a resource of an MCP server.
    ReadMcpResource(mcp::ReadMcpResourceInput, mcp::ReadMcpResourceResult) = "ReadMcpResourceTool" | "ReadMcpResource",
    /// Lists a directory of resources of an MCP server.
    ReadMcpResourceDir(mcp::ReadMcpResourceInput, mcp::ReadMcpResourceDirResult) =
        "ReadMcpResourceDirTool" | "ReadMcpResourceDir",
    /// Shows what a review found.
    ReportFindings(session::ReportFindingsInput, session::ReportFindingsResult) = "ReportFindings",
    /// Sends a prompt in a while.
    ScheduleWakeup(schedule::ScheduleWakeupInput, schedule::ScheduleWakeupResult) = "ScheduleWakeup",
    /// Writes to another agent.
    SendMessage(Box<agent::SendMessageInput>, Box<agent::SendMessageResult>) = "SendMessage",
    /// Uses a skill.
    Skill(agent::SkillInput, Box<agent::SkillResult>) = "Skill",
    /// Runs a slash command. Gone since before 2.1.1.
    SlashCommand(agent::SlashCommandInput, Box<agent::SkillResult>) = "SlashCommand",
    /// Gives the answer that `--json-schema` asks for: the input is the answer, the result a sentence
    /// ([`ToolResult::Text`]).
    StructuredOutput(Raw, Raw) = "StructuredOutput",
    /// Puts a task on the list of things to do.
    TaskCreate(todo::TaskCreateInput, todo::TaskCreateResult) = "TaskCreate",
    /// Reads one task of that list.
    TaskGet(todo::TaskGetInput, todo::TaskGetResult) = "TaskGet",
    /// Reads that list.
    TaskList(todo::TaskListInput, todo::TaskListResult) = "TaskList",
    /// Reads the output of a background task (up to 2.1.38).
    TaskOutput(Box<shell::TaskOutputInput>, shell::TaskOutputResult) =
        "TaskOutput" | "AgentOutputTool" | "AgentOutput",
    /// Stops a background task.
    TaskStop(shell::TaskStopInput, shell::TaskStopResult) = "TaskStop" | "KillShell" | "KillBash",
    /// Changes a task of the list of things to do.
    TaskUpdate(Box<todo::TaskUpdateInput>, Box<todo::TaskUpdateResult>) = "TaskUpdate",
    /// Writes the whole list of things to do.
    TodoWrite(todo::TodoWriteInput, todo::TodoWriteResult) = "TodoWrite",
    /// Loads tools that are not in the prompt.
    ToolSearch(search::ToolSearchInput, search::ToolSearchResult) = "ToolSearch",
    /// Fetches a page.
    WebFetch(search::WebFetchInput, Box<search::WebFetchResult>) = "WebFetch",
    /// Searches the web.
    WebSearch(search::WebSearchInput, search::WebSearchResult) = "WebSearch",
    /// Runs a script that directs agents.
    Workflow(Box<agent::WorkflowInput>, Box<agent::WorkflowResult>) = "Workflow",
    /// Writes a file.
    Write(edit::WriteInput, Box<edit::WriteResult>) = "Write",
}

impl ToolInput {
    /// Reads the input of a call of the tool `name`. Total: what fits no type is [`Other`](Self::Other).
    ///
    /// ```
    /// use claude_protocol::Raw;
    /// use claude_protocol::tool::ToolInput;
    ///
    /// let raw = Raw::from_text(r#"{"command":"ls"}"#).unwrap();
    /// let ToolInput::Bash(bash) = ToolInput::read("Bash", &raw).value else { panic!("not Bash") };
    /// assert_eq!(bash.command, "ls");
    /// ```
    pub fn read(name: &str, input: &Raw) -> Reading<Self> {
        let (value, drift) = Self::read_with(name, input, Listen::Notes);
        Reading { value, notes: drift.notes }
    }

    /// Names what the types do not know of an input, the tool itself included.
    pub fn drift(name: &str, input: &Raw) -> Drift {
        Self::read_with(name, input, Listen::Everything).1
    }

    /// The paths of the input's fields that no type has.
    pub fn unmodelled(name: &str, input: &Raw) -> Vec<String> {
        Self::drift(name, input).unmodelled
    }

    fn read_with(name: &str, input: &Raw, listen: Listen) -> (Self, Drift) {
        read_with(input, listen, |cursor| Self::read_at(name, cursor), ToolInput::Other)
    }
}

impl ToolResult {
    /// Reads the result of a call of the tool `name`. Total: what fits no type is [`Other`](Self::Other).
    pub fn read(name: &str, result: &Raw) -> Reading<Self> {
        let (value, drift) = Self::read_with(name, result, Listen::Notes);
        Reading { value, notes: drift.notes }
    }

    /// Names what the types do not know of a result, the tool itself included.
    pub fn drift(name: &str, result: &Raw) -> Drift {
        Self::read_with(name, result, Listen::Everything).1
    }

    /// The paths of the result's fields that no type has.
    pub fn unmodelled(name: &str, result: &Raw) -> Vec<String> {
        Self::drift(name, result).unmodelled
    }

    fn read_with(name: &str, result: &Raw, listen: Listen) -> (Self, Drift) {
        read_with(result, listen, |cursor| Self::read_at(name, cursor), ToolResult::Other)
    }

    fn from_text(text: String) -> Self {
        match text.strip_prefix("Error: ") {
            Some(error) => ToolResult::Error(error.to_owned()),
            None => ToolResult::Text(text),
        }
    }
}

fn read_with<T>(
    raw: &Raw,
    listen: Listen,
    read: impl FnOnce(&mut Cursor<'_>) -> Result<T, Fault>,
    other: impl FnOnce(Raw) -> T,
) -> (T, Drift) {
    let mut cursor = Cursor::new(raw.text(), listen);
    let value = read(&mut cursor).unwrap_or_else(|fault| {
        cursor = Cursor::new(raw.text(), listen);
        if let Fault::Misfit(expected) = fault {
            let found = cursor.kind();
            cursor.note("", expected, found);
        }
        other(raw.clone())
    });
    (value, cursor.into_drift())
}

#[cfg(test)]
mod tests;
