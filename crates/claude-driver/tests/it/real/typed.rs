//! Answers in the shape of a Rust type, by every version of the real CLI.

use std::collections::BTreeMap;

use claude_driver::JsonSchema;
use lab::{CliVersion, Script};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::staged::{claude, stage};

lab::on_every_version! { a_typed_answer_comes }

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

async fn a_typed_answer_comes(cli: CliVersion) {
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
    let stage = stage(cli, script).await;
    let answer: Review = claude(&stage).ask_as("Review this").await.unwrap();
    assert_eq!(answer, review);
    // The first one did not fit, and the model was told.
    let told = &stage.model.story_requests()[1].body["messages"];
    let results = told.as_array().unwrap().iter().filter_map(|message| message["content"].as_array()).flatten();
    let failed: Vec<&Value> = results.filter(|block| block["is_error"] == true).collect();
    assert_eq!(failed.len(), 1, "{told}");
}
