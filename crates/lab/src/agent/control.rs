//! Control requests of the host: what each does, what the CLI answers, and how a story spoils the answer.

use serde_json::{Value, json};

use super::Ending;
use super::actor::Actor;
use super::hooks::Hooks;
use super::lines;
use super::story::{ControlFault, ControlRule};

/// What the CLI says to a request.
enum Answer {
    /// Success with a body.
    Body(Value),
    /// Success without one.
    Done,
    /// An error, perhaps with a code.
    Error(String, Option<&'static str>),
    /// Nothing at all.
    Nothing,
}

impl Actor {
    /// Answers a request, or does what the story says instead.
    pub(super) fn respond(&mut self, line: &Value) -> Result<(), Ending> {
        let request = &line["request"];
        let fault = self.fault_for(request["subtype"].as_str().unwrap_or_default());
        let id = line.get("request_id");
        match fault {
            Some(ControlFault::Silence) => {}
            Some(ControlFault::Death(death)) => return Err(death.into()),
            Some(ControlFault::Error(text)) => {
                let answer = written(id, &Answer::Error(text, None));
                answer.iter().for_each(|line| self.write(line));
            }
            Some(ControlFault::Body(body)) => {
                self.act(id, request);
                let answer = written(id, &Answer::Body(body));
                answer.iter().for_each(|line| self.write(line));
            }
            Some(ControlFault::Twice) => {
                let answer = self.answer_lines(id, request);
                answer.iter().chain(&answer).for_each(|line| self.write(line));
            }
            Some(ControlFault::After(kind)) => {
                let answer = self.answer_lines(id, request);
                self.held.push((kind, answer));
            }
            None => {
                let answer = self.answer_lines(id, request);
                answer.iter().for_each(|line| self.write(line));
                if request["subtype"] == "set_permission_mode" && self.is_current() && answer_succeeded(&answer) {
                    self.write_system("status", json!({"status": null, "permissionMode": self.session.mode}));
                }
            }
        }
        Ok(())
    }

    fn fault_for(&mut self, subtype: &str) -> Option<ControlFault> {
        let fits = |rule: &ControlRule| rule.subtype.as_deref().is_none_or(|wanted| wanted == subtype);
        let place = self.story.on_control.iter().position(fits)?;
        let rule = &self.story.on_control[place];
        let does = rule.does.clone();
        if rule.once {
            self.story.on_control.remove(place);
        }
        Some(does)
    }

    fn answer_lines(&mut self, id: Option<&Value>, request: &Value) -> Vec<Value> {
        let answer = self.act(id, request);
        let mut lines = written(id, &answer);
        if request["subtype"] == "initialize" && self.is_current() {
            let pending: Vec<Value> = self
                .open
                .iter()
                .filter(|(_, request)| request["subtype"] == "can_use_tool")
                .map(|(id, request)| lines::control_request(id, request))
                .collect();
            let siblings = json!({"pending_permission_requests": pending, "pending_user_dialog_requests": []});
            lines.iter_mut().for_each(|line| lines::extend(&mut line["response"], siblings.clone()));
        }
        if request["subtype"] == "set_permission_mode" && !self.is_current() {
            lines.extend(written(id, &Answer::Done));
        }
        lines
    }

    /// Does what is asked and says what the CLI would.
    fn act(&mut self, id: Option<&Value>, request: &Value) -> Answer {
        let text = |key: &str| request[key].as_str().unwrap_or_default();
        let subtype = text("subtype");
        match subtype {
            "initialize" => {
                self.hooks = Hooks::registered(&request["hooks"]);
                self.greet_servers(&request["sdkMcpServers"]);
                Answer::Body(self.initialize_body(request.get("hooks").is_some()))
            }
            "interrupt" => self.act_on_interrupt(request),
            "set_model" => self.act_on_model(request["model"].as_str()),
            "set_permission_mode" => self.act_on_mode(request),
            "stop_task" => {
                self.stop_task(text("task_id"));
                Answer::Body(json!({}))
            }
            "mcp_status" => Answer::Body(self.servers.status()),
            "mcp_reconnect" | "mcp_toggle" => {
                let server = text("serverName");
                if self.servers.names().iter().any(|name| name == server) {
                    Answer::Done
                } else {
                    Answer::Error(format!("Server not found: {server}"), None)
                }
            }
            "cancel_async_message" if self.is_current() => {
                let place = self.queue.iter().position(|prompt| prompt["uuid"] == request["message_uuid"]);
                let Some(prompt) = place.and_then(|place| self.queue.remove(place)) else {
                    return Answer::Body(json!({"cancelled": false}));
                };
                self.write_lifecycle(&prompt, "cancelled");
                Answer::Body(json!({"cancelled": true, "message_uuid": prompt["uuid"]}))
            }
            "side_question" if self.is_current() => {
                self.write_system("control_request_progress", json!({"request_id": id, "status": "started"}));
                Answer::Body(json!({"response": format!("An aside on: {}", text("question")), "synthetic": false}))
            }
            "rename_session" => {
                self.write_system("session_title_changed", json!({"title": request["title"]}));
                Answer::Done
            }
            "set_max_thinking_tokens"
            | "mcp_message"
            | "apply_flag_settings"
            | "seed_read_state"
            | "set_has_subscribers"
            | "end_session" => Answer::Done,
            "register_repo_root" if self.is_current() => {
                Answer::Error("The repository cannot be registered".to_owned(), None)
            }
            _ => match self.query_body(subtype, request) {
                Some(body) => Answer::Body(body),
                None if self.is_current() => {
                    let name = request["subtype"].as_str().unwrap_or("undefined");
                    let text = format!("Unsupported control request subtype: {name}");
                    Answer::Error(text, Some("unsupported_request"))
                }
                None => Answer::Nothing,
            },
        }
    }

    fn initialize_body(&self, has_hooks: bool) -> Value {
        let mut body = lines::stock(self.story.dialect, "initialize");
        if self.is_current() {
            let state = if self.turn.running { "running" } else { "idle" };
            lines::extend(
                &mut body,
                json!({
                    "pid": std::process::id(), "claude_code_version": self.session.version,
                    "current_permission_mode": self.session.mode, "session_state": state,
                    "user_output_styles_dir": self.session.folder.join(".claude/output-styles"),
                }),
            );
            if has_hooks {
                lines::extend(&mut body, json!({"hooks_applied": true}));
            }
        }
        body
    }

    fn act_on_interrupt(&mut self, request: &Value) -> Answer {
        self.interrupt();
        let uuids = |prompts: &mut dyn Iterator<Item = &Value>| -> Vec<Value> {
            prompts.map(|prompt| prompt["uuid"].clone()).filter(Value::is_string).collect()
        };
        if request["cancel_queued"] == true {
            let cancelled: Vec<Value> = self.queue.drain(..).collect();
            cancelled.iter().for_each(|prompt| self.write_lifecycle(prompt, "cancelled"));
            return Answer::Body(json!({"still_queued": [], "cancelled": uuids(&mut cancelled.iter())}));
        }
        if self.is_current() {
            Answer::Body(json!({"still_queued": uuids(&mut self.queue.iter())}))
        } else {
            Answer::Done
        }
    }

    fn act_on_model(&mut self, wanted: Option<&str>) -> Answer {
        self.session.set_model(wanted);
        if !self.is_current() {
            return Answer::Done;
        }
        let text = format!("<local-command-stdout>Set model to {}</local-command-stdout>", self.session.model);
        let mut line = lines::user(&mut self.session, json!(text), None);
        lines::extend(&mut line, json!({"isReplay": true}));
        self.write(&line);
        Answer::Body(json!({"model": self.session.model}))
    }

    fn act_on_mode(&mut self, request: &Value) -> Answer {
        let mode = request["mode"].as_str().unwrap_or_default();
        if self.is_current() {
            match mode {
                "default" | "manual" | "acceptEdits" | "plan" | "dontAsk" => {}
                "bypassPermissions" if self.flags.may_bypass => {}
                "bypassPermissions" => {
                    let text = "Cannot set permission mode to bypassPermissions: the session was not launched with it";
                    return Answer::Error(text.to_owned(), Some("bypass_not_launched"));
                }
                "auto" => return Answer::Error("The model has no auto mode".to_owned(), Some("auto_mode_model")),
                _ => return Answer::Error("Invalid permission mode".to_owned(), Some("invalid_mode")),
            }
        }
        let mode = if mode == "manual" { "default" } else { mode };
        mode.clone_into(&mut self.session.mode);
        Answer::Body(json!({"mode": mode}))
    }
}

fn written(id: Option<&Value>, answer: &Answer) -> Vec<Value> {
    let mut response = match answer {
        Answer::Body(body) => json!({"subtype": "success", "request_id": id, "response": body}),
        Answer::Done => json!({"subtype": "success", "request_id": id}),
        Answer::Error(text, None) => json!({"subtype": "error", "request_id": id, "error": text}),
        Answer::Error(text, Some(code)) => {
            json!({"subtype": "error", "request_id": id, "error": text, "error_code": code})
        }
        Answer::Nothing => return Vec::new(),
    };
    if let (None, Value::Object(fields)) = (id, &mut response) {
        fields.remove("request_id");
    }
    vec![json!({"type": "control_response", "response": response})]
}

fn answer_succeeded(lines: &[Value]) -> bool {
    lines.iter().all(|line| line["response"]["subtype"] == "success")
}
