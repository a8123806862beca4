//! A call after it has run: its view and its result in, the view with what came of it out.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::event::tool::ToolCompletion;
use crate::place;
use crate::state::clip::{self, ADDRESS_BYTES, Clip, ResultContent, Room, SHORT_BYTES, VIEW_BYTES};
use crate::state::tool::{Diff, Hunk, ToolView, WebHit};

use super::input::set_hunks;
use super::lenient::*;
use super::patch::PatchLines;
use super::{Place, todos};

/// What came of a call.
pub(in crate::state::decide) struct Outcome {
    pub(in crate::state::decide) view: ToolView,
    /// The task that it goes on as.
    pub(in crate::state::decide) background_task: Option<String>,
}

/// The most bytes of what a tool gave, where its view has little else.
const OUTPUT_BYTES: usize = VIEW_BYTES - 4 * SHORT_BYTES;

/// The most bytes of what a command wrote.
const COMMAND_OUTPUT_BYTES: usize = 14 * 1024;

/// The view with what came of the call.
pub(in crate::state::decide) fn with_result(view: ToolView, completion: &ToolCompletion, seq: u64) -> Outcome {
    let result = Result { completion, seq };
    let mut background_task = None;
    let view = match view {
        ToolView::Command { command, description, interrupted, background, .. } => {
            let mut bash: BashResult = result.structured();
            background_task = bash.background_task_id.take();
            ToolView::Command {
                command,
                description,
                interrupted: interrupted || bash.interrupted == Some(true),
                output: result.command_output(bash),
                exit_code: completion.exit_code,
                background: background || background_task.is_some(),
            }
        }
        ToolView::Read { path, start_line, .. } => {
            let file = result.structured::<ReadResult>().file;
            ToolView::Read {
                path,
                content: match file.content {
                    Some(content) => result.structured_place().clip(content, OUTPUT_BYTES, "/file/content"),
                    None => result.words(OUTPUT_BYTES),
                },
                start_line: file.start_line.map(|line| line as u64).or(start_line),
                lines: file.num_lines.map(|count| count as u64),
                total_lines: file.total_lines.map(|count| count as u64),
            }
        }
        ToolView::Edit { diff, content } => result.edit(diff, content),
        ToolView::Search { pattern, path, .. } => {
            let found: SearchResult = result.structured();
            let names = || Some(found.filenames.join("\n")).filter(|names| !names.is_empty());
            let (text, below) = match found.content.filter(|content| !content.is_empty()) {
                Some(content) => (Some(content), "/content"),
                None => (names(), "/filenames/*"),
            };
            let count = match found.mode.as_deref() {
                Some("content") => found.num_lines,
                Some("count") => found.num_matches.or(found.num_files),
                _ => found.num_files,
            };
            ToolView::Search {
                pattern,
                path,
                output: result.text(text, below, OUTPUT_BYTES),
                count: count.map(|count| count as u64),
                truncated: found.truncated == Some(true),
            }
        }
        ToolView::Fetch { url, prompt, .. } => {
            let page: FetchResult = result.structured();
            ToolView::Fetch {
                url,
                prompt,
                output: result.text(page.result, "/result", OUTPUT_BYTES - ADDRESS_BYTES),
                code: page.code.map(|code| code as u64),
            }
        }
        ToolView::WebSearch { query, .. } => result.web_search(query),
        ToolView::Todo { todos } => result.todo(todos),
        ToolView::Notebook { path, cell_id, cell_type, edit_mode, language, source, .. } => {
            let cell: NotebookResult = result.structured();
            let place = result.structured_place();
            let told = cell.old_source.as_ref().map(|old| place.clip(old, VIEW_BYTES / 3, "/old_source"));
            let id = cell_id.as_deref().or(cell.cell_id.as_deref());
            let edit_mode = edit_mode.or_else(|| cell.edit_mode.as_deref().map(clip::short));
            let before = match edit_mode.as_deref() {
                Some("insert") => None,
                _ => cell.original_file.as_deref().zip(id).and_then(|(notebook, id)| cell_before(notebook, id)),
            };
            let (kind_before, source_before) = before.map(|before| (before.cell_type, before.source)).unzip();
            let old_source = told.or_else(|| short_source(source_before?));
            // A cell that is removed is called code, whatever it was.
            let removed = kind_before.flatten().filter(|_| edit_mode.as_deref() == Some("delete"));
            ToolView::Notebook {
                path,
                cell_id: cell_id.or_else(|| cell.cell_id.as_deref().map(clip::short)),
                cell_type: removed.or(cell.cell_type).as_deref().map(clip::short).or(cell_type),
                edit_mode,
                language: cell.language.as_deref().map(clip::short).or(language),
                source,
                old_source,
            }
        }
        ToolView::Question { questions, answers, notes } => {
            let told: Answers = result.structured();
            // Not every version repeats what was noted beside the answers.
            let notes = Some(told.notes()).filter(|told| !told.is_empty()).unwrap_or(notes);
            let answers = Some(told.into_lists()).filter(|told| !told.is_empty()).unwrap_or(answers);
            ToolView::Question { questions, answers, notes }
        }
        ToolView::Plan { plan, path } => {
            let told: PlanResult = result.structured();
            let told_plan = told.plan.filter(|plan| !plan.is_empty());
            ToolView::Plan {
                plan: told_plan.map_or(plan, |plan| result.structured_place().clip(plan, OUTPUT_BYTES, "/plan")),
                path: told.file_path.as_deref().map(clip::short).or(path),
            }
        }
        ToolView::Skill { skill, args, .. } => {
            ToolView::Skill { skill, args, output: result.text(None, "", OUTPUT_BYTES) }
        }
        ToolView::Mcp { server, tool, .. } => {
            ToolView::Mcp { server, tool, output: result.text(None, "", OUTPUT_BYTES) }
        }
        ToolView::Other { .. } => ToolView::Other { output: result.text(None, "", OUTPUT_BYTES) },
    };
    Outcome { view, background_task }
}

/// A cell as the notebook had it before.
fn cell_before(notebook: &str, id: &str) -> Option<Cell> {
    let notebook: Notebook = serde_json::from_str(notebook).ok()?;
    notebook.cells.into_iter().find(|cell| cell.id.as_deref() == Some(id))
}

/// What a cell said: versions before 2.1.325 tell it in no other way. One that is too long is left out, since nobody could show
/// the rest.
fn short_source(source: Source) -> Option<Clip> {
    let text = match source {
        Source::Whole(text) => text,
        Source::Lines(lines) => lines.concat(),
    };
    Some(Clip::new(text, VIEW_BYTES / 3, 0, "")).filter(|clip| clip.more.is_none())
}

/// As much of a notebook's file as tells what its cells say.
#[derive(serde::Deserialize)]
struct Notebook {
    cells: Vec<Cell>,
}

#[derive(serde::Deserialize)]
struct Cell {
    id: Option<String>,
    cell_type: Option<String>,
    source: Source,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Source {
    Whole(String),
    Lines(Vec<String>),
}

impl Answers {
    /// The answers as lists, as far as there is room for them.
    pub(in crate::state::decide) fn into_lists(self) -> BTreeMap<String, Vec<String>> {
        let mut room = Room(VIEW_BYTES / 6);
        let answers = room.list(self.answers, 10, |(question, Answer(answers)), room| {
            (room.text(&question), room.list(&answers, 3, |answer, room| room.text(answer)))
        });
        answers.into_iter().collect()
    }

    /// What was noted beside them, as far as there is room for it.
    pub(in crate::state::decide) fn notes(&self) -> BTreeMap<String, String> {
        let noted = self.annotations.iter().filter_map(|(question, Annotation { notes })| {
            notes.as_deref().filter(|notes| !notes.is_empty()).map(|notes| (question, notes))
        });
        let mut room = Room(VIEW_BYTES / 6);
        room.list(noted, 10, |(question, notes), room| (room.text(question), room.text(notes))).into_iter().collect()
    }
}

/// A completion, and the record that holds it.
struct Result<'a> {
    completion: &'a ToolCompletion,
    seq: u64,
}

impl<'a> Result<'a> {
    /// The structured result, if there is one of this call alone. A failed call has words instead.
    fn structured<T: DeserializeOwned + Default>(&self) -> T {
        let alone = self.completion.is_shared != Some(true);
        let object = self.completion.output.as_ref().filter(|output| alone && output.text().starts_with('{'));
        object.map(|output| output.read()).unwrap_or_default()
    }

    fn structured_place(&self) -> Place<'a> {
        Place { seq: self.seq, pointer: self.completion.output_pointer.unwrap_or_default() }
    }

    /// A text of the structured result, else what the model reads, else the result as it is.
    fn text(&self, structured: Option<String>, below: &str, limit: usize) -> Clip {
        if let Some(text) = structured {
            return self.structured_place().clip(text, limit, below);
        }
        match &self.completion.output {
            Some(output) if self.completion.content.is_none() && !self.completion.is_error => {
                match self.completion.output_pointer {
                    Some(_) => self.structured_place().clip(output.text(), limit, ""),
                    // What the model reads and that is no text, written anew.
                    None => Clip::cut(output.text(), limit),
                }
            }
            Some(_) | None => self.words(limit),
        }
    }

    /// What the model reads. What went wrong has a place of its own.
    fn words(&self, limit: usize) -> Clip {
        let content = self.completion.content.as_deref().filter(|_| !self.completion.is_error);
        content.map_or_else(Clip::default, |content| self.content(content, limit))
    }

    fn content(&self, text: &str, limit: usize) -> Clip {
        Clip::new(text, limit, self.seq, ResultContent(self.completion.block_index))
    }

    /// What a command wrote. Its errors stand in its output today; they did not in old versions.
    fn command_output(&self, bash: BashResult) -> Clip {
        match (bash.stdout, bash.stderr.filter(|text| !text.is_empty())) {
            (Some(stdout), Some(stderr)) => {
                let place = self.structured_place().pointer;
                let both = place::on_lines(stdout, &stderr);
                let text = both.trim_start_matches('\n');
                let pointer = format!("{place}/stdout {place}/stderr");
                Clip::new(text, COMMAND_OUTPUT_BYTES, self.seq, pointer).behind(both.len() - text.len())
            }
            (Some(stdout), None) => self.structured_place().clip(stdout, COMMAND_OUTPUT_BYTES, "/stdout"),
            (None, Some(stderr)) => self.structured_place().clip(stderr, COMMAND_OUTPUT_BYTES, "/stderr"),
            (None, None) => {
                let content = self.completion.content.as_deref().unwrap_or_default();
                let text = match self.completion.exit_code {
                    Some(_) => without_mark(content.trim_start().split_once('\n').map_or("", |(_, rest)| rest)),
                    None if self.completion.is_error => "",
                    None => content,
                };
                self.content(text, COMMAND_OUTPUT_BYTES).behind(content.find(text).unwrap_or(0))
            }
        }
    }

    /// A change that was made, or that could not be made and stays a proposal.
    fn edit(&self, mut diff: Diff, content: Option<Clip>) -> ToolView {
        if self.completion.is_error {
            return ToolView::Edit { diff, content };
        }
        diff.proposed = false;
        let edit: EditResult = self.structured();
        diff.user_modified = edit.user_modified == Some(true);
        let told = self.completion.content.as_deref().unwrap_or_default();
        diff.created = match edit.kind.as_deref() {
            Some(kind) => kind == "create",
            None => content.is_some() && told.starts_with("File created"),
        };
        let patch = edit.patch.unwrap_or_default();
        if patch.is_empty() {
            return ToolView::Edit { diff, content };
        }
        let sum = |count: fn(&PatchLines) -> u32| {
            patch.iter().fold(0_u32, |sum, hunk| sum.saturating_add(count(&hunk.lines)))
        };
        (diff.added, diff.removed) = (sum(|lines| lines.added), sum(|lines| lines.removed));
        let bytes = patch.iter().map(|hunk| hunk.lines.bytes).sum();
        set_hunks(&mut diff, patch.into_iter().map(PatchHunk::into_hunk).collect(), self.structured_place(), bytes);
        ToolView::Edit { diff, content: None }
    }

    fn web_search(&self, query: String) -> ToolView {
        let found: WebSearchResult = self.structured();
        let mut words = Vec::new();
        let mut pages = Vec::new();
        for finding in found.results {
            match finding {
                WebFinding::Words(text) => words.push(text),
                WebFinding::Pages(found) => pages.extend(found.content),
            }
        }
        let hits = Room(VIEW_BYTES / 3).list(&pages, 30, |page, room| WebHit {
            title: room.text(page.title.as_deref().unwrap_or_default()),
            url: room.whole(page.url.as_deref().unwrap_or_default()),
        });
        let words = Some(words.join("\n")).filter(|words| !words.trim().is_empty() || !hits.is_empty());
        ToolView::WebSearch { query, hits, output: self.text(words, "/results/*", VIEW_BYTES / 2) }
    }

    fn todo(&self, before: Vec<crate::event::task::TodoTask>) -> ToolView {
        let told: TodoResult = self.structured();
        let list = match (told.new_todos, told.tasks, told.task) {
            (Some(list), ..) | (None, Some(list), _) => todos(&list),
            (None, None, Some(task)) => {
                let mut list = todos(&[task]);
                // What was just made is told by its number alone.
                if let ([told], [asked]) = (list.as_mut_slice(), before.as_slice()) {
                    let described = told.description.take();
                    told.description = described.or_else(|| asked.description.clone());
                    told.active_form = told.active_form.take().or_else(|| asked.active_form.clone());
                }
                list
            }
            (None, None, None) => before,
        };
        ToolView::Todo { todos: list }
    }
}

/// What a command wrote, without the mark that an interrupt leaves behind it in old versions.
fn without_mark(output: &str) -> &str {
    let (before, last) = output.rsplit_once('\n').unwrap_or(("", output));
    if last.starts_with("[Request interrupted by user") { before } else { output }
}

impl PatchHunk {
    fn into_hunk(self) -> Hunk {
        Hunk {
            old_start: self.old_start as u32,
            old_lines: self.old_lines as u32,
            new_start: self.new_start as u32,
            new_lines: self.new_lines as u32,
            lines: self.lines.shown,
        }
    }
}
