//! What is the user's own: titles, the archive, what was read, drafts; keys, presets and budgets.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use journal::Desk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Body, Object, SessionId};

/// What the user says about a session.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct OwnChange {
    /// Its title; an empty one gives it back that of the agent.
    title: Option<String>,
    /// Into the archive, or out of it.
    archived: Option<bool>,
    /// Seen up to this record.
    seen_seq: Option<u64>,
    /// To be read again.
    unread: Option<bool>,
}

/// What is being typed.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct DraftText {
    /// The words.
    text: String,
}

/// How the user wants to work.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnSettings {
    /// Keys, by action.
    keybindings: BTreeMap<String, String>,
    /// Ways to start a session, by name.
    presets: BTreeMap<String, serde_json::Value>,
    /// What may be spent, in dollars.
    budgets: BTreeMap<String, f64>,
}

/// What is to be different; null removes one.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct OwnSettingsChange {
    /// Keys, by action.
    keybindings: BTreeMap<String, Option<String>>,
    /// Ways to start a session, by name.
    presets: BTreeMap<String, Option<Object<live::Options>>>,
    /// What may be spent, in dollars.
    budgets: BTreeMap<String, Option<f64>>,
}

/// `PATCH /api/v1/sessions/{id}`
pub(crate) async fn change(
    State(app): State<App>,
    SessionId(id): SessionId,
    Body(change): Body<OwnChange>,
) -> ApiResult<StatusCode> {
    app.sessions().get(&id).await?;
    let (now, session) = (app.now(), id.clone());
    let change = move |desk: &mut Desk| {
        if let Some(title) = &change.title {
            desk.set_title(&session, title)?;
        }
        match change.archived {
            Some(true) => desk.archive(&session, now)?,
            Some(false) => desk.unarchive(&session)?,
            None => {}
        }
        if let Some(seq) = change.seen_seq {
            desk.set_seen(&session, seq)?;
        }
        if change.unread == Some(true) {
            desk.set_unread(&session)?;
        }
        desk.session(&session)
    };
    let own = app.desk(change).await?;
    app.sessions().set_own(&id, own);
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/v1/sessions/{id}/draft`
pub(crate) async fn draft(State(app): State<App>, SessionId(id): SessionId) -> ApiResult<Json<DraftText>> {
    let draft = app.desk(move |desk| desk.draft(&id)).await?;
    Ok(Json(DraftText { text: draft.map(|draft| draft.text).unwrap_or_default() }))
}

/// `PUT /api/v1/sessions/{id}/draft`
pub(crate) async fn set_draft(
    State(app): State<App>,
    SessionId(id): SessionId,
    Body(draft): Body<DraftText>,
) -> ApiResult<StatusCode> {
    let now = app.now();
    app.desk(move |desk| desk.set_draft(&id, &draft.text, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/v1/settings`
pub(crate) async fn settings(State(app): State<App>) -> ApiResult<Json<OwnSettings>> {
    let settings = app.desk(|desk| {
        let presets = desk.presets()?.into_iter().map(|(name, text)| {
            let value = serde_json::from_str(&text).unwrap_or_default();
            (name, value)
        });
        Ok(OwnSettings { presets: presets.collect(), keybindings: desk.keybindings()?, budgets: desk.budgets()? })
    });
    Ok(Json(settings.await?))
}

/// `PATCH /api/v1/settings`
pub(crate) async fn set_settings(
    State(app): State<App>,
    Body(change): Body<OwnSettingsChange>,
) -> ApiResult<StatusCode> {
    if let Some((name, _)) = change.budgets.iter().find(|(_, usd)| usd.is_some_and(|usd| !(0.0..1e9).contains(&usd))) {
        return Err(ApiError::bad_request(format!("`{name}` is no budget: it would be dollars, at least 0")));
    }
    let mut presets = Vec::new();
    for (name, options) in change.presets {
        let text = options.map(|Object(options)| serde_json::to_string(&options)).transpose();
        presets.push((name, text.map_err(|error| ApiError::bad_request(error.to_string()))?));
    }
    app.desk(move |desk| {
        for (action, keys) in &change.keybindings {
            match keys {
                Some(keys) => desk.set_keybinding(action, keys)?,
                None => desk.reset_keybinding(action)?,
            }
        }
        for (name, options) in &presets {
            match options {
                Some(options) => desk.set_preset(name, options)?,
                None => desk.remove_preset(name)?,
            }
        }
        for (name, usd) in &change.budgets {
            match usd {
                Some(usd) => desk.set_budget(name, *usd)?,
                None => desk.remove_budget(name)?,
            }
        }
        Ok(())
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
