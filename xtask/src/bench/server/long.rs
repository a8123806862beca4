//! A long session as people have them, for what it takes in memory: an agent that says what it does, reads, searches, edits and
//! runs commands, each with what came of it. A text that only grows would take far less: the state keeps the head of it.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use lab::Reply;
use lab::agent::{Story, Turn};
use serde_json::{Value, json};

/// How many events each of them has at least.
pub(super) const EVENTS: usize = 10_000;

/// How often the agent says something and calls a tool. The stream of one such step is about sixty events.
const STEPS: usize = 180;

const WORDS: [&str; 16] = [
    "the", "parser", "reads", "a", "comma", "where", "none", "is", "and", "its", "test", "fails", "so", "we", "look",
    "there",
];

/// How long results are, in words. Most are short, and some are a screen full.
const RESULTS: [usize; 6] = [40, 90, 180, 360, 720, 1_440];

/// The story of such a session: one turn of many steps.
pub(super) fn story() -> Story {
    Story::new().turn((0..STEPS).fold(Turn::new(), step).says(words(80, 0)))
}

fn step(turn: Turn, number: usize) -> Turn {
    let file = format!("src/part{number}.rs");
    let result = lines(RESULTS[number % RESULTS.len()], number);
    let (tool, input, result): (_, Value, _) = match number % 4 {
        0 => (
            "Bash",
            json!({"command": format!("cargo test {}", words(5, number)), "description": words(5, number)}),
            result,
        ),
        1 => ("Read", json!({"file_path": file}), result),
        2 => ("Grep", json!({"pattern": words(1, number), "path": "src"}), result),
        _ => {
            let (old, new) = (lines(60, number), lines(80, number + 1));
            (
                "Edit",
                json!({"file_path": file, "old_string": old, "new_string": new}),
                "The file has been updated.".to_owned(),
            )
        }
    };
    turn.message(Reply::new().says(words(40, number)).calls(tool, input)).unasked().giving(result)
}

/// So many words, other ones for each number.
fn words(count: usize, number: usize) -> String {
    (0..count).map(|at| WORDS[(at * 7 + number) % WORDS.len()]).collect::<Vec<_>>().join(" ")
}

/// The same, ten to a line.
fn lines(count: usize, number: usize) -> String {
    (0..count.div_ceil(10)).map(|line| words(10, number + line)).collect::<Vec<_>>().join("\n")
}

/// The sessions of a server are as long as they should be, each by its log.
pub(super) fn check(place: &Path) -> Result<()> {
    for entry in std::fs::read_dir(place.join("data/sessions"))? {
        let log = entry?.path().join("log.jsonl");
        let text = std::fs::read(&log).with_context(|| format!("there is no `{}`", log.display()))?;
        let events = text.iter().filter(|byte| **byte == b'\n').count();
        ensure!(events >= EVENTS, "a long session has {events} records and not {EVENTS}");
    }
    Ok(())
}
