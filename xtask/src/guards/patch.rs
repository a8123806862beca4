//! A patch that breaks a rule: the text of a file in `xtask/guards` in, what it breaks and which tests have to fail out.
//!
//! ```text
//! Rule: 6, 8
//! Mistake: Requests are answered whatever host name they carry.
//! Test: hosts::rule_06_a_foreign_host_is_refused_before_anything_else
//!
//! --- a/crates/server/src/guard.rs
//! ```

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

use crate::process;

/// A patch, and what it is for.
#[derive(Debug)]
pub(super) struct Patch {
    /// The name of its file without the ending, by which its rule is chosen on the command line.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// What the product does wrong with it, in a sentence.
    pub(super) mistake: String,
    rules: Vec<u32>,
    tests: Vec<String>,
}

impl Patch {
    /// The numbers of the rules in `SECURITY.md` that it breaks.
    #[cfg(test)]
    pub(super) fn rules(&self) -> impl Iterator<Item = u32> {
        self.rules.iter().copied()
    }

    /// The tests that have to fail, named from the module `guard` on.
    pub(super) fn tests(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(String::as_str)
    }

    fn read(path: PathBuf, text: &str) -> Result<Patch> {
        let name = path.file_stem().and_then(|name| name.to_str()).context("its name is not UTF-8")?.to_owned();
        let mut patch = Patch { name, path, mistake: String::new(), rules: Vec::new(), tests: Vec::new() };
        for line in text.lines().take_while(|line| !line.is_empty()) {
            match line.split_once(": ") {
                Some(("Rule", numbers)) => {
                    let numbers = numbers.split(", ").map(str::parse).collect::<Result<_, _>>();
                    patch.rules = numbers.with_context(|| format!("expected numbers in `{line}`"))?;
                }
                Some(("Mistake", mistake)) => mistake.clone_into(&mut patch.mistake),
                Some(("Test", test)) => patch.tests.push(test.to_owned()),
                _ => bail!("expected `Rule: …`, `Mistake: …` or `Test: …` before the first empty line, found `{line}`"),
            }
        }
        ensure!(!patch.mistake.is_empty(), "the line `Mistake: …` is missing");
        // Each test is called after its rule, so the two cannot disagree.
        let mut tested = patch.tests.iter().map(|test| number(test)).collect::<Result<Vec<u32>>>()?;
        tested.dedup();
        ensure!(tested == patch.rules, "the tests are about the rules {tested:?}, not {:?}", patch.rules);
        ensure!(!patch.tests.is_empty(), "the line `Test: …` is missing");
        Ok(patch)
    }
}

/// The number of the rule that a test is called after.
fn number(test: &str) -> Result<u32> {
    let digits = test.split_once("::rule_").and_then(|(_, rest)| rest.get(..2));
    digits.and_then(|digits| digits.parse().ok()).with_context(|| format!("`{test}` is not called after a rule"))
}

/// All patches, by their names.
pub(super) fn all() -> Result<Vec<Patch>> {
    let folder = process::root().join("xtask/guards");
    let entries = fs::read_dir(&folder).with_context(|| format!("could not list `{}`", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "patch"));
    paths.sort();
    let read = |path: PathBuf| {
        let shown = path.display().to_string();
        let patch = fs::read_to_string(&path).map_err(Into::into).and_then(|text| Patch::read(path, &text));
        patch.with_context(|| format!("could not read `{shown}`"))
    };
    paths.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Patch, String> {
        Patch::read("06-host.patch".into(), text).map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_lines_name_the_rules_and_the_tests() {
        let text =
            "Rule: 6, 8\nMistake: Any host will do.\nTest: a::rule_06_b\nTest: a::rule_08_c\n\nTest: d::rule_09_e\n";
        let patch = read(text).unwrap();
        assert_eq!((&*patch.name, &*patch.mistake), ("06-host", "Any host will do."));
        assert_eq!(patch.rules().collect::<Vec<_>>(), [6, 8]);
        assert_eq!(patch.tests().collect::<Vec<_>>(), ["a::rule_06_b", "a::rule_08_c"]);
    }

    #[test]
    fn an_incomplete_patch_is_an_error() {
        for (text, why) in [
            ("Rule: 6\nTest: a::rule_06_b\n", "the line `Mistake: …` is missing"),
            ("Mistake: x\n", "the line `Test: …` is missing"),
            ("Rule: 6\nMistake: x\nTest: a::rule_07_b\n", "the tests are about the rules [7], not [6]"),
            ("Rule: 6\nMistake: x\nTest: a::b\n", "`a::b` is not called after a rule"),
            ("Rule: six\n", "expected numbers in `Rule: six`"),
            ("--- a/x\n", "expected `Rule: …`, `Mistake: …` or `Test: …` before the first empty line, found `--- a/x`"),
        ] {
            assert_eq!(read(text).unwrap_err(), why);
        }
    }
}
