//! The agent's words: an `assistant` message in; texts, thoughts, tool calls, subagents and token counts out.
//!
//! Made from plain parts ([`Said`]), so that lines of stdout and entries of a transcript give the same events.

use std::sync::Arc;

use claude_protocol::content::{ApiMessage, Block, ToolUse};
use claude_protocol::from_cli::Assistant;
use claude_protocol::from_cli::assistant::ToolUseMeta;
use claude_protocol::tool::agent::AgentInput;
use claude_protocol::usage::Usage;
use claude_protocol::{MessageId, Raw, ToolUseId, Uuid};
use serde::Deserialize;

use super::command::{self, Figures, LocalCommand};
use super::quiet::Quiet;
use super::user::joined;
use super::{Converter, Profile, tools, usage};
use crate::event::Body;
use crate::event::session::UnknownBlock;
use crate::event::text::{Text, TextKind, TextRole};
use crate::event::tool::{SubagentSpawn, ToolInvocation};
use crate::event::turn::UsageUpdate;
use crate::json::Json;

/// A message of the agent, or one block of it, from wherever it is told.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) message: ApiMessage,
    /// The call whose subagent speaks.
    pub(super) parent: Option<Arc<str>>,
    /// What went wrong, on words that stand for a failed call of the API.
    pub(super) error: Option<String>,
    pub(super) error_status: Option<u64>,
    pub(super) aborted: Option<bool>,
    pub(super) supersedes: Option<Vec<Uuid>>,
    pub(super) thinking_duration_ms: Option<f64>,
    /// How to show tool calls.
    pub(super) call_titles: Vec<ToolUseMeta>,
    /// The local command whose output this is.
    pub(super) local_command: Option<LocalCommand>,
    /// What that command answers as data.
    pub(super) figures: Figures,
    /// The number of the first block, where the source tells it.
    pub(super) block_index: Option<u32>,
}

impl Said {
    /// The parts of a line of stdout.
    pub(super) fn from_line(line: Assistant) -> Self {
        let command = line.local_command_run.is_some()
            || line.local_command_source.is_some()
            || line.context_usage.is_some()
            || line.usage_report.is_some();
        let local_command = command.then(|| LocalCommand {
            is_error: line.local_command_outcome.is_some()
                || line.local_command_source.as_deref().is_some_and(command::is_error),
            command: line.local_command_run.as_ref().and_then(|run| run.command.clone()),
            args: line.local_command_run.and_then(|run| run.args).filter(|args| !args.is_empty()),
        });
        let failed = line.is_api_error_message == Some(true);
        let error = line.error.map(|error| error.to_string()).or(line.api_error);
        Said {
            parent: line.parent_tool_use_id.map(ToolUseId::into_shared),
            error: error.or_else(|| failed.then(|| "unknown".to_owned())),
            error_status: line.api_error_status,
            aborted: line.aborted,
            supersedes: line.supersedes,
            thinking_duration_ms: line.thinking_duration_ms,
            call_titles: line.tool_use_meta.unwrap_or_default(),
            local_command,
            figures: Figures::of_reports(line.context_usage, line.usage_report),
            block_index: None,
            message: *line.message,
        }
    }
}

/// Where a block stands: in its line, and in its message, of which earlier lines may have had some.
#[derive(Clone, Copy)]
struct Number {
    place: u32,
    number: u32,
}

impl Number {
    /// Its place in the line, where that has to be told.
    fn line_block(self) -> Option<u32> {
        Some(self.place).filter(|place| *place > 0)
    }
}

/// What is said of all blocks of a message.
struct Setting {
    parent: Option<Arc<str>>,
    message_id: Option<Arc<str>>,
    model: Option<String>,
    is_synthetic: bool,
    error: Option<String>,
    error_status: Option<u64>,
    aborted: Option<bool>,
    supersedes: Option<Vec<Arc<str>>>,
    thinking_duration_ms: Option<f64>,
    call_titles: Vec<ToolUseMeta>,
}

impl Converter {
    /// The events of a message of the agent: its blocks in their order, then what it used.
    pub(super) fn said(&mut self, said: Said) {
        let message_id = said.message.id.clone().map(MessageId::into_shared);
        let is_synthetic = said.message.is_synthetic();
        if said.parent.is_none() {
            self.turn.running = true;
            self.compaction.awaiting_summary = false;
            if !is_synthetic && said.message.model.is_some() {
                self.context.model.clone_from(&said.message.model);
            }
        }
        let setting = Setting {
            parent: said.parent,
            message_id,
            model: said.message.model,
            is_synthetic,
            error: said.error,
            error_status: said.error_status,
            aborted: said.aborted,
            supersedes: said.supersedes.map(|uuids| uuids.into_iter().map(Uuid::into_shared).collect()),
            thinking_duration_ms: said.thinking_duration_ms,
            call_titles: said.call_titles,
        };
        if !is_synthetic {
            self.cut_off(setting.parent.as_ref(), setting.message_id.as_ref());
        }
        let blocks = said.message.content.into_blocks();
        if let Some(command) = said.local_command {
            return self.command_answered(command, blocks, said.figures, &setting);
        }
        let numbers = match said.block_index {
            Some(first) => (first..).take(blocks.len()).map(Some).collect(),
            None => self.blocks.lane(setting.parent.as_ref()).number(setting.message_id.as_ref(), &blocks),
        };
        for ((place, block), number) in (0..).zip(blocks).zip(numbers) {
            match number {
                Some(number) => self.block(block, Number { place, number }, &setting),
                None => self.out.quiet(Quiet::RepeatedBlock),
            }
        }
        if let Some(used) = said.message.usage.filter(|_| !is_synthetic) {
            self.used(&used, setting.parent, setting.message_id, setting.model);
        }
    }

    /// What a call of the model used.
    pub(super) fn used(
        &mut self,
        used: &Usage,
        parent_call_id: Option<Arc<str>>,
        message_id: Option<Arc<str>>,
        model: Option<String>,
    ) {
        let context_tokens = if parent_call_id.is_none() { usage::context(used) } else { None };
        // Nothing at all is what a call says that came to nothing.
        if context_tokens.is_some_and(|tokens| tokens > 0) {
            self.context.used = context_tokens;
            self.context.last_step = Some(used.clone());
        }
        let step_usage = Json::trusted(Raw::from_wire(used).into_text());
        let update = UsageUpdate { step_usage, parent_call_id, message_id, context_tokens, model };
        self.out.put(Body::UsageUpdate(Box::new(update)));
    }

    fn block(&mut self, block: Block, number: Number, setting: &Setting) {
        match block {
            Block::Text(block) => self.text(block.text, TextKind::Text, number, setting),
            Block::Thinking(block) => self.text(block.thinking, TextKind::Thinking, number, setting),
            // It says that the model thinks, and nothing more can be said.
            Block::RedactedThinking(_) => self.redacted(number, setting),
            Block::ToolUse(call) => self.call(call, number, setting),
            Block::ToolResult(_)
            | Block::Image(_)
            | Block::Document(_)
            | Block::SearchResult(_)
            | Block::ToolReference(_)
            | Block::ServerToolUse(_)
            | Block::WebSearchToolResult(_)
            | Block::WebFetchToolResult(_)
            | Block::CodeExecutionToolResult(_)
            | Block::BashCodeExecutionToolResult(_)
            | Block::TextEditorCodeExecutionToolResult(_)
            | Block::ToolSearchToolResult(_)
            | Block::AdvisorToolResult(_)
            | Block::McpToolUse(_)
            | Block::McpToolResult(_)
            | Block::McpToolListing(_)
            | Block::ContainerUpload(_)
            | Block::Compaction(_)
            | Block::Fallback(_)
            | Block::Other(_) => {
                let parent = setting.parent.clone();
                self.unknown_block(&block, number.number, setting.message_id.clone(), parent);
            }
        }
    }

    /// A block that no event has a place for.
    pub(super) fn unknown_block(
        &mut self,
        block: &Block,
        block_index: u32,
        message_id: Option<Arc<str>>,
        parent_call_id: Option<Arc<str>>,
    ) {
        self.out.put(Body::UnknownBlock(UnknownBlock {
            message_id,
            block_index,
            block_type: block.kind().to_owned(),
            parent_call_id,
            block: Json::trusted(Raw::from_wire(block).into_text()),
        }));
    }

    fn text(&mut self, text: String, kind: TextKind, number: Number, setting: &Setting) {
        let thinks = kind == TextKind::Thinking;
        // Old versions do not name the failure that the words stand for.
        let unnamed = setting.is_synthetic && text.starts_with("API Error");
        let error = setting.error.clone().or_else(|| unnamed.then(|| "unknown".to_owned()));
        let error_status = setting.error_status.or_else(|| error.as_ref().and_then(|_| status_in(&text)));
        self.turn.failed = error.is_some() && setting.parent.is_none() || self.turn.failed && setting.parent.is_some();
        self.out.put(Body::Text(Box::new(Text {
            text,
            kind,
            parent_call_id: setting.parent.clone(),
            model: setting.model.clone(),
            message_id: setting.message_id.clone(),
            block_index: Some(number.number),
            line_block: number.line_block(),
            error,
            error_status,
            aborted: setting.aborted,
            supersedes: setting.supersedes.clone(),
            is_synthetic: setting.is_synthetic.then_some(true),
            role: None,
            thinking_duration_ms: setting.thinking_duration_ms.filter(|_| thinks),
        })));
    }

    fn redacted(&mut self, number: Number, setting: &Setting) {
        // The documents know no such block.
        if self.out.profile() == Profile::Full {
            self.text(String::new(), TextKind::Thinking, number, setting);
        }
    }

    fn call(&mut self, call: ToolUse, number: Number, setting: &Setting) {
        self.turn.failed &= setting.parent.is_some();
        let call_id = match call.id.as_str() {
            "" => format!("call-{}-{}", self.out.seq(), number.number).into(),
            _ => call.id.into_shared(),
        };
        let hints = tools::hints(&call.name, &call.input);
        let (mcp_server, mcp_tool) = tools::mcp_parts(&call.name);
        let title = setting.call_titles.iter().find(|meta| meta.id.as_ref().map(ToolUseId::as_str) == Some(&*call_id));
        let agent = tools::is_agent(&call.name).then(|| spawn(&call_id, &call.input, number.line_block(), setting));
        self.calls.begin(&call_id, &call.name, setting.parent.as_ref(), &call.input, hints.locations.as_deref());
        let todos = setting.parent.is_none().then(|| self.todos.called(&call.name, &call.input)).flatten();
        self.out.put(Body::ToolInvocation(Box::new(ToolInvocation {
            call_id,
            parent_call_id: setting.parent.clone(),
            kind: tools::kind(&call.name),
            tool_name: call.name,
            title: title.and_then(|meta| meta.display_name.clone()),
            input: tools::object(call.input),
            locations: hints.locations,
            model: setting.model.clone(),
            message_id: setting.message_id.clone(),
            block_index: Some(number.number),
            line_block: number.line_block(),
            mcp_server,
            mcp_tool,
            run_in_background: hints.run_in_background,
        })));
        if let Some(agent) = agent {
            self.out.put(Body::SubagentSpawn(Box::new(agent)));
        }
        self.put_todos(todos);
    }

    /// The words of the CLI that are the output of a local command.
    fn command_answered(&mut self, command: LocalCommand, blocks: Vec<Block>, figures: Figures, setting: &Setting) {
        let texts =
            blocks.into_iter().filter_map(|block| if let Block::Text(block) = block { Some(block.text) } else { None });
        if self.out.profile() == Profile::Full {
            let text = joined(texts.collect()).unwrap_or_default();
            return self.command_output(text, command, figures);
        }
        for (number, text) in (0..).zip(texts) {
            self.out.put(Body::Text(Box::new(Text {
                text,
                kind: TextKind::Text,
                parent_call_id: setting.parent.clone(),
                model: setting.model.clone(),
                message_id: setting.message_id.clone(),
                block_index: Some(number),
                line_block: None,
                error: None,
                error_status: None,
                aborted: None,
                supersedes: None,
                is_synthetic: Some(true),
                role: Some(TextRole::LocalCommand),
                thinking_duration_ms: None,
            })));
        }
    }
}

/// What an older form of the input has beside today's.
#[derive(Default, Deserialize)]
struct OlderInput {
    #[serde(default)]
    task: Option<String>,
}

/// The status in the words for a failure of the model, where the line does not say it: `API Error: 400 …`.
fn status_in(words: &str) -> Option<u64> {
    let number = words.strip_prefix("API Error: ")?.split_whitespace().next()?;
    number.parse().ok().filter(|status| (400..600).contains(status))
}

fn spawn(call_id: &Arc<str>, input: &Raw, line_block: Option<u32>, setting: &Setting) -> SubagentSpawn {
    let agent = input.read::<AgentInput>().map(|reading| reading.value).unwrap_or_default();
    let older: OlderInput = input.parse().unwrap_or_default();
    let prompt = Some(agent.prompt).filter(|prompt| !prompt.is_empty());
    SubagentSpawn {
        call_id: Arc::clone(call_id),
        parent_call_id: setting.parent.clone(),
        agent_type: agent.subagent_type.or(agent.name),
        description: agent.description.or_else(|| prompt.clone()).or(older.task),
        is_resume: agent.resume.is_some(),
        resume_agent_id: agent.resume.map(|agent| agent.to_string()),
        model: agent.model,
        background: agent.run_in_background,
        prompt,
        isolation: agent.isolation,
        line_block,
    }
}
