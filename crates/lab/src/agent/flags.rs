//! The flags that the CLI takes: the few that change what the agent says, and all others, which are passed over.

use std::path::PathBuf;

/// What the command line asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--include-partial-messages`.
    pub partial_messages: bool,
    /// `--replay-user-messages`.
    pub replay_user_messages: bool,
    /// `--forward-subagent-text`.
    pub forward_subagent_text: bool,
    /// `--permission-prompt-tool stdio`, or `--permission-prompts host`.
    pub prompts_host: bool,
    /// `--model`.
    pub model: Option<String>,
    /// `--permission-mode`, or what `--dangerously-skip-permissions` means.
    pub permission_mode: Option<String>,
    /// Whether `bypassPermissions` may be set later.
    pub may_bypass: bool,
    /// `--session-id`, or the session of `--resume` unless it is forked.
    pub session_id: Option<String>,
    /// `--allowedTools`: tools that need no permission.
    pub allowed_tools: Vec<String>,
    /// `--disallowedTools`: tools that may not be used.
    pub disallowed_tools: Vec<String>,
    /// `--version`.
    pub version: bool,
    /// `--script`: the file of the story.
    pub script: Option<PathBuf>,
    /// `--record-dir`: the folder of the side files.
    pub record_dir: Option<PathBuf>,
}

impl Flags {
    /// Reads arguments; what is not known is passed over, as are the values of what is not known.
    pub fn parse<T: Into<String>>(arguments: impl IntoIterator<Item = T>) -> Flags {
        let mut flags = Flags::default();
        let mut resumed = None;
        let mut forks = false;
        let mut arguments = arguments.into_iter().map(Into::into).peekable();
        while let Some(argument) = arguments.next() {
            let (name, attached) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
                _ => (argument, None),
            };
            let mut value = || attached.clone().or_else(|| arguments.next_if(|next| !next.starts_with("--")));
            match name.as_str() {
                "--include-partial-messages" => flags.partial_messages = true,
                "--replay-user-messages" => flags.replay_user_messages = true,
                "--forward-subagent-text" => flags.forward_subagent_text = true,
                "--permission-prompt-tool" => flags.prompts_host |= value().as_deref() == Some("stdio"),
                "--permission-prompts" => flags.prompts_host |= value().as_deref() == Some("host"),
                "--model" => flags.model = value(),
                "--permission-mode" => flags.permission_mode = value(),
                "--dangerously-skip-permissions" => {
                    flags.permission_mode = Some("bypassPermissions".to_owned());
                    flags.may_bypass = true;
                }
                "--allow-dangerously-skip-permissions" => flags.may_bypass = true,
                "--session-id" => flags.session_id = value(),
                "--resume" | "-r" => resumed = value(),
                "--fork-session" => forks = true,
                "--allowedTools" | "--allowed-tools" => add_rules(&mut flags.allowed_tools, &attached, &mut value),
                "--disallowedTools" | "--disallowed-tools" => {
                    add_rules(&mut flags.disallowed_tools, &attached, &mut value);
                }
                "--version" | "-v" => flags.version = true,
                "--script" => flags.script = value().map(PathBuf::from),
                "--record-dir" => flags.record_dir = value().map(PathBuf::from),
                _ => {}
            }
        }
        if !forks && flags.session_id.is_none() {
            flags.session_id = resumed;
        }
        flags.may_bypass |= flags.permission_mode.as_deref() == Some("bypassPermissions");
        flags
    }
}

/// Takes the rules of a flag, which may be several arguments, each with commas.
fn add_rules(rules: &mut Vec<String>, attached: &Option<String>, value: &mut impl FnMut() -> Option<String>) {
    while let Some(text) = value() {
        rules.extend(text.split(',').map(|rule| rule.trim().to_owned()));
        if attached.is_some() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_cli_are_understood_or_passed_over() {
        let line = "--output-format stream-json --verbose --permission-prompt-tool stdio --model opus \
                    --allowedTools Read,Bash --mcp-config {} --resume abc --include-partial-messages --max-turns=3";
        let expected = Flags {
            partial_messages: true,
            prompts_host: true,
            model: Some("opus".to_owned()),
            session_id: Some("abc".to_owned()),
            allowed_tools: vec!["Read".to_owned(), "Bash".to_owned()],
            ..Flags::default()
        };
        assert_eq!(Flags::parse(line.split_whitespace()), expected);
    }

    #[test]
    fn a_fork_gets_a_session_of_its_own() {
        assert_eq!(Flags::parse(["--resume", "abc", "--fork-session"]), Flags::default());
    }
}
