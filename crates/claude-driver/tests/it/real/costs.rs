//! Costs add up: what the turns cost is what the CLI counts, whatever happens between them.

use claude_driver::{Answer, Claude, Session, TurnEnd};
use lab::{CliVersion, Script};
use serde_json::json;

use super::staged::{claude, read_up_to, stage};

lab::on_every_version! { costs_add_up_over_resume_fork_and_clear, an_interrupted_turn_costs_no_less_than_nothing }

/// The tokens of each turn of the story.
const OUTPUT: u64 = 200;

/// What each turn of the story costs by the prices that the version knows for the model.
fn price(cli: CliVersion) -> f64 {
    let (input, output) = if cli == CliVersion::new(2, 1, 38) { (5.0, 25.0) } else { (3.0, 15.0) };
    (1000.0 * input + 200.0 * output) / 1e6
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// A session that has cost `baseline` before, by the CLI's own count: the turns of now make up the rest.
async fn play(claude: &Claude, each: f64, baseline: f64, prompts: &[&str]) -> (Session, Vec<Answer>) {
    let session = claude.start().await.unwrap();
    let mut answers = Vec::new();
    for prompt in prompts {
        answers.push(session.send(*prompt).await.unwrap());
    }
    let sum: f64 = answers.iter().map(|answer| answer.cost_usd).sum();
    let total = answers.last().unwrap().result.total_cost_usd.unwrap();
    assert!(near(sum, total - baseline), "{sum} is not {total} - {baseline}");
    for answer in &answers {
        assert!(near(answer.cost_usd, each), "{:?}", answer.cost);
        assert!(answer.cost.models.values().all(|usage| usage.output_tokens == Some(OUTPUT)), "{:?}", answer.cost);
    }
    (session, answers)
}

async fn costs_add_up_over_resume_fork_and_clear(cli: CliVersion) {
    let script = Script::new().says("So be it.").using(json!({"input_tokens": 1000, "final_output_tokens": OUTPUT}));
    let stage = stage(cli, script.always()).await;
    let (claude, each) = (claude(&stage), price(cli));
    let (session, answers) = play(&claude, each, 0.0, &["one", "two"]).await;
    session.close().await.unwrap();
    let id = answers[1].session_id.clone().unwrap();
    let total = answers[1].cost.total_usd;
    assert!(near(total, 2.0 * each));

    // The present version counts on where it was; older ones begin anew.
    let baseline = if cli.is_present() { total } else { 0.0 };
    let (session, answers) = play(&claude.clone().resume(id.as_str()), each, baseline, &["three", "four"]).await;
    session.close().await.unwrap();
    let total = answers[1].cost.total_usd;

    let baseline = if cli.is_present() { total } else { 0.0 };
    let (session, answers) = play(&claude.clone().resume(id.as_str()).fork(), each, baseline, &["five"]).await;
    let before = answers[0].cost.total_usd;

    // Older versions do not know the command and go on; the present one begins a new conversation, from nothing.
    let cleared = session.send("/clear").await.unwrap();
    assert!(near(cleared.cost_usd, 0.0), "{:?}", cleared.cost);
    let after = session.send("six").await.unwrap();
    let expected = if cli.is_present() { each } else { before + each };
    assert!(near(after.cost_usd, each) && near(after.cost.total_usd, expected), "{:?}", after.cost);
    assert_eq!(after.session_id == answers[0].session_id, !cli.is_present());
    assert_eq!(session.id(), after.session_id);
    session.close().await.unwrap();
}

async fn an_interrupted_turn_costs_no_less_than_nothing(cli: CliVersion) {
    let long = (0..60).map(|word| format!("word{word} ")).collect::<String>();
    let script = Script::new().says("One.").says(long).pausing_after(5, "never").says("Three.");
    let stage = stage(cli, script).await;
    let session = claude(&stage).start().await.unwrap();
    let first = session.send("one").await.unwrap();
    let mut turn = session.send("two");
    read_up_to(&mut turn, "word4").await;
    session.interrupt().await.unwrap();
    let second = turn.await.unwrap();
    let third = session.send("three").await.unwrap();
    assert_eq!(second.end, TurnEnd::Interrupted);
    assert!(first.cost_usd > 0.0 && second.cost_usd >= 0.0 && third.cost_usd > 0.0);
    let sum = first.cost_usd + second.cost_usd + third.cost_usd;
    assert!(near(sum, third.result.total_cost_usd.unwrap()), "{sum} {:?}", third.cost);
    session.close().await.unwrap();
}
