//! Questions of the model to the user, answered by the host.

use std::collections::BTreeMap;

use claude_protocol::ToolInput;
use claude_protocol::permission::PermissionAnswer;
use claude_protocol::tool::ToolResult;
use claude_protocol::tool::ask::Answer;
use lab::{CliVersion, Launch, Script};
use serde_json::{Value, json};

use super::talk::{Talk, Told, input, last_sent, stage};

lab::on_every_version! { questions_are_answered_by_the_host, a_question_that_is_denied_has_no_answer }

fn questions() -> Value {
    json!({"questions": [
        {
            "question": "Which color?", "header": "Color", "multiSelect": false,
            "options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cool"}],
        },
        {
            "question": "Which toppings?", "header": "Toppings", "multiSelect": true,
            "options": [
                {"label": "Cheese", "description": "melts"}, {"label": "Olives", "description": "salty"},
                {"label": "Ham", "description": "smoky"},
            ],
        },
    ]})
}

async fn questions_are_answered_by_the_host(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("AskUserQuestion", questions()).says("Noted.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    talk.prompt("Ask me").await;
    let (to, ask) = talk.permission().await;
    let ToolInput::AskUserQuestion(asked) = input(&ask) else { panic!("{ask:?}") };
    let seen: Vec<_> = asked
        .questions
        .iter()
        .map(|question| {
            let labels: Vec<&str> = question.options.iter().map(|option| &*option.label).collect();
            (&*question.question, question.header.as_deref(), question.multi_select, labels)
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("Which color?", Some("Color"), Some(false), vec!["Red", "Blue"]),
            ("Which toppings?", Some("Toppings"), Some(true), vec!["Cheese", "Olives", "Ham"]),
        ]
    );
    let answers = BTreeMap::from([
        ("Which color?".to_owned(), Answer::Text("Blue".to_owned())),
        ("Which toppings?".to_owned(), Answer::Labels(vec!["Cheese".to_owned(), "Olives".to_owned()])),
    ]);
    talk.say(to.permission(&PermissionAnswer::allow_with_answers(&ask, &answers).unwrap())).await;
    let result = talk.result().await;
    let told = talk.finish().await;

    let [(block, ToolResult::AskUserQuestion(given))] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!(given.answers, Some(answers));
    assert_eq!(given.questions.as_ref().unwrap().len(), 2);
    assert!(!block.failed());
    let to_model = last_sent(&stage)["content"][0]["content"].as_str().unwrap().to_owned();
    for words in [r#""Which color?"="Blue""#, r#""Which toppings?"="Cheese,Olives""#] {
        assert!(to_model.contains(words), "{words} in {to_model}");
    }
    assert_eq!((result.result.as_deref(), told.asked(), told.code), (Some("Noted."), 1, Some(0)));
}

async fn a_question_that_is_denied_has_no_answer(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("AskUserQuestion", questions()).says("Another time.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    talk.prompt("Ask me").await;
    let (to, ask) = talk.permission().await;
    talk.say(to.permission(&PermissionAnswer::deny(&ask, ""))).await;
    talk.result().await;
    let told: Told = talk.finish().await;

    // The CLI takes no empty message, so ours has words.
    let denied = claude_protocol::permission::DENIED;
    let [(block, why)] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!((block.failed(), why), (true, &ToolResult::Error(denied.to_owned())));
}
