//! `cargo xtask guards`: shows that the tests of the guard can fail. A binary in which rules can be left out is built into a
//! folder of its own; then each rule is left out once, and the tests of that rule are to notice. A table comes out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::build::FEATURES;
use crate::{Outcome, process, talk};

/// Each rule as `crates/server/src/guard/rules.rs` calls it, and a test that has to fail without it.
const PAIRS: &[(&str, &str)] = &[
    ("Loopback", "reach::rule_01_a_fresh_start_listens_on_loopback_alone"),
    ("Anonymous", "reach::rule_02_nobody_comes_in_without_a_name"),
    ("Key", "reach::rule_03_every_installation_has_its_own_key_which_nobody_else_can_read"),
    ("LaunchOnce", "login::rule_04_a_launch_link_is_good_once"),
    ("QuietLog", "login::rule_04_no_token_stands_in_a_log_or_a_file"),
    ("Cookie", "login::rule_05_the_cookie_is_for_this_site_and_http_alone"),
    ("Logout", "login::rule_05_logging_out_ends_the_cookie"),
    ("Storage", "text::rule_05_the_page_keeps_nothing_secret"),
    ("Host", "hosts::rule_06_a_foreign_host_is_refused_before_anything_else"),
    ("SocketOrigin", "sockets::rule_07_a_socket_is_opened_by_our_page_alone"),
    ("Host", "hosts::rule_08_a_page_that_calls_us_by_its_own_name_is_refused"),
    ("JsonOnly", "pages::rule_09_a_change_is_json_and_has_our_header"),
    ("Origin", "pages::rule_09_a_page_of_somebody_else_gets_nothing"),
    ("Reading", "pages::rule_09_reading_changes_nothing"),
    ("Cors", "pages::rule_10_no_other_page_reads_an_answer"),
    ("TicketOnce", "sockets::rule_11_a_ticket_opens_one_socket_and_nothing_else_does"),
    ("Csp", "text::rule_12_the_page_may_load_its_own_files_and_nothing_else"),
    ("PlainText", "text::rule_13_what_anybody_wrote_comes_out_as_text"),
    ("Csp", "text::rule_14_what_is_written_loads_nothing_from_elsewhere"),
    ("Beneath", "files::rule_15_files_are_read_in_the_working_directory_alone"),
    ("Beneath", "files::rule_15_a_link_that_is_swapped_in_between_leads_nowhere"),
    ("OwnData", "files::rule_15_the_data_folder_is_for_nobody"),
    ("Values", "values::rule_16_what_is_no_word_is_refused_before_anything_is_started"),
    ("Shell", "values::rule_16_no_shell_is_ever_started"),
    ("OneArgument", "values::rule_16_free_text_stays_one_argument"),
    ("Roots", "agents::rule_17_agents_work_in_the_roots_alone"),
    ("TrueRoots", "agents::rule_17_a_link_in_the_place_of_a_root_leads_nowhere"),
    ("Variables", "agents::rule_17_a_client_sets_no_variable_that_leads_elsewhere"),
    ("AgentToken", "agents::rule_17_an_agent_gets_no_token_of_ours"),
    ("AnswerOnce", "answers::rule_18_a_question_is_answered_once_and_it_is_written_down_by_whom"),
    ("AnswerOnce", "answers::rule_18_what_is_not_asked_is_not_answered"),
    ("Audit", "answers::rule_18_a_question_is_answered_once_and_it_is_written_down_by_whom"),
    ("Bypass", "bypass::rule_19_no_request_leads_to_a_session_that_asks_nothing"),
    ("Bypass", "bypass::rule_19_a_session_of_a_server_that_allowed_it_is_not_taken_up_by_one_that_does_not"),
    ("Attempts", "login::rule_20_after_two_wrong_logins_not_even_the_right_one_is_looked_at"),
    ("Attempts", "login::rule_20_guesses_that_come_at_once_are_counted_one_by_one"),
    ("Sizes", "limits::rule_20_bodies_and_headers_have_an_end"),
    ("Patience", "limits::rule_20_a_body_that_does_not_come_is_not_waited_for"),
    ("Connections", "limits::rule_20_not_more_connections_are_taken_than_can_be_served"),
    ("Sockets", "limits::rule_20_a_socket_that_says_too_much_is_closed"),
    ("Sockets", "limits::rule_20_not_more_sockets_are_open_than_can_be_served"),
    ("OpenAddress", "limits::rule_20_a_server_that_others_could_reach_does_not_start_without_tls"),
    ("OpenAddress", "tls::rule_20_others_can_reach_a_server_with_a_certificate_and_none_without"),
];

/// Where the tests are, and the one that is about the binary of users and no other.
const TESTS: &str = "guard::";
const OF_USERS: &str = "the_binary_of_users_has_no_switch_for_its_rules";

/// Builds, runs the tests, and prints the table.
pub(crate) fn run() -> Result<Outcome> {
    let rules = process::root().join("crates/server/src/guard/rules.rs");
    let rules = fs::read_to_string(&rules).context("could not read the rules of the guard")?;
    let (known, listed) = (variants(&rules), PAIRS.iter().map(|(rule, _)| (*rule).to_owned()).collect());
    if known != listed {
        let differing: Vec<&String> = known.symmetric_difference(&listed).collect();
        bail!("the rules of the guard and those of this command differ: {differing:?}");
    }
    let binary = unguarded()?;
    let tests = tests()?;
    talk::say("guards: with all rules in place");
    if !process::succeeds(against(&tests, &binary).args([TESTS, "--skip", OF_USERS]).stdout(Stdio::null()))? {
        talk::say("error: the tests of the guard fail already while no rule is left out");
        return Ok(Outcome::Failed);
    }
    let mut unnoticed = 0;
    talk::data("rule          | test | noticed");
    for (rule, test) in PAIRS {
        let name = format!("{TESTS}{test}");
        let mut command = against(&tests, &binary);
        let output = command.args(["--exact", &name]).env("QUARTERDECK_LEAVE_OUT", rule).output();
        let output = output.with_context(|| format!("could not start {}", process::shown(&command)))?;
        let words = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let noticed = if output.status.success() { Err("it passes".to_owned()) } else { complaint(&words) };
        unnoticed += usize::from(noticed.is_err());
        let outcome = match noticed {
            Ok(why) => format!("failed as it should: {why}"),
            Err(why) => format!("NO: {why}"),
        };
        talk::data(&format!("{rule:<13} | {test} | {outcome}"));
    }
    talk::say(&format!("guards: {} rules, {} tests, {unnoticed} not noticed", known.len(), PAIRS.len()));
    Ok(if unnoticed == 0 { Outcome::Passed } else { Outcome::Failed })
}

/// The names of the rules, from the source of the enum.
fn variants(source: &str) -> BTreeSet<String> {
    let body = source.split("enum Rule {").nth(1).and_then(|rest| rest.split('}').next()).unwrap_or_default();
    let names = body.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    names.filter_map(|line| line.strip_suffix(',')).map(str::to_owned).collect()
}

/// What a test said as it failed; an error if it did not fail by an assertion of its own.
fn complaint(words: &str) -> Result<String, String> {
    let mut lines = words.lines().skip_while(|line| !line.contains("panicked at"));
    let (place, why) = (lines.next().unwrap_or("it says nothing"), lines.next().unwrap_or_default());
    let shown = why.chars().take(90).collect();
    // A server that does not start at all shows nothing, and neither does a step on the way that did not go well.
    let is_its_own = place.contains("tests/it/guard/");
    let is_mishap = why.contains("called `Result::unwrap()`") || why.contains("called `Option::unwrap()`");
    if is_its_own && !is_mishap { Ok(shown) } else { Err(format!("{place} {shown}")) }
}

/// The binary in which rules can be left out, in a folder of its own: it is never mistaken for another.
fn unguarded() -> Result<PathBuf> {
    let target = process::target_dir().join("unguarded");
    let mut cargo = process::cargo();
    cargo.args(["build", "--package", "quarterdeck", "--features", "unguarded", "--target-dir"]).arg(&target);
    if !process::succeeds(&mut cargo)? {
        bail!("could not build the binary without guards");
    }
    Ok(target.join("debug").join(format!("quarterdeck{}", std::env::consts::EXE_SUFFIX)))
}

/// The program with the tests of the binary.
fn tests() -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--package", "quarterdeck", "--test", "it", "--no-run", "--message-format", "json"]);
    cargo.args(FEATURES);
    let messages = process::output(&mut cargo)?;
    let program = messages.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        (message["target"]["name"] == "it").then(|| message["executable"].as_str().map(PathBuf::from))?
    });
    program.context("cargo did not say where the tests are")
}

fn against(tests: &Path, binary: &Path) -> Command {
    let mut command = process::command(tests);
    command.env("QUARTERDECK_BINARY", binary).env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_twenty_rules_can_be_left_out() {
        let numbers: BTreeSet<u32> =
            PAIRS.iter().map(|(_, test)| test.split("rule_").nth(1).unwrap()[..2].parse().unwrap()).collect();
        assert_eq!(numbers, (1..=20).collect());
    }

    #[test]
    fn the_tests_and_the_rules_are_there() {
        let folder = process::root().join("crates/quarterdeck/tests/it/guard");
        for (_, test) in PAIRS {
            let (file, name) = test.split_once("::").unwrap();
            let source = fs::read_to_string(folder.join(file).with_extension("rs")).unwrap();
            assert!(source.contains(&format!("async fn {name}()")), "{test} is not there");
        }
        let rules = fs::read_to_string(process::root().join("crates/server/src/guard/rules.rs")).unwrap();
        assert_eq!(variants(&rules), PAIRS.iter().map(|(rule, _)| (*rule).to_owned()).collect());
    }

    #[test]
    fn each_test_of_a_rule_is_seen_to_fail() {
        let folder = process::root().join("crates/quarterdeck/tests/it/guard");
        let mut written = BTreeSet::new();
        for path in fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
            let (file, source) = (path.file_stem().unwrap().to_str().unwrap(), fs::read_to_string(&path).unwrap());
            let names = source.split("fn rule_").skip(1).filter_map(|rest| rest.split('(').next());
            written.extend(names.map(|name| format!("{file}::rule_{name}")));
        }
        assert_eq!(written, PAIRS.iter().map(|(_, test)| (*test).to_owned()).collect());
    }

    #[test]
    fn the_names_of_the_rules_are_read_from_their_source() {
        let source =
            "/// A rule.\nenum Rule {\n    /// 1: one, or two.\n    One,\n    /// 2.\n    Two,\n}\n\nfn other() {}\n";
        assert_eq!(variants(source), BTreeSet::from(["One".to_owned(), "Two".to_owned()]));
    }

    #[test]
    fn only_a_test_that_fails_by_itself_has_noticed_something() {
        let own = "thread 'x' panicked at crates/quarterdeck/tests/it/guard/reach.rs:1:2:\nassertion failed\nnote";
        assert_eq!(complaint(own).as_deref(), Ok("assertion failed"));
        let other = "thread 'x' panicked at crates/quarterdeck/tests/it/deck.rs:1:2:\nthe server ended at once";
        assert!(complaint(other).is_err_and(|why| why.ends_with("the server ended at once")));
        let mishap = "thread 'x' panicked at crates/quarterdeck/tests/it/guard/reach.rs:1:2:\n\
                      called `Result::unwrap()` on an `Err` value: Os { code: 111 }";
        assert!(complaint(mishap).is_err());
        assert!(complaint("test result: ok").is_err());
    }
}
