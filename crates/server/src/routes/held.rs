//! Messages that wait in the host until the turn has ended: seen, changed, moved, taken away.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use live::Held;
use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::Words;
use super::start::Waking;
use crate::app::App;
use crate::error::ApiResult;
use crate::extract::{Body, LargeBody, NoBody, PartId, SessionId};
use crate::guard::Who;

/// Where a message is to stand.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Place {
    /// Before the message with this id; last, without one.
    before: Option<String>,
}

/// `GET /api/v1/sessions/{id}/held`
pub(crate) async fn list(State(app): State<App>, SessionId(id): SessionId) -> ApiResult<Json<Held>> {
    let held = app.sessions().held(&id).await?.borrow().clone();
    Ok(Json(held))
}

/// `PUT /api/v1/sessions/{id}/held/{message}`
pub(crate) async fn change(
    State(app): State<App>,
    PartId(id, message): PartId,
    LargeBody(words): LargeBody<Words>,
) -> ApiResult<StatusCode> {
    app.sessions().change_held(&id, &message, words.prompt()?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/v1/sessions/{id}/held/{message}`
pub(crate) async fn remove(State(app): State<App>, PartId(id, message): PartId) -> ApiResult<StatusCode> {
    app.sessions().remove_held(&id, &message).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/sessions/{id}/held/{message}/move`
pub(crate) async fn reorder(
    State(app): State<App>,
    PartId(id, message): PartId,
    Body(place): Body<Place>,
) -> ApiResult<StatusCode> {
    app.sessions().move_held(&id, &message, place.before.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/sessions/{id}/held/go-on`
pub(crate) async fn go_on(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    NoBody: NoBody,
) -> ApiResult<StatusCode> {
    let waking = Waking::look(&app, &id).await?;
    let gone_on = app.sessions().go_on(&id).await;
    if let Some(waking) = waking {
        waking.audit(&app, &who);
    }
    gone_on?;
    Ok(StatusCode::NO_CONTENT)
}
