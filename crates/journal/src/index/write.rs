//! Writing to the index: a batch in, its rows and how far the index is in one transaction out.

use insights::event::turn::TokenUsage;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, named_params, params};

use super::collect::Batch;
use super::file::Index;
use super::rows::{CallRow, TextKind, TextRow, TurnRow, word};
use crate::error::{Error, Result};
use crate::sqlite::{Trouble, count, stored};

/// What has become of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It was written.
    Now,
    /// The index had all of it already.
    Before,
}

/// How far the index is with a session, and of which log.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) key: i64,
    pub(super) seq: u64,
    pub(super) identity: String,
    pub(super) log_bytes: Option<u64>,
    pub(super) packed_bytes: Option<u64>,
}

impl Index {
    /// Writes a batch, all or nothing. What the index has already is not written again, so that a batch may come twice
    /// and two batches may overlap. One that begins after what the index has is an [`Error::Gap`].
    pub fn write(&mut self, batch: &Batch) -> Result<Written> {
        self.run("write to", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mark = mark(&transaction, batch.session())?;
            let has = mark.filter(|mark| mark.identity == batch.identity).map_or(0, |mark| mark.seq);
            if has >= batch.to() {
                return Ok(Written::Before);
            }
            if batch.from() > has + 1 || (has == 0 && is_known(&transaction, batch.session())?) {
                let gap = Error::Gap { session: batch.session().to_owned(), has, from: batch.from() };
                return Err(Trouble::Ours(gap));
            }
            put(&transaction, batch)?;
            transaction.commit()?;
            Ok(Written::Now)
        })
    }

    /// Removes all of a session: its folder is gone, or its log is another one.
    pub fn remove(&mut self, session: &str) -> Result<()> {
        self.run("write to", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if let Some(mark) = mark(&transaction, session)? {
                for table in ["agent_sessions", "turns", "turn_models", "tool_calls", "texts"] {
                    transaction.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [mark.key])?;
                }
                transaction.execute("DELETE FROM sessions WHERE key = ?1", [mark.key])?;
            }
            Ok(transaction.commit()?)
        })
    }

    /// Writes down how long the log is that the index has up to `seq`.
    pub(super) fn measured(
        &mut self,
        session: &str,
        seq: u64,
        log_bytes: Option<u64>,
        packed_bytes: Option<u64>,
    ) -> Result<()> {
        self.run("write to", |connection| {
            connection.execute(
                "UPDATE sessions SET log_bytes = ?3, packed_bytes = ?4 WHERE id = ?1 AND seq = ?2",
                params![session, stored(seq), log_bytes.map(stored), packed_bytes.map(stored)],
            )?;
            Ok(())
        })
    }
}

/// How far the index is with a session.
pub(super) fn mark(connection: &Connection, session: &str) -> rusqlite::Result<Option<Mark>> {
    let sql = "SELECT key, seq, identity, log_bytes, packed_bytes FROM sessions WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([session], |row| {
        Ok(Mark {
            key: row.get(0)?,
            seq: count(row.get(1)?),
            identity: row.get(2)?,
            log_bytes: row.get::<_, Option<i64>>(3)?.map(count),
            packed_bytes: row.get::<_, Option<i64>>(4)?.map(count),
        })
    });
    found.optional()
}

fn is_known(connection: &Connection, session: &str) -> rusqlite::Result<bool> {
    Ok(mark(connection, session)?.is_some())
}

fn put(transaction: &Transaction<'_>, batch: &Batch) -> rusqlite::Result<()> {
    let key = session(transaction, batch)?;
    agent_sessions(transaction, key, &batch.row.agent_sessions)?;
    for row in &batch.turns {
        turn(transaction, key, row)?;
    }
    let mut inherit =
        transaction.prepare_cached("UPDATE turns SET inherited = 1 WHERE session = ?1 AND number <= ?2")?;
    if batch.inherited > 0 {
        inherit.execute(params![key, batch.inherited])?;
    }
    for (id, row) in &batch.calls {
        call(transaction, key, id, row.as_ref())?;
    }
    for ((kind, item), row) in &batch.texts {
        text(transaction, key, *kind, item, row.as_ref())?;
    }
    Ok(())
}

fn session(transaction: &Transaction<'_>, batch: &Batch) -> rusqlite::Result<i64> {
    let row = &batch.row;
    let [input, output, cache_read, cache_creation] = tokens(&row.tokens);
    let mut statement = transaction.prepare_cached(
        "INSERT INTO sessions (
            id, identity, seq, log_bytes, packed_bytes, title, title_lower, cwd, model, mode, version, created_at,
            active_at, phase, words, since, asks, unconfirmed, cost_usd, inherited_usd, input_tokens, output_tokens,
            cache_read_tokens, cache_creation_tokens, turns, last_turn_seq, failed, first_prompt, imported_from,
            forked_from
        ) VALUES (
            :id, :identity, :seq, :log_bytes, NULL, :title, :title_lower, :cwd, :model, :mode, :version, :created_at,
            :active_at, :phase, :words, :since, :asks, :unconfirmed, :cost_usd, :inherited_usd, :input, :output,
            :cache_read, :cache_creation, :turns, :last_turn_seq, :failed, :first_prompt, :imported_from,
            :forked_from
        ) ON CONFLICT (id) DO UPDATE SET
            identity = excluded.identity, seq = excluded.seq, log_bytes = excluded.log_bytes, packed_bytes = NULL,
            title = excluded.title, title_lower = excluded.title_lower, cwd = excluded.cwd, model = excluded.model,
            mode = excluded.mode, version = excluded.version, created_at = excluded.created_at,
            active_at = excluded.active_at, phase = excluded.phase, words = excluded.words, since = excluded.since,
            asks = excluded.asks, unconfirmed = excluded.unconfirmed, cost_usd = excluded.cost_usd,
            inherited_usd = excluded.inherited_usd, input_tokens = excluded.input_tokens,
            output_tokens = excluded.output_tokens, cache_read_tokens = excluded.cache_read_tokens,
            cache_creation_tokens = excluded.cache_creation_tokens, turns = excluded.turns,
            last_turn_seq = excluded.last_turn_seq, failed = excluded.failed, first_prompt = excluded.first_prompt,
            imported_from = excluded.imported_from, forked_from = excluded.forked_from
        RETURNING key",
    )?;
    let values = named_params! {
        ":id": row.id, ":identity": batch.identity, ":seq": stored(row.seq), ":log_bytes": batch.log_bytes.map(stored),
        ":title": row.title, ":title_lower": row.title.as_ref().map(|title| title.to_lowercase()), ":cwd": row.cwd,
        ":model": row.model, ":mode": row.mode, ":version": row.version, ":created_at": row.created_at.0,
        ":active_at": row.active_at.0, ":phase": word(&row.phase), ":words": row.words, ":since": row.since.0,
        ":asks": row.asks, ":unconfirmed": row.unconfirmed, ":cost_usd": row.cost_usd,
        ":inherited_usd": row.inherited_usd, ":input": input, ":output": output, ":cache_read": cache_read,
        ":cache_creation": cache_creation, ":turns": row.turns, ":last_turn_seq": stored(row.last_turn_seq),
        ":failed": row.failed,
        ":first_prompt": row.first_prompt, ":imported_from": row.imported_from, ":forked_from": row.forked_from,
    };
    statement.query_row(values, |row| row.get(0))
}

/// Ids are added and never change.
fn agent_sessions(transaction: &Transaction<'_>, key: i64, ids: &[String]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO agent_sessions (session, number, id) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let mut statement = transaction.prepare_cached(sql)?;
    for (number, id) in (0_i64..).zip(ids) {
        statement.execute(params![key, number, id])?;
    }
    Ok(())
}

fn turn(transaction: &Transaction<'_>, key: i64, row: &TurnRow) -> rusqlite::Result<()> {
    let [input, output, cache_read, cache_creation] = tokens(&row.tokens);
    let mut statement = transaction.prepare_cached(
        "INSERT OR REPLACE INTO turns (
            session, number, from_seq, to_seq, started_at, ended_at, duration_ms, cost_usd, input_tokens, output_tokens,
            cache_read_tokens, cache_creation_tokens, model, cwd, outcome, stop_reason, terminal_reason, prompt,
            inherited
        ) VALUES (
            :session, :number, :from_seq, :to_seq, :started_at, :ended_at, :duration_ms, :cost_usd, :input, :output,
            :cache_read, :cache_creation, :model, :cwd, :outcome, :stop_reason, :terminal_reason, :prompt, :inherited
        )",
    )?;
    statement.execute(named_params! {
        ":session": key, ":number": row.number, ":from_seq": stored(row.from_seq), ":to_seq": stored(row.to_seq),
        ":started_at": row.started_at.0, ":ended_at": row.ended_at.map(|at| at.0), ":duration_ms": row.duration_ms,
        ":cost_usd": row.cost_usd, ":input": input, ":output": output, ":cache_read": cache_read,
        ":cache_creation": cache_creation, ":model": row.model, ":cwd": row.cwd, ":outcome": row.outcome,
        ":stop_reason": row.stop_reason, ":terminal_reason": row.terminal_reason, ":prompt": row.prompt,
        ":inherited": row.inherited,
    })?;
    let mut statement = transaction.prepare_cached(
        "INSERT OR REPLACE INTO turn_models (
            session, number, model, cost_usd, input_tokens, output_tokens, cache_read_tokens, cache_creation_tokens
        ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (model, usage) in &row.models {
        let [input, output, cache_read, cache_creation] = tokens(&usage.tokens);
        statement.execute(params![
            key,
            row.number,
            model,
            usage.cost_usd,
            input,
            output,
            cache_read,
            cache_creation
        ])?;
    }
    Ok(())
}

fn call(transaction: &Transaction<'_>, key: i64, id: &str, row: Option<&CallRow>) -> rusqlite::Result<()> {
    let Some(row) = row else {
        let mut statement = transaction.prepare_cached("DELETE FROM tool_calls WHERE session = ?1 AND id = ?2")?;
        return statement.execute(params![key, id]).map(drop);
    };
    let mut statement = transaction.prepare_cached(
        "INSERT OR REPLACE INTO tool_calls (
            session, id, seq, place, turn, name, kind, parent, started_at, ended_at, status, about
        ) VALUES (
            :session, :id, :seq, :place, :turn, :name, :kind, :parent, :started_at, :ended_at, :status, :about
        )",
    )?;
    let values = named_params! {
        ":session": key, ":id": id, ":seq": stored(row.seq), ":place": row.place, ":turn": row.turn, ":name": row.name,
        ":kind": word(&row.kind), ":parent": row.parent, ":started_at": row.started_at.0,
        ":ended_at": row.ended_at.map(|at| at.0), ":status": word(&row.status), ":about": row.about,
    };
    statement.execute(values).map(drop)
}

fn text(
    transaction: &Transaction<'_>,
    key: i64,
    kind: TextKind,
    item: &str,
    row: Option<&TextRow>,
) -> rusqlite::Result<()> {
    let kind = word(&kind);
    let Some(row) = row else {
        let sql = "DELETE FROM texts WHERE session = ?1 AND kind = ?2 AND item = ?3";
        return transaction.prepare_cached(sql)?.execute(params![key, kind, item]).map(drop);
    };
    let mut statement = transaction.prepare_cached(
        "INSERT INTO texts (session, kind, item, seq, at, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (session, kind, item) DO UPDATE SET seq = excluded.seq, at = excluded.at, text = excluded.text",
    )?;
    statement.execute(params![key, kind, item, stored(row.seq), row.at.0, row.text]).map(drop)
}

fn tokens(tokens: &TokenUsage) -> [Option<i64>; 4] {
    let (read, creation) = (tokens.cache_read_tokens.map(stored), tokens.cache_creation_tokens.map(stored));
    [Some(stored(tokens.input_tokens)), Some(stored(tokens.output_tokens)), read, creation]
}
