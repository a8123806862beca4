//! Pieces of an answer: a `stream_event` in, at most one delta out, with what the message used at its end.

use std::sync::Arc;

use claude_protocol::content::Block;
use claude_protocol::from_cli::StreamEvent;
use claude_protocol::from_cli::stream::{BlockDelta, BlockStart, Delta, Event, MessageDelta};
use claude_protocol::{MessageId, ToolUseId, Uuid};

use super::quiet::Quiet;
use super::{Converter, Profile, usage};
use crate::event::Body;
use crate::event::session::UnknownMessage;
use crate::event::stream::{BlockType, StreamDelta, StreamDeltaKind};
use crate::json::Json;

impl Converter {
    pub(super) fn stream_event(&mut self, line: Box<StreamEvent>) {
        if let Some(session) = &line.session_id {
            self.out.session(session.as_str());
        }
        self.out.about().message_uuid = line.uuid.map(Uuid::into_shared);
        let parent = line.parent_tool_use_id.map(ToolUseId::into_shared);
        if let Event::MessageStart(start) = &line.event {
            let id = start.message.id.clone().or_else(|| line.api_message_id.clone()).map(MessageId::into_shared);
            self.cut_off(parent.as_ref(), id.as_ref());
            self.blocks.lane(parent.as_ref()).begin(id, start.message.usage.clone());
        }
        let lane = self.blocks.lane(parent.as_ref());
        let mut delta = empty(parent);
        delta.message_id = lane.message_or(line.api_message_id.map(MessageId::into_shared));
        delta.ttft_ms = line.ttft_ms;
        match line.event {
            Event::BlockDelta(piece) => self.piece(piece, delta),
            Event::BlockStart(start) => {
                begin(*start, &mut delta);
                if let Some(index) = delta.block_index {
                    lane.open(index, delta.call_id.as_ref());
                }
                self.put_delta(StreamDeltaKind::BlockStart, delta);
            }
            Event::BlockStop(stop) => {
                lane.close();
                delta.block_index = Some(index(stop.index));
                self.put_delta(StreamDeltaKind::BlockStop, delta);
            }
            Event::MessageStart(_) => {
                self.turn.running = true;
                self.put_delta(StreamDeltaKind::MessageStart, delta);
            }
            Event::MessageStop(_) => {
                lane.close();
                let void = line.abandoned_blocks.map(|void| void.from_block_index.unwrap_or(0));
                delta.abandoned_from = void.map(index);
                self.put_delta(StreamDeltaKind::MessageStop, delta);
            }
            Event::MessageDelta(end) => self.end(*end, delta),
            Event::Ping(_) => self.out.quiet(Quiet::KeepAlive),
            Event::Error(error) => {
                // The failure itself is told by what follows: a retry, or words in the answer's place.
                let words = error.error.and_then(|error| error.message.or(error.r#type));
                delta.text_delta = words;
                self.put_full(StreamDeltaKind::Other("error".to_owned()), delta);
            }
            Event::Other(other) => self.out.put(Body::UnknownMessage(UnknownMessage {
                message_type: "stream_event".to_owned(),
                subtype: Some(other.kind),
                direction: None,
            })),
        }
    }

    /// Says that what was streamed of another message will not become whole.
    pub(super) fn cut_off(&mut self, parent: Option<&Arc<str>>, by: Option<&Arc<str>>) {
        let Some((message, from)) = self.blocks.lane(parent).cut_off(by) else { return };
        let delta = StreamDelta { message_id: Some(message), abandoned_from: Some(from), ..empty(parent.cloned()) };
        self.put_full(StreamDeltaKind::MessageStop, delta);
    }

    fn piece(&mut self, piece: BlockDelta, mut delta: StreamDelta) {
        let block = index(piece.index);
        delta.block_index = Some(block);
        match piece.delta {
            Delta::Text(piece) => {
                delta.text_delta = Some(piece.text);
                self.put_piece(StreamDeltaKind::Text, delta);
            }
            Delta::InputJson(piece) => {
                delta.json_delta = Some(piece.partial_json);
                delta.call_id = self.blocks.lane(delta.parent_call_id.as_ref()).call(block);
                self.put_piece(StreamDeltaKind::ToolInput, delta);
            }
            Delta::Thinking(piece) => {
                delta.text_delta = Some(piece.thinking);
                self.put_piece(StreamDeltaKind::Thinking, delta);
            }
            Delta::Signature(_) => self.put_full(StreamDeltaKind::Signature, delta),
            Delta::Citations(_) => self.put_full(StreamDeltaKind::Citations, delta),
            Delta::Compaction(piece) => {
                delta.text_delta = piece.content;
                self.put_full(StreamDeltaKind::Other("compaction_delta".to_owned()), delta);
            }
            Delta::Other(other) => self.put_full(StreamDeltaKind::Other(other.kind), delta),
        }
    }

    /// The message has ended as a whole: why, and what it used.
    fn end(&mut self, end: MessageDelta, mut delta: StreamDelta) {
        delta.kind = StreamDeltaKind::MessageStop;
        let (parent, message) = (delta.parent_call_id.clone(), delta.message_id.clone());
        let reason =
            end.delta.stop_reason.map_or_else(|| Json::trusted("null"), |reason| Json::string(reason.as_str()));
        self.out.put_with(Body::StreamDelta(delta), [("claude.stopReason", reason)]);
        if let Some(used) = end.usage {
            let used = usage::joined(self.blocks.lane(parent.as_ref()).usage(), used);
            let model = if parent.is_none() { self.context.model.clone() } else { None };
            self.used(&used, parent, message, model);
        }
    }

    fn put_delta(&mut self, kind: StreamDeltaKind, mut delta: StreamDelta) {
        delta.kind = kind;
        self.out.put(Body::StreamDelta(delta));
    }

    /// A piece is all that its line says.
    fn put_piece(&mut self, kind: StreamDeltaKind, mut delta: StreamDelta) {
        delta.kind = kind;
        self.out.put_last(Body::StreamDelta(delta));
    }

    /// Kinds that the documents do not know.
    fn put_full(&mut self, kind: StreamDeltaKind, delta: StreamDelta) {
        match self.out.profile() {
            Profile::Full => self.put_delta(kind, delta),
            Profile::Core => self.out.quiet(Quiet::Profile),
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a block's type is a word, whatever it is")]
fn begin(start: BlockStart, delta: &mut StreamDelta) {
    delta.block_index = Some(index(start.index));
    delta.block_type = Some(match start.content_block {
        Block::Text(_) => BlockType::Text,
        Block::Thinking(_) => BlockType::Thinking,
        Block::ToolUse(call) => {
            delta.call_id = Some(call.id.into_shared()).filter(|id| !id.is_empty());
            delta.tool_name = Some(call.name);
            BlockType::ToolUse
        }
        other => BlockType::Other(other.kind().to_owned()),
    });
}

fn empty(parent_call_id: Option<Arc<str>>) -> StreamDelta {
    StreamDelta {
        kind: StreamDeltaKind::MessageStop,
        text_delta: None,
        json_delta: None,
        block_index: None,
        call_id: None,
        parent_call_id,
        message_id: None,
        block_type: None,
        tool_name: None,
        abandoned_from: None,
        ttft_ms: None,
    }
}

/// A block's number as events have it. Nobody has four thousand million blocks.
fn index(index: u64) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
