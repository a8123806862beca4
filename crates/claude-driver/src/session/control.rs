//! Requests to the CLI: each is an error if the CLI refuses, is too old, does not answer in time or ends.

use std::collections::BTreeMap;
use std::time::Duration;

use claude_protocol::control::answer::{RewindFilesAnswer, TaskOutputAnswer};
use claude_protocol::control::catalog::{Account, AgentInfo, ModelInfo, SlashCommand};
use claude_protocol::control::change::Change;
use claude_protocol::control::mcp::{
    McpReconnect, McpSetServers, McpSetServersAnswer, McpStatus, McpStatusAnswer, McpToggle, ServerConfig,
};
use claude_protocol::control::request::{
    CancelAsyncMessage, GetContextUsage, GetTaskOutput, GetUsage, RenameSession, RewindFiles, SetMaxThinkingTokens,
    SetModel, SetPermissionMode, StopTask,
};
use claude_protocol::control::{Answered, Command, Response};
use claude_protocol::permission::PermissionMode;
use claude_protocol::usage::context::ContextUsage;
use claude_protocol::usage::report::UsageAnswer;
use claude_protocol::{Raw, RequestId, TaskId, Uuid};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Session;
use crate::actor::{Order, refused};
use crate::error::{Error, Result};
use crate::launch::version::Version;

/// What every supported version answers.
const ALWAYS: &[&str] = &[
    "initialize",
    "interrupt",
    "set_permission_mode",
    "set_model",
    "set_max_thinking_tokens",
    "rewind_files",
    "mcp_status",
    "mcp_set_servers",
    "mcp_message",
];

/// What 2.1.38 answers besides.
const SINCE_2_1_38: &[&str] = &["mcp_reconnect", "mcp_toggle"];

/// The last version that is known to leave all other requests without an answer, and the first that is known not to.
/// Between the two, only asking can tell.
const SILENT: Version = Version::new(2, 1, 38);
const ANSWERS: Version = Version::new(2, 1, 325);

impl Session {
    /// Sends a typed request, for example `session.request(GetSettings::default())`. For most there is a method by name.
    pub async fn request<R: Answered>(&self, request: R) -> Result<R::Answer> {
        self.request_within(request, self.shared.facts.request_limit).await
    }

    /// The same with a time limit of its own.
    pub async fn request_within<R: Answered>(&self, request: R, limit: Duration) -> Result<R::Answer> {
        let command: Command = request.into();
        let kind = command.kind().to_owned();
        let response = self.respond(&kind, command, limit).await?;
        Ok(response.answer_to::<R>().map(|reading| reading.value).unwrap_or_default())
    }

    /// Sends any request, and reads its answer as any type: for what this crate does not know. An answer without data reads
    /// as `null`. Versions up to 2.1.38 do not answer a request that they do not know, so it times out.
    pub async fn control<T: DeserializeOwned>(&self, subtype: &str, body: impl Serialize) -> Result<T> {
        let misfit = |source| Error::Refused {
            request: subtype.to_owned(),
            message: format!("the answer has another shape: {source}"),
            code: None,
        };
        let body: BTreeMap<String, serde_json::Value> =
            serde_json::to_value(&body).and_then(serde_json::from_value).unwrap_or_default();
        let mut request = serde_json::Map::from_iter([("subtype".to_owned(), subtype.into())]);
        request.extend(body);
        let command = Raw::from_value(&request).ok().and_then(|raw| raw.read::<Command>());
        let command = command.map(|reading| reading.value).unwrap_or_default();
        let response = self.respond(subtype, command, self.shared.facts.request_limit).await?;
        let null = Raw::default();
        response.answer().as_deref().unwrap_or(&null).parse().map_err(misfit)
    }

    async fn respond(&self, kind: &str, command: Command, limit: Duration) -> Result<Response> {
        // Nobody knows which version has what this crate has never heard of.
        if !matches!(command, Command::Other(_)) {
            self.check_version(kind)?;
        }
        let mut asked = self.ask(command, false);
        match timeout(limit, &mut asked.answer).await {
            Ok(Ok(response)) => refused(kind, &response).map(|()| response),
            Ok(Err(_)) => Err(self.ended()),
            Err(_) => Err(Error::TimedOut { request: kind.to_owned(), after: limit }),
        }
    }

    pub(super) fn ask(&self, command: Command, is_interrupt: bool) -> Asked<'_> {
        let (id, line) = self.shared.request(command);
        let (reply, answer) = oneshot::channel();
        self.order(Order::Request { id: id.clone(), line, is_interrupt, reply });
        Asked { session: self, id, answer }
    }

    /// An old CLI leaves a request that it does not know without an answer: better to say so at once.
    fn check_version(&self, kind: &str) -> Result<()> {
        let Some(has) = self.version() else { return Ok(()) };
        let needs = match kind {
            _ if ALWAYS.contains(&kind) => return Ok(()),
            _ if SINCE_2_1_38.contains(&kind) => SILENT,
            _ if *has > SILENT => return Ok(()),
            _ => ANSWERS,
        };
        if *has >= needs {
            return Ok(());
        }
        Err(Error::TooOld { what: format!("the request `{kind}`"), needs, has: *has })
    }

    /// Chooses the model from here on, also in the middle of a turn; `None` for the CLI's default. Gives the model's full id
    /// where the CLI tells it.
    pub async fn set_model(&self, model: Option<&str>) -> Result<Option<String>> {
        Ok(self.request(SetModel::new(model.unwrap_or("default"))).await?.model)
    }

    /// Chooses how the CLI decides about tools from here on.
    pub async fn set_permission_mode(&self, mode: PermissionMode) -> Result<()> {
        self.request(SetPermissionMode::new(mode)).await.map(drop)
    }

    /// How many tokens the model may think; `None` for the CLI's default, 0 for no thinking.
    pub async fn set_max_thinking_tokens(&self, tokens: Option<u64>) -> Result<()> {
        self.request(SetMaxThinkingTokens::new(tokens.map_or(Change::Reset, Change::To))).await.map(drop)
    }

    /// Stops a task that runs in the background.
    pub async fn stop_task(&self, task: impl Into<TaskId>) -> Result<()> {
        self.request(StopTask::new(task)).await.map(drop)
    }

    /// The end of what a background task has written.
    pub async fn task_output(&self, task: impl Into<TaskId>) -> Result<TaskOutputAnswer> {
        self.request(GetTaskOutput::new(task)).await
    }

    /// The MCP servers and how they are.
    pub async fn mcp_status(&self) -> Result<McpStatusAnswer> {
        self.request(McpStatus::default()).await
    }

    /// Connects an MCP server again.
    pub async fn mcp_reconnect(&self, server: &str) -> Result<()> {
        let mut request = McpReconnect::default();
        request.server_name = server.to_owned();
        self.request(request).await.map(drop)
    }

    /// Switches an MCP server on or off.
    pub async fn mcp_toggle(&self, server: &str, switch: Switch) -> Result<()> {
        let mut request = McpToggle::default();
        request.server_name = server.to_owned();
        request.enabled = switch == Switch::On;
        self.request(request).await.map(drop)
    }

    /// Replaces the MCP servers that the host has added.
    pub async fn mcp_set_servers(&self, servers: BTreeMap<String, ServerConfig>) -> Result<McpSetServersAnswer> {
        let mut request = McpSetServers::default();
        request.servers = servers;
        self.request(request).await
    }

    /// What fills the context.
    pub async fn context_usage(&self) -> Result<ContextUsage> {
        self.request(GetContextUsage::default()).await
    }

    /// What the session has used and cost, and the limits of the plan.
    pub async fn usage(&self) -> Result<UsageAnswer> {
        self.request(GetUsage::default()).await
    }

    /// Puts the files back to where they were before a prompt (see [`Turn::uuid`](crate::Turn::uuid)); needs
    /// [`Claude::file_checkpoints`](crate::Claude::file_checkpoints).
    pub async fn rewind_files(&self, prompt: &Uuid) -> Result<RewindFilesAnswer> {
        self.request(RewindFiles::new(prompt.clone())).await
    }

    /// What [`Session::rewind_files`] would do.
    pub async fn rewind_files_dry_run(&self, prompt: &Uuid) -> Result<RewindFilesAnswer> {
        let mut request = RewindFiles::new(prompt.clone());
        request.dry_run = Some(true);
        self.request(request).await
    }

    /// Gives the session a title.
    pub async fn rename(&self, title: impl Into<String>) -> Result<()> {
        self.request(RenameSession::new(title)).await.map(drop)
    }

    /// Takes a prompt back that has not begun; false if it is too late. Its turn then ends with
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub async fn take_back(&self, prompt: &Uuid) -> Result<bool> {
        let (reply, held) = oneshot::channel();
        self.order(Order::TakeBack { uuid: prompt.clone(), reply });
        if held.await.map_err(|_| self.ended())? {
            return Ok(true);
        }
        Ok(self.request(CancelAsyncMessage::new(prompt.clone())).await?.cancelled == Some(true))
    }

    /// The slash commands.
    pub fn commands(&self) -> &[SlashCommand] {
        self.catalog().and_then(|catalog| catalog.commands.as_deref()).unwrap_or_default()
    }

    /// The models to choose from.
    pub fn models(&self) -> &[ModelInfo] {
        self.catalog().and_then(|catalog| catalog.models.as_deref()).unwrap_or_default()
    }

    /// The subagents.
    pub fn agents(&self) -> &[AgentInfo] {
        self.catalog().and_then(|catalog| catalog.agents.as_deref()).unwrap_or_default()
    }

    /// Who pays.
    pub fn account(&self) -> Option<&Account> {
        self.catalog().and_then(|catalog| catalog.account.as_ref())
    }
}

/// A request that is under way. Given up before its answer is there, it is forgotten.
pub(super) struct Asked<'a> {
    session: &'a Session,
    id: RequestId,
    pub(super) answer: oneshot::Receiver<Response>,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if !self.answer.is_terminated() {
            self.session.order(Order::Forget(self.id.clone()));
        }
    }
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}
