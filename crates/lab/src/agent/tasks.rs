//! Subagents that a turn waits for, and commands in the background that end later and start a turn of their own.

use serde_json::{Value, json};

use super::Ending;
use super::actor::{Actor, Flow, Over};
use super::lines::{self, Parent};
use super::story::{Kind, Turn};
use super::tools::{Call, Outcome};
use super::turn::Source;
use super::wire::Inbound;

/// A command in the background.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) tool_use_id: String,
    pub(super) description: String,
    /// The turn that its end starts; else the model script's.
    pub(super) then: Option<Turn>,
    pub(super) finished: bool,
    until: Option<Kind>,
}

impl Task {
    pub(super) fn run_id(&self) -> String {
        format!("run-{}", self.id)
    }

    /// Notes a line that may end the task.
    pub(super) fn hear(&mut self, line: &Value) {
        self.finished |= self.until.as_ref().is_some_and(|kind| kind.fits(line));
    }
}

impl Actor {
    /// Starts a task and gives the result of the call, which comes at once.
    pub(super) fn start_task(&mut self, call: &Call, meta: Value) -> Outcome {
        let task = Task {
            id: format!("b{:08}", self.tasks.len() + 1 + usize::try_from(self.session.results).unwrap_or(0) * 100),
            tool_use_id: call.id.clone(),
            description: call.input["description"].as_str().unwrap_or("A command").to_owned(),
            then: call.then.clone(),
            finished: call.until.is_none() && call.takes.is_none(),
            until: call.until.clone(),
        };
        let value = json!({
            "stdout": "", "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false,
            "backgroundTaskId": task.id,
        });
        let text = format!("Command running in background with ID: {}", task.id);
        let started = json!({
            "task_id": task.id, "run_id": task.run_id(), "tool_use_id": task.tool_use_id,
            "description": task.description, "is_backgrounded": true, "task_type": "local_bash",
        });
        if let Some(beats) = call.takes {
            let (time, done) = (self.pace.beat * beats, Inbound::TaskDone(task.id.clone()));
            let sender = self.inbound.sender.clone();
            tokio::spawn(async move {
                tokio::time::sleep(time).await;
                // The agent may have ended before.
                let _ = sender.send(done);
            });
        }
        self.tasks.push(task);
        self.write_tasks();
        self.write_system("task_started", started);
        Outcome { content: json!(text), value, is_error: false, meta }
    }

    /// Takes the first task that has ended.
    pub(super) fn next_finished_task(&mut self) -> Option<Task> {
        let place = self.tasks.iter().position(|task| task.finished)?;
        Some(self.tasks.remove(place))
    }

    /// Ends a task because the host wants so; it starts no turn.
    pub(super) fn stop_task(&mut self, id: &str) {
        if let Some(place) = self.tasks.iter().position(|task| task.id == id) {
            let task = self.tasks.remove(place);
            self.announce_end(&task, "stopped");
        }
    }

    /// Tells the host that a task has ended.
    pub(super) fn announce_end(&mut self, task: &Task, status: &str) {
        let patch = if status == "stopped" { "killed" } else { status };
        let run_id = task.run_id();
        self.write_system(
            "task_updated",
            json!({"task_id": task.id, "run_id": run_id, "patch": {"status": patch, "end_time": 100}}),
        );
        let summary = match status {
            "completed" => format!("Background command \"{}\" completed (exit code 0)", task.description),
            _ => task.description.clone(),
        };
        self.write_system(
            "task_notification",
            json!({
                "task_id": task.id, "run_id": run_id, "tool_use_id": task.tool_use_id, "status": status,
                "output_file": format!("/tmp/{}.output", task.id), "summary": summary,
            }),
        );
        self.write_tasks();
    }

    fn write_tasks(&mut self) {
        let tasks: Vec<Value> = self
            .tasks
            .iter()
            .map(|task| json!({"task_id": task.id, "run_id": task.run_id(), "task_type": "local_bash", "description": task.description}))
            .collect();
        self.write_system("background_tasks_changed", json!({"tasks": tasks}));
    }

    /// Tells the host what a subagent is about to do.
    pub(super) fn announce_progress(&mut self, parent: &Parent, block: &Value) {
        if !self.is_current() {
            return;
        }
        let fields = json!({
            "task_id": parent.agent_id, "run_id": format!("run-{}", parent.agent_id), "tool_use_id": parent.tool_use_id,
            "description": parent.description, "subagent_type": parent.subagent_type,
            "usage": {"total_tokens": 14, "tool_uses": 1, "duration_ms": 100}, "last_tool_name": block["name"],
        });
        self.write_system("task_progress", fields);
    }

    /// A subagent from its prompt to its last word.
    pub(super) async fn subagent(&mut self, call: &Call, meta: Value) -> Result<Result<Outcome, Over>, Ending> {
        let text = |key: &str| call.input[key].as_str().unwrap_or_default().to_owned();
        self.turn.subagents += 1;
        let parent = Parent {
            tool_use_id: call.id.clone(),
            agent_id: format!("a{}", call.id.trim_start_matches("toolu_lab")),
            subagent_type: text("subagent_type"),
            description: text("description"),
            prompt: text("prompt"),
        };
        let run_id = format!("run-{}", parent.agent_id);
        if self.is_current() {
            self.write_system(
                "task_started",
                json!({
                    "task_id": parent.agent_id, "run_id": run_id, "tool_use_id": call.id,
                    "description": parent.description, "subagent_type": parent.subagent_type, "is_backgrounded": false,
                    "spawn_depth": 1, "task_type": "local_agent", "prompt": parent.prompt,
                }),
            );
        }
        let prompt = json!([{"type": "text", "text": parent.prompt}]);
        let line = lines::user(&mut self.session, prompt, Some(&parent));
        self.write(&line);
        let mut source = match &call.replies {
            Some(replies) => Source::Told(replies.clone().into_iter()),
            None => Source::Model,
        };
        self.last_words.clear();
        let flow = Box::pin(self.converse(&mut source, Some(&parent))).await?;
        if let Flow::Over(over) = flow {
            return Ok(Err(over));
        }
        let said = std::mem::take(&mut self.last_words);
        if self.is_current() {
            self.write_system("task_updated", json!({"task_id": parent.agent_id, "run_id": run_id, "patch": {"status": "completed", "end_time": 100}}));
            self.write_system(
                "task_notification",
                json!({
                    "task_id": parent.agent_id, "run_id": run_id, "tool_use_id": call.id, "status": "completed",
                    "output_file": format!("/tmp/{}.output", parent.agent_id), "summary": said,
                    "usage": {"total_tokens": 100, "tool_uses": 1, "duration_ms": 100},
                }),
            );
        }
        let content = json!([{"type": "text", "text": said}]);
        let value = json!({
            "status": "completed", "prompt": parent.prompt, "agentId": parent.agent_id, "agentType": parent.subagent_type,
            "content": content, "resolvedModel": self.session.model, "totalDurationMs": 100, "totalTokens": 100,
            "totalToolUseCount": 1, "canContinueAgent": true,
        });
        Ok(Ok(Outcome { content, value, is_error: false, meta }))
    }
}
