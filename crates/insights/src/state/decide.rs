//! What an event changes: the state and an event in, changes out. All judgement is here and below; nothing is touched.
//!
//! What has to be remembered from one event to the next is in the state itself, so that a state that was kept and read
//! again goes on like the one that was not.

mod agent;
mod ask;
mod draft;
mod meters;
mod note;
mod process;
mod prompt;
mod session;
mod stream;
mod task;
mod text;
mod tool;
mod turn;
mod view;

use std::sync::Arc;

use super::{Change, Order, State};
use crate::event::{Body, InsightsEvent};
use draft::Draft;

impl State {
    /// What the event changes.
    pub fn decide(&self, event: &InsightsEvent) -> Vec<Change> {
        let mut changes = Vec::new();
        self.decide_into(event, &mut changes);
        changes
    }

    /// What the event changes, added to `changes`.
    fn decide_into(&self, event: &InsightsEvent, changes: &mut Vec<Change>) {
        // Most events are pieces of text, and each of them changes one text and nothing else.
        if let Body::StreamDelta(delta) = &event.body
            && let Some(change) = stream::grow(self, delta)
        {
            return changes.extend(change);
        }
        let mut draft = Draft::new(self, event);
        decide(&mut draft, &event.body);
        draft.finish(changes);
    }

    /// Does what the event changes, and says it, for screens that hold the same state.
    pub fn apply(&mut self, event: &InsightsEvent) -> Vec<Change> {
        let mut changes = Vec::new();
        self.apply_into(event, &mut changes);
        changes
    }

    /// The same, with the changes added to `changes`: for who keeps a list to fill it again and again.
    pub fn apply_into(&mut self, event: &InsightsEvent, changes: &mut Vec<Change>) {
        let before = changes.len();
        self.decide_into(event, changes);
        changes.iter().skip(before).for_each(|change| self.patch(change));
    }

    /// A copy without the items before `floor`.
    pub fn since(&self, floor: Order) -> State {
        let floor = floor.max(self.floor);
        State {
            floor,
            status: Arc::clone(&self.status),
            meters: Arc::clone(&self.meters),
            catalog: Arc::clone(&self.catalog),
            tasks: self.tasks.clone(),
            jobs: self.jobs.clone(),
            mcp: self.mcp.clone(),
            queue: self.queue.clone(),
            asks: self.asks.clone(),
            items: self.items.at_least(floor),
        }
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn decide(draft: &mut Draft<'_>, body: &Body) {
    match body {
        Body::SessionInit(init) => session::init(draft, init),
        Body::SessionStatus(status) => session::status(draft, status),
        Body::AvailableCommands(commands) => session::commands(draft, commands),
        Body::SessionMoved(moved) => session::moved(draft, moved),
        Body::RateLimitUpdate(limits) => session::limits(draft, limits),
        Body::UsageUpdate(usage) => session::usage(draft, usage),
        Body::PromptSuggestion(suggested) => session::suggestion(draft, suggested),
        Body::Goal(goal) => session::goal(draft, goal),
        Body::AuthStatus(login) => session::login(draft, login),
        Body::ControlSent(sent) => session::sent(draft, sent),
        Body::ControlResult(result) => session::answered(draft, result),
        Body::TaskList(list) => draft.tasks_mut().clone_from(&task::bounded_list(&list.tasks)),

        Body::TurnComplete(complete) => turn::complete(draft, complete),
        Body::ApiRetry(retry) => turn::retry(draft, retry),
        Body::ProcessStart(start) => process::start(draft, start),
        Body::ProcessExit(exit) => process::exit(draft, exit),

        Body::StreamDelta(delta) => stream::piece(draft, delta),
        Body::ThinkingProgress(progress) => stream::thinking(draft, progress),
        Body::Text(text) => text::whole(draft, text),
        Body::ContextCompaction(compaction) => text::compaction(draft, compaction),
        Body::UserInput(input) => prompt::input(draft, input),
        Body::LocalCommandOutput(output) => prompt::command(draft, output),

        Body::ToolInvocation(call) => tool::invocation(draft, call),
        Body::ToolCompletion(completion) => tool::completion(draft, completion),
        Body::ToolProgress(progress) => tool::progress(draft, progress),
        Body::ToolSummary(summary) => tool::summary(draft, summary),
        Body::SubagentSpawn(spawn) => agent::spawn(draft, spawn),
        Body::SubagentComplete(complete) => agent::complete(draft, complete),
        Body::Task(about) => task::task(draft, about),
        Body::BackgroundTasks(tasks) => task::background(draft, tasks),

        Body::PermissionRequest(request) => ask::permission(draft, request),
        Body::Elicitation(elicitation) => ask::elicitation(draft, elicitation),
        Body::UserDialog(dialog) => ask::dialog(draft, dialog),
        Body::PermissionCancelled(cancelled) => ask::cancelled(draft, cancelled),
        Body::PermissionResolved(resolved) => ask::resolved(draft, resolved),
        Body::PermissionDenied(denied) => ask::denied(draft, denied),

        Body::Notice(notice) => note::notice(draft, notice),
        Body::ModelFallback(fallback) => note::fallback(draft, fallback),
        Body::Hook(hook) => note::hook(draft, hook),
        Body::StorageProblem(problem) => note::storage(draft, problem),
        Body::WorkerShutdown(shutdown) => note::shutdown(draft, shutdown),
        Body::FilesPersisted(files) => note::files(draft, files),
        Body::MemoryRecall(recall) => note::memories(draft, recall),
        Body::ProtocolError(error) => note::protocol_error(draft, error),
        Body::UnknownBlock(block) => note::unknown_block(draft, block),
        Body::UnknownMessage(message) => note::unknown_message(draft, message),

        // The turn's own figures say it, and are added up where the turn ends.
        Body::SessionMetrics(_) => {}
        // Said already by the turn and by the questions that are open.
        Body::SessionState(_) => draft.heard(),
        // The host answers these by itself; nobody is asked.
        Body::HookCallback(_) => draft.heard(),
        // Its answer is what counts.
        Body::ControlProgress(_) => {}
        // The question stays open until it is answered.
        Body::ElicitationComplete(_) => {}
        // Shown with the exit, if the process fails.
        Body::Stderr(_) => {}
    }
}
