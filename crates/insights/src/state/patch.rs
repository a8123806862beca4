//! Does what a change says, and nothing else. Its twin on the screen must do the same: see `fixtures/contract`.

use std::sync::Arc;

use super::{Change, Order, State};

impl State {
    /// Does one change. What stands before the floor is not held, so changes of it change nothing.
    pub fn patch(&mut self, change: &Change) {
        match change {
            Change::Status { status } => self.status = Arc::clone(status),
            Change::Meters { meters } => self.meters = Arc::clone(meters),
            Change::Catalog { catalog } => self.catalog = Arc::clone(catalog),
            Change::Tasks { tasks } => self.tasks.clone_from(tasks),
            Change::Jobs { jobs } => self.jobs.clone_from(jobs),
            Change::Mcp { servers } => self.mcp.clone_from(servers),
            Change::Queue { queue } => self.queue.clone_from(queue),
            Change::Asks { asks } => self.asks.clone_from(asks),
            Change::Put { item } if item.order < self.floor => _ = self.items.remove(&item.id),
            Change::Put { item } => self.items.put(Arc::clone(item)),
            Change::Append { id, text } => {
                if let Some(growing) = self.items.get_mut(id).and_then(|item| item.body.growing()) {
                    growing.push_str(text);
                }
            }
            Change::Drop { id } => _ = self.items.remove(id),
        }
    }

    /// Forgets the items before `floor`, and all that will be said about them.
    pub fn cut(&mut self, floor: Order) {
        self.floor = self.floor.max(floor);
        self.items.cut(self.floor);
    }
}
