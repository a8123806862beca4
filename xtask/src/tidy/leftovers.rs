//! Traces of unfinished work: a file's text in, findings on what must not be committed out.

use super::Finding;

/// What code must not contain, and why. Clippy sees some of these too, but not in code that is compiled out.
const UNFINISHED: &[(&str, &str)] = &[
    ("todo!", "unfinished code; finish it or write an issue"),
    ("unimplemented!", "unfinished code; finish it or write an issue"),
    ("dbg!", "a debugging aid"),
    ("#[ignore", "a test that does not run guards nothing; fix it or remove it"),
];

/// Folders of the machine that a file was written on. Put together here, so that this file does not hold them itself.
const MACHINE_PATHS: &[&str] = &[concat!("/wor", "k/"), concat!("/roo", "t/"), concat!("/Use", "rs/")];

/// Finds unfinished code; `code` is the source with comments and literals blanked out.
pub(super) fn unfinished(path: &str, code: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, text) in code.lines().enumerate() {
        for (needle, why) in UNFINISHED {
            if starts_of(text, needle).next().is_some() {
                findings.push(Finding::new(path, line + 1, format!("`{needle}`: {why}")));
            }
        }
    }
    findings
}

/// Finds paths that exist on one machine only, in any text file.
pub(super) fn machine_paths(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, text) in text.lines().enumerate() {
        for needle in MACHINE_PATHS {
            if starts_of(text, needle).next().is_some() {
                let what = format!("`{needle}` is a folder of one machine; nobody else has it");
                findings.push(Finding::new(path, line + 1, what));
            }
        }
    }
    findings
}

/// Where `needle` stands and is not the tail of a longer word or path.
fn starts_of<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(needle).map(|(at, _)| at).filter(|&at| {
        !text[..at].ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '}'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_code_is_found_with_its_line() {
        let found = unfinished("a.rs", "fn a() {\n    todo!()\n}\n#[ignore = \"slow\"]\nfn my_todo() {}\n");
        let lines: Vec<usize> = found.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [2, 4]);
        assert_eq!(found[0].to_string(), "a.rs:2: `todo!`: unfinished code; finish it or write an issue");
    }

    #[test]
    fn a_path_of_one_machine_is_found_but_not_the_end_of_another_path() {
        let text = format!("see {}notes\nsee https://example.org{}notes\n", MACHINE_PATHS[0], MACHINE_PATHS[1]);
        let found = machine_paths("docs/a.md", &text);
        assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [1]);
    }
}
