//! Work beside the conversation: `system/task_*` lines in; tasks, the set in the background, and ends of subagents out.

use std::sync::Arc;

use claude_protocol::from_cli::system::tasks::{
    BackgroundTask as WireTask, BackgroundTasksChanged, TaskNotification, TaskProgress, TaskStarted, TaskUpdated,
    TaskUsage,
};
use claude_protocol::tool::mcp::McpResource;
use claude_protocol::{TaskId, ToolUseId};

use super::Converter;
use crate::event::Body;
use crate::event::task::{BackgroundTask, BackgroundTasks, ResourceLink, Task, TaskPhase};
use crate::event::tool::SubagentComplete;
use crate::time::UnixMillis;

impl Converter {
    pub(super) fn task_started(&mut self, line: TaskStarted) {
        let task = Task {
            run_id: line.run_id.map(Into::into),
            tool_use_id: line.tool_use_id.map(ToolUseId::into_shared),
            task_type: line.task_type.map(|kind| kind.to_string()),
            agent_type: line.subagent_type,
            description: line.description.or_else(|| line.workflow_name.clone()),
            workflow_name: line.workflow_name,
            is_backgrounded: line.is_backgrounded,
            parent_task_id: line.parent_task_id.map(TaskId::into_shared),
            spawn_depth: line.spawn_depth,
            prompt: line.prompt,
            ambient: line.ambient.or(line.skip_transcript),
            status: Some("running".to_owned()),
            ..nothing_of(line.task_id, TaskPhase::Started)
        };
        self.out.put(Body::Task(Box::new(task)));
    }

    pub(super) fn task_progress(&mut self, line: TaskProgress) {
        let usage = line.usage.unwrap_or_default();
        let task = Task {
            run_id: line.run_id.map(Into::into),
            tool_use_id: line.tool_use_id.map(ToolUseId::into_shared),
            agent_type: line.subagent_type,
            description: line.description,
            summary: line.summary,
            last_tool_name: line.last_tool_name,
            total_tokens: usage.total_tokens,
            tool_uses: usage.tool_uses,
            duration_ms: usage.duration_ms,
            ..nothing_of(line.task_id, TaskPhase::Progress)
        };
        self.out.put(Body::Task(Box::new(task)));
    }

    pub(super) fn task_updated(&mut self, line: TaskUpdated) {
        let patch = line.patch;
        let task = Task {
            run_id: line.run_id.map(Into::into),
            description: patch.description,
            // The line about its end calls it `stopped`.
            status: patch
                .status
                .map(|status| if status.as_str() == "killed" { "stopped".to_owned() } else { status.to_string() }),
            is_backgrounded: patch.is_backgrounded,
            end_time: patch.end_time.map(UnixMillis::from_float),
            error: patch.error,
            ..nothing_of(line.task_id, TaskPhase::Updated)
        };
        self.out.put(Body::Task(Box::new(task)));
    }

    pub(super) fn task_notification(&mut self, line: TaskNotification) {
        let told = line.tool_use_id.map(ToolUseId::into_shared);
        let work = self.calls.ended(line.task_id.as_str(), told.as_ref());
        let usage = line.usage.unwrap_or_default();
        let status = line.status.map(|status| status.to_string());
        // The end of one in the foreground is told by its result.
        let ended = work.as_ref().filter(|work| work.is_agent).map(|work| SubagentComplete {
            call_id: Arc::clone(&work.call),
            agent_id: Some(line.task_id.to_string()),
            status: status.clone(),
            summary: line.summary.clone(),
            total_duration_ms: usage.duration_ms,
            total_tokens: usage.total_tokens,
            total_tool_use_count: usage.tool_uses,
            usage: None,
            resolved_model: None,
            output_file: line.output_file.clone(),
        });
        let task = Task {
            run_id: line.run_id.map(Into::into),
            tool_use_id: told.or(work.map(|work| work.call)),
            summary: line.summary,
            status,
            total_tokens: usage.total_tokens,
            tool_uses: usage.tool_uses,
            duration_ms: usage.duration_ms,
            output_file: line.output_file,
            resource_links: line.resource_links.map(|links| links.into_iter().filter_map(resource).collect()),
            error: line.reason,
            ambient: line.ambient.or(line.skip_transcript),
            ..nothing_of(line.task_id, TaskPhase::Notification)
        };
        self.out.put(Body::Task(Box::new(task)));
        if let Some(ended) = ended {
            self.blocks.ended(&ended.call_id);
            self.out.put(Body::SubagentComplete(Box::new(ended)));
        }
    }

    pub(super) fn background_tasks(&mut self, line: BackgroundTasksChanged) {
        let task = |task: WireTask| BackgroundTask {
            task_id: task.task_id.into_shared(),
            run_id: task.run_id.map(Into::into),
            parent_task_id: task.parent_task_id.map(TaskId::into_shared),
            task_type: task.task_type.map(|kind| kind.to_string()),
            agent_type: task.subagent_type,
            description: task.description,
        };
        let shown = line.tasks.into_iter().filter(|task| task.ambient != Some(true));
        self.out.put(Body::BackgroundTasks(BackgroundTasks { tasks: shown.map(task).collect() }));
    }
}

fn nothing_of(task_id: TaskId, phase: TaskPhase) -> Task {
    Task {
        phase,
        task_id: task_id.into_shared(),
        run_id: None,
        tool_use_id: None,
        task_type: None,
        agent_type: None,
        description: None,
        summary: None,
        status: None,
        is_backgrounded: None,
        parent_task_id: None,
        spawn_depth: None,
        workflow_name: None,
        prompt: None,
        last_tool_name: None,
        total_tokens: None,
        tool_uses: None,
        duration_ms: None,
        end_time: None,
        error: None,
        output_file: None,
        resource_links: None,
        ambient: None,
    }
}

/// What the model is told of work in the background, as the line about its end has it. The answer of a subagent says more
/// than a remark on it.
pub(super) fn notification(words: &str) -> Option<TaskNotification> {
    let tagged = |tag: &str| {
        let (_, inner) = words.split_once(&format!("<{tag}>"))?;
        Some(inner.split_once(&format!("</{tag}>"))?.0.trim())
    };
    // `tool_uses: 1` in old versions, `<tool_uses>1</tool_uses>` in new ones.
    let counted = |name: &str| -> Option<u64> {
        let (_, rest) = tagged("usage")?.split_once(name)?;
        let number = rest.trim_start_matches([':', '>', ' ']);
        number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let mut told = TaskNotification::default();
    told.task_id = tagged("task-id")?.into();
    told.tool_use_id = tagged("tool-use-id").map(Into::into);
    told.status = tagged("status").map(Into::into);
    told.output_file = tagged("output-file").map(str::to_owned);
    told.summary = tagged("result").or_else(|| tagged("summary")).map(str::to_owned);
    let mut usage = TaskUsage::default();
    usage.total_tokens = counted("_tokens");
    usage.tool_uses = counted("tool_uses");
    usage.duration_ms = counted("duration_ms").map(|ms| ms as f64);
    told.usage = Some(usage);
    Some(told)
}

/// A link, if it leads anywhere.
fn resource(resource: McpResource) -> Option<ResourceLink> {
    Some(ResourceLink {
        uri: resource.uri?,
        name: resource.name,
        title: resource.title,
        description: resource.description,
        mime_type: resource.mime_type,
        size: resource.size,
        server: resource.server,
    })
}
