//! The state: what is so now, all that a screen and a list draw.
//!
//! All judgement is in [`State::decide`], which looks at the state and an event, touches nothing, and says what changes. All
//! mutation is in [`State::patch`], which judges nothing. So a screen that gets only the changes holds the same state.

pub mod ask;
pub mod change;
pub mod clip;
mod coalesce;
mod decide;
pub mod diff;
pub mod header;
pub mod item;
pub mod items;
pub mod lines;
mod patch;
pub mod tool;
mod words;

pub use ask::{Ask, AskBody};
pub use change::Change;
pub use clip::{Clip, More};
pub use coalesce::coalesce;
pub use header::{Catalog, Job, McpServer, Meters, Phase, Queued, Status};
use item::TurnItem;
pub use item::{Item, ItemBody, ItemId, Order};
pub use items::Items;
pub use lines::Lines;

use std::sync::Arc;

use crate::event::task::TodoTask;
use crate::shape::state;

/// The version of the reducer. A state, a checkpoint or a change of another version means something else.
pub const REDUCER: u32 = 11;

state! {
    /// What is so now.
    #[derive(Default)]
    pub struct State {
        /// The oldest place that is held; what stands before it is elsewhere.
        pub floor: Order,
        /// What the session is doing.
        pub status: Arc<Status>,
        /// What it has used.
        pub meters: Arc<Meters>,
        /// What can be used.
        pub catalog: Arc<Catalog>,
        /// The things to do.
        pub tasks: Vec<TodoTask>,
        /// Work beside the conversation.
        pub jobs: Vec<Job>,
        /// The MCP servers.
        pub mcp: Vec<McpServer>,
        /// The prompts that the agent has not taken yet.
        pub queue: Vec<Queued>,
        /// The questions that are open.
        pub asks: Vec<Arc<Ask>>,
        /// The conversation.
        pub items: Items,
    }
}

impl State {
    /// The last turn that has ended, of those that are held.
    pub fn last_turn(&self) -> Option<(&Item, &TurnItem)> {
        self.items.iter().rev().find_map(|item| match &item.body {
            ItemBody::Turn(turn) => Some((item, &**turn)),
            _ => None,
        })
    }
}
