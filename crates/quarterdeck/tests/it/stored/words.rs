//! The words of `expected.json` for values that our types and the API may come to call something else.

use insights::event::task::TodoStatus;
use insights::state::Phase;
use insights::state::header::{AgentProcess, JobStatus, QueuedState};
use insights::state::item::{TurnOutcome, UserRole};
use insights::state::tool::{DecisionOutcome, ToolStatus};
use journal::TextKind;
use live::Pause;

pub(crate) fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Asleep => "stopped",
        Phase::Starting => "starting",
        Phase::Idle => "idle",
        Phase::Running => "running",
        Phase::NeedsYou => "waiting for the user",
        Phase::Compacting => "compacting",
        Phase::Retrying => "retrying",
        Phase::Interrupting => "interrupting",
        Phase::Failed => "crashed",
    }
}

pub(crate) fn process(process: AgentProcess) -> &'static str {
    match process {
        AgentProcess::None => "none",
        AgentProcess::Starting => "starting",
        AgentProcess::Running => "running",
        AgentProcess::Ended => "ended",
        AgentProcess::Died => "crashed",
    }
}

pub(crate) fn tool(status: &ToolStatus) -> &'static str {
    match status {
        ToolStatus::Writing => "being written",
        ToolStatus::Waiting => "waiting for approval",
        ToolStatus::Running => "running",
        ToolStatus::Background => "in the background",
        ToolStatus::Completed => "completed",
        ToolStatus::Failed => "failed",
        ToolStatus::Denied => "denied",
        ToolStatus::Cancelled => "cancelled",
        ToolStatus::Ended => "ended with the agent",
    }
}

pub(crate) fn decision(outcome: &DecisionOutcome) -> &'static str {
    match outcome {
        DecisionOutcome::Allowed => "allowed",
        DecisionOutcome::Denied => "denied",
        DecisionOutcome::Withdrawn => "withdrawn",
        DecisionOutcome::Interrupted => "interrupted",
        DecisionOutcome::Abandoned => "abandoned",
    }
}

pub(crate) fn turn(outcome: &TurnOutcome) -> &'static str {
    match outcome {
        TurnOutcome::Completed => "completed",
        TurnOutcome::Interrupted => "interrupted",
        TurnOutcome::Failed => "failed",
        TurnOutcome::MaxTurns => "too many rounds",
        TurnOutcome::MaxBudget => "too expensive",
        TurnOutcome::Command => "command",
    }
}

pub(crate) fn role(role: &UserRole) -> &'static str {
    match role {
        UserRole::Person => "person",
        UserRole::Agent => "agent",
        UserRole::System => "system",
        UserRole::Interrupt => "interrupt",
    }
}

pub(crate) fn queued(state: &QueuedState) -> &'static str {
    match state {
        QueuedState::Sent => "sent",
        QueuedState::Queued => "queued",
        QueuedState::Unconfirmed => "unconfirmed",
    }
}

pub(crate) fn pause(pause: Pause) -> &'static str {
    match pause {
        Pause::Interrupted => "interrupted",
        Pause::Failed => "failed",
        Pause::Died => "crashed",
    }
}

pub(crate) fn todo(status: &TodoStatus) -> &str {
    match status {
        TodoStatus::Pending => "pending",
        TodoStatus::InProgress => "in progress",
        TodoStatus::Completed => "completed",
        TodoStatus::Other(word) => word,
    }
}

pub(crate) fn job(status: &JobStatus) -> &str {
    match status {
        JobStatus::Running => "running",
        JobStatus::Completed => "completed",
        JobStatus::Failed => "failed",
        JobStatus::Stopped => "stopped",
        JobStatus::Ended => "ended with the agent",
        JobStatus::Other(word) => word,
    }
}

pub(crate) fn text_kind(kind: TextKind) -> &'static str {
    match kind {
        TextKind::Title => "title",
        TextKind::Prompt => "prompt",
        TextKind::Answer => "answer",
        TextKind::Command => "command",
        TextKind::Path => "path",
    }
}
