//! The log of a session, written out as it is read: records, events, Markdown.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use insights::convert::RawLines;
use insights::{Converter, InsightsEvent, Profile};
use journal::Reader;
use live::{Session, Tail};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::mpsc;

use crate::app::{App, blocking};
use crate::error::ApiResult;
use crate::extract::{Query, SessionId};

/// About how many bytes go out at a time.
const CHUNK: usize = 64 * 1024;

/// Which records.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct RecordsQuery {
    /// Those after this one.
    after: u64,
    /// At most so many.
    limit: Option<u64>,
}

/// Which events.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct EventsQuery {
    /// Those of records after this one.
    after: u64,
    /// Also those to come, until the agent ends.
    follow: bool,
    /// The few that every agent has (`core`), or all (`full`).
    profile: EventsProfile,
    /// With the lines that they were made from.
    raw: bool,
}

/// Which events there are.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum EventsProfile {
    Core,
    #[default]
    Full,
}

/// `GET /api/v1/sessions/{id}/records`
pub(crate) async fn records(
    State(app): State<App>,
    SessionId(id): SessionId,
    Query(query): Query<RecordsQuery>,
) -> ApiResult<Response> {
    let folder = app.sessions().get(&id).await?.folder().clone();
    let mut reader = blocking(move || Ok(Reader::after(folder, query.after)?)).await?;
    let (sender, response) = lines();
    tokio::task::spawn_blocking(move || {
        let mut left = query.limit.unwrap_or(u64::MAX);
        let mut chunk = Vec::new();
        while left > 0
            && let Ok(Some(record)) = reader.next_json()
        {
            left -= 1;
            chunk.extend_from_slice(record.to_string().as_bytes());
            chunk.push(b'\n');
            if chunk.len() >= CHUNK && sender.blocking_send(std::mem::take(&mut chunk)).is_err() {
                return;
            }
        }
        let _ = sender.blocking_send(chunk);
    });
    Ok(response)
}

/// `GET /api/v1/sessions/{id}/events`
pub(crate) async fn events(
    State(app): State<App>,
    SessionId(id): SessionId,
    Query(query): Query<EventsQuery>,
) -> ApiResult<Response> {
    let session = app.sessions().get(&id).await?;
    let profile = match query.profile {
        EventsProfile::Core => Profile::Core,
        EventsProfile::Full => Profile::Full,
    };
    let raw = if query.raw { RawLines::Kept } else { RawLines::LeftOut };
    let writer = EventWriter { converter: Converter::new(&id, profile, raw), after: query.after, events: Vec::new() };
    let (sender, response) = lines();
    match query.follow {
        true => _ = tokio::spawn(follow(session, writer, sender)),
        false => {
            let reader = Reader::after(session.folder().clone(), 0)?;
            tokio::task::spawn_blocking(move || read(reader, writer, &sender));
        }
    }
    Ok(response)
}

/// `GET /api/v1/sessions/{id}/export`
pub(crate) async fn export(State(app): State<App>, SessionId(id): SessionId) -> ApiResult<Response> {
    let session = app.sessions().get(&id).await?;
    let text = blocking(move || {
        let state = session.with_state(Clone::clone);
        Ok(live::markdown(&state, |clip| live::whole(session.folder(), clip)))
    });
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text.await?).into_response())
}

/// Events, written as lines. They come of the whole log, since what a record means may hang on those before it.
struct EventWriter {
    converter: Converter,
    after: u64,
    events: Vec<InsightsEvent>,
}

impl EventWriter {
    fn take(&mut self, record: insights::Record, chunk: &mut Vec<u8>) {
        let is_wanted = record.seq > self.after;
        self.converter.convert_into(record, &mut self.events);
        for event in self.events.drain(..).filter(|_| is_wanted) {
            // All events can be written as JSON.
            let _ = serde_json::to_writer(&mut *chunk, &event);
            chunk.push(b'\n');
        }
    }
}

fn read(mut reader: Reader, mut writer: EventWriter, sender: &mpsc::Sender<Vec<u8>>) {
    let mut chunk = Vec::new();
    while let Ok(Some(record)) = reader.next_record() {
        writer.take(record, &mut chunk);
        if chunk.len() >= CHUNK && sender.blocking_send(std::mem::take(&mut chunk)).is_err() {
            return;
        }
    }
    let _ = sender.blocking_send(chunk);
}

async fn follow(session: Session, mut writer: EventWriter, sender: mpsc::Sender<Vec<u8>>) {
    let Ok(mut tail) = Tail::after(&session, 0) else { return };
    loop {
        let record = tokio::select! {
            record = tail.next() => record,
            () = sender.closed() => return,
        };
        let Ok(Some(record)) = record else { return };
        let mut chunk = Vec::new();
        writer.take(record, &mut chunk);
        if !chunk.is_empty() && sender.send(chunk).await.is_err() {
            return;
        }
    }
}

/// An answer of lines, and where they are put in.
fn lines() -> (mpsc::Sender<Vec<u8>>, Response) {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>(4);
    let chunks = stream::unfold(receiver, |mut receiver| async move {
        let chunk = receiver.recv().await?;
        Some((Ok::<Bytes, Infallible>(chunk.into()), receiver))
    });
    let response = ([(header::CONTENT_TYPE, "application/jsonl")], Body::from_stream(chunks)).into_response();
    (sender, response)
}
