//! Questions of the agent on a terminal: what is asked in, what the user decided out.

use std::collections::BTreeMap;

use insights::state::ask::{ElicitationAsk, PermissionAsk, PlanAsk, Question, QuestionAsk, Suggestion};
use insights::state::tool::ToolView;
use insights::state::{Ask, AskBody, Clip};
use live::{Choice, Decision, Remember};

use super::keyboard::Keyboard;
use super::screen::Screen;

/// How much of what is asked for is shown.
const SHOWN_LINES: usize = 60;

/// Shows the question and asks until there is a decision. The end of input is a no.
pub(crate) async fn decide(ask: &Ask, screen: &mut Screen, keyboard: &mut Keyboard) -> Decision {
    keyboard.forget();
    match &ask.body {
        AskBody::Permission(permission) => decide_permission(permission, screen, keyboard).await,
        AskBody::Plan(plan) => decide_plan(plan, screen, keyboard).await,
        AskBody::Question(question) => answer(question, screen, keyboard).await,
        AskBody::Elicitation(elicitation) => decide_elicitation(elicitation, screen, keyboard).await,
        AskBody::Dialog(dialog) => {
            screen
                .question(&format!("The agent wants to show a dialog ({}); it is closed here.", named(&dialog.dialog)));
            Decision::Cancel
        }
    }
}

fn named(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or("without a name")
}

async fn decide_permission(ask: &PermissionAsk, screen: &mut Screen, keyboard: &mut Keyboard) -> Decision {
    screen.question(&permission_text(ask));
    yes_or_no(&ask.suggestions, ask.default_to_no, screen, keyboard).await
}

async fn decide_plan(ask: &PlanAsk, screen: &mut Screen, keyboard: &mut Keyboard) -> Decision {
    screen.question(&format!("Is this plan good?\n\n{}", ask.plan.text.trim_end()));
    yes_or_no(&ask.suggestions, false, screen, keyboard).await
}

/// What is asked for, with the thing itself: the command, the change before it is made, the address.
pub(crate) fn permission_text(ask: &PermissionAsk) -> String {
    let mut text = match ask.title == ask.tool {
        true => format!("Allow {}?", ask.tool),
        false => format!("Allow {}: {}?", ask.tool, ask.title.trim_end_matches('?')),
    };
    let thing = match &ask.view {
        ToolView::Command { command, .. } => told(command),
        ToolView::Edit { diff, .. } => super::screen::diff_text(diff),
        ToolView::Fetch { url, .. } => told(url),
        _ => ask.description.clone().unwrap_or_else(|| ask.input.text.clone()),
    };
    text.push_str(&shown(&thing));
    if let Some(reason) = &ask.reason {
        text.push_str("\n  because: ");
        text.push_str(reason);
    }
    if let Some(path) = &ask.blocked_path {
        text.push_str("\n  path: ");
        text.push_str(path);
    }
    text
}

/// A text, indented, as far as it is shown. Nobody shall allow what was not shown without knowing it.
fn shown(thing: &str) -> String {
    let mut text: String = thing.lines().take(SHOWN_LINES).map(|line| format!("\n    {line}")).collect();
    if let Some(more) = thing.lines().count().checked_sub(SHOWN_LINES).filter(|more| *more > 0) {
        text.push_str(&format!("\n    … and {more} more lines that are not shown"));
    }
    text
}

async fn yes_or_no(
    suggestions: &[Suggestion],
    default_to_no: bool,
    screen: &mut Screen,
    keyboard: &mut Keyboard,
) -> Decision {
    screen.choices(&choices(suggestions, default_to_no));
    loop {
        screen.mark();
        let Some(line) = keyboard.line().await else { return Decision::Deny { why: None, stop: true } };
        match parse(&line, suggestions, default_to_no) {
            Some(decision) => return decision,
            None => screen.choices(&choices(suggestions, default_to_no)),
        }
    }
}

/// The keys and what they mean.
pub(crate) fn choices(suggestions: &[Suggestion], default_to_no: bool) -> Vec<(String, String)> {
    let key = |letter: &str, is_default: bool| if is_default { format!("{letter}, Enter") } else { letter.to_owned() };
    let mut keys = vec![(key("y", !default_to_no), "yes, this once".to_owned())];
    for (number, suggestion) in (1..).zip(suggestions) {
        keys.push((number.to_string(), format!("yes, and: {}", suggestion.label)));
    }
    let no = "no; what follows is told to the agent, as in `n use git instead`";
    keys.push((key("n", default_to_no), no.to_owned()));
    keys
}

/// What the user typed, as a decision; none if it is no answer.
pub(crate) fn parse(line: &str, suggestions: &[Suggestion], default_to_no: bool) -> Option<Decision> {
    let line = line.trim();
    let allow = |remember| Some(Decision::Allow { input: None, remember });
    let deny = |why: &str| {
        let why = Some(why.trim()).filter(|why| !why.is_empty()).map(str::to_owned);
        Some(Decision::Deny { why, stop: false })
    };
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match word.to_lowercase().as_str() {
        "" if default_to_no => deny(""),
        "" | "y" | "yes" => allow(Vec::new()),
        "n" | "no" => deny(rest),
        number => {
            let number: usize = number.parse().ok()?;
            let suggestion = number.checked_sub(1).filter(|number| *number < suggestions.len())?;
            allow(vec![Remember { suggestion, ..Remember::default() }])
        }
    }
}

async fn answer(ask: &QuestionAsk, screen: &mut Screen, keyboard: &mut Keyboard) -> Decision {
    let mut answers = BTreeMap::new();
    for question in &ask.questions {
        screen.question(&question.question);
        let keys = (1..).zip(&question.options).map(|(number, option): (usize, _)| {
            let meaning = match &option.description {
                Some(description) => format!("{} — {description}", option.label),
                None => option.label.clone(),
            };
            (number.to_string(), meaning)
        });
        let several = if question.multi_select { "; several as in `1 3`" } else { "" };
        let own = ("…".to_owned(), format!("or an answer of your own{several}"));
        screen.choices(&keys.chain([own]).collect::<Vec<_>>());
        loop {
            screen.mark();
            let Some(line) = keyboard.line().await else { return Decision::Deny { why: None, stop: false } };
            if let Some(choice) = chosen(&line, question) {
                answers.insert(question.question.clone(), choice);
                break;
            }
        }
    }
    Decision::Answer { answers }
}

/// What the user chose: numbers of options, or a text of his own; none if nothing.
pub(crate) fn chosen(line: &str, question: &Question) -> Option<Choice> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    let option = |word: &str| {
        let number: usize = word.parse().ok()?;
        question.options.get(number.checked_sub(1)?).map(|option| option.label.clone())
    };
    let labels: Option<Vec<String>> =
        line.split(|one: char| one.is_whitespace() || one == ',').filter(|word| !word.is_empty()).map(option).collect();
    Some(match labels {
        Some(mut labels) if labels.len() == 1 => Choice::One(labels.remove(0)),
        Some(labels) if question.multi_select && !labels.is_empty() => Choice::Several(labels),
        _ => Choice::One(line.to_owned()),
    })
}

/// A text; of one that is cut, how much there is of it.
fn told(clip: &Clip) -> String {
    match &clip.more {
        Some(more) => format!("{}… ({} bytes in all)", clip.text, more.bytes),
        None => clip.text.clone(),
    }
}

async fn decide_elicitation(ask: &ElicitationAsk, screen: &mut Screen, keyboard: &mut Keyboard) -> Decision {
    let server = ask.server.as_deref().unwrap_or("An MCP server");
    screen.question(&format!("{server} asks: {}", ask.message.text));
    let form = match (&ask.url, &ask.schema) {
        (Some(url), _) => format!("visit {}, then y; n to decline", told(url)),
        (None, Some(schema)) => format!("a JSON object that fits {}; n to decline", schema.text),
        (None, None) => "y or n".to_owned(),
    };
    loop {
        screen.choices(&[("answer".to_owned(), form.clone())]);
        screen.mark();
        let Some(line) = keyboard.line().await else { return Decision::Cancel };
        match line.trim() {
            "n" | "no" => return Decision::Deny { why: None, stop: false },
            "y" | "yes" => return Decision::Accept { content: None },
            text => {
                if let Ok(content) = serde_json::from_str(text) {
                    return Decision::Accept { content: Some(content) };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use insights::state::ask::QuestionOption;

    use super::*;

    fn suggestion() -> Suggestion {
        Suggestion {
            kind: "addRules".to_owned(),
            label: "always allow Bash(git *)".to_owned(),
            rules: vec![],
            directories: vec![],
            mode: None,
            behavior: None,
            destination: None,
        }
    }

    #[test]
    fn of_a_text_that_is_cut_it_is_told_how_long_it_is() {
        let more = insights::state::More { bytes: 9000, seq: 1, pointer: String::new(), from: None };
        let cut = Clip { text: "https://a".to_owned(), more: Some(more) };
        assert_eq!(told(&cut), "https://a… (9000 bytes in all)");
        assert_eq!(told(&Clip { more: None, ..cut }), "https://a");
    }

    #[test]
    fn what_is_not_shown_is_told() {
        assert_eq!(shown("one\ntwo"), "\n    one\n    two");
        let all = shown(&"line\n".repeat(SHOWN_LINES));
        assert_eq!((all.lines().count(), all.contains("not shown")), (SHOWN_LINES + 1, false));
        assert!(shown(&"line\n".repeat(SHOWN_LINES + 3)).ends_with("\n    … and 3 more lines that are not shown"));
    }

    #[test]
    fn the_keys_say_what_enter_means() {
        let keys = |default_to_no| choices(&[], default_to_no).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
        assert_eq!(keys(false), ["y, Enter", "n"]);
        assert_eq!(keys(true), ["y", "n, Enter"]);
    }

    #[test]
    fn keys_are_decisions() {
        let suggestions = [suggestion()];
        let allow = |remember| Some(Decision::Allow { input: None, remember });
        assert_eq!(parse("y", &suggestions, true), allow(vec![]));
        assert_eq!(parse("", &suggestions, false), allow(vec![]));
        assert_eq!(parse(" 1 ", &suggestions, false), allow(vec![Remember::default()]));
        assert_eq!(parse("2", &suggestions, false), None);
        assert_eq!(parse("maybe", &suggestions, false), None);
        let deny = |why: Option<&str>| Some(Decision::Deny { why: why.map(str::to_owned), stop: false });
        assert_eq!(parse("", &suggestions, true), deny(None));
        assert_eq!(parse("n", &suggestions, false), deny(None));
        assert_eq!(parse("n use git instead", &suggestions, false), deny(Some("use git instead")));
    }

    #[test]
    fn numbers_and_own_words_are_answers() {
        let option = |label: &str| QuestionOption { label: label.to_owned(), description: None, preview: None };
        let question = |multi_select| Question {
            question: "Which?".to_owned(),
            header: None,
            multi_select,
            options: vec![option("Red"), option("Blue")],
        };
        let one = |text: &str| Some(Choice::One(text.to_owned()));
        assert_eq!(chosen("2", &question(false)), one("Blue"));
        assert_eq!(chosen("green", &question(false)), one("green"));
        assert_eq!(chosen("7", &question(false)), one("7"));
        assert_eq!(chosen("1, 2", &question(true)), Some(Choice::Several(vec!["Red".to_owned(), "Blue".to_owned()])));
        assert_eq!(chosen("1 2", &question(false)), one("1 2"));
        assert_eq!(chosen("  ", &question(false)), None);
    }
}
