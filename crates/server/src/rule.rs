//! Permission rules, held beside calls that were made: a rule and a call in; whether the rule fits it out. Pure.
//!
//! What fits was measured on the CLI (2.1.1 to 2.1.325; `the_real_cli_agrees_…` in the tests of the binary asks it again). The
//! CLI may still ask where a rule fits, for instance about a path that a command writes to: it looks at more than rules.

mod command;

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Who changes files: rules about that are all called `Edit`.
const EDITORS: &[&str] = &["Edit", "MultiEdit", "Write", "NotebookEdit"];

/// Longer subjects are cut in the index, and nobody knows how they end.
const WHOLE_BYTES: usize = 396;

/// A call that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    /// The tool.
    pub(crate) tool: &'a str,
    /// The command, the path, the address.
    pub(crate) about: &'a str,
    /// Where it was made.
    pub(crate) cwd: Option<&'a Path>,
}

/// A rule, as it stands in settings: a tool, and in brackets what of it is meant.
#[derive(Debug)]
pub(crate) struct Rule<'a> {
    tool: &'a str,
    meant: Option<&'a str>,
}

impl<'a> Rule<'a> {
    /// None if it is no rule.
    pub(crate) fn read(text: &'a str) -> Option<Rule<'a>> {
        let text = text.trim();
        let (tool, meant) = match text.split_once('(') {
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?.trim())),
            None => (text, None),
        };
        let is_name = !tool.is_empty() && !tool.contains(|letter: char| letter.is_whitespace() || letter == ')');
        // All of a tool can be written with brackets, too.
        is_name.then(|| Rule { tool, meant: meant.filter(|meant| !meant.is_empty() && *meant != "*") })
    }

    /// Does it fit this call?
    pub(crate) fn fits(&self, call: Call<'_>, home: Option<&Path>) -> bool {
        let Some(meant) = self.meant else {
            return self.tool == call.tool || self.is_server_of(call.tool);
        };
        if call.about.len() > WHOLE_BYTES {
            return false;
        }
        match self.tool {
            "Bash" => call.tool == "Bash" && command::fits(meant, call.about),
            "Read" => call.tool == "Read" && is_path(meant, call, home),
            "Edit" => EDITORS.contains(&call.tool) && is_path(meant, call, home),
            "WebFetch" => call.tool == "WebFetch" && is_host(meant, call.about),
            "Skill" => call.tool == "Skill" && meant == call.about,
            _ => false,
        }
    }

    /// `mcp__github` and `mcp__github__*` are all tools of a server.
    fn is_server_of(&self, tool: &str) -> bool {
        let server = self.tool.strip_suffix("__*").unwrap_or(self.tool);
        server.starts_with("mcp__") && tool.strip_prefix(server).is_some_and(|rest| rest.starts_with("__"))
    }
}

/// Paths are meant as in a file of git that says what to ignore: from the root with two strokes, from the home with `~`, else
/// from the working directory.
fn is_path(meant: &str, call: Call<'_>, home: Option<&Path>) -> bool {
    let (root, pattern) = if let Some(rest) = meant.strip_prefix("//") {
        (Some(PathBuf::from("/")), format!("/{rest}"))
    } else if let Some(rest) = meant.strip_prefix("~/") {
        (home.map(Path::to_path_buf), format!("/{rest}"))
    } else {
        (call.cwd.map(Path::to_path_buf), meant.strip_prefix("./").unwrap_or(meant).to_owned())
    };
    let Some(root) = root else { return false };
    let path = call.cwd.map_or_else(|| PathBuf::from(call.about), |cwd| cwd.join(call.about));
    let Ok(path) = path.strip_prefix(&root) else { return false };
    // What leads up again may lead anywhere.
    let leads_up = path.components().any(|part| matches!(part, std::path::Component::ParentDir));
    let found = patterns(&root, &pattern).map(|all| all.matched_path_or_any_parents(path, false).is_ignore());
    !leads_up && found.unwrap_or(false)
}

fn patterns(root: &Path, pattern: &str) -> Result<Gitignore, ignore::Error> {
    let mut builder = GitignoreBuilder::new(root);
    builder.add_line(None, pattern)?;
    builder.build()
}

/// `domain:example.com`, or `domain:*.example.com` for all below it.
fn is_host(meant: &str, address: &str) -> bool {
    let Some(domain) = meant.strip_prefix("domain:") else { return false };
    let after = address.split_once("://").map_or(address, |(_, after)| after);
    let authority = after.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let domain = domain.trim().to_ascii_lowercase();
    match domain.strip_prefix("*.") {
        Some(parent) => host.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1),
        None => host == domain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(rule: &str, tool: &str, about: &str) -> bool {
        let call = Call { tool, about, cwd: Some(Path::new("/home/ana/shop")) };
        Rule::read(rule).unwrap().fits(call, Some(Path::new("/home/ana")))
    }

    #[test]
    fn what_is_no_rule_is_told_apart() {
        for text in ["", "(git *)", "Bash(git *", "two words", "Bash)"] {
            assert!(Rule::read(text).is_none(), "{text}");
        }
        assert!(Rule::read(" Bash(git commit -m \"a (b)\") ").is_some());
    }

    #[test]
    fn a_tool_alone_is_all_of_it() {
        assert!(fits("Bash", "Bash", "rm -rf /"));
        assert!(fits("Bash(*)", "Bash", "rm -rf /"));
        assert!(!fits("Bash", "Read", "/etc/passwd"));
        // Measured: `Edit` by itself says nothing about `Write`.
        assert!(!fits("Edit", "Write", "/home/ana/shop/a"));
        assert!(fits("mcp__github", "mcp__github__merge", ""));
        assert!(fits("mcp__github__*", "mcp__github__merge", ""));
        assert!(!fits("mcp__github", "mcp__github2__merge", ""));
        assert!(fits("mcp__github__merge", "mcp__github__merge", ""));
    }

    #[test]
    fn paths_are_meant_as_git_means_them() {
        let write = |rule: &str, path: &str| fits(rule, "Write", path);
        for (rule, inside, outside) in [
            ("Edit(src/*)", "/home/ana/shop/src/deep/c.txt", "/home/ana/shop/b.txt"),
            ("Edit(/src/**)", "/home/ana/shop/src/a.txt", "/home/ana/shop/lib/src/a.txt"),
            ("Edit(**/src/**)", "/home/ana/shop/lib/src/a.txt", "/home/ana/other/src/a.txt"),
            ("Edit(*.txt)", "/home/ana/shop/src/a.txt", "/home/ana/shop/src/a.rs"),
            ("Edit(//tmp/zz/**)", "/tmp/zz/src/d.txt", "/home/ana/shop/tmp/zz/d.txt"),
            ("Edit(~/shop/**)", "/home/ana/shop/a", "/home/ben/shop/a"),
        ] {
            assert!(write(rule, inside), "{rule} {inside}");
            assert!(!write(rule, outside), "{rule} {outside}");
        }
        assert!(write("Edit(src/**)", "src/a.txt"), "relative, as the agent may write it");
        assert!(!write("Edit(src/**)", "/home/ana/shop/src/../../secret"));
        assert!(!write("Write(src/**)", "/home/ana/shop/src/a.txt"), "measured: nothing comes of it");
        assert!(fits("Read(src/**)", "Read", "/home/ana/shop/src/a.txt"));
        assert!(!fits("Read(src/**)", "Write", "/home/ana/shop/src/a.txt"));
    }

    #[test]
    fn hosts_are_whole() {
        let fetch = |rule: &str, address: &str| fits(rule, "WebFetch", address);
        assert!(fetch("WebFetch(domain:example.com)", "https://Example.com:8080/a?b#c"));
        assert!(!fetch("WebFetch(domain:example.com)", "https://example.com.evil.org/"));
        assert!(!fetch("WebFetch(domain:example.com)", "https://example.com@evil.org/"));
        assert!(!fetch("WebFetch(domain:example.com)", "https://docs.example.com/"));
        assert!(fetch("WebFetch(domain:*.example.com)", "https://docs.example.com/"));
        assert!(!fetch("WebFetch(domain:*.example.com)", "https://notexample.com/"));
    }

    #[test]
    fn what_is_cut_fits_nothing_but_all_of_its_tool() {
        let long = format!("make {}", "a".repeat(WHOLE_BYTES));
        assert!(!fits("Bash(make *)", "Bash", &long));
        assert!(fits("Bash", "Bash", &long));
    }
}
