//! Whole texts and thoughts, and the places where the context was summed up.

use crate::event::text::{Text, TextKind, TextRole};
use crate::event::turn::ContextCompaction;
use crate::state::clip::{self, InBlock, TEXT_BYTES};
use crate::state::header::CompactionMark;
use crate::state::item::{
    CompactionItem, ErrorItem, Item, ItemBody, ItemId, TextItem, ThinkingItem, UserItem, UserRole,
};

use super::draft::Draft;
use super::meters::finite;
use super::stream::{is_streaming, message_block, open_block};

/// So many places where the context was summed up are kept with the meters. They go with every change of these, and the items
/// of all of them stay.
const COMPACTIONS: usize = 32;

/// A whole block of text or of thinking: in place of what was streamed of it.
pub(super) fn whole(draft: &mut Draft<'_>, text: &Text) {
    match text.role {
        Some(TextRole::CompactionSummary) => return summary(draft, text),
        // The prompt and the command have items of their own.
        Some(TextRole::Replay | TextRole::LocalCommand) => return,
        Some(TextRole::Feedback) | None => {}
    }
    if text.parent_call_id.is_none() {
        draft.begin_turn();
    }
    let id = text_id(draft, text);
    if text.parent_call_id.is_none() {
        draft.goes_on();
        draft.ends_block();
    }
    supersede(draft, text.supersedes.as_deref().unwrap_or_default());
    let body = body(draft, text);
    match draft.item(&id) {
        // A later line of a message may bring its blocks again.
        Some(item) if !is_streaming(item) && same_words(&item.body, &body) => return,
        Some(_) if body.is_none() => return draft.drop_item(&id),
        _ => {}
    }
    if let Some(body) = body {
        let parent = draft.parent(text.parent_call_id.as_ref());
        draft.put_new(id, parent, body);
    }
}

/// What the text is as an item; `None` for an empty answer, which says nothing. An empty thought says that it was hidden.
fn body(draft: &Draft<'_>, text: &Text) -> Option<ItemBody> {
    let words = |field| match text.message_id {
        Some(_) => draft.clip(&text.text, TEXT_BYTES, InBlock(text.line_block, field)),
        None => draft.clip_words(&text.text, TEXT_BYTES),
    };
    if text.kind == TextKind::Thinking {
        let duration_ms = finite(text.thinking_duration_ms);
        let thinking = ThinkingItem { text: words("thinking"), done: true, duration_ms, tokens: None };
        return Some(ItemBody::Thinking(thinking));
    }
    if text.text.trim().is_empty() {
        return None;
    }
    let text_clip = words("text");
    if text.role == Some(TextRole::Feedback) {
        return Some(ItemBody::User(UserItem {
            text: text_clip,
            images: Vec::new(),
            more_images: None,
            by: None,
            role: UserRole::System,
        }));
    }
    if text.error.is_some() || text.kind == TextKind::Error {
        let category = text.error.as_deref().map(clip::short);
        return Some(ItemBody::Error(ErrorItem { text: text_clip, category, status: text.error_status }));
    }
    // What the agent writes by itself is no model's work.
    let model = text.model.as_deref().filter(|_| text.is_synthetic != Some(true)).map(clip::short);
    Some(ItemBody::Text(TextItem { text: text_clip, done: true, aborted: text.aborted == Some(true), model }))
}

fn same_words(before: &ItemBody, after: &Option<ItemBody>) -> bool {
    match (before, after) {
        (ItemBody::Text(before), Some(ItemBody::Text(after))) => before.text.text == after.text.text,
        (ItemBody::Thinking(before), Some(ItemBody::Thinking(after))) => before.text.text == after.text.text,
        _ => false,
    }
}

fn text_id(draft: &Draft<'_>, text: &Text) -> ItemId {
    let index = text.block_index.unwrap_or_default();
    match (&text.message_id, &draft.event.message_uuid) {
        (Some(message), _) => match open_block(draft.status(), Some(message), Some(index)) {
            Some(id) => id.clone(),
            None => message_block(message, index).into(),
        },
        (None, Some(uuid)) => message_block(uuid, index).into(),
        (None, None) => format!("#{}/{}", draft.seq(), draft.event.id.n).into(),
    }
}

/// Takes away what other lines of this turn said.
pub(super) fn supersede(draft: &mut Draft<'_>, uuids: &[std::sync::Arc<str>]) {
    if uuids.is_empty() {
        return;
    }
    let gone = draft.ids_since(draft.turn_start(), |item| {
        item.uuid.as_ref().is_some_and(|uuid| uuids.contains(uuid)) && !matches!(item.body, ItemBody::User(_))
    });
    gone.iter().for_each(|id| draft.drop_item(id));
}

/// The context was summed up or cleared.
pub(super) fn compaction(draft: &mut Draft<'_>, compaction: &ContextCompaction) {
    let id = draft.own_id();
    let summary = compaction.summary.as_deref().map(|text| draft.clip(text, TEXT_BYTES, "/summary"));
    let item = CompactionItem {
        trigger: compaction.trigger.clone(),
        pre_tokens: compaction.pre_tokens,
        post_tokens: compaction.post_tokens,
        duration_ms: finite(compaction.duration_ms),
        summary,
        error: None,
    };
    draft.put_new(id.clone(), None, ItemBody::Compaction(item));
    let mark = CompactionMark {
        at: draft.at(),
        trigger: compaction.trigger.clone(),
        before: compaction.pre_tokens,
        after: compaction.post_tokens,
        item: id,
    };
    let context = &mut draft.meters_mut().context;
    context.compacted += 1;
    let surplus = (context.compactions.len() + 1).saturating_sub(COMPACTIONS);
    context.compactions.drain(..surplus);
    context.compactions.push(mark);
    context.used = compaction.post_tokens;
    context.categories = Vec::new();
    context.categories_at = None;
    if draft.status().compacting {
        draft.status_mut().compacting = false;
    }
}

/// The summary that takes the place of what was said: part of the compaction before it.
fn summary(draft: &mut Draft<'_>, text: &Text) {
    let Some(id) = draft.meters().context.compactions.last().map(|mark| mark.item.clone()) else { return };
    let words = draft.clip_words(&text.text, TEXT_BYTES);
    if let Some(Item { body: ItemBody::Compaction(item), .. }) = draft.item_mut(&id) {
        item.summary = Some(words);
    }
}
