//! A JSON value in, the fields that it has out, each with its path and JSON type.
//!
//! Values do not count, only what a reader has to be prepared for. Parts that are of different kinds are kept apart: an item of a list
//! or an object with a `type` has it in its path (`message.content[tool_use].name`), and what a tool is called with or gives back is
//! filed under the tool, wherever it stands.

use std::fmt;

use serde_json::{Map, Value};

/// A JSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum JsonType {
    Null,
    Boolean,
    Number,
    Text,
    List,
    Object,
}

impl JsonType {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }
}

impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::Text => "string",
            Self::List => "list",
            Self::Object => "object",
        })
    }
}

/// Names every field of a message of this kind: the kind it is filed under, its path in that, its type.
///
/// `payloads` are paths of parts that are inspected as messages of their own.
pub(super) fn fields(kind: &str, value: &Value, payloads: &[&str], found: &mut impl FnMut(&str, &str, JsonType)) {
    Walk { payloads, found }.inside(kind, "", value);
}

struct Walk<'a, F> {
    payloads: &'a [&'a str],
    found: &'a mut F,
}

impl<F: FnMut(&str, &str, JsonType)> Walk<'_, F> {
    fn inside(&mut self, kind: &str, path: &str, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    let path = format!("{path}{}{}", if path.is_empty() { "" } else { "." }, key(name));
                    if self.payloads.contains(&path.as_str()) {
                        continue;
                    }
                    match tool_payload(members, name) {
                        Some(kind) => self.inside(&kind, "", member),
                        None => self.field(kind, &format!("{path}{}", type_of(member, "(", ")")), member),
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    let tag = type_of(item, "[", "]");
                    self.field(kind, &format!("{path}{}", if tag.is_empty() { "[]" } else { &tag }), item);
                }
            }
            _ => {}
        }
    }

    fn field(&mut self, kind: &str, path: &str, value: &Value) {
        (self.found)(kind, path, JsonType::of(value));
        self.inside(kind, path, value);
    }
}

/// What kind of thing an object says that it is, in brackets.
fn type_of(value: &Value, open: &str, close: &str) -> String {
    let tag = value.get("type").and_then(Value::as_str);
    tag.map_or_else(String::new, |tag| format!("{open}{tag}{close}"))
}

/// Where the input or the result of a tool is filed, if this member is one.
fn tool_payload(members: &Map<String, Value>, name: &str) -> Option<String> {
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let tool = match text("type") {
        Some("tool_use") => text("name"),
        _ => text("tool_name"),
    }?;
    match name {
        "input" | "tool_input" => Some(format!("tool input of {tool}")),
        "tool_response" => Some(format!("tool result of {tool}")),
        _ => None,
    }
}

/// The name of a field; `*` for a key of a map (a path, an id, the name of a model), which says nothing about the form.
fn key(name: &str) -> &str {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '$';
    let digits = name.chars().filter(char::is_ascii_digit).count();
    if !name.is_empty() && name.chars().all(is_word) && digits < 3 { name } else { "*" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn named(value: &Value) -> Vec<String> {
        let mut all = Vec::new();
        fields("m", value, &["payload"], &mut |kind, path, json| all.push(format!("{kind} {path} {json}")));
        all
    }

    #[test]
    fn every_field_has_its_path_and_type() {
        let value = json!({"a": {"b": [1, {"c": null}]}, "payload": {"d": 1}});
        let expected =
            ["m a object", "m a.b list", "m a.b[] number", "m a.b[] object", "m a.b[].c null"].map(str::to_owned);
        assert_eq!(named(&value), expected);
    }

    #[test]
    fn parts_of_different_types_are_kept_apart() {
        let value = json!({"list": [{"type": "text", "x": true}], "part": {"type": "odd"}});
        let expected = [
            "m list list",
            "m list[text] object",
            "m list[text].type string",
            "m list[text].x boolean",
            "m part(odd) object",
            "m part(odd).type string",
        ];
        assert_eq!(named(&value), expected.map(str::to_owned));
    }

    #[test]
    fn keys_of_a_map_are_not_fields() {
        let value = json!({"claude-sonnet-4-5-20250929": {"cost": 1}, "/a/b": 2});
        assert_eq!(named(&value), ["m * object", "m *.cost number", "m * number"].map(str::to_owned));
    }

    #[test]
    fn inputs_and_results_are_filed_under_their_tool() {
        let value = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": ""}});
        let expected = ["m tool_name string", "tool input of Bash command string", "tool result of Bash stdout string"];
        assert_eq!(named(&value), expected.map(str::to_owned));
    }
}
