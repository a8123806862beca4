//! The verbs a story is told with.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::{ControlFault, ControlRule, Death, Dialect, Flood, Hang, Ignored, Kind, Paced, Step, Story, Turn};
use crate::script::{Reply, Script};

impl Story {
    /// An agent that says `OK.` to every prompt.
    pub fn new() -> Story {
        Story::default()
    }

    /// An agent whose turns are what the CLI would make of these replies of the model.
    pub fn of_model(script: Script) -> Story {
        Story { model: script, ..Story::default() }
    }

    /// The next told turn.
    pub fn turn(mut self, turn: Turn) -> Story {
        self.turns.push(turn);
        self
    }

    /// A turn of one text.
    pub fn says(self, text: impl Into<String>) -> Story {
        self.turn(Turn::new().says(text))
    }

    /// A step before anything is read.
    pub fn starts_with(mut self, step: Step) -> Story {
        self.start.push(step);
        self
    }

    /// Answers every control request of a subtype this way.
    pub fn on_control(mut self, subtype: impl Into<String>, does: ControlFault) -> Story {
        self.on_control.push(ControlRule { subtype: Some(subtype.into()), once: false, does });
        self
    }

    /// Answers the next control request of a subtype this way.
    pub fn on_next_control(mut self, subtype: impl Into<String>, does: ControlFault) -> Story {
        self.on_control.push(ControlRule { subtype: Some(subtype.into()), once: true, does });
        self
    }

    /// Pretends not to notice something.
    pub fn ignoring(mut self, ignored: Ignored) -> Story {
        self.ignores.push(ignored);
        self
    }

    /// Speaks as another generation of the CLI.
    pub fn speaking(mut self, dialect: Dialect) -> Story {
        self.dialect = dialect;
        self
    }
}

impl Turn {
    /// A turn without any words.
    pub fn new() -> Turn {
        Turn::default()
    }

    /// Any step.
    pub fn then(mut self, step: Step) -> Turn {
        self.steps.push(step);
        self
    }

    /// A message of one text.
    pub fn says(self, text: impl Into<String>) -> Turn {
        self.message(Reply::new().says(text))
    }

    /// A thought that opens the next message.
    pub fn thinks(mut self, thought: impl Into<String>) -> Turn {
        self.thoughts.push(json!({"type": "thinking", "thinking": thought.into()}));
        self
    }

    /// A message of one tool call.
    pub fn calls(self, tool: impl Into<String>, input: Value) -> Turn {
        self.message(Reply::new().calls(tool, input))
    }

    /// What the last tool call gives.
    pub fn giving(self, result: impl Into<String>) -> Turn {
        self.change_call("gives", json!(result.into()))
    }

    /// The last tool call fails with this text.
    pub fn failing(self, error: impl Into<String>) -> Turn {
        self.change_call("gives", json!(error.into())).change_call("fails", json!(true))
    }

    /// The last tool call asks the host first, whatever the CLI would do.
    pub fn asking(self) -> Turn {
        self.change_call("asks", json!(true))
    }

    /// The last tool call does not ask the host.
    pub fn unasked(self) -> Turn {
        self.change_call("asks", json!(false))
    }

    /// A question to the user, with choices.
    pub fn asks(self, question: impl Into<String>, choices: &[&str]) -> Turn {
        let options: Vec<Value> =
            choices.iter().map(|choice| json!({"label": choice, "description": choice})).collect();
        let question =
            json!({"question": question.into(), "header": "Choice", "options": options, "multiSelect": false});
        self.calls("AskUserQuestion", json!({"questions": [question]}))
    }

    /// A subagent that says this while the turn waits for it.
    pub fn delegates(self, description: &str, prompt: &str, replies: Vec<Reply>) -> Turn {
        let input = json!({"description": description, "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false});
        let call = json!({"type": "tool_use", "name": "Agent", "input": input, "replies": replies});
        self.message(Reply::new().block(call))
    }

    /// A command in the background; when it ends, after this turn, `then` is a turn of its own.
    pub fn runs_in_background(self, description: &str, then: Turn) -> Turn {
        let input = json!({"command": "sleep 1", "description": description, "run_in_background": true});
        let call = json!({"type": "tool_use", "name": "Bash", "input": input, "asks": false, "then": then});
        self.message(Reply::new().block(call))
    }

    /// The background command of the last message ends when a line of this kind was read.
    pub fn until(self, kind: &str) -> Turn {
        self.change_call("until", json!(kind))
    }

    /// A message built by hand.
    pub fn message(mut self, mut reply: Reply) -> Turn {
        reply.blocks.splice(0..0, self.thoughts.drain(..));
        self.then(Step::Message(reply))
    }

    /// A hook callback.
    pub fn hooks(self, callback_id: &str, input: Value) -> Turn {
        self.then(Step::Request(
            json!({"subtype": "hook_callback", "callback_id": callback_id, "input": input, "tool_use_id": null}),
        ))
    }

    /// A JSON-RPC message to an MCP server of the host.
    pub fn messages_mcp(self, server: &str, message: Value) -> Turn {
        self.then(Step::Request(json!({"subtype": "mcp_message", "server_name": server, "message": message})))
    }

    /// A form of an MCP server for the user.
    pub fn elicits(self, server: &str, message: &str, schema: Value) -> Turn {
        self.then(Step::Request(
            json!({"subtype": "elicitation", "mcp_server_name": server, "message": message, "mode": "form", "requested_schema": schema}),
        ))
    }

    /// A request of a subtype that the host does not know, or any other.
    pub fn requests(self, subtype: &str, mut fields: Value) -> Turn {
        let mut request = Map::from_iter([("subtype".to_owned(), json!(subtype))]);
        if let Value::Object(fields) = &mut fields {
            request.append(fields);
        }
        self.then(Step::Request(Value::Object(request)))
    }

    /// A request to use a tool that stays open under a name, until it is awaited or withdrawn.
    pub fn opens_ask(self, name: &str, tool: &str, input: Value) -> Turn {
        let request = json!({
            "subtype": "can_use_tool", "tool_name": tool, "display_name": tool, "input": input,
            "permission_suggestions": [], "tool_use_id": format!("toolu_{name}"),
        });
        self.then(Step::Open { name: name.to_owned(), request })
    }

    /// Waits for the answer to an open request.
    pub fn awaits(self, name: &str) -> Turn {
        self.then(Step::Await(name.to_owned()))
    }

    /// Withdraws an open request.
    pub fn withdraws(self, name: &str) -> Turn {
        self.then(Step::Withdraw(name.to_owned()))
    }

    /// A line, byte for byte.
    pub fn writes(self, line: impl Into<String>) -> Turn {
        self.then(Step::Line(line.into()))
    }

    /// The beginning of a line.
    pub fn writes_part(self, text: impl Into<String>) -> Turn {
        self.then(Step::Part(text.into()))
    }

    /// Bytes that need not be text; an end of line has to be among them.
    pub fn writes_bytes(self, bytes: &[u8]) -> Turn {
        self.then(Step::Bytes(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// A message whose text has so many bytes.
    pub fn writes_huge_line(self, bytes: usize) -> Turn {
        self.then(Step::HugeLine(bytes))
    }

    /// Words on the standard error.
    pub fn complains(self, text: impl Into<String>) -> Turn {
        self.then(Step::Stderr(text.into()))
    }

    /// So many deltas, as fast as they can be written, and their whole text.
    pub fn floods(self, deltas: u64) -> Turn {
        self.then(Step::Flood(Flood { deltas, line_bytes: 0, endless: false }))
    }

    /// So many deltas, one each so many milliseconds; each has the moment of its writing as its text (see
    /// [`moment_us`](crate::agent::moment_us)).
    pub fn paces(self, deltas: u64, every_ms: u64) -> Turn {
        self.then(Step::Paced(Paced { deltas, every_ms }))
    }

    /// Waits for a line of a kind, such as `user` or `control_request/interrupt`.
    pub fn waits_for(self, kind: &str) -> Turn {
        self.then(Step::WaitFor(Kind::from(kind)))
    }

    /// Waits until a gate is released.
    pub fn behind(self, gate: impl Into<String>) -> Turn {
        self.then(Step::Gate(gate.into()))
    }

    /// Does nothing any more, but listens.
    pub fn hangs(self) -> Turn {
        self.then(Step::Hang(Hang::Listening))
    }

    /// Does nothing any more, and does not listen either.
    pub fn goes_deaf(self) -> Turn {
        self.then(Step::Hang(Hang::Deaf))
    }

    /// Exits.
    pub fn dies(self, code: i32) -> Turn {
        self.then(Step::Die(Death::Code(code)))
    }

    /// Kills itself.
    pub fn is_killed(self) -> Turn {
        self.then(Step::Die(Death::Kill))
    }

    /// Starts a process that outlives the agent.
    pub fn leaves_behind(self, command: &[&str], pid_file: impl Into<PathBuf>) -> Turn {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        self.then(Step::Spawn { command, pid_file: pid_file.into() })
    }

    /// Fields of the result that differ from the usual ones.
    pub fn results_in(self, fields: Value) -> Turn {
        self.then(Step::Result(fields.as_object().cloned().unwrap_or_default()))
    }

    fn change_call(mut self, key: &str, value: Value) -> Turn {
        if let Some(Step::Message(reply)) = self.steps.last_mut()
            && let Some(Value::Object(block)) = reply.blocks.last_mut()
        {
            block.insert(key.to_owned(), value);
        }
        self
    }
}
