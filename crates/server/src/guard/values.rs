//! Values from outside that end up on a command line or in a path: looked at before anything is started.

use super::rules::{Rule, left_out};
use crate::error::{ApiError, ApiResult};

/// A value that is a word: names of models, modes, agents, servers, tasks.
pub(crate) fn checked<'a>(what: &str, value: &'a str) -> ApiResult<&'a str> {
    const MOST: usize = 200;
    if left_out(Rule::Values) {
        return Ok(value);
    }
    let fits = |letter: char| letter.is_alphanumeric() || " -_.:/@[]()*,+=~#".contains(letter);
    if value.is_empty() || value.len() > MOST || value.starts_with('-') || !value.chars().all(fits) {
        let shown: String = value.chars().take(40).filter(|letter| !letter.is_control()).collect();
        return Err(ApiError::bad_request(format!("`{shown}` is no {what}")));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_words() {
        for good in ["claude-sonnet-4-5", "us.anthropic.claude:0", "opus[1m]", "accept Edits", "@org/model", "größe"]
        {
            assert_eq!(checked("model", good), Ok(good));
        }
        for bad in ["", "-p", "--settings={}", "a\nb", "a;b", "$(x)", "`x`", "a\0", "\u{1b}[2J", "{}", &"x".repeat(300)]
        {
            assert!(checked("model", bad).is_err(), "{bad:?}");
        }
    }
}
