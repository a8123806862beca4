//! Decides which reply of the script a request gets.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Value, json};

use crate::error::LabError;
use crate::script::{Reply, Script};

/// What a request is for. The story's replies are only for the story's requests, so what a CLI version asks on the side
/// does not shift them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A step of the conversation or of a subagent.
    Story,
    /// A call without tools that something waits for: a title, a summary, the prefix of a command.
    Side,
    /// A call that nothing waits for: 2.1.1 warms its agents up, the versions to 2.1.38 ask which files the user changes
    /// often. It is never answered, since a late answer would change the usage figures of the story.
    Background,
    /// `count_tokens`.
    CountTokens,
    /// Anything else; answered with 404.
    Other,
}

/// A reply with the numbers its ids are made of.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) reply: Reply,
    /// The place of the reply in the script, from 1; 0 for a stock answer.
    place: usize,
    /// Which time this reply is given.
    turn: usize,
}

/// The script and how far it is used.
#[derive(Debug)]
pub(super) struct Chooser {
    replies: Vec<Entry>,
    stock: usize,
}

#[derive(Debug)]
struct Entry {
    reply: Reply,
    matches: Option<Regex>,
    model: Option<Regex>,
    given: usize,
}

#[cfg(feature = "stage")]
impl RequestKind {
    pub(super) fn of(method: &axum::http::Method, path: &str, body: &Value) -> RequestKind {
        if method != axum::http::Method::POST || !path.starts_with("/v1/messages") {
            return RequestKind::Other;
        }
        if path.ends_with("count_tokens") {
            return RequestKind::CountTokens;
        }
        let last = last_text(body);
        if last == "Warmup" || last.starts_with("Files modified by user:") {
            return RequestKind::Background;
        }
        match body["tools"].as_array() {
            Some(tools) if !tools.is_empty() => RequestKind::Story,
            _ => RequestKind::Side,
        }
    }
}

impl Choice {
    /// A reply that was told instead of chosen.
    pub(crate) fn told(reply: Reply, place: usize) -> Choice {
        Choice { reply, place, turn: 1 }
    }

    /// `msg_lab0001` for the first reply of the script; a reply given again says so.
    pub(crate) fn message_id(&self) -> String {
        format!("msg_lab{}", self.number(""))
    }

    pub(crate) fn request_id(&self) -> String {
        format!("req_lab{}", self.number(""))
    }

    pub(crate) fn tool_use_id(&self, block: usize) -> String {
        format!("toolu_lab{}", self.number(&format!("{block:02}")))
    }

    fn number(&self, block: &str) -> String {
        let again = if self.turn > 1 { format!("x{}", self.turn) } else { String::new() };
        format!("{:04}{block}{again}", self.place)
    }
}

impl Chooser {
    pub(super) fn new(script: Script) -> Result<Chooser, LabError> {
        Ok(Chooser { replies: entries(script)?, stock: 0 })
    }

    /// Another story from now on. What there was keeps its place as if it had been given: ids are made of places, and none
    /// may come twice.
    #[cfg(feature = "stage")]
    pub(super) fn tell(&mut self, script: Script) -> Result<(), LabError> {
        let told = entries(script)?;
        for entry in &mut self.replies {
            entry.given = entry.given.max(1);
            entry.reply.reuse = false;
        }
        self.replies.extend(told);
        Ok(())
    }

    /// The reply for a request: first one that matches it, then one for anyone, then a stock answer.
    pub(super) fn choose(&mut self, request: &Value, kind: RequestKind) -> Choice {
        let haystack = haystack(request);
        let model = request["model"].as_str().unwrap_or_default();
        let fits = |entry: &Entry| {
            (entry.given == 0 || entry.reply.reuse)
                && entry.model.as_ref().is_none_or(|pattern| pattern.is_match(model))
        };
        let matched = self
            .replies
            .iter()
            .position(|entry| fits(entry) && entry.matches.as_ref().is_some_and(|pattern| pattern.is_match(&haystack)));
        let place = matched.or_else(|| {
            let allowed = |entry: &Entry| entry.matches.is_none() && (kind == RequestKind::Story || entry.reply.side);
            self.replies.iter().position(|entry| fits(entry) && allowed(entry))
        });
        match place {
            Some(place) => {
                let entry = &mut self.replies[place];
                entry.given += 1;
                let mut reply = entry.reply.clone();
                fill_plan_file(&mut reply, request);
                Choice { reply, place: place + 1, turn: entry.given }
            }
            None => {
                self.stock += 1;
                Choice { reply: stock_answer(request, kind), place: 0, turn: self.stock }
            }
        }
    }

    #[cfg(feature = "stage")]
    pub(super) fn unused(&self) -> usize {
        self.replies.iter().filter(|entry| entry.given == 0).count()
    }
}

/// The part of a request that `match` looks at.
pub(super) fn haystack(request: &Value) -> String {
    let none = Vec::new();
    let messages = request["messages"].as_array().unwrap_or(&none);
    let text = |message: Option<&Value>| message.map_or_else(String::new, Value::to_string);
    format!("{}\n{}", text(messages.first()), text(messages.last()))
}

fn entries(script: Script) -> Result<Vec<Entry>, LabError> {
    let entry = |reply: Reply| {
        let matches = reply.matches.as_deref().map(pattern).transpose()?;
        let model = reply.model.as_deref().map(pattern).transpose()?;
        Ok(Entry { reply, matches, model, given: 0 })
    };
    Vec::from(script).into_iter().map(entry).collect()
}

fn pattern(text: &str) -> Result<Regex, LabError> {
    Regex::new(&format!("(?s){text}")).map_err(|error| LabError::Step { reason: error.to_string() })
}

/// The text of the last message, when it is a single one.
fn last_text(request: &Value) -> &str {
    let content =
        &request["messages"].as_array().and_then(|messages| messages.last()).unwrap_or(&Value::Null)["content"];
    content.as_str().or_else(|| content[0]["text"].as_str()).unwrap_or_default()
}

/// What a request gets that the script does not speak of. It costs nothing, so totals stay those of the story.
fn stock_answer(request: &Value, kind: RequestKind) -> Reply {
    let free = json!({"input_tokens": 0, "output_tokens": 0, "final_output_tokens": 0});
    let text = match kind {
        RequestKind::Side if last_text(request).contains("<policy_spec>") => command_prefix(last_text(request)),
        RequestKind::Side => r#"{"title": "Lab session"}"#.to_owned(),
        _ => "OK.".to_owned(),
    };
    Reply { usage: free.as_object().cloned().unwrap_or_default(), ..Reply::new().says(text) }
}

/// 2.1.1 asks a small model for the prefix of a shell command before it asks the host: the first word will do.
fn command_prefix(prompt: &str) -> String {
    let command = prompt.rsplit("Command:").next().unwrap_or_default().trim_start();
    command.split_whitespace().next().unwrap_or("none").to_owned()
}

/// Puts the plan file that the CLI told the model about in the place of `$PLANFILE`.
fn fill_plan_file(reply: &mut Reply, request: &Value) {
    let holds = |value: &Value| value.to_string().contains("$PLANFILE");
    if !reply.blocks.iter().any(holds) {
        return;
    }
    let path = plan_file(&request.to_string()).unwrap_or_else(|| "/nonexistent-plan.md".to_owned());
    for block in &mut reply.blocks {
        replace_text(block, &BTreeMap::from([("$PLANFILE", path.as_str())]));
    }
}

fn plan_file(request: &str) -> Option<String> {
    let found = Regex::new(r#"(/[^\s"\\`]+/\.claude/plans/[\w.-]+\.md)"#).ok()?.captures(request)?;
    Some(found[1].to_owned())
}

fn replace_text(value: &mut Value, texts: &BTreeMap<&str, &str>) {
    match value {
        Value::String(text) => {
            for (name, replacement) in texts {
                *text = text.replace(name, replacement);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_text(item, texts)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace_text(field, texts)),
        _ => {}
    }
}
