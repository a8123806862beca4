//! All sessions: the list, search, usage, and those of terminals.

use std::collections::{BTreeMap, HashMap};

use axum::Json;
use axum::extract::State;
use insights::UnixMillis;
use insights::state::Phase;
use journal::{After, Among, DeskSession, Filter, SessionRow, SortBy, Span, UsageBy};
use live::transcripts::{Projects, Transcript};
use live::{Epoch, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::{App, blocking};
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::{Named, NoBody, Query};
use crate::guard::checked;

/// The most rows of an answer.
const MOST: usize = 500;

/// Which sessions.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct ListQuery {
    /// Only those with these words in their title.
    title: Option<String>,
    /// Only those that work in this folder or below it.
    project: Option<String>,
    /// Only those in the archive; else only those that are not.
    archived: bool,
    /// What comes first: `active`, `created`, `cost`, `title`.
    #[schemars(with = "Option<Sort>")]
    sort: Option<SortBy>,
    /// At most so many; 50 if nobody says.
    limit: Option<usize>,
    /// `next` of the page before.
    after: Option<String>,
}

/// What comes first.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the document of the index's own type")]
enum Sort {
    Active,
    Created,
    Cost,
    Title,
}

/// A part of the list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListPage {
    /// The sessions.
    sessions: Vec<Summary>,
    /// Where the next page begins, for `after`.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A session in the list.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    /// The session.
    id: String,
    /// Its title.
    title: Option<String>,
    /// Its working directory.
    cwd: Option<String>,
    /// What it is doing, for programs.
    #[schemars(with = "String")]
    phase: Phase,
    /// What it is doing, in words.
    words: String,
    /// Since when, in milliseconds since 1970.
    since: i64,
    /// What it asks, in words.
    needs_you: Option<String>,
    /// How many questions are open.
    asks: usize,
    /// Messages of which nobody knows whether the agent took them.
    unconfirmed: usize,
    /// Dollars of its own turns.
    cost_usd: f64,
    /// Turns that have ended.
    turns: u32,
    /// The model.
    model: Option<String>,
    /// The permission mode.
    mode: Option<String>,
    /// The record that ended the last turn. Who has not seen it has something to read.
    last_turn_seq: u64,
    /// Is it in the archive?
    archived: bool,
    /// The last record that the user has seen.
    seen_seq: u64,
}

impl From<Row> for Summary {
    fn from(row: Row) -> Summary {
        Summary {
            id: row.id,
            title: row.title,
            cwd: row.cwd,
            phase: row.phase,
            words: row.words,
            since: row.since.0,
            needs_you: row.needs_you,
            asks: row.asks,
            unconfirmed: row.unconfirmed,
            cost_usd: row.cost_usd,
            turns: row.turns,
            model: row.model,
            mode: row.mode,
            last_turn_seq: row.last_turn_seq,
            archived: row.archived,
            seen_seq: row.seen_seq,
        }
    }
}

impl Summary {
    /// The same with what the user has said about it.
    pub(crate) fn with_own(mut self, own: &DeskSession) -> Summary {
        self.title = own.title.clone().or(self.title);
        self.archived = own.archived_at.is_some();
        self.seen_seq = own.seen_seq;
        self
    }
}

/// `GET /api/v1/sessions`
pub(crate) async fn list(State(app): State<App>, Query(query): Query<ListQuery>) -> ApiResult<Json<ListPage>> {
    let own = app.desk(|desk| desk.sessions()).await?;
    let archived = own.iter().filter(|(_, own)| own.archived_at.is_some()).map(|(id, _)| id.clone()).collect();
    let after: Option<After> = match &query.after {
        Some(text) => {
            Some(serde_json::from_str(text).map_err(|_| ApiError::bad_request("`after` is `next` of a page"))?)
        }
        None => None,
    };
    let limit = query.limit.unwrap_or(50).clamp(1, MOST);
    let is_first = after.is_none() && query.title.is_none() && query.project.is_none() && !query.archived;
    let among = if query.archived { Among::Only(archived) } else { Among::Except(archived) };
    let titles = own_titles(&own);
    let filter = Filter { phases: Vec::new(), project: query.project, title: query.title, titles, among };
    let sort = query.sort.unwrap_or_default();
    // The index is a little behind; who is open is known better.
    let live: HashMap<String, Row> =
        app.sessions().list_since(&Epoch::default(), 0).rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    let candidates: Vec<String> = if is_first { live.keys().cloned().collect() } else { Vec::new() };
    let (page, new) = app
        .index(move |index| {
            let page = index.list(&filter, sort, limit, after.as_ref())?;
            Ok((page, index.lacking(candidates)?))
        })
        .await?;
    // Those that have only just begun.
    let unarchived = new.iter().filter(|id| own.get(*id).is_none_or(|own| own.archived_at.is_none()));
    let mut sessions: Vec<Summary> = unarchived.filter_map(|id| live.get(id).cloned()).map(Summary::from).collect();
    let row = |row: SessionRow| Summary::from(live.get(&row.id).cloned().unwrap_or_else(|| row.into()));
    sessions.extend(page.rows.into_iter().map(row));
    let nothing = DeskSession::default();
    let sessions = sessions.into_iter().map(|row| {
        let own = own.get(&row.id).unwrap_or(&nothing);
        row.with_own(own)
    });
    let next = page.next.and_then(|after| serde_json::to_string(&after).ok());
    Ok(Json(ListPage { sessions: sessions.collect(), next }))
}

/// What the user calls sessions.
fn own_titles(own: &BTreeMap<String, DeskSession>) -> BTreeMap<String, String> {
    own.iter().filter_map(|(id, own)| Some((id.clone(), own.title.clone()?))).collect()
}

/// What is looked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SearchQuery {
    /// The words; the last one may be the beginning of one.
    text: String,
    /// At most so many; 50 if nobody says.
    #[serde(default)]
    limit: Option<usize>,
}

/// A place where something was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Found(#[schemars(with = "FoundForm")] journal::Hit);

/// A place where something was found.
#[derive(JsonSchema)]
#[schemars(rename = "Found", rename_all = "camelCase")]
#[expect(dead_code, reason = "the document of the index's own type")]
struct FoundForm {
    /// The session.
    session: String,
    /// Its title.
    title: Option<String>,
    /// What kind of words they are.
    kind: String,
    /// The item of the conversation.
    item: String,
    /// The record that they stand in.
    seq: u64,
    /// When they were said, in milliseconds since 1970.
    at: i64,
    /// Some of the words, in pieces.
    snippet: Vec<PieceForm>,
}

/// A piece of a text.
#[derive(JsonSchema)]
#[schemars(rename = "Piece")]
#[expect(dead_code, reason = "the document of the index's own type")]
struct PieceForm {
    /// The words.
    text: String,
    /// Are they what was looked for?
    found: bool,
}

/// `GET /api/v1/search`
pub(crate) async fn search(State(app): State<App>, Query(query): Query<SearchQuery>) -> ApiResult<Json<Vec<Found>>> {
    let limit = query.limit.unwrap_or(50).clamp(1, MOST);
    let titles = own_titles(&app.desk(|desk| desk.sessions()).await?);
    let mut hits = app.index(move |index| index.search(&query.text, limit)).await?;
    for hit in &mut hits {
        hit.title = titles.get(&hit.session).cloned().or(hit.title.take());
    }
    Ok(Json(hits.into_iter().map(Found).collect()))
}

/// By what usage is put together, and when.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct UsageQuery {
    /// `day`, `model` or `project`.
    by: By,
    /// How far the clock of whoever asks is from UTC.
    utc_offset_minutes: i32,
    /// From when on, in milliseconds since 1970.
    from: Option<i64>,
    /// Until when.
    to: Option<i64>,
}

/// By what usage is put together.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum By {
    #[default]
    Day,
    Model,
    Project,
}

/// What was spent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spent {
    /// On which day, with which model, in which project.
    name: String,
    /// Dollars.
    cost_usd: f64,
    /// Tokens, by kind.
    #[schemars(with = "serde_json::Value")]
    tokens: insights::event::turn::TokenUsage,
    /// Turns that had a part in it.
    turns: u64,
    /// Sessions that had.
    sessions: u64,
}

/// `GET /api/v1/usage`
pub(crate) async fn usage(State(app): State<App>, Query(query): Query<UsageQuery>) -> ApiResult<Json<Vec<Spent>>> {
    let by = match query.by {
        // No place on earth is further from UTC.
        By::Day => UsageBy::Day { utc_offset_minutes: query.utc_offset_minutes.clamp(-24 * 60, 24 * 60) },
        By::Model => UsageBy::Model,
        By::Project => UsageBy::Project,
    };
    let span = Span { from: query.from.map(UnixMillis), to: query.to.map(UnixMillis) };
    let rows = app.index(move |index| index.usage(by, span)).await?;
    let row = |row: journal::UsageRow| Spent {
        name: row.name,
        cost_usd: row.cost_usd,
        tokens: row.tokens,
        turns: row.turns,
        sessions: row.sessions,
    };
    Ok(Json(rows.into_iter().map(row).collect()))
}

/// Which transcripts.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct TranscriptsQuery {
    /// At most so many; 200 if nobody says.
    limit: Option<usize>,
}

/// A session that was held in a terminal.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TranscriptRow {
    /// The CLI's id of it.
    session: String,
    /// The working directory.
    cwd: Option<String>,
    /// Its title, or the first line of the first prompt.
    title: Option<String>,
    /// When it was last written, in milliseconds since 1970.
    modified_at: i64,
    /// How long it is.
    bytes: u64,
}

/// What was taken in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Imported {
    /// The session that it is now, or is a part of.
    session: String,
    /// How many entries were new.
    added: u64,
}

/// `GET /api/v1/transcripts`
pub(crate) async fn transcripts(
    State(app): State<App>,
    Query(query): Query<TranscriptsQuery>,
) -> ApiResult<Json<Vec<TranscriptRow>>> {
    let Some(config) = app.sessions().config_folder() else { return Ok(Json(Vec::new())) };
    let limit = query.limit.unwrap_or(200).clamp(1, 10_000);
    let listed = blocking(move || Ok(Projects::new(config).list())).await?;
    let row = |listed: live::transcripts::Listed| TranscriptRow {
        session: listed.session,
        cwd: listed.cwd,
        title: listed.title,
        modified_at: listed.modified_at.0,
        bytes: listed.bytes,
    };
    Ok(Json(listed.into_iter().take(limit).map(row).collect()))
}

/// `POST /api/v1/transcripts/{id}/import`
pub(crate) async fn import(State(app): State<App>, Named(id): Named, _: NoBody) -> ApiResult<Json<Imported>> {
    checked("session", &id)?;
    let transcript: Option<Transcript> = match app.sessions().config_folder() {
        Some(config) => blocking(move || Ok(Projects::new(config).find(&id))).await?,
        None => None,
    };
    let transcript =
        transcript.ok_or_else(|| ApiError::new(Code::NotFound, "there is no transcript of such a session"))?;
    let (session, added) = app.sessions().adopt(transcript).await?;
    Ok(Json(Imported { session, added }))
}
