//! Lists: which sessions, in which order, from where on; and what the index has of one of them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use insights::UnixMillis;
use insights::event::turn::TokenUsage;
use insights::state::Phase;
use rusqlite::types::{ToSql, Value};
use rusqlite::{Connection, Row, params_from_iter};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::file::Index;
use super::rows::{ModelUsage, SessionRow, TurnRow, word};
use crate::error::Result;
use crate::sqlite::count;

/// Which sessions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Those that are in one of these phases; any, if there is none.
    pub phases: Vec<Phase>,
    /// Those that work in this folder or below it.
    pub project: Option<String>,
    /// Those whose title has these words in it, in small or capital letters.
    pub title: Option<String>,
    /// What the user calls sessions, by id: that is their title, whatever the agent says.
    pub titles: BTreeMap<String, String>,
    /// Those that somebody else chose, who knows more: the archived ones, or all others.
    pub among: Among,
}

/// A choice of sessions by id.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Among {
    /// All of them.
    #[default]
    All,
    /// Only these.
    Only(Vec<String>),
    /// All but these.
    Except(Vec<String>),
}

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SortBy {
    /// The one in which something was done last.
    #[default]
    Active,
    /// The newest.
    Created,
    /// The most expensive.
    Cost,
    /// The first in the alphabet.
    Title,
}

/// A part of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The sessions.
    pub rows: Vec<SessionRow>,
    /// Where the next part begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<After>,
}

/// A place in a list: after the session that stood there when the list was made. It may have moved since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct After {
    /// What it was sorted by.
    pub key: Key,
    /// The session.
    pub id: String,
}

/// What a list is sorted by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Key {
    /// A moment.
    Moment(i64),
    /// Dollars.
    Dollars(f64),
    /// A title, in small letters.
    Title(String),
}

impl SortBy {
    /// Which of two places in a list comes first, as the database has it.
    fn order(self, one: &After, other: &After) -> Ordering {
        let order = one.key.order(&other.key).then_with(|| one.id.cmp(&other.id));
        match self {
            SortBy::Active | SortBy::Created | SortBy::Cost => order.reverse(),
            SortBy::Title => order,
        }
    }
}

impl Key {
    fn order(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Moment(one), Key::Moment(other)) => one.cmp(other),
            (Key::Title(one), Key::Title(other)) => one.cmp(other),
            (one, other) => match (one.number(), other.number()) {
                (Some(one), Some(other)) => one.total_cmp(&other),
                // Numbers come before texts.
                (one, other) => one.is_none().cmp(&other.is_none()),
            },
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Key::Moment(at) => Some(*at as f64),
            Key::Dollars(usd) => Some(*usd),
            Key::Title(_) => None,
        }
    }
}

impl Filter {
    /// Is this one of the sessions? What the conditions of a query say, of a row that no table has.
    fn passes(&self, row: &SessionRow) -> bool {
        let is_below = |project: &String| {
            let inside = |cwd: &str| cwd.strip_prefix(project.trim_end_matches('/'))?.strip_prefix('/').map(|_| ());
            row.cwd.as_ref().is_some_and(|cwd| cwd == project || inside(cwd).is_some())
        };
        (self.phases.is_empty() || self.phases.contains(&row.phase))
            && self.project.as_ref().is_none_or(is_below)
            && self.title.as_ref().is_none_or(|words| self.title_of(row).contains(&words.to_lowercase()))
            && match &self.among {
                Among::All => true,
                Among::Only(ids) => ids.contains(&row.id),
                Among::Except(ids) => !ids.contains(&row.id),
            }
    }

    /// The title of a session, in small letters.
    fn title_of(&self, row: &SessionRow) -> String {
        let title = self.titles.get(&row.id).or(row.title.as_ref());
        title.map(|title| title.to_lowercase()).unwrap_or_default()
    }
}

const COLUMNS: &str = "key, id, title, cwd, model, mode, version, created_at, active_at, phase, words, since, asks,
    unconfirmed, cost_usd, inherited_usd, turns, last_turn_seq, failed, first_prompt, imported_from, forked_from, seq,
    input_tokens, output_tokens, cache_read_tokens, cache_creation_tokens";

/// The title of a session, in small letters.
const TITLE: &str = "coalesce(own_title, title_lower, '')";

impl Index {
    /// The sessions that pass `filter`, at most `limit` of them, from `after` on.
    pub fn list(&mut self, filter: &Filter, sort: SortBy, limit: usize, after: Option<&After>) -> Result<Page> {
        let (column, way, than) = match sort {
            SortBy::Active => ("active_at", "DESC", "<"),
            SortBy::Created => ("created_at", "DESC", "<"),
            SortBy::Cost => ("cost_usd", "DESC", "<"),
            SortBy::Title => (TITLE, "ASC", ">"),
        };
        let mut wheres = Wheres::of(filter);
        if let Some(After { key, id }) = after {
            let key = match key {
                Key::Moment(at) => Value::Integer(*at),
                Key::Dollars(usd) => Value::Real(*usd),
                Key::Title(title) => Value::Text(title.clone()),
            };
            wheres.add(&format!("({column}, id) {than} (?, ?)"), [key, Value::Text(id.clone())]);
        }
        let (sql, mut values) = wheres.finish();
        // One more than asked for says whether there is another page.
        values.push(Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1)));
        let sql = format!(
            "WITH own(own_id, own_title) AS (SELECT key, value FROM json_each(?))
            SELECT {COLUMNS} FROM sessions LEFT JOIN own ON own_id = id {sql} ORDER BY {column} {way}, id {way} LIMIT ?"
        );
        let mut rows = self.run("read", |connection| Ok(sessions(connection, &sql, params_from_iter(values))?))?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| After { key: key(row, sort, filter), id: row.id.clone() });
        Ok(Page { rows, next })
    }

    /// The same with sessions among them that the index does not have yet; `known` tells them as the index will.
    pub fn list_with(
        &mut self,
        filter: &Filter,
        sort: SortBy,
        limit: usize,
        after: Option<&After>,
        known: Vec<SessionRow>,
    ) -> Result<Page> {
        let Page { mut rows, next } = self.list(filter, sort, limit, after)?;
        let place = |row: &SessionRow| After { key: key(row, sort, filter), id: row.id.clone() };
        let is_wanted = |row: &SessionRow| {
            let comes = after.is_none_or(|after| sort.order(after, &place(row)).is_lt());
            // It may have come in since somebody looked.
            comes && filter.passes(row) && rows.iter().all(|listed| listed.id != row.id)
        };
        let wanted: Vec<SessionRow> = known.into_iter().filter(is_wanted).collect();
        if wanted.is_empty() {
            return Ok(Page { rows, next });
        }
        rows.extend(wanted);
        rows.sort_by(|one, other| sort.order(&place(one), &place(other)));
        let more = next.is_some() || rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(place);
        Ok(Page { rows, next })
    }

    /// One session.
    pub fn session(&mut self, id: &str) -> Result<Option<SessionRow>> {
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1");
        self.run("read", |connection| Ok(sessions(connection, &sql, [id])?.pop()))
    }

    /// Those of these sessions that are not in the index yet.
    pub fn lacking(&mut self, ids: Vec<String>) -> Result<Vec<String>> {
        self.run("read", |connection| {
            let mut known = connection.prepare_cached("SELECT 1 FROM sessions WHERE id = ?1")?;
            let mut lacking = Vec::new();
            for id in ids {
                if !known.exists([&id])? {
                    lacking.push(id);
                }
            }
            Ok(lacking)
        })
    }

    /// The sessions in which the agent had this id for the conversation.
    pub fn of_agent_session(&mut self, id: &str) -> Result<Vec<SessionRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM sessions WHERE key IN (SELECT session FROM agent_sessions WHERE id = ?1) ORDER BY id"
        );
        self.run("read", |connection| Ok(sessions(connection, &sql, [id])?))
    }

    /// Which session holds a conversation, by the agent's own id of it. If several do, the one that has its id, as forks begin
    /// with what is another's; else the newest.
    pub fn sessions_of_agent(&mut self) -> Result<HashMap<String, String>> {
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT agent_sessions.id, sessions.id FROM agent_sessions
                JOIN sessions ON sessions.key = agent_sessions.session
                ORDER BY sessions.id = agent_sessions.id, sessions.active_at",
            )?;
            let pairs = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(pairs.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The turns of a session, in their order.
    pub fn turns(&mut self, session: &str) -> Result<Vec<TurnRow>> {
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT turns.* FROM turns JOIN sessions ON sessions.key = turns.session
                WHERE sessions.id = ?1 ORDER BY number",
            )?;
            let turns = statement.query_map([session], turn)?;
            let mut turns = turns.collect::<rusqlite::Result<Vec<TurnRow>>>()?;
            let mut statement = connection.prepare_cached(
                "SELECT turn_models.* FROM turn_models JOIN sessions ON sessions.key = turn_models.session
                WHERE sessions.id = ?1",
            )?;
            let models = statement.query_map([session], |row| Ok((row.get::<_, u32>("number")?, model(row)?)))?;
            for found in models {
                let (number, (model, usage)) = found?;
                if let Ok(at) = turns.binary_search_by_key(&number, |turn| turn.number) {
                    turns[at].models.insert(model, usage);
                }
            }
            Ok(turns)
        })
    }
}

/// The conditions of a query, and the values for their places: the user's own titles before those of the conditions.
struct Wheres {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Wheres {
    fn of(filter: &Filter) -> Self {
        let lower: serde_json::Map<String, serde_json::Value> =
            filter.titles.iter().map(|(id, title)| (id.clone(), title.to_lowercase().into())).collect();
        let own = Value::Text(serde_json::Value::Object(lower).to_string());
        let mut wheres = Wheres { conditions: Vec::new(), values: vec![own] };
        let list = |words: Vec<String>| Value::Text(serde_json::Value::from(words).to_string());
        if !filter.phases.is_empty() {
            let phases = filter.phases.iter().map(word).collect();
            wheres.add("phase IN (SELECT value FROM json_each(?))", [list(phases)]);
        }
        if let Some(project) = &filter.project {
            let below = format!("{}/", project.trim_end_matches('/'));
            let values = [project.clone(), below.clone(), below].map(Value::Text);
            wheres.add("(cwd = ? OR substr(cwd, 1, length(?)) = ?)", values);
        }
        if let Some(title) = &filter.title {
            wheres.add(&format!("instr({TITLE}, ?) > 0"), [Value::Text(title.to_lowercase())]);
        }
        match &filter.among {
            Among::All => {}
            Among::Only(ids) => wheres.add("id IN (SELECT value FROM json_each(?))", [list(ids.clone())]),
            Among::Except(ids) => wheres.add("id NOT IN (SELECT value FROM json_each(?))", [list(ids.clone())]),
        }
        wheres
    }

    fn add(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.conditions.push(condition.to_owned());
        self.values.extend(values);
    }

    fn finish(self) -> (String, Vec<Value>) {
        match self.conditions.is_empty() {
            true => (String::new(), self.values),
            false => (format!("WHERE {}", self.conditions.join(" AND ")), self.values),
        }
    }
}

fn key(row: &SessionRow, sort: SortBy, filter: &Filter) -> Key {
    match sort {
        SortBy::Active => Key::Moment(row.active_at.0),
        SortBy::Created => Key::Moment(row.created_at.0),
        SortBy::Cost => Key::Dollars(row.cost_usd),
        SortBy::Title => Key::Title(filter.title_of(row)),
    }
}

fn sessions(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> rusqlite::Result<Vec<SessionRow>> {
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map(values, |row| Ok((row.get::<_, i64>("key")?, session(row)?)))?;
    let mut found = found.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut ids = connection.prepare_cached("SELECT id FROM agent_sessions WHERE session = ?1 ORDER BY number")?;
    for (key, row) in &mut found {
        row.agent_sessions =
            ids.query_map([&*key as &dyn ToSql], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    }
    Ok(found.into_iter().map(|(_, row)| row).collect())
}

fn session(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    Ok(SessionRow {
        id: row.get("id")?,
        title: row.get("title")?,
        cwd: row.get("cwd")?,
        model: row.get("model")?,
        mode: row.get("mode")?,
        version: row.get("version")?,
        created_at: UnixMillis(row.get("created_at")?),
        active_at: UnixMillis(row.get("active_at")?),
        phase: named(row, "phase")?,
        words: row.get("words")?,
        since: UnixMillis(row.get("since")?),
        asks: row.get("asks")?,
        unconfirmed: row.get("unconfirmed")?,
        cost_usd: row.get("cost_usd")?,
        inherited_usd: row.get("inherited_usd")?,
        tokens: tokens(row)?,
        turns: row.get("turns")?,
        last_turn_seq: count(row.get("last_turn_seq")?),
        failed: row.get("failed")?,
        first_prompt: row.get("first_prompt")?,
        agent_sessions: Vec::new(),
        imported_from: row.get("imported_from")?,
        forked_from: row.get("forked_from")?,
        seq: count(row.get("seq")?),
    })
}

/// What a turn used of a model, by its name.
pub(super) fn model(row: &Row<'_>) -> rusqlite::Result<(String, ModelUsage)> {
    Ok((row.get("model")?, ModelUsage { tokens: tokens(row)?, cost_usd: row.get("cost_usd")? }))
}

pub(super) fn turn(row: &Row<'_>) -> rusqlite::Result<TurnRow> {
    Ok(TurnRow {
        number: row.get("number")?,
        from_seq: count(row.get("from_seq")?),
        to_seq: count(row.get("to_seq")?),
        started_at: UnixMillis(row.get("started_at")?),
        ended_at: row.get::<_, Option<i64>>("ended_at")?.map(UnixMillis),
        duration_ms: row.get("duration_ms")?,
        cost_usd: row.get("cost_usd")?,
        tokens: tokens(row)?,
        models: BTreeMap::new(),
        model: row.get("model")?,
        cwd: row.get("cwd")?,
        outcome: row.get("outcome")?,
        stop_reason: row.get("stop_reason")?,
        terminal_reason: row.get("terminal_reason")?,
        prompt: row.get("prompt")?,
        inherited: row.get("inherited")?,
    })
}

/// Tokens in the columns that all tables with tokens have.
pub(super) fn tokens(row: &Row<'_>) -> rusqlite::Result<TokenUsage> {
    Ok(TokenUsage {
        input_tokens: count(row.get("input_tokens")?),
        output_tokens: count(row.get("output_tokens")?),
        cache_read_tokens: row.get::<_, Option<i64>>("cache_read_tokens")?.map(count),
        cache_creation_tokens: row.get::<_, Option<i64>>("cache_creation_tokens")?.map(count),
    })
}

/// One of a set of names. A word that is none of them is a damage like any other.
pub(super) fn named<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let word: String = row.get(column)?;
    serde_json::from_value(serde_json::Value::String(word))
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error)))
}
