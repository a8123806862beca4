//! The tool calls whose results have not come: what must be known of a call when its result is told.

use std::collections::BTreeMap;
use std::sync::Arc;

use claude_protocol::Raw;
use serde::{Deserialize, Serialize};

use super::{memory, todo, tools};
use crate::event::tool::ToolKind;

/// The open calls.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Calls {
    open: BTreeMap<Arc<str>, Call>,
    /// Subagents that run on after the result of their call.
    background: BTreeMap<Arc<str>, ()>,
}

/// A call.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Call {
    /// The tool.
    pub(super) name: String,
    /// The input, where the result alone does not tell what was done.
    #[serde(with = "memory::optional")]
    pub(super) input: Option<Raw>,
    /// The files that it changes.
    pub(super) changes: Option<Vec<String>>,
    /// Did a hook of the host keep it from running? Old versions do not tell why such a call failed.
    pub(super) refused_by_hook: bool,
}

impl Calls {
    pub(super) fn begin(&mut self, id: &Arc<str>, name: &str, input: &Raw, locations: Option<&[String]>) {
        let call = Call {
            name: name.to_owned(),
            input: todo::needs_input(name).then(|| input.clone()),
            changes: locations.filter(|_| tools::kind(name) == ToolKind::Edit).map(<[String]>::to_vec),
            refused_by_hook: false,
        };
        self.open.insert(Arc::clone(id), call);
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

    /// The call has ended, its subagent has not.
    pub(super) fn goes_on(&mut self, id: &Arc<str>) {
        self.background.insert(Arc::clone(id), ());
    }

    /// A subagent that ran on has ended: did we know of it?
    pub(super) fn ended(&mut self, id: &str) -> bool {
        self.background.remove(id).is_some()
    }
}
