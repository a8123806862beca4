//! The terminal as a screen: events in; the agent's words on stdout and all talk about them on stderr out.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use insights::event::stream::{StreamDelta, StreamDeltaKind};
use insights::event::text::{Text, TextKind};
use insights::event::tool::{ToolCompletion, ToolInvocation};
use insights::event::turn::TurnComplete;
use insights::state::tool::{Diff, Everywhere};
use insights::{Body, InsightsEvent, Json};
use live::Session;

use super::{colour, talk};

/// How much of a tool's output is shown.
const SHOWN_LINES: usize = 4;
const SHOWN_WIDTH: usize = 140;

/// What has been written, as far as it matters for what comes.
pub(crate) struct Screen {
    json: bool,
    colour: bool,
    /// Is anyone looking at stderr?
    watched: bool,
    /// The words of the message that came last were written as they came.
    streamed: bool,
    /// Something stands on the line of stdout that is not ended.
    line_open: bool,
    /// Something of the text that goes on was written.
    wrote: bool,
    /// A text of this turn has ended; a blank line sets the next one apart.
    text_ended: bool,
    thinking: bool,
}

impl Screen {
    pub(crate) fn new(json: bool) -> Screen {
        let watched = io::stderr().is_terminal();
        Screen {
            json,
            colour: colour(),
            watched,
            streamed: false,
            line_open: false,
            wrote: false,
            text_ended: false,
            thinking: false,
        }
    }

    /// Shows what happened.
    pub(crate) fn show(&mut self, event: &InsightsEvent) -> Result<()> {
        if self.json {
            let mut stdout = io::stdout().lock();
            serde_json::to_writer(&mut stdout, event)?;
            writeln!(stdout)?;
            return Ok(stdout.flush()?);
        }
        match &event.body {
            Body::StreamDelta(delta) if delta.parent_call_id.is_none() => self.delta(delta)?,
            Body::Text(text) if text.parent_call_id.is_none() => self.text(text)?,
            Body::ToolInvocation(call) => self.call(call)?,
            Body::ToolCompletion(completion) => self.result(completion)?,
            Body::LocalCommandOutput(output) => self.say(&output.text)?,
            Body::ApiRetry(_) => self.hint("The model could not be reached; trying again."),
            Body::Notice(notice) if notice.source == "host" => self.hint(&clean(&notice.text)),
            Body::TurnComplete(turn) => self.turn(turn)?,
            _ => {}
        }
        Ok(())
    }

    fn delta(&mut self, delta: &StreamDelta) -> Result<()> {
        match delta.kind {
            StreamDeltaKind::Text => {
                self.streamed = true;
                self.write(delta.text_delta.as_deref().unwrap_or_default())?;
            }
            StreamDeltaKind::Thinking if !self.thinking => {
                self.thinking = true;
                self.dim("thinking…");
            }
            StreamDeltaKind::MessageStart => self.streamed = false,
            StreamDeltaKind::BlockStop => self.end_text()?,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &Text) -> Result<()> {
        match text.kind {
            TextKind::Thinking => Ok(()),
            TextKind::Error => {
                self.end_line()?;
                self.red(&clean(&text.text));
                Ok(())
            }
            _ if self.streamed => Ok(()),
            _ => self.say(&text.text),
        }
    }

    fn call(&mut self, call: &ToolInvocation) -> Result<()> {
        self.end_line()?;
        self.thinking = false;
        let lane = if call.parent_call_id.is_some() { "  " } else { "" };
        let about = about(&call.input).map(|about| format!(" {about}")).unwrap_or_default();
        let (on, off) = self.marks("\x1b[1m");
        self.talk(&format!("{lane}● {on}{}{off}{}\n", clean(&call.tool_name), cut(&clean(&about), SHOWN_WIDTH)));
        Ok(())
    }

    fn result(&mut self, completion: &ToolCompletion) -> Result<()> {
        self.end_line()?;
        let lane = if completion.parent_call_id.is_some() { "  " } else { "" };
        let text = clean(completion.error_text.as_deref().or(completion.content.as_deref()).unwrap_or_default());
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let (on, off) = self.marks(if completion.is_error { "\x1b[31m" } else { "\x1b[2m" });
        for (number, line) in lines.iter().take(SHOWN_LINES).enumerate() {
            let lead = if number == 0 { "⎿" } else { " " };
            self.talk(&format!("{lane}  {on}{lead} {}{off}\n", cut(line, SHOWN_WIDTH)));
        }
        if lines.len() > SHOWN_LINES {
            self.talk(&format!("{lane}  {on}  … {} more lines{off}\n", lines.len() - SHOWN_LINES));
        }
        Ok(())
    }

    fn turn(&mut self, turn: &TurnComplete) -> Result<()> {
        self.end_line()?;
        self.streamed = false;
        self.text_ended = false;
        self.thinking = false;
        for error in turn.errors.iter().flatten() {
            self.red(&clean(error));
        }
        if turn.is_error && turn.errors.as_ref().is_none_or(Vec::is_empty) {
            let result = turn.result.as_deref().or(turn.subtype.as_deref()).unwrap_or("The turn failed.");
            self.red(&clean(result));
        }
        let seconds = turn.duration_ms.map(|duration| format!("{:.1} s", duration / 1000.0));
        let cost = turn.turn_cost_usd.map(|cost| format!("${cost:.4}"));
        let word = turn.is_interrupted.then(|| "interrupted".to_owned());
        let parts: Vec<String> = [word, seconds, cost].into_iter().flatten().collect();
        self.dim(&parts.join(" · "));
        Ok(())
    }

    /// The agent is gone: why, as far as it is known.
    pub(crate) fn died(&mut self, session: &Session) {
        let (words, tail) = session.with_state(|state| {
            let tail = state.status.exit.as_ref().map(|exit| exit.stderr_tail.clone()).unwrap_or_default();
            (state.status.words.clone(), tail)
        });
        self.red(&format!("{}.", words.trim_end_matches('.')));
        for line in tail {
            self.talk(&format!("  {}\n", clean(&line)));
        }
    }

    /// A remark about what goes on.
    pub(crate) fn hint(&mut self, text: &str) {
        if self.watched {
            self.dim(text);
        }
    }

    /// Something that the user is asked.
    pub(crate) fn question(&mut self, text: &str) {
        let _ = self.end_line();
        let (on, off) = self.marks("\x1b[1;33m");
        let text = clean(text);
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        self.talk(&format!("\n{on}? {first}{off}\n"));
        if !rest.is_empty() {
            self.talk(&format!("{rest}\n"));
        }
    }

    /// What can be answered.
    pub(crate) fn choices(&mut self, keys: &[(String, String)]) {
        let width = keys.iter().map(|(key, _)| key.chars().count()).max().unwrap_or_default();
        let (on, off) = self.marks("\x1b[1m");
        for (key, meaning) in keys {
            let room = " ".repeat(width - key.chars().count());
            self.talk(&format!("  {on}{key}{off}{room}  {}\n", clean(meaning)));
        }
    }

    /// Here is where the answer is typed.
    pub(crate) fn mark(&mut self) {
        self.talk("> ");
    }

    /// Here is where the next prompt is typed.
    pub(crate) fn invite(&mut self) {
        let _ = self.end_line();
        let (on, off) = self.marks("\x1b[1;36m");
        self.talk(&format!("\n{on}›{off} "));
    }

    /// Whole words of the agent.
    fn say(&mut self, text: &str) -> Result<()> {
        self.end_line()?;
        self.write(text)?;
        self.end_text()
    }

    fn end_text(&mut self) -> Result<()> {
        self.text_ended |= self.wrote;
        self.wrote = false;
        self.end_line()
    }

    fn write(&mut self, text: &str) -> Result<()> {
        let text = clean(text);
        if text.is_empty() {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        if std::mem::take(&mut self.text_ended) {
            writeln!(stdout)?;
        }
        stdout.write_all(text.as_bytes())?;
        stdout.flush()?;
        self.wrote = true;
        self.line_open = !text.ends_with('\n');
        Ok(())
    }

    fn end_line(&mut self) -> Result<()> {
        if std::mem::take(&mut self.line_open) {
            let mut stdout = io::stdout().lock();
            writeln!(stdout)?;
            stdout.flush()?;
        }
        Ok(())
    }

    fn dim(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let _ = self.end_line();
        let (on, off) = self.marks("\x1b[2m");
        self.talk(&format!("{on}{text}{off}\n"));
    }

    fn red(&mut self, text: &str) {
        let _ = self.end_line();
        let (on, off) = self.marks("\x1b[31m");
        talk(&format!("{on}{text}{off}\n"));
    }

    /// Talk about what goes on; with `--json` all of that is in the events.
    fn talk(&self, text: &str) {
        if !self.json || text.starts_with('>') {
            talk(text);
        }
    }

    fn marks(&self, on: &'static str) -> (&'static str, &'static str) {
        if self.colour { (on, "\x1b[0m") } else { ("", "") }
    }
}

/// The one part of an input that says what a call is about.
fn about(input: &Json) -> Option<String> {
    let input: serde_json::Value = serde_json::from_str(input.text()).ok()?;
    let keys = ["command", "file_path", "notebook_path", "pattern", "url", "query", "description", "skill", "path"];
    let value = keys.iter().find_map(|key| input.get(key)?.as_str())?;
    Some(value.lines().next().unwrap_or_default().to_owned())
}

/// Text without what would steer the terminal: the agent's words are words.
pub(crate) fn clean(text: &str) -> String {
    text.chars().filter(|one| !one.is_control() || matches!(one, '\n' | '\t')).collect()
}

fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A change as people read it.
pub(crate) fn diff_text(diff: &Diff) -> String {
    let everywhere = match diff.everywhere {
        Some(Everywhere::All) => ", every occurrence",
        Some(Everywhere::Some) => ", some at every occurrence",
        None => "",
    };
    let mut text = format!("{} (+{} −{}{everywhere})", diff.path, diff.added, diff.removed);
    for hunk in &diff.hunks {
        for line in hunk.lines.iter() {
            text.push('\n');
            text.push_str(line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_agent_cannot_steer_the_terminal() {
        assert_eq!(clean("a\x1b[2Jb\r\x07c\n\td"), "a[2Jbc\n\td");
    }

    #[test]
    fn a_call_is_told_by_what_it_is_about() {
        let about = |input: serde_json::Value| about(&Json::from(input));
        assert_eq!(about(serde_json::json!({"command": "ls\nrm", "description": "x"})).as_deref(), Some("ls"));
        assert_eq!(about(serde_json::json!({"file_path": "/a"})).as_deref(), Some("/a"));
        assert_eq!(about(serde_json::json!({"n": 1})), None);
        assert_eq!(cut("äöü", 2), "äö…");
    }
}
