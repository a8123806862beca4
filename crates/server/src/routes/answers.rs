//! Answers to the agent's questions: the first one counts, and who gave it is written down.

use axum::extract::State;
use axum::{Extension, Json};
use live::Decision;
use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::Sent;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::{Body, Object, PartId};
use crate::guard::{Deed, Who};

/// What a person decided.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Decided {
    /// The decision.
    decision: Object<Decision>,
}

/// `POST /api/v1/sessions/{id}/asks/{ask}`
pub(crate) async fn answer(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    PartId(id, ask): PartId,
    Body(decided): Body<Decided>,
) -> ApiResult<Json<Sent>> {
    let session = app.sessions().get(&id).await?;
    let answered = app.sessions().answer(&session, &ask, &decided.decision.0, Some(&who.name)).await;
    let answered = answered.map_err(ApiError::from);
    // The agent has heard it, or somebody else was first, whether or not this can be written: whoever is told otherwise would
    // answer again. Who answered stands in the log of the session, too.
    match &answered {
        Ok(_) => {
            let decision = serde_json::to_value(&decided.decision.0).unwrap_or_default();
            app.audit_done(&who, &Deed::Answered { session: id, ask, decision });
        }
        Err(error) if error.code == Code::NotAsked => {
            app.audit_done(&who, &Deed::AnswerRefused { session: id, ask });
        }
        Err(_) => {}
    }
    Ok(Json(answered?.into()))
}
