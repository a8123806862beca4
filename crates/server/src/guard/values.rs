//! Values from outside that end up on a command line or in a path: looked at before anything is started.

use std::path::PathBuf;

use serde_json::Value;

use crate::error::{ApiError, ApiResult, Code};

/// A value that is a word: names of models, modes, agents, servers, tasks.
pub(crate) fn checked<'a>(what: &str, value: &'a str) -> ApiResult<&'a str> {
    const MOST: usize = 200;
    let fits = |letter: char| letter.is_alphanumeric() || " -_.:/@[]()*,+=~#".contains(letter);
    if value.is_empty() || value.len() > MOST || value.starts_with('-') || !value.chars().all(fits) {
        let shown: String = value.chars().take(40).filter(|letter| !letter.is_control()).collect();
        return Err(ApiError::bad_request(format!("`{shown}` is no {what}")));
    }
    Ok(value)
}

/// The variables that a client may set for an agent, by its settings: those that say how long and how much. Others say whom
/// it talks to, with which key, and what is loaded into every program that it starts.
const VARIABLES: [&str; 8] = [
    "BASH_DEFAULT_TIMEOUT_MS",
    "BASH_MAX_OUTPUT_LENGTH",
    "BASH_MAX_TIMEOUT_MS",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "MAX_MCP_OUTPUT_TOKENS",
    "MAX_THINKING_TOKENS",
    "MCP_TIMEOUT",
    "MCP_TOOL_TIMEOUT",
];

/// Looks at settings for an agent.
pub(crate) fn check_settings(settings: &Value) -> ApiResult<()> {
    let variables = settings.get("env").and_then(Value::as_object);
    let mut names = variables.into_iter().flat_map(|variables| variables.keys());
    match names.find(|name| !VARIABLES.contains(&name.as_str())) {
        Some(name) => {
            let shown: String = name.chars().take(40).filter(|letter| !letter.is_control()).collect();
            let text =
                format!("`{shown}` is no variable that can be set from here: set it where the server is started");
            Err(ApiError::new(Code::NotAllowed, text))
        }
        None => Ok(()),
    }
}

/// Where settings name folders that an agent may work in besides its own.
pub(crate) const SETTING_FOLDERS: &str = "/permissions/additionalDirectories";

/// The folders that settings give an agent.
pub(crate) fn folders_of(settings: &Value) -> ApiResult<Vec<PathBuf>> {
    let wrong = || ApiError::bad_request("`additionalDirectories` of the settings is a list of paths");
    let Some(named) = settings.pointer(SETTING_FOLDERS) else { return Ok(Vec::new()) };
    let folders = named.as_array().ok_or_else(wrong)?.iter();
    folders.map(|folder| folder.as_str().map(PathBuf::from).ok_or_else(wrong)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_words() {
        for good in ["claude-sonnet-4-5", "us.anthropic.claude:0", "opus[1m]", "accept Edits", "@org/model", "größe"]
        {
            assert_eq!(checked("model", good), Ok(good));
        }
        for bad in ["", "-p", "--settings={}", "a\nb", "a;b", "$(x)", "`x`", "a\0", "\u{1b}[2J", "{}", &"x".repeat(300)]
        {
            assert!(checked("model", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_client_sets_no_variable_that_leads_elsewhere() {
        let set = |name: &str| check_settings(&json!({"env": {name: "1"}}));
        assert_eq!(set("MAX_THINKING_TOKENS"), Ok(()));
        for bad in ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "LD_PRELOAD", "PATH", "NODE_OPTIONS", "HTTPS_PROXY", ""]
        {
            assert!(set(bad).is_err(), "{bad}");
        }
        assert_eq!(check_settings(&json!({"permissions": {}})), Ok(()));
    }

    #[test]
    fn settings_name_folders_in_a_list_or_not_at_all() {
        let named = |folders: Value| folders_of(&json!({"permissions": {"additionalDirectories": folders}}));
        assert_eq!(named(json!(["/a", "b"])), Ok(vec!["/a".into(), "b".into()]));
        assert_eq!(folders_of(&json!({"permissions": {"allow": ["Bash"]}})), Ok(Vec::new()));
        for wrong in [json!("/a"), json!([1]), json!({"0": "/a"}), Value::Null] {
            assert!(named(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
