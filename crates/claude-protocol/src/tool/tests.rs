//! Reading of inputs and results where the form varies.

use super::ask::{Answer, AskUserQuestionResult};
use super::mcp::{McpResult, McpStructured};
use super::read::ReadResult;
use super::search::{WebSearchHit, WebSearchHits, WebSearchItem, WebSearchResult};
use super::*;
use crate::content::Content;
use crate::note::Note;

fn raw(text: &str) -> Raw {
    Raw::from_text(text).unwrap()
}

fn result(name: &str, text: &str) -> ToolResult {
    let reading = ToolResult::read(name, &raw(text));
    assert_eq!(reading.notes, []);
    assert_eq!(ToolResult::unmodelled(name, &raw(text)), Vec::<String>::new());
    reading.value
}

#[test]
fn the_name_of_an_mcp_tool_gives_server_and_tool() {
    assert_eq!(McpName::parse("mcp__my-server__do_it"), Some(McpName { server: "my-server", tool: "do_it" }));
    assert_eq!(McpName::parse("mcp__a__b__c"), Some(McpName { server: "a", tool: "b__c" }));
    assert_eq!(McpName::parse("mcp__alone"), None);
    assert_eq!(McpName::parse("Bash"), None);
}

#[test]
fn task_and_agent_are_one_tool() {
    let input = raw(r#"{"description":"d","prompt":"p","subagent_type":"general-purpose"}"#);
    let agent = agent::AgentInput {
        description: Some("d".to_owned()),
        prompt: "p".to_owned(),
        subagent_type: Some("general-purpose".to_owned()),
        ..Default::default()
    };
    assert_eq!(ToolInput::read("Agent", &input).value, ToolInput::Agent(Box::new(agent)));
    assert_eq!(ToolInput::read("Task", &input), ToolInput::read("Agent", &input));
}

#[test]
fn a_string_is_an_error_or_a_text_whatever_the_tool() {
    assert_eq!(result("Bash", r#""Error: Exit code 3\nout""#), ToolResult::Error("Exit code 3\nout".to_owned()));
    assert_eq!(result("Bash", r#""User rejected tool use""#), ToolResult::Text("User rejected tool use".to_owned()));
    assert_eq!(result("Frobnicate", r#""Error: no""#), ToolResult::Error("no".to_owned()));
}

#[test]
fn a_bash_result_may_have_the_exit_code_of_the_older_documents() {
    let bash = shell::BashResult {
        stdout: Some("a".to_owned()),
        stderr: Some(String::new()),
        exit_code: Some(0),
        ..Default::default()
    };
    assert_eq!(result("Bash", r#"{"stdout":"a","stderr":"","exit_code":0}"#), ToolResult::Bash(Box::new(bash)));
}

#[test]
fn an_answer_is_a_string_or_a_list() {
    let ToolResult::AskUserQuestion(answered) =
        result("AskUserQuestion", r#"{"questions":[],"answers":{"A?":"x","B?":["y","z"]}}"#)
    else {
        panic!("another tool")
    };
    let answers = [
        ("A?".to_owned(), Answer::Text("x".to_owned())),
        ("B?".to_owned(), Answer::Labels(vec!["y".to_owned(), "z".to_owned()])),
    ];
    let expected =
        AskUserQuestionResult { questions: Some(vec![]), answers: Some(answers.into()), ..Default::default() };
    assert_eq!(*answered, expected);
}

#[test]
fn a_web_search_mixes_pages_and_words() {
    let text = r#"{"query":"q","results":[{"tool_use_id":"s","content":[{"title":"t","url":"u"}]},"words"]}"#;
    let hit = WebSearchHit { title: Some("t".to_owned()), url: Some("u".to_owned()), ..Default::default() };
    let hits = WebSearchHits { tool_use_id: Some("s".to_owned()), content: Some(vec![hit]) };
    let search = WebSearchResult {
        query: Some("q".to_owned()),
        results: Some(vec![WebSearchItem::Hits(hits), WebSearchItem::Text("words".to_owned())]),
        ..Default::default()
    };
    assert_eq!(result("WebSearch", text), ToolResult::WebSearch(search.clone()));
    assert_eq!(crate::wire::to_json(&search), text);
}

#[test]
fn an_mcp_result_is_a_list_or_an_object() {
    let structured = McpStructured {
        content: Some(Content::Text(r#"{"sum":5}"#.to_owned())),
        structured_content: Some(raw(r#"{"sum":5}"#)),
        ..Default::default()
    };
    assert_eq!(
        result("mcp__s__add", r#"{"content":"{\"sum\":5}","structuredContent":{"sum":5}}"#),
        ToolResult::Mcp(McpResult::Structured(Box::new(structured)))
    );
    assert_eq!(result("mcp__s__add", "[]"), ToolResult::Mcp(McpResult::Content(vec![])));
}

#[test]
fn what_was_read_is_told_by_its_type() {
    let text = r#"{"type":"text","file":{"filePath":"/a","content":"b","numLines":1,"startLine":1,"totalLines":1}}"#;
    assert!(matches!(result("Read", text), ToolResult::Read(ReadResult::Text(read)) if read.file.num_lines == Some(1)));
}

#[test]
fn a_new_field_is_named_and_a_new_tool_carried() {
    assert_eq!(ToolResult::unmodelled("Write", &raw(r#"{"type":"create","mood":"good"}"#)), ["mood"]);
    assert_eq!(
        ToolInput::unmodelled("TodoWrite", &raw(r#"{"todos":[{"content":"","status":"","x":1}]}"#)),
        ["todos[].x"]
    );
    assert_eq!(ToolInput::read("Frobnicate", &raw("{}")).value, ToolInput::Other(raw("{}")));
}

#[test]
fn a_result_of_another_form_is_carried_with_a_note() {
    let reading = ToolResult::read("Edit", &raw("[1]"));
    assert_eq!(reading.value, ToolResult::Other(raw("[1]")));
    assert_eq!(reading.notes, [Note { path: String::new(), expected: "an object", found: "a list" }]);
}

#[test]
fn the_answer_of_a_subagent_is_told_from_the_notes_around_it() {
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let content = [text("note"), text("answer"), text("tail")].join(",");
    let answer = |counts: &str| {
        let ToolResult::Agent(agent) = result("Agent", &format!(r#"{{"content":[{content}]{counts}}}"#)) else {
            panic!("not an agent's result")
        };
        agent.answer().len()
    };
    assert_eq!(answer(""), 3);
    assert_eq!(answer(r#","harnessNoteCount":1,"harnessTailCount":0"#), 2);
    assert_eq!(answer(r#","harnessNoteCount":2,"harnessTailCount":1"#), 1);
    assert_eq!(answer(r#","harnessNoteCount":9,"harnessTailCount":9"#), 0);
}
