//! Each option against the exact arguments it becomes.

use claude_protocol::control::initialize::AgentDefinition;
use claude_protocol::control::mcp::ServerConfig;

use super::*;
use crate::Claude;
use crate::options::{Plugin, SettingSource, ThinkingDisplay};

const OLD: Version = Version::new(2, 1, 1);
const NEW: Version = Version::new(2, 1, 325);
const BASE: [&str; 6] =
    ["--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--replay-user-messages"];
const NO_QUESTIONS: [&str; 2] = ["--disallowedTools", "AskUserQuestion"];
const HANDLER: Wanted = Wanted { permission_handler: true };

fn made(claude: &Claude, wanted: Wanted, version: Version) -> Result<Arguments, Error> {
    arguments(&claude.options, &wanted, &version, Path::new("/files"))
}

fn words(list: &[OsString]) -> Vec<&str> {
    list.iter().map(|word| word.to_str().unwrap()).collect()
}

/// What an option adds for a host that has a permission handler.
fn added(claude: &Claude, version: Version) -> Vec<String> {
    let arguments = made(claude, HANDLER, version).unwrap();
    let list = words(&arguments.list);
    let partial = ["--include-partial-messages", "--permission-prompt-tool", "stdio"];
    assert_eq!(list[..6], BASE);
    list[6..].iter().filter(|word| !partial.contains(word)).map(|word| (*word).to_owned()).collect()
}

/// The option becomes these arguments in every version.
fn always(claude: Claude, expected: &[&str]) {
    assert_eq!(added(&claude, OLD), expected);
    assert_eq!(added(&claude, NEW), expected);
}

/// The option becomes these arguments since a version, and is an error that names both before it.
fn since(patch: u32, claude: Claude, expected: &[&str]) {
    let first = Version::new(2, 1, patch);
    assert_eq!(added(&claude, first), expected);
    assert_eq!(added(&claude, NEW), expected);
    let before = Version::new(2, 1, patch - 1);
    match made(&claude, HANDLER, before) {
        Err(Error::TooOld { needs, has, .. }) => assert_eq!((needs, has), (first, before)),
        other => panic!("{other:?}"),
    }
}

fn refused(claude: Claude, why: &str) {
    assert_eq!(made(&claude, HANDLER, NEW).unwrap_err().to_string(), why);
}

#[test]
fn by_default_messages_stream_and_questions_are_disallowed() {
    let plain = made(&Claude::new(), Wanted::default(), OLD).unwrap();
    assert_eq!(words(&plain.list), [&BASE[..], &["--include-partial-messages"], &NO_QUESTIONS].concat());
    let handled = made(&Claude::new(), HANDLER, OLD).unwrap();
    let expected = [&BASE[..], &["--include-partial-messages", "--permission-prompt-tool", "stdio"]].concat();
    assert_eq!(words(&handled.list), expected);
}

#[test]
fn partial_messages_can_be_turned_off() {
    let claude = Claude::new().without_partial_messages();
    assert_eq!(words(&made(&claude, Wanted::default(), NEW).unwrap().list), [&BASE[..], &NO_QUESTIONS].concat());
}

#[test]
fn questions_are_disallowed_beside_what_the_user_disallows_unless_he_listed_them() {
    let tail = |claude: Claude| {
        let arguments = made(&claude.without_partial_messages(), Wanted::default(), NEW).unwrap();
        words(&arguments.list)[6..].join(" ")
    };
    assert_eq!(tail(Claude::new().disallowed_tools(["Bash"])), "--disallowedTools Bash,AskUserQuestion");
    assert_eq!(tail(Claude::new().allowed_tools(["AskUserQuestion"])), "--allowedTools AskUserQuestion");
    assert_eq!(tail(Claude::new().built_in_tools(Tools::None)), "--tools ");
    assert_eq!(tail(Claude::new().permission_prompt_tool("mcp__a__b")), "--permission-prompt-tool mcp__a__b");
}

#[test]
fn a_version_before_the_oldest_is_refused() {
    let error = made(&Claude::new(), HANDLER, Version::new(2, 0, 76)).unwrap_err();
    assert_eq!(error.to_string(), "this version of the driver needs Claude Code 2.1.1 or newer; this is 2.0.76");
}

#[test]
fn a_missing_flag_names_itself_and_both_versions() {
    let error = made(&Claude::new().effort(EffortLevel::High), HANDLER, OLD).unwrap_err();
    assert_eq!(error.to_string(), "`--effort` needs Claude Code 2.1.38 or newer; this is 2.1.1");
}

#[test]
fn models_and_thinking() {
    always(Claude::new().model("sonnet"), &["--model", "sonnet"]);
    always(Claude::new().fallback_models(["haiku"]), &["--fallback-model", "haiku"]);
    since(325, Claude::new().fallback_models(["a", "b"]), &["--fallback-model", "a,b"]);
    since(38, Claude::new().effort(EffortLevel::Low), &["--effort", "low"]);
    since(111, Claude::new().effort(EffortLevel::XHigh), &["--effort", "xhigh"]);
    always(Claude::new().thinking(Thinking::Tokens(4000)), &["--max-thinking-tokens", "4000"]);
    since(47, Claude::new().thinking(Thinking::Adaptive), &["--thinking", "adaptive"]);
    since(47, Claude::new().thinking(Thinking::Disabled), &["--thinking", "disabled"]);
    since(47, Claude::new().thinking(Thinking::Other("deep".to_owned())), &["--thinking", "deep"]);
    since(94, Claude::new().thinking_display(ThinkingDisplay::Omitted), &["--thinking-display", "omitted"]);
    always(Claude::new().betas(["one", "two"]), &["--betas", "one", "--betas", "two"]);
}

#[test]
fn limits() {
    always(Claude::new().max_turns(3), &["--max-turns", "3"]);
    always(Claude::new().max_budget_usd(0.5), &["--max-budget-usd", "0.5"]);
    since(84, Claude::new().task_budget(9000), &["--task-budget", "9000"]);
    since(221, Claude::new().auto_compact(AutoCompact::Auto), &["--autocompact", "auto"]);
    since(221, Claude::new().auto_compact(AutoCompact::Tokens(200_000)), &["--autocompact", "200000"]);
}

#[test]
fn permissions_and_tools() {
    always(Claude::new().permission_mode(PermissionMode::Plan), &["--permission-mode", "plan"]);
    always(Claude::new().permission_mode(PermissionMode::Manual), &["--permission-mode", "default"]);
    since(91, Claude::new().permission_mode(PermissionMode::Auto), &["--permission-mode", "auto"]);
    always(Claude::new().allow_dangerously_skip_permissions(), &["--allow-dangerously-skip-permissions"]);
    always(Claude::new().dangerously_skip_permissions(), &["--dangerously-skip-permissions"]);
    since(260, Claude::new().deny_permission_prompts(), &["--permission-prompts", "none"]);
    always(Claude::new().allowed_tools(["Bash(git *)", "Edit"]), &["--allowedTools", "Bash(git *),Edit"]);
    always(Claude::new().disallowed_tools(["Bash"]), &["--disallowedTools", "Bash"]);
    always(Claude::new().built_in_tools(Tools::Default), &["--tools", "default"]);
    always(Claude::new().built_in_tools(Tools::None), &["--tools", ""]);
    always(Claude::new().built_in_tools(Tools::only(["Bash", "Read"])), &["--tools", "Bash,Read"]);
    always(Claude::new().add_directories(["/a", "/b"]), &["--add-dir", "/a", "--add-dir", "/b"]);
    since(250, Claude::new().restricted(), &["--restricted"]);
    refused(
        Claude::new().permission_prompt_tool("mcp__a__b"),
        "a permission handler and `--permission-prompt-tool` exclude each other",
    );
    refused(
        Claude::new().restricted().permission_mode(PermissionMode::BypassPermissions),
        "`--restricted` refuses to bypass permissions",
    );
}

#[test]
fn prompts() {
    always(Claude::new().system_prompt("long").append_system_prompt("long"), &[]);
    since(98, Claude::new().exclude_dynamic_sections(), &["--exclude-dynamic-system-prompt-sections"]);
    since(257, Claude::new().fresh_system_prompt(), &["--system-prompt-snapshot", "off"]);
    let claude = Claude::new().append_subagent_system_prompt("Be brief.");
    let path = "/files/subagent-system-prompt.txt";
    since(261, claude.clone(), &["--append-subagent-system-prompt-file", path]);
    let text = Text { path: path.into(), text: "Be brief.".to_owned() };
    assert_eq!(made(&claude, HANDLER, NEW).unwrap().texts, [text]);
}

#[test]
fn session_selection() {
    always(Claude::new().resume("id"), &["--resume", "id"]);
    always(Claude::new().continue_recent(), &["--continue"]);
    since(27, Claude::new().from_pull_request("12"), &["--from-pr", "12"]);
    always(Claude::new().resume("id").fork(), &["--resume", "id", "--fork-session"]);
    always(Claude::new().session_id("new"), &["--session-id", "new"]);
    let forked = ["--continue", "--fork-session", "--session-id", "new"];
    always(Claude::new().continue_recent().fork().session_id("new"), &forked);
    let cut = ["--resume", "id", "--resume-session-at", "message"];
    always(Claude::new().resume("id").resume_at("message"), &cut);
    let dropping = [&cut[..], &["--resume-drops-turn", "prompt"]].concat();
    since(224, Claude::new().resume("id").resume_at("message").resume_drops_turn("prompt"), &dropping);
    since(76, Claude::new().title("Ship it"), &["--name", "Ship it"]);
    always(Claude::new().without_persistence(), &["--no-session-persistence"]);
    since(48, Claude::new().worktree(), &["--worktree"]);
    since(48, Claude::new().worktree_named("fix"), &["--worktree=fix"]);
    refused(Claude::new().fork(), "`--fork-session` needs a session to take up");
    refused(
        Claude::new().resume("id").session_id("new"),
        "`--session-id` with a session that is taken up needs `--fork-session`",
    );
    refused(Claude::new().continue_recent().resume_at("message"), "`--resume-session-at` needs `--resume`");
    refused(
        Claude::new().resume("id").resume_drops_turn("prompt"),
        "`--resume-drops-turn` needs `--resume-session-at`",
    );
}

#[test]
fn servers_go_into_a_file() {
    let claude = Claude::new().mcp_server("deck", ServerConfig::http("http://x")).mcp_config_file("/more.json");
    always(claude.clone(), &["--mcp-config", "/files/mcp.json", "--mcp-config", "/more.json"]);
    let text = r#"{"mcpServers":{"deck":{"type":"http","url":"http://x"}}}"#.to_owned();
    assert_eq!(made(&claude, HANDLER, OLD).unwrap().texts, [Text { path: "/files/mcp.json".into(), text }]);
    always(Claude::new().strict_mcp_config(), &["--strict-mcp-config"]);
}

#[test]
fn settings_go_into_a_file() {
    let json = |text: &str| Raw::from_text(text).unwrap();
    let written = |claude: Claude| {
        always(claude.clone(), &["--settings", "/files/settings.json"]);
        made(&claude, HANDLER, OLD).unwrap().texts[0].text.clone()
    };
    assert_eq!(written(Claude::new().settings(json(r#"{"a":1}"#))), r#"{"a":1}"#);
    assert_eq!(written(Claude::new().sandbox(json(r#"{"b":2}"#))), r#"{"sandbox":{"b":2}}"#);
    let both = Claude::new().settings(json(r#"{"a":1}"#)).sandbox(json(r#"{"b":2}"#));
    assert_eq!(written(both), r#"{"a":1,"sandbox":{"b":2}}"#);
    always(Claude::new().settings_file("/s.json"), &["--settings", "/s.json"]);
    refused(Claude::new().settings(json("[]")), "settings must be a JSON object");
    refused(
        Claude::new().settings_file("/s.json").sandbox(json("{}")),
        "settings of the sandbox cannot be added to a settings file; give the settings as JSON",
    );
    since(118, Claude::new().managed_settings(json(r#"{"a":1}"#)), &["--managed-settings", r#"{"a":1}"#]);
    let sources = [SettingSource::User, SettingSource::Local];
    always(Claude::new().setting_sources(sources), &["--setting-sources", "user,local"]);
    always(Claude::new().setting_sources([]), &["--setting-sources", ""]);
    since(276, Claude::new().project_config_root("/root"), &["--project-config-root", "/root"]);
}

#[test]
fn agents_are_never_on_the_command_line() {
    let reviewer = Claude::new().subagent("reviewer", AgentDefinition::new("Reviews", "Review."));
    always(reviewer.clone(), &[]);
    since(29, reviewer.agent("reviewer"), &["--agent", "reviewer"]);
}

#[test]
fn plugins_are_on_the_command_line_only_of_versions_that_take_them_no_other_way() {
    let two = Claude::new().plugin(Plugin::new("/p")).plugin(Plugin::new("/q"));
    assert_eq!(added(&two, OLD), ["--plugin-dir", "/p", "--plugin-dir", "/q"]);
    assert_eq!(added(&two, NEW), ["--await-initialize"]);
    let bare = Claude::new().plugin(Plugin::new("/p").without_mcp_servers());
    assert_eq!(added(&bare, Version::new(2, 1, 172)), ["--plugin-dir-no-mcp", "/p"]);
    assert!(matches!(made(&bare, HANDLER, OLD), Err(Error::TooOld { .. })));
    since(129, Claude::new().plugin_url("http://p"), &["--plugin-url", "http://p"]);
}

#[test]
fn customizations() {
    always(Claude::new().disable_slash_commands(), &["--disable-slash-commands"]);
    since(81, Claude::new().bare(), &["--bare"]);
    since(169, Claude::new().safe_mode(), &["--safe-mode"]);
    since(72, Claude::new().brief(), &["--brief"]);
    always(Claude::new().chrome(Chrome::On), &["--chrome"]);
    always(Claude::new().chrome(Chrome::Off), &["--no-chrome"]);
    always(Claude::new().ide(), &["--ide"]);
    since(9, Claude::new().run_init_hooks(), &["--init"]);
    since(10, Claude::new().run_maintenance_hooks(), &["--maintenance"]);
    since(8, Claude::new().files(["f1:a.txt", "f2:b.txt"]), &["--file", "f1:a.txt", "--file", "f2:b.txt"]);
}

#[test]
fn output_and_diagnostics() {
    since(88, Claude::new().hook_events(), &["--include-hook-events"]);
    since(211, Claude::new().subagent_text(), &["--forward-subagent-text"]);
    always(Claude::new().auth_status(), &["--enable-auth-status"]);
    since(97, Claude::new().transcript_mirror(), &["--session-mirror"]);
    always(Claude::new().debug(Debug::Everything), &["--debug"]);
    always(Claude::new().debug(Debug::Only("hooks".to_owned())), &["--debug=hooks"]);
    always(Claude::new().debug(Debug::ToStderr), &["--debug-to-stderr"]);
    since(20, Claude::new().debug_file("/log"), &["--debug-file", "/log"]);
}

#[test]
fn extra_arguments_come_last_and_as_they_are() {
    always(Claude::new().extra_args(["--new", "a b"]).model("opus"), &["--model", "opus", "--new", "a b"]);
}

#[test]
fn a_command_line_that_is_too_long_is_named() {
    let limit = Limit { one: 10, all: 60 };
    let list = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    assert!(check_length(&list(&["--model", "short"]), limit).is_ok());
    let error = check_length(&list(&["--agents", "eleven long"]), limit).unwrap_err();
    let expected = "the command line is too long: `--agents` has 11 bytes and the system takes 10";
    assert_eq!(error.to_string(), expected);
    assert!(matches!(check_length(&list(&["a"; 7]), limit), Err(Error::TooLong { bytes: 70, limit: 60, .. })));
}
