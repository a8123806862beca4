//! What a tool does and gave, by kind: its name and input in, a title and a view out; later its result, into the view.
//!
//! Inputs and results are read here and nowhere else, each by the fields that a screen shows. What is of another form
//! reads as if it were not there: the JSON text of the input is shown beside the view in any case.

mod fit;
mod input;
mod lenient;
mod patch;
mod result;

pub(super) use input::of_input;
pub(super) use lenient::Answers;
pub(super) use result::with_result;

use std::borrow::Cow;

use crate::event::task::{TodoStatus, TodoTask};
use crate::state::ask::{Question, QuestionOption};
use crate::state::clip::{Below, Clip, Room, TEXT_BYTES, VIEW_BYTES};

use lenient::{AskedQuestion, Todo};

/// Where something stands: a record, and a place in its line.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) seq: u64,
    pub(super) pointer: &'a str,
}

impl Place<'_> {
    /// A text at a place below this one.
    fn clip<'t>(&self, text: impl Into<Cow<'t, str>>, limit: usize, below: &str) -> Clip {
        Clip::new(text, limit, self.seq, Below(self.pointer, below))
    }
}

/// The most bytes of how an option would look; more than a screen shows at once.
const PREVIEW_BYTES: usize = 4 * 1024;

/// As many of the questions as there is room for.
fn questions(asked: &[AskedQuestion], place: Place<'_>, mut room: Room) -> Vec<Question> {
    room.list(asked.iter().enumerate(), 80, |(number, question), room| Question {
        question: room.text(question.question.as_deref().unwrap_or_default()),
        header: question.header.as_deref().map(|header| room.text(header)),
        multi_select: question.multi_select == Some(true),
        options: room.list(question.options.iter().enumerate(), 60, |(option_number, option), room| QuestionOption {
            label: room.text(option.label.as_deref().unwrap_or_default()),
            description: option.description.as_deref().map(|text| room.text(text)),
            preview: option.preview.as_deref().map(|text| {
                let pointer = format!("{}/questions/{number}/options/{option_number}/preview", place.pointer);
                room.clip(text, PREVIEW_BYTES, place.seq, pointer)
            }),
        }),
    })
}

/// As many of the things to do as a card has room for.
fn todos(list: &[Todo]) -> Vec<TodoTask> {
    Room(VIEW_BYTES * 3 / 4).list(list.iter().enumerate(), 120, |(number, todo), room| TodoTask {
        id: todo.id.as_deref().map_or_else(|| (number + 1).to_string(), |id| room.text(id)),
        subject: room.text(todo.subject.as_deref().unwrap_or_default()),
        description: todo.description.as_deref().map(|text| room.text(text)),
        status: match todo.status.as_deref() {
            Some("pending") | None => TodoStatus::Pending,
            Some("in_progress") => TodoStatus::InProgress,
            Some("completed") => TodoStatus::Completed,
            Some(other) => TodoStatus::Other(room.text(other)),
        },
        active_form: todo.active_form.as_deref().map(|text| room.text(text)),
        owner: todo.owner.as_deref().map(|text| room.text(text)),
        blocks: room.list(&todo.blocks, 3, |id, room| room.text(id)),
        blocked_by: room.list(&todo.blocked_by, 3, |id, room| room.text(id)),
    })
}

/// Does a call about one thing to do say how far it is?
pub(super) fn says_status(input: &crate::Json) -> bool {
    input.read::<Todo>().status.is_some()
}

/// The questions in the input of the tool that asks them, for who has to answer them.
pub(super) fn asked(input: &crate::Json, place: Place<'_>) -> Vec<Question> {
    questions(&input.read::<lenient::AskInput>().questions, place, Room(TEXT_BYTES))
}

/// The plan in the input of the tool that shows it, and the file that it is in.
pub(super) fn planned(input: &crate::Json, place: Place<'_>) -> (Clip, Option<String>) {
    let input: lenient::PlanInput = input.read();
    let plan = place.clip(input.plan.unwrap_or_default(), VIEW_BYTES, "/plan");
    (plan, input.plan_file_path.as_deref().map(crate::state::clip::short))
}
