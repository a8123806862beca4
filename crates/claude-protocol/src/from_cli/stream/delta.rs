//! The line that comes by the thousand: a delta of text, thinking or a tool's input in the form that nearly all captured
//! ones have (2.1.1 to 2.1.325), read in one go.
//!
//! Nothing is read here that the general reader would not read in the same way: what has another form, be it by one blank,
//! is left to it. A test holds the two against each other.

use super::{BlockDelta, Delta, Event, InputJsonDelta, StreamEvent, TextDelta, ThinkingDelta};
use crate::cursor::Cursor;
use crate::ids::{MessageId, SessionId, Uuid};
use crate::wire::Wire;

/// Reads what follows on `{"type":"stream_event"`.
#[inline]
pub(super) fn at_once(cursor: &mut Cursor<'_>) -> Option<StreamEvent> {
    cursor.attempt(|cursor| {
        cursor.take(r#","event":{"type":"content_block_delta","index":"#)?;
        let index = cursor.counted()?;
        cursor.take(r#","delta":{"type":""#)?;
        let delta = if cursor.take(r#"text_delta","text":"#).is_some() {
            Delta::Text(TextDelta { text: value(cursor)? })
        } else if cursor.take(r#"input_json_delta","partial_json":"#).is_some() {
            Delta::InputJson(InputJsonDelta { partial_json: value(cursor)? })
        } else {
            cursor.take(r#"thinking_delta","thinking":"#)?;
            Delta::Thinking(ThinkingDelta { thinking: value(cursor)?, estimated_tokens: None })
        };
        cursor.take(r#"}},"session_id":"#)?;
        let session_id: SessionId = value(cursor)?;
        cursor.take(r#","parent_tool_use_id":null,"uuid":"#)?;
        let uuid: Uuid = value(cursor)?;
        let api_message_id: Option<MessageId> = match cursor.take(r#","api_message_id":"#) {
            Some(()) => Some(value(cursor)?),
            None => None,
        };
        cursor.take("}")?;
        Some(StreamEvent {
            event: Event::BlockDelta(BlockDelta { index, delta }),
            session_id: Some(session_id),
            parent_tool_use_id: None,
            uuid: Some(uuid),
            ttft_ms: None,
            thinking_display: None,
            api_message_id,
            abandoned_blocks: None,
            user_message_uuid: None,
            user_message_uuids: None,
            owed_rows: None,
            text_runs_joined: None,
            resume_reason: None,
            event_type: None,
        })
    })
}

#[inline(always)]
fn value<T: Wire>(cursor: &mut Cursor<'_>) -> Option<T> {
    T::read(cursor).ok()
}
