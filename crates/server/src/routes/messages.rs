//! Messages to the agent. The sender names each of them, so that a retry is not a second message.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use claude_protocol::Prompt;
use claude_protocol::content::{Block, media};
use live::{Delivery, Submitted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::start::admitted_again;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::{Body, LargeBody, Object, PartId, SessionId};
use crate::guard::Who;

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Message {
    /// The sender's name for it, a new uuid for each message.
    #[schemars(extend("format" = "uuid"))]
    pub(crate) id: String,
    /// The words.
    #[serde(default)]
    text: String,
    /// Pictures.
    #[serde(default)]
    images: Vec<Object<Picture>>,
    /// At once (`steer`), or when the turn that runs has ended (`afterTurn`).
    #[serde(default)]
    delivery: When,
}

/// What a message says.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Words {
    /// The words.
    #[serde(default)]
    text: String,
    /// Pictures.
    #[serde(default)]
    images: Vec<Object<Picture>>,
}

/// When a message goes to the agent.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum When {
    /// At once. In a turn that runs the agent takes it in as soon as it can.
    #[default]
    Steer,
    /// When the turn that runs has ended.
    AfterTurn,
}

/// A picture.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Picture {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    media_type: String,
    /// Its bytes, as base64.
    data: String,
}

/// What became of a message.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sent {
    /// The record that holds it; none while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    /// Had it been sent before? Then it was not sent a second time.
    again: bool,
}

/// Sends a message again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Again {
    /// A new name for it.
    #[schemars(extend("format" = "uuid"))]
    id: String,
}

impl From<live::Sent> for Sent {
    fn from(sent: live::Sent) -> Sent {
        Sent { seq: Some(sent.seq), again: sent.again }
    }
}

impl Message {
    /// What the agent gets.
    pub(crate) fn prompt(&self) -> ApiResult<Prompt> {
        named(&self.id)?;
        prompt(&self.text, &self.images)
    }
}

impl Words {
    /// What the agent gets.
    pub(crate) fn prompt(&self) -> ApiResult<Prompt> {
        prompt(&self.text, &self.images)
    }
}

fn prompt(text: &str, images: &[Object<Picture>]) -> ApiResult<Prompt> {
    if text.trim().is_empty() && images.is_empty() {
        return Err(ApiError::bad_request("the message is empty"));
    }
    let mut blocks = Vec::new();
    for Object(picture) in images {
        if !["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&&*picture.media_type) {
            return Err(ApiError::bad_request("a picture is PNG, JPEG, GIF or WebP"));
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        if picture.data.is_empty() || !picture.data.bytes().all(plain) {
            return Err(ApiError::bad_request("a picture's bytes are base64"));
        }
        blocks.push(Block::from(media::Image::base64(&picture.media_type, &picture.data)));
    }
    if !text.is_empty() {
        blocks.push(Block::text(text));
    }
    Ok(Prompt::blocks(blocks))
}

/// `POST /api/v1/sessions/{id}/messages`
pub(crate) async fn send(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    LargeBody(message): LargeBody<Message>,
) -> ApiResult<Json<Sent>> {
    let prompt = message.prompt()?;
    if !app.sessions().get(&id).await?.is_running() {
        let deed = admitted_again(&app, &id).await?;
        app.audit(Some(&who), &deed)?;
    }
    let delivery = match message.delivery {
        When::Steer => Delivery::Steer,
        When::AfterTurn => Delivery::AfterTurn,
    };
    let sent = match app.sessions().submit(&id, prompt, &message.id, Some(&who.name), delivery).await? {
        Submitted::Sent(sent) => sent.into(),
        Submitted::Held => Sent { seq: None, again: false },
    };
    // What was being typed was sent.
    let session = id.clone();
    app.desk(move |desk| desk.take_draft(&session)).await?;
    Ok(Json(sent))
}

/// `POST /api/v1/sessions/{id}/messages/{seq}/again`
pub(crate) async fn again(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    PartId(session, seq): PartId<u64>,
    Body(again): Body<Again>,
) -> ApiResult<Json<Sent>> {
    named(&again.id)?;
    let session = app.sessions().get(&session).await?;
    let is_unconfirmed = session.with_state(|state| {
        use insights::state::header::QueuedState::Unconfirmed;
        state.queue.iter().any(|queued| queued.seq == seq && queued.state == Unconfirmed)
    });
    if !is_unconfirmed {
        return Err(ApiError::new(
            Code::NotFound,
            "there is no such message of which nobody knows whether the agent took it",
        ));
    }
    Ok(Json(session.send_again(seq, &again.id, Some(&who.name)).await?.into()))
}

/// `DELETE /api/v1/sessions/{id}/queue/{message}`
pub(crate) async fn dismiss(State(app): State<App>, PartId(id, message): PartId) -> ApiResult<StatusCode> {
    app.sessions().get(&id).await?.dismiss(&message).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn named(id: &str) -> ApiResult<()> {
    match uuid::Uuid::try_parse(id) {
        Ok(_) => Ok(()),
        Err(_) => Err(ApiError::bad_request("`id` is a new uuid for each message")),
    }
}
