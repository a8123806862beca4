//! Work beside the conversation: `system/task_*` lines in; tasks, the set in the background, and ends of subagents out.

use std::sync::Arc;

use claude_protocol::from_cli::system::tasks::{
    BackgroundTask as WireTask, BackgroundTasksChanged, TaskNotification, TaskProgress, TaskStarted, TaskUpdated,
};
use claude_protocol::{TaskId, ToolUseId};

use super::Converter;
use crate::event::Body;
use crate::event::task::{BackgroundTask, BackgroundTasks, Task, TaskPhase};
use crate::event::tool::SubagentComplete;

impl Converter {
    pub(super) fn task_started(&mut self, line: TaskStarted) {
        let task = Task {
            run_id: line.run_id.map(Into::into),
            tool_use_id: line.tool_use_id.map(ToolUseId::into_shared),
            task_type: line.task_type.map(|kind| kind.to_string()),
            agent_type: line.subagent_type,
            description: line.description.or(line.workflow_name),
            is_backgrounded: line.is_backgrounded,
            parent_task_id: line.parent_task_id.map(TaskId::into_shared),
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
            error: patch.error,
            ..nothing_of(line.task_id, TaskPhase::Updated)
        };
        self.out.put(Body::Task(Box::new(task)));
    }

    pub(super) fn task_notification(&mut self, line: TaskNotification) {
        let call_id = line.tool_use_id.map(ToolUseId::into_shared);
        let usage = line.usage.unwrap_or_default();
        let status = line.status.map(|status| status.to_string());
        // The end of one in the foreground is told by its result.
        let ended = call_id.as_ref().filter(|call| self.calls.ended(call)).map(|call| SubagentComplete {
            call_id: Arc::clone(call),
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
            tool_use_id: call_id,
            summary: line.summary,
            status,
            total_tokens: usage.total_tokens,
            tool_uses: usage.tool_uses,
            duration_ms: usage.duration_ms,
            output_file: line.output_file,
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
        prompt: None,
        last_tool_name: None,
        total_tokens: None,
        tool_uses: None,
        duration_ms: None,
        error: None,
        output_file: None,
        ambient: None,
    }
}
