//! Two JSON values in; the places where they differ out, for people.

use std::collections::BTreeSet;

use serde_json::Value;

/// Where what was found is not what was expected.
pub(crate) fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let mut differences = Vec::new();
    compare("", Some(expected), Some(found), &mut differences);
    differences
}

fn compare(place: &str, expected: Option<&Value>, found: Option<&Value>, differences: &mut Vec<String>) {
    match (expected, found) {
        (Some(Value::Object(expected)), Some(Value::Object(found))) => {
            let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
            for name in names {
                compare(&format!("{place}/{name}"), expected.get(name), found.get(name), differences);
            }
        }
        (Some(Value::Array(expected)), Some(Value::Array(found))) => {
            for at in 0..expected.len().max(found.len()) {
                compare(&format!("{place}/{at}"), expected.get(at), found.get(at), differences);
            }
        }
        (expected, found) if expected == found => {}
        (expected, found) => {
            let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
            differences.push(format!("{place}: expected {}, found {}", shown(expected), shown(found)));
        }
    }
}

#[test]
fn differences_are_found_in_objects_and_lists() {
    use serde_json::json;
    let expected = json!({"a": [1, 2], "b": {"c": null}, "d": 1});
    assert_eq!(differences(&expected, &expected), [""; 0]);
    let found = json!({"a": [1, 3, 4], "b": {}, "d": 1, "e": true});
    let differing = [
        "/a/1: expected 2, found 3",
        "/a/2: expected nothing, found 4",
        "/b/c: expected null, found nothing",
        "/e: expected nothing, found true",
    ];
    assert_eq!(differences(&expected, &found), differing);
}
