//! A command line beside a rule: what is meant and a command in; whether it is covered out.
//!
//! A line may hold several commands. Each must be meant, or be one of those that only look and are never asked about, and at
//! least one must be meant. Where a shell could hide more (a substitution, a file that is written, work in the background)
//! nothing but the very same line is.

/// Commands that only look: the CLI runs them without a rule.
const LOOKING: &[&str] = &[
    "[", "cat", "cd", "date", "echo", "false", "find", "grep", "head", "ls", "pwd", "sleep", "tail", "test", "true",
    "wc", "which",
];

/// The same of git.
const LOOKING_GIT: &[&str] = &["diff", "log", "show", "status"];

/// Words of the shell before a command.
const WORDS: &[&str] = &["!", "do", "elif", "else", "if", "then", "until", "while"];

/// Words of the shell that are no command.
const ENDS: &[&str] = &["done", "fi"];

/// Does a rule that means this cover the line?
pub(super) fn fits(meant: &str, line: &str) -> bool {
    let meant = Meant::read(meant);
    if matches!(meant, Meant::Exactly(text) if squeezed(text) == squeezed(line)) {
        return true;
    }
    let Some(commands) = commands(line) else { return false };
    let mut is_meant = false;
    for command in commands {
        let (bare, is_looking) = bared(&command);
        if bare.is_empty() || is_looking {
            continue;
        }
        if !meant.is(bare) {
            return false;
        }
        is_meant = true;
    }
    is_meant
}

/// What a rule means.
enum Meant<'a> {
    /// This line and no other.
    Exactly(&'a str),
    /// What begins with these words: `npm run:*`, and `npm run *`.
    Begins(&'a str),
    /// With stars for anything.
    Like(&'a str),
}

impl<'a> Meant<'a> {
    fn read(text: &'a str) -> Meant<'a> {
        let begins = text.strip_suffix(":*").or_else(|| text.strip_suffix(" *"));
        match begins.filter(|words| !words.contains('*')) {
            Some(words) => Meant::Begins(words.trim()),
            None if text.contains('*') => Meant::Like(text),
            None => Meant::Exactly(text),
        }
    }

    fn is(&self, command: &str) -> bool {
        match self {
            Meant::Exactly(text) => command == *text,
            Meant::Begins(words) => {
                command.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            }
            Meant::Like(pattern) => is_like(pattern, command),
        }
    }
}

fn is_like(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, between)) = pieces.split_last() else { return rest.is_empty() };
    for piece in between {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The command without the shell's words and without what only changes how it is run, and whether it only looks.
fn bared(command: &str) -> (&str, bool) {
    let mut rest = command;
    loop {
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = match word {
            _ if WORDS.contains(&word) => after,
            "for" | "case" | "select" => return ("", false),
            _ if ENDS.contains(&word) => return ("", false),
            "time" | "nohup" | "nice" | "command" => after,
            "timeout" | "stdbuf" => after.split_once(' ').map_or("", |(_, after)| after),
            "git" => {
                let next = after.split(' ').next().unwrap_or_default();
                return (rest, LOOKING_GIT.contains(&next));
            }
            _ => return (rest, LOOKING.contains(&word)),
        };
    }
}

/// The commands of a line, each with single spaces outside of quotes; none if more may be hidden in it.
fn commands(line: &str) -> Option<Vec<String>> {
    let mut all = vec![String::new()];
    let mut quote = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let command = all.last_mut()?;
        match (quote, letter) {
            (Some('"') | None, '`') => return None,
            (Some('"') | None, '$') if matches!(letters.peek(), Some('(' | '{')) => return None,
            (Some('"') | None, '\\') => {
                command.push(letter);
                command.extend(letters.next());
            }
            (Some(open), _) => {
                command.push(letter);
                quote = Some(open).filter(|open| *open != letter);
            }
            (None, '"' | '\'') => {
                command.push(letter);
                quote = Some(letter);
            }
            (None, '#') if command.is_empty() || command.ends_with(' ') => {
                while letters.next_if(|letter| *letter != '\n').is_some() {}
            }
            (None, '(' | ')' | '{' | '}') => return None,
            (None, '<') if matches!(letters.peek(), Some('<' | '(')) => return None,
            (None, '>') => goes_nowhere(command, &mut letters)?,
            (None, '&') if letters.next_if_eq(&'&').is_some() => all.push(String::new()),
            (None, '&') => return None,
            (None, '|') => {
                let _ = letters.next_if(|letter| matches!(letter, '|' | '&'));
                all.push(String::new());
            }
            (None, ';' | '\n') => all.push(String::new()),
            (None, letter) if letter.is_whitespace() => {
                if !command.is_empty() && !command.ends_with(' ') {
                    command.push(' ');
                }
            }
            (None, letter) => command.push(letter),
        }
    }
    let trimmed = all.iter().map(|command| command.trim().to_owned());
    quote.is_none().then(|| trimmed.filter(|command| !command.is_empty()).collect())
}

/// What is written goes to another pipe or to nothing, and is no part of the command; none if it goes to a file.
fn goes_nowhere(command: &mut String, letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<()> {
    // The number of the pipe stands before it.
    if let Some(rest) = command.strip_suffix(['1', '2'])
        && (rest.is_empty() || rest.ends_with(' '))
    {
        command.truncate(rest.len());
    }
    let _ = letters.next_if_eq(&'>');
    while letters.next_if_eq(&' ').is_some() {}
    let mut target = String::new();
    while let Some(letter) = letters.next_if(|letter| !letter.is_whitespace() && !matches!(letter, ';' | '|')) {
        target.push(letter);
    }
    matches!(target.as_str(), "/dev/null" | "&1" | "&2").then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        for meant in ["make *", "make:*"] {
            assert!(fits(meant, "make"), "{meant}");
            assert!(fits(meant, "  make\tall -j 2"), "{meant}");
            assert!(!fits(meant, "maker all"), "{meant}");
            assert!(!fits(meant, "npm run make"), "{meant}");
        }
        assert!(fits("npm run test", "npm run test"));
        assert!(!fits("npm run test", "npm run test --all"));
        assert!(fits("npm * --dry-run", "npm publish --dry-run"));
        assert!(!fits("npm * --dry-run", "npm publish"));
        assert!(fits("git * main", "git push origin main"));
    }

    #[test]
    fn each_command_of_a_line_is_looked_at() {
        for line in [
            "make a && make b",
            "make a; make b",
            "make a | make b",
            "make a || make b",
            "ls && make a",
            "cd x && make a",
            "make a && git status",
            "timeout 5 make a",
            "nice make a",
            "if true; then make a; fi",
            "for i in 1 2; do make a; done",
            "make a # and more",
            "make \"a; rm x\"",
            "make 'a $(rm x)'",
            "make a 2>&1",
            "make a > /dev/null",
            "make $HOME/a",
            "! make a",
            "make \\; rm",
        ] {
            assert!(fits("make *", line), "{line}");
        }
        for line in [
            "make a && rm b",
            "make a; rm b",
            "make a | sh",
            "make a\nrm b",
            "make $(rm b)",
            "make `rm b`",
            "make \"$(rm b)\"",
            "make a > out.txt",
            "make a >> out.txt",
            "make a &> out.txt",
            "make a & rm b",
            "(make a)",
            "{ make a; }",
            "make <(rm b)",
            "make <<EOF",
            "FOO=1 make a",
            "env make a",
            "sudo make a",
            "bash -c 'make a'",
            "ls",
            "make 'a",
            "make a && git push",
            "make ${X}",
        ] {
            assert!(!fits("make *", line), "{line}");
        }
    }

    #[test]
    fn the_very_same_line_is_meant_whatever_is_in_it() {
        assert!(fits("make a > out.txt", "make a > out.txt"));
        assert!(!fits("make a > out.txt", "make a > in.txt"));
    }
}
