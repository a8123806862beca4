//! Reports on lines that two made-up versions wrote.

use super::*;
use crate::drift::compare::{Run, Runs};
use crate::drift::story::{Story, Teller};

fn story(lines: &[&str]) -> Story {
    let mut teller = Teller::default();
    teller.lines(&lines.join("\n"));
    teller.finish()
}

fn runs(lines: &[&str]) -> Runs {
    [("tale".to_owned(), vec![Run::Played(story(lines))])].into()
}

fn findings(old: &Runs, new: &Runs) -> Findings {
    let strange = new.values().flatten().filter_map(|run| match run {
        Run::Played(story) => Some(story.strange.clone()),
        Run::Failed(_) => None,
    });
    let scenarios: BTreeSet<String> = ["tale".to_owned()].into();
    let strange = strange.flatten().map(|(what, count)| (what, Sighting { count, scenarios: scenarios.clone() }));
    Findings {
        old: "1.0.0".to_owned(),
        new: "1.0.1".to_owned(),
        comparison: Comparison::of(old, new),
        help: Vec::new(),
        strange: strange.collect(),
    }
}

const INIT: &str = r#"{"dir":"out","line":{"type":"system","subtype":"init","tools":["Bash"]}}"#;
const STATUS: &str = r#"{"dir":"out","line":{"type":"system","subtype":"status","status":null}}"#;
const ASKED: &str =
    r#"{"dir":"in","line":{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}}"#;
const EXIT: &str = r#"{"dir":"meta","line":{"event":"exit","code":0}}"#;

#[test]
fn the_same_lines_give_an_empty_report() {
    let runs = runs(&[INIT, STATUS, ASKED, EXIT]);
    let findings = findings(&runs, &runs);
    let expected = "\
Claude Code 1.0.1 compared with 1.0.0, 1 scenario

Nothing is new, gone or changed.

0 differences, 0 things not understood.
";
    assert_eq!(findings.text(), expected);
    assert!(findings.is_understood());
}

#[test]
fn everything_that_differs_is_said_in_words() {
    let old = runs(&[INIT, STATUS, ASKED, r#"{"dir":"out","line":{"type":"keep_alive"}}"#, EXIT]);
    let new = runs(&[
        STATUS,
        r#"{"dir":"out","line":{"type":"system","subtype":"init","tools":["Shell"],"mood":{"of":"today"}}}"#,
        r#"{"dir":"out","line":{"type":"system","subtype":"status","status":"requesting"}}"#,
        r#"{"dir":"out","line":{"type":"news","of":"tomorrow"}}"#,
        ASKED,
        r#"{"dir":"out","line":{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"sorry":true}}}}"#,
        r#"{"dir":"meta","line":{"event":"exit","code":1}}"#,
    ]);
    let findings = findings(&old, &new);
    let expected = "\
Claude Code 1.0.1 compared with 1.0.0, 1 scenario

Messages
  new: `control_response`, 1 × in tale; fields: `response` (object), `type` (string)
  new: `control_response to interrupt`, 1 × in tale; fields: `sorry` (boolean)
  new: `news`, 1 × in tale; fields: `of` (string), `type` (string)
  gone: `keep_alive`, 1 × in tale

Fields
  new: `mood` (object) in `system/init`, 1 × in tale
  changed: `status` in `system/status` can be string, was null, 1 × in tale

Control requests
  `interrupt`: answered, was not answered, in tale

Offered in `system/init`
  new in `tools`: `Shell`, in tale
  gone in `tools`: `Bash`, in tale

Number of lines
  `system/status`: 2 ×, was 1 ×, in tale

Order of lines
  `system/status` now before `system/init`, in tale

Exit codes
  process 1: exit code 1, was exit code 0, in tale

Not understood (`quarterdeck inspect --strict` fails on these)
  control_response to interrupt: unknown field `sorry`, 1 × in tale
  news: unknown type `news`, 1 × in tale
  system/init: unknown field `mood`, 1 × in tale

12 differences, 3 things not understood.
";
    assert_eq!(findings.text(), expected);
    assert!(!findings.is_understood());
}

#[test]
fn a_field_that_is_known_from_elsewhere_is_not_new() {
    let with = r#"{"dir":"out","line":{"type":"system","subtype":"status","status":"requesting"}}"#;
    let without = r#"{"dir":"out","line":{"type":"system","subtype":"status"}}"#;
    let two = |first: &str, second: &str| -> Runs {
        let run = |line| vec![Run::Played(story(&[line]))];
        [("one".to_owned(), run(first)), ("two".to_owned(), run(second))].into()
    };
    let entries = |old: &Runs, new: &Runs| fields::entries(&Comparison::of(old, new));
    let (less, more) = (two(with, without), two(with, with));
    assert_eq!(entries(&less, &more), ["seen elsewhere before, now also: `status` in `system/status`, 1 × in two"]);
    assert_eq!(entries(&more, &less), ["no longer, but elsewhere: `status` in `system/status`, 1 × in two"]);
}

#[test]
fn a_scenario_that_only_the_old_version_plays_is_not_understood() {
    let failed: Runs = [("tale".to_owned(), vec![Run::Failed("waited 60 s for the result".to_owned())])].into();
    let findings = findings(&runs(&[INIT]), &failed);
    assert!(findings.text().contains("Not played to the end\n  tale with 1.0.1: waited 60 s for the result\n"));
    assert!(!findings.is_understood());
}

#[test]
fn options_are_told_with_their_values_and_new_words_in_one_line() {
    let listed = |form: &str, about: &str| Listed { form: form.to_owned(), about: about.to_owned() };
    let same = runs(&[INIT]);
    let mut findings = findings(&same, &same);
    findings.help = vec![
        Change::New(listed("--new <x>", "About it")),
        Change::Changed(listed("--a", ""), listed("--a", r#"Of (choices: "b", "c")"#)),
        Change::Reworded(listed("--d", "Other words")),
        Change::Reworded(listed("--e", "Other words")),
    ];
    let expected = ["new: `--new <x>`: About it", r#"changed: `--a` ("b", "c"), was `--a`"#, "reworded: `--d`, `--e`"];
    assert_eq!(findings.options(), expected);
}
