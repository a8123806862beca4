//! The log of a session, written out as it is read: records, events, Markdown.

use std::io;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use insights::convert::RawLines;
use insights::{Converter, InsightsEvent, Profile};
use journal::Reader;
use live::Tail;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::mpsc;

use crate::app::{App, blocking};
use crate::error::ApiResult;
use crate::extract::{Query, SessionId};
use crate::guard::Who;

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
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    Query(query): Query<RecordsQuery>,
) -> ApiResult<Response> {
    let folder = app.sessions().get(&id).await?.folder().clone();
    let reader = blocking(move || Ok(Reader::after(folder, query.after)?)).await?;
    let (lines, response) = lines(app, who);
    let next = |(reader, left): &mut (Reader, u64), chunk: &mut Vec<u8>| {
        let record = if *left > 0 { reader.next_json()? } else { None };
        let Some(record) = record else { return Ok(false) };
        *left -= 1;
        chunk.extend_from_slice(record.to_string().as_bytes());
        chunk.push(b'\n');
        Ok(true)
    };
    tokio::spawn(async move { lines.write((reader, query.limit.unwrap_or(u64::MAX)), next).await });
    Ok(response)
}

/// `GET /api/v1/sessions/{id}/events`
pub(crate) async fn events(
    State(app): State<App>,
    Extension(who): Extension<Who>,
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
    let (lines, response) = lines(app, who);
    match query.follow {
        true => _ = tokio::spawn(follow(Tail::after(&session, 0)?, writer, lines)),
        false => {
            let reader = Reader::after(session.folder().clone(), 0)?;
            let next = |(reader, writer): &mut (Reader, EventWriter), chunk: &mut Vec<u8>| {
                Ok(writer.take(reader.next_record()?, chunk))
            };
            tokio::spawn(async move { lines.write((reader, writer), next).await });
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
    /// Writes the events of a record; false if there is none.
    fn take(&mut self, record: Option<insights::Record>, chunk: &mut Vec<u8>) -> bool {
        let Some(record) = record else { return false };
        let is_wanted = record.seq > self.after;
        self.converter.convert_into(record, &mut self.events);
        for event in self.events.drain(..).filter(|_| is_wanted) {
            // All events can be written as JSON.
            let _ = serde_json::to_writer(&mut *chunk, &event);
            chunk.push(b'\n');
        }
        true
    }
}

/// Events as they come to be. Those of what is in the log already are made where that may take its time.
async fn follow(tail: Tail, writer: EventWriter, lines: Lines) {
    let next = |(tail, writer): &mut (Tail, EventWriter), chunk: &mut Vec<u8>| Ok(writer.take(tail.next_now()?, chunk));
    let Some((mut tail, mut writer)) = lines.write((tail, writer), next).await else { return };
    let Lines(sender) = lines;
    loop {
        let record = tokio::select! {
            record = tail.next() => record,
            () = sender.closed() => return,
        };
        let mut chunk = Vec::new();
        let chunk = match record.map(|record| writer.take(record, &mut chunk)) {
            Ok(true) if chunk.is_empty() => continue,
            Ok(true) => Ok(chunk),
            Ok(false) => return,
            Err(error) => Err(io::Error::other(error)),
        };
        let is_last = chunk.is_err();
        if sender.send(chunk).await.is_err() || is_last {
            return;
        }
    }
}

/// Where the lines of an answer are put in. An error is the end of it, and tells whoever reads that this is not all.
struct Lines(mpsc::Sender<io::Result<Vec<u8>>>);

impl Lines {
    /// Writes what `next` adds from a source, as long as it does: read piece by piece where it may take its time, and sent when
    /// somebody takes it. So whoever does not read keeps no thread, of which there are not many. Gives the source back if that was
    /// all, and somebody reads it.
    async fn write<S: Send + 'static>(
        &self,
        mut source: S,
        next: impl Fn(&mut S, &mut Vec<u8>) -> live::Result<bool> + Copy + Send + 'static,
    ) -> Option<S> {
        loop {
            let piece = tokio::task::spawn_blocking(move || {
                let mut chunk = Vec::new();
                loop {
                    let more = next(&mut source, &mut chunk);
                    if chunk.len() >= CHUNK || !matches!(more, Ok(true)) {
                        return (source, chunk, more);
                    }
                }
            });
            let failed = |error| self.0.send(Err(error));
            let Ok((rest, chunk, more)) = piece.await else {
                let _ = failed(io::ErrorKind::Interrupted.into()).await;
                return None;
            };
            source = rest;
            if !chunk.is_empty() {
                self.0.send(Ok(chunk)).await.ok()?;
            }
            match more {
                Ok(true) => {}
                Ok(false) => return Some(source),
                Err(error) => {
                    let _ = failed(io::Error::other(error)).await;
                    return None;
                }
            }
        }
    }
}

/// An answer of lines, and where they are put in. It breaks off when whoever asked is not let in any more.
fn lines(app: App, who: Who) -> (Lines, Response) {
    let (sender, receiver) = mpsc::channel::<io::Result<Vec<u8>>>(4);
    let shown_out = Box::pin(async move { app.shown_out(&who).await });
    let chunks = stream::unfold(Some((receiver, shown_out)), |open| async move {
        let (mut receiver, mut shown_out) = open?;
        let chunk = tokio::select! {
            biased;
            () = &mut shown_out => Err(io::ErrorKind::PermissionDenied.into()),
            chunk = receiver.recv() => chunk?,
        };
        let open = chunk.is_ok().then_some((receiver, shown_out));
        Some((chunk.map(Bytes::from), open))
    });
    let response = ([(header::CONTENT_TYPE, "application/jsonl")], Body::from_stream(chunks)).into_response();
    (Lines(sender), response)
}

#[cfg(test)]
mod tests;
