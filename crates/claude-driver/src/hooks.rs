//! Hooks: functions of the host that the CLI calls at set points of its work.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use claude_protocol::control::Initialize;
use claude_protocol::hook::output::HookPermission;
use claude_protocol::hook::{HookCallback, HookEvent, HookInput, HookMatcher, HookOutput, OnFailure};
use futures_util::future::BoxFuture;

/// A function of the host that the CLI calls on an event.
///
/// ```
/// use claude_driver::{Claude, Hook, hook::{HookEvent, HookOutput, HookPermission}};
///
/// let no_rm = Hook::on(HookEvent::PreToolUse, |input, _call| async move {
///     HookOutput::permission(HookPermission::Deny, "not on my machine")
/// });
/// let claude = Claude::new().hook(no_rm.matching("Bash").fail_closed());
/// ```
#[derive(Clone)]
pub struct Hook {
    event: HookEvent,
    matcher: Option<String>,
    time_limit: Option<Duration>,
    on_failure: OnFailure,
    run: Run,
}

type Run = Arc<dyn Fn(HookInput, HookCall) -> BoxFuture<'static, HookOutput> + Send + Sync>;

/// What a hook is told besides its input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HookCall {
    /// The call that the event is about, where it is about one.
    pub tool_use_id: Option<claude_protocol::ToolUseId>,
}

impl Hook {
    /// Calls `run` on every `event`. `HookOutput::none()` is no opinion.
    pub fn on<F, Fut>(event: HookEvent, run: F) -> Self
    where
        F: Fn(HookInput, HookCall) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = HookOutput> + Send + 'static,
    {
        let run: Run = Arc::new(move |input, call| Box::pin(run(input, call)));
        Hook { event, matcher: None, time_limit: None, on_failure: OnFailure::Continue, run }
    }

    /// Only for tools (or sources, or triggers: it depends on the event) whose name fits this pattern of the CLI's, such
    /// as `Bash` or `Edit|Write`.
    #[must_use]
    pub fn matching(mut self, matcher: impl Into<String>) -> Self {
        self.matcher = Some(matcher.into());
        self
    }

    /// The CLI waits no longer than this; by default, a minute.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// What the hook guards does not happen if the hook panics, takes too long or cannot be asked. By default it does.
    #[must_use]
    pub fn fail_closed(mut self) -> Self {
        self.on_failure = OnFailure::Block;
        self
    }

    /// Declares the hooks to the CLI; their place in the list is their name.
    pub(crate) fn declare(hooks: &[Hook], initialize: &mut Initialize) {
        for (index, hook) in hooks.iter().enumerate() {
            let name = callback_name(index);
            let mut matcher = match &hook.matcher {
                Some(pattern) => HookMatcher::matching(pattern.clone(), name),
                None => HookMatcher::any(name),
            };
            matcher.timeout = hook.time_limit.map(|limit| limit.as_secs_f64().max(1.0).ceil());
            if hook.on_failure == OnFailure::Block {
                matcher.on_failure = Some(OnFailure::Block);
            }
            initialize.add_hook(&hook.event, matcher);
        }
    }

    /// The hook that the CLI calls.
    pub(crate) fn called<'a>(hooks: &'a [Hook], callback: &HookCallback) -> Option<&'a Hook> {
        hooks
            .iter()
            .enumerate()
            .find(|(index, _)| callback.callback_id.as_str() == callback_name(*index))
            .map(|(_, hook)| hook)
    }

    pub(crate) async fn run(&self, callback: HookCallback) -> HookOutput {
        let running = (self.run)(callback.input, HookCall { tool_use_id: callback.tool_use_id });
        let Some(limit) = self.time_limit else { return running.await };
        match tokio::time::timeout(limit, running).await {
            Ok(output) => output,
            Err(_) => self.failed("The hook took too long."),
        }
    }

    /// What to say when the hook gave no answer. A CLI that knows `onFailure` decides by itself, older ones do not.
    pub(crate) fn failed(&self, why: &str) -> HookOutput {
        match (&self.on_failure, &self.event) {
            (OnFailure::Block, HookEvent::PreToolUse) => HookOutput::permission(HookPermission::Deny, why),
            (OnFailure::Block, _) => HookOutput::block(why),
            _ => HookOutput::none(),
        }
    }
}

fn callback_name(index: usize) -> String {
    format!("hook-{index}")
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook")
            .field("event", &self.event)
            .field("matcher", &self.matcher)
            .field("time_limit", &self.time_limit)
            .field("on_failure", &self.on_failure)
            .finish_non_exhaustive()
    }
}
