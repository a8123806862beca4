//! The texts of two `--help` in, the options and commands that are new, gone or changed out.

use std::collections::BTreeMap;

/// What `--help` lists, by name: `--model`, `mcp`.
pub(super) type Help = BTreeMap<String, Listed>;

/// An option or a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    /// How it is written, for example `-d, --debug [filter]`.
    pub(super) form: String,
    /// The words about it, without line ends.
    pub(super) about: String,
}

/// Something that two versions list differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    New(Listed),
    Gone(Listed),
    /// It is written differently, or has other values to choose from.
    Changed(Listed, Listed),
    /// Only the words about it differ.
    Reworded(Listed),
}

/// Reads a help text: the lines below `Options:` and `Commands:`.
pub(super) fn read(text: &str) -> Help {
    let mut help = Help::new();
    let mut last: Option<String> = None;
    let mut is_list = false;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if indent == 0 {
            is_list = matches!(line.trim(), "Options:" | "Commands:");
            last = None;
            continue;
        }
        if !is_list {
            continue;
        }
        if indent <= 4 {
            let (form, about) = line.trim().split_once("  ").unwrap_or((line.trim(), ""));
            let name = name(form);
            help.insert(name.clone(), Listed { form: form.to_owned(), about: about.trim().to_owned() });
            last = Some(name);
        } else if let Some(listed) = last.as_ref().and_then(|name| help.get_mut(name)) {
            listed.about = format!("{} {}", listed.about, line.trim()).trim().to_owned();
        }
    }
    help
}

/// What is different, in the order of the names.
pub(super) fn compare(old: &Help, new: &Help) -> Vec<Change> {
    let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change = |name: &String| match (old.get(name), new.get(name)) {
        (None, Some(new)) => Some(Change::New(new.clone())),
        (Some(old), None) => Some(Change::Gone(old.clone())),
        (Some(old), Some(new)) if old.form != new.form || choices(&old.about) != choices(&new.about) => {
            Some(Change::Changed(old.clone(), new.clone()))
        }
        (Some(old), Some(new)) if old.about != new.about => Some(Change::Reworded(new.clone())),
        _ => None,
    };
    names.into_iter().filter_map(change).collect()
}

/// The values that an option takes, where the words about it list them.
pub(super) fn choices(about: &str) -> Option<&str> {
    let begin = about.find("(choices: ")? + "(choices: ".len();
    let length = about[begin..].find(')')?;
    Some(&about[begin..begin + length])
}

/// The long name of an option, or the first word.
fn name(form: &str) -> String {
    let words = || form.split([' ', ',', '|']).filter(|word| !word.is_empty());
    words().find(|word| word.starts_with("--")).or_else(|| words().next()).unwrap_or(form).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "\
Usage: tool [options]

Options:
  -d, --debug [filter]   Debug, with a filter
                         over two lines
  --effort <level>       Effort (choices: \"low\",
                         \"high\")
  --old                  Old
  --same                 Same

Commands:
  install|add [x]        Install
";

    #[test]
    fn options_and_commands_are_read_with_all_their_lines() {
        let help = read(OLD);
        assert_eq!(help.keys().collect::<Vec<_>>(), ["--debug", "--effort", "--old", "--same", "install"]);
        let debug = &help["--debug"];
        assert_eq!(
            (debug.form.as_str(), debug.about.as_str()),
            ("-d, --debug [filter]", "Debug, with a filter over two lines")
        );
        assert_eq!(choices(&help["--effort"].about), Some("\"low\", \"high\""));
    }

    #[test]
    fn what_is_new_gone_changed_or_reworded_is_named() {
        let new = OLD
            .replace("--old                  Old", "--new                  New")
            .replace("\"high\"", "\"max\"")
            .replace("[filter]", "<filter>")
            .replace("  Install", "  Put it there");
        let (old, new) = (read(OLD), read(&new));
        let changes = [
            Change::Changed(old["--debug"].clone(), new["--debug"].clone()),
            Change::Changed(old["--effort"].clone(), new["--effort"].clone()),
            Change::New(new["--new"].clone()),
            Change::Gone(old["--old"].clone()),
            Change::Reworded(new["install"].clone()),
        ];
        assert_eq!(compare(&old, &new), changes);
        assert_eq!(compare(&old, &old), []);
    }
}
