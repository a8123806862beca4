//! The list of sessions as a feed: a row for each, and what changed since somebody looked.

use std::collections::BTreeMap;
use std::sync::Arc;

use insights::UnixMillis;
use insights::state::{AskBody, Phase, State};
use journal::{DeskSession, SessionRow};
use schemars::JsonSchema;
use serde::Serialize;

use crate::feed::Epoch;

/// A session in the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The session.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// Its working directory.
    pub cwd: Option<String>,
    /// What it is doing, for programs.
    pub phase: Phase,
    /// What it is doing, in words.
    pub words: String,
    /// Since when, in milliseconds since 1970.
    pub since: UnixMillis,
    /// What it asks, in words; the first if there are several.
    pub needs_you: Option<String>,
    /// Of which kind the first of them is.
    pub asking: Option<Asking>,
    /// How many questions are open.
    pub asks: usize,
    /// Prompts of which nobody knows whether the agent took them.
    pub unconfirmed: usize,
    /// Dollars of its own turns.
    pub cost_usd: f64,
    /// Turns that have ended.
    pub turns: u32,
    /// The model.
    pub model: Option<String>,
    /// The permission mode.
    pub mode: Option<String>,
    /// The record that ended the last turn; 0 if none has ended. Who has not seen it has something to read.
    pub last_turn_seq: u64,
    /// Why the last turn did not end well, in words, if it did not.
    pub failed: Option<String>,
    /// Is it in the archive?
    pub archived: bool,
    /// The last record that the user has seen, on whatever screen.
    pub seen_seq: u64,
}

/// What kind of answer a session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Asking {
    /// Yes or no to a tool.
    Permission,
    /// An answer to questions.
    Question,
    /// Yes or no to a plan.
    Plan,
    /// What an MCP server wants to know.
    Elicitation,
    /// A dialog.
    Dialog,
}

impl From<&AskBody> for Asking {
    fn from(body: &AskBody) -> Asking {
        match body {
            AskBody::Permission(_) => Asking::Permission,
            AskBody::Question(_) => Asking::Question,
            AskBody::Plan(_) => Asking::Plan,
            AskBody::Elicitation(_) => Asking::Elicitation,
            AskBody::Dialog(_) => Asking::Dialog,
        }
    }
}

impl Row {
    /// The row of a session in this state.
    pub fn new(id: &str, state: &State) -> Row {
        Row { id: id.to_owned(), ..Row::default() }.next(state)
    }

    /// The row that comes after this one, when the session is in this state. It differs only when somebody who looks at the
    /// list would see it: not with every word of an answer.
    pub fn next(&self, state: &State) -> Row {
        let status = &state.status;
        let own = |text: &Option<Arc<str>>| text.as_deref().map(str::to_owned);
        let unconfirmed =
            |queued: &&insights::state::Queued| queued.state == insights::state::header::QueuedState::Unconfirmed;
        // What is looked for stands near the end, but only when a turn has just ended.
        let (last_turn_seq, failed) = match state.meters.turns == self.turns {
            true => (self.last_turn_seq, self.failed.clone()),
            false => match state.last_turn() {
                Some((item, turn)) => (item.seq, turn.failure()),
                None => (0, None),
            },
        };
        Row {
            id: self.id.clone(),
            title: own(&status.title),
            cwd: own(&status.cwd),
            phase: status.phase,
            words: status.words.clone(),
            since: since(status.since, || state.items.iter().next_back().map_or(status.since, |item| item.at)),
            needs_you: state.asks.first().map(|ask| asked(&ask.body)),
            asking: state.asks.first().map(|ask| Asking::from(&ask.body)),
            asks: state.asks.len(),
            unconfirmed: state.queue.iter().filter(unconfirmed).count(),
            cost_usd: state.meters.cost_usd,
            turns: state.meters.turns,
            model: own(&status.model),
            mode: own(&status.mode),
            last_turn_seq,
            failed,
            ..Row::default()
        }
    }

    /// The same with what the user has said about it.
    pub fn with_own(mut self, own: Option<&DeskSession>) -> Row {
        if let Some(own) = own {
            self.title = own.title.clone().or(self.title);
            self.archived = own.archived_at.is_some();
            self.seen_seq = own.seen_seq;
        }
        self
    }
}

/// What was taken in from a terminal was in one phase all the time, so it counts when something last happened in it.
fn since(phase: UnixMillis, active: impl FnOnce() -> UnixMillis) -> UnixMillis {
    if phase == UnixMillis::default() { active() } else { phase }
}

/// The row of a session that is not open, as the index has it.
impl From<SessionRow> for Row {
    fn from(row: SessionRow) -> Row {
        Row {
            title: row.title.or(row.first_prompt),
            cwd: row.cwd,
            phase: row.phase,
            words: row.words,
            since: since(row.since, || row.active_at),
            needs_you: None,
            asks: 0,
            unconfirmed: row.unconfirmed as usize,
            cost_usd: row.cost_usd,
            turns: row.turns,
            model: row.model,
            mode: row.mode,
            last_turn_seq: row.last_turn_seq,
            failed: row.failed,
            id: row.id,
            ..Row::default()
        }
    }
}

/// What is asked, in a few words.
fn asked(body: &AskBody) -> String {
    match body {
        AskBody::Permission(ask) => ask.title.clone(),
        AskBody::Question(ask) => ask.questions.first().map(|question| question.question.clone()).unwrap_or_default(),
        AskBody::Plan(_) => "Approve the plan".to_owned(),
        AskBody::Elicitation(ask) => match &ask.server {
            Some(server) => format!("{server} asks"),
            None => "A server asks".to_owned(),
        },
        AskBody::Dialog(_) => "A dialog is open".to_owned(),
    }
}

/// The rows, and when each of them changed.
#[derive(Debug)]
pub struct List {
    epoch: Epoch,
    revision: u64,
    rows: BTreeMap<String, Entry>,
    /// What the user has said about sessions.
    own: BTreeMap<String, DeskSession>,
    gone: Vec<(u64, String)>,
    /// Who is older than this may have missed that a row went.
    complete_after: u64,
}

#[derive(Debug)]
struct Entry {
    /// The revision that changed it.
    at: u64,
    /// As the session tells it.
    told: Row,
    /// The same with what the user has said.
    row: Row,
}

/// How many rows that went are remembered.
const GONE: usize = 1000;

/// What somebody lacks who has the list up to a revision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListAnswer {
    /// Of which list.
    pub epoch: Epoch,
    /// Where the list is now.
    pub revision: u64,
    /// Is this the whole list? Then what is not in it is gone.
    pub whole: bool,
    /// Rows that are new or changed.
    pub rows: Vec<Row>,
    /// Sessions that are gone.
    pub gone: Vec<String>,
}

impl List {
    /// An empty list; `name` tells it from that of another process.
    pub fn new(name: &str) -> Self {
        let (rows, own) = Default::default();
        List { epoch: Epoch::new(name), revision: 0, rows, own, gone: Vec::new(), complete_after: 0 }
    }

    /// Puts a row in, new or instead of the one before. False if nothing changed.
    pub fn put(&mut self, told: Row) -> bool {
        let row = told.clone().with_own(self.own.get(&told.id));
        match self.rows.get_mut(&row.id) {
            Some(entry) if entry.row == row => {
                entry.told = told;
                false
            }
            _ => {
                self.revision += 1;
                self.rows.insert(row.id.clone(), Entry { at: self.revision, told, row });
                true
            }
        }
    }

    /// What the user says about a session, from now on. False if nothing changed.
    pub fn set_own(&mut self, id: &str, own: DeskSession) -> bool {
        self.own.insert(id.to_owned(), own);
        match self.rows.get(id) {
            Some(entry) => self.put(entry.told.clone()),
            None => false,
        }
    }

    /// Takes a row out.
    pub fn remove(&mut self, id: &str) -> bool {
        if self.rows.remove(id).is_none() {
            return false;
        }
        self.revision += 1;
        self.gone.push((self.revision, id.to_owned()));
        if self.gone.len() > GONE {
            self.complete_after = self.gone.remove(0).0;
        }
        true
    }

    /// Is there a row of this session?
    pub fn has(&self, id: &str) -> bool {
        self.rows.contains_key(id)
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values().map(|entry| &entry.row)
    }

    /// Where it is.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What somebody lacks who has the list of that epoch up to `revision`.
    pub fn since(&self, epoch: &Epoch, revision: u64) -> ListAnswer {
        let whole = *epoch != self.epoch || revision < self.complete_after || revision > self.revision;
        let after = if whole { 0 } else { revision };
        let changed = self.rows.values().filter(|entry| whole || entry.at > after).map(|entry| entry.row.clone());
        let gone = self.gone.iter().filter(|(at, id)| !whole && *at > after && !self.rows.contains_key(id));
        ListAnswer {
            epoch: self.epoch.clone(),
            revision: self.revision,
            whole,
            rows: changed.collect(),
            gone: gone.map(|(_, id)| id.clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, title: &str) -> Row {
        Row { id: id.to_owned(), title: Some(title.to_owned()), ..Row::default() }
    }

    fn names(answer: &ListAnswer) -> Vec<&str> {
        answer.rows.iter().filter_map(|row| row.title.as_deref()).collect()
    }

    #[test]
    fn who_looks_again_gets_what_changed() {
        let mut list = List::new("one");
        assert!(list.put(row("a", "A")));
        assert!(list.put(row("b", "B")));
        assert!(!list.put(row("b", "B")));
        let first = list.since(&Epoch::new("another"), 7);
        assert!(first.whole);
        assert_eq!(names(&first), ["A", "B"]);
        list.put(row("b", "B2"));
        list.remove("a");
        let second = list.since(&first.epoch, first.revision);
        assert!(!second.whole);
        assert_eq!((names(&second), second.gone.clone()), (vec!["B2"], vec!["a".to_owned()]));
        list.put(row("a", "A again"));
        let third = list.since(&first.epoch, first.revision);
        assert_eq!((names(&third), third.gone.clone()), (vec!["A again", "B2"], vec![]), "it came back");
        assert_eq!(names(&list.since(&first.epoch, list.revision())), Vec::<&str>::new());
    }

    #[test]
    fn what_was_taken_in_is_as_old_as_what_is_in_it() {
        let row = |since: i64| {
            let row = SessionRow { since: UnixMillis(since), active_at: UnixMillis(5), ..SessionRow::default() };
            Row::from(row).since
        };
        assert_eq!((row(0), row(3)), (UnixMillis(5), UnixMillis(3)));
    }

    #[test]
    fn what_the_user_says_counts_whatever_the_session_tells() {
        let mut list = List::new("one");
        let own = DeskSession { title: Some("Mine".to_owned()), archived_at: Some(UnixMillis(1)), seen_seq: 7 };
        assert!(!list.set_own("a", own), "there is no such row yet");
        list.put(row("a", "A"));
        assert!(!list.put(row("a", "A2")), "nobody sees the agent's title");
        let first = list.since(&Epoch::default(), 0);
        assert_eq!(names(&first), ["Mine"]);
        assert_eq!((first.rows[0].archived, first.rows[0].seen_seq), (true, 7));
        assert!(list.set_own("a", DeskSession::default()));
        let second = list.since(&first.epoch, first.revision);
        assert_eq!((names(&second), second.rows[0].archived), (vec!["A2"], false));
    }
}
