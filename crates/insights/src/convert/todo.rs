//! The agent's list of things to do: calls and results of the tools that keep it in, the whole list out when it changed.

use claude_protocol::Raw;
use claude_protocol::tool::todo::{
    TaskCreateInput, TaskCreateResult, TaskGetResult, TaskListResult, TaskUpdateInput, TaskUpdateResult, Todo,
    TodoStatus as WireStatus, TodoTask as WireTask, TodoWriteInput, TodoWriteResult,
};
use claude_protocol::wire::Wire;
use serde::{Deserialize, Serialize};

use super::Converter;
use crate::event::Body;
use crate::event::task::{TaskList, TodoStatus, TodoTask};

/// The list as it is now.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Todos {
    tasks: Vec<TodoTask>,
}

/// Must the input be known when the result comes?
pub(super) fn needs_input(name: &str) -> bool {
    matches!(name, "TaskCreate" | "TaskUpdate")
}

impl Todos {
    /// A call begins: the list, if it changed with it.
    pub(super) fn called(&mut self, name: &str, input: &Raw) -> Option<Vec<TodoTask>> {
        let list = if name == "TodoWrite" { Some(read::<TodoWriteInput>(Some(input))?.todos) } else { None };
        self.replace(written(list?))
    }

    /// A call has ended well: the list, if it changed with it.
    pub(super) fn ended(&mut self, name: &str, input: Option<&Raw>, result: Option<&Raw>) -> Option<Vec<TodoTask>> {
        match name {
            "TodoWrite" => self.replace(written(read::<TodoWriteResult>(result)?.new_todos?)),
            "TaskCreate" => {
                let created = read::<TaskCreateResult>(result)?.task?;
                let input = read::<TaskCreateInput>(input).unwrap_or_default();
                let mut task = self.known(created)?;
                if task.subject.is_empty() {
                    task.subject = input.subject;
                }
                task.description = task.description.or(input.description);
                task.active_form = input.active_form.or(task.active_form);
                self.merge(task)
            }
            "TaskUpdate" => {
                let done = read::<TaskUpdateResult>(result)?;
                if done.success == Some(false) {
                    return None;
                }
                self.update(read::<TaskUpdateInput>(input)?)
            }
            "TaskList" => {
                let listed = read::<TaskListResult>(result)?.tasks?;
                let tasks = listed.into_iter().filter_map(|task| self.known(task)).collect();
                self.replace(tasks)
            }
            "TaskGet" => self.merge(self.known(read::<TaskGetResult>(result)?.task?)?),
            _ => None,
        }
    }

    /// The conversation was thrown away, and the list with it.
    pub(super) fn cleared(&mut self) -> Option<Vec<TodoTask>> {
        self.replace(Vec::new())
    }

    fn replace(&mut self, tasks: Vec<TodoTask>) -> Option<Vec<TodoTask>> {
        if tasks == self.tasks {
            return None;
        }
        self.tasks = tasks;
        Some(self.tasks.clone())
    }

    /// One task is new, or known better.
    fn merge(&mut self, task: TodoTask) -> Option<Vec<TodoTask>> {
        let mut tasks = self.tasks.clone();
        match tasks.iter_mut().find(|known| known.id == task.id) {
            Some(known) => *known = task,
            None => tasks.push(task),
        }
        self.replace(tasks)
    }

    /// A task as it is told now; what is not told again is as it was.
    fn known(&self, told: WireTask) -> Option<TodoTask> {
        let id = told.id?;
        let known = self.tasks.iter().find(|known| known.id == id);
        Some(TodoTask {
            subject: told.subject.or_else(|| Some(known?.subject.clone())).unwrap_or_default(),
            description: told.description.or_else(|| known?.description.clone()),
            status: told.status.map(status).or_else(|| Some(known?.status.clone())).unwrap_or(TodoStatus::Pending),
            active_form: known.and_then(|known| known.active_form.clone()),
            owner: told.owner.or_else(|| known?.owner.clone()),
            blocks: told.blocks.or_else(|| Some(known?.blocks.clone())).unwrap_or_default(),
            blocked_by: told.blocked_by.or_else(|| Some(known?.blocked_by.clone())).unwrap_or_default(),
            id,
        })
    }

    fn update(&mut self, change: TaskUpdateInput) -> Option<Vec<TodoTask>> {
        let mut tasks = self.tasks.clone();
        if change.status == Some(WireStatus::Deleted) {
            tasks.retain(|task| task.id != change.task_id);
            for task in &mut tasks {
                task.blocks.retain(|id| *id != change.task_id);
                task.blocked_by.retain(|id| *id != change.task_id);
            }
            return self.replace(tasks);
        }
        let (blocks, blocked_by) = (change.add_blocks.unwrap_or_default(), change.add_blocked_by.unwrap_or_default());
        // Both ends of "waits for" are shown, so both are written.
        for task in &mut tasks {
            if blocks.contains(&task.id) {
                add(&mut task.blocked_by, std::slice::from_ref(&change.task_id));
            }
            if blocked_by.contains(&task.id) {
                add(&mut task.blocks, std::slice::from_ref(&change.task_id));
            }
        }
        let task = tasks.iter_mut().find(|task| task.id == change.task_id)?;
        task.subject = change.subject.unwrap_or_else(|| std::mem::take(&mut task.subject));
        task.description = change.description.or_else(|| task.description.take());
        task.active_form = change.active_form.or_else(|| task.active_form.take());
        task.owner = change.owner.or_else(|| task.owner.take());
        if let Some(word) = change.status {
            task.status = status(word);
        }
        add(&mut task.blocks, &blocks);
        add(&mut task.blocked_by, &blocked_by);
        self.replace(tasks)
    }
}

fn add(to: &mut Vec<String>, ids: &[String]) {
    for id in ids {
        if !to.contains(id) {
            to.push(id.clone());
        }
    }
}

fn read<T: Wire>(raw: Option<&Raw>) -> Option<T> {
    raw.filter(|raw| raw.is_object())?.read::<T>().map(|reading| reading.value)
}

fn written(todos: Vec<Todo>) -> Vec<TodoTask> {
    let task = |(number, todo): (usize, Todo)| TodoTask {
        id: todo.id.unwrap_or_else(|| number.to_string()),
        subject: todo.content,
        description: None,
        status: status(todo.status),
        active_form: todo.active_form,
        owner: None,
        blocks: Vec::new(),
        blocked_by: Vec::new(),
    };
    (1..).zip(todos).map(task).collect()
}

fn status(word: WireStatus) -> TodoStatus {
    match word {
        WireStatus::Pending => TodoStatus::Pending,
        WireStatus::InProgress => TodoStatus::InProgress,
        WireStatus::Completed => TodoStatus::Completed,
        word @ (WireStatus::Deleted | WireStatus::Other(_)) => TodoStatus::Other(word.to_string()),
    }
}

impl Converter {
    pub(super) fn put_todos(&mut self, tasks: Option<Vec<TodoTask>>) {
        if let Some(tasks) = tasks {
            self.out.put(Body::TaskList(TaskList { tasks }));
        }
    }
}
