//! The header of a session: status, meters, catalog, tasks, jobs, servers and queue. Each part is replaced as a whole.
//!
//! A part is copied for each change of it, so what in it is long or seldom changes is shared by the copies.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::clip::Clip;
use super::item::{ImageRef, ItemId};
use crate::event::session::{AgentKind, SlashCommand};
use crate::event::turn::{CompactionTrigger, ModelTokenUsage, TokenUsage};
use crate::shape::{names, state};
use crate::time::UnixMillis;

state! {
    /// What the session is doing, and as what.
    #[derive(Default)]
    pub struct Status {
        /// What it is doing, for programs.
        pub phase: Phase,
        /// What it is doing, in words.
        pub words: String,
        /// Since when.
        pub since: UnixMillis,
        /// The turn that runs.
        pub turn: Option<TurnClock>,
        /// Is the context being summed up?
        pub compacting: bool,
        /// The model.
        pub model: Option<Arc<str>>,
        /// The permission mode.
        pub mode: Option<Arc<str>>,
        /// How hard the model is to think.
        pub effort: Option<Arc<str>>,
        /// Thinking, where somebody has set it: `off`, `on`, or the most tokens of it.
        pub thinking: Option<Arc<str>>,
        /// Fast mode: `off`, `cooldown` or `on`.
        pub fast_mode: Option<Arc<str>>,
        /// Why fast mode cannot be used.
        pub fast_mode_disabled_reason: Option<Arc<str>>,
        /// The output style.
        pub output_style: Option<Arc<str>>,
        /// Where the API key is from, as the agent reports it.
        pub api_key_source: Option<Arc<str>>,
        /// The agent's session.
        pub session_id: Option<Arc<str>>,
        /// Its ids before, the last few.
        pub earlier_session_ids: Vec<Arc<str>>,
        /// The working directory.
        pub cwd: Option<Arc<str>>,
        /// The session's title.
        pub title: Option<Arc<str>>,
        /// The agent's version.
        pub version: Option<Arc<str>>,
        /// The agent's process.
        pub agent: AgentProcess,
        /// How the agent's process ended, if it did not end well.
        pub exit: Option<Exit>,
        /// What the user might ask next.
        pub suggestion: Option<Arc<str>>,
        /// The goal of the session.
        pub goal: Option<Arc<str>>,
        /// The login that goes on.
        pub login: Option<Arc<str>>,
        /// What was granted for the session only, and lost with its process, in words.
        pub lost_grants: Vec<String>,
    }

    /// A turn that runs.
    #[derive(Default)]
    pub struct TurnClock {
        /// When it began.
        pub started_at: UnixMillis,
        /// Where its items begin.
        pub from_seq: u64,
        /// The prompts that it answers.
        pub prompts: Vec<ItemId>,
        /// A call of the model that failed and will be made again.
        pub retry: Option<Retry>,
        /// Was an interrupt asked for?
        pub interrupting: bool,
        /// The block that the main agent is writing.
        pub block: Option<ItemId>,
        /// The calls of the main agent that have begun and not ended.
        pub calls: Vec<ItemId>,
    }

    /// A call of the model that failed and will be made again.
    pub struct Retry {
        /// The number of the try.
        pub attempt: u64,
        /// How many there may be.
        pub max: Option<u64>,
        /// When it is made.
        pub at: UnixMillis,
        /// What went wrong, in words.
        pub error: String,
    }

    /// How the agent's process ended.
    pub struct Exit {
        /// Its exit code.
        pub code: Option<i32>,
        /// The signal that ended it.
        pub signal: Option<i32>,
        /// Did nobody see how it ended?
        pub lost: bool,
        /// The last lines of its stderr.
        pub stderr_tail: Vec<String>,
    }

    /// What the session has used.
    #[derive(Default)]
    pub struct Meters {
        /// Dollars of its own turns.
        pub cost_usd: f64,
        /// Dollars of the last turn.
        pub last_turn_usd: Option<f64>,
        /// Dollars that were spent before this session took the conversation over; never part of `costUsd`.
        pub inherited_usd: f64,
        /// Tokens and dollars of its own turns, by model.
        pub models: Arc<BTreeMap<String, ModelTokenUsage>>,
        /// Tokens of its own turns, all models.
        pub tokens: TokenUsage,
        /// Tokens of the last turn's main loop.
        pub last_turn_tokens: Option<TokenUsage>,
        /// Turns that have ended.
        pub turns: u32,
        /// How long they took.
        pub duration_ms: f64,
        /// The context.
        pub context: Context,
        /// The limits of the plan, by name.
        pub limits: BTreeMap<String, Limit>,
        /// Use beyond the plan, where the agent tells of it.
        pub overage: Option<Overage>,
    }

    /// The context of the main agent.
    #[derive(Default)]
    pub struct Context {
        /// Tokens in it.
        pub used: Option<u64>,
        /// Tokens that fit into it.
        pub window: Option<u64>,
        /// What they are for, where that was asked.
        pub categories: Vec<Category>,
        /// When that was asked.
        pub categories_at: Option<UnixMillis>,
        /// Where it was summed up, the last few times.
        pub compactions: Vec<CompactionMark>,
        /// How often it was summed up or cleared.
        pub compacted: u64,
    }

    /// A share of the context.
    pub struct Category {
        /// Its name.
        pub name: String,
        /// Its tokens.
        pub tokens: u64,
    }

    /// A place where the context was summed up or cleared.
    pub struct CompactionMark {
        /// When.
        pub at: UnixMillis,
        /// Why.
        pub trigger: CompactionTrigger,
        /// Tokens before.
        pub before: Option<u64>,
        /// Tokens after.
        pub after: Option<u64>,
        /// The item.
        pub item: ItemId,
    }

    /// A limit of the plan.
    pub struct Limit {
        /// How much of it is used, in percent.
        pub used_percent: Option<f64>,
        /// When it ends.
        pub resets_at: Option<UnixMillis>,
        /// `allowed`, `allowed_warning` or `rejected`.
        pub status: Option<String>,
    }

    /// Use beyond the plan, which is paid for apart.
    #[derive(Default)]
    pub struct Overage {
        /// Is it being used now?
        pub in_use: bool,
        /// `allowed`, `allowed_warning` or `rejected`.
        pub status: Option<String>,
        /// When its limit ends.
        pub resets_at: Option<UnixMillis>,
        /// Why there is none.
        pub disabled_reason: Option<String>,
    }

    /// What can be used: rarely changes, and is large.
    #[derive(Default)]
    pub struct Catalog {
        /// The tools.
        pub tools: Arc<[String]>,
        /// The slash commands.
        pub commands: Arc<[SlashCommand]>,
        /// Commands that need a terminal.
        pub terminal_commands: Arc<[String]>,
        /// The subagents.
        pub agents: Arc<[String]>,
        /// What the subagents are for, where the agent says it.
        pub agent_kinds: Arc<[AgentKind]>,
        /// The skills.
        pub skills: Arc<[String]>,
        /// The plugins.
        pub plugins: Arc<[CatalogPlugin]>,
        /// The models to choose from.
        pub models: Arc<[CatalogModel]>,
        /// The output styles to choose from.
        pub output_styles: Arc<[String]>,
        /// Who is logged in.
        pub account: Option<Account>,
        /// What this version can do.
        pub capabilities: Arc<[String]>,
        /// Other folders that the agent may work in.
        pub directories: Arc<[String]>,
    }

    /// A plugin.
    pub struct CatalogPlugin {
        /// Its name.
        pub name: String,
        /// Where it is.
        pub path: Option<String>,
        /// Its version.
        pub version: Option<String>,
    }

    /// A model to choose.
    pub struct CatalogModel {
        /// What to ask for.
        pub value: String,
        /// Its name for people.
        pub name: String,
        /// What it is good for.
        pub description: String,
        /// How hard it can be made to think.
        pub effort_levels: Vec<String>,
        /// The full name of what is asked for.
        pub resolved: Option<String>,
        /// Has it a fast mode?
        pub fast_mode: Option<bool>,
        /// Can it be used in auto mode?
        pub auto_mode: Option<bool>,
        /// Can thinking be turned off?
        pub thinking_off: Option<bool>,
    }

    /// Who is logged in.
    pub struct Account {
        /// The address.
        pub email: Option<String>,
        /// The organization.
        pub organization: Option<String>,
        /// The plan.
        pub plan: Option<String>,
        /// Where the token is from.
        pub token_source: Option<String>,
        /// Where the API key is from.
        pub api_key_source: Option<String>,
    }

    /// A job: a task that runs beside the conversation, or has.
    pub struct Job {
        /// The task.
        pub id: Arc<str>,
        /// `local_agent`, `local_bash`, …
        pub kind: Option<String>,
        /// What it does.
        pub description: String,
        /// The kind of the subagent.
        pub agent_type: Option<String>,
        /// The call that began it.
        pub call: Option<ItemId>,
        /// The task that began it.
        pub parent: Option<Arc<str>>,
        /// How far it is.
        pub status: JobStatus,
        /// Does it run in the background?
        pub background: bool,
        /// When it began.
        pub started_at: UnixMillis,
        /// When it ended.
        pub ended_at: Option<UnixMillis>,
        /// What came of it.
        pub summary: Option<String>,
        /// What went wrong.
        pub error: Option<String>,
        /// The file with its output.
        pub output_file: Option<String>,
        /// The tool that it called last.
        pub last_tool: Option<String>,
        /// Tokens so far.
        pub tokens: Option<u64>,
        /// Tool calls so far.
        pub tool_uses: Option<u64>,
    }

    /// An MCP server.
    pub struct McpServer {
        /// Its name.
        pub name: String,
        /// `connected`, `failed`, `needs-auth`, `pending`, `disabled`.
        pub status: String,
        /// What went wrong.
        pub error: Option<String>,
        /// Where it is configured.
        pub source: Option<String>,
        /// Its version.
        pub version: Option<String>,
        /// Its tools.
        pub tools: Vec<String>,
    }

    /// A prompt that the agent has not taken yet.
    pub struct Queued {
        /// Its uuid.
        pub id: ItemId,
        /// The words.
        pub text: Clip,
        /// The pictures.
        pub images: Vec<ImageRef>,
        /// When it was sent.
        pub at: UnixMillis,
        /// Which person or device sent it.
        pub by: Option<String>,
        /// The sender's own id of it.
        pub client_id: Option<String>,
        /// What is known of it.
        pub state: QueuedState,
        /// The record that holds it.
        pub seq: u64,
    }
}

names! {
    /// What a session is doing.
    #[derive(Default, Copy)]
    pub enum Phase {
        /// No process runs yet, or none any more: it can be taken up again.
        #[default]
        Asleep,
        /// The process has been started and has said nothing yet.
        Starting,
        /// It waits for a prompt.
        Idle,
        /// It works.
        Running,
        /// It waits for an answer of the user.
        NeedsYou,
        /// It sums up the context.
        Compacting,
        /// A call of the model failed and will be made again.
        Retrying,
        /// It was told to stop.
        Interrupting,
        /// The process died.
        Failed,
    }

    /// The agent's process.
    #[derive(Default, Copy)]
    pub enum AgentProcess {
        /// There is none, or nobody knows of one.
        #[default]
        None,
        /// It was started and has said nothing yet.
        Starting,
        /// It runs.
        Running,
        /// It ended as it should.
        Ended,
        /// It died.
        Died,
    }

    /// How far a job is.
    pub enum JobStatus {
        /// It runs.
        Running,
        /// It ended well.
        Completed,
        /// It failed.
        Failed,
        /// It was stopped.
        Stopped,
        /// It is over since the agent's process is; what came of it nobody said.
        Ended,
        ;
        /// Something else.
        Other(String)
    }

    /// What is known of a prompt that the agent has not taken yet.
    pub enum QueuedState {
        /// It was written to the agent.
        Sent,
        /// The agent has it in its queue.
        Queued,
        /// The agent's process ended before it said anything about it: nobody knows whether it was taken.
        Unconfirmed,
    }
}
