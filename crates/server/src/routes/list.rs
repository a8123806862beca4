//! All sessions: the list, search, usage, and those of terminals.

use std::collections::{BTreeMap, HashMap};

use axum::Json;
use axum::extract::State;
use journal::{After, Among, DeskSession, Filter, Hit, SessionRow, SortBy};
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
    sort: Option<SortBy>,
    /// At most so many; 50 if nobody says.
    limit: Option<usize>,
    /// `next` of the page before.
    after: Option<String>,
}

/// A part of the list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListPage {
    /// The sessions.
    sessions: Vec<Row>,
    /// Where the next page begins, for `after`.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
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
    let among = if query.archived { Among::Only(archived) } else { Among::Except(archived) };
    let titles = own_titles(&own);
    let filter = Filter { phases: Vec::new(), project: query.project, title: query.title, titles, among };
    let sort = query.sort.unwrap_or_default();
    // The index is a little behind; who is open is known better.
    let live: HashMap<String, Row> =
        app.sessions().list_since(&Epoch::default(), 0).rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    let sessions = app.sessions().clone();
    let (page, live) = app
        .index(move |index| {
            // Those that have only just begun.
            let new = index.lacking(live.keys().cloned().collect())?;
            let told = |id: &String| sessions.row_for_index(id).or_else(|| live.get(id).map(as_told));
            let page = index.list_with(&filter, sort, limit, after.as_ref(), new.iter().filter_map(told).collect())?;
            Ok((page, live))
        })
        .await?;
    let row = |row: SessionRow| live.get(&row.id).cloned().unwrap_or_else(|| row.into());
    let sessions = page.rows.into_iter().map(row).map(|row| {
        let own = own.get(&row.id);
        row.with_own(own)
    });
    let next = page.next.and_then(|after| serde_json::to_string(&after).ok());
    Ok(Json(ListPage { sessions: sessions.collect(), next }))
}

/// A session that neither is open nor in the index, which somebody has cleared away meanwhile: as far as the list knows it.
fn as_told(row: &Row) -> SessionRow {
    SessionRow {
        id: row.id.clone(),
        title: row.title.clone(),
        cwd: row.cwd.clone(),
        created_at: row.since,
        active_at: row.since,
        phase: row.phase,
        cost_usd: row.cost_usd,
        ..SessionRow::default()
    }
}

/// What the user calls sessions.
pub(super) fn own_titles(own: &BTreeMap<String, DeskSession>) -> BTreeMap<String, String> {
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

/// `GET /api/v1/search`
pub(crate) async fn search(State(app): State<App>, Query(query): Query<SearchQuery>) -> ApiResult<Json<Vec<Hit>>> {
    let limit = query.limit.unwrap_or(50).clamp(1, MOST);
    let titles = own_titles(&app.desk(|desk| desk.sessions()).await?);
    let mut hits = app.index(move |index| index.search(&query.text, limit)).await?;
    for hit in &mut hits {
        hit.title = titles.get(&hit.session).cloned().or(hit.title.take());
    }
    Ok(Json(hits))
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
    /// The session of ours that holds this conversation, if one does.
    known: Option<String>,
    /// Does a program work on it that was not started here?
    running: bool,
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
    let look = move || Ok((live::guard::at_work(Some(&config)), Projects::new(config).list()));
    let (at_work, listed) = blocking(look).await?;
    let known = app.index(move |index| index.sessions_of_agent()).await?;
    let runs_here = |known: &String| app.sessions().is_running(known);
    let row = |listed: live::transcripts::Listed| TranscriptRow {
        running: at_work.contains_key(&listed.session) && !known.get(&listed.session).is_some_and(runs_here),
        known: known.get(&listed.session).cloned(),
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
    // Whoever has opened it keeps it in the list and in the index.
    app.sessions().get(&session).await?;
    Ok(Json(Imported { session, added }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_session_of_a_terminal_is_listed_as_soon_as_it_is_taken_in() {
        const SESSION: &str = "00000000-0000-4000-8000-000000000001";
        let place = tempfile::tempdir().unwrap();
        let project = place.path().join("claude/projects/-work");
        std::fs::create_dir_all(&project).unwrap();
        let said = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"Where is the ship?"}}"#;
        std::fs::write(project.join(format!("{SESSION}.jsonl")), format!("{said}\n")).unwrap();
        let app = crate::app::tests::app(&place).await;
        let imported = import(State(app.clone()), Named(SESSION.to_owned()), NoBody).await.unwrap();
        assert_eq!(imported.0.session, SESSION);
        let rows = app.sessions().list_since(&Epoch::default(), 0).rows;
        assert_eq!(rows.iter().map(|row| &*row.id).collect::<Vec<_>>(), [SESSION]);
    }
}
