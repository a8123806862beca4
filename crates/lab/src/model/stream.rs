//! Turns a reply into what goes over the wire: a stream of server-sent events, one whole message, or an error.

use serde_json::{Map, Value, json};

use super::choose::Choice;
use crate::script::Broken;

/// A part of a streamed answer.
#[derive(Debug, PartialEq)]
pub(crate) enum Piece {
    /// Bytes to send.
    Data(String),
    /// Time to let pass.
    Sleep(u64),
    /// A gate to wait at.
    Pause(String),
    /// The connection breaks here.
    Cut,
}

/// The stream for a reply, in order.
pub(crate) fn pieces(choice: &Choice, request: &Value) -> Vec<Piece> {
    let (usage, output_tokens) = usage(choice);
    let mut message = skeleton(choice, request);
    message["usage"] = usage;
    let mut writer = Writer { choice, pieces: Vec::new(), deltas: 0, cut: false };
    writer.event("message_start", json!({"message": message}));
    writer.event("ping", json!({}));
    for (index, block) in blocks(choice).iter().enumerate() {
        writer.block(index, block);
        if writer.cut {
            return writer.pieces;
        }
    }
    if let Some(error) = &choice.reply.error_event {
        writer.event("error", json!({"error": error}));
        return writer.pieces;
    }
    let mut delta = json!({"stop_reason": stop_reason(choice), "stop_sequence": null});
    extend(&mut delta, &choice.reply.delta_extra);
    writer.event("message_delta", json!({"delta": delta, "usage": {"output_tokens": output_tokens}}));
    writer.event("message_stop", json!({}));
    writer.pieces
}

/// The answer to a request that did not ask for a stream.
#[cfg(feature = "stage")]
pub(super) fn whole_message(choice: &Choice, request: &Value) -> Value {
    let (usage, output_tokens) = usage(choice);
    let mut message = skeleton(choice, request);
    message["content"] = Value::Array(blocks(choice));
    message["stop_reason"] = json!(stop_reason(choice));
    message["usage"] = usage;
    message["usage"]["output_tokens"] = output_tokens;
    message
}

/// The body of a failed request.
pub(crate) fn error_body(choice: &Choice) -> Value {
    let status = choice.reply.status.unwrap_or(500);
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    let error =
        choice.reply.error.clone().unwrap_or_else(|| json!({"type": kind, "message": format!("scripted {status}")}));
    json!({"type": "error", "error": error, "request_id": choice.request_id()})
}

struct Writer<'a> {
    choice: &'a Choice,
    pieces: Vec<Piece>,
    deltas: usize,
    cut: bool,
}

impl Writer<'_> {
    fn event(&mut self, kind: &str, mut fields: Value) {
        let mut data = json!({"type": kind});
        if let Value::Object(fields) = &mut fields {
            extend(&mut data, fields);
        }
        self.pieces.push(Piece::Data(format!("event: {kind}\ndata: {data}\n\n")));
    }

    fn block(&mut self, index: usize, block: &Value) {
        let chunk = self.choice.reply.chunk;
        let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
        match block["type"].as_str() {
            Some("text") => {
                self.start(index, json!({"type": "text", "text": ""}));
                for part in chunk.map_or_else(|| words(&text("text")), |size| chunks(&text("text"), size)) {
                    self.delta(index, json!({"type": "text_delta", "text": part}));
                }
            }
            Some("thinking") => {
                self.start(index, json!({"type": "thinking", "thinking": "", "signature": ""}));
                for part in words(&text("thinking")) {
                    self.delta(index, json!({"type": "thinking_delta", "thinking": part}));
                }
                let signature = block["signature"].as_str().unwrap_or("bGFiLXNpZ25hdHVyZQ==");
                self.delta(index, json!({"type": "signature_delta", "signature": signature}));
            }
            Some("tool_use") => {
                self.start(index, json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}}));
                // A string as input is sent as it is, so that a script can send malformed JSON.
                let input = block["input"].as_str().map_or_else(|| block["input"].to_string(), str::to_owned);
                for part in chunks(&input, chunk.unwrap_or(24)) {
                    self.delta(index, json!({"type": "input_json_delta", "partial_json": part}));
                }
            }
            _ => self.start(index, block.clone()),
        }
        if !self.cut {
            self.event("content_block_stop", json!({"index": index}));
        }
    }

    fn start(&mut self, index: usize, block: Value) {
        self.event("content_block_start", json!({"index": index, "content_block": block}));
    }

    fn delta(&mut self, index: usize, delta: Value) {
        if self.cut {
            return;
        }
        let reply = &self.choice.reply;
        self.event("content_block_delta", json!({"index": index, "delta": delta}));
        self.deltas += 1;
        if self.deltas == 1 {
            match reply.broken {
                Some(Broken::Json) => {
                    self.pieces.push(Piece::Data("event: content_block_delta\ndata: {\"type\":\n\n".to_owned()))
                }
                Some(Broken::Event) => self.pieces.push(Piece::Data("\u{0}no event at all\n\n".to_owned())),
                None => {}
            }
        }
        if let Some(delay_ms) = reply.delay_ms {
            self.pieces.push(Piece::Sleep(delay_ms));
        }
        if let Some(pause) = reply.pause.as_ref().filter(|pause| pause.after == self.deltas) {
            self.pieces.push(Piece::Pause(pause.gate.clone()));
        }
        if reply.drop_after == Some(self.deltas) {
            self.pieces.push(Piece::Cut);
            self.cut = true;
        }
    }
}

fn skeleton(choice: &Choice, request: &Value) -> Value {
    json!({
        "id": choice.message_id(), "type": "message", "role": "assistant", "model": request["model"],
        "content": [], "stop_reason": null, "stop_sequence": null,
    })
}

/// The blocks with their ids and repeated texts filled in.
pub(crate) fn blocks(choice: &Choice) -> Vec<Value> {
    let mut blocks = choice.reply.blocks.clone();
    for (index, block) in blocks.iter_mut().enumerate() {
        if block["type"] == "tool_use" && block.get("id").is_none() {
            block["id"] = json!(choice.tool_use_id(index));
        }
        if let Some(times) = block.as_object_mut().and_then(|fields| fields.remove("repeat")) {
            let times = usize::try_from(times.as_u64().unwrap_or(1)).unwrap_or(1);
            block["text"] = json!(block["text"].as_str().unwrap_or_default().repeat(times));
        }
    }
    blocks
}

fn stop_reason(choice: &Choice) -> &str {
    let calls = choice.reply.blocks.iter().any(|block| block["type"] == "tool_use");
    choice.reply.stop.as_deref().unwrap_or(if calls { "tool_use" } else { "end_turn" })
}

/// The usage at the start, and the output tokens that the end reports.
fn usage(choice: &Choice) -> (Value, Value) {
    let mut usage = json!({
        "input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1,
        "service_tier": "standard",
    });
    extend(&mut usage, &choice.reply.usage);
    let last = usage.as_object_mut().and_then(|usage| usage.remove("final_output_tokens"));
    (usage, last.unwrap_or_else(|| json!(20)))
}

fn extend(value: &mut Value, more: &Map<String, Value>) {
    if let Value::Object(fields) = value {
        fields.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}

/// The text cut behind each run of white space; long texts in large pieces, so that a megabyte is not a million events.
fn words(text: &str) -> Vec<String> {
    if text.len() > 5000 {
        return chunks(text, 8192);
    }
    let mut parts = Vec::new();
    let mut part = String::new();
    for character in text.chars() {
        if !character.is_whitespace() && part.ends_with(char::is_whitespace) {
            parts.push(std::mem::take(&mut part));
        }
        part.push(character);
    }
    parts.push(part);
    parts
}

fn chunks(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return vec![String::new()];
    }
    characters.chunks(size.max(1)).map(|part| part.iter().collect()).collect()
}
