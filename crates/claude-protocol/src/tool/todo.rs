//! Tools that keep a list of things to do: `TodoWrite`, and the `Task…` tools that replace it in 2.1.325.

use crate::raw::Raw;

wire! {
    /// The whole list anew (2.1.1 to 2.1.325; in 2.1.325 only with `CLAUDE_CODE_ENABLE_TASKS=0`).
    pub struct TodoWriteInput {
        /// All items.
        pub todos: Vec<Todo>,
    }

    /// The list before and after.
    pub struct TodoWriteResult {
        /// Before.
        pub old_todos: Option<Vec<Todo>> = "oldTodos",
        /// After: what was written, even when all is done and the CLI empties the list.
        pub new_todos: Option<Vec<Todo>> = "newTodos",
        /// Was the model urged to verify its work (not measured)?
        pub verification_nudge_needed: Option<bool> = "verificationNudgeNeeded",
    }

    /// A thing to do.
    pub struct Todo {
        /// What to do: `Run the tests`.
        pub content: String,
        /// How far it is.
        pub status: TodoStatus,
        /// What is being done: `Running the tests`.
        pub active_form: Option<String> = "activeForm",
        /// A number, in versions before 2.1.1 (not measured).
        pub id: Option<String>,
        /// `high`, `medium` or `low`, in versions before 2.1.1 (not measured).
        pub priority: Option<String>,
    }

    /// A new thing to do (2.1.325; 2.1.29 and 2.1.38 with `CLAUDE_CODE_ENABLE_TASKS=1`).
    pub struct TaskCreateInput {
        /// A title, as an order: `Run the tests`.
        pub subject: String,
        /// What exactly.
        pub description: Option<String>,
        /// What is being done: `Running the tests`.
        pub active_form: Option<String> = "activeForm",
        /// Anything else.
        pub metadata: Option<Raw>,
    }

    /// It is on the list.
    pub struct TaskCreateResult {
        /// The new task.
        pub task: Option<TodoTask>,
    }

    /// A question for one task.
    pub struct TaskGetInput {
        /// The task.
        pub task_id: String = "taskId",
    }

    /// One task.
    pub struct TaskGetResult {
        /// The task; null when there is none of that number.
        pub task: Option<TodoTask>,
    }

    /// A question for all tasks.
    pub struct TaskListInput {}

    /// All tasks.
    pub struct TaskListResult {
        /// The tasks, in order; without descriptions.
        pub tasks: Option<Vec<TodoTask>>,
    }

    /// A change to a task; what is absent stays.
    pub struct TaskUpdateInput {
        /// The task.
        pub task_id: String = "taskId",
        /// The new title.
        pub subject: Option<String>,
        /// The new description.
        pub description: Option<String>,
        /// The new form for "is being done".
        pub active_form: Option<String> = "activeForm",
        /// The new status; `deleted` takes it off the list.
        pub status: Option<TodoStatus>,
        /// Tasks that must wait for this one.
        pub add_blocks: Option<Vec<String>> = "addBlocks",
        /// Tasks that this one must wait for.
        pub add_blocked_by: Option<Vec<String>> = "addBlockedBy",
        /// Who does it.
        pub owner: Option<String>,
        /// What to merge into its metadata; null takes a key away.
        pub metadata: Option<Raw>,
    }

    /// A task was changed.
    pub struct TaskUpdateResult {
        /// Was it?
        pub success: Option<bool>,
        /// The task.
        pub task_id: Option<String> = "taskId",
        /// What was changed.
        pub updated_fields: Option<Vec<String>> = "updatedFields",
        /// Why not.
        pub error: Option<String>,
        /// The status before and after, if that was changed.
        pub status_change: Option<StatusChange> = "statusChange",
        /// Was the model urged to verify its work (not measured)?
        pub verification_nudge_needed: Option<bool> = "verificationNudgeNeeded",
    }

    /// A change of status.
    pub struct StatusChange {
        /// Before.
        pub from: Option<TodoStatus>,
        /// After.
        pub to: Option<TodoStatus>,
    }

    /// A task on the list. Not to be confused with the tasks that run in the background.
    pub struct TodoTask {
        /// Its number, as text.
        pub id: Option<String>,
        /// Its title.
        pub subject: Option<String>,
        /// What exactly; not in lists, and up to 2.1.38 not when it is new.
        pub description: Option<String>,
        /// How far it is; not when it is new.
        pub status: Option<TodoStatus>,
        /// Who does it.
        pub owner: Option<String>,
        /// Tasks that wait for this one.
        pub blocks: Option<Vec<String>>,
        /// Tasks that this one waits for.
        pub blocked_by: Option<Vec<String>> = "blockedBy",
    }
}

words! {
    /// How far a thing to do is.
    pub enum TodoStatus {
        /// Not begun.
        Pending = "pending",
        /// Begun.
        InProgress = "in_progress",
        /// Done.
        Completed = "completed",
        /// Taken off the list (tasks only).
        Deleted = "deleted",
    }
}
