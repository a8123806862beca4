//! Messages to the agent. The sender names each of them, so that a retry is not a second message.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use claude_protocol::Prompt;
use claude_protocol::content::{Block, media};
use live::{Delivery, Submitted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::start::Waking;
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
    /// What the sender kept as a draft of it, if that read differently. It is not kept any longer, and neither is a draft of the
    /// same words.
    #[serde(default)]
    draft: Option<String>,
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
    /// How many characters of the text stand before it; none if it comes before all of them.
    #[serde(default)]
    after: Option<u64>,
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
    let mut pictures: Vec<&Picture> = images.iter().map(|Object(picture)| picture).collect();
    pictures.sort_by_key(|picture| picture.after);
    let (mut blocks, mut said) = (Vec::new(), 0);
    for picture in pictures {
        is_picture(&picture.media_type, &picture.data)?;
        let place = bytes_of(text, picture.after.unwrap_or_default());
        blocks.extend(words(text, said, place));
        blocks.push(Block::from(media::Image::base64(&picture.media_type, &picture.data)));
        said = place;
    }
    blocks.extend(words(text, said, text.len()));
    Ok(Prompt::blocks(blocks))
}

/// How many bytes the first characters of a text have.
fn bytes_of(text: &str, characters: u64) -> usize {
    let end = usize::try_from(characters).ok().and_then(|characters| text.char_indices().nth(characters));
    end.map_or(text.len(), |(place, _)| place)
}

/// A part of a text, if it says anything. What follows a picture begins a line: the blank behind that one is none of it.
fn words(text: &str, from: usize, to: usize) -> Option<Block> {
    let part = text.get(from..to)?;
    let part = if from == 0 { part } else { part.trim_start() };
    (!part.trim().is_empty()).then(|| Block::text(part))
}

/// Is it one that the agent takes?
pub(super) fn is_picture(media_type: &str, data: &str) -> ApiResult<()> {
    if !["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&media_type) {
        return Err(ApiError::bad_request("a picture is PNG, JPEG, GIF or WebP"));
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    match data.is_empty() || !data.bytes().all(plain) {
        true => Err(ApiError::bad_request("a picture's bytes are base64")),
        false => Ok(()),
    }
}

/// `POST /api/v1/sessions/{id}/messages`
pub(crate) async fn send(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    LargeBody(message): LargeBody<Message>,
) -> ApiResult<Json<Sent>> {
    let prompt = message.prompt()?;
    let waking = Waking::look(&app, &id).await?;
    let delivery = match message.delivery {
        When::Steer => Delivery::Steer,
        When::AfterTurn => Delivery::AfterTurn,
    };
    let submitted = app.sessions().submit(&id, prompt, &message.id, Some(&who.name), delivery).await;
    if let Some(waking) = waking {
        waking.audit(&app, &who);
    }
    let sent = match submitted? {
        Submitted::Sent(sent) => sent.into(),
        Submitted::Held => Sent { seq: None, again: false },
    };
    // What was being typed was sent.
    app.desk(move |desk| {
        for Object(picture) in &message.images {
            desk.take_draft_picture(&id, &picture.data)?;
        }
        desk.take_draft(&id, [&message.text, message.draft.as_deref().unwrap_or_default()])
    })
    .await?;
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
pub(crate) async fn take_back(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    PartId(id, message): PartId,
) -> ApiResult<StatusCode> {
    app.sessions().get(&id).await?.take_back(&message, Some(&who.name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn named(id: &str) -> ApiResult<()> {
    match uuid::Uuid::try_parse(id) {
        Ok(_) => Ok(()),
        Err(_) => Err(ApiError::bad_request("`id` is a new uuid for each message")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str, places: &[Option<u64>]) -> Vec<String> {
        let picture = |after| Object(Picture { media_type: "image/png".to_owned(), data: "AAAA".to_owned(), after });
        let images: Vec<_> = places.iter().copied().map(picture).collect();
        let prompt = prompt(text, &images).unwrap();
        let shown = |block: &Block| block.as_text().unwrap_or("<picture>").to_owned();
        prompt.message.content.blocks().iter().map(shown).collect()
    }

    #[test]
    fn pictures_go_where_they_stand_in_the_text() {
        assert_eq!(blocks("What is it?", &[None]), ["<picture>", "What is it?"]);
        // Characters are counted, not bytes.
        assert_eq!(
            blocks("Vögel: hier und da", &[Some(11), Some(6)]),
            ["Vögel:", "<picture>", "hier", "<picture>", "und da"]
        );
        assert_eq!(blocks("Both", &[Some(4), Some(4), None]), ["<picture>", "Both", "<picture>", "<picture>"]);
        assert_eq!(blocks("Far away", &[Some(u64::MAX)]), ["Far away", "<picture>"]);
        // An agent takes no text in which nothing is.
        assert_eq!(blocks("  ", &[Some(1)]), ["<picture>"]);
    }
}
