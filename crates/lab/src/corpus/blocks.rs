//! What messages are made of: a source of words in; texts, thoughts, calls and what came of these out.

use serde_json::{Value, json};

use super::shapes::MODEL;
use super::text::{Random, code, output, path, prose, word};

/// A block of a message.
#[derive(Clone)]
pub(super) enum Block {
    Text(String),
    Thinking { text: String, signature: String },
    Call(Call),
}

/// A call of a tool.
#[derive(Clone)]
pub(super) struct Call {
    id: String,
    tool: &'static str,
    input: Value,
    /// The call whose subagent makes this one.
    by: Option<String>,
}

impl Call {
    /// Its id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// A call with an input of about `bytes` bytes.
    pub(super) fn new(random: &mut Random, bytes: usize, by: Option<&str>) -> Self {
        let (tool, input) = tool_input(random, bytes);
        Self::of(random, tool, input, by)
    }

    /// A call that changes a file.
    pub(super) fn edit(random: &mut Random, bytes: usize) -> Self {
        let (tool, input) = edit_input(random, bytes);
        Self::of(random, tool, input, None)
    }

    /// A call that starts a subagent.
    pub(super) fn agent(random: &mut Random) -> Self {
        let (description, prompt) = (prose(random, 20), prose(random, 300));
        let input = json!({"description": description, "prompt": prompt, "subagent_type": "general-purpose"});
        Self::of(random, "Agent", input, None)
    }

    fn of(random: &mut Random, tool: &'static str, input: Value, by: Option<&str>) -> Self {
        Self { id: random.id("toolu_01"), tool, input, by: by.map(str::to_owned) }
    }

    /// The tool.
    pub(super) fn tool(&self) -> &'static str {
        self.tool
    }

    /// Its input.
    pub(super) fn input(&self) -> &Value {
        &self.input
    }

    /// May the tool do harm?
    pub(super) fn changes_something(&self) -> bool {
        matches!(self.tool, "Bash" | "Write" | "Edit")
    }

    /// What came of it, about `bytes` bytes: what the model reads, and the same as data.
    pub(super) fn result(&self, random: &mut Random, bytes: usize) -> (String, Value) {
        match self.tool {
            "Bash" => {
                let stdout = output(random, bytes);
                let result = json!({
                    "stdout": stdout, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false,
                });
                (stdout, result)
            }
            "Read" => {
                let text = code(random, bytes);
                let lines = text.lines().count();
                let numbered: Vec<String> =
                    text.lines().enumerate().map(|(at, line)| format!("{}\t{line}", at + 1)).collect();
                let file = json!({
                    "filePath": self.input["file_path"], "content": text, "numLines": lines, "startLine": 1,
                    "totalLines": lines,
                });
                (numbered.join("\n"), json!({"type": "text", "file": file}))
            }
            "Agent" => {
                // It did the work so that others have less to read.
                let answer = prose(random, bytes / 8);
                let result = json!({
                    "status": "completed", "prompt": self.input["prompt"], "agentId": random.id("a"),
                    "agentType": "general-purpose", "content": [{"type": "text", "text": answer}],
                    "resolvedModel": MODEL, "totalDurationMs": random.between(900, 90_000),
                    "totalTokens": random.between(900, 90_000), "totalToolUseCount": random.between(0, 40),
                });
                (answer, result)
            }
            "Write" | "Edit" => self.edited(random, bytes),
            _ => {
                let text = output(random, bytes);
                let lines = text.lines().count();
                let result = json!({
                    "mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": lines, "totalLines": lines,
                });
                (text, result)
            }
        }
    }

    /// The same for a change of a file of about `bytes` bytes.
    pub(super) fn edited(&self, random: &mut Random, bytes: usize) -> (String, Value) {
        let input = &self.input;
        let file_path = input["file_path"].as_str().unwrap_or_default();
        if self.tool == "Edit" {
            // The whole file once and a small patch. Escapes add about a tenth.
            let original = code(random, bytes);
            let patch = hunk(&original, 4, 2);
            let result = json!({
                "filePath": file_path, "oldString": input["old_string"], "newString": input["new_string"],
                "originalFile": original, "structuredPatch": [patch], "userModified": false, "replaceAll": false,
                "contentNotInModelContext": true,
            });
            return (format!("The file {file_path} has been updated successfully."), result);
        }
        // The whole file as text and once more as removed lines.
        let original = code(random, bytes / 2);
        let patch = hunk(&original, usize::MAX, usize::MAX);
        let result = json!({
            "type": "update", "filePath": file_path, "content": input["content"], "structuredPatch": [patch],
            "originalFile": original, "userModified": false,
        });
        (format!("The file {file_path} has been overwritten."), result)
    }

    /// The call whose subagent makes this one.
    pub(super) fn by(&self) -> Option<&str> {
        self.by.as_deref()
    }
}

impl Block {
    /// The block as it is before its pieces come.
    pub(super) fn empty(&self) -> Value {
        match self {
            Self::Text(_) => json!({"type": "text", "text": ""}),
            Self::Thinking { .. } => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Self::Call(call) => json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": {}}),
        }
    }

    /// The block when it is done.
    pub(super) fn whole(&self) -> Value {
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::Thinking { text, signature } => {
                json!({"type": "thinking", "thinking": text, "signature": signature})
            }
            Self::Call(call) => json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": call.input}),
        }
    }

    /// The pieces in which it is streamed.
    pub(super) fn pieces(&self, random: &mut Random) -> Vec<Value> {
        match self {
            Self::Text(text) => {
                let pieces = cut(random, text, 6, 28).into_iter();
                pieces.map(|piece| json!({"type": "text_delta", "text": piece})).collect()
            }
            Self::Thinking { text, signature } => {
                let pieces = cut(random, text, 6, 28).into_iter();
                let pieces = pieces.map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
                pieces.chain([json!({"type": "signature_delta", "signature": signature})]).collect()
            }
            Self::Call(call) => {
                let pieces = cut(random, &call.input.to_string(), 3, 24).into_iter();
                pieces.map(|piece| json!({"type": "input_json_delta", "partial_json": piece})).collect()
            }
        }
    }
}

/// A text in pieces of `low` to `high` characters, as a model writes it.
fn cut(random: &mut Random, text: &str, low: usize, high: usize) -> Vec<String> {
    let mut signs = text.chars().peekable();
    let mut pieces = Vec::new();
    while signs.peek().is_some() {
        pieces.push(signs.by_ref().take(random.between(low, high)).collect());
    }
    pieces
}

/// A tool's name and an input of about `bytes` bytes.
fn tool_input(random: &mut Random, bytes: usize) -> (&'static str, Value) {
    match random.between(0, 5) {
        0 => ("Read", json!({"file_path": path(random), "offset": random.between(1, 900), "limit": 200})),
        1 => ("Bash", json!({"command": output(random, bytes.min(300)), "description": prose(random, 20)})),
        2 => ("Grep", json!({"pattern": word(random), "path": path(random), "output_mode": "content"})),
        _ => edit_input(random, bytes),
    }
}

/// A tool that changes a file, and an input of about `bytes` bytes.
fn edit_input(random: &mut Random, bytes: usize) -> (&'static str, Value) {
    if random.one_in(2) {
        return ("Write", json!({"file_path": path(random), "content": code(random, bytes)}));
    }
    // Most of an edit stays as it was.
    let old = code(random, bytes / 2);
    let new: String =
        old.lines().map(|line| if random.one_in(4) { code(random, 1) } else { format!("{line}\n") }).collect();
    ("Edit", json!({"file_path": path(random), "old_string": old, "new_string": new, "replace_all": false}))
}

/// A hunk over the first `lines` lines of a file, of which the first `removed` are taken out.
fn hunk(original: &str, lines: usize, removed: usize) -> Value {
    let marked: Vec<String> = original
        .lines()
        .take(lines)
        .enumerate()
        .map(|(at, line)| format!("{}{line}", if at < removed { '-' } else { ' ' }))
        .collect();
    json!({
        "oldStart": 1, "oldLines": marked.len(), "newStart": 1, "newLines": marked.len().saturating_sub(removed),
        "lines": marked,
    })
}
