//! The arguments of a tool: a Rust type in; its JSON schema, and the reading of what the model wrote, out.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The one argument of a tool whose type is no object.
const ONLY_ARGUMENT: &str = "value";

/// How the values of a type stand in the arguments of a call, which MCP wants to be an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The type is an object: its fields are the arguments.
    Fields,
    /// The type is a number, a text, a list: it is one argument.
    Only,
    /// The type is `()`: there are no arguments.
    None,
}

/// The schema of a tool that takes an `A`, and how to read an `A` from the arguments.
pub(super) fn schema<A: JsonSchema>() -> (JsonObject, Shape) {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<A>();
    let mut object = match schema.to_value() {
        Value::Object(object) => object,
        // The schema of a type that may be anything is `true`.
        _ => JsonObject::new(),
    };
    // The name of a Rust type tells the model nothing, and the tool has a description of its own.
    for noise in ["$schema", "title", "description"] {
        object.remove(noise);
    }
    match object.get("type").and_then(Value::as_str) {
        Some("object") => (object, Shape::Fields),
        Some("null") => (empty(), Shape::None),
        Some(_) => (only(object), Shape::Only),
        None if may_be_another_kind(&object) => (only(object), Shape::Only),
        // Enums with a tag, and what may be anything: their parts say what is in the object.
        None => {
            object.insert("type".to_owned(), json!("object"));
            (object, Shape::Fields)
        }
    }
}

/// Does a schema without a single type allow what is no object: an `Option`, or an enum with variants that are texts?
fn may_be_another_kind(schema: &JsonObject) -> bool {
    let other = |branch: &Value| branch.get("type").is_some_and(|kind| kind != "object");
    let branches = ["oneOf", "anyOf"].into_iter().filter_map(|name| schema.get(name)?.as_array()).flatten();
    ["type", "enum", "const"].iter().any(|name| schema.contains_key(*name)) || branches.into_iter().any(other)
}

/// The arguments as the type; otherwise words for the model, with the place that is wrong.
pub(super) fn read<A: DeserializeOwned>(arguments: JsonObject, shape: Shape) -> Result<A, String> {
    let value = match shape {
        Shape::Fields => Value::Object(arguments),
        Shape::Only => {
            let mut arguments = arguments;
            arguments.remove(ONLY_ARGUMENT).unwrap_or_default()
        }
        Shape::None => Value::Null,
    };
    serde_path_to_error::deserialize(value).map_err(|error| {
        let place = match (error.path().to_string(), shape) {
            (path, Shape::Only) if path == "." => ONLY_ARGUMENT.to_owned(),
            (path, Shape::Only) if path.starts_with('[') => format!("{ONLY_ARGUMENT}{path}"),
            (path, Shape::Only) => format!("{ONLY_ARGUMENT}.{path}"),
            (path, _) => path,
        };
        match place.as_str() {
            "." => format!("the arguments do not fit: {}", error.inner()),
            _ => format!("the arguments do not fit: `{place}`: {}", error.inner()),
        }
    })
}

fn empty() -> JsonObject {
    JsonObject::from_iter([("type".to_owned(), json!("object")), ("properties".to_owned(), json!({}))])
}

fn only(mut schema: JsonObject) -> JsonObject {
    // References are from the root, so what they point to stays there.
    let definitions = schema.remove("$defs");
    let mut object = empty();
    object.insert("properties".to_owned(), json!({ONLY_ARGUMENT: schema}));
    object.insert("required".to_owned(), json!([ONLY_ARGUMENT]));
    object.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
    object
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Words for the reader of the code.
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Order {
        /// The customer's number.
        customer: u32,
        lines: Vec<Line>,
        note: Option<String>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Line {
        sku: String,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Move {
        Up { steps: u8 },
        Home,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    enum Place {
        Shelf,
        Box { number: u8 },
    }

    fn given<A: JsonSchema + DeserializeOwned>(arguments: Value) -> Result<A, String> {
        let Value::Object(arguments) = arguments else { panic!("{arguments}") };
        read(arguments, schema::<A>().1)
    }

    #[test]
    fn a_struct_is_its_fields_with_their_docs() {
        let (schema, shape) = schema::<Order>();
        assert_eq!(shape, Shape::Fields);
        assert_eq!(
            Value::Object(schema),
            json!({
                "type": "object",
                "properties": {
                    "customer": {"description": "The customer's number.", "type": "integer", "format": "uint32", "minimum": 0},
                    "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
                    "note": {"type": ["string", "null"]},
                },
                "required": ["customer", "lines"],
                "$defs": {"Line": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}},
            })
        );
    }

    #[test]
    fn a_type_that_is_no_object_is_one_argument() {
        let (schema, shape) = schema::<Vec<Line>>();
        assert_eq!(shape, Shape::Only);
        assert_eq!(
            Value::Object(schema),
            json!({
                "type": "object",
                "properties": {"value": {"type": "array", "items": {"$ref": "#/$defs/Line"}}},
                "required": ["value"],
                "$defs": {"Line": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}},
            })
        );
        assert_eq!(given::<Vec<Line>>(json!({"value": [{"sku": "A-1"}]})), Ok(vec![Line { sku: "A-1".to_owned() }]));
        assert_eq!(given::<Option<u8>>(json!({})), Ok(None));
        assert_eq!(given::<Place>(json!({"value": "Shelf"})), Ok(Place::Shelf));
        assert_eq!(given::<Place>(json!({"value": {"Box": {"number": 4}}})), Ok(Place::Box { number: 4 }));
    }

    #[test]
    fn units_tagged_enums_and_free_values_are_objects_too() {
        assert_eq!(Value::Object(schema::<()>().0), json!({"type": "object", "properties": {}}));
        assert_eq!(given::<()>(json!({"whatever": 1})), Ok(()));
        assert_eq!(schema::<Move>().0["type"], "object");
        assert_eq!(given::<Move>(json!({"kind": "up", "steps": 2})), Ok(Move::Up { steps: 2 }));
        assert_eq!(given::<Move>(json!({"kind": "home"})), Ok(Move::Home));
        assert_eq!(Value::Object(schema::<Value>().0), json!({"type": "object"}));
        assert_eq!(given::<Value>(json!({"a": 1})), Ok(json!({"a": 1})));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let refusal = |arguments| given::<Order>(arguments).unwrap_err();
        assert_eq!(
            refusal(json!({"customer": 1, "lines": [{"sku": "A"}, {"sku": 5}]})),
            "the arguments do not fit: `lines[1].sku`: invalid type: integer `5`, expected a string"
        );
        assert_eq!(refusal(json!({"customer": 1})), "the arguments do not fit: missing field `lines`");
        assert_eq!(
            given::<u8>(json!({"value": 300})).unwrap_err(),
            "the arguments do not fit: `value`: invalid value: integer `300`, expected u8"
        );
        assert_eq!(
            given::<Vec<u8>>(json!({"value": [1, "b"]})).unwrap_err(),
            "the arguments do not fit: `value[1]`: invalid type: string \"b\", expected u8"
        );
    }
}
