//! The tool calls whose results have not come: what must be known of a call when its result is told.

use std::sync::Arc;

use claude_protocol::{Raw, TaskId, ToolUseId};
use serde::{Deserialize, Serialize};

use super::recent::Recent;
use super::{memory, todo, tools};
use crate::event::tool::ToolKind;

/// So many calls can be open at once. No turn makes that many; but a call that was cut off may have no result, and one that
/// was put off has it in a later turn, so that the end of a turn says nothing of them.
const OPEN: usize = 1024;

/// So much work can go on in the background. Not every version tells the end of all of it.
const BACKGROUND: usize = 1024;

/// The open calls.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Calls {
    open: Recent<Call, OPEN>,
    /// Work that runs on after the result of its call, by its task: old versions name nothing else when it ends.
    background: Recent<Background, BACKGROUND>,
}

/// Work that runs on after the result of its call.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Background {
    pub(super) call: Arc<str>,
    /// Is it a subagent?
    pub(super) is_agent: bool,
}

/// A call.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Call {
    /// The tool.
    pub(super) name: String,
    /// The call of the subagent that made it.
    parent: Option<Arc<str>>,
    /// The input, where the result alone does not tell what was done.
    #[serde(with = "memory::optional")]
    pub(super) input: Option<Raw>,
    /// The files that it changes.
    pub(super) changes: Option<Vec<String>>,
    /// Did a hook of the host keep it from running? Old versions do not tell why such a call failed.
    pub(super) refused_by_hook: bool,
}

impl Calls {
    /// A call is made, by the subagent that `parent` has started if it names one.
    pub(super) fn begin(
        &mut self,
        id: &Arc<str>,
        name: &str,
        parent: Option<&Arc<str>>,
        input: &Raw,
        locations: Option<&[String]>,
    ) {
        let call = Call {
            name: name.to_owned(),
            parent: parent.cloned(),
            input: todo::needs_input(name).then(|| input.clone()),
            changes: locations.filter(|_| tools::kind(name) == ToolKind::Edit).map(<[String]>::to_vec),
            refused_by_hook: false,
        };
        self.open.insert(Arc::clone(id), call);
    }

    /// The call of the subagent that made an open one.
    pub(super) fn parent(&self, id: &str) -> Option<&Arc<str>> {
        self.open.get(id)?.parent.as_ref()
    }

    /// A hook of the host said that it must not run.
    pub(super) fn refused_by_hook(&mut self, id: &str) {
        if let Some(call) = self.open.get_mut(id) {
            call.refused_by_hook = true;
        }
    }

    /// The result has come.
    pub(super) fn end(&mut self, id: &str) -> Option<Call> {
        self.open.remove(id)
    }

    /// The call has ended, its work has not.
    pub(super) fn goes_on(&mut self, task: &str, work: Background) {
        self.background.insert(task.into(), work);
    }

    /// Does the work of a task run on after its call?
    pub(super) fn runs(&self, task: &TaskId, call: Option<&ToolUseId>) -> bool {
        let is_of = |work: &Background| call.is_some_and(|call| call.as_str() == &*work.call);
        self.background.get(task.as_str()).is_some() || self.background.iter().any(|(_, work)| is_of(work))
    }

    /// The work of a task that ran on has ended; not every version says of which call it was.
    pub(super) fn ended(&mut self, task: &str, call: Option<&Arc<str>>) -> Option<Background> {
        let by_call =
            || self.background.iter().find(|(_, work)| Some(&work.call) == call).map(|(task, _)| task.clone());
        let task = if self.background.get(task).is_some() { task.into() } else { by_call()? };
        self.background.remove(&task)
    }
}
