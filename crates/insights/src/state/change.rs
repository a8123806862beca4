//! Changes: what an event does to the state. Made by `decide`, done by `patch`, here and on every screen.
//!
//! What is large is shared: the change, the state that it was done to and whoever sends it on hold the same item.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ask::Ask;
use super::header::{Catalog, Job, McpServer, Meters, Queued, Status};
use super::item::{Item, ItemId};
use crate::event::task::TodoTask;

/// One change of the state. The parts of the header are replaced as a whole; items are put, grown and dropped by id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Change {
    /// What the session is doing.
    Status {
        /// All of it.
        status: Arc<Status>,
    },
    /// What it has used.
    Meters {
        /// All of it.
        meters: Arc<Meters>,
    },
    /// What can be used.
    Catalog {
        /// All of it.
        catalog: Arc<Catalog>,
    },
    /// The things to do.
    Tasks {
        /// All of them.
        tasks: Vec<TodoTask>,
    },
    /// The jobs.
    Jobs {
        /// All of them.
        jobs: Vec<Job>,
    },
    /// The MCP servers.
    Mcp {
        /// All of them.
        servers: Vec<McpServer>,
    },
    /// The prompts that wait.
    Queue {
        /// All of them.
        queue: Vec<Queued>,
    },
    /// An item, new or in place of the one with its id.
    Put {
        /// The item.
        item: Arc<Item>,
    },
    /// More text for an item that grows.
    Append {
        /// The item.
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        id: ItemId,
        /// What is added.
        text: String,
    },
    /// An item that is gone.
    Drop {
        /// The item.
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        id: ItemId,
    },
    /// The questions that are open.
    Asks {
        /// All of them.
        asks: Vec<Arc<Ask>>,
    },
}
