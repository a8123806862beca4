//! Pieces of an answer while it is made: items that grow. When the whole block comes it is put in their place.

use crate::event::session::ThinkingProgress;
use crate::event::stream::{BlockType, StreamDelta, StreamDeltaKind};
use crate::event::tool::ToolKind;
use crate::state::clip::{self, Clip, PART_BYTES, TEXT_BYTES};
use crate::state::item::{Item, ItemBody, ItemId, TextItem, ThinkingItem, Written};
use crate::state::tool::{AgentItem, ToolStatus, ToolView};
use crate::state::{Change, State, Status};

use super::draft::{Draft, bounded, call_item, new_agent};
use super::{agent, tool};

/// What a piece of a text changes: nothing, or one text. `None` if it is no such piece, but says where one begins or ends.
pub(super) fn grow(state: &State, delta: &StreamDelta) -> Option<Option<Change>> {
    match delta.kind {
        StreamDeltaKind::Text | StreamDeltaKind::Thinking => {
            let text = delta.text_delta.as_deref().unwrap_or_default();
            let item = match open_block(&state.status, delta.message_id.as_deref(), delta.block_index) {
                Some(id) => state.items.get(id),
                None => block_id(delta).and_then(|id| state.items.get(&id)),
            };
            Some(item.and_then(|item| append(item, text)))
        }
        StreamDeltaKind::ToolInput => {
            let text = delta.json_delta.as_deref().unwrap_or_default();
            let call = delta.call_id.as_deref();
            Some(call.and_then(|id| append(state.items.get(&bounded(id))?, text)))
        }
        StreamDeltaKind::Signature | StreamDeltaKind::Citations | StreamDeltaKind::Other(_) => Some(None),
        StreamDeltaKind::MessageStart
        | StreamDeltaKind::MessageStop
        | StreamDeltaKind::BlockStart
        | StreamDeltaKind::BlockStop => None,
    }
}

/// As much of `text` as the item has room for, if it still grows.
fn append(item: &Item, text: &str) -> Option<Change> {
    if !is_streaming(item) {
        return None;
    }
    let (before, limit) = match item.body.written()? {
        Written::Text(now) => (&now.text.text, TEXT_BYTES),
        Written::Thinking(now) => (&now.text.text, TEXT_BYTES),
        Written::Tool(now) => (&now.input.text, PART_BYTES),
        Written::Agent(now) => (&now.input.text, PART_BYTES),
    };
    // Other control characters are left out until the whole comes, so that no character takes more than two bytes in
    // JSON: the length alone then tells that there is room, without a look at all that came before.
    let is_odd = |byte: u8| byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t');
    let odd = text.bytes().any(is_odd);
    let mut text =
        if odd { text.replace(|sign: char| sign.is_ascii() && is_odd(sign as u8), "") } else { text.to_owned() };
    let room = match limit.checked_sub(2 * (before.len() + text.len())) {
        Some(_) => text.len(),
        None => clip::head(&text, limit.saturating_sub(clip::bytes_in_json(before))).len(),
    };
    text.truncate(room);
    (!text.is_empty()).then(|| Change::Append { id: item.id.clone(), text })
}

/// The block that the main agent writes, if it is this block of this message: found without making its id anew.
pub(super) fn open_block<'a>(status: &'a Status, message: Option<&str>, index: Option<u32>) -> Option<&'a ItemId> {
    let id = status.turn.as_ref()?.block.as_ref()?;
    let number = id.strip_prefix(message?)?.strip_prefix('/')?;
    // There is one way to write a number: `01` is the end of another id.
    let plain = number == "0" || !number.starts_with(['0', '+']);
    (plain && number.parse() == Ok(index?)).then_some(id)
}

/// A message or a block begins or ends.
pub(super) fn piece(draft: &mut Draft<'_>, delta: &StreamDelta) {
    draft.heard();
    let main = delta.parent_call_id.is_none();
    if main {
        draft.begin_turn();
    }
    match delta.kind {
        StreamDeltaKind::MessageStart => {}
        StreamDeltaKind::BlockStart => block_start(draft, delta),
        StreamDeltaKind::MessageStop if delta.abandoned_from.is_some() => give_up(draft, delta),
        StreamDeltaKind::MessageStop | StreamDeltaKind::BlockStop => {}
        // These were taken by `grow`.
        StreamDeltaKind::Text
        | StreamDeltaKind::Thinking
        | StreamDeltaKind::ToolInput
        | StreamDeltaKind::Signature
        | StreamDeltaKind::Citations
        | StreamDeltaKind::Other(_) => return,
    }
    if main {
        draft.goes_on();
        if matches!(delta.kind, StreamDeltaKind::MessageStart | StreamDeltaKind::MessageStop) {
            draft.ends_block();
        }
    }
}

fn block_start(draft: &mut Draft<'_>, delta: &StreamDelta) {
    let id = match &delta.call_id {
        Some(call) => Some(call_item(call)),
        None => block_id(delta).map(ItemId::from),
    };
    let Some(id) = id else { return };
    let body = match delta.block_type.as_ref() {
        Some(BlockType::Text) => {
            ItemBody::Text(TextItem { text: Clip::default(), done: false, aborted: false, model: None })
        }
        Some(BlockType::Thinking) => {
            ItemBody::Thinking(ThinkingItem { text: Clip::default(), done: false, duration_ms: None, tokens: None })
        }
        Some(BlockType::ToolUse) => {
            let name = clip::short(delta.tool_name.as_deref().unwrap_or_default());
            if agent::is_agent(&name) {
                ItemBody::Agent(Box::new(AgentItem { name, status: ToolStatus::Writing, ..new_agent() }))
            } else {
                let view = ToolView::Other { output: Clip::default() };
                ItemBody::Tool(Box::new(tool::new_tool(name, ToolKind::Other, ToolStatus::Writing, view)))
            }
        }
        Some(BlockType::Other(_)) | None => return,
    };
    if draft.item(&id).is_some_and(|item| !is_streaming(item)) {
        return;
    }
    let parent = draft.parent(delta.parent_call_id.as_ref());
    if parent.is_none()
        && let Some(turn) = draft.turn_mut()
    {
        turn.block = Some(id.clone());
    }
    draft.put_new(id, parent, body);
}

/// A try was given up: what it wrote and did not finish goes away. What is whole stays, since the agent keeps it too.
fn give_up(draft: &mut Draft<'_>, delta: &StreamDelta) {
    let parent = delta.parent_call_id.as_ref().map(call_item);
    let given_up = draft.ids_since(draft.turn_start(), |item| is_streaming(item) && item.parent == parent);
    given_up.iter().for_each(|id| draft.drop_item(id));
}

/// The model thinks and shows nothing of it: how many tokens so far.
pub(super) fn thinking(draft: &mut Draft<'_>, progress: &ThinkingProgress) {
    draft.heard();
    let Some(block) = draft.status().turn.as_ref().and_then(|turn| turn.block.clone()) else { return };
    let hidden = |item: &Item| matches!(&item.body, ItemBody::Thinking(now) if !now.done && now.text.text.is_empty());
    if draft.item(&block).is_some_and(hidden)
        && let Some(Item { body: ItemBody::Thinking(now), .. }) = draft.item_mut(&block)
    {
        now.tokens = Some(progress.estimated_tokens);
    }
}

/// Is the item still being written?
pub(super) fn is_streaming(item: &Item) -> bool {
    item.body.written().is_some_and(|written| match written {
        Written::Text(text) => !text.done,
        Written::Thinking(thinking) => !thinking.done,
        Written::Tool(tool) => tool.status == ToolStatus::Writing,
        Written::Agent(agent) => agent.status == ToolStatus::Writing,
    })
}

fn block_id(delta: &StreamDelta) -> Option<String> {
    Some(message_block(delta.message_id.as_deref()?, delta.block_index?))
}

/// The id of a block of a message.
pub(super) fn message_block(message: &str, index: u32) -> String {
    format!("{}/{index}", bounded(message))
}
