//! Options in, what the child's environment is made of out.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::options::Options;

/// Variables that mark a process as the child of a session. A CLI that inherits them takes itself for a part of that
/// session: old ones refuse to start, newer ones talk to its editor or its socket. All but `CLAUDE_CODE_SSE_PORT`, which
/// an editor sets, were seen in the environment of a command that the CLI runs.
pub(crate) const MARKS: [&str; 11] = [
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_PID",
];

/// How the child's environment differs from ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Environment {
    /// Start with nothing instead of with ours?
    pub(crate) clear: bool,
    /// What to set, or, without a value, to remove.
    pub(crate) changes: BTreeMap<OsString, Option<OsString>>,
}

impl Environment {
    /// The whole environment of the child, from ours.
    pub(crate) fn over(&self, ours: impl IntoIterator<Item = (OsString, OsString)>) -> BTreeMap<OsString, OsString> {
        let mut all: BTreeMap<_, _> = if self.clear { BTreeMap::new() } else { ours.into_iter().collect() };
        for (name, value) in &self.changes {
            match value {
                Some(value) => _ = all.insert(name.clone(), value.clone()),
                None => _ = all.remove(name),
            }
        }
        all
    }
}

/// The changes that the options ask for. What the user says counts last.
pub(crate) fn environment(options: &Options) -> Environment {
    let mut changes: BTreeMap<OsString, Option<OsString>> = MARKS.iter().map(|mark| (mark.into(), None)).collect();
    let mut set = |name: &str, value: &OsStr| changes.insert(name.into(), Some(value.into()));
    if !options.no_session_state {
        set("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", OsStr::new("1"));
    }
    if options.tool_summaries {
        set("CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES", OsStr::new("1"));
    }
    if options.file_checkpoints {
        set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", OsStr::new("1"));
    }
    if let Some(retries) = options.max_retries {
        set("CLAUDE_CODE_MAX_RETRIES", retries.to_string().as_ref());
    }
    changes.extend(options.variables.0.clone());
    Environment { clear: options.clear_environment, changes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claude;

    fn child(claude: Claude, ours: &[(&str, &str)]) -> Vec<(String, String)> {
        let ours = ours.iter().map(|(name, value)| (name.into(), value.into()));
        let all = environment(&claude.options).over(ours);
        all.into_iter().map(|(name, value)| (name.into_string().unwrap(), value.into_string().unwrap())).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    const STATE: (&str, &str) = ("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1");

    #[test]
    fn marks_of_a_session_around_us_are_not_inherited() {
        let mut ours: Vec<_> = MARKS.iter().map(|mark| (*mark, "1")).collect();
        ours.push(("PATH", "/bin"));
        assert_eq!(child(Claude::new(), &ours), pairs(&[STATE, ("PATH", "/bin")]));
    }

    #[test]
    fn the_user_has_the_last_word() {
        let claude = Claude::new().env("CLAUDECODE", "1").env_remove("HOME").env(STATE.0, "0");
        let expected = pairs(&[("CLAUDECODE", "1"), (STATE.0, "0")]);
        assert_eq!(child(claude, &[("HOME", "/h"), ("CLAUDECODE", "2")]), expected);
    }

    #[test]
    fn a_cleared_environment_has_only_what_is_set() {
        let claude = Claude::new().env_clear().env("A", "b").without_session_state();
        assert_eq!(child(claude, &[("PATH", "/bin")]), pairs(&[("A", "b")]));
    }

    #[test]
    fn options_without_a_flag_are_variables() {
        let claude = Claude::new().file_checkpoints().tool_use_summaries().max_retries(0);
        let expected = pairs(&[
            STATE,
            ("CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES", "1"),
            ("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "0"),
        ]);
        assert_eq!(child(claude, &[]), expected);
    }

    #[test]
    fn values_are_not_shown_when_options_are_printed() {
        let shown = format!("{:?}", Claude::new().env("TOKEN", "secret"));
        assert!(shown.contains("TOKEN") && !shown.contains("secret"), "{shown}");
    }
}
