//! A call before it has run: its name and input in, a title for people and a view out.

use crate::Json;
use crate::state::clip::{self, Clip, Room, VIEW_BYTES};
use crate::state::diff;
use crate::state::tool::{Diff, Everywhere, ToolView};
use crate::state::words::{mcp_name, tool_name};

use super::lenient::*;
use super::{Place, questions, todos};

/// The most bytes of a command; its output needs room too.
const COMMAND_BYTES: usize = 8 * 1024;

/// A line for people, where the input gives one, and what the call is about.
pub(in crate::state::decide) fn of_input(tool: &str, input: &Json, place: Place<'_>) -> (Option<String>, ToolView) {
    let (title, view) = match tool {
        "Bash" => command(input.read(), place),
        "Read" => read(input.read()),
        "Edit" | "MultiEdit" | "Write" => edit(input.read(), place),
        "NotebookEdit" => notebook(input.read(), place),
        "Glob" | "Grep" => search(input.read()),
        "WebFetch" => fetch(input.read(), place),
        "WebSearch" => web_search(input.read()),
        "TodoWrite" => todo_list(&input.read::<TodoInput>().todos),
        "TaskCreate" | "TaskUpdate" | "TaskGet" | "TaskList" => one_task(input.read()),
        "AskUserQuestion" => ask(input.read(), place),
        "ExitPlanMode" => plan(input, place),
        "Skill" => skill(input.read()),
        _ => match mcp_name(tool) {
            Some((server, name)) => (
                Some(tool_name(tool).into_owned()),
                ToolView::Mcp { server: clip::short(server), tool: clip::short(name), output: Clip::default() },
            ),
            None => (None, ToolView::Other { output: Clip::default() }),
        },
    };
    (title.filter(|title| !title.is_empty()).map(|title| clip::short(&title)), view)
}

fn text(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or_default()
}

fn short(text: &Option<String>) -> Option<String> {
    text.as_deref().map(clip::short)
}

fn command(input: BashInput, place: Place<'_>) -> (Option<String>, ToolView) {
    let command = input.command.unwrap_or_default();
    let description = short(&input.description);
    let title = input.description.or_else(|| command.lines().next().map(str::to_owned));
    let view = ToolView::Command {
        command: place.clip(command, COMMAND_BYTES, "/command"),
        description,
        output: Clip::default(),
        exit_code: None,
        interrupted: false,
        background: input.run_in_background == Some(true),
    };
    (title, view)
}

fn read(input: ReadInput) -> (Option<String>, ToolView) {
    let view = ToolView::Read {
        path: clip::short(text(&input.file_path)),
        content: Clip::default(),
        start_line: input.offset.map(|line| line as u64),
        lines: None,
        total_lines: None,
    };
    (input.file_path, view)
}

/// A change that is proposed: where in the file it will be is not known yet, nor whether a file is there.
fn edit(input: EditInput, place: Place<'_>) -> (Option<String>, ToolView) {
    let path = clip::short(text(&input.file_path));
    let mut diff = Diff { path, proposed: true, ..Diff::default() };
    if let Some(content) = input.content {
        diff.added = u32::try_from(content.lines().count()).unwrap_or(u32::MAX);
        let content = Some(place.clip(content, VIEW_BYTES - 2 * clip::SHORT_BYTES, "/content"));
        return (input.file_path, ToolView::Edit { diff, content });
    }
    let one = OneEdit { old_string: input.old_string, new_string: input.new_string, replace_all: input.replace_all };
    let edits = if input.edits.is_empty() { vec![one] } else { input.edits };
    let everywhere = |edit: &OneEdit| edit.replace_all == Some(true);
    diff.everywhere = match edits.iter().filter(|edit| everywhere(edit)).count() {
        0 => None,
        all if all == edits.len() => Some(Everywhere::All),
        _ => Some(Everywhere::Some),
    };
    let hunks: Vec<_> =
        edits.iter().flat_map(|edit| diff::hunks(text(&edit.old_string), text(&edit.new_string))).collect();
    let bytes = edits.iter().map(|edit| text(&edit.new_string).len()).sum();
    (diff.added, diff.removed) = diff::count(&hunks);
    set_hunks(&mut diff, hunks, place, bytes);
    (input.file_path, ToolView::Edit { diff, content: None })
}

/// The parts of a diff as far as there is room for them.
pub(super) fn set_hunks(diff: &mut Diff, hunks: Vec<crate::state::tool::Hunk>, place: Place<'_>, bytes: usize) {
    let (hunks, whole) = diff::fit(hunks, VIEW_BYTES - 2 * clip::SHORT_BYTES);
    diff.hunks = hunks;
    let more = || clip::More { bytes: bytes as u64, seq: place.seq, pointer: place.pointer.to_owned(), from: None };
    diff.more = (!whole).then(more);
}

fn notebook(input: NotebookInput, place: Place<'_>) -> (Option<String>, ToolView) {
    let view = ToolView::Notebook {
        path: clip::short(text(&input.notebook_path)),
        cell_id: short(&input.cell_id),
        cell_type: short(&input.cell_type),
        edit_mode: short(&input.edit_mode),
        language: None,
        source: place.clip(input.new_source.unwrap_or_default(), VIEW_BYTES / 3, "/new_source"),
        old_source: None,
    };
    (input.notebook_path, view)
}

fn search(input: SearchInput) -> (Option<String>, ToolView) {
    let view = ToolView::Search {
        pattern: clip::short(text(&input.pattern)),
        path: short(&input.path),
        output: Clip::default(),
        count: None,
        truncated: false,
    };
    (input.pattern, view)
}

fn fetch(input: WebInput, place: Place<'_>) -> (Option<String>, ToolView) {
    let view = ToolView::Fetch {
        url: place.clip(text(&input.url), clip::ADDRESS_BYTES, "/url"),
        prompt: short(&input.prompt),
        output: Clip::default(),
        code: None,
    };
    (input.url, view)
}

fn web_search(input: WebInput) -> (Option<String>, ToolView) {
    let query = clip::short(text(&input.query));
    (input.query, ToolView::WebSearch { query, hits: Vec::new(), output: Clip::default() })
}

fn todo_list(list: &[Todo]) -> (Option<String>, ToolView) {
    let active = list.iter().find(|todo| todo.status.as_deref() == Some("in_progress"));
    let title = active.and_then(|todo| todo.active_form.clone().or_else(|| todo.subject.clone()));
    let title = title.unwrap_or_else(|| match list.len() {
        1 => "1 thing to do".to_owned(),
        count => format!("{count} things to do"),
    });
    (Some(title), ToolView::Todo { todos: todos(list) })
}

fn one_task(mut todo: Todo) -> (Option<String>, ToolView) {
    let task_id = todo.task_id.take();
    let title = match (&todo.subject, &task_id, &todo.status) {
        (Some(subject), ..) => Some(subject.clone()),
        (None, Some(id), Some(status)) => Some(format!("#{id} {}", status.replace('_', " "))),
        (None, Some(id), None) => Some(format!("#{id}")),
        (None, None, _) => return (None, ToolView::Todo { todos: Vec::new() }),
    };
    todo.id = task_id.or(todo.id);
    (title, ToolView::Todo { todos: todos(&[todo]) })
}

fn ask(input: AskInput, place: Place<'_>) -> (Option<String>, ToolView) {
    let first = input.questions.first();
    let title = first.and_then(|first| first.question.clone());
    let (answers, notes) = Default::default();
    let questions = questions(&input.questions, place, Room(VIEW_BYTES * 3 / 4));
    (title, ToolView::Question { questions, answers, notes })
}

fn plan(input: &Json, place: Place<'_>) -> (Option<String>, ToolView) {
    let (plan, path) = super::planned(input, place);
    let title = plan.text.lines().map(|line| line.trim_start_matches('#').trim()).find(|line| !line.is_empty());
    (title.map(str::to_owned), ToolView::Plan { path, plan })
}

fn skill(input: SkillInput) -> (Option<String>, ToolView) {
    let view =
        ToolView::Skill { skill: clip::short(text(&input.skill)), args: short(&input.args), output: Clip::default() };
    (input.skill, view)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn view(tool: &str, input: &Value) -> (Option<String>, ToolView) {
        of_input(tool, &Json::from(input.clone()), Place { seq: 1, pointer: "" })
    }

    /// The places of all values below the top, by pointer.
    fn places(value: &Value, at: &str) -> Vec<String> {
        let below: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(key, value)| (format!("{at}/{key}"), value)).collect(),
            Value::Array(list) => list.iter().enumerate().map(|(n, value)| (format!("{at}/{n}"), value)).collect(),
            _ => Vec::new(),
        };
        below.into_iter().flat_map(|(at, value)| [vec![at.clone()], places(value, &at)].concat()).collect()
    }

    fn without(input: &Value, place: &str) -> Value {
        let mut input = input.clone();
        let (around, last) = place.rsplit_once('/').unwrap();
        match input.pointer_mut(around).unwrap() {
            Value::Object(fields) => _ = fields.remove(last),
            Value::Array(list) => _ = list.remove(last.parse().unwrap()),
            _ => panic!("nothing is below {around}"),
        }
        input
    }

    #[test]
    fn a_value_that_does_not_fit_costs_itself_alone() {
        let inputs = [
            ("Bash", json!({"command": "rm -rf x", "description": "Tidy up", "run_in_background": true})),
            ("Read", json!({"file_path": "/w/a", "offset": 7})),
            ("Edit", json!({"file_path": "/w/a", "old_string": "a", "new_string": "b"})),
            ("Write", json!({"file_path": "/w/a", "content": "a\nb"})),
            (
                "MultiEdit",
                json!({"file_path": "/w/a", "edits": [
                    {"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}
                ]}),
            ),
            (
                "NotebookEdit",
                json!({
                    "notebook_path": "/w/n", "new_source": "x", "cell_id": "c", "cell_type": "code", "edit_mode": "insert"
                }),
            ),
            ("Glob", json!({"pattern": "*.rs", "path": "/w"})),
            ("Grep", json!({"pattern": "fn", "path": "/w"})),
            ("WebFetch", json!({"url": "https://a.example", "prompt": "What is it?"})),
            ("WebSearch", json!({"query": "terns"})),
            (
                "TodoWrite",
                json!({"todos": [
                    {"content": "Look", "status": "completed", "activeForm": "Looking"},
                    {"content": "Act", "status": "in_progress", "activeForm": "Acting"}
                ]}),
            ),
            (
                "TaskUpdate",
                json!({
                    "taskId": "3", "subject": "Look", "description": "All over", "status": "pending",
                    "activeForm": "Looking", "owner": "ada", "blocks": ["4", "5"], "blockedBy": ["1", "2"]
                }),
            ),
            (
                "AskUserQuestion",
                json!({"questions": [{
                    "question": "Which?", "header": "Colour", "multiSelect": true,
                    "options": [{"label": "Red", "description": "Warm", "preview": "r"}, {"label": "Blue"}]
                }]}),
            ),
            ("ExitPlanMode", json!({"plan": "# Go", "planFilePath": "/w/plan.md"})),
            ("Skill", json!({"skill": "pdf", "args": "a.pdf"})),
            ("mcp__git__log", json!({"count": 3})),
            ("Tomorrow", json!({"what": "ever"})),
        ];
        for (tool, input) in &inputs {
            for place in places(input, "") {
                let fitting = std::mem::discriminant(input.pointer(&place).unwrap());
                for other in [Value::Null, json!(true), json!(1), json!("x"), json!([]), json!({})] {
                    if std::mem::discriminant(&other) == fitting {
                        continue;
                    }
                    let mut changed = input.clone();
                    *changed.pointer_mut(&place).unwrap() = other;
                    assert_eq!(view(tool, &changed), view(tool, &without(input, &place)), "{tool} {changed}");
                }
            }
        }
        let (_, background) = view("Bash", &json!({"command": "rm -rf x", "run_in_background": "true"}));
        assert!(matches!(background, ToolView::Command { command, .. } if command.text == "rm -rf x"));
    }
}
