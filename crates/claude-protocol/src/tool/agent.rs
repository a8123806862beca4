//! Tools that hand work to others: subagents, teammates, skills and workflows.

use crate::content::{Block, Content};
use crate::control::catalog::EffortLevel;
use crate::cursor::{Cursor, Fault};
use crate::from_cli::system::tasks::TaskType;
use crate::ids::{AgentId, TaskId};
use crate::permission::PermissionMode;
use crate::raw::Raw;
use crate::usage::Usage;
use crate::wire::Wire;

wire! {
    /// Work for a subagent. The tool is `Task` up to 2.1.38 and `Agent` in 2.1.325, where a model that says `Task` is
    /// understood too and `init.tools` still lists `Task`.
    pub struct AgentInput {
        /// A title of a few words.
        pub description: Option<String>,
        /// All that the subagent is told.
        pub prompt: String,
        /// Which kind of subagent; the general one when absent.
        pub subagent_type: Option<String>,
        /// The model: `sonnet`, `opus`, `haiku`, …
        pub model: Option<String>,
        /// The effort (declared, not measured).
        pub effort: Option<EffortLevel>,
        /// Go on at once and be told at the end. In 2.1.325 the default is true.
        pub run_in_background: Option<bool>,
        /// The subagent to go on with; up to 2.1.38, later versions use `SendMessage`.
        pub resume: Option<AgentId>,
        /// A limit on its turns (2.1.29 and 2.1.38).
        pub max_turns: Option<f64>,
        /// A name under which `SendMessage` reaches it.
        pub name: Option<String>,
        /// The team it belongs to.
        pub team_name: Option<String>,
        /// Its permission mode.
        pub mode: Option<PermissionMode>,
        /// `worktree` or `remote`.
        pub isolation: Option<String>,
        /// The directory to work in (not measured).
        pub cwd: Option<String>,
    }

    /// What became of a subagent: all of it when it has ended, the first fields when it was sent to the background.
    pub struct AgentResult {
        /// Has it ended?
        pub status: Option<AgentStatus>,
        /// The subagent.
        pub agent_id: Option<AgentId> = "agentId" | "agent_id",
        /// Its kind.
        pub agent_type: Option<String> = "agentType" | "agent_type",
        /// What it was told.
        pub prompt: Option<String>,
        /// The title, for one in the background.
        pub description: Option<String>,
        /// Is it in the background?
        pub is_async: Option<bool> = "isAsync",
        /// The file that the background task writes to.
        pub output_file: Option<String> = "outputFile",
        /// May the model read that file (2.1.325)?
        pub can_read_output_file: Option<bool> = "canReadOutputFile",
        /// Can `SendMessage` go on with it (2.1.325)?
        pub can_continue_agent: Option<bool> = "canContinueAgent",
        /// The answer, which the text of the `tool_result` block frames with words of the CLI. In 2.1.325 the first blocks
        /// here may be such words, too: see [`AgentResult::answer`].
        pub content: Option<Content>,
        /// The model that it ran on (2.1.325).
        pub resolved_model: Option<String> = "resolvedModel",
        /// All models that it ran on (declared, not measured).
        pub models_used: Option<Vec<String>> = "modelsUsed",
        /// How long it took, in milliseconds.
        pub total_duration_ms: Option<f64> = "totalDurationMs",
        /// Tokens of its last call, all kinds together.
        pub total_tokens: Option<u64> = "totalTokens",
        /// How many tools it called.
        pub total_tool_use_count: Option<u64> = "totalToolUseCount",
        /// Token counts of its last call.
        pub usage: Option<Box<Usage>>,
        /// The tools that it called (2.1.325).
        pub tools_used: Option<Vec<String>> = "toolsUsed",
        /// What its tools did (2.1.325).
        pub tool_stats: Option<ToolStats> = "toolStats",
        /// How many notes the CLI put around the answer (2.1.325).
        pub harness_note_count: Option<u64> = "harnessNoteCount",
        /// How many of them follow it (2.1.325).
        pub harness_tail_count: Option<u64> = "harnessTailCount",
        /// A hash over them (2.1.325).
        pub harness_section_hash: Option<String> = "harnessSectionHash",
        /// The worktree that it left behind (declared, not measured).
        pub worktree_path: Option<String> = "worktreePath",
        /// The branch of that worktree (declared, not measured).
        pub worktree_branch: Option<String> = "worktreeBranch",
        /// The task of one that runs elsewhere (declared, not measured).
        pub task_id: Option<TaskId> = "taskId",
        /// The page of one that runs elsewhere (declared, not measured).
        pub session_url: Option<String> = "sessionUrl",
        /// The member of a team (2.1.85, 2.1.117, like all below; `agent_id` is the same there).
        pub teammate_id: Option<String>,
        /// Its name.
        pub name: Option<String>,
        /// Its team.
        pub team_name: Option<String>,
        /// Its model.
        pub model: Option<String>,
        /// Its colour.
        pub color: Option<String>,
        /// The tmux session that shows it, or `in-process`.
        pub tmux_session_name: Option<String>,
        /// The window there, or `in-process`.
        pub tmux_window_name: Option<String>,
        /// The pane there, or `in-process`.
        pub tmux_pane_id: Option<String>,
        /// Does it share a window?
        pub is_splitpane: Option<bool>,
        /// Must it have its plan approved?
        pub plan_mode_required: Option<bool>,
    }

    /// What a subagent's tools did.
    pub struct ToolStats {
        /// Files read.
        pub read_count: Option<u64> = "readCount",
        /// Searches made.
        pub search_count: Option<u64> = "searchCount",
        /// Commands run.
        pub bash_count: Option<u64> = "bashCount",
        /// Files edited.
        pub edit_file_count: Option<u64> = "editFileCount",
        /// Lines added.
        pub lines_added: Option<u64> = "linesAdded",
        /// Lines removed.
        pub lines_removed: Option<u64> = "linesRemoved",
        /// Calls of other tools.
        pub other_tool_count: Option<u64> = "otherToolCount",
        /// Frames looked at (declared, not measured).
        pub frame_count: Option<u64> = "frameCount",
    }

    /// Words for another agent (2.1.325). The model gives `to`, `message` and `summary`; the CLI adds the rest, which
    /// says the same in an older form.
    pub struct SendMessageInput {
        /// The name or id of the other.
        pub to: Option<String>,
        /// The words.
        pub message: Option<AgentMessage>,
        /// A title of a few words.
        pub summary: Option<String>,
        /// The kind of message: `message`, …
        pub r#type: Option<String> = "type",
        /// The same as `to`.
        pub recipient: Option<String>,
        /// What `to` is: `agent` for an id, `name`, …
        pub recipient_kind: Option<String>,
        /// The same as `message`.
        pub content: Option<AgentMessage>,
    }

    /// Whether the words arrived (2.1.325).
    pub struct SendMessageResult {
        /// Did they?
        pub success: Option<bool>,
        /// What happened, for the model.
        pub message: Option<String>,
        /// What happened, for the user.
        pub display: Option<String>,
        /// The subagent that goes on.
        pub resumed_agent_id: Option<AgentId> = "resumedAgentId",
        /// The subagent that had ended and lives again.
        pub revived_agent_id: Option<AgentId> = "revivedAgentId",
        /// The one who was meant.
        pub pin: Option<AgentPin>,
        /// Who wrote to whom (not measured).
        pub routing: Option<Raw>,
    }

    /// An agent that a name was found to mean.
    pub struct AgentPin {
        /// Its id.
        pub id: Option<String>,
        /// The name that was used.
        pub name: Option<String>,
        /// A short reference to it.
        pub r#ref: Option<String> = "ref",
    }

    /// A request for the agents that can be written to (2.1.325).
    pub struct ListAgentsInput {}

    /// The agents that can be written to (2.1.325).
    pub struct ListAgentsResult {
        /// The list as text.
        pub listing: Option<String>,
        /// The list by kind.
        pub sections: Option<Vec<AgentSection>>,
        /// Remarks.
        pub notes: Option<Vec<String>>,
    }

    /// Agents of one kind.
    pub struct AgentSection {
        /// The kind, for example `subagents`.
        pub kind: Option<String>,
        /// How many there are.
        pub total: Option<u64>,
        /// The agents.
        pub rows: Option<Vec<AgentRow>>,
    }

    /// An agent that can be written to.
    pub struct AgentRow {
        /// Its id.
        pub id: Option<String>,
        /// Its name (2.1.325).
        pub name: Option<String>,
        /// A short id that tells it from others of that name (2.1.207 to 2.1.325).
        pub r#ref: Option<String> = "ref",
        /// Its kind.
        pub r#type: Option<String> = "type",
        /// How it is: `running`, `completed`, …
        pub status: Option<String>,
    }

    /// A skill to use (2.1.1 to 2.1.325).
    pub struct SkillInput {
        /// The skill.
        pub skill: Option<String> = "skill" | "command",
        /// Its arguments, as one string.
        pub args: Option<String>,
    }

    /// A slash command to run. Gone before 2.1.1 (not measured).
    pub struct SlashCommandInput {
        /// The command with its arguments.
        pub command: Option<String>,
    }

    /// A skill or a command has been loaded, or has run as a subagent.
    pub struct SkillResult {
        /// Was it found?
        pub success: Option<bool>,
        /// Its name.
        pub command_name: Option<String> = "commandName",
        /// The tools that it may use without asking.
        pub allowed_tools: Option<Vec<String>> = "allowedTools",
        /// The model that it asks for.
        pub model: Option<String>,
        /// `inline` or `forked` (not measured).
        pub status: Option<String>,
        /// The subagent that it ran in (not measured).
        pub agent_id: Option<AgentId> = "agentId",
        /// What the subagent answered (not measured).
        pub result: Option<String>,
    }

    /// A script that directs many agents (2.1.325).
    pub struct WorkflowInput {
        /// The script.
        pub script: Option<String>,
        /// A known workflow.
        pub name: Option<String>,
        /// What it does.
        pub description: Option<String>,
        /// Its title.
        pub title: Option<String>,
        /// What it is given.
        pub args: Option<Raw>,
        /// The file of the script.
        pub script_path: Option<String> = "scriptPath",
        /// The run to go on with.
        pub resume_from_run_id: Option<String> = "resumeFromRunId",
    }

    /// A workflow runs in the background (2.1.325).
    pub struct WorkflowResult {
        /// `async_launched` or `remote_launched`.
        pub status: Option<AgentStatus>,
        /// Its task.
        pub task_id: Option<TaskId> = "taskId",
        /// What that task is.
        pub task_type: Option<TaskType> = "taskType",
        /// Its name.
        pub workflow_name: Option<String> = "workflowName",
        /// This run of it.
        pub run_id: Option<String> = "runId",
        /// What it does.
        pub summary: Option<String>,
        /// Where its agents' transcripts are.
        pub transcript_dir: Option<String> = "transcriptDir",
        /// The file of the script.
        pub script_path: Option<String> = "scriptPath",
        /// The page of one that runs elsewhere (declared, not measured).
        pub session_url: Option<String> = "sessionUrl",
        /// What is doubtful about it (declared, not measured).
        pub warning: Option<String>,
        /// Why it did not start (declared, not measured).
        pub error: Option<String>,
    }
}

impl AgentResult {
    /// The blocks of the answer without the notes that the CLI puts around it (2.1.325).
    pub fn answer(&self) -> &[Block] {
        let blocks = self.content.as_ref().map_or(&[][..], Content::blocks);
        let count = |notes: Option<u64>| notes.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        let tail = count(self.harness_tail_count).min(blocks.len());
        let head = count(self.harness_note_count).saturating_sub(tail).min(blocks.len() - tail);
        &blocks[head..blocks.len() - tail]
    }
}

words! {
    /// How far a subagent has come when its tool call returns.
    pub enum AgentStatus {
        /// It has ended; the answer is there.
        Completed = "completed",
        /// It runs in the background; `system/task_notification` will tell its end.
        AsyncLaunched = "async_launched",
        /// It runs on another machine (declared, not measured).
        RemoteLaunched = "remote_launched",
        /// It was started as a member of a team (2.1.85, 2.1.117).
        TeammateSpawned = "teammate_spawned",
    }
}

/// What is said to another agent.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentMessage {
    /// Words.
    Text(String),
    /// A message of the team protocol, for example a request to shut down (not measured).
    Protocol(Raw),
}

impl Wire for AgentMessage {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        match cursor.peek() {
            b'"' => Wire::read(cursor).map(AgentMessage::Text),
            _ => Wire::read(cursor).map(AgentMessage::Protocol),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            AgentMessage::Text(text) => text.write(out),
            AgentMessage::Protocol(raw) => raw.write(out),
        }
    }

    fn missing() -> Self {
        AgentMessage::Text(String::new())
    }
}
