//! One turn: from a prompt, or from the end of a background task, over its steps to the result.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::Ending;
use super::actor::{Actor, Flow, Over, Progress};
use super::lines::{self, Parent};
use super::message::Said;
use super::story::{Dialect, Turn};
use super::tasks::Task;
use crate::model::Choice;
use crate::script::Reply;

/// Where the messages of a conversation come from.
pub(super) enum Source {
    /// The model script.
    Model,
    /// A list of replies.
    Told(std::vec::IntoIter<Reply>),
}

impl Actor {
    /// The turn of all prompts that wait; the old CLI takes one at a time.
    pub(super) async fn prompted_turn(&mut self) -> Result<(), Ending> {
        let count = if self.is_current() { self.queue.len() } else { 1 };
        let prompts: Vec<Value> = self.queue.drain(..count).collect();
        self.turn = Progress { running: true, prompts, ..Progress::default() };
        for prompt in self.turn.prompts.clone() {
            self.write_lifecycle(&prompt, "started");
            self.remember(prompt["message"]["content"].clone());
            let fields = json!({"prompt": prompt["message"]["content"]});
            self.observe("UserPromptSubmit", "", fields).await?;
        }
        self.shake_hands().await?;
        let init = self.init_line();
        self.write(&init);
        if self.flags.replay_user_messages {
            for prompt in self.turn.prompts.clone() {
                let mut replay = lines::user(&mut self.session, prompt["message"]["content"].clone(), None);
                lines::extend(&mut replay, json!({"isReplay": true}));
                if prompt["uuid"].is_string() {
                    replay["uuid"] = prompt["uuid"].clone();
                }
                self.write(&replay);
            }
        }
        let told = self.turns.pop_front();
        self.run_and_report(told).await
    }

    /// The turn that the end of a background task starts.
    pub(super) async fn task_turn(&mut self, task: Task) -> Result<(), Ending> {
        self.announce_end(&task, "completed");
        let origin = json!({"kind": "task-notification", "producer": "session-task", "runId": task.run_id()});
        self.turn = Progress { running: true, origin: Some(origin), ..Progress::default() };
        self.remember(json!(format!("<task-notification>{}</task-notification>", task.id)));
        let init = self.init_line();
        self.write(&init);
        self.run_and_report(task.then).await
    }

    async fn run_and_report(&mut self, told: Option<Turn>) -> Result<(), Ending> {
        let mut flow = match told {
            Some(turn) => self.told_turn(turn).await?,
            None => self.converse(&mut Source::Model, None).await?,
        };
        if flow == Flow::On {
            self.observe("Stop", "", json!({"stop_hook_active": false, "last_assistant_message": self.turn.text}))
                .await?;
        }
        if flow == Flow::On && self.interrupted {
            flow = self.abort_quietly();
        }
        self.finish_turn(flow);
        self.wire.flush().await
    }

    async fn told_turn(&mut self, turn: Turn) -> Result<Flow, Ending> {
        let mut steps = VecDeque::from(Vec::from(turn));
        while let Some(step) = steps.pop_front() {
            let flow = self.step(step).await?;
            if flow != Flow::On {
                return Ok(flow);
            }
            if let Some(instead) = self.instead.take() {
                steps = Vec::from(instead).into();
            }
            self.drain().await?;
            if self.interrupted {
                return Ok(self.abort_quietly());
            }
        }
        Ok(Flow::On)
    }

    /// Messages and tool calls until a message calls no tool.
    pub(super) async fn converse(&mut self, source: &mut Source, parent: Option<&Parent>) -> Result<Flow, Ending> {
        loop {
            let choice = match source {
                Source::Model => self.think(parent),
                Source::Told(replies) => match replies.next() {
                    Some(reply) => self.tell(reply),
                    None => return Ok(Flow::On),
                },
            };
            match self.message(choice, parent).await? {
                Said::Over(over) => return Ok(Flow::Over(over)),
                Said::Again => {}
                Said::Calls(calls) if calls.is_empty() => {
                    if matches!(source, Source::Model) {
                        return Ok(Flow::On);
                    }
                }
                Said::Calls(calls) => {
                    let flow = Box::pin(self.run_calls(calls, parent)).await?;
                    if flow != Flow::On {
                        return Ok(flow);
                    }
                }
            }
        }
    }

    /// A told message with its tools.
    pub(super) async fn tell_message(&mut self, reply: Reply) -> Result<Flow, Ending> {
        let choice = self.tell(reply);
        match self.message(choice, None).await? {
            Said::Over(over) => Ok(Flow::Over(over)),
            Said::Again => Ok(Flow::On),
            Said::Calls(calls) => self.run_calls(calls, None).await,
        }
    }

    /// What a turn that is interrupted between two steps says.
    pub(super) fn abort_quietly(&mut self) -> Flow {
        self.say_interrupted("[Request interrupted by user]");
        Flow::Over(Over::Streaming)
    }

    pub(super) fn say_interrupted(&mut self, text: &str) {
        let line = lines::user(&mut self.session, json!([{"type": "text", "text": text}]), None);
        self.turn.user_messages += 1;
        self.write(&line);
    }

    /// Remembers a message in the user's name, as the model script may want to see it.
    pub(super) fn remember(&mut self, content: Value) {
        if self.first_message.is_null() {
            self.first_message = content.clone();
        }
        self.last_message = content;
    }

    /// Prompts that came while tools ran belong to this turn.
    pub(super) fn fold_in_prompts(&mut self) {
        if !self.is_current() {
            return;
        }
        while let Some(prompt) = self.queue.pop_front() {
            self.write_lifecycle(&prompt, "started");
            self.remember(prompt["message"]["content"].clone());
            self.turn.user_messages += 1;
            self.turn.prompts.push(prompt);
        }
    }

    fn init_line(&mut self) -> Value {
        let tools = self.servers.tools();
        let mut init = lines::init(&mut self.session, self.story.dialect, &self.servers.names(), &tools);
        let uuids = self.prompt_uuids();
        if !uuids.is_empty() && self.is_current() {
            lines::extend(&mut init, json!({"user_message_uuids": uuids}));
        }
        init
    }

    fn prompt_uuids(&self) -> Vec<Value> {
        self.turn.prompts.iter().map(|prompt| prompt["uuid"].clone()).filter(Value::is_string).collect()
    }

    fn finish_turn(&mut self, flow: Flow) {
        let mut turn = std::mem::take(&mut self.turn);
        self.session.total.add(turn.usage);
        let over = if let Flow::Over(over) = flow { Some(over) } else { None };
        let interrupted = matches!(over, Some(Over::Streaming | Over::Tools));
        let terminal = match over {
            None => "completed",
            Some(Over::Streaming) => "aborted_streaming",
            Some(Over::Tools) => "aborted_tools",
            Some(Over::ApiError) => "api_error",
        };
        let mut result = json!({
            "subtype": if interrupted { "error_during_execution" } else { "success" },
            "is_error": over.is_some() && (self.is_current() || !interrupted),
            "duration_ms": 100, "duration_api_ms": 100, "num_turns": turn.user_messages + 1,
            "stop_reason": turn.stop_reason, "total_cost_usd": self.session.total.cost_usd(),
            "usage": turn.usage.for_result(), "modelUsage": self.session.total.by_model(&self.session.model),
            "permission_denials": turn.denials,
        });
        let ending = if interrupted {
            json!({"errors": ["[ede_diagnostic] interrupted"]})
        } else {
            json!({"result": turn.text})
        };
        lines::extend(&mut result, ending);
        if self.story.dialect == Dialect::Current {
            lines::extend(&mut result, current_fields(terminal, &self.session, turn.subagents));
            // Those of subagents are among them.
            let since = self.session.total.since(self.session.told).by_model(&self.session.model);
            self.session.told = self.session.total;
            lines::extend(&mut result, json!({"model_usage_since_last_result": since, "queued_turn_count": 0}));
            if !interrupted {
                lines::extend(&mut result, json!({"api_error_status": null, "ttft_ms": 100}));
            }
            if let Some(origin) = turn.origin.take() {
                lines::extend(&mut result, json!({"origin": origin}));
            }
            let uuids: Vec<&Value> =
                turn.prompts.iter().map(|prompt| &prompt["uuid"]).filter(|uuid| uuid.is_string()).collect();
            if let Some(last) = uuids.last() {
                lines::extend(&mut result, json!({"user_message_uuid": last, "user_message_uuids": uuids}));
            }
        }
        lines::extend(&mut result, Value::Object(turn.changes));
        self.last_was_error = result["is_error"] == true;
        let line = lines::line(&mut self.session, "result", result);
        self.write(&line);
        self.session.results += 1;
        self.interrupted = false;
        let state = if interrupted { "cancelled" } else { "completed" };
        turn.prompts.iter().for_each(|prompt| self.write_lifecycle(prompt, state));
    }

    /// The next reply of the model script.
    fn think(&mut self, parent: Option<&Parent>) -> Choice {
        let (first, last) = match parent {
            Some(parent) => (json!(parent.prompt), json!(parent.prompt)),
            None => (self.first_message.clone(), self.last_message.clone()),
        };
        let messages = json!([{"role": "user", "content": first}, {"role": "user", "content": last}]);
        let choice = self.mind.think(json!({"model": self.session.model, "messages": messages, "stream": true}));
        self.with_usage(choice)
    }

    /// A told reply, numbered behind those of the model script.
    fn tell(&mut self, reply: Reply) -> Choice {
        self.messages_told += 1;
        self.with_usage(Choice::told(reply, self.story.model.replies().len() + self.messages_told))
    }

    fn with_usage(&self, mut choice: Choice) -> Choice {
        if choice.reply.usage.is_empty() {
            choice.reply.usage.clone_from(&self.story.usage);
        }
        choice
    }
}

/// What only the newer CLI says in a result.
fn current_fields(terminal: &str, session: &super::session::Session, subagents: u64) -> Value {
    json!({
        "terminal_reason": terminal, "fast_mode_state": "off", "fast_mode_disabled_reason": "sdk_opt_in_required",
        "subagent_stats": {
            "spawned": subagents, "requested": {"background": 0, "foreground": subagents, "unset": 0},
            "started_in_background": 0, "max_depth": u64::from(subagents > 0), "spawned_by_subagents": 0,
            "completed": subagents, "failed": 0, "killed": {"parent": 0, "user": 0, "system": 0},
            "refused": {"depth_limit": 0, "concurrency_limit": 0, "budget": 0}, "by_type": {},
        },
        "safety_stops": 0, "result_index": session.results,
    })
}
