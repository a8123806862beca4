//! Sessions that ask for no permission: only where that was allowed at the start, whichever way it is asked for. Pure.

use serde_json::{Map, Value};

use crate::options::Options;

/// The permission mode in which nothing is asked.
const MODE: &str = "bypassPermissions";

/// Would a session with these options ask for no permission, or be able to switch to it by itself?
pub(crate) fn bypasses(options: &Options) -> bool {
    options.bypass_permissions
        || options.mode.as_deref().is_some_and(is_bypass)
        || options.settings.as_ref().is_some_and(mentions)
        || options.agents.values().any(mentions)
        || options.extra_args.iter().any(|argument| is_bypass(argument) || argument.contains("skip-permissions"))
}

/// Is it that mode, in whatever letters?
pub(crate) fn is_bypass(mode: &str) -> bool {
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    letters(mode).contains(&letters(MODE))
}

/// Does this answer to a question switch to that mode? Agents suggest modes, and a suggestion can be anything.
pub(crate) fn grants_bypass(answer: &str) -> bool {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let updates = answer.pointer("/response/response/updatedPermissions").and_then(Value::as_array);
    updates.into_iter().flatten().any(|update| update["mode"].as_str().is_some_and(is_bypass))
}

/// Settings that take the mode away from an agent, whatever the settings files of the user and of the project say: in a folder
/// that came from elsewhere those are somebody else's.
pub(crate) fn without_bypass(settings: Option<Value>) -> Value {
    let mut settings = settings.unwrap_or_else(|| Value::Object(Map::new()));
    // What is no object is refused by whoever writes it into a file.
    if let Value::Object(fields) = &mut settings
        && let Value::Object(permissions) = fields.entry("permissions").or_insert_with(|| Value::Object(Map::new()))
    {
        permissions.insert("disableBypassPermissionsMode".to_owned(), Value::from("disable"));
    }
    settings
}

/// Does the file of a subagent ask for that mode? What counts stands between its first lines of three dashes; there a letter can
/// be written by its number, too, and whoever does that has something to hide.
pub(crate) fn agent_bypasses(file: &str) -> bool {
    let Some(rest) = file.trim_start_matches('\u{feff}').trim_start().strip_prefix("---") else { return false };
    let head = rest.split("\n---").next().unwrap_or(rest);
    is_bypass(head) || [r"\x", r"\u", r"\U"].iter().any(|number| head.contains(number))
}

/// Does it stand anywhere in there, as a key or as a value?
fn mentions(value: &Value) -> bool {
    match value {
        Value::String(text) => is_bypass(text),
        Value::Array(values) => values.iter().any(mentions),
        // `disableBypassPermissionsMode` takes the mode away.
        Value::Object(fields) => {
            let grants = |key: &str| is_bypass(key) && !key.starts_with("disable");
            fields.iter().any(|(key, value)| grants(key) || mentions(value))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_that_switches_the_mode_is_seen() {
        let answer = |update: Value| {
            let response = json!({"behavior": "allow", "updatedPermissions": [update]});
            json!({"type": "control_response", "response": {"response": response}}).to_string()
        };
        assert!(grants_bypass(&answer(json!({"type": "setMode", "mode": "bypassPermissions"}))));
        assert!(!grants_bypass(&answer(json!({"type": "setMode", "mode": "acceptEdits"}))));
        let rule =
            json!({"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "echo bypassPermissions"}]});
        assert!(!grants_bypass(&answer(rule)), "a rule may speak of it");
    }

    #[test]
    fn the_mode_is_taken_away_beside_all_other_settings() {
        let taken = json!({"disableBypassPermissionsMode": "disable"});
        assert_eq!(without_bypass(None), json!({"permissions": taken}));
        let given = json!({"model": "m", "permissions": {"allow": ["Read"], "disableBypassPermissionsMode": "no"}});
        let permissions = json!({"allow": ["Read"], "disableBypassPermissionsMode": "disable"});
        assert_eq!(without_bypass(Some(given)), json!({"model": "m", "permissions": permissions}));
    }

    #[test]
    fn a_subagent_says_in_the_head_of_its_file_that_it_asks_for_nothing() {
        let of = |head: &str| agent_bypasses(&format!("---\nname: pirate\n{head}\n---\nIt knows bypassPermissions.\n"));
        assert!(!of("permissionMode: acceptEdits"));
        assert!(!of(r#"description: "Two lines.\n\"Aye\"""#));
        for way in [
            "permissionMode: bypassPermissions",
            "permissionMode: 'bypassPermissions'",
            "permissionMode: >-\n  bypassPermissions",
            "a: &a bypassPermissions\npermissionMode: *a",
            r#"permissionMode: "bypass\u0050ermissions""#,
            r#"permissionMode: "bypass\x50ermissions""#,
            "permissionMode: \"bypass\\\n  Permissions\"",
        ] {
            assert!(of(way), "{way}");
        }
        assert!(agent_bypasses("\u{feff}---\r\npermissionMode: bypassPermissions\r\n"), "it need not end");
        assert!(!agent_bypasses("A text on bypassPermissions."));
    }

    #[test]
    fn every_way_to_ask_for_no_permission_is_seen() {
        let ways = [
            Options { bypass_permissions: true, ..Options::default() },
            Options { mode: Some("bypassPermissions".to_owned()), ..Options::default() },
            Options { mode: Some("bypass_permissions".to_owned()), ..Options::default() },
            Options {
                settings: Some(json!({"permissions": {"defaultMode": "bypassPermissions"}})),
                ..Options::default()
            },
            Options {
                agents: [("a".to_owned(), json!({"permissionMode": "bypassPermissions"}))].into(),
                ..Options::default()
            },
            Options { extra_args: vec!["--dangerously-skip-permissions".to_owned()], ..Options::default() },
            Options { extra_args: vec!["--permission-mode=bypassPermissions".to_owned()], ..Options::default() },
        ];
        for options in ways {
            assert!(bypasses(&options), "{options:?}");
        }
        let settings = Some(json!({"permissions": {"disableBypassPermissionsMode": "disable"}}));
        assert!(!bypasses(&Options { mode: Some("plan".to_owned()), settings, ..Options::default() }));
    }
}
