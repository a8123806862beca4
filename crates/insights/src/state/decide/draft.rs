//! A draft of what one event changes: the state and the event in, the changes that make a difference out.
//!
//! The state itself is not touched. What is to change is copied here first, changed, and compared in the end.

use std::borrow::Cow;
use std::sync::Arc;

use crate::event::InsightsEvent;
use crate::event::task::TodoTask;
use crate::state::clip::Clip;
use crate::state::header::{AgentProcess, Catalog, Job, McpServer, Meters, Queued, Status, TurnClock};
use crate::state::item::{Item, ItemBody, ItemId, Order};
use crate::state::tool::{AgentItem, ToolStatus};
use crate::state::{Ask, Change, State, clip, words};
use crate::time::UnixMillis;

/// The longest id that is taken as it is. Real ones have less than a quarter of that.
const ID_BYTES: usize = 200;

/// How the parents of a command's subagent are named; no call has such an id.
pub(super) const FORKED_COMMAND: &str = "forked-command-";

pub(super) struct Draft<'a> {
    state: &'a State,
    pub(super) event: &'a InsightsEvent,
    status: Option<Arc<Status>>,
    meters: Option<Arc<Meters>>,
    catalog: Option<Arc<Catalog>>,
    tasks: Option<Vec<TodoTask>>,
    jobs: Option<Vec<Job>>,
    mcp: Option<Vec<McpServer>>,
    queue: Option<Vec<Queued>>,
    asks: Option<Vec<Arc<Ask>>>,
    /// The items as they will be; `None` for those that will be gone. Few, so they are searched.
    items: Vec<(ItemId, Option<Arc<Item>>)>,
}

/// A look at a part of the header.
macro_rules! look {
    ($part:ident: $type:ty) => {
        pub(super) fn $part(&self) -> &$type {
            self.$part.as_deref().unwrap_or(&self.state.$part)
        }
    };
}

/// A copy of a large part of the header, to change it.
macro_rules! change_shared {
    ($part:ident, $change:ident: $type:ty) => {
        pub(super) fn $change(&mut self) -> &mut $type {
            Arc::make_mut(self.$part.get_or_insert_with(|| Arc::clone(&self.state.$part)))
        }
    };
}

/// A copy of a part of the header, to change it.
macro_rules! change {
    ($part:ident, $change:ident: $type:ty) => {
        pub(super) fn $change(&mut self) -> &mut $type {
            self.$part.get_or_insert_with(|| self.state.$part.clone())
        }
    };
}

impl<'a> Draft<'a> {
    pub(super) fn new(state: &'a State, event: &'a InsightsEvent) -> Self {
        Draft {
            state,
            event,
            status: None,
            meters: None,
            catalog: None,
            tasks: None,
            jobs: None,
            mcp: None,
            queue: None,
            asks: None,
            items: Vec::new(),
        }
    }

    look!(status: Status);
    look!(meters: Meters);
    look!(catalog: Catalog);
    look!(tasks: [TodoTask]);
    look!(jobs: [Job]);
    look!(mcp: [McpServer]);
    look!(queue: [Queued]);
    look!(asks: [Arc<Ask>]);

    change_shared!(status, status_mut: Status);
    change_shared!(meters, meters_mut: Meters);
    change_shared!(catalog, catalog_mut: Catalog);
    change!(tasks, tasks_mut: Vec<TodoTask>);
    change!(jobs, jobs_mut: Vec<Job>);
    change!(mcp, mcp_mut: Vec<McpServer>);
    change!(queue, queue_mut: Vec<Queued>);
    change!(asks, asks_mut: Vec<Arc<Ask>>);

    /// The record that the event was made from.
    pub(super) fn seq(&self) -> u64 {
        seq_of(self.event)
    }

    pub(super) fn at(&self) -> UnixMillis {
        self.event.timestamp
    }

    /// Where an item of this event stands.
    pub(super) fn order(&self) -> Order {
        Order(self.seq(), u32::try_from(self.event.id.n).unwrap_or(u32::MAX))
    }

    /// The item as it will be.
    pub(super) fn item(&self, id: &str) -> Option<&Item> {
        match self.items.iter().find(|(drafted, _)| &**drafted == id) {
            Some((_, item)) => item.as_deref(),
            None => self.state.items.get(id),
        }
    }

    /// The item, to change it.
    pub(super) fn item_mut(&mut self, id: &str) -> Option<&mut Item> {
        let place = match self.items.iter().position(|(drafted, _)| &**drafted == id) {
            Some(place) => place,
            None => {
                let item = self.state.items.get(id)?;
                self.items.push((item.id.clone(), Some(Arc::new(item.clone()))));
                self.items.len() - 1
            }
        };
        self.items.get_mut(place)?.1.as_mut().map(Arc::make_mut)
    }

    pub(super) fn put(&mut self, item: Item) {
        self.set(item.id.clone(), Some(Arc::new(item)));
    }

    pub(super) fn drop_item(&mut self, id: &str) {
        if let Some(item) = self.item(id) {
            self.set(item.id.clone(), None);
        }
    }

    fn set(&mut self, id: ItemId, item: Option<Arc<Item>>) {
        match self.items.iter_mut().find(|(drafted, _)| *drafted == id) {
            Some(place) => place.1 = item,
            None => self.items.push((id, item)),
        }
    }

    /// Puts an item of this event.
    pub(super) fn put_new(&mut self, id: ItemId, parent: Option<ItemId>, body: ItemBody) {
        let uuid = self.event.message_uuid.as_ref().map(call_item);
        self.put(Item { id, order: self.order(), parent, at: self.at(), seq: self.seq(), uuid, body });
    }

    /// The ids of the items from `from` on that pass `filter`. This event's own new items are not looked at.
    pub(super) fn ids_since(&self, from: Order, filter: impl Fn(&Item) -> bool) -> Vec<ItemId> {
        self.items_since(from).filter(|item| filter(item)).map(|item| item.id.clone()).collect()
    }

    /// The items from `from` on, as they will be, those of this event not among them.
    pub(super) fn items_since(&self, from: Order) -> impl Iterator<Item = &Item> {
        self.as_drafted(self.state.items.since(from))
    }

    /// The items before this event that the end of something may change.
    pub(super) fn unsettled(&self) -> impl Iterator<Item = &Item> {
        self.state.items.unsettled_since(Order::default())
    }

    /// Items of the state, as they will be.
    pub(super) fn as_drafted<'d>(&'d self, items: impl Iterator<Item = &'d Item>) -> impl Iterator<Item = &'d Item> {
        items.filter_map(|item| match self.items.iter().find(|(id, _)| *id == item.id) {
            Some((_, drafted)) => drafted.as_deref(),
            None => Some(item),
        })
    }

    /// The ids of the items from `from` on that pass `filter`, of those that the end of something may change.
    pub(super) fn unsettled_since(&self, from: Order, filter: impl Fn(&Item) -> bool) -> Vec<ItemId> {
        let items = self.as_drafted(self.state.items.unsettled_since(from));
        items.filter(|item| filter(item)).map(|item| item.id.clone()).collect()
    }

    /// The items before this event, the last one first.
    pub(super) fn items_backwards(&self) -> impl Iterator<Item = &'a Item> {
        self.state.items.iter().rev()
    }

    /// An id for an item whose event has none of its own.
    pub(super) fn own_id(&self) -> ItemId {
        if let Some(uuid) = &self.event.message_uuid {
            let id = call_item(uuid);
            if self.item(&id).is_none() {
                return id;
            }
        }
        match self.event.id.n {
            0 => format!("#{}", self.seq()).into(),
            n => format!("#{}.{n}", self.seq()).into(),
        }
    }

    /// The item of the subagent that something belongs to. It is made if nobody has seen its call.
    pub(super) fn parent(&mut self, parent_call_id: Option<&Arc<str>>) -> Option<ItemId> {
        let id = call_item(parent_call_id?);
        let command = id.strip_prefix(FORKED_COMMAND);
        let ended = |item: &Item| match &item.body {
            ItemBody::Agent(agent) => command.is_some() && agent.ended_at.is_some(),
            _ => false,
        };
        if self.item(&id).is_none_or(ended) {
            let description = self.event.agent_description.as_deref().or(command).unwrap_or_default();
            let agent = AgentItem {
                name: clip::short(command.unwrap_or("Agent")),
                agent_type: self.event.agent_type.as_deref().map(clip::short),
                description: clip::short(description),
                agent_id: self.event.agent_id.as_deref().map(clip::short),
                ..new_agent()
            };
            self.put_new(id.clone(), None, ItemBody::Agent(Box::new(agent)));
        }
        Some(id)
    }

    /// The agent has said something that only a running process says.
    pub(super) fn heard(&mut self) {
        if self.is_history() {
            return;
        }
        let silent = match self.status().agent {
            AgentProcess::Running => false,
            AgentProcess::None | AgentProcess::Starting => true,
            // The last lines of a process may be read after its end was seen.
            AgentProcess::Ended | AgentProcess::Died => matches!(self.event.body, crate::Body::SessionInit(_)),
        };
        if silent {
            let status = self.status_mut();
            status.agent = AgentProcess::Running;
            status.exit = None;
        }
    }

    /// Was the event read from a file, and is none of what happens now?
    pub(super) fn is_history(&self) -> bool {
        self.event.imported == Some(true)
    }

    /// A turn begins here if none runs. Not while no process does: then somebody reads an old file.
    pub(super) fn begin_turn(&mut self) {
        if self.is_history() {
            return;
        }
        let status = self.status();
        let alive = matches!(status.agent, AgentProcess::Running | AgentProcess::Starting);
        if alive && status.turn.is_none() {
            let clock = TurnClock { started_at: self.at(), from_seq: self.seq(), ..TurnClock::default() };
            let status = self.status_mut();
            status.turn = Some(clock);
            status.suggestion = None;
        }
    }

    /// The turn that runs, to change it.
    pub(super) fn turn_mut(&mut self) -> Option<&mut TurnClock> {
        self.status().turn.as_ref()?;
        self.status_mut().turn.as_mut()
    }

    /// The model answers: no try of it is waited for any more.
    pub(super) fn goes_on(&mut self) {
        if self.status().turn.as_ref().is_some_and(|turn| turn.retry.is_some())
            && let Some(turn) = self.turn_mut()
        {
            turn.retry = None;
        }
    }

    /// The block that the main agent was writing has come to its end.
    pub(super) fn ends_block(&mut self) {
        if self.status().turn.as_ref().is_some_and(|turn| turn.block.is_some())
            && let Some(turn) = self.turn_mut()
        {
            turn.block = None;
        }
    }

    /// Where the items of the turn that runs begin.
    pub(super) fn turn_start(&self) -> Order {
        Order(self.status().turn.as_ref().map_or(self.seq(), |turn| turn.from_seq), 0)
    }

    /// A text, or its head; the whole is in this record.
    pub(super) fn clip(&self, text: &str, limit: usize, pointer: impl Into<String>) -> Clip {
        Clip::new(text, limit, self.seq(), pointer)
    }

    /// The words of the event, or their head; what stands in no line as it is shown ends with a mark.
    pub(super) fn clip_words(&self, words: &str, limit: usize) -> Clip {
        match &self.event.place {
            Some(place) => self.clip(words, limit, place.pointer.as_str()).behind(place.from),
            None => Clip::cut(words, limit),
        }
    }

    /// Adds the changes, without those that change nothing.
    pub(super) fn finish(mut self, changes: &mut Vec<Change>) {
        self.say_what_it_does();
        for (id, item) in self.items {
            let before = self.state.items.get(&id);
            match item {
                Some(item) if before != Some(&*item) => changes.push(Change::Put { item }),
                None if before.is_some() => changes.push(Change::Drop { id }),
                Some(_) | None => {}
            }
        }
        let state = self.state;
        changes.extend(self.asks.filter(|asks| *asks != state.asks).map(|asks| Change::Asks { asks }));
        changes.extend(self.queue.filter(|queue| *queue != state.queue).map(|queue| Change::Queue { queue }));
        changes.extend(self.tasks.filter(|tasks| *tasks != state.tasks).map(|tasks| Change::Tasks { tasks }));
        changes.extend(self.jobs.filter(|jobs| *jobs != state.jobs).map(|jobs| Change::Jobs { jobs }));
        changes.extend(self.mcp.filter(|mcp| *mcp != state.mcp).map(|servers| Change::Mcp { servers }));
        let catalog = self.catalog.filter(|catalog| *catalog != state.catalog);
        changes.extend(catalog.map(|catalog| Change::Catalog { catalog }));
        changes.extend(self.meters.filter(|meters| *meters != state.meters).map(|meters| Change::Meters { meters }));
        changes.extend(self.status.filter(|status| *status != state.status).map(|status| Change::Status { status }));
    }

    fn say_what_it_does(&mut self) {
        let of_the_same = self.status.is_none() && self.asks.is_none() && self.jobs.is_none() && self.items.is_empty();
        if of_the_same && !self.status().words.is_empty() {
            return;
        }
        let (phase, words) = words::describe(self.status(), self.asks(), self.jobs(), |id| self.item(id));
        let at = self.at();
        if self.status().phase != phase {
            let status = self.status_mut();
            status.phase = phase;
            status.since = at;
        }
        if self.status().words != words {
            self.status_mut().words = words;
        }
    }
}

/// The record of an event. In profile `core` events have none, and their own number is as good.
pub(super) fn seq_of(event: &InsightsEvent) -> u64 {
    event.seq.unwrap_or(event.id.n)
}

/// The id of the item of a call, a prompt or a question: its own, unless it is absurdly long.
pub(super) fn call_item(id: &Arc<str>) -> ItemId {
    match bounded(id) {
        Cow::Borrowed(_) => Arc::clone(id),
        Cow::Owned(short) => short.into(),
    }
}

/// An id that is short enough for every item to carry it. Long ones are told apart by their length and a checksum.
pub(super) fn bounded(id: &str) -> Cow<'_, str> {
    if id.len() <= ID_BYTES && !id.bytes().any(|byte| byte < b' ') {
        return Cow::Borrowed(id);
    }
    let sum =
        id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    Cow::Owned(format!("{}…{}-{sum:x}", clip::head(id, ID_BYTES / 2), id.len()))
}

/// A subagent of which nothing is known yet.
pub(super) fn new_agent() -> AgentItem {
    AgentItem {
        name: String::new(),
        agent_type: None,
        description: String::new(),
        input: Clip::default(),
        prompt: Clip::default(),
        status: ToolStatus::Running,
        background: false,
        agent_id: None,
        task_id: None,
        model: None,
        result: None,
        error: None,
        decision: None,
        tokens: None,
        tool_uses: None,
        duration_ms: None,
        last_tool: None,
        retry: None,
        ended_at: None,
    }
}
