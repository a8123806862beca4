//! A name that somebody has misspelt in, the one that was meant out. Pure.

/// The most letters of a name that are looked at. Nobody means a longer one.
const MOST: usize = 60;

/// Of these names the one that was meant, if one comes near: no more than a third of its letters differ. Small and capital
/// letters are the same, and `_` and `-` are none.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = letters(word);
    let told = names.into_iter().map(|name| (distance(&word, &letters(name)), name));
    told.filter(|(distance, name)| *distance <= name.len() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).take(MOST).collect()
}

/// How many letters have to be put in, taken out or changed to make one of the other.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (place, wanted) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != wanted);
            diagonal = row[place + 1];
            row[place + 1] = changed.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_understood_and_another_word_is_not() {
        let names = ["allowedTools", "disallowedTools", "model", "cwd", "mode"];
        let of = |word: &str| nearest(word, names);
        for (word, meant) in [
            ("disallowedTool", "disallowedTools"),
            ("disallowed_tools", "disallowedTools"),
            ("dissalowedTools", "disallowedTools"),
            ("AllowedTools", "allowedTools"),
            ("models", "model"),
            ("mode", "mode"),
        ] {
            assert_eq!(of(word), Some(meant), "{word}");
        }
        for word in ["", "colour", "c", &"x".repeat(100_000)] {
            assert_eq!(of(word), None, "{word}");
        }
    }
}
