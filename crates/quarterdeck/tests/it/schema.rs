//! The OpenAPI document of a server as whoever makes a client of it reads it: a schema and a value in, what does not fit out.
//!
//! It knows those words of JSON Schema that the document uses, and no others: a new one is told, and not passed over. It is
//! stricter than JSON Schema in one point. A member that no schema names is a fault, since a generated client would not have it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// Words that say something to people, or about what is sent to the server.
const NOTES: &[&str] = &["description", "title", "default", "format", "writeOnly"];

/// Words that say which members an object has.
const MEMBERS: &[&str] = &["$ref", "oneOf", "anyOf", "allOf", "properties", "additionalProperties"];

/// No members.
static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// A document.
pub(crate) struct Document(pub(crate) Value);

/// What came of a look at a value.
#[derive(Default)]
struct Look<'a> {
    faults: Vec<String>,
    /// The members of the value that the schema names.
    named: BTreeSet<&'a str>,
}

impl Document {
    /// The schema that a reference leads to.
    pub(crate) fn at(&self, reference: &str) -> &Value {
        self.0.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("`{reference}` leads nowhere"))
    }

    /// The schema of a type.
    pub(crate) fn component(&self, name: &str) -> &Value {
        self.at(&format!("#/components/schemas/{name}"))
    }

    /// What of a value is not as the schema says: a sentence each, with the place.
    pub(crate) fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        self.whole(schema, value, "")
    }

    /// The faults of a value of which this schema says everything.
    fn whole(&self, schema: &Value, value: &Value, place: &str) -> Vec<String> {
        let Look { mut faults, named } = self.look(schema, value, place);
        if faults.is_empty() {
            let unnamed =
                value.as_object().into_iter().flat_map(Map::keys).filter(|name| !named.contains(name.as_str()));
            faults.extend(unnamed.map(|name| format!("{place}/{name} is not named")));
        }
        faults
    }

    /// The faults of a value of which other schemas may say more.
    fn look<'a>(&'a self, schema: &'a Value, value: &'a Value, place: &str) -> Look<'a> {
        let mut look = Look::default();
        let words = match schema {
            Value::Bool(true) => &NOTHING,
            Value::Object(words) => words,
            _ => return Look { faults: vec![format!("{place} may not be there")], ..look },
        };
        let members = value.as_object().unwrap_or(&NOTHING);
        let elements = value.as_array().map_or(&[][..], |elements| elements);
        if !MEMBERS.iter().any(|word| words.contains_key(*word)) {
            look.named.extend(members.keys().map(String::as_str));
        }
        let properties = words.get("properties").and_then(Value::as_object).unwrap_or(&NOTHING);
        let first = words.get("prefixItems").and_then(Value::as_array).map_or(&[][..], |first| first);
        for (word, says) in words {
            let list = || says.as_array().unwrap_or_else(|| panic!("`{word}` is a list"));
            let holds = match word.as_str() {
                "$ref" => {
                    look.add(self.look(self.at(says.as_str().unwrap()), value, place));
                    true
                }
                "allOf" => {
                    list().iter().for_each(|schema| look.add(self.look(schema, value, place)));
                    true
                }
                "anyOf" => look.add_fitting(self.alternatives(list(), value, place)) > 0,
                "oneOf" => look.add_fitting(self.alternatives(list(), value, place)) == 1,
                "type" => match says {
                    Value::Array(types) => types.iter().any(|name| is_a(value, name)),
                    name => is_a(value, name),
                },
                "const" => value == says,
                "enum" => list().contains(value),
                "required" => list().iter().all(|name| members.contains_key(name.as_str().unwrap())),
                "properties" => {
                    for (name, schema) in properties {
                        let Some(member) = members.get(name) else { continue };
                        look.faults.extend(self.whole(schema, member, &format!("{place}/{name}")));
                        look.named.insert(name);
                    }
                    true
                }
                "additionalProperties" => {
                    for (name, member) in members.iter().filter(|(name, _)| !properties.contains_key(*name)) {
                        look.faults.extend(self.whole(says, member, &format!("{place}/{name}")));
                        look.named.insert(name);
                    }
                    true
                }
                "prefixItems" | "items" => {
                    for (number, element) in elements.iter().enumerate() {
                        let schema = first.get(number).or(words.get("items")).unwrap_or(&Value::Bool(true));
                        // One of the two words is enough to look at all of them.
                        if word == "items" || !words.contains_key("items") {
                            look.faults.extend(self.whole(schema, element, &format!("{place}/{number}")));
                        }
                    }
                    true
                }
                "minItems" => !value.is_array() || elements.len() as u64 >= says.as_u64().unwrap(),
                "maxItems" => !value.is_array() || elements.len() as u64 <= says.as_u64().unwrap(),
                "minimum" => value.as_f64().is_none_or(|number| number >= says.as_f64().unwrap()),
                "maximum" => value.as_f64().is_none_or(|number| number <= says.as_f64().unwrap()),
                note => {
                    assert!(NOTES.contains(&note), "`{note}` is a word of JSON Schema that is not known here");
                    true
                }
            };
            if !holds && look.faults.is_empty() {
                look.faults.push(format!("{place} has another `{word}` than {says}: {value}"));
            }
        }
        look
    }

    /// A look for each of several schemas. Those that a tag rules out are not looked at any further.
    fn alternatives<'a>(&'a self, schemas: &'a [Value], value: &'a Value, place: &str) -> Vec<Look<'a>> {
        let is_ruled_out = |schema: &Value| {
            let tags = schema["properties"].as_object().into_iter().flatten();
            tags.into_iter().any(|(name, of)| of.get("const").is_some_and(|tag| value.get(name) != Some(tag)))
        };
        let in_question = schemas.iter().filter(|schema| !is_ruled_out(schema));
        in_question.map(|schema| self.look(schema, value, place)).collect()
    }
}

impl<'a> Look<'a> {
    fn add(&mut self, other: Look<'a>) {
        self.faults.extend(other.faults);
        self.named.extend(other.named);
    }

    /// Takes in what fits, and says how many did. If none does, what is wrong with the best of them is told.
    fn add_fitting(&mut self, looks: Vec<Look<'a>>) -> usize {
        let (fit, other): (Vec<Look<'_>>, Vec<Look<'_>>) = looks.into_iter().partition(|look| look.faults.is_empty());
        let count = fit.len();
        match other.into_iter().min_by_key(|look| look.faults.len()) {
            Some(best) if count == 0 => self.add(best),
            _ => fit.into_iter().for_each(|look| self.add(look)),
        }
        count
    }
}

fn is_a(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("`{other}` is no type of JSON"),
    }
}

mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        let document = Document(json!({"components": {"schemas": {
            "Bird": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"}, "eggs": {"type": "integer", "minimum": 0}}},
            "Animal": {"oneOf": [
                {"$ref": "#/components/schemas/Bird", "type": "object", "required": ["kind"],
                 "properties": {"kind": {"const": "bird"}}},
                {"type": "object", "required": ["kind", "legs"],
                 "properties": {"kind": {"const": "spider"}, "legs": {"type": ["integer", "null"]}}},
            ]},
            "Zoo": {"type": "object", "additionalProperties": {"type": "array", "items": {"$ref": "#/components/schemas/Animal"}}},
        }}}));
        let faults = |value: Value| document.faults(document.component("Zoo"), &value);
        let good =
            json!({"a": [{"kind": "bird", "name": "heron", "eggs": 3}, {"kind": "spider", "legs": null}], "b": []});
        assert_eq!(faults(good), [""; 0]);
        for (animal, fault) in [
            (json!({"kind": "bird"}), "/a/0 has another `required`"),
            (json!({"kind": "bird", "name": "heron", "eggs": -1}), "/a/0/eggs has another `minimum`"),
            (json!({"kind": "bird", "name": "heron", "wings": 2}), "/a/0/wings is not named"),
            (json!({"kind": "bird", "name": "heron", "eggs": null}), "/a/0/eggs has another `type`"),
            (json!({"kind": "fish"}), "/a/0 has another `oneOf`"),
            (json!("bird"), "/a/0 has another `oneOf`"),
        ] {
            let told = faults(json!({"a": [animal]}));
            assert!(told.len() == 1 && told[0].starts_with(fault), "{told:?} is not `{fault}`");
        }
    }
}
