//! Options in, what the user should know about them out. Nothing here stops a session.

use std::fmt;

use claude_protocol::permission::PermissionMode;

use super::Wanted;
use crate::options::{Options, Tools};

/// The tool with which the model asks the user.
pub(crate) const QUESTION_TOOL: &str = "AskUserQuestion";

/// Something about the options that may not be what the user thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// Nobody answers permission prompts, so the CLI denies what would need one.
    NoPermissionHandler,
    /// Nobody could answer questions of the model, so it does not have the tool to ask.
    QuestionsDisallowed,
    /// A rule allows all calls of a tool, so the permission handler is not asked about it.
    RuleShadowsHandler {
        /// The rule.
        rule: String,
    },
    /// The permission mode decides everything, so the permission handler is never asked.
    ModeShadowsHandler {
        /// The mode.
        mode: PermissionMode,
    },
    /// Prompts are denied at once, so the permission handler is never asked.
    PromptsAreDenied,
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::NoPermissionHandler => {
                formatter.write_str("there is no permission handler: tools that need a permission are denied")
            }
            Notice::QuestionsDisallowed => {
                write!(formatter, "there is nobody to answer questions: `{QUESTION_TOOL}` is disallowed")
            }
            Notice::RuleShadowsHandler { rule } => {
                write!(formatter, "the permission handler is not asked about `{rule}`: a rule allows it")
            }
            Notice::ModeShadowsHandler { mode } => {
                write!(formatter, "the permission handler is never asked: the permission mode is `{mode}`")
            }
            Notice::PromptsAreDenied => {
                formatter.write_str("the permission handler is never asked: permission prompts are denied at once")
            }
        }
    }
}

/// What the user should know.
pub(crate) fn notices(options: &Options, wanted: &Wanted) -> Vec<Notice> {
    let mode = mode_that_never_asks(options);
    let mut notices = Vec::new();
    if !wanted.permission_handler {
        if mode.is_none() && options.permission_prompt_tool.is_none() && !options.deny_prompts {
            notices.push(Notice::NoPermissionHandler);
        }
        if disallows_questions(options, wanted) {
            notices.push(Notice::QuestionsDisallowed);
        }
        return notices;
    }
    if options.deny_prompts {
        notices.push(Notice::PromptsAreDenied);
    }
    notices.extend(mode.map(|mode| Notice::ModeShadowsHandler { mode }));
    // A rule with a pattern is narrower than the tool and taken to be meant.
    let whole = |rule: &&String| !rule.contains('(') || rule.ends_with("(*)") || rule.ends_with("(:*)");
    notices.extend(options.allowed_tools.iter().filter(whole).cloned().map(|rule| Notice::RuleShadowsHandler { rule }));
    notices
}

/// Must the model not have the tool to ask? Not if the user named the tool, or left it out himself.
pub(super) fn disallows_questions(options: &Options, wanted: &Wanted) -> bool {
    let listed = |tools: &[String]| tools.iter().any(|tool| tool == QUESTION_TOOL);
    let there = match &options.tools {
        None | Some(Tools::Default) => !listed(&options.allowed_tools),
        // Either it is among them, and then the user wants it, or it is not there anyway.
        Some(Tools::None | Tools::Only(_)) => false,
    };
    let answered = wanted.permission_handler || options.permission_prompt_tool.is_some();
    there && !answered && !listed(&options.disallowed_tools)
}

fn mode_that_never_asks(options: &Options) -> Option<PermissionMode> {
    if options.skip_permissions {
        return Some(PermissionMode::BypassPermissions);
    }
    let never = |mode: &PermissionMode| matches!(mode, PermissionMode::BypassPermissions | PermissionMode::DontAsk);
    options.permission_mode.clone().filter(never)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claude;

    fn with_handler(claude: Claude) -> Vec<Notice> {
        notices(&claude.options, &Wanted { permission_handler: true })
    }

    fn without_handler(claude: Claude) -> Vec<Notice> {
        notices(&claude.options, &Wanted::default())
    }

    #[test]
    fn without_a_handler_prompts_and_questions_have_no_answer() {
        let both = [Notice::NoPermissionHandler, Notice::QuestionsDisallowed];
        assert_eq!(without_handler(Claude::new()), both);
        assert_eq!(with_handler(Claude::new()), []);
        assert_eq!(without_handler(Claude::new().permission_prompt_tool("mcp__gate__ask")), []);
    }

    #[test]
    fn questions_stay_if_the_user_listed_them() {
        let only = [Notice::NoPermissionHandler];
        assert_eq!(without_handler(Claude::new().allowed_tools([QUESTION_TOOL])), only);
        assert_eq!(without_handler(Claude::new().built_in_tools(Tools::only([QUESTION_TOOL]))), only);
        assert_eq!(without_handler(Claude::new().built_in_tools(Tools::None)), only);
    }

    #[test]
    fn a_rule_for_a_whole_tool_shadows_the_handler() {
        let claude = Claude::new().allowed_tools(["Bash", "Read(src/**)", "Write(*)"]);
        let rule = |rule: &str| Notice::RuleShadowsHandler { rule: rule.to_owned() };
        assert_eq!(with_handler(claude), [rule("Bash"), rule("Write(*)")]);
    }

    #[test]
    fn a_mode_that_never_asks_shadows_the_handler() {
        let shadow = |mode| [Notice::ModeShadowsHandler { mode }];
        let dont_ask = Claude::new().permission_mode(PermissionMode::DontAsk);
        assert_eq!(with_handler(dont_ask.clone()), shadow(PermissionMode::DontAsk));
        let skipping = Claude::new().dangerously_skip_permissions();
        assert_eq!(with_handler(skipping), shadow(PermissionMode::BypassPermissions));
        assert_eq!(without_handler(dont_ask), [Notice::QuestionsDisallowed]);
        assert_eq!(with_handler(Claude::new().deny_permission_prompts()), [Notice::PromptsAreDenied]);
    }

    #[test]
    fn notices_are_sentences() {
        let rule = Notice::RuleShadowsHandler { rule: "Bash".to_owned() };
        assert_eq!(rule.to_string(), "the permission handler is not asked about `Bash`: a rule allows it");
    }
}
