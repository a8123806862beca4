//! Tools that run commands and look after what runs in the background.

use std::collections::BTreeMap;

use crate::from_cli::system::tasks::{TaskStatus, TaskType};
use crate::ids::TaskId;
use crate::raw::Raw;

wire! {
    /// A command to run (2.1.1 to 2.1.325).
    pub struct BashInput {
        /// The command line.
        pub command: String,
        /// What the command does, in the model's words: a good title.
        pub description: Option<String>,
        /// Milliseconds until the command is killed or moved to the background.
        pub timeout: Option<f64>,
        /// Start the command as a background task and go on at once.
        pub run_in_background: Option<bool>,
        /// Run outside the sandbox.
        pub dangerously_disable_sandbox: Option<bool> = "dangerouslyDisableSandbox",
        /// What a `sed -i` will write, worked out in advance (2.1.29 and 2.1.38, declared, not measured).
        pub simulated_sed_edit: Option<SimulatedSedEdit> = "_simulatedSedEdit",
    }

    /// The outcome of a `sed -i`, worked out before it runs.
    pub struct SimulatedSedEdit {
        /// The file that is edited.
        pub file_path: Option<String> = "filePath",
        /// Its whole content afterwards.
        pub new_content: Option<String> = "newContent",
    }

    /// What a command printed. There is no exit code: a command that fails gives an error text, `Exit code N` and the
    /// output (2.1.1 to 2.1.325).
    pub struct BashResult {
        /// What the command printed; stderr is mixed into it. A `data:` URL when [`is_image`](Self::is_image) is true.
        pub stdout: Option<String>,
        /// Words of the CLI itself, for example that the working directory was reset; not the command's stderr.
        pub stderr: Option<String>,
        /// Was the command cut off by the user?
        pub interrupted: Option<bool>,
        /// Is `stdout` an image?
        pub is_image: Option<bool> = "isImage",
        /// Is it normal that this command prints nothing (2.1.38 and later)?
        pub no_output_expected: Option<bool> = "noOutputExpected",
        /// The exit code that two of the older documents show; never measured.
        pub exit_code: Option<i64> = "exit_code" | "exitCode",
        /// The task, when the command went to the background.
        pub background_task_id: Option<TaskId> = "backgroundTaskId",
        /// Did the user send it there?
        pub backgrounded_by_user: Option<bool> = "backgroundedByUser",
        /// Did the assistant's turn send it there? (Between 2.1.38 and 2.1.325; not measured.)
        pub assistant_auto_backgrounded: Option<bool> = "assistantAutoBackgrounded",
        /// Milliseconds after which a time limit sent it there.
        pub timed_out_after_ms: Option<f64> = "timedOutAfterMs",
        /// A word about the directory that a background command runs in (declared, not measured).
        pub background_cwd_hint: Option<String> = "backgroundCwdHint",
        /// The background command ends with the final answer (declared, not measured).
        pub background_ends_with_final_response: Option<bool> = "backgroundEndsWithFinalResponse",
        /// The end of the background command starts a turn (declared, not measured).
        pub background_wakes_owner: Option<bool> = "backgroundWakesOwner",
        /// Did it run outside the sandbox?
        pub dangerously_disable_sandbox: Option<bool> = "dangerouslyDisableSandbox",
        /// What an exit code other than 0 means when it is no failure, for example that grep found nothing.
        pub return_code_interpretation: Option<String> = "returnCodeInterpretation",
        /// The file with the whole output, when it was too long.
        pub persisted_output_path: Option<String> = "persistedOutputPath",
        /// Its size in bytes.
        pub persisted_output_size: Option<u64> = "persistedOutputSize",
        /// The file with the raw output (declared, not measured).
        pub raw_output_path: Option<String> = "rawOutputPath",
        /// Blocks that stand for the output (declared, not measured).
        pub structured_content: Option<Vec<Raw>> = "structuredContent",
        /// A word on files that the model has read and the command changed (declared, not measured).
        pub stale_read_file_state_hint: Option<String> = "staleReadFileStateHint",
        /// A word on GitHub's rate limit (declared, not measured).
        pub gh_rate_limit_hint: Option<String> = "ghRateLimitHint",
        /// What the command did to the git repository (2.1.325).
        pub git_operation: Option<GitOperation> = "gitOperation",
        /// A short summary of a long output (older versions; not measured).
        pub summary: Option<String>,
        /// Why the sandbox stopped something (older versions; not measured).
        pub sandbox_violations: Option<Raw> = "sandboxViolations",
    }

    /// What a command did to the git repository.
    pub struct GitOperation {
        /// A commit was made.
        pub commit: Option<GitCommit>,
        /// A branch was pushed (declared, not measured).
        pub push: Option<GitPush>,
        /// A branch was merged or rebased (declared, not measured).
        pub branch: Option<GitBranch>,
        /// A pull request was changed (declared, not measured).
        pub pr: Option<GitPullRequest>,
    }

    /// A commit that a command made.
    pub struct GitCommit {
        /// The short hash.
        pub sha: Option<String>,
        /// `committed`, `amended` or `cherry-picked`.
        pub kind: Option<String>,
        /// The branch it is on.
        pub branch: Option<String>,
    }

    /// A push that a command made.
    pub struct GitPush {
        /// The branch that was pushed.
        pub branch: Option<String>,
    }

    /// A merge or a rebase that a command made.
    pub struct GitBranch {
        /// The branch that was merged, or rebased onto.
        pub r#ref: Option<String> = "ref",
        /// `merged` or `rebased`.
        pub action: Option<String>,
    }

    /// A pull request that a command changed.
    pub struct GitPullRequest {
        /// Its number.
        pub number: Option<u64>,
        /// Its address.
        pub url: Option<String>,
        /// `created`, `edited`, `merged`, `commented`, `closed`, `reopened`, `ready`, `draft`, `auto-merge-enabled` or
        /// `auto-merge-disabled`.
        pub action: Option<String>,
    }

    /// A question for the output of a task. `TaskOutput` in 2.1.1 to 2.1.38, gone in 2.1.325; before that `BashOutput`
    /// and `AgentOutputTool`.
    pub struct TaskOutputInput {
        /// The task.
        pub task_id: Option<TaskId> = "task_id" | "bash_id" | "shell_id" | "agentId" | "agent_id",
        /// Wait for the task's end?
        pub block: Option<bool>,
        /// Milliseconds to wait.
        pub timeout: Option<f64>,
        /// Seconds to wait, in the older forms.
        pub wait_up_to: Option<f64>,
        /// Show only the lines that match (`BashOutput`).
        pub filter: Option<String>,
    }

    /// The output of a task.
    pub struct TaskOutputResult {
        /// `success`, `timeout` or `not_ready`.
        pub retrieval_status: Option<String>,
        /// The task, also while it runs.
        pub task: Option<Box<TaskOutput>>,
        /// Several subagents at once, by id (`AgentOutputTool` of versions before 2.1.1; not measured).
        pub agents: Option<BTreeMap<String, Raw>>,
    }

    /// A task and what it has brought so far.
    pub struct TaskOutput {
        /// The task.
        pub task_id: Option<TaskId>,
        /// What it is.
        pub task_type: Option<TaskType>,
        /// How it is.
        pub status: Option<TaskStatus>,
        /// Its title.
        pub description: Option<String>,
        /// What it printed so far; of a subagent the answer, up to 2.1.29 its whole transcript file.
        pub output: Option<String>,
        /// The exit code of a command; null while it runs.
        pub exit_code: Option<i64> = "exitCode",
        /// What a subagent was asked.
        pub prompt: Option<String>,
        /// What a subagent answered.
        pub result: Option<String>,
        /// Why it failed.
        pub error: Option<String>,
        /// Is it to be read as an image? (Not measured.)
        pub is_image: Option<bool> = "isImage",
    }

    /// The output of a background command, as `BashOutput` gave it before 2.1.1 (not measured).
    pub struct BashOutputResult {
        /// The command's task.
        pub shell_id: Option<TaskId> = "shellId",
        /// The command line.
        pub command: Option<String>,
        /// How it is.
        pub status: Option<TaskStatus>,
        /// The exit code; null while it runs.
        pub exit_code: Option<i64> = "exitCode",
        /// What it printed since the last time.
        pub stdout: Option<String>,
        /// What it printed to stderr since the last time.
        pub stderr: Option<String>,
        /// How many lines that is.
        pub stdout_lines: Option<u64> = "stdoutLines",
        /// How many lines that is on stderr.
        pub stderr_lines: Option<u64> = "stderrLines",
        /// When it was asked.
        pub timestamp: Option<String>,
        /// The filter that was used.
        pub filter_pattern: Option<String> = "filterPattern",
    }

    /// A task to stop. `TaskStop` since 2.1.29, `KillShell` in 2.1.1; 2.1.325 still takes the old name.
    pub struct TaskStopInput {
        /// The task.
        pub task_id: Option<TaskId>,
        /// The task, as `KillShell` calls it.
        pub shell_id: Option<TaskId>,
    }

    /// A task was stopped.
    pub struct TaskStopResult {
        /// What was done, in words.
        pub message: Option<String>,
        /// The task.
        pub task_id: Option<TaskId> = "task_id" | "shell_id",
        /// What it was.
        pub task_type: Option<TaskType>,
        /// The command line that ran.
        pub command: Option<String>,
    }

    /// A command or a socket whose every line is to wake the model (2.1.325).
    pub struct MonitorInput {
        /// What is watched.
        pub description: Option<String>,
        /// Milliseconds until the watch ends.
        pub timeout_ms: Option<f64>,
        /// The command line.
        pub command: Option<String>,
        /// The socket (declared, not measured).
        pub ws: Option<MonitorSocket>,
        /// Watch until stopped (versions between; not measured).
        pub persistent: Option<bool>,
    }

    /// A WebSocket to watch (declared, not measured).
    pub struct MonitorSocket {
        /// Its address.
        pub url: Option<String>,
        /// The subprotocols to offer.
        pub protocols: Option<Vec<String>>,
    }

    /// A watch has begun (2.1.325).
    pub struct MonitorResult {
        /// The task that watches.
        pub task_id: Option<TaskId> = "taskId",
        /// Milliseconds until the watch ends.
        pub timeout_ms: Option<f64> = "timeoutMs",
        /// Does it go on until stopped?
        pub persistent: Option<bool>,
    }
}
