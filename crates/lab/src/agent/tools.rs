//! Tool calls: whether the host is asked, what it answered, and the result that is made of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Ending;
use super::actor::{Actor, Answered, Flow, Over};
use super::hooks::Verdict;
use super::lines::{self, Parent};
use super::permission::{Need, ask};
use super::story::{Kind, Turn};
use crate::model::Choice;
use crate::model::stream::blocks;
use crate::script::Reply;

/// The branch of a call that the host refused.
const DENIED: &str = "denied";

/// A tool call with what the story says about it beyond what the API has.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) input: Value,
    pub(super) gives: Option<String>,
    pub(super) gives_value: Option<Value>,
    pub(super) fails: bool,
    pub(super) asks: Option<bool>,
    pub(super) replies: Option<Vec<Reply>>,
    pub(super) until: Option<Kind>,
    pub(super) then: Option<Turn>,
    /// For how many beats it runs.
    pub(super) takes: Option<u32>,
    /// What happens instead of the rest of the turn, by what the host decided.
    pub(super) branches: BTreeMap<String, Turn>,
}

/// What a call came to.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) content: Value,
    pub(super) value: Value,
    pub(super) is_error: bool,
    pub(super) meta: Value,
}

/// A call on its way, with how it was permitted.
enum Permitted {
    Yes { decision: Value },
    No(Outcome),
    Asked(String),
}

impl Call {
    /// The calls of a message. Their blocks are left with what the API has.
    pub(super) fn take_all(choice: &mut Choice) -> Vec<Call> {
        let mut calls = Vec::new();
        for (index, block) in blocks(choice).into_iter().enumerate() {
            if block["type"] != "tool_use" {
                continue;
            }
            let Some(Value::Object(fields)) = choice.reply.blocks.get_mut(index) else { continue };
            let mut take = |key: &str| fields.remove(key);
            let read = |value: Option<Value>| value.map(serde_json::from_value);
            calls.push(Call {
                id: block["id"].as_str().unwrap_or_default().to_owned(),
                name: block["name"].as_str().unwrap_or_default().to_owned(),
                input: block["input"].clone(),
                gives: take("gives").and_then(|text| text.as_str().map(str::to_owned)),
                gives_value: take("gives_value"),
                fails: take("fails").is_some_and(|fails| fails == true),
                asks: take("asks").and_then(|asks| asks.as_bool()),
                replies: take("replies").and_then(|replies| serde_json::from_value(replies).ok()),
                until: take("until").and_then(|kind| serde_json::from_value(kind).ok()),
                then: read(take("then")).and_then(Result::ok),
                takes: take("takes").and_then(|beats| u32::try_from(beats.as_u64()?).ok()),
                branches: take("branches").and_then(|turns| serde_json::from_value(turns).ok()).unwrap_or_default(),
            });
        }
        calls
    }

    /// Tools that only look do so side by side; others wait for each other.
    fn only_looks(&self) -> bool {
        ["Read", "Glob", "Grep", "WebFetch", "WebSearch"].contains(&self.name.as_str())
    }
}

impl Outcome {
    pub(super) fn error(text: &str, meta: Value) -> Outcome {
        Outcome { content: json!(text), value: json!(format!("Error: {text}")), is_error: true, meta }
    }
}

impl Actor {
    /// Runs the calls of a message: those that only look together, the others one after the other.
    pub(super) async fn run_calls(&mut self, calls: Vec<Call>, parent: Option<&Parent>) -> Result<Flow, Ending> {
        let mut calls = calls.into_iter().peekable();
        while let Some(first) = calls.next() {
            let mut batch = vec![first];
            while batch[0].only_looks()
                && let Some(next) = calls.next_if(Call::only_looks)
            {
                batch.push(next);
            }
            let flow = self.run_batch(batch, parent).await?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        if parent.is_none() {
            self.drain().await?;
            self.fold_in_prompts();
        }
        Ok(Flow::On)
    }

    async fn run_batch(&mut self, batch: Vec<Call>, parent: Option<&Parent>) -> Result<Flow, Ending> {
        let mut asked = Vec::new();
        for mut call in batch {
            match self.permit(&mut call, parent).await? {
                Permitted::Asked(id) => asked.push((id, call)),
                Permitted::No(outcome) => self.refuse(&call, outcome, parent),
                Permitted::Yes { decision } => {
                    let flow = self.carry_out(call, decision, parent).await?;
                    if flow != Flow::On {
                        return Ok(flow);
                    }
                }
            }
        }
        while !asked.is_empty() {
            let ids: Vec<String> = asked.iter().map(|(id, _)| id.clone()).collect();
            let flow = match self.answer_to(&ids).await? {
                Answered::Answer(id, response) => {
                    let place = ids.iter().position(|asked| *asked == id).unwrap_or(0);
                    let (_, call) = asked.remove(place);
                    self.decided(call, &response, parent).await?
                }
                Answered::Closed => {
                    let (_, call) = asked.remove(0);
                    let text =
                        "Tool permission request failed: Error: Tool permission stream closed before response received";
                    self.refuse(&call, Outcome::error(text, reject("user_reject")), parent);
                    Flow::On
                }
                Answered::Interrupted => {
                    for (_, call) in std::mem::take(&mut asked) {
                        self.refuse(&call, rejected(), parent);
                    }
                    self.abort_tools()
                }
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    /// What the hooks, the mode and the rules say about a call.
    async fn permit(&mut self, call: &mut Call, parent: Option<&Parent>) -> Result<Permitted, Ending> {
        let verdict = self.before_tool(call).await?;
        let need = match verdict {
            Verdict::Deny(reason) => {
                let text = format!("PreToolUse:{} hook error: {reason}", call.name);
                let mut meta = reject("hook");
                meta["permission_decision"]["reason_type"] = json!("hook");
                return Ok(Permitted::No(Outcome::error(&text, meta)));
            }
            Verdict::Allow => {
                return Ok(Permitted::Yes {
                    decision: json!({"decision": "accept", "source": "hook", "reason_type": "hook"}),
                });
            }
            Verdict::Ask => Need::Ask,
            Verdict::None => self.need(call),
        };
        match need {
            Need::Nothing(reason) => Ok(Permitted::Yes {
                decision: json!({"decision": "accept", "source": "config", "reason_type": reason}),
            }),
            Need::Ask => {
                let request = ask(&self.session, call, parent);
                Ok(Permitted::Asked(self.send_request(request)))
            }
            Need::Refused(reason) => {
                let text = format!("Permission to use {} has been denied.", call.name);
                let fields = json!({"tool_name": call.name, "tool_use_id": call.id, "decision_reason_type": reason, "message": text});
                self.write_system("permission_denied", fields);
                Ok(Permitted::No(Outcome::error(&text, reject("config"))))
            }
        }
    }

    /// What the host's answer to an ask means.
    async fn decided(&mut self, mut call: Call, response: &Value, parent: Option<&Parent>) -> Result<Flow, Ending> {
        let decision = &response["response"];
        if response["subtype"] == "error" {
            let text =
                format!("Tool permission request failed: Error: {}", response["error"].as_str().unwrap_or_default());
            self.refuse(&call, Outcome::error(&text, reject("user_reject")), parent);
            return Ok(Flow::On);
        }
        match decision["behavior"].as_str() {
            Some("allow") if decision.get("updatedInput").is_none_or(Value::is_object) => {
                if let Some(input) = decision.get("updatedInput") {
                    call.input = input.clone();
                }
                self.apply_updates(&decision["updatedPermissions"]);
                self.carry_out(call, json!({"decision": "accept", "source": "user_temporary"}), parent).await
            }
            Some("deny") if decision["message"].is_string() => {
                let text = decision["message"].as_str().unwrap_or_default();
                self.refuse(&call, Outcome::error(text, reject("user_reject")), parent);
                Ok(if decision["interrupt"] == true { self.abort_tools() } else { Flow::On })
            }
            _ => {
                let text = "The canUseTool callback returned an invalid permission result.";
                self.refuse(&call, Outcome::error(text, reject("user_reject")), parent);
                Ok(Flow::On)
            }
        }
    }

    /// Does what the tool does, as far as an agent without hands can.
    async fn carry_out(&mut self, call: Call, decision: Value, parent: Option<&Parent>) -> Result<Flow, Ending> {
        let meta = json!({"permission_decision": decision});
        let outcome = if call.name == "Agent" || call.name == "Task" {
            match self.subagent(&call, meta).await? {
                Ok(outcome) => outcome,
                Err(over) => return Ok(Flow::Over(over)),
            }
        } else if call.name.starts_with("mcp__") && call.gives.is_none() {
            match self.call_server(&call, meta).await? {
                Some(outcome) => outcome,
                None => return Ok(self.abort_call(&call, parent)),
            }
        } else if call.input["run_in_background"] == true {
            self.start_task(&call, meta)
        } else {
            if let Some(kind) = &call.until
                && !self.wait_for(kind).await?
            {
                return Ok(self.abort_call(&call, parent));
            }
            if !self.linger(self.pace.beat * call.takes.unwrap_or(1)).await? {
                return Ok(self.abort_call(&call, parent));
            }
            self.branch_by_answer(&call);
            if call.name == "ExitPlanMode" && self.session.mode == "plan" {
                "default".clone_into(&mut self.session.mode);
                if self.is_current() {
                    self.write_system("status", json!({"status": null, "permissionMode": "default"}));
                }
            }
            simple_outcome(&call, meta)
        };
        let event = if outcome.is_error { "PostToolUseFailure" } else { "PostToolUse" };
        let fields = json!({"tool_name": call.name, "tool_input": call.input, "tool_response": outcome.value, "tool_use_id": call.id, "duration_ms": 100});
        self.observe(event, &call.name, fields).await?;
        self.write_outcome(&call, outcome, parent);
        Ok(Flow::On)
    }

    /// An answer to a question may have a branch of its own; the first that has one counts.
    fn branch_by_answer(&mut self, call: &Call) {
        let answers = call.input["answers"].as_object().into_iter().flat_map(|answers| answers.values());
        let labels = answers.flat_map(|answer| answer.as_array().map_or(std::slice::from_ref(answer), Vec::as_slice));
        self.instead = labels.filter_map(Value::as_str).find_map(|label| call.branches.get(label)).cloned();
    }

    fn abort_call(&mut self, call: &Call, parent: Option<&Parent>) -> Flow {
        self.write_outcome(call, rejected(), parent);
        self.abort_tools()
    }

    fn abort_tools(&mut self) -> Flow {
        self.say_interrupted("[Request interrupted by user for tool use]");
        Flow::Over(Over::Tools)
    }

    fn refuse(&mut self, call: &Call, outcome: Outcome, parent: Option<&Parent>) {
        self.instead = call.branches.get(DENIED).cloned();
        self.turn.denials.push(json!({"tool_name": call.name, "tool_use_id": call.id, "tool_input": call.input}));
        self.write_outcome(call, outcome, parent);
    }

    fn write_outcome(&mut self, call: &Call, outcome: Outcome, parent: Option<&Parent>) {
        let mut block = json!({"tool_use_id": call.id, "type": "tool_result", "content": outcome.content});
        if outcome.is_error || call.name == "Bash" {
            block["is_error"] = json!(outcome.is_error);
        }
        let content = json!([block]);
        let mut line = lines::user(&mut self.session, content.clone(), parent);
        if parent.is_none() {
            self.remember(content);
            self.turn.user_messages += 1;
            lines::extend(&mut line, json!({"tool_use_result": outcome.value}));
        }
        if self.is_current() {
            let mut meta = json!({"id": call.id});
            lines::extend(&mut meta, outcome.meta);
            lines::extend(&mut line, json!({"tool_result_meta": [meta]}));
        }
        self.write(&line);
    }
}

/// The result of a tool that did what the story says, or just what it was asked to.
fn simple_outcome(call: &Call, meta: Value) -> Outcome {
    let text = call.gives.clone().unwrap_or_default();
    if call.fails {
        return Outcome::error(&text, meta);
    }
    let input = &call.input;
    let value = match call.name.as_str() {
        "Bash" => {
            json!({"stdout": text, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false})
        }
        "AskUserQuestion" => {
            let answers = input.get("answers").cloned().unwrap_or_else(|| json!({}));
            let content = format!("Your questions have been answered: {answers}");
            let value = json!({"questions": input["questions"], "answers": answers});
            return Outcome { content: json!(content), value, is_error: false, meta };
        }
        "Read" => {
            let count = text.lines().count();
            json!({"type": "text", "file": {"filePath": input["file_path"], "content": text, "numLines": count, "startLine": 1, "totalLines": count}})
        }
        "Write" => {
            json!({"type": "create", "filePath": input["file_path"], "content": input["content"], "structuredPatch": [], "originalFile": null, "userModified": false})
        }
        "Edit" => json!({
            "filePath": input["file_path"], "oldString": input["old_string"], "newString": input["new_string"],
            "originalFile": input["old_string"], "structuredPatch": [], "userModified": false, "replaceAll": false,
        }),
        _ => json!(text),
    };
    Outcome { content: json!(text), value: call.gives_value.clone().unwrap_or(value), is_error: false, meta }
}

fn reject(source: &str) -> Value {
    json!({"non_execution_kind": "permission-rule", "permission_decision": {"decision": "reject", "source": source}})
}

/// A call that an interrupt ended.
fn rejected() -> Outcome {
    let text = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    Outcome {
        content: json!(text),
        value: json!("User rejected tool use"),
        is_error: true,
        meta: json!({"non_execution_kind": "user-rejected"}),
    }
}
