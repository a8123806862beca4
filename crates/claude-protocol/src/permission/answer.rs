//! The host's answer to a permission request, in the one form that every supported CLI takes.

use std::collections::BTreeMap;

use super::{CanUseTool, PermissionUpdate};
use crate::ids::ToolUseId;
use crate::raw::Raw;
use crate::tool::ask::Answer;

/// The message of a denial that has no words of its own: the CLI refuses an empty one.
pub const DENIED: &str = "The user denied this action.";

words! {
    /// How the user decided, for the CLI's statistics.
    pub enum Classification {
        /// Yes, this once.
        UserTemporary = "user_temporary",
        /// Yes, and remember.
        UserPermanent = "user_permanent",
        /// No.
        UserReject = "user_reject",
    }
}

wire! {
    /// The tool may run.
    pub struct Allow {
        /// The complete input, changed or not. 2.1.325 does without, 2.1.38 and before do not, and a null voids the
        /// answer in all of them.
        pub updated_input: Option<Raw> = "updatedInput" | "updated_input",
        /// What to remember; mostly one of the suggestions.
        pub updated_permissions: Option<Vec<PermissionUpdate>> = "updatedPermissions" | "updated_permissions",
        /// The call; not checked by 2.1.325.
        pub tool_use_id: Option<ToolUseId> = "toolUseID" | "tool_use_id",
        /// How the user decided (declared, not measured).
        pub decision_classification: Option<Classification> = "decisionClassification",
        /// The form of one older document. Every CLI tried ignores it: never write it.
        pub apply_permission_suggestion: Option<PermissionUpdate> = "applyPermissionSuggestion",
    }

    /// The tool must not run.
    pub struct Deny {
        /// What the model is told; never empty.
        pub message: String,
        /// True ends the turn as well.
        pub interrupt: Option<bool>,
        /// The call.
        pub tool_use_id: Option<ToolUseId> = "toolUseID" | "tool_use_id",
        /// How the user decided (declared, not measured).
        pub decision_classification: Option<Classification> = "decisionClassification",
    }
}

tagged! {
    /// The answer to [`CanUseTool`]. The oldest form, `{"decision":"allow"}`, fails the CLI's check: it reads as
    /// `Other`.
    pub enum PermissionAnswer by "behavior" after [] {
        /// The tool may run.
        "allow" => Allow(Allow),
        /// The tool must not run.
        "deny" => Deny(Deny),
    }
}

impl Allow {
    /// Yes, with the input as it was asked for; it has to be an object.
    fn new(ask: &CanUseTool) -> Self {
        Allow { updated_input: Some(ask.input.clone()), tool_use_id: ask.tool_use_id.clone(), ..Allow::default() }
    }
}

impl Deny {
    /// No, with a word to the model; an empty message becomes [`DENIED`].
    pub fn new(ask: &CanUseTool, message: impl Into<String>) -> Self {
        let message = Some(message.into()).filter(|message| !message.trim().is_empty());
        let message = message.unwrap_or_else(|| DENIED.to_owned());
        Deny { message, tool_use_id: ask.tool_use_id.clone(), ..Deny::default() }
    }
}

impl PermissionAnswer {
    /// Yes, with the input as it was asked for. An input that is no object (never seen) is denied: the CLI would take
    /// an empty one instead, which nobody agreed to.
    pub fn allow(ask: &CanUseTool) -> Self {
        match ask.input.is_object() {
            true => PermissionAnswer::Allow(Allow::new(ask)),
            false => PermissionAnswer::deny(ask, "The input of the tool could not be read."),
        }
    }

    /// Yes, with answers to the questions of an `AskUserQuestion` call, by question text. All else in the input goes
    /// back as it came. `None` if the input is no object.
    pub fn allow_with_answers(ask: &CanUseTool, answers: &BTreeMap<String, Answer>) -> Option<Self> {
        PermissionAnswer::allow_with(ask, ask.input.with_member("answers", answers)?)
    }

    /// Yes, with another input: an edited command, the answers to questions. `None` if `input` is no object, since the
    /// CLI takes no other, and running the old input instead is not what the user said.
    pub fn allow_with(ask: &CanUseTool, input: Raw) -> Option<Self> {
        input.is_object().then(|| PermissionAnswer::Allow(Allow { updated_input: Some(input), ..Allow::new(ask) }))
    }

    /// Yes, and remember.
    pub fn allow_and_remember(ask: &CanUseTool, updates: Vec<PermissionUpdate>) -> Self {
        PermissionAnswer::allow(ask).and_remember(updates)
    }

    /// The same yes, and remember; a no stays what it is.
    pub fn and_remember(self, updates: Vec<PermissionUpdate>) -> Self {
        match self {
            PermissionAnswer::Allow(allow) => {
                PermissionAnswer::Allow(Allow { updated_permissions: Some(updates), ..allow })
            }
            denied => denied,
        }
    }

    /// No; the model goes on and reads `message`.
    pub fn deny(ask: &CanUseTool, message: impl Into<String>) -> Self {
        PermissionAnswer::Deny(Deny::new(ask, message))
    }

    /// No, and the turn ends.
    pub fn deny_and_interrupt(ask: &CanUseTool, message: impl Into<String>) -> Self {
        PermissionAnswer::Deny(Deny { interrupt: Some(true), ..Deny::new(ask, message) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::{Destination, PermissionMode, Rule, RuleBehavior};
    use crate::wire::to_json;

    fn ask() -> CanUseTool {
        let raw = r#"{"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"toolu_1"}"#;
        Raw::from_text(raw).unwrap().read::<CanUseTool>().unwrap().value
    }

    #[test]
    fn an_allow_always_has_the_whole_input_and_the_call() {
        let answer = PermissionAnswer::allow(&ask());
        assert_eq!(to_json(&answer), r#"{"behavior":"allow","updatedInput":{"command":"ls"},"toolUseID":"toolu_1"}"#);
    }

    #[test]
    fn an_input_that_is_no_object_is_not_allowed() {
        assert_eq!(PermissionAnswer::allow_with(&ask(), Raw::default()), None);
        let edited = Raw::from_text(r#"{"command":"pwd"}"#).unwrap();
        let answer = PermissionAnswer::allow_with(&ask(), edited).unwrap();
        assert_eq!(to_json(&answer), r#"{"behavior":"allow","updatedInput":{"command":"pwd"},"toolUseID":"toolu_1"}"#);
    }

    #[test]
    fn answers_join_the_input_and_nothing_of_it_is_lost() {
        let input = r#"{"questions":[{"question":"Q?","news":1}],"answers":{},"more":true}"#;
        let ask = CanUseTool { input: Raw::from_text(input).unwrap(), ..CanUseTool::default() };
        let answers = BTreeMap::from([("Q?".to_owned(), Answer::Labels(vec!["A".to_owned()]))]);
        let answer = PermissionAnswer::allow_with_answers(&ask, &answers).unwrap();
        assert_eq!(
            to_json(&answer),
            r#"{"behavior":"allow","updatedInput":{"questions":[{"question":"Q?","news":1}],"more":true,"answers":{"Q?":["A"]}}}"#
        );
        let unreadable = CanUseTool { input: Raw::from_text("[]").unwrap(), ..CanUseTool::default() };
        assert_eq!(PermissionAnswer::allow_with_answers(&unreadable, &answers), None);
        assert!(matches!(PermissionAnswer::allow(&unreadable), PermissionAnswer::Deny(_)));
    }

    #[test]
    fn what_to_remember_is_a_list_of_whole_updates() {
        let rule = Rule::matching("Bash", "ls *");
        let update = PermissionUpdate::add_rules(vec![rule], RuleBehavior::Allow, Destination::LocalSettings);
        let answer = PermissionAnswer::allow_and_remember(&ask(), vec![update]);
        let expected = concat!(
            r#"{"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"type":"addRules","#,
            r#""rules":[{"toolName":"Bash","ruleContent":"ls *"}],"behavior":"allow","destination":"localSettings"}],"#,
            r#""toolUseID":"toolu_1"}"#
        );
        assert_eq!(to_json(&answer), expected);
    }

    #[test]
    fn a_denial_is_never_without_words() {
        let answer = PermissionAnswer::deny(&ask(), " ");
        assert_eq!(to_json(&answer), format!(r#"{{"behavior":"deny","message":"{DENIED}","toolUseID":"toolu_1"}}"#));
        let answer = PermissionAnswer::deny_and_interrupt(&ask(), "no");
        assert_eq!(to_json(&answer), r#"{"behavior":"deny","message":"no","interrupt":true,"toolUseID":"toolu_1"}"#);
    }

    #[test]
    fn older_spellings_of_answers_and_requests_are_read() {
        let read = |text: &str| Raw::from_text(text).unwrap().read::<PermissionAnswer>().unwrap();
        let old = read(r#"{"behavior":"allow","updated_input":{"a":1},"updated_permissions":[]}"#);
        let new = read(r#"{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[]}"#);
        assert_eq!(old, new);
        assert!(matches!(read(r#"{"decision":"allow"}"#).value, PermissionAnswer::Other(_)));

        let ask = r#"{"tool_name":"Bash","tool_input":{},"suggestions":[{"type":"setMode","mode":"plan","destination":"session"},{"type":"allow_tool","tool_name":"Bash"}]}"#;
        let ask = Raw::from_text(ask).unwrap().read::<CanUseTool>().unwrap();
        assert_eq!(ask.notes, []);
        let suggestions = ask.value.permission_suggestions.unwrap();
        assert_eq!(suggestions[0], PermissionUpdate::set_mode(PermissionMode::Plan));
        assert_eq!(suggestions[1].kind(), "allow_tool");
    }
}
