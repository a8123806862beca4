//! Who may know whom: the dependency graph and the sources of the pure crates in, findings out.
//!
//! The tables below are the place where these rules stand; `docs` explain them, the tables decide.

use super::Finding;
use super::code::without_tests;
use super::files::is_test;
use super::graph::{Dependency, Graph};

/// Which of our crates each of our crates may name. `lab` is free to everyone's tests but the pure crates'; the binary has it
/// for the scripted agent of `demo`.
const KNOWS: &[(&str, &[&str])] = &[
    ("claude-protocol", &[]),
    ("claude-driver", &["claude-protocol"]),
    ("insights", &["claude-protocol"]),
    ("journal", &["claude-protocol", "insights"]),
    ("keeper", &["claude-protocol", "claude-driver", "insights", "journal"]),
    ("live", &["claude-protocol", "claude-driver", "insights", "journal", "keeper"]),
    ("server", &["claude-protocol", "claude-driver", "insights", "journal", "keeper", "live"]),
    ("lab", &["claude-protocol"]),
    ("quarterdeck", ALL),
    ("xtask", ALL),
];

const ALL: &[&str] =
    &["claude-protocol", "claude-driver", "insights", "journal", "keeper", "live", "server", "lab", "quarterdeck"];

/// Crates of others that only some of ours may name, and why.
const ONLY: &[(&str, &[&str], &str)] = &[
    ("axum", &["server", "lab"], "HTTP is spoken in one place, and in the lab's scripted API"),
    ("hyper", &["server", "lab"], "HTTP is spoken in one place, and in the lab's scripted API"),
    ("clap", &["quarterdeck", "xtask"], "libraries have no command line"),
    ("anyhow", &["quarterdeck", "xtask"], "libraries name their errors, so that a caller can act on them"),
    ("rusqlite", &["journal"], "the database is derived data of the log, and nobody else's business"),
];

/// The crates that compute and do nothing else.
const PURE: &[&str] = &["claude-protocol", "insights"];

/// The one part of a pure crate that is not pure: what it may name behind a feature that no default build has, and for the
/// tests of that part.
const BEHIND_A_FEATURE: &[(&str, &[&str])] = &[("insights", &["claude-driver", "futures-util"])];
const TESTS_OF_THAT: &[(&str, &[&str])] = &[("insights", &["claude-driver", "futures-util", "lab", "tokio"])];

/// The one language of an agent that `insights` understands is named only where lines come in: records, the line that an
/// event carries, the conversion, JSON as the agent writes it, and running sessions. Whatever stands after that serves any agent.
const LANGUAGE: &str = "claude_protocol";
const SPEAKS: &[&str] = &["record", "event.rs", "convert", "json.rs", "live.rs"];

/// What a pure crate does not name, not even in its tests.
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "futures-util",
    "axum",
    "clap",
    "anyhow",
    "rand",
    "fastrand",
    "getrandom",
    "uuid",
    "jiff",
    "time",
    "rusqlite",
];

/// The modules of `std` that reach the world.
const IMPURE_MODULES: &[&str] = &["fs", "net", "process", "env", "thread"];

/// Names that stand for the world wherever they come from.
const IMPURE_NAMES: &[&str] = &["SystemTime", "Instant", "rand"];

/// Checks what the manifests name.
pub(super) fn check(graph: &Graph) -> Vec<Finding> {
    let mut findings = Vec::new();
    let ours: Vec<&str> = graph.members().map(|package| package.name.as_str()).collect();
    for package in graph.members() {
        let (name, manifest) = (package.name.as_str(), package.manifest());
        let pure = PURE.contains(&name);
        let Some((_, known)) = KNOWS.iter().find(|(knower, _)| *knower == name) else {
            let what = format!("`{name}` is not in the table of `xtask/src/tidy/knows.rs`: say there whom it may know");
            findings.push(Finding::new(&manifest, 1, what));
            continue;
        };
        for dependency in &package.dependencies {
            let named = dependency.name.as_str();
            if excepted(name, dependency) {
                continue;
            }
            let lab_in_tests = named == "lab" && dependency.is_dev() && !pure;
            if ours.contains(&named) && !known.contains(&named) && !lab_in_tests {
                let what = format!("`{name}` may not know `{named}`: dependencies point one way (allowed: {known:?})");
                findings.push(Finding::new(&manifest, 1, what));
            }
            if let Some((_, allowed, why)) = ONLY.iter().find(|(only, ..)| *only == named)
                && !allowed.contains(&name)
            {
                let what = format!("`{name}` may not name `{named}`, only {allowed:?} may: {why}");
                findings.push(Finding::new(&manifest, 1, what));
            }
            if pure && IMPURE_CRATES.contains(&named) {
                let what = format!("`{name}` is pure and may not name `{named}`: no runtime, clock, chance or files");
                findings.push(Finding::new(&manifest, 1, what));
            }
        }
    }
    findings
}

/// Does a pure crate name this for its part that is not pure?
fn excepted(name: &str, dependency: &Dependency) -> bool {
    let in_table = |table: &[(&str, &[&str])]| {
        table.iter().any(|(knower, names)| *knower == name && names.contains(&dependency.name.as_str()))
    };
    (dependency.optional && in_table(BEHIND_A_FEATURE)) || (dependency.is_dev() && in_table(TESTS_OF_THAT))
}

/// Checks that `insights` names the language of an agent only where it may; `code` is as for [`pure_source`].
pub(super) fn language(path: &str, code: &str) -> Vec<Finding> {
    let Some(inside) = path.strip_prefix("crates/insights/src/") else { return Vec::new() };
    let place = inside.split('/').next().unwrap_or(inside);
    if is_test(path) || SPEAKS.iter().any(|speaks| place == *speaks || place.strip_suffix(".rs") == Some(speaks)) {
        return Vec::new();
    }
    let code = without_tests(code);
    let found = words(code).find(|(_, word)| *word == LANGUAGE);
    let what =
        format!("`{LANGUAGE}` beyond the conversion: what stands after it serves any agent (allowed: {SPEAKS:?})");
    found.map(|(at, _)| Finding::new(path, line_of(code, at), what)).into_iter().collect()
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

/// Checks that a source of a pure crate does not reach the world; `code` has its comments and literals blanked out.
pub(super) fn pure_source(path: &str, code: &str) -> Vec<Finding> {
    let is_pure = PURE.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
    if !is_pure || is_test(path) {
        return Vec::new();
    }
    let code = without_tests(code);
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, name) in std_modules(code) {
        if IMPURE_MODULES.contains(&name) {
            found.push((at, format!("std::{name}")));
        }
    }
    for (at, name) in words(code) {
        if IMPURE_NAMES.contains(&name) {
            found.push((at, name.to_owned()));
        }
    }
    let finding = |(at, name): (usize, String)| {
        Finding::new(
            path,
            line_of(code, at),
            format!("`{name}` in a pure crate: the caller brings time, chance and texts along"),
        )
    };
    found.into_iter().map(finding).collect()
}

/// Every name and where it stands.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let part_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.split(move |letter| !part_of_name(letter))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - code.as_ptr() as usize, word))
}

/// The module behind each `std::`, also in `use std::{fs, io::Read}`.
fn std_modules(code: &str) -> Vec<(usize, &str)> {
    let mut modules = Vec::new();
    for (start, prefix) in code.match_indices("std::") {
        let after = start + prefix.len();
        let Some(group) = code[after..].strip_prefix('{') else {
            modules.extend(words(&code[after..]).next().map(|(_, word)| (after, word)));
            continue;
        };
        let mut depth = 0;
        for part in group.split_inclusive([',', '{', '}']) {
            if depth == 0 {
                modules.extend(words(part).next().map(|(_, word)| (start, word)));
            }
            match part.as_bytes().last() {
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 0 => break,
                Some(b'}') => depth -= 1,
                _ => {}
            }
        }
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind of `optional` stands for a normal dependency that comes with a feature.
    fn graph(name: &str, dependencies: &[(&str, Option<&str>)]) -> Graph {
        let dependency = |(name, kind): &(&str, Option<&str>)| {
            let optional = *kind == Some("optional");
            serde_json::json!({"name": name, "kind": kind.filter(|_| !optional), "optional": optional})
        };
        let dependencies: Vec<_> = dependencies.iter().map(dependency).collect();
        let package = |name: &str, dependencies: &[serde_json::Value]| {
            serde_json::json!({"id": name, "name": name, "version": "0.1.0", "license": "MIT", "source": null,
                "dependencies": dependencies})
        };
        let names: Vec<&str> = ALL.iter().copied().filter(|other| *other != name).collect();
        let mut packages: Vec<_> = names.iter().map(|other| package(other, &[])).collect();
        packages.push(package(name, &dependencies));
        let members: Vec<&str> = names.into_iter().chain([name]).collect();
        let metadata = serde_json::json!({"packages": packages, "workspace_members": members});
        Graph::read(&metadata.to_string()).unwrap()
    }

    fn whats(name: &str, dependencies: &[(&str, Option<&str>)]) -> Vec<String> {
        check(&graph(name, dependencies)).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn dependencies_point_one_way() {
        assert_eq!(whats("insights", &[("claude-protocol", None)]), [""; 0]);
        assert_eq!(
            whats("lab", &[("insights", None)]),
            [
                "crates/lab/Cargo.toml:1: `lab` may not know `insights`: dependencies point one way (allowed: [\"claude-protocol\"])"
            ]
        );
    }

    #[test]
    fn tests_may_use_the_lab_but_the_pure_crates_do_not() {
        assert_eq!(whats("claude-driver", &[("lab", Some("dev"))]), [""; 0]);
        assert_eq!(whats("claude-driver", &[("lab", None)]).len(), 1);
        assert_eq!(whats("claude-protocol", &[("lab", Some("dev"))]).len(), 1);
    }

    #[test]
    fn only_the_shell_names_what_belongs_to_the_shell() {
        assert_eq!(whats("quarterdeck", &[("clap", None), ("anyhow", None)]), [""; 0]);
        assert_eq!(whats("journal", &[("axum", None), ("anyhow", None)]).len(), 2);
        assert_eq!(whats("claude-protocol", &[("tokio", Some("dev"))]).len(), 1);
    }

    #[test]
    fn the_events_of_a_running_session_are_behind_a_feature() {
        let part = [("claude-driver", Some("optional")), ("futures-util", Some("optional")), ("tokio", Some("dev"))];
        assert_eq!(whats("insights", &part), [""; 0]);
        assert_eq!(whats("insights", &[("claude-driver", None), ("futures-util", None)]).len(), 2);
        assert_eq!(whats("insights", &[("tokio", Some("optional"))]).len(), 1);
        assert_eq!(whats("claude-protocol", &[("futures-util", Some("optional"))]).len(), 1);
    }

    #[test]
    fn only_the_conversion_speaks_the_language_of_the_cli() {
        let source = "use std::fmt;\nuse claude_protocol::Line;\n";
        for path in ["convert.rs", "convert/out.rs", "record.rs", "record/trace.rs", "event.rs", "live.rs"] {
            assert_eq!(language(&format!("crates/insights/src/{path}"), source), [], "{path}");
        }
        assert_eq!(language("crates/claude-driver/src/session.rs", source), []);
        for path in ["state.rs", "state/decide.rs", "event/text.rs", "lib.rs"] {
            let found = language(&format!("crates/insights/src/{path}"), source);
            assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2], "{path}");
        }
    }

    #[test]
    fn a_crate_that_is_not_in_the_table_is_asked_for() {
        assert!(whats("novelty", &[])[0].contains("is not in the table"));
    }

    #[test]
    fn a_pure_source_names_no_clock_and_no_files() {
        let source = "use std::{fmt, io::{self, env}, fs};\nuse std::time::Instant;\nfn a() { std::env::var(x) }\n";
        let found: Vec<String> =
            pure_source("crates/insights/src/a.rs", source).iter().map(Finding::to_string).collect();
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found[0].starts_with("crates/insights/src/a.rs:1: `std::fs` in a pure crate"));
        assert!(found[1].starts_with("crates/insights/src/a.rs:3: `std::env` in a pure crate"));
        assert!(found[2].starts_with("crates/insights/src/a.rs:2: `Instant` in a pure crate"));
    }

    #[test]
    fn tests_and_other_crates_may_read_files() {
        assert_eq!(pure_source("crates/journal/src/a.rs", "use std::fs;\n"), []);
        assert_eq!(pure_source("crates/insights/src/a/tests.rs", "use std::fs;\n"), []);
        assert_eq!(pure_source("crates/insights/src/a.rs", "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n"), []);
    }
}
