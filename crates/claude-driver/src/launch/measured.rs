//! The real CLI, offline, started with what [`super::prepare`] makes: every pinned version must accept it and act on it.

use claude_protocol::control::catalog::EffortLevel;
use claude_protocol::control::initialize::AgentDefinition;
use claude_protocol::control::mcp::ServerConfig;
use claude_protocol::{Raw, RequestId, ToCli, encode};
use lab::real::pinned_versions;
use lab::{CliVersion, LabError, Launch as Start, Script, Session, Stage};
use serde_json::{Value, json};

use super::environment::MARKS;
use super::files::Files;
use super::{Version, Wanted, prepare, since};
use crate::Claude;
use crate::options::{AutoCompact, Chrome, Debug, Plugin, SettingSource, Thinking, ThinkingDisplay, Tools};

const MODEL: &str = "claude-sonnet-4-5-20250929";

lab::on_every_version! {
    the_prompts_and_agents_of_the_first_request_are_acted_on,
    the_schema_of_the_first_request_is_acted_on,
    an_agent_of_ours_leads_where_the_version_can,
    a_plugin_is_loaded,
    files_are_read_and_flags_taken,
    what_marks_a_command_of_the_cli_is_not_inherited,
}

/// A stage for a version, and that version as the driver knows it.
async fn stage(cli: CliVersion, script: Script) -> (Version, Stage) {
    (cli.to_string().parse().unwrap(), good(Stage::new(cli, script).await))
}

/// The same for the newest version.
async fn newest(script: Script) -> (Version, Stage) {
    stage(pinned_versions().pop().unwrap(), script).await
}

/// Starts the CLI and makes itself known, as a session does.
async fn start(claude: Claude, version: Version, stage: &Stage) -> (Session, Files, Value) {
    let wanted = Wanted { permission_handler: true };
    let files = Files::new();
    let launch = prepare(&claude.model(MODEL).options, &wanted, &version, &files).unwrap();
    let words = launch.arguments.iter().map(|word| word.to_str().unwrap().to_owned());
    let mut session = good(stage.start(Start::new().base(words)).await);
    let request = ToCli::request(RequestId::from("first"), launch.initialize.clone());
    good(session.send_text(&encode(&request)).await);
    let answer = good(session.wait_for("the answer", |line| line["type"] == "control_response").await);
    assert_eq!(answer["response"]["subtype"], "success", "{version}: {answer}");
    (session, files, answer)
}

async fn turn(session: &mut Session) -> (Value, Value) {
    good(session.user("Go").await);
    let init = good(session.wait_for("init", |line| line["subtype"] == "init").await);
    (init, good(session.wait_for("the result", |line| line["type"] == "result").await))
}

fn good<T>(result: Result<T, LabError>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

async fn the_prompts_and_agents_of_the_first_request_are_acted_on(cli: CliVersion) {
    let (version, stage) = stage(cli, Script::new().says("Aye.")).await;
    let long = "word ".repeat(60_000);
    let claude = Claude::new()
        .system_prompt(format!("You are a parrot. {long}"))
        .append_system_prompt("Never mention crackers.")
        .subagent("lookout", AgentDefinition::new("Looks out for ships", "Look."));
    let (mut session, _files, _) = start(claude, version, &stage).await;
    let (init, result) = turn(&mut session).await;
    assert_eq!(result["result"], "Aye.", "{version}");
    assert!(init["agents"].to_string().contains("lookout"), "{version}: {init}");
    let asked = stage.model.story_requests();
    let system = asked[0].body["system"].to_string();
    assert!(system.contains("You are a parrot.") && system.contains(&long), "{version}");
    assert!(system.contains("Never mention crackers."), "{version}");
    good(session.finish().await);
}

async fn the_schema_of_the_first_request_is_acted_on(cli: CliVersion) {
    let script = Script::new().calls("StructuredOutput", json!({"ships": 3})).says("Done.");
    let (version, stage) = stage(cli, script).await;
    let schema = r#"{"type":"object","properties":{"ships":{"type":"number"}},"required":["ships"]}"#;
    let claude = Claude::new().json_schema(Raw::from_text(schema).unwrap());
    let (mut session, _files, _) = start(claude, version, &stage).await;
    let (_, result) = turn(&mut session).await;
    assert_eq!(result["structured_output"], json!({"ships": 3}), "{version}: {result}");
    good(session.finish().await);
}

async fn an_agent_of_ours_leads_where_the_version_can(cli: CliVersion) {
    let (version, stage) = stage(cli, Script::new().says("Aye.")).await;
    if since::AGENT.check(&version).is_err() {
        return;
    }
    let captain = AgentDefinition::new("Leads", "You are the captain of this ship.");
    let claude = Claude::new().subagent("captain", captain).agent("captain");
    let (mut session, _files, _) = start(claude, version, &stage).await;
    turn(&mut session).await;
    let system = stage.model.story_requests()[0].body["system"].to_string();
    assert!(system.contains("You are the captain of this ship."), "{version}");
    good(session.finish().await);
}

async fn a_plugin_is_loaded(cli: CliVersion) {
    let (version, stage) = stage(cli, Script::new().says("Aye.")).await;
    good(stage.place.write("plug/.claude-plugin/plugin.json", r#"{"name": "plug", "version": "1.0.0"}"#));
    good(stage.place.write("plug/commands/hoist.md", "---\ndescription: Hoist\n---\nHoist the flag."));
    let claude = Claude::new().plugin(Plugin::new(stage.place.project().join("plug")));
    let (mut session, _files, _) = start(claude, version, &stage).await;
    let (init, _) = turn(&mut session).await;
    assert!(init["slash_commands"].to_string().contains("plug:hoist"), "{version}: {init}");
    good(session.finish().await);
}

async fn files_are_read_and_flags_taken(cli: CliVersion) {
    let (version, stage) = stage(cli, Script::new().says("Aye.")).await;
    let server = ServerConfig::stdio("node", vec![stage.place.mcp_server().display().to_string()]);
    let claude = Claude::new()
        .mcp_server("deck", server)
        .strict_mcp_config()
        .settings(Raw::from_text(r#"{"outputStyle":"Explanatory"}"#).unwrap())
        .setting_sources([SettingSource::User])
        .built_in_tools(Tools::only(["Bash", "Read"]))
        .allowed_tools(["Bash(git *)", "Read"])
        .disallowed_tools(["WebFetch"])
        .add_directories(["/tmp", "/usr"])
        .betas(["context-1m-2025-08-07"])
        .max_turns(3)
        .max_budget_usd(2.5)
        .session_id("11111111-2222-4333-8444-555555555555")
        .without_persistence();
    let (mut session, files, answer) = start(claude, version, &stage).await;
    assert_eq!(files.folder().read_dir().unwrap().count(), 2);
    assert_eq!(answer["response"]["response"]["output_style"], "Explanatory", "{version}");
    let (init, _) = turn(&mut session).await;
    assert_eq!(init["session_id"], "11111111-2222-4333-8444-555555555555", "{version}");
    assert_eq!(init["mcp_servers"][0]["name"], "deck", "{version}: {init}");
    let tools = init["tools"].as_array().unwrap();
    let built_in: Vec<_> = tools.iter().filter(|tool| !tool.as_str().unwrap().starts_with("mcp__")).collect();
    assert!(built_in.iter().all(|tool| ["Bash", "Read"].contains(&tool.as_str().unwrap())), "{version}: {tools:?}");
    good(session.finish().await);
}

async fn what_marks_a_command_of_the_cli_is_not_inherited(cli: CliVersion) {
    let command = "env | cut -d= -f1 | grep -E '^(CLAUDE|AI_AGENT)' | sort > marks.txt";
    let script = Script::new().calls("Bash", json!({"command": command, "description": "Look"})).says("Aye.");
    // The lab sets these itself, or the user would.
    let known = ["CLAUDE_CODE_TMPDIR", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"];
    let (version, stage) = stage(cli, script).await;
    let (mut session, _files, _) = start(Claude::new().dangerously_skip_permissions(), version, &stage).await;
    turn(&mut session).await;
    good(session.finish().await);
    let marks = std::fs::read_to_string(stage.place.project().join("marks.txt")).unwrap();
    assert!(marks.contains("CLAUDECODE"), "{version}: {marks}");
    let inherited = marks.lines().filter(|mark| !known.contains(mark) && !MARKS.contains(mark));
    assert_eq!(inherited.collect::<Vec<_>>(), [""; 0], "{version}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_present_version_takes_its_own_flags() {
    let (version, stage) = newest(Script::new().says("Aye.")).await;
    let claude = Claude::new()
        .effort(EffortLevel::XHigh)
        .fallback_models(["claude-haiku-4-5", "claude-opus-4-5"])
        .thinking(Thinking::Adaptive)
        .thinking_display(ThinkingDisplay::Summarized)
        .task_budget(50_000)
        .auto_compact(AutoCompact::Tokens(200_000))
        .append_subagent_system_prompt("Be brief.")
        .plan_mode_instructions("Plan.")
        .exclude_dynamic_sections()
        .fresh_system_prompt()
        .title("Ship it")
        .managed_settings(Raw::from_text("{}").unwrap())
        .project_config_root(stage.place.project())
        .tool_alias("Shell", "Bash")
        .skills(["pdf"])
        .brief()
        .restricted()
        .run_init_hooks()
        .hook_events()
        .subagent_text()
        .prompt_suggestions()
        .progress_summaries()
        .auth_status()
        .transcript_mirror()
        .per_task_stop()
        .on_dialog(["plan"], |_| async { claude_protocol::control::UserDialogAnswer::cancelled() })
        .chrome(Chrome::Off)
        .debug(Debug::Only("hooks".to_owned()))
        .debug_file(stage.place.temporary().join("debug.txt"))
        .deny_permission_prompts();
    let (mut session, _files, _) = start(claude, version, &stage).await;
    let (_, result) = turn(&mut session).await;
    assert_eq!(result["result"], "Aye.", "{result}");
    good(session.finish().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_present_version_adds_our_text_to_the_prompt_of_subagents() {
    let task = json!({"description": "Look", "prompt": "Look out", "subagent_type": "general-purpose"});
    let script = Script::new().calls("Agent", task).says("Land.").says("Aye.");
    let (version, stage) = newest(script).await;
    let claude = Claude::new().append_subagent_system_prompt("Whisper only.").dangerously_skip_permissions();
    let (mut session, _files, _) = start(claude, version, &stage).await;
    turn(&mut session).await;
    let systems =
        stage.model.story_requests().iter().map(|request| request.body["system"].to_string()).collect::<Vec<_>>();
    assert!(!systems[0].contains("Whisper only."));
    assert!(systems[1..].iter().any(|system| system.contains("Whisper only.")), "{}", systems.len());
    good(session.finish().await);
}
