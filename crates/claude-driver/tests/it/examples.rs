//! The example programs, each run as a process of its own against the real CLI and a scripted model.

use std::path::PathBuf;
use std::process::{Output, Stdio};

use lab::{Script, Stage};
use serde_json::{Value, json};
use tokio::process::Command;

/// What a program said, and what the model heard.
struct Told {
    stdout: String,
    /// The results of tools, as the last request to the model has them.
    tool_results: Vec<String>,
}

/// Runs an example to its end.
async fn run(name: &str, script: Script) -> Told {
    let stage = Stage::new("2.1.326".parse().unwrap(), script).await.unwrap();
    let program = program(name);
    #[expect(clippy::disallowed_methods, reason = "the examples are programs, and this is where they are started")]
    let mut command = Command::new(&program);
    command.env_clear().envs(stage.environment()).env("QUARTERDECK_CLAUDE", stage.program().unwrap());
    command.current_dir(stage.place.project()).stdin(Stdio::null()).kill_on_drop(true);
    let Output { status, stdout, stderr } = command.output().await.unwrap();
    assert!(status.success(), "{name}: {status}: {}", String::from_utf8_lossy(&stderr));
    let requests = stage.model.story_requests();
    let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result").map(|block| text(&block["content"])).collect();
    Told { stdout: String::from_utf8(stdout).unwrap(), tool_results: results }
}

/// Cargo builds the examples with the tests, into a folder beside theirs.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.is_file(), "no {}: build it with `cargo build -p claude-driver --examples`", program.display());
    program
}

/// The text of a tool result, which is a string or a list of blocks.
fn text(content: &Value) -> String {
    match content.as_array() {
        Some(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        None => content.as_str().unwrap_or_default().to_owned(),
    }
}

#[cfg(feature = "tools")]
#[tokio::test(flavor = "multi_thread")]
async fn ask_prints_an_answer_with_its_cost_and_a_typed_one() {
    let review = json!({"verdict": "good", "issues": ["no tests", "no docs"]});
    let script = Script::new()
        .says("It adds numbers.")
        .using(json!({"input_tokens": 1000, "output_tokens": 1000, "final_output_tokens": 1000}))
        .calls("StructuredOutput", review)
        .says("Reviewed.");
    let told = run("ask", script).await;
    assert_eq!(told.stdout, "It adds numbers.  ($0.0120)\ngood: [\"no tests\", \"no docs\"]\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_denies_rm_allows_the_rest_and_asks_again() {
    let script = Script::new()
        .calls("Bash", json!({"command": "rm -rf notes", "description": "Clean up"}))
        .calls("Bash", json!({"command": "mkdir -p made/here", "description": "Make a folder"}))
        .says("The test is fixed.")
        .says("A folder was missing.");
    let told = run("permissions", script).await;
    assert_eq!(told.stdout, "The test is fixed.\nA folder was missing.\n");
    assert_eq!(told.tool_results.len(), 2);
    assert!(told.tool_results[0].contains("no rm"), "{:?}", told.tool_results);
    assert!(!told.tool_results[1].contains("no rm"), "{:?}", told.tool_results);
}

#[cfg(feature = "tools")]
#[tokio::test(flavor = "multi_thread")]
async fn tools_runs_the_function_that_the_model_calls() {
    let script = Script::new().calls("mcp__host__stock", json!({"sku": "A-1"})).says("There are three.");
    let told = run("tools", script).await;
    assert_eq!(told.stdout, "There are three.\n");
    assert_eq!(told.tool_results, ["3 units of A-1"]);
}

#[test]
fn no_example_has_more_than_fifteen_lines() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut counted = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // The docs, and the leave to print, which only this workspace's lints want.
        let is_program = |line: &&str| !(line.is_empty() || line.starts_with("//!") || line.starts_with("#![expect("));
        let lines = text.lines().map(str::trim).filter(is_program).count();
        assert!(lines <= 15, "{}: {lines} lines", path.display());
        counted.push(path.file_stem().unwrap().to_string_lossy().into_owned());
    }
    counted.sort();
    assert_eq!(counted, ["ask", "permissions", "tools"]);
}
