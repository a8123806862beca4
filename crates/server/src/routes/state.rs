//! The state of a session, for those who have no WebSocket; older items; and texts that the state has only the head of.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use insights::state::More;
use live::{Answer, Epoch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::{App, blocking};
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::{Query, SessionId};

/// What the asker has.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct SinceQuery {
    /// Of which feed; a snapshot is given to who has none.
    #[schemars(with = "String")]
    epoch: Epoch,
    /// Up to which record.
    seq: u64,
}

/// `GET /api/v1/sessions/{id}/state`
pub(crate) async fn state(
    State(app): State<App>,
    SessionId(id): SessionId,
    Query(since): Query<SinceQuery>,
) -> ApiResult<Json<Answer>> {
    let session = app.sessions().get(&id).await?;
    Ok(Json(session.since(&since.epoch, since.seq)))
}

/// Which items.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct ItemsQuery {
    /// Those before this place: the record of its `order`.
    before: Option<u64>,
    /// And its number among those of that record.
    before_part: u32,
    /// At most so many; 200 if nobody says.
    limit: Option<usize>,
}

/// Some items.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemsPage {
    /// The items, the oldest first.
    items: Vec<insights::state::Item>,
    /// Are there older ones?
    more: bool,
}

/// `GET /api/v1/sessions/{id}/items`
pub(crate) async fn items(
    State(app): State<App>,
    SessionId(id): SessionId,
    Query(query): Query<ItemsQuery>,
) -> ApiResult<Json<ItemsPage>> {
    let session = app.sessions().get(&id).await?;
    let limit = query.limit.unwrap_or(200).clamp(1, 1000);
    let before = insights::state::Order(query.before.unwrap_or(u64::MAX), query.before_part);
    let mut items: Vec<_> = session.with_state(|state| {
        state.items.iter().rev().skip_while(|item| item.order >= before).take(limit + 1).cloned().collect()
    });
    let more = items.len() > limit;
    items.truncate(limit);
    items.reverse();
    Ok(Json(ItemsPage { items, more }))
}

/// Which text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TextQuery {
    /// The record, as `more` of the text says.
    seq: u64,
    /// Where in it, as `more` of the text says.
    #[serde(default)]
    pointer: String,
    /// How many bytes of what is there come before it, as `more` of the text says.
    from: Option<u64>,
    /// How long it is, as `more` of the text says; to the end of what is there if it is left out.
    bytes: Option<u64>,
}

/// `GET /api/v1/sessions/{id}/text`
pub(crate) async fn text(
    State(app): State<App>,
    SessionId(id): SessionId,
    Query(query): Query<TextQuery>,
) -> ApiResult<Response> {
    let folder = app.sessions().get(&id).await?.folder().clone();
    let TextQuery { seq, pointer, from, bytes } = query;
    let more = More { bytes: bytes.unwrap_or(u64::MAX), seq, pointer, from };
    let found = blocking(move || Ok(live::find_text(&folder, &more))).await?;
    let text = found.ok_or_else(|| ApiError::new(Code::NotFound, "there is no such text in the log"))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
