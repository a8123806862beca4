//! Source text in, the same text with comments and literals blanked out, so that a rule about code is not broken by words.

/// Replaces what stands in comments, strings and characters by spaces; line ends stay, so line numbers hold.
///
/// It knows just enough Rust for that: nested block comments, raw strings, and that `'a` may be a lifetime.
pub(super) fn without_texts(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let text_len = comment_len(rest).or_else(|| literal_len(rest, &kept));
        let len = text_len.unwrap_or(first.len_utf8());
        let (taken, after) = rest.split_at(len);
        if text_len.is_some() {
            kept.extend(taken.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }));
        } else {
            kept.push_str(taken);
        }
        rest = after;
    }
    kept
}

/// The source before a trailing `#[cfg(test)] mod tests { … }`, which the rules on size and purity leave alone.
pub(super) fn without_tests(source: &str) -> &str {
    let mut at = 0;
    let mut lines = source.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let opens_tests = |next: &&str| next.trim_end().ends_with('{') && next.trim_start().starts_with("mod tests");
        if line.trim_end() == "#[cfg(test)]" && lines.peek().is_some_and(opens_tests) {
            return &source[..at];
        }
        at += line.len();
    }
    source
}

fn comment_len(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        if tail.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    Some(rest.len())
}

fn literal_len(rest: &str, before: &str) -> Option<usize> {
    if rest.starts_with('"') {
        return Some(quoted_len(rest, b'"'));
    }
    // In `for r"…"` the `r` starts a string, in `bar"` it would be the end of a name.
    let inside_name = before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    if !inside_name && (rest.starts_with('r') || rest.starts_with("br")) {
        let start = rest.find('r')? + 1;
        let hashes = rest[start..].len() - rest[start..].trim_start_matches('#').len();
        if rest[start + hashes..].starts_with('"') {
            let open = start + hashes + 1;
            let close = format!("\"{}", "#".repeat(hashes));
            return Some(rest[open..].find(&close).map_or(rest.len(), |at| open + at + close.len()));
        }
    }
    let mut letters = rest.chars();
    if letters.next() == Some('\'') {
        let (second, third) = (letters.next()?, letters.next()?);
        if second == '\\' {
            return Some(quoted_len(rest, b'\''));
        }
        return (third == '\'').then_some(2 + second.len_utf8());
    }
    None
}

fn quoted_len(rest: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, &byte) in rest.as_bytes().iter().enumerate().skip(1) {
        if escaped {
            escaped = false;
        } else if byte == b'\\' {
            escaped = true;
        } else if byte == quote {
            return at + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_the_rest_stays() {
        let source = "let a = \"x \\\" y\"; // z\nlet b = r#\"q \" q\"#; /* c /* d */ e */ f('\"', '\\'', &'a str)\n";
        let expected = "let a =         ;     \nlet b =           ;                   f(   ,     , &'a str)\n";
        assert_eq!(without_texts(source), expected);
    }

    #[test]
    fn a_name_that_ends_in_r_does_not_start_a_string() {
        assert_eq!(without_texts("for r in bar {}"), "for r in bar {}");
    }

    #[test]
    fn only_the_tests_at_the_end_are_cut_off() {
        let source = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        assert_eq!(without_tests(source), "fn a() {}\n\n");
        let elsewhere = "#[cfg(test)]\nmod tests;\nfn a() {}\n";
        assert_eq!(without_tests(elsewhere), elsewhere);
    }
}
