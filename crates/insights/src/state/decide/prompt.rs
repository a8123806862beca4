//! What is said to the agent: prompts on their way and taken, marks of an interrupt, answers of local commands.

use std::sync::Arc;

use crate::event::text::{ContextUsage, ImageData, InputState, LocalCommandOutput, UserInput};
use crate::state::clip::{self, Clip, PART_BYTES, Room, TEXT_BYTES};
use crate::state::header::{Category, Queued, QueuedState};
use crate::state::item::{CommandItem, ImageRef, ItemBody, ItemId, UserItem, UserRole};

use super::draft::{Draft, call_item};
use super::tool;

/// The most bytes of references to pictures: some forty of them.
const IMAGES_BYTES: usize = 6 * 1024;

/// What a reference costs in JSON beside its texts.
const AROUND_IMAGE: usize = 110;

/// The most shares of a context that are listed.
const CATEGORIES: usize = 64;

/// A title is a line, and a short one.
const TITLE_BYTES: usize = 120;

/// Something was said to the agent, or is on its way.
pub(super) fn input(draft: &mut Draft<'_>, input: &UserInput) {
    let id = match &draft.event.message_uuid {
        Some(uuid) => call_item(uuid),
        None => draft.own_id(),
    };
    match input.state {
        InputState::Sent => queue(draft, id, input, QueuedState::Sent),
        InputState::Queued => queue(draft, id, input, QueuedState::Queued),
        InputState::Unconfirmed => queue(draft, id, input, QueuedState::Unconfirmed),
        InputState::Cancelled => _ = take(draft, &id),
        InputState::Consumed => consumed(draft, id, input),
    }
}

fn queue(draft: &mut Draft<'_>, id: ItemId, input: &UserInput, state: QueuedState) {
    if draft.item(&id).is_some() {
        return;
    }
    if let Some(queued) = draft.queue_mut().iter_mut().find(|queued| queued.id == id) {
        queued.state = state;
        return;
    }
    let queued = Queued {
        id,
        text: draft.clip_words(&input.text, PART_BYTES),
        images: images(&input.images, draft.seq()).0,
        at: draft.at(),
        by: input.by.as_deref().map(clip::short),
        client_id: input.client_id.as_deref().map(clip::short),
        state,
        seq: draft.seq(),
    };
    draft.queue_mut().push(queued);
}

fn take(draft: &mut Draft<'_>, id: &str) -> Option<Queued> {
    let place = draft.queue().iter().position(|queued| &*queued.id == id)?;
    Some(draft.queue_mut().remove(place))
}

fn consumed(draft: &mut Draft<'_>, id: ItemId, input: &UserInput) {
    let queued = take(draft, &id);
    if draft.item(&id).is_some() {
        return;
    }
    let role = match () {
        () if input.is_interrupt == Some(true) => UserRole::Interrupt,
        () if input.parent_call_id.is_some() => UserRole::Agent,
        () if input.is_synthetic => UserRole::System,
        () => UserRole::Person,
    };
    if role == UserRole::Person {
        draft.begin_turn();
        if let Some(turn) = draft.turn_mut() {
            turn.prompts.push(id.clone());
        }
        title(draft, &input.text);
    }
    if role == UserRole::Interrupt {
        tool::interrupted(draft, input.parent_call_id.as_ref().map(call_item).as_ref());
    }
    // The prompt is in the record that was written to the agent, not in the one that says it was taken.
    let seq = queued.as_ref().map_or(draft.seq(), |queued| queued.seq);
    let text = match queued.as_ref().and_then(|queued| queued.text.more.as_ref()) {
        Some(more) => {
            let from = more.from.unwrap_or(0) as usize;
            Clip::new(&input.text, TEXT_BYTES, more.seq, more.pointer.as_str()).behind(from)
        }
        None => draft.clip_words(&input.text, TEXT_BYTES),
    };
    let by = input.by.as_deref().map(clip::short).or_else(|| queued.as_ref()?.by.clone());
    let (images, more_images) = images(&input.images, seq);
    let parent = draft.parent(input.parent_call_id.as_ref());
    draft.put_new(id.clone(), parent, ItemBody::User(UserItem { text, images, more_images, by, role }));
    if let Some(item) = draft.item_mut(&id) {
        item.seq = seq;
    }
}

/// Until the session has a title, its first prompt is one.
fn title(draft: &mut Draft<'_>, text: &str) {
    if draft.status().title.is_none()
        && let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty())
    {
        draft.status_mut().title = Some(clip::head(line, TITLE_BYTES).into());
    }
}

/// References to pictures, as many as there is room for, and how many more there are; their bytes stay in the record.
pub(super) fn images(images: &[ImageData], seq: u64) -> (Vec<ImageRef>, Option<u64>) {
    let named = Room(IMAGES_BYTES).list(images, AROUND_IMAGE, |image, room| ImageRef {
        media_type: room.text(&image.media_type),
        bytes: image.bytes,
        seq: image.seq.unwrap_or(seq),
        pointer: room.whole(image.pointer.as_deref().unwrap_or_default()),
        url: image.url.as_deref().map(|url| room.whole(url)),
        after: image.after,
    });
    let more = images.len() - named.len();
    (named, Some(more as u64).filter(|more| *more > 0))
}

/// A local command has answered.
pub(super) fn command(draft: &mut Draft<'_>, output: &LocalCommandOutput) {
    if let Some(usage) = &output.context_usage {
        context(draft, usage);
    }
    // A compaction says again what it keeps.
    let told =
        |uuid: &Arc<str>| draft.item(&call_item(uuid)).is_some_and(|item| matches!(item.body, ItemBody::Command(_)));
    if output.text.trim().is_empty() || draft.event.message_uuid.as_ref().is_some_and(told) {
        return;
    }
    let item = CommandItem {
        command: output.command.as_deref().map(clip::short),
        text: draft.clip_words(&output.text, TEXT_BYTES),
        is_error: output.is_error,
    };
    draft.put_new(draft.own_id(), None, ItemBody::Command(item));
}

/// What fills the context, told by whoever was asked.
pub(super) fn context(draft: &mut Draft<'_>, usage: &ContextUsage) {
    let at = draft.at();
    let category = |category: &crate::event::text::ContextCategory| Category {
        name: clip::short(&category.name),
        tokens: category.tokens,
    };
    let context = &mut draft.meters_mut().context;
    context.used = Some(usage.used);
    context.window = Some(usage.max).filter(|max| *max > 0).or(context.window);
    context.categories = usage.categories.iter().take(CATEGORIES).map(category).collect();
    context.categories_at = Some(at);
}
