//! Work beside the conversation: jobs, as the agent's tasks tell of them, and the list of things to do.

use std::sync::Arc;

use crate::event::task::{BackgroundTasks, Task, TaskPhase, TodoTask};
use crate::event::tool::ToolKind;
use crate::state::clip::{self, Room, TEXT_BYTES};
use crate::state::header::{Job, JobStatus};
use crate::state::item::{Item, ItemBody, ItemId};
use crate::state::tool::ToolStatus;

use super::agent::{end_calls, ended};
use super::draft::{Draft, call_item};

/// The most jobs that are kept after their end.
const ENDED_JOBS: usize = 32;

/// A task has begun, gone on, or ended.
pub(super) fn task(draft: &mut Draft<'_>, task: &Task) {
    draft.heard();
    let id = call_item(&task.task_id);
    let known = draft.jobs().iter().any(|job| job.id == id);
    let begins = matches!(task.phase, TaskPhase::Started | TaskPhase::Progress);
    if task.ambient == Some(true) {
        return;
    }
    if !known && begins {
        let job = new_job(draft, id.clone());
        draft.jobs_mut().push(job);
    }
    let at = draft.at();
    let mut call = task.tool_use_id.as_ref().map(call_item);
    if let Some(job) = draft.jobs_mut().iter_mut().find(|job| job.id == id) {
        job.call = call.take().or(job.call.take());
        call.clone_from(&job.call);
        tell(job, task);
        if job.status != JobStatus::Running && job.ended_at.is_none() {
            job.ended_at = Some(at);
        }
    }
    tidy(draft);
    if let Some(call) = call {
        tell_item(draft, &call, task);
    }
}

fn tell(job: &mut Job, task: &Task) {
    let newer = |now: &mut Option<String>, told: &Option<String>| {
        if let Some(told) = told {
            *now = Some(clip::short(told));
        }
    };
    newer(&mut job.kind, &task.task_type);
    newer(&mut job.agent_type, &task.agent_type);
    newer(&mut job.summary, &task.summary);
    newer(&mut job.error, &task.error);
    newer(&mut job.output_file, &task.output_file);
    newer(&mut job.last_tool, &task.last_tool_name);
    // Progress is told as a description of the step, not of the task.
    if let Some(description) = task.description.as_deref()
        && (job.description.is_empty() || task.phase == TaskPhase::Started)
    {
        job.description = clip::short(description);
    }
    job.parent = task.parent_task_id.as_ref().map(call_item).or(job.parent.take());
    job.background = task.is_backgrounded.unwrap_or(job.background);
    job.tokens = task.total_tokens.or(job.tokens);
    job.tool_uses = task.tool_uses.or(job.tool_uses);
    if let Some(status) = &task.status {
        job.status = status_of(status);
    }
}

fn status_of(status: &str) -> JobStatus {
    match status {
        "running" | "pending" => JobStatus::Running,
        "completed" => JobStatus::Completed,
        "failed" | "error" => JobStatus::Failed,
        "stopped" | "killed" | "cancelled" => JobStatus::Stopped,
        other => JobStatus::Other(clip::short(other)),
    }
}

/// What a task tells of the call that began it.
fn tell_item(draft: &mut Draft<'_>, call: &ItemId, task: &Task) {
    let at = draft.at();
    let over = task.status.as_deref().filter(|status| !matches!(*status, "running" | "pending"));
    let task_id = || Some(clip::short(&task.task_id));
    let mut ended_agent = false;
    match draft.item_mut(call).map(|item| &mut item.body) {
        Some(ItemBody::Tool(tool)) => {
            tool.task_id = task_id();
            if tool.status == ToolStatus::Background && over.is_some() {
                tool.status = ended(over);
                tool.ended_at = Some(at);
            }
            if tool.status != ToolStatus::Running && task.summary.is_some() {
                tool.summary = task.summary.as_deref().map(clip::short);
            }
        }
        Some(ItemBody::Agent(agent)) => {
            agent.task_id = task_id();
            agent.agent_id = agent.agent_id.take().or_else(task_id);
            agent.agent_type = agent.agent_type.take().or_else(|| task.agent_type.as_deref().map(clip::short));
            agent.background |= task.is_backgrounded == Some(true);
            agent.tokens = task.total_tokens.or(agent.tokens);
            agent.tool_uses = task.tool_uses.or(agent.tool_uses);
            agent.duration_ms = super::meters::finite(task.duration_ms).or(agent.duration_ms);
            if let Some(tool) = &task.last_tool_name {
                agent.last_tool = Some(clip::short(tool));
                agent.retry = None;
            }
            if agent.status == ToolStatus::Background && over.is_some() {
                agent.status = ended(over);
                agent.ended_at = Some(at);
                ended_agent = true;
            }
        }
        _ => {}
    }
    if ended_agent {
        end_calls(draft, call);
    }
}

/// The work of a call goes on in the background as this task. Old versions say nothing more of it until it has ended, if
/// they say anything then.
pub(super) fn goes_on(draft: &mut Draft<'_>, call: &ItemId, task: &str, output_file: Option<&str>) {
    let id = call_item(&task.into());
    if draft.is_history() || draft.jobs().iter().any(|job| job.id == id) {
        return;
    }
    let mut job = Job { call: Some(Arc::clone(call)), background: true, ..new_job(draft, id) };
    job.output_file = output_file.map(clip::short);
    match draft.item(call).map(|item| &item.body) {
        Some(ItemBody::Tool(tool)) => {
            job.kind = (tool.tool_kind == ToolKind::Execute).then(|| "local_bash".to_owned());
            job.description.clone_from(&tool.title);
        }
        Some(ItemBody::Agent(agent)) => {
            job.kind = Some("local_agent".to_owned());
            job.description.clone_from(&agent.description);
            job.agent_type.clone_from(&agent.agent_type);
        }
        _ => {}
    }
    draft.jobs_mut().push(job);
}

/// The tasks in the background, all of them. Those that are not among them any more have ended.
pub(super) fn background(draft: &mut Draft<'_>, now: &BackgroundTasks) {
    draft.heard();
    let at = draft.at();
    for task in &now.tasks {
        let id = call_item(&task.task_id);
        if !draft.jobs().iter().any(|job| job.id == id) {
            let mut job = new_job(draft, id.clone());
            job.description = clip::short(task.description.as_deref().unwrap_or_default());
            job.kind = task.task_type.as_deref().map(clip::short);
            job.agent_type = task.agent_type.as_deref().map(clip::short);
            draft.jobs_mut().push(job);
        }
        if let Some(job) = draft.jobs_mut().iter_mut().find(|job| job.id == id) {
            job.background = true;
        }
    }
    let runs = |job: &Job| now.tasks.iter().any(|task| call_item(&task.task_id) == job.id);
    for job in draft.jobs_mut() {
        if job.background && job.status == JobStatus::Running && !runs(job) {
            job.status = JobStatus::Completed;
            job.ended_at = Some(at);
        }
    }
    tidy(draft);
}

/// Nothing runs any more: the process is gone.
pub(super) fn stop_all(draft: &mut Draft<'_>) {
    let at = draft.at();
    if draft.jobs().iter().any(|job| job.status == JobStatus::Running) {
        for job in draft.jobs_mut().iter_mut().filter(|job| job.status == JobStatus::Running) {
            job.status = JobStatus::Ended;
            job.ended_at = Some(at);
        }
    }
    let running_on = draft.unsettled_since(Default::default(), |item: &Item| match &item.body {
        ItemBody::Tool(tool) => tool.status == ToolStatus::Background,
        ItemBody::Agent(agent) => agent.status == ToolStatus::Background,
        _ => false,
    });
    for id in running_on {
        super::agent::end(draft, &id, ToolStatus::Ended);
    }
    tidy(draft);
}

/// Jobs in the foreground are told of by their calls once they have ended, and old ones in the background are forgotten.
fn tidy(draft: &mut Draft<'_>) {
    let is_over = |job: &Job| job.status != JobStatus::Running;
    if draft.jobs().iter().any(|job| is_over(job) && !job.background) {
        draft.jobs_mut().retain(|job| !is_over(job) || job.background);
    }
    let mut surplus = draft.jobs().iter().filter(|job| is_over(job)).count().saturating_sub(ENDED_JOBS);
    if surplus > 0 {
        draft.jobs_mut().retain(|job| {
            let forgotten = surplus > 0 && is_over(job);
            surplus -= usize::from(forgotten);
            !forgotten
        });
    }
}

fn new_job(draft: &Draft<'_>, id: Arc<str>) -> Job {
    Job {
        id,
        kind: None,
        description: String::new(),
        agent_type: None,
        call: None,
        parent: None,
        status: JobStatus::Running,
        background: false,
        started_at: draft.at(),
        ended_at: None,
        summary: None,
        error: None,
        output_file: None,
        last_tool: None,
        tokens: None,
        tool_uses: None,
    }
}

/// As many of the things to do as are worth a list, each as short as a list wants it.
pub(super) fn bounded_list(tasks: &[TodoTask]) -> Vec<TodoTask> {
    Room(TEXT_BYTES).list(tasks, 120, |task, room| TodoTask {
        id: room.text(&task.id),
        subject: room.text(&task.subject),
        description: task.description.as_deref().map(|text| room.text(text)),
        status: task.status.clone(),
        active_form: task.active_form.as_deref().map(|text| room.text(text)),
        owner: task.owner.as_deref().map(|text| room.text(text)),
        blocks: room.list(&task.blocks, 3, |id, room| room.text(id)),
        blocked_by: room.list(&task.blocked_by, 3, |id, room| room.text(id)),
    })
}
