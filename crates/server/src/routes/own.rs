//! What is the user's own: titles, the archive, what was read, drafts; keys, presets and budgets.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use journal::Desk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::messages::is_picture;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::{Body, Exact, LargeBody, PartId, SessionId};

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

/// What is being typed, and the pictures that go with it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Draft {
    /// The words.
    text: String,
    /// The pictures.
    pictures: Vec<KeptPicture>,
}

/// A picture that is kept.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeptPicture {
    /// The writer's own id of it.
    id: String,
    /// By which the words name it, in this order.
    number: u32,
    /// What its file is called.
    name: String,
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    media_type: String,
    /// Its bytes, as base64.
    data: String,
}

/// A picture that goes with what is being typed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DraftPicture {
    /// By which the words name it, in this order.
    number: u32,
    /// What its file is called.
    name: String,
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    media_type: String,
    /// Its bytes, as base64.
    data: String,
}

/// The most bytes of all pictures of a draft, as base64: what goes into one message.
const MOST_PICTURE_BYTES: u64 = 41 * 1024 * 1024;

/// The most characters of the name of a picture that are kept.
const NAME_CHARACTERS: usize = 200;

/// How the user wants to work.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnSettings {
    /// Keys, by action.
    keybindings: BTreeMap<String, String>,
    /// Ways to start a session, by name.
    presets: BTreeMap<String, live::Options>,
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
    presets: BTreeMap<String, Option<Exact<live::Options>>>,
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
pub(crate) async fn draft(State(app): State<App>, SessionId(id): SessionId) -> ApiResult<Json<Draft>> {
    let (draft, pictures) = app.desk(move |desk| Ok((desk.draft(&id)?, desk.draft_pictures(&id)?))).await?;
    let kept = |kept: journal::DraftPicture| {
        let journal::DraftPicture { id, number, name, media_type, data } = kept;
        KeptPicture { id, number, name, media_type, data }
    };
    let text = draft.map(|draft| draft.text).unwrap_or_default();
    Ok(Json(Draft { text, pictures: pictures.into_iter().map(kept).collect() }))
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

/// `PUT /api/v1/sessions/{id}/draft/pictures/{picture}`
pub(crate) async fn set_draft_picture(
    State(app): State<App>,
    PartId(session, id): PartId,
    LargeBody(picture): LargeBody<DraftPicture>,
) -> ApiResult<StatusCode> {
    let DraftPicture { number, name, media_type, data } = picture;
    is_picture(&media_type, &data)?;
    app.sessions().get(&session).await?;
    let name = name.chars().take(NAME_CHARACTERS).collect();
    let picture = journal::DraftPicture { id, number, name, media_type, data };
    match app.desk(move |desk| desk.set_draft_picture(&session, &picture, MOST_PICTURE_BYTES)).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::new(Code::TooLarge, "the pictures of a message may have 30 MB in all")),
    }
}

/// `DELETE /api/v1/sessions/{id}/draft/pictures/{picture}`
pub(crate) async fn remove_draft_picture(State(app): State<App>, PartId(session, id): PartId) -> ApiResult<StatusCode> {
    app.desk(move |desk| desk.remove_draft_picture(&session, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/v1/settings`
pub(crate) async fn settings(State(app): State<App>) -> ApiResult<Json<OwnSettings>> {
    let settings = app.desk(|desk| {
        // Whatever cannot be read cannot be started with either.
        let presets =
            desk.presets()?.into_iter().filter_map(|(name, text)| Some((name, serde_json::from_str(&text).ok()?)));
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
        let text = options.map(|Exact(options)| serde_json::to_string(&options)).transpose();
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
