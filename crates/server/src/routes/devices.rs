//! The devices and scripts that may come in.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::Named;
use crate::guard::{Deed, Who};

/// A device or a script.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeviceRow {
    /// Its id.
    id: String,
    /// What it is called.
    name: String,
    /// When it was let in, in milliseconds since 1970.
    added_at: i64,
    /// When it was last here.
    seen_at: Option<i64>,
    /// Is it the one that asks?
    is_you: bool,
}

/// `GET /api/v1/devices`
pub(crate) async fn list(State(app): State<App>, Extension(who): Extension<Who>) -> ApiResult<Json<Vec<DeviceRow>>> {
    let devices = app.desk(|desk| desk.devices()).await?;
    let row = |device: journal::Device| DeviceRow {
        is_you: device.id == who.device,
        id: device.id,
        name: device.name,
        added_at: device.added_at.0,
        seen_at: device.seen_at.map(|at| at.0),
    };
    Ok(Json(devices.into_iter().map(row).collect()))
}

/// `DELETE /api/v1/devices/{id}`
pub(crate) async fn revoke(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    Named(id): Named,
) -> ApiResult<StatusCode> {
    let revoked = id.clone();
    let known = app.desk(move |desk| {
        let known = desk.devices()?.iter().any(|device| device.id == revoked);
        desk.remove_device(&revoked)?;
        Ok(known)
    });
    if !known.await? {
        return Err(ApiError::new(Code::NotFound, "there is no such device"));
    }
    app.audit(Some(&who), &Deed::Revoked { revoked: id })?;
    Ok(StatusCode::NO_CONTENT)
}
