//! Asks twice: once for text, once for a value of a Rust type.
#![expect(clippy::print_stdout, reason = "the program's output")]

use claude_driver::{Claude, JsonSchema, Result};

#[derive(serde::Deserialize, JsonSchema)]
struct Review {
    verdict: String,
    issues: Vec<String>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let claude = Claude::new().model("sonnet").max_budget_usd(0.50);
    let answer = claude.ask("What does src/lib.rs do?").await?;
    println!("{answer}  (${:.4})", answer.cost_usd);
    let review: Review = claude.ask_as("Review src/lib.rs").await?;
    println!("{}: {:?}", review.verdict, review.issues);
    Ok(())
}
