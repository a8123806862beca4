//! One session: its row, and its end.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;

use super::files::working_directory;
use crate::app::{App, blocking};
use crate::branch::checked_out;
use crate::error::ApiResult;
use crate::extract::SessionId;
use crate::guard::{Deed, Who};

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct One {
    /// Its row.
    #[serde(flatten)]
    row: live::Row,
    /// Does its agent run?
    running: bool,
    /// What it was started with.
    options: live::Options,
    /// The git branch that is checked out where it works, or how the commit begins that is; none, if git has nothing there.
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
}

/// `GET /api/v1/sessions/{id}`
pub(crate) async fn one(State(app): State<App>, SessionId(id): SessionId) -> ApiResult<Json<One>> {
    let session = app.sessions().get(&id).await?;
    let row = session.with_state(|state| live::Row::new(&id, state));
    let options = live::Options::load(session.folder())?;
    let branch = branch(&app, &id).await;
    let own = app.desk(move |desk| desk.session(&id)).await?;
    Ok(Json(One { row: row.with_own(Some(&own)), running: session.is_running(), options, branch }))
}

/// A session is told of as well when its folder is gone, or is one that agents may not work in any more.
async fn branch(app: &App, id: &str) -> Option<String> {
    let (folder, roots) = working_directory(app, id).await.ok()?;
    blocking(move || Ok(checked_out(&folder, &roots))).await.ok().flatten()
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
