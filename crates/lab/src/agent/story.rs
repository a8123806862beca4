//! What a scripted agent does: a story told in Rust or read from JSON, turn by turn, with its faults.

mod build;
mod step;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::script::Script;

pub use step::{Death, Flood, Hang, Paced, Step, Turn};

/// What an agent does. Each prompt starts the next told turn; when none is left, the model script answers as the real
/// CLI's model would, and when that has ended too, every turn says `OK.`.
///
/// ```
/// use lab::agent::{Story, Turn};
/// use serde_json::json;
///
/// let story = Story::new()
///     .turn(Turn::new().says("Let me look.").calls("Bash", json!({"command": "ls"})).giving("a.txt").says("One file."))
///     .turn(Turn::new().says("And now").dies(3));
/// let written = serde_json::to_string(&story).unwrap();
/// assert_eq!(serde_json::from_str::<Story>(&written).unwrap(), story);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Story {
    /// The version that `--version` and `init` report; else the one of the dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Which generation of the protocol is spoken.
    #[serde(skip_serializing_if = "is_default")]
    pub dialect: Dialect,
    /// The session's id, when the flags name none; else one that no other session has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// What is done at the start, before anything is read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<Step>,
    /// The told turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
    /// What the model says when no told turn is left, as scenario files have it.
    #[serde(skip_serializing_if = "is_default")]
    pub model: Script,
    /// The usage figures of messages that name none, instead of the stock ones.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub usage: Map<String, Value>,
    /// Faults in answering control requests; the first rule that fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_control: Vec<ControlRule>,
    /// What the process pretends not to notice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<Ignored>,
}

/// A generation of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// As 2.1.325 speaks.
    #[default]
    Current,
    /// As 2.1.38 and its elders speak: no `command_lifecycle`, no prompt ids on results, no word about unknown control
    /// requests, two answers to `set_permission_mode`, none inside the answer to `interrupt`.
    Old,
}

/// What a process can pretend not to notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ignored {
    /// The signal that asks it to end.
    Sigterm,
    /// The end of its input.
    Eof,
}

/// How a control request of the host is answered instead of as usual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlRule {
    /// The subtype it is for; every one, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<String>,
    /// Holds only for one request.
    #[serde(default, skip_serializing_if = "is_default")]
    pub once: bool,
    /// What happens.
    pub does: ControlFault,
}

/// What can be wrong with an answer to a control request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlFault {
    /// It never comes, and the request has no effect.
    Silence,
    /// It comes twice.
    Twice,
    /// It is an error.
    Error(String),
    /// It is this instead of the usual body.
    Body(Value),
    /// It comes when a later line of this kind has been read.
    After(Kind),
    /// The process dies instead.
    Death(Death),
}

/// A kind of line on the agent's input: its type (`user`), with a subtype (`control_request/interrupt`), or `*`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kind(pub String);

impl Kind {
    /// Whether a line is of this kind.
    pub fn fits(&self, line: &Value) -> bool {
        let (kind, subtype) = self.0.split_once('/').map_or((self.0.as_str(), None), |(kind, sub)| (kind, Some(sub)));
        let inner = |key: &str| line[key]["subtype"].as_str();
        let found = line["subtype"].as_str().or_else(|| inner("request")).or_else(|| inner("response"));
        (kind == "*" || line["type"] == kind) && subtype.is_none_or(|subtype| found == Some(subtype))
    }
}

impl From<&str> for Kind {
    fn from(text: &str) -> Kind {
        Kind(text.to_owned())
    }
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_kind_names_a_type_and_perhaps_a_subtype() {
        let interrupt = json!({"type": "control_request", "request_id": "1", "request": {"subtype": "interrupt"}});
        assert!(Kind::from("control_request").fits(&interrupt));
        assert!(Kind::from("control_request/interrupt").fits(&interrupt));
        assert!(Kind::from("*").fits(&interrupt));
        assert!(!Kind::from("control_request/initialize").fits(&interrupt));
        assert!(!Kind::from("user").fits(&interrupt));
    }

    #[test]
    fn a_misspelt_field_of_a_story_is_refused() {
        assert!(serde_json::from_value::<Story>(json!({"turn": []})).is_err());
        assert!(serde_json::from_value::<Story>(json!({"turns": [[{"sayz": "x"}]]})).is_err());
    }

    #[test]
    fn the_json_form_reads_like_the_story() {
        let told = Story::new()
            .turn(
                Turn::new()
                    .thinks("Hm.")
                    .says("Hi")
                    .calls("Bash", json!({"command": "ls"}))
                    .giving("a")
                    .waits_for("user")
                    .dies(3),
            )
            .on_control("interrupt", ControlFault::Silence)
            .ignoring(Ignored::Eof);
        let written = json!({
            "turns": [[
                {"message": {"blocks": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hi"}]}},
                {"message": {"blocks": [{"type": "tool_use", "name": "Bash", "input": {"command": "ls"}, "gives": "a"}]}},
                {"wait_for": "user"},
                {"die": {"code": 3}},
            ]],
            "on_control": [{"subtype": "interrupt", "does": "silence"}],
            "ignores": ["eof"],
        });
        assert_eq!(serde_json::to_value(&told).unwrap(), written);
        assert_eq!(serde_json::from_value::<Story>(written).unwrap(), told);
    }
}
