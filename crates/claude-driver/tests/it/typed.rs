//! Answers in the shape of a Rust type, by every version of the real CLI.

use std::collections::BTreeMap;

use claude_driver::{Claude, JsonSchema};
use lab::{Script, Stage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A type with all that makes a schema difficult: types inside types, numbers with a format, choices, maps, tuples.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Review {
    verdict: Verdict,
    issues: Vec<Issue>,
    score: f64,
    reviewer: Option<String>,
    counts: BTreeMap<String, u32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Good,
    Bad,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Issue {
    /// From line to line.
    lines: (u32, u32),
    text: String,
}

async fn a_typed_answer_comes(version: &str) {
    let review = Review {
        verdict: Verdict::Bad,
        issues: vec![Issue { lines: (3, 7), text: "no tests".to_owned() }],
        score: 0.5,
        reviewer: None,
        counts: BTreeMap::from([("words".to_owned(), 12)]),
    };
    let misfit = json!({"verdict": "splendid", "issues": []});
    let script = Script::new()
        .calls("StructuredOutput", misfit)
        .calls("StructuredOutput", serde_json::to_value(&review).unwrap())
        .says("Reviewed.");
    let stage = Stage::new(version.parse().unwrap(), script).await.unwrap();
    let claude = Claude::new().program(stage.program().unwrap()).cwd(stage.place.project());
    let claude =
        stage.environment().into_iter().fold(claude.env_clear(), |claude, (name, value)| claude.env(name, value));
    let answer: Review = claude.ask_as("Review this").await.unwrap();
    assert_eq!(answer, review);
    // The first one did not fit, and the model was told.
    let told = &stage.model.story_requests()[1].body["messages"];
    let results = told.as_array().unwrap().iter().filter_map(|message| message["content"].as_array()).flatten();
    let failed: Vec<&Value> = results.filter(|block| block["is_error"] == true).collect();
    assert_eq!(failed.len(), 1, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn v2_1_1() {
    a_typed_answer_comes("2.1.1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn v2_1_29() {
    a_typed_answer_comes("2.1.29").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn v2_1_38() {
    a_typed_answer_comes("2.1.38").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn v2_1_325() {
    a_typed_answer_comes("2.1.325").await;
}
