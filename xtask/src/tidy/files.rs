//! The rules on Rust files: a path and a text in, findings on the opening line, the name and the size out.

use super::Finding;
use super::code::without_tests;

/// The most lines a file may have, its own tests at the end not counted.
const MOST_LINES: usize = 500;

/// The most lines a file of tests may have: a list of cases is read one at a time.
const MOST_TEST_LINES: usize = 800;

pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !text.starts_with("//!") {
        let what = "the first line is not `//!`: a file opens by saying what comes in and what goes out";
        findings.push(Finding::new(path, 1, what));
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == "mod.rs" {
        let what = "a `mod.rs`: a module is `foo.rs` beside `foo/`, so that tabs and searches show its name";
        findings.push(Finding::new(path, 1, what));
    }
    if matches!(name, "utils.rs" | "util.rs" | "helpers.rs" | "common.rs" | "misc.rs") {
        let what = format!("a file called `{name}`: name it after what it does, or anything will end up in it");
        findings.push(Finding::new(path, 1, what));
    }
    let most = if is_test(path) { MOST_TEST_LINES } else { MOST_LINES };
    let lines = without_tests(text).lines().count();
    if lines > most {
        let what = format!("{lines} lines, {most} are allowed: split it where it changes subject");
        findings.push(Finding::new(path, most + 1, what));
    }
    findings
}

/// Whether the file holds tests only: in a `tests` folder, or the `tests.rs` of a module.
pub(super) fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> String {
        format!("//! Doc.\n{}", "fn a() {}\n".repeat(count - 1))
    }

    #[test]
    fn a_file_opens_with_its_doc() {
        assert_eq!(check("crates/a/src/b.rs", "//! Doc.\nfn a() {}\n"), []);
        let findings = check("crates/a/src/b.rs", "use a;\n");
        assert_eq!(findings.len(), 1);
        assert!(findings[0].to_string().starts_with("crates/a/src/b.rs:1: the first line is not `//!`"));
    }

    #[test]
    fn names_that_say_nothing_are_refused() {
        assert_eq!(check("crates/a/src/b/mod.rs", "//! Doc.\n").len(), 1);
        assert_eq!(check("xtask/src/utils.rs", "//! Doc.\n").len(), 1);
    }

    #[test]
    fn a_long_file_is_refused_but_its_own_tests_do_not_count() {
        assert_eq!(check("a/src/b.rs", &lines(500)), []);
        let what = "501 lines, 500 are allowed: split it where it changes subject";
        assert_eq!(check("a/src/b.rs", &lines(501)), [Finding::new("a/src/b.rs", 501, what)]);
        let tests = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", lines(480), "// x\n".repeat(300));
        assert_eq!(check("a/src/b.rs", &tests), []);
    }

    #[test]
    fn a_file_of_tests_may_be_longer() {
        assert_eq!(check("a/tests/it/b.rs", &lines(800)), []);
        assert_eq!(check("a/src/b/tests.rs", &lines(801)).len(), 1);
    }
}
