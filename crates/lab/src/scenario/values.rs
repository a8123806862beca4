//! Small operations on JSON values that scenarios are made of: fit to a version, substitute, compare, pick.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::Value;

use crate::error::LabError;
use crate::real::CliVersion;

/// Whether a value has at least what the pattern has: all fields of an object, the first items of a list, and texts that
/// are equal or, behind a `~`, match.
pub fn subset(pattern: &Value, value: &Value) -> bool {
    match (pattern, value) {
        (Value::Object(pattern), Value::Object(fields)) => {
            pattern.iter().all(|(key, pattern)| fields.get(key).is_some_and(|field| subset(pattern, field)))
        }
        (Value::Array(pattern), Value::Array(items)) => {
            pattern.len() <= items.len() && pattern.iter().zip(items).all(|(pattern, item)| subset(pattern, item))
        }
        (Value::String(pattern), Value::String(text)) => match pattern.strip_prefix('~') {
            Some(expression) => Regex::new(expression).is_ok_and(|expression| expression.is_match(text)),
            None => pattern == text,
        },
        _ => pattern == value,
    }
}

/// Leaves out what is for other versions and takes the right one of alternatives.
pub(super) fn fit(value: &mut Value, version: CliVersion) -> Result<(), LabError> {
    if let Some(choices) = value.get("$by").and_then(Value::as_object) {
        let mut chosen = Value::Null;
        for (condition, choice) in choices {
            if version.fits(condition)? {
                chosen = choice.clone();
                break;
            }
        }
        *value = chosen;
    }
    match value {
        Value::Array(items) => {
            let mut kept = Vec::with_capacity(items.len());
            for mut item in items.drain(..) {
                let condition = item.as_object_mut().and_then(|fields| fields.remove("only"));
                let keep = match condition.as_ref().and_then(Value::as_str) {
                    Some(condition) => version.fits(condition)?,
                    None => true,
                };
                if keep {
                    fit(&mut item, version)?;
                    kept.push(item);
                }
            }
            *items = kept;
        }
        Value::Object(fields) => {
            for field in fields.values_mut() {
                fit(field, version)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Replaces names by their texts, in every string of a value.
pub(super) fn substitute(value: &mut Value, names: &BTreeMap<String, String>) {
    match value {
        Value::String(text) => *text = substitute_text(text, names),
        Value::Array(items) => items.iter_mut().for_each(|item| substitute(item, names)),
        Value::Object(fields) => fields.values_mut().for_each(|field| substitute(field, names)),
        _ => {}
    }
}

/// Replaces names by their texts.
pub(super) fn substitute_text(text: &str, names: &BTreeMap<String, String>) -> String {
    if !text.contains('$') {
        return text.to_owned();
    }
    names.iter().fold(text.to_owned(), |text, (name, replacement)| text.replace(name, replacement))
}

/// The value at a path such as `response.tasks.0.id`.
pub(super) fn at_path<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| match key.parse::<usize>() {
        Ok(index) if value.is_array() => value.get(index),
        _ => value.get(key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pattern_asks_only_for_what_it_names() {
        let line = json!({"type": "user", "message": {"content": [{"type": "text", "text": "abc"}, 2]}});
        assert!(subset(&json!({"message": {"content": [{"text": "~^a"}]}}), &line));
        assert!(!subset(&json!({"message": {"content": [{"text": "a"}]}}), &line));
        assert!(!subset(&json!({"other": null}), &line));
    }

    #[test]
    fn a_scenario_is_fitted_to_the_version() {
        let mut value =
            json!({"a": {"$by": {"<2.1.100": "old", "*": "new"}}, "b": [{"only": "2.1.1", "x": 1}, {"x": 2}]});
        fit(&mut value, "2.1.38".parse().unwrap()).unwrap();
        assert_eq!(value, json!({"a": "old", "b": [{"x": 2}]}));
    }
}
