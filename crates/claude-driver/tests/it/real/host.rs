//! What a host brings along: tools, hooks, and a type for the answer.

use claude_driver::hook::output::{HookPermission, HookSpecificOutput, PreToolUseOutput};
use claude_driver::hook::{HookEvent, HookInput, HookOutput};
use claude_driver::protocol::Raw;
use claude_driver::{Hook, JsonSchema, Tool};
use lab::{CliVersion, Script};
use serde::Deserialize;
use serde_json::json;

use super::staged::{asked, asking, bash, claude, last_sent, stage};

lab::on_every_version! {
    the_result_of_a_tool_in_this_process_reaches_the_model,
    a_hook_denies,
    a_hook_changes_the_input,
    an_answer_takes_the_shape_of_a_type,
}

#[derive(Deserialize, JsonSchema)]
struct Article {
    /// The article.
    sku: String,
}

async fn the_result_of_a_tool_in_this_process_reaches_the_model(cli: CliVersion) {
    let script = Script::new().calls("mcp__host__stock", json!({"sku": "A-1"})).says("There are some.");
    let stage = stage(cli, script).await;
    let tool = Tool::new("stock", "Units on hand", |article: Article, _| async move {
        Ok(format!("{} has 42 units", article.sku))
    });
    let (claude, mut requests) = asking(claude(&stage).tools([tool]));
    let session = claude.start().await.unwrap();
    let turn = session.send("How many?");
    let request = asked(&mut requests).await;
    assert_eq!(request.tool_name, "mcp__host__stock");
    request.allow();
    assert_eq!(turn.await.unwrap().text, "There are some.");
    assert!(last_sent(&stage).contains("A-1 has 42 units"));
    session.close().await.unwrap();
}

async fn a_hook_denies(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("Bash", bash("touch made.txt")).says("Then not.")).await;
    let guard = Hook::on(HookEvent::PreToolUse, |input, call| async move {
        let HookInput::PreToolUse(fired) = input else { return HookOutput::none() };
        assert_eq!(fired.tool_use_id, call.tool_use_id);
        HookOutput::permission(HookPermission::Deny, "not on my watch")
    });
    let (claude, mut requests) = asking(claude(&stage).hook(guard.matching("Bash")));
    let session = claude.start().await.unwrap();
    assert_eq!(session.send("Make it").await.unwrap().text, "Then not.");
    session.close().await.unwrap();
    assert!(last_sent(&stage).contains("not on my watch"));
    assert!(!stage.place.project().join("made.txt").exists());
    assert!(requests.try_recv().is_err());
}

async fn a_hook_changes_the_input(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("Bash", bash("touch original.txt")).says("Made.")).await;
    let change = Hook::on(HookEvent::PreToolUse, |_, _| async move {
        let mut output = PreToolUseOutput::default();
        output.permission_decision = Some(HookPermission::Allow);
        output.updated_input = Raw::from_value(&bash("touch changed.txt")).ok();
        HookOutput::specific(HookSpecificOutput::PreToolUse(output))
    });
    let session = claude(&stage).hook(change).start().await.unwrap();
    assert_eq!(session.send("Make it").await.unwrap().text, "Made.");
    session.close().await.unwrap();
    let project = stage.place.project();
    assert!(project.join("changed.txt").exists() && !project.join("original.txt").exists());
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Person {
    name: String,
    age: u32,
    /// The day of birth.
    #[schemars(extend("format" = "date"))]
    born: String,
    friends: Vec<Friend>,
}

/// A type of its own stands behind a reference in the schema.
#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Friend {
    name: String,
}

async fn an_answer_takes_the_shape_of_a_type(cli: CliVersion) {
    let ada = json!({"name": "Ada", "age": 36, "born": "1815-12-10", "friends": [{"name": "Mary"}]});
    let mut script = Script::new().calls("StructuredOutput", ada);
    if !cli.is_present() {
        // Older versions ask the model for a last word; the present one takes the call for the answer.
        script = script.says("Done.");
    }
    let stage = stage(cli, script).await;
    let person: Person = claude(&stage).ask_as("Who?").await.unwrap();
    let friends = vec![Friend { name: "Mary".to_owned() }];
    assert_eq!(person, Person { name: "Ada".to_owned(), age: 36, born: "1815-12-10".to_owned(), friends });
    assert_eq!(stage.model.unused_replies(), 0);
}
