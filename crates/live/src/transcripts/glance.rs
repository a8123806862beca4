//! A glance at a transcript: its first and its last few kilobytes in, what a list shows of it out. Pure.

use std::borrow::Cow;

use claude_protocol::transcript::{AssistantEntry, AttachmentEntry, UserEntry};
use claude_protocol::{Entry, decode_as};
use memchr::{memchr, memmem, memrchr};

use super::mend::mend;
use super::words::prompt;

/// How much of a prompt is shown, in bytes.
const PROMPT: usize = 400;

/// A title is a line, and a short one.
const TITLE: usize = 120;

/// An entry that is longer, in bytes, is none of a title.
const TITLE_ENTRY: usize = 4 * 1024;

/// What can be seen without reading a file as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Glance {
    /// Where the session began.
    pub(super) cwd: Option<String>,
    /// A title that somebody gave; else what was first said.
    pub(super) title: Option<String>,
    /// What was first said to the agent, cut short.
    pub(super) first_prompt: Option<String>,
    /// The CLI that wrote last.
    pub(super) version: Option<String>,
    /// The branch at the end.
    pub(super) git_branch: Option<String>,
    /// Is it the file of a subagent?
    pub(super) is_side: bool,
}

/// What `head` and `tail` tell. They may be the same bytes, if these are `whole`, the whole file.
pub(super) fn glance(head: &[u8], tail: &[u8], whole: bool) -> Glance {
    let mut glance = Glance::default();
    let mut titles = Titles::default();
    let mut command = None;
    for (line, is_cut) in first_lines(head, whole) {
        if glance.is_known() {
            break;
        }
        let text = text_of(line, is_cut);
        let entry = decode_as::<Entry>(&*text).body;
        if entry.place().is_sidechain == Some(true) {
            return Glance { is_side: true, ..Glance::default() };
        }
        glance.fill(&entry);
        if let (Entry::User(_), None) = (&entry, &glance.first_prompt) {
            match prompt(&*text) {
                // It says little of a session that it began with `/model`.
                Some(prompt) if prompt.starts_with('/') => command = command.or(Some(prompt)),
                prompt => glance.first_prompt = prompt,
            }
        }
    }
    titles.look(head);
    if !whole {
        titles.look(tail);
    }
    glance.end(last_lines(tail, whole));
    glance.first_prompt = glance.first_prompt.or(command).map(|prompt| cut(prompt.trim(), PROMPT));
    glance.title = titles.best().or_else(|| first_line(glance.first_prompt.as_deref()?));
    glance
}

impl Glance {
    fn is_known(&self) -> bool {
        self.cwd.is_some() && self.first_prompt.is_some() && self.version.is_some()
    }

    /// Takes what is not known yet.
    fn fill(&mut self, entry: &Entry) {
        let Some(setting) = Setting::of(entry) else { return };
        let fill = |known: &mut Option<String>, told: &Option<String>| {
            if known.is_none() {
                *known = told.clone().filter(|text| !text.is_empty());
            }
        };
        fill(&mut self.cwd, setting.cwd);
        fill(&mut self.version, setting.version);
        fill(&mut self.git_branch, setting.git_branch);
    }

    /// The last message says what the session has come to.
    fn end<'a>(&mut self, lines: impl Iterator<Item = &'a [u8]>) {
        for line in lines {
            // The large ones of the CLI's own books have none.
            if memmem::find(line, b"\"gitBranch\"").is_none() {
                continue;
            }
            let entry = decode_as::<Entry>(&*text_of(line, false)).body;
            if let Some(setting) = Setting::of(&entry) {
                let mut last = Glance::default();
                last.fill(&entry);
                // An empty branch is told: there is none.
                self.git_branch = if setting.git_branch.is_some() { last.git_branch } else { self.git_branch.take() };
                self.version = last.version.or(self.version.take());
                self.cwd = self.cwd.take().or(last.cwd);
                return;
            }
        }
    }
}

/// What a message says about where it was said.
struct Setting<'a> {
    cwd: &'a Option<String>,
    version: &'a Option<String>,
    git_branch: &'a Option<String>,
}

impl<'a> Setting<'a> {
    fn of(entry: &'a Entry) -> Option<Setting<'a>> {
        Some(match entry {
            Entry::User(entry) => {
                let UserEntry { cwd, version, git_branch, .. } = &**entry;
                Setting { cwd, version, git_branch }
            }
            Entry::Assistant(entry) => {
                let AssistantEntry { cwd, version, git_branch, .. } = &**entry;
                Setting { cwd, version, git_branch }
            }
            Entry::Attachment(entry) => {
                let AttachmentEntry { cwd, version, git_branch, .. } = &**entry;
                Setting { cwd, version, git_branch }
            }
            _ => return None,
        })
    }
}

/// The titles that a file has, the last of each kind.
#[derive(Default)]
struct Titles {
    custom: Option<String>,
    by_model: Option<String>,
    summary: Option<String>,
}

impl Titles {
    /// Looks for titles. Their entries have no fixed place; the CLI writes the last one again when it ends.
    fn look(&mut self, bytes: &[u8]) {
        let markers = [&b"\"custom-title\""[..], b"\"ai-title\"", b"\"summary\""].map(memmem::Finder::new);
        for (line, _) in first_lines(bytes, true) {
            if line.len() > TITLE_ENTRY || markers.iter().all(|marker| marker.find(line).is_none()) {
                continue;
            }
            match decode_as::<Entry>(&*text_of(line, false)).body {
                Entry::CustomTitle(entry) => self.custom = entry.custom_title.or(self.custom.take()),
                Entry::AiTitle(entry) => self.by_model = entry.ai_title.or(self.by_model.take()),
                Entry::Summary(entry) => self.summary = entry.summary.or(self.summary.take()),
                _ => {}
            }
        }
    }

    /// What the user chose counts most.
    fn best(self) -> Option<String> {
        [self.custom, self.by_model, self.summary].into_iter().flatten().find_map(|title| first_line(&title))
    }
}

/// The lines at the beginning, and whether the last is cut.
fn first_lines(head: &[u8], whole: bool) -> impl Iterator<Item = (&[u8], bool)> {
    let mut rest = Some(head);
    std::iter::from_fn(move || {
        let bytes = rest?;
        match memchr(b'\n', bytes) {
            Some(end) => {
                rest = Some(&bytes[end + 1..]);
                Some((&bytes[..end], false))
            }
            None => {
                rest = None;
                Some((bytes, !whole))
            }
        }
    })
    .filter(|(line, _)| !line.is_empty())
}

/// The whole lines at the end, the last one first.
fn last_lines(tail: &[u8], whole: bool) -> impl Iterator<Item = &[u8]> {
    let begin = if whole { 0 } else { memchr(b'\n', tail).map_or(tail.len(), |newline| newline + 1) };
    let mut rest = Some(&tail[begin..]);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let newline = memrchr(b'\n', bytes);
        rest = newline.map(|at| &bytes[..at]);
        Some(&bytes[newline.map_or(0, |at| at + 1)..])
    })
    .filter(|line| !line.is_empty())
}

/// A line as text. What was cut is made whole again, without the character that the cut went through.
fn text_of(line: &[u8], is_cut: bool) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(line);
    if is_cut { Cow::Owned(mend(text.trim_end_matches('\u{fffd}'))) } else { text }
}

fn first_line(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(|line| cut(line, TITLE))
}

/// The beginning of a text, at most so many bytes.
fn cut(text: &str, bytes: usize) -> String {
    let end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= bytes).last();
    text[..end.unwrap_or(0)].to_owned()
}
