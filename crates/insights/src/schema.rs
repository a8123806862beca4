//! The schemas of our types: what the derives make of them in, what JSON really has out. Only with feature `schema`.

use schemars::Schema;
use serde_json::{Map, Value};

/// Says of a schema that what need not be there is never null: an `Option` that is `None` is left out.
///
/// The derive reads from the types that a field need not be there. That a `None` is not written stands in an attribute that it
/// takes to be about all fields alike.
pub(crate) fn never_null(schema: &mut Schema) {
    if let Some(schema) = schema.as_object_mut() {
        without_null(schema);
    }
}

fn without_null(schema: &mut Map<String, Value>) {
    // The variants of an enum.
    if let Some(Value::Array(variants)) = schema.get_mut("oneOf") {
        variants.iter_mut().filter_map(Value::as_object_mut).for_each(without_null);
    }
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(fields)) = schema.get_mut("properties") else { return };
    let optional = fields.iter_mut().filter(|(name, _)| !required.iter().any(|required| required == name.as_str()));
    for (_, field) in optional {
        let Value::Object(field) = field else { continue };
        for list in ["type", "enum", "anyOf"] {
            if let Some(Value::Array(forms)) = field.get_mut(list) {
                forms.retain(|form| *form != Value::Null && *form != "null" && form["type"] != "null");
            }
        }
        if let Some(Value::Array(types)) = field.get_mut("type")
            && types.len() == 1
        {
            field["type"] = types.remove(0);
        }
        if let Some(Value::Array(forms)) = field.get_mut("anyOf")
            && let [Value::Object(_)] = &forms[..]
            && let Value::Object(form) = forms.remove(0)
        {
            field.remove("anyOf");
            form.into_iter().for_each(|(key, value)| _ = field.entry(key).or_insert(value));
        }
    }
}

/// Says that a type is written as another one is.
macro_rules! written_as {
    ($type:ty, $form:ty) => {
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$form as schemars::JsonSchema>::json_schema(generator)
            }
        }
    };
}

pub(crate) use written_as;

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, SchemaGenerator};
    use serde_json::json;

    use super::*;

    fn properties<T: JsonSchema>() -> Value {
        let mut schema = SchemaGenerator::default().root_schema_for::<T>().to_value();
        schema["properties"].take()
    }

    #[test]
    fn optional_fields_are_omitted_rather_than_null() {
        let clip = properties::<crate::state::Clip>();
        assert_eq!(clip["text"]["type"], "string");
        let about = "Where the whole text is, if this is only the head.";
        assert_eq!(clip["more"], json!({"description": about, "$ref": "#/$defs/More"}));
        let usage = properties::<crate::event::turn::TokenUsage>();
        assert_eq!(usage["cacheReadTokens"]["type"], "integer");
    }

    #[test]
    fn what_the_agent_wrote_is_anything() {
        let call = properties::<crate::event::tool::ToolInvocation>();
        assert_eq!(call["input"], json!({"description": "The input, as the model wrote it."}));
        let completion = properties::<crate::event::tool::ToolCompletion>();
        assert_eq!(completion["output"], json!({"description": "The structured result, else what the model reads."}));
    }
}
