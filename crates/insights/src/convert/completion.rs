//! Results of tools: a `tool_result` block with its structured result in; a completion out, and the end of a subagent.

use std::sync::Arc;

use claude_protocol::content::{Block, Content, ToolResultBlock};
use claude_protocol::from_cli::user::ToolResultMeta;
use claude_protocol::tool::agent::{AgentResult, AgentStatus};
use claude_protocol::{Raw, ToolUseId};
use serde::Deserialize;

use super::calls::Background;
use super::user::{joined, picture};
use super::{Converter, tools, usage};
use crate::event::Body;
use crate::event::text::ImageData;
use crate::event::tool::{SubagentComplete, ToolCallStatus, ToolCompletion};
use crate::json::Json;

/// What a line says of its results beside the blocks.
#[derive(Debug)]
pub(super) struct Results {
    structured: Option<Raw>,
    pointer: &'static str,
    /// Blocks that it has still to do for.
    left: usize,
    shared: bool,
    decisions: Vec<ToolResultMeta>,
}

impl Results {
    pub(super) fn new(
        structured: Option<Raw>,
        pointer: &'static str,
        blocks: usize,
        decisions: Vec<ToolResultMeta>,
    ) -> Self {
        Results { structured, pointer, left: blocks, shared: blocks > 1, decisions }
    }

    /// The structured result, for one block more.
    fn next(&mut self) -> Option<Raw> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { self.structured.take() } else { self.structured.clone() }
    }
}

impl Converter {
    pub(super) fn completed(
        &mut self,
        block: ToolResultBlock,
        place: u32,
        parent: Option<&Arc<str>>,
        results: &mut Results,
    ) {
        let is_error = block.failed();
        let call_id: Arc<str> = match block.tool_use_id.as_str() {
            "" => format!("call-{}-{place}", self.out.seq()).into(),
            _ => block.tool_use_id.into_shared(),
        };
        let call = self.calls.end(&call_id);
        self.requests.call_ended(&call_id);
        let structured = results.next();
        let about = |meta: &&ToolResultMeta| meta.id.as_ref().map(ToolUseId::as_str) == Some(&*call_id);
        let decision = results.decisions.iter().find(about);
        let (decided_by, not_run) = match decision {
            Some(meta) => (
                meta.permission_decision
                    .as_ref()
                    .and_then(|decision| decision.source.as_ref())
                    .map(ToString::to_string),
                meta.non_execution_kind.as_ref().map(ToString::to_string),
            ),
            None if is_error && call.as_ref().is_some_and(|call| call.refused_by_hook) => {
                (Some("hook".to_owned()), Some("permission-rule".to_owned()))
            }
            None => (None, None),
        };

        let read = block.content.map(|content| Read::of(content, place, structured.is_none()));
        let (content, images, json) = read.map_or((None, Vec::new(), None), |read| (read.text, read.images, read.json));
        let name = call.as_ref().map(|call| call.name.as_str());
        if let Some(task) = background_task(name, structured.as_ref()) {
            self.calls.goes_on(&task, Background { call: Arc::clone(&call_id), is_agent: false });
        }
        let agent = self.agent_returned(&call_id, name, structured.as_ref(), content.as_deref(), is_error);
        let (agent, runs_on_as) = match agent {
            Some(Agent::Ended(agent)) => (Some(agent), None),
            Some(Agent::RunsOn(task)) => (None, task),
            None => (None, None),
        };
        let todos = match (&call, parent) {
            (Some(call), None) if !is_error => self.todos.ended(&call.name, call.input.as_ref(), structured.as_ref()),
            _ => None,
        };
        let error_text = if is_error { content.as_deref().map(without_tags) } else { None };
        let exit_code = exit_code(name, structured.as_ref(), content.as_deref(), is_error);
        let output_pointer = structured.is_some().then_some(results.pointer);
        self.out.put(Body::ToolCompletion(Box::new(ToolCompletion {
            call_id,
            parent_call_id: parent.cloned(),
            status: if is_error { ToolCallStatus::Failed } else { ToolCallStatus::Completed },
            is_shared: (results.shared && structured.is_some()).then_some(true),
            output: structured.map(|raw| Json::trusted(raw.into_text())).or(json),
            is_error,
            content,
            images,
            error_text,
            exit_code,
            decided_by,
            not_run,
            output_pointer,
            runs_on_as,
            block_index: place,
            locations: call.as_ref().and_then(|call| call.changes.clone()).filter(|_| !is_error),
            tool_name: call.map(|call| call.name),
        })));
        if let Some(agent) = agent {
            self.out.put(Body::SubagentComplete(agent));
        }
        self.put_todos(todos);
    }

    /// What the result tells of a subagent, if it is one of a subagent.
    fn agent_returned(
        &mut self,
        call_id: &Arc<str>,
        name: Option<&str>,
        structured: Option<&Raw>,
        content: Option<&str>,
        is_error: bool,
    ) -> Option<Agent> {
        if name.is_some_and(|name| !tools::is_agent(name)) {
            return None;
        }
        let agent = structured.filter(|raw| raw.is_object()).and_then(Raw::read::<AgentResult>).map(|read| read.value);
        // Without the call, only a result that speaks of an agent is one of an agent.
        if name.is_none() && agent.as_ref().is_none_or(|agent| agent.agent_id.is_none() || agent.status.is_none()) {
            return None;
        }
        // The lines of subagents have no structured results: of one that a subagent has started, only the words tell.
        let told = if agent.is_none() && !is_error { content.and_then(AgentWords::of) } else { None };
        let agent = agent.unwrap_or_default();
        let agent_id = agent.agent_id.as_ref().map(|agent| agent.as_str()).or(told.as_ref().map(|told| told.agent_id));
        if let Some(worker) = agent_id {
            self.import.worked(worker, call_id);
        }
        let runs_on = agent.is_async == Some(true)
            || told.as_ref().is_some_and(|told| told.is_launched)
            || matches!(
                agent.status,
                Some(AgentStatus::AsyncLaunched | AgentStatus::RemoteLaunched | AgentStatus::TeammateSpawned)
            );
        if runs_on {
            let work = Background { call: Arc::clone(call_id), is_agent: true };
            self.calls.goes_on(agent_id.unwrap_or(call_id), work);
            return Some(Agent::RunsOn(agent_id.map(Into::into)));
        }
        self.blocks.ended(call_id);
        let agent_id = agent_id.map(str::to_owned);
        let status = agent.status.as_ref().map(ToString::to_string);
        let summary: Vec<&str> = agent.answer().iter().filter_map(Block::as_text).collect();
        let summary = (!summary.is_empty()).then(|| summary.join("\n"));
        let words = told.map(|told| told.answer).or(content);
        Some(Agent::Ended(Box::new(SubagentComplete {
            call_id: Arc::clone(call_id),
            agent_id,
            status: status.or_else(|| Some(if is_error { "failed" } else { "completed" }.to_owned())),
            summary: summary.or_else(|| words.map(without_tags)),
            total_duration_ms: agent.total_duration_ms,
            total_tokens: agent.total_tokens,
            total_tool_use_count: agent.total_tool_use_count,
            usage: agent.usage.map(|usage| usage::tokens(&usage)),
            resolved_model: agent.resolved_model,
            output_file: agent.output_file,
        })))
    }
}

/// What has become of a subagent when its call returns.
enum Agent {
    /// It has ended.
    Ended(Box<SubagentComplete>),
    /// It goes on in the background, as this task.
    RunsOn(Option<Arc<str>>),
}

/// What the CLI tells the model of a subagent.
struct AgentWords<'a> {
    agent_id: &'a str,
    /// Was it only started?
    is_launched: bool,
    /// What the subagent said, as far as it stands apart.
    answer: &'a str,
}

impl<'a> AgentWords<'a> {
    /// The id stands at the beginning of a line, behind all that the subagent said, which may look the same.
    fn of(content: &'a str) -> Option<Self> {
        let line = content.rfind("\nagentId: ").map_or(0, |end| end + 1);
        let (answer, last) = content.split_at(line);
        let id = last.strip_prefix("agentId: ")?;
        let id = id.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').next()?;
        let is_launched = answer.starts_with("Async agent launched");
        (!id.is_empty()).then(|| AgentWords { agent_id: id, is_launched, answer: answer.trim_end() })
    }
}

/// What the model reads of a result.
struct Read {
    text: Option<String>,
    images: Vec<ImageData>,
    /// The same as JSON, where nothing better is there.
    json: Option<Json>,
}

impl Read {
    fn of(content: Content, place: u32, as_json: bool) -> Self {
        let json = as_json.then(|| Json::trusted(Raw::from_wire(&content).into_text()));
        let mut texts = Vec::new();
        let mut images = Vec::new();
        for (number, block) in content.into_blocks().into_iter().enumerate() {
            let pointer = format!("/message/content/{place}/content/{number}");
            #[expect(clippy::wildcard_enum_match_arm, reason = "the others are in the raw line")]
            match block {
                Block::Text(block) => texts.push(block.text),
                Block::Image(image) => images.extend(picture(image.source, &pointer)),
                Block::Document(document) => images.extend(picture(document.source, &pointer)),
                _ => {}
            }
        }
        Read { text: joined(texts), images, json }
    }
}

/// What went wrong, without the tags around it.
fn without_tags(text: &str) -> String {
    let inner = text.trim().strip_prefix("<tool_use_error>").and_then(|rest| rest.strip_suffix("</tool_use_error>"));
    inner.unwrap_or(text).to_owned()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RunsOn {
    background_task_id: String,
}

/// The task that a command goes on as.
fn background_task(name: Option<&str>, structured: Option<&Raw>) -> Option<String> {
    let structured = structured.filter(|raw| name == Some("Bash") && raw.text().contains("\"backgroundTaskId\""))?;
    structured.parse::<RunsOn>().ok().map(|runs_on| runs_on.background_task_id)
}

#[derive(Default, Deserialize)]
struct ExitCode {
    #[serde(alias = "exitCode")]
    exit_code: Option<i64>,
}

/// The exit code of a command: older documents show a field for it, real results only have it in their first line.
fn exit_code(name: Option<&str>, structured: Option<&Raw>, content: Option<&str>, is_error: bool) -> Option<i64> {
    if name.is_some_and(|name| name != "Bash") {
        return None;
    }
    let told = structured.filter(|raw| raw.is_object() && raw.text().contains("\"exit"));
    let told = told.and_then(|raw| raw.parse::<ExitCode>().ok()?.exit_code);
    told.or_else(|| {
        let code = content.filter(|_| is_error)?.trim_start().strip_prefix("Exit code ")?;
        code.lines().next()?.trim().parse().ok()
    })
}
