//! One message of the model: its stream of events goes in, the lines that the CLI makes of it go out.

use std::time::Duration;

use serde_json::{Value, json};

use super::Ending;
use super::actor::{Actor, Over};
use super::lines::{self, Parent};
use super::session::Usage;
use super::tools::Call;
use crate::model::Choice;
use crate::model::stream::{Piece, blocks, error_body, pieces};

/// What came of a message.
pub(super) enum Said {
    /// It was said, and these tools are called.
    Calls(Vec<Call>),
    /// The request failed and is tried again.
    Again,
    /// The turn is over.
    Over(Over),
}

/// A message while it streams.
struct Streaming<'a> {
    id: String,
    parent: Option<&'a Parent>,
    blocks: Vec<Value>,
    /// The message as it was at its start.
    skeleton: Value,
    /// Which block is open, and its text so far.
    open: Option<(usize, String)>,
    thinking: u64,
}

impl Actor {
    /// Says a message.
    pub(super) async fn message(&mut self, mut choice: Choice, parent: Option<&Parent>) -> Result<Said, Ending> {
        let calls = Call::take_all(&mut choice);
        let streams = self.flags.partial_messages && parent.is_none();
        if streams && self.is_current() {
            self.write_system("status", json!({"status": "requesting"}));
        }
        let mut streaming = Streaming {
            id: choice.message_id(),
            parent,
            blocks: blocks(&choice),
            skeleton: Value::Null,
            open: None,
            thinking: 0,
        };
        if let Some(gate) = choice.reply.gate.clone() {
            let mind = self.mind.clone();
            if self.hold(mind.pass(&gate)).await?.is_none() {
                return Ok(self.abort_message(&streaming, streams));
            }
        }
        if choice.reply.status.is_some() {
            return Ok(self.fail(&choice));
        }
        if !self.linger(self.pace.beat).await? {
            return Ok(self.abort_message(&streaming, streams));
        }
        let request = json!({"model": self.session.model});
        for piece in pieces(&choice, &request) {
            match piece {
                Piece::Data(text) => {
                    let data = text.split_once("data: ").map_or("", |(_, data)| data);
                    // A spoilt event is passed over; what the CLI does about one is not told here.
                    if let Ok(event) = serde_json::from_str::<Value>(data) {
                        let is_piece = event["type"] == "content_block_delta";
                        self.event(event, &mut streaming, streams);
                        if is_piece {
                            self.linger(self.pace.piece).await?;
                        }
                    }
                    self.drain().await?;
                }
                Piece::Sleep(delay_ms) => {
                    self.hold(tokio::time::sleep(Duration::from_millis(delay_ms))).await?;
                }
                Piece::Pause(gate) => {
                    let mind = self.mind.clone();
                    self.hold(mind.pass(&gate)).await?;
                }
                Piece::Cut => return Ok(self.fail(&choice)),
            }
            if self.interrupted {
                return Ok(self.abort_message(&streaming, streams));
            }
        }
        Ok(Said::Calls(calls))
    }

    fn event(&mut self, event: Value, streaming: &mut Streaming<'_>, streams: bool) {
        let index = usize::try_from(event["index"].as_u64().unwrap_or(0)).unwrap_or(0);
        match event["type"].as_str().unwrap_or_default() {
            "ping" => return,
            "message_start" => streaming.skeleton = event["message"].clone(),
            "content_block_start" => streaming.open = Some((index, String::new())),
            "content_block_delta" => {
                let delta = &event["delta"];
                if let (Some((_, text)), Some(more)) = (&mut streaming.open, delta["text"].as_str()) {
                    text.push_str(more);
                }
                if delta["type"] == "thinking_delta" && streams && self.is_current() {
                    streaming.thinking += 2;
                    let fields = json!({"estimated_tokens": streaming.thinking, "estimated_tokens_delta": 2});
                    self.write_system("thinking_tokens", fields);
                }
            }
            "content_block_stop" => {
                streaming.open = None;
                self.whole_block(streaming, index);
            }
            "message_delta" => {
                let usage = Usage::of_message(&streaming.skeleton["usage"], &event["usage"]["output_tokens"]);
                if streaming.parent.is_none() {
                    self.turn.stop_reason = event["delta"]["stop_reason"].clone();
                    self.turn.usage.add(usage);
                } else {
                    self.session.total.add(usage);
                }
            }
            _ => {}
        }
        if streams {
            let starts = event["type"] == "message_start";
            let mut line = lines::stream_event(&mut self.session, event, &streaming.id);
            if starts {
                lines::extend(&mut line, json!({"ttft_ms": 100}));
            }
            self.write(&line);
        }
    }

    /// The line of a block that is complete. A subagent's words stay inside unless they are asked for.
    fn whole_block(&mut self, streaming: &Streaming<'_>, index: usize) {
        let Some(mut block) = streaming.blocks.get(index).cloned() else { return };
        let kind = block["type"].as_str().unwrap_or_default().to_owned();
        if kind == "thinking" && block.get("signature").is_none() {
            block["signature"] = json!("bGFiLXNpZ25hdHVyZQ==");
        }
        if kind == "text" && streaming.parent.is_some() {
            self.last_words = block["text"].as_str().unwrap_or_default().to_owned();
        }
        match streaming.parent {
            Some(parent) if kind == "tool_use" => self.announce_progress(parent, &block),
            Some(_) if !self.flags.forward_subagent_text => return,
            Some(_) => {}
            None if kind == "text" => self.turn.text = block["text"].as_str().unwrap_or_default().to_owned(),
            None => {}
        }
        let mut line = lines::assistant(&mut self.session, &streaming.skeleton, block, streaming.parent);
        let uuids: Vec<&Value> =
            self.turn.prompts.iter().map(|prompt| &prompt["uuid"]).filter(|uuid| uuid.is_string()).collect();
        if let Some(last) = uuids.last()
            && self.is_current()
            && streaming.parent.is_none()
        {
            lines::extend(&mut line, json!({"user_message_uuid": last, "user_message_uuids": uuids}));
        }
        self.write(&line);
    }

    /// What is said when a stream is interrupted: the words so far, the interruption, and the ends of what was open.
    fn abort_message(&mut self, streaming: &Streaming<'_>, streams: bool) -> Said {
        let words = streaming.open.as_ref().filter(|(_, text)| !text.is_empty());
        if let Some((_, text)) = words.filter(|_| self.is_current()) {
            let block = json!({"type": "text", "text": text});
            let mut line = lines::assistant(&mut self.session, &streaming.skeleton, block, streaming.parent);
            lines::extend(&mut line, json!({"aborted": true}));
            self.write(&line);
        }
        self.say_interrupted("[Request interrupted by user]");
        if streams && self.is_current() && !streaming.skeleton.is_null() {
            let mut events = Vec::new();
            if let Some((index, _)) = streaming.open {
                events.push(json!({"type": "content_block_stop", "index": index}));
            }
            let delta = json!({"stop_reason": null, "stop_sequence": null});
            events.push(json!({"type": "message_delta", "delta": delta, "usage": streaming.skeleton["usage"]}));
            events.push(json!({"type": "message_stop"}));
            for event in events {
                let line = lines::stream_event(&mut self.session, event, &streaming.id);
                self.write(&line);
            }
        }
        Said::Over(Over::Streaming)
    }

    /// A failed request: one that may be tried again is announced, any other ends the turn.
    fn fail(&mut self, choice: &Choice) -> Said {
        let status = choice.reply.status.unwrap_or(500);
        if choice.reply.status.is_some() && (status == 429 || status >= 500) {
            if self.is_current() {
                let fields = json!({"attempt": 1, "max_retries": 10, "retry_delay_ms": 500, "error_status": status, "error": "overloaded"});
                self.write_system("api_retry", fields);
            }
            return Said::Again;
        }
        let body = error_body(choice);
        let text = format!("API Error: {status} {}", body["error"]["message"].as_str().unwrap_or_default());
        let skeleton = lines::synthetic_skeleton(&mut self.session);
        let block = json!({"type": "text", "text": text});
        let mut line = lines::assistant(&mut self.session, &skeleton, block, None);
        let fields = json!({"error": "unknown", "is_api_error_message": true, "api_error_status": status, "api_error_type": body["error"]["type"]});
        lines::extend(&mut line, fields);
        self.write(&line);
        self.turn.text = text;
        self.turn.stop_reason = json!("stop_sequence");
        self.turn.changes.insert("api_error_status".to_owned(), json!(status));
        Said::Over(Over::ApiError)
    }
}
