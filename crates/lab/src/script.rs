//! What the scripted model will say: a list of replies, told in Rust like a story or read from a scenario file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The replies of a model, in the order of the story.
///
/// Each request of the main conversation takes the first reply that is left. Replies with a [`Reply::matches`] wait for
/// the request they match (that is how subagents get their own lines).
///
/// ```
/// use lab::Script;
/// use serde_json::json;
///
/// let script = Script::new()
///     .thinks("A command will tell.")
///     .calls("Bash", json!({"command": "ls", "description": "List files"}))
///     .fails(529)
///     .says("There is one file.");
/// assert_eq!(script.replies().len(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Reply>", into = "Vec<Reply>")]
pub struct Script {
    replies: Vec<Reply>,
    thoughts: Vec<Value>,
}

/// One answer of the model to one request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    /// A regular expression over the first and the last message of the request; without one the reply is for anyone.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<String>,
    /// A regular expression over the model's name in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// May answer a request without tools (a title, a summary), which otherwise gets a stock answer.
    #[serde(skip_serializing_if = "is_false")]
    pub side: bool,
    /// Is not used up.
    #[serde(skip_serializing_if = "is_false")]
    pub reuse: bool,
    /// Fail with this HTTP status instead of answering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The `error` object that goes with `status`; a fitting one is made up if it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    /// More response headers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The content blocks, as the Messages API has them. A text block may have `repeat`, a tool call may lack its `id`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Value>,
    /// The stop reason; else `tool_use` or `end_turn`, as the blocks are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// Usage figures that differ from the stock ones; `final_output_tokens` is what the end of the stream reports.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub usage: Map<String, Value>,
    /// Waits this long after each delta.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// Waits this long before answering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_delay_ms: Option<u64>,
    /// Characters for each delta; else text comes word by word and tool input in pieces of 24.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<usize>,
    /// Cuts the connection after so many deltas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_after: Option<usize>,
    /// Answers only once this gate was released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
    /// Stands still in the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<Pause>,
    /// Ends the stream with an `error` event of this content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_event: Option<Value>,
    /// More fields for the `delta` of the closing `message_delta`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub delta_extra: Map<String, Value>,
    /// Spoils the stream after the first delta.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<Broken>,
}

/// Where a stream stands still, and until when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// After so many deltas.
    pub after: usize,
    /// Until this gate is released; a gate that nobody releases holds until the client goes away.
    pub gate: String,
}

/// How a stream can be spoiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Broken {
    /// An event whose `data` is cut JSON.
    Json,
    /// Bytes that are no server-sent event at all.
    Event,
}

impl Script {
    /// A model that has nothing to say yet; it answers `OK.` to everything.
    pub fn new() -> Script {
        Script::default()
    }

    /// A reply of one text.
    pub fn says(self, text: impl Into<String>) -> Script {
        self.reply(Reply::new().says(text))
    }

    /// A reply of one tool call.
    pub fn calls(self, tool: impl Into<String>, input: Value) -> Script {
        self.reply(Reply::new().calls(tool, input))
    }

    /// A thought that opens the next reply.
    pub fn thinks(mut self, thought: impl Into<String>) -> Script {
        self.thoughts.push(thinking(thought.into()));
        self
    }

    /// A failed request.
    pub fn fails(self, status: u16) -> Script {
        self.reply(Reply { status: Some(status), ..Reply::default() })
    }

    /// A reply built by hand, for several blocks in one message.
    pub fn reply(mut self, mut reply: Reply) -> Script {
        reply.blocks.splice(0..0, self.thoughts.drain(..));
        self.replies.push(reply);
        self
    }

    /// The last reply waits for a request whose first or last message matches.
    pub fn when(self, pattern: impl Into<String>) -> Script {
        self.change_last(|reply| reply.matches = Some(pattern.into()))
    }

    /// The last reply can be given again and again.
    pub fn always(self) -> Script {
        self.change_last(|reply| reply.reuse = true)
    }

    /// The last reply streams slowly.
    pub fn slowly(self, delay_ms: u64) -> Script {
        self.change_last(|reply| reply.delay_ms = Some(delay_ms))
    }

    /// The last reply's connection is cut after so many deltas.
    pub fn cut_after(self, deltas: usize) -> Script {
        self.change_last(|reply| reply.drop_after = Some(deltas))
    }

    /// The last reply stands still after so many deltas, until `gate` is released.
    pub fn pausing_after(self, deltas: usize, gate: impl Into<String>) -> Script {
        self.change_last(|reply| reply.pause = Some(Pause { after: deltas, gate: gate.into() }))
    }

    /// The last reply does not begin before `gate` is released.
    pub fn behind(self, gate: impl Into<String>) -> Script {
        self.change_last(|reply| reply.gate = Some(gate.into()))
    }

    /// The last reply reports these usage figures.
    pub fn using(self, usage: Value) -> Script {
        self.change_last(|reply| reply.usage = usage.as_object().cloned().unwrap_or_default())
    }

    /// The replies, in order.
    pub fn replies(&self) -> &[Reply] {
        &self.replies
    }

    fn change_last(mut self, change: impl FnOnce(&mut Reply)) -> Script {
        if let Some(last) = self.replies.last_mut() {
            change(last);
        }
        self
    }
}

impl From<Vec<Reply>> for Script {
    fn from(replies: Vec<Reply>) -> Script {
        Script { replies, thoughts: Vec::new() }
    }
}

impl From<Script> for Vec<Reply> {
    fn from(script: Script) -> Vec<Reply> {
        script.replies
    }
}

impl Reply {
    /// An empty message, to be filled.
    pub fn new() -> Reply {
        Reply::default()
    }

    /// Adds a text block.
    pub fn says(self, text: impl Into<String>) -> Reply {
        self.block(json!({"type": "text", "text": text.into()}))
    }

    /// Adds a thinking block.
    pub fn thinks(self, thought: impl Into<String>) -> Reply {
        self.block(thinking(thought.into()))
    }

    /// Adds a thinking block whose content is withheld.
    pub fn thinks_secretly(self, data: impl Into<String>) -> Reply {
        self.block(json!({"type": "redacted_thinking", "data": data.into()}))
    }

    /// Adds a tool call.
    pub fn calls(self, tool: impl Into<String>, input: Value) -> Reply {
        self.block(json!({"type": "tool_use", "name": tool.into(), "input": input}))
    }

    /// Adds a web search that the API did by itself, with one hit.
    pub fn searched(self, query: impl Into<String>, url: impl Into<String>, title: impl Into<String>) -> Reply {
        let id = format!("srvtoolu_lab{:02}", self.blocks.len());
        let hit = json!({"type": "web_search_result", "url": url.into(), "title": title.into(), "encrypted_content": "x", "page_age": null});
        self.block(json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": query.into()}}))
            .block(json!({"type": "web_search_tool_result", "tool_use_id": id, "content": [hit]}))
    }

    /// Adds any block.
    pub fn block(mut self, block: Value) -> Reply {
        self.blocks.push(block);
        self
    }
}

fn thinking(thought: String) -> Value {
    json!({"type": "thinking", "thinking": thought})
}

fn is_false(flag: &bool) -> bool {
    !flag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_and_its_json_form_are_the_same_script() {
        let told = Script::new()
            .thinks("Hm.")
            .calls("Bash", json!({"command": "ls"}))
            .when("SUBTASK")
            .says("Done.")
            .pausing_after(2, "go")
            .using(json!({"input_tokens": 3}))
            .fails(529);
        let written = json!([
            {"match": "SUBTASK", "blocks": [{"type": "thinking", "thinking": "Hm."}, {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]},
            {"blocks": [{"type": "text", "text": "Done."}], "usage": {"input_tokens": 3}, "pause": {"after": 2, "gate": "go"}},
            {"status": 529},
        ]);
        assert_eq!(serde_json::to_value(&told).unwrap(), written);
        assert_eq!(serde_json::from_value::<Script>(written).unwrap(), told);
    }

    #[test]
    fn a_misspelt_field_of_a_reply_is_refused() {
        assert!(serde_json::from_value::<Script>(json!([{"block": []}])).is_err());
    }
}
