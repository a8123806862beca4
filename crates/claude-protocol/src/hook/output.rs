//! What a host may answer when a hook fires.

use crate::control::ask::ElicitationAction;
use crate::permission::PermissionUpdate;
use crate::raw::Raw;

wire! {
    /// The answer to a hook. All of it is optional; `{}` has no opinion.
    pub struct HookOutput {
        /// False ends the turn: `result` is then `success` with the terminal reason `hook_stopped`.
        pub r#continue: Option<bool> = "continue",
        /// Why, for the user, when `continue` is false.
        pub stop_reason: Option<String> = "stopReason",
        /// Keep the hook's output out of the transcript.
        pub suppress_output: Option<bool> = "suppressOutput",
        /// A word to the user; comes back as `system/informational`.
        pub system_message: Option<String> = "systemMessage",
        /// A verdict; what it means depends on the event.
        pub decision: Option<HookDecision>,
        /// Why, for the model.
        pub reason: Option<String>,
        /// An escape sequence for the terminal, for example a notification (declared, not measured).
        pub terminal_sequence: Option<String> = "terminalSequence",
        /// What only this event can answer.
        pub hook_specific_output: Option<HookSpecificOutput> = "hookSpecificOutput",
        /// True: the CLI need not wait (declared, not measured).
        pub r#async: Option<bool> = "async",
        /// How long the hook may go on in the background, in milliseconds (declared, not measured).
        pub async_timeout: Option<f64> = "asyncTimeout",
    }

    /// About a call that is about to run.
    pub struct PreToolUseOutput {
        /// The verdict.
        pub permission_decision: Option<HookPermission> = "permissionDecision",
        /// Why.
        pub permission_decision_reason: Option<String> = "permissionDecisionReason",
        /// The input to run instead.
        pub updated_input: Option<Raw> = "updatedInput",
        /// A word to the model.
        pub additional_context: Option<String> = "additionalContext",
    }

    /// About a call that has run.
    pub struct PostToolUseOutput {
        /// A word to the model.
        pub additional_context: Option<String> = "additionalContext",
        /// A word to the classifier of auto mode.
        pub classifier_context: Option<String> = "classifierContext",
        /// A result in place of the tool's.
        pub updated_tool_output: Option<Raw> = "updatedToolOutput",
        /// The same for MCP tools only.
        pub updated_mcp_tool_output: Option<Raw> = "updatedMCPToolOutput",
    }

    /// A word to the model.
    pub struct ContextOutput {
        /// The word.
        pub additional_context: Option<String> = "additionalContext",
    }

    /// About a prompt.
    pub struct UserPromptOutput {
        /// A word to the model.
        pub additional_context: Option<String> = "additionalContext",
        /// A title for the session; not for expansions.
        pub session_title: Option<String> = "sessionTitle",
        /// Leave the prompt out of the message that says it was blocked.
        pub suppress_original_prompt: Option<bool> = "suppressOriginalPrompt",
    }

    /// About a session that begins.
    pub struct SessionStartOutput {
        /// A word to the model.
        pub additional_context: Option<String> = "additionalContext",
        /// A first prompt.
        pub initial_user_message: Option<String> = "initialUserMessage",
        /// A title for the session.
        pub session_title: Option<String> = "sessionTitle",
        /// Files to watch.
        pub watch_paths: Option<Vec<String>> = "watchPaths",
        /// Look for skills again.
        pub reload_skills: Option<bool> = "reloadSkills",
    }

    /// About a change of the model.
    pub struct PreModelSwitchOutput {
        /// The verdict; asking refuses when nobody can be asked.
        pub permission_decision: Option<HookPermission> = "permissionDecision",
        /// Why.
        pub permission_decision_reason: Option<String> = "permissionDecisionReason",
    }

    /// About a permission.
    pub struct PermissionRequestOutput {
        /// The answer in place of the user's.
        pub decision: HookPermissionAnswer,
    }

    /// The tool may run.
    pub struct HookAllow {
        /// The input to run instead.
        pub updated_input: Option<Raw> = "updatedInput",
        /// What to remember.
        pub updated_permissions: Option<Vec<PermissionUpdate>> = "updatedPermissions",
    }

    /// The tool must not run.
    pub struct HookDeny {
        /// What the model is told.
        pub message: Option<String>,
        /// True ends the turn as well.
        pub interrupt: Option<bool>,
    }

    /// About a call that auto mode denied.
    pub struct PermissionDeniedOutput {
        /// May the model try again?
        pub retry: Option<bool>,
    }

    /// The answer to an MCP server in place of the user's.
    pub struct ElicitationOutput {
        /// What to do with the question.
        pub action: Option<ElicitationAction>,
        /// The filled form.
        pub content: Option<Raw>,
    }

    /// Files to watch.
    pub struct WatchOutput {
        /// Their paths.
        pub watch_paths: Option<Vec<String>> = "watchPaths",
    }

    /// Where the worktree is.
    pub struct WorktreeCreateOutput {
        /// Its directory.
        pub worktree_path: String = "worktreePath",
    }

    /// What to show.
    pub struct MessageDisplayOutput {
        /// Lines in place of the model's; absent to show those.
        pub display_content: Option<String> = "displayContent",
    }
}

words! {
    /// A verdict of a hook.
    pub enum HookDecision {
        /// Go on.
        Approve = "approve",
        /// Do not; for the `Stop` events: do not stop.
        Block = "block",
    }

    /// A verdict about a call.
    pub enum HookPermission {
        /// Run it without asking.
        Allow = "allow",
        /// Do not run it; no one is asked.
        Deny = "deny",
        /// Ask, whatever the rules say.
        Ask = "ask",
        /// Leave it to others.
        Defer = "defer",
    }
}

tagged! {
    /// An answer to a permission request by a hook.
    pub enum HookPermissionAnswer by "behavior" after [] {
        /// The tool may run.
        "allow" => Allow(HookAllow),
        /// The tool must not run.
        "deny" => Deny(HookDeny),
    }
}

tagged! {
    /// What only one event can answer. The name must be that of the event. Measured in 2.1.325: `PreToolUse`,
    /// `PostToolUse`, `PermissionRequest`; the rest is declared.
    pub enum HookSpecificOutput by "hookEventName" after [] {
        /// About a call that is about to run.
        "PreToolUse" => PreToolUse(PreToolUseOutput),
        /// About a call that has run.
        "PostToolUse" => PostToolUse(PostToolUseOutput),
        /// About a call that has failed.
        "PostToolUseFailure" => PostToolUseFailure(ContextOutput),
        /// About all calls of one answer.
        "PostToolBatch" => PostToolBatch(ContextOutput),
        /// About a permission.
        "PermissionRequest" => PermissionRequest(PermissionRequestOutput),
        /// About a call that auto mode denied.
        "PermissionDenied" => PermissionDenied(PermissionDeniedOutput),
        /// About a prompt.
        "UserPromptSubmit" => UserPromptSubmit(UserPromptOutput),
        /// About a command that became a prompt.
        "UserPromptExpansion" => UserPromptExpansion(UserPromptOutput),
        /// About a session that begins.
        "SessionStart" => SessionStart(SessionStartOutput),
        /// About the setup.
        "Setup" => Setup(ContextOutput),
        /// About the end of a turn.
        "Stop" => Stop(ContextOutput),
        /// About a subagent that begins.
        "SubagentStart" => SubagentStart(ContextOutput),
        /// About a subagent that stops.
        "SubagentStop" => SubagentStop(ContextOutput),
        /// About a change of the model.
        "PreModelSwitch" => PreModelSwitch(PreModelSwitchOutput),
        /// About a changed model.
        "PostModelSwitch" => PostModelSwitch(ContextOutput),
        /// About a notification.
        "Notification" => Notification(ContextOutput),
        /// About a question of an MCP server.
        "Elicitation" => Elicitation(ElicitationOutput),
        /// About the answer to an MCP server.
        "ElicitationResult" => ElicitationResult(ElicitationOutput),
        /// About the working directory.
        "CwdChanged" => CwdChanged(WatchOutput),
        /// About a watched file.
        "FileChanged" => FileChanged(WatchOutput),
        /// About a worktree that is to be made.
        "WorktreeCreate" => WorktreeCreate(WorktreeCreateOutput),
        /// About lines to be shown.
        "MessageDisplay" => MessageDisplay(MessageDisplayOutput),
    }
}

impl HookOutput {
    /// No opinion.
    pub fn none() -> Self {
        HookOutput::default()
    }

    /// A verdict about a call that is about to run, with its reason.
    pub fn permission(decision: HookPermission, reason: impl Into<String>) -> Self {
        HookOutput::specific(HookSpecificOutput::PreToolUse(PreToolUseOutput {
            permission_decision: Some(decision),
            permission_decision_reason: Some(reason.into()),
            ..PreToolUseOutput::default()
        }))
    }

    /// A block, with its reason: of a prompt, of a stop.
    pub fn block(reason: impl Into<String>) -> Self {
        HookOutput { decision: Some(HookDecision::Block), reason: Some(reason.into()), ..HookOutput::default() }
    }

    /// The end of the turn, with its reason.
    pub fn stop(reason: impl Into<String>) -> Self {
        HookOutput { r#continue: Some(false), stop_reason: Some(reason.into()), ..HookOutput::default() }
    }

    /// What only one event can answer.
    pub fn specific(output: HookSpecificOutput) -> Self {
        HookOutput { hook_specific_output: Some(output), ..HookOutput::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::{HookCallback, HookEvent, HookInput};
    use crate::wire::to_json;

    #[test]
    fn a_hook_with_no_opinion_is_an_empty_object() {
        assert_eq!(to_json(&HookOutput::none()), "{}");
    }

    #[test]
    fn a_verdict_is_written_under_the_name_of_its_event() {
        let expected = concat!(
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","#,
            r#""permissionDecisionReason":"no"}}"#
        );
        assert_eq!(to_json(&HookOutput::permission(HookPermission::Deny, "no")), expected);
    }

    #[test]
    fn an_input_is_told_apart_by_its_event() {
        let text = r#"{"callback_id":"cb","input":{"hook_event_name":"TaskCreated","task_id":"1"},"tool_use_id":"x"}"#;
        let callback = Raw::from_text(text).unwrap().read::<HookCallback>().unwrap();
        assert_eq!((callback.notes, callback.value.input.event()), (vec![], HookEvent::TaskCreated));
        assert!(matches!(callback.value.input, HookInput::TaskCreated(task) if task.task_id.as_deref() == Some("1")));
    }
}
