//! What a host brings along: `initialize`, hooks, and an MCP server of its own.

use claude_protocol::content::Block;
use claude_protocol::control::catalog::ApiKeySource;
use claude_protocol::control::mcp::McpServerState;
use claude_protocol::control::{Ask, Initialize, McpAnswer, McpMessage, Response};
use claude_protocol::from_cli::TurnResult;
use claude_protocol::hook::output::HookPermission;
use claude_protocol::hook::{HookEvent, HookInput, HookMatcher, HookOutput};
use claude_protocol::permission::{CanUseTool, PermissionAnswer};
use claude_protocol::tool::ToolResult;
use claude_protocol::tool::mcp::{McpName, McpResult};
use claude_protocol::{FromCli, Raw, RequestId, ToolInput};
use lab::{CliVersion, Launch, Script};
use serde_json::{Value, json};

use super::talk::{Talk, input, last_sent, stage};

lab::on_every_version! {
    initialize_tells_what_there_is,
    a_hook_of_the_host_stops_a_tool,
    a_tool_of_the_host_is_called,
}

async fn initialize_tells_what_there_is(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("Arr.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    let mut wishes = Initialize::new();
    wishes.append_system_prompt = Some("Talk like a pirate.".to_owned());
    let answer = talk.command(wishes).await;
    talk.turn("Hello").await;
    let told = talk.finish().await;

    // Nothing but the answer comes before the first prompt.
    assert_eq!(told.kinds(), ["control_response", "system/init", "assistant", "result/success"]);
    assert!(answer.commands.unwrap().iter().any(|command| command.name == "compact" && command.description.is_some()));
    let models = answer.models.unwrap();
    assert!(models.iter().any(|model| model.value.as_deref() == Some("default") && model.display_name.is_some()));
    assert_eq!(answer.output_style.as_deref(), Some("default"));
    assert!(answer.available_output_styles.unwrap().iter().any(|style| style == "default"));
    assert_eq!(answer.account.unwrap().api_key_source, Some(ApiKeySource::Environment));
    assert_eq!(answer.claude_code_version, cli.is_present().then(|| cli.to_string()));
    let system = stage.model.story_requests()[0].body["system"].to_string();
    assert!(system.contains("Talk like a pirate."));
}

async fn a_hook_of_the_host_stops_a_tool(cli: CliVersion) {
    let call = json!({"command": "touch made.txt", "description": "Make a file"});
    let stage = stage(cli, Script::new().calls("Bash", call).says("Then not.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    let mut wishes = Initialize::new();
    wishes.add_hook(&HookEvent::PreToolUse, HookMatcher::matching("Bash", "guard"));
    let answer = talk.command(wishes).await;
    assert_eq!(answer.hooks_applied, cli.is_present().then_some(true));
    talk.prompt("Make it").await;
    let (id, hook) = talk.hook().await;
    talk.say(Response::success(id, &HookOutput::permission(HookPermission::Deny, "not on my watch"))).await;
    let result = talk.result().await;
    let told = talk.finish().await;

    assert_eq!(hook.callback_id.as_str(), "guard");
    let HookInput::PreToolUse(fired) = hook.input else { panic!("{:?}", hook.input) };
    let ToolInput::Bash(bash) = ToolInput::read(&fired.tool_name, fired.tool_input.as_ref().unwrap()).value else {
        panic!("{fired:?}")
    };
    assert_eq!(bash.command, "touch made.txt");
    assert_eq!(fired.session_id, told.inits()[0].session_id);
    assert_eq!((fired.cwd, fired.tool_use_id.as_ref()), (told.inits()[0].cwd.clone(), hook.tool_use_id.as_ref()));
    let [(block, ToolResult::Error(why))] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!(Some(&block.tool_use_id), fired.tool_use_id.as_ref());
    assert!(block.failed() && why.ends_with("not on my watch"), "{why}");
    assert!(last_sent(&stage).to_string().contains("not on my watch"));
    assert!(!stage.place.project().join("made.txt").exists());
    // Only the present version counts what a hook stops among the denials.
    assert_eq!(result.permission_denials.unwrap().len(), usize::from(cli.is_present()));
    assert_eq!((result.result.as_deref(), told.asked(), told.code), (Some("Then not."), 0, Some(0)));
}

/// What a host that has a server must react to.
enum Step {
    Message(RequestId, McpMessage),
    Ask(RequestId, Box<CanUseTool>),
    End(Box<TurnResult>),
}

async fn a_tool_of_the_host_is_called(cli: CliVersion) {
    let script = Script::new().calls("mcp__deck__echo", json!({"text": "ahoy"})).says("It echoed.");
    let stage = stage(cli, script).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    let mut wishes = Initialize::new();
    wishes.sdk_mcp_servers = Some(vec!["deck".to_owned()]);
    // The answer may come before or after the first words to the server, so nobody waits for it here.
    let id = talk.request(wishes).await;
    talk.prompt("Use it").await;
    let mut methods = Vec::new();
    let result = loop {
        match talk.next("the host's turn", step).await {
            Step::Message(id, message) => {
                assert_eq!(message.server_name, "deck");
                let message: Value = message.message.parse().unwrap();
                methods.push(message["method"].as_str().unwrap().to_owned());
                let answer = McpAnswer::new(Raw::from_value(&serve(&message)).unwrap());
                talk.say(Response::success(id, &answer)).await;
            }
            Step::Ask(id, ask) => {
                assert_eq!(McpName::parse(&ask.tool_name), Some(McpName { server: "deck", tool: "echo" }));
                assert!(matches!(input(&ask), ToolInput::Mcp(_)));
                talk.say(Response::success(id, &PermissionAnswer::allow(&ask))).await;
            }
            Step::End(result) => break result,
        }
    };
    let told = talk.finish().await;

    assert_eq!(methods, ["initialize", "notifications/initialized", "tools/list", "tools/call"]);
    let answers = told.answers(&id);
    assert!(answers.len() == 1 && answers[0].answer_to::<Initialize>().unwrap().value.commands.is_some());
    let servers = told.inits()[0].mcp_servers.as_ref().unwrap();
    assert_eq!(
        servers.iter().map(|server| (&*server.name, &server.status)).collect::<Vec<_>>(),
        [("deck", &Some(McpServerState::Connected))]
    );
    let [(block, ToolResult::Mcp(echoed))] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!(*echoed, McpResult::Content(vec![Block::text("echo: ahoy")]));
    assert!(!block.failed());
    assert!(last_sent(&stage).to_string().contains("echo: ahoy"));
    assert_eq!((result.result.as_deref(), told.asked(), told.code), (Some("It echoed."), 1, Some(0)));
}

fn step(line: &FromCli) -> Option<Step> {
    match line {
        FromCli::ControlRequest(request) => match &request.request {
            Ask::McpMessage(message) => Some(Step::Message(request.request_id.clone(), message.clone())),
            Ask::CanUseTool(ask) => Some(Step::Ask(request.request_id.clone(), ask.clone())),
            _ => None,
        },
        FromCli::Result(result) => Some(Step::End(result.clone())),
        _ => None,
    }
}

/// An MCP server with one tool, which says what it is told.
fn serve(message: &Value) -> Value {
    let params = &message["params"];
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "deck", "version": "1.0.0"},
        }),
        "tools/list" => json!({"tools": [{
            "name": "echo", "description": "Say it again",
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        }]}),
        "tools/call" => {
            let text = format!("echo: {}", params["arguments"]["text"].as_str().unwrap());
            json!({"content": [{"type": "text", "text": text}]})
        }
        _ => json!({}),
    };
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result})
}
