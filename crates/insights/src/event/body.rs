//! The kinds of events. The first eleven are profile `core`; `full` has all of them.

use serde::Serialize;

use super::ask::*;
use super::files::*;
use super::session::*;
use super::stream::*;
use super::task::*;
use super::text::*;
use super::tool::*;
use super::turn::*;

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Body {
    /// The session as it is now: at the beginning, and again with each turn.
    SessionInit(Box<SessionInit>),
    /// What the agent is busy with.
    SessionStatus(Box<SessionStatus>),
    /// A whole text or thought.
    Text(Box<Text>),
    /// The agent calls a tool.
    ToolInvocation(Box<ToolInvocation>),
    /// A tool has ended.
    ToolCompletion(Box<ToolCompletion>),
    /// A subagent was started.
    SubagentSpawn(Box<SubagentSpawn>),
    /// A subagent has ended.
    SubagentComplete(Box<SubagentComplete>),
    /// A turn has ended.
    TurnComplete(Box<TurnComplete>),
    /// The context was summed up or cleared.
    ContextCompaction(Box<ContextCompaction>),
    /// The agent asks for leave to use a tool.
    PermissionRequest(Box<PermissionRequest>),
    /// A piece of an answer while it is made.
    StreamDelta(StreamDelta),

    /// Something was said to the agent.
    UserInput(Box<UserInput>),
    /// What one call of the model used.
    UsageUpdate(Box<UsageUpdate>),
    /// The limits of the plan.
    RateLimitUpdate(Box<RateLimitUpdate>),
    /// The slash commands are others now.
    AvailableCommands(AvailableCommands),
    /// A question was withdrawn.
    PermissionCancelled(PermissionCancelled),
    /// A question was answered.
    PermissionResolved(Box<PermissionResolved>),
    /// A tool was refused without asking.
    PermissionDenied(Box<PermissionDenied>),
    /// An MCP server asks the user for something.
    Elicitation(Box<Elicitation>),
    /// What the user had to do elsewhere is done.
    ElicitationComplete(ElicitationComplete),
    /// The agent wants a dialog shown.
    UserDialog(UserDialog),
    /// The agent calls a hook of the host.
    HookCallback(HookCallback),
    /// A request of the host was answered.
    ControlResult(Box<ControlResult>),
    /// A request of the host is being worked on.
    ControlProgress(ControlProgress),
    /// The host asked something of the agent: another model, an interrupt.
    ControlSent(ControlSent),
    /// A call of the model failed and will be made again.
    ApiRetry(ApiRetry),
    /// A task has begun, gone on, or ended.
    Task(Box<Task>),
    /// The tasks in the background, all of them.
    BackgroundTasks(BackgroundTasks),
    /// The agent's list of things to do, all of it.
    TaskList(TaskList),
    /// A tool still runs.
    ToolProgress(ToolProgress),
    /// A few words about tool calls that have ended.
    ToolSummary(ToolSummary),
    /// A hook of the settings ran.
    Hook(Box<Hook>),
    /// A local command has answered.
    LocalCommandOutput(LocalCommandOutput),
    /// A remark of the agent for people.
    Notice(Box<Notice>),
    /// Another model has taken over.
    ModelFallback(Box<ModelFallback>),
    /// Does the session work, wait or need an answer?
    SessionState(SessionStateWord),
    /// What the user might ask next.
    PromptSuggestion(PromptSuggestion),
    /// Files were uploaded.
    FilesPersisted(FilesPersisted),
    /// Memories were put before the model.
    MemoryRecall(MemoryRecall),
    /// The model thinks: how many tokens so far.
    ThinkingProgress(ThinkingProgress),
    /// The state of a login.
    AuthStatus(AuthStatus),
    /// The goal of the session.
    Goal(Goal),
    /// Something could not be kept.
    StorageProblem(StorageProblem),
    /// The agent's process will end.
    WorkerShutdown(WorkerShutdown),
    /// What the session has used so far.
    SessionMetrics(Box<SessionMetrics>),
    /// The agent's process was started.
    ProcessStart(Box<ProcessStart>),
    /// The agent's process has ended.
    ProcessExit(ProcessExit),
    /// The agent wrote to its stderr.
    Stderr(Stderr),
    /// The conversation goes on under another id.
    SessionMoved(SessionMoved),
    /// A line that is no message.
    ProtocolError(ProtocolError),
    /// A block of a kind that we do not know.
    UnknownBlock(UnknownBlock),
    /// A message of a kind that we do not know.
    UnknownMessage(UnknownMessage),
}

impl Body {
    /// Is this one of the events that the source documents map, so that profile `core` has it?
    pub fn is_core(&self) -> bool {
        matches!(
            self,
            Body::SessionInit(_)
                | Body::SessionStatus(_)
                | Body::Text(_)
                | Body::ToolInvocation(_)
                | Body::ToolCompletion(_)
                | Body::SubagentSpawn(_)
                | Body::SubagentComplete(_)
                | Body::TurnComplete(_)
                | Body::ContextCompaction(_)
                | Body::PermissionRequest(_)
                | Body::StreamDelta(_)
        )
    }

    /// Does it say itself which subagent it is about? Then the event does not say so beside it: each key stands once.
    pub(crate) fn names_its_agent(&self) -> bool {
        matches!(self, Body::Task(_) | Body::SubagentSpawn(_) | Body::SubagentComplete(_))
    }
}
