//! One session: its row, and its end.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;

use super::list::Summary;
use crate::app::App;
use crate::error::ApiResult;
use crate::extract::SessionId;
use crate::guard::{Deed, Who};

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct One {
    /// Its row.
    #[serde(flatten)]
    summary: Summary,
    /// Does its agent run?
    running: bool,
    /// What it was started with.
    options: live::Options,
}

/// `GET /api/v1/sessions/{id}`
pub(crate) async fn one(State(app): State<App>, SessionId(id): SessionId) -> ApiResult<Json<One>> {
    let session = app.sessions().get(&id).await?;
    let row = session.with_state(|state| live::Row::new(&id, state));
    let options = live::Options::load(session.folder())?;
    let own = app.desk(move |desk| desk.session(&id)).await?;
    let summary = Summary::from(row).with_own(&own);
    Ok(Json(One { summary, running: session.is_running(), options }))
}

/// `DELETE /api/v1/sessions/{id}`
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
) -> ApiResult<StatusCode> {
    app.sessions().remove(&id).await?;
    app.audit(Some(&who), &Deed::Removed { session: id.clone() })?;
    app.desk(move |desk| desk.forget(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
