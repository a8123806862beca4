//! A conversation with a real CLI in typed messages: [`ToCli`] goes in, [`FromCli`] comes out. A session that is finished
//! has been read to its end, and the story fails if it wrote anything that no type names.

use claude_protocol::content::{Block, ToolResultBlock, ToolUse};
use claude_protocol::control::{Answered, Ask, ReplyTo, Response};
use claude_protocol::from_cli::system::Init;
use claude_protocol::from_cli::{Assistant, TurnResult, User};
use claude_protocol::hook::HookCallback;
use claude_protocol::permission::CanUseTool;
use claude_protocol::{
    FromCli, Prompt, RequestId, System, ToCli, ToolInput, ToolResult, ToolUseId, decode, decode_as, encode,
};
use lab::{CliVersion, Direction, LabError, Launch, Script, Session, Stage};
use serde_json::Value;

use super::strange::strange;

/// The model that every session starts with.
pub(super) const MODEL: &str = "claude-sonnet-4-5-20250929";

/// A running session.
pub(super) struct Talk {
    session: Session,
    requests: u32,
}

/// A session that has ended.
pub(super) struct Told {
    /// The exit code.
    pub(super) code: Option<i32>,
    /// All that it said.
    pub(super) lines: Vec<FromCli>,
}

/// A model with this script, and the CLI beside it.
pub(super) async fn stage(cli: CliVersion, script: Script) -> Stage {
    good(Stage::new(cli, script).await)
}

impl Talk {
    /// Starts a session.
    pub(super) async fn start(stage: &Stage, launch: Launch) -> Talk {
        Talk { session: good(stage.start(launch).await), requests: 0 }
    }

    /// Sends a line, as our own writer writes it.
    pub(super) async fn say(&self, line: impl Into<ToCli>) {
        let line = line.into();
        let text = encode(&line);
        assert_eq!(decode_as::<ToCli>(text.as_str()).body, line, "what is written is not what was meant: {text}");
        good(self.session.send_text(&text).await);
    }

    /// Sends a prompt.
    pub(super) async fn prompt(&self, text: &str) {
        self.say(Prompt::text(text)).await;
    }

    /// Sends a prompt and waits for the end of its turn.
    pub(super) async fn turn(&mut self, text: &str) -> TurnResult {
        self.prompt(text).await;
        self.result().await
    }

    /// The first line from here on in which something is found; those before it are passed over.
    pub(super) async fn next<T>(&mut self, what: &str, mut find: impl FnMut(&FromCli) -> Option<T>) -> T {
        let mut found = None;
        let waiting = self.session.wait_for(what, |line| {
            found = find(&decode(line.to_string()).body);
            found.is_some()
        });
        good(waiting.await);
        found.unwrap()
    }

    /// The end of the turn.
    pub(super) async fn result(&mut self) -> TurnResult {
        self.next("the result", |line| match line {
            FromCli::Result(result) => Some((**result).clone()),
            _ => None,
        })
        .await
    }

    /// The next question for a permission.
    pub(super) async fn permission(&mut self) -> (ReplyTo, CanUseTool) {
        self.next("the question for a permission", |line| match line {
            FromCli::ControlRequest(request) => match &request.request {
                Ask::CanUseTool(ask) => Some((request.reply_to(), (**ask).clone())),
                _ => None,
            },
            _ => None,
        })
        .await
    }

    /// The next hook that fires.
    pub(super) async fn hook(&mut self) -> (RequestId, HookCallback) {
        self.next("the hook", |line| match line {
            FromCli::ControlRequest(request) => match &request.request {
                Ask::HookCallback(hook) => Some((request.request_id.clone(), (**hook).clone())),
                _ => None,
            },
            _ => None,
        })
        .await
    }

    /// Sends a command and does not wait.
    pub(super) async fn request(&mut self, command: impl Answered) -> RequestId {
        self.requests += 1;
        let id = RequestId::from(format!("story_{}", self.requests));
        self.say(ToCli::request(id.clone(), command)).await;
        id
    }

    /// The answer to a command, which must be a success.
    pub(super) async fn answer<C: Answered>(&mut self, id: &RequestId) -> C::Answer {
        let what = format!("the answer to {id}");
        let response = self.next(&what, |line| answer_to(line, id)).await;
        assert_eq!(response.failure(), None, "{id} failed");
        let reading = response.answer_to::<C>().unwrap();
        assert_eq!(reading.notes, []);
        reading.value
    }

    /// Sends a command and gives the answer.
    pub(super) async fn command<C: Answered>(&mut self, command: C) -> C::Answer {
        let id = self.request(command).await;
        self.answer::<C>(&id).await
    }

    /// Ends the session and reads it whole. All that it wrote must be known to the types.
    pub(super) async fn finish(self) -> Told {
        let end = good(self.session.finish().await);
        let unknown = strange(&end.records);
        assert!(unknown.is_empty(), "the types do not know all of it:\n{}", unknown.join("\n"));
        let out = end.records.iter().filter(|record| record.direction == Direction::Out);
        Told { code: end.code, lines: out.map(|record| decode(record.text.as_str()).body).collect() }
    }
}

impl Told {
    /// What kinds of lines there were, in order; an event of a stream by its own name.
    pub(super) fn kinds(&self) -> Vec<String> {
        self.lines
            .iter()
            .map(|line| match line {
                FromCli::StreamEvent(line) => line.event.kind().to_owned(),
                line => line.full_kind(),
            })
            .collect()
    }

    /// The `init` of each turn.
    pub(super) fn inits(&self) -> Vec<&Init> {
        self.pick(|line| match line {
            FromCli::System(System::Init(init)) => Some(&**init),
            _ => None,
        })
    }

    /// The lines of the model.
    pub(super) fn assistants(&self) -> Vec<&Assistant> {
        self.pick(|line| match line {
            FromCli::Assistant(assistant) => Some(&**assistant),
            _ => None,
        })
    }

    /// The lines to the model.
    pub(super) fn users(&self) -> Vec<&User> {
        self.pick(|line| match line {
            FromCli::User(user) => Some(&**user),
            _ => None,
        })
    }

    /// The answers to a command.
    pub(super) fn answers(&self, id: &RequestId) -> Vec<Response> {
        self.lines.iter().filter_map(|line| answer_to(line, id)).collect()
    }

    /// How often the CLI asked for a permission.
    pub(super) fn asked(&self) -> usize {
        self.pick(|line| match line {
            FromCli::ControlRequest(request) => Some(&request.request),
            _ => None,
        })
        .into_iter()
        .filter(|ask| matches!(ask, Ask::CanUseTool(_)))
        .count()
    }

    /// The blocks of all lines of the main agent's model.
    pub(super) fn blocks(&self) -> Vec<&Block> {
        let main = self.assistants().into_iter().filter(|line| line.parent_tool_use_id.is_none());
        main.flat_map(|line| line.message.content.blocks()).collect()
    }

    /// A call of a tool.
    pub(super) fn call(&self, id: &ToolUseId) -> &ToolUse {
        let mut calls = self.assistants().into_iter().flat_map(|line| line.message.content.tool_uses());
        calls.find(|call| call.id == *id).unwrap_or_else(|| panic!("no call {id}"))
    }

    /// The results of tools for the main agent, in order: the block that the model reads, and the typed result.
    pub(super) fn results(&self) -> Vec<(&ToolResultBlock, ToolResult)> {
        let main = self.users().into_iter().filter(|line| line.parent_tool_use_id.is_none());
        main.filter_map(|line| {
            let block = line.message.content.tool_results().next()?;
            let result = line.tool_use_result.as_ref().unwrap_or_else(|| panic!("no result of {}", block.tool_use_id));
            let reading = ToolResult::read(&self.call(&block.tool_use_id).name, result);
            assert_eq!(reading.notes, []);
            Some((block, reading.value))
        })
        .collect()
    }

    fn pick<'a, T>(&'a self, find: impl FnMut(&'a FromCli) -> Option<&'a T>) -> Vec<&'a T> {
        self.lines.iter().filter_map(find).collect()
    }
}

/// The typed input of a tool that wants a permission.
pub(super) fn input(ask: &CanUseTool) -> ToolInput {
    let reading = ToolInput::read(&ask.tool_name, &ask.input);
    assert_eq!(reading.notes, []);
    reading.value
}

/// What the CLI sent to the model with each request of the story, as text.
pub(super) fn sent(stage: &Stage) -> Vec<String> {
    stage.model.story_requests().iter().map(|request| request.body["messages"].to_string()).collect()
}

/// The last message that the CLI sent to the model.
pub(super) fn last_sent(stage: &Stage) -> Value {
    let requests = stage.model.story_requests();
    requests.last().unwrap().body["messages"].as_array().unwrap().last().unwrap().clone()
}

fn answer_to(line: &FromCli, id: &RequestId) -> Option<Response> {
    match line {
        FromCli::ControlResponse(response) if response.response.request_id.as_ref() == Some(id) => {
            Some((**response).clone())
        }
        _ => None,
    }
}

/// The value, or the lab's own words on what went wrong, which `unwrap` would escape.
fn good<T>(result: Result<T, LabError>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
