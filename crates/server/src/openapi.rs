//! The OpenAPI document: the table of routes in, JSON out.

use axum::response::{IntoResponse, Response};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::error::{ApiError, Code, ErrorBody};
use crate::routes::{Access, Gives, Route, all};

/// The document of a server with this base path, and with a cookie of this name.
pub(crate) fn document(base_path: &str, cookie: &str) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut generator = settings.into_generator();
    let error = generator.subschema_for::<ErrorBody>();
    let mut paths: Map<String, Value> = Map::new();
    for route in all() {
        let operation = operation(&route, &mut generator, &json!(error));
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Value::Object(methods) = path {
            methods.insert(route.method.as_str().to_ascii_lowercase(), operation);
        }
    }
    let schemas = Value::Object(generator.take_definitions(true));
    let codes: Vec<String> = Code::ALL
        .iter()
        .map(|code| format!("* `{}` ({}): {}", code.word(), code.status().as_u16(), code.meaning()))
        .collect();
    let about = format!(
        "Watch, steer and approve coding agents.\n\nA request that changes something has a body of `application/json` and \
         the header `x-quarterdeck: 1`. Every error is `{{\"error\": {{\"code\", \"message\"}}}}`:\n\n{}",
        codes.join("\n")
    );
    let base = if base_path.is_empty() { "/" } else { base_path };
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Quarterdeck", "version": env!("CARGO_PKG_VERSION"), "description": about },
        "servers": [{ "url": base }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "`quarterdeck token add` makes one." },
                "cookie": { "type": "apiKey", "in": "cookie", "name": cookie, "description": "Set by `POST /api/v1/login`." },
            },
        },
        "security": [{ "bearer": [] }, { "cookie": [] }],
    })
}

fn operation(route: &Route, generator: &mut schemars::SchemaGenerator, error: &Value) -> Value {
    let mut operation = json!({ "summary": route.about, "operationId": operation_id(route) });
    let mut parameters: Vec<Value> = Vec::new();
    for name in route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let session = name == "id" && route.path.starts_with("/api/v1/sessions");
        let schema = if session {
            json!({ "type": "string", "format": "uuid" })
        } else {
            json!({ "type": "string", "minLength": 1 })
        };
        parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
    }
    if let Some(query) = route.query {
        parameters.extend(query_parameters(&query(generator).to_value()));
    }
    let changes = route.method != "GET";
    if changes {
        let schema = json!({ "type": "string", "enum": ["1"] });
        parameters.push(json!({ "name": "x-quarterdeck", "in": "header", "required": true, "schema": schema }));
    }
    operation["parameters"] = json!(parameters);
    if changes && route.method != "DELETE" {
        let schema = route
            .body
            .map_or_else(|| json!({ "type": "object", "maxProperties": 0 }), |body| body(generator).to_value());
        operation["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    operation["responses"] = responses(route, generator, error);
    if matches!(route.access, Access::Anyone | Access::Ticket) {
        operation["security"] = json!([]);
    }
    operation
}

fn query_parameters(schema: &Value) -> Vec<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let parameter = |(name, mut schema): (String, Value)| {
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let mut parameter =
            json!({ "name": name, "in": "query", "required": required.contains(&json!(name)), "schema": schema });
        if let Some(about) = about {
            parameter["description"] = about;
        }
        parameter
    };
    properties.into_iter().map(parameter).collect()
}

fn responses(route: &Route, generator: &mut schemars::SchemaGenerator, error: &Value) -> Value {
    let mut responses = Map::new();
    let (status, good) = match route.gives {
        Gives::Json(schema) => {
            let schema = schema(generator).to_value();
            ("200", json!({ "description": "Done", "content": { "application/json": { "schema": schema } } }))
        }
        Gives::Lines(schema) => {
            // OpenAPI 3.1 has no words for the form of a line. These are those of 3.2, as an extension.
            let lines = json!({ "schema": { "type": "string" }, "x-itemSchema": schema(generator).to_value() });
            ("200", json!({ "description": "Done", "content": { "application/jsonl": lines } }))
        }
        Gives::Media(media) => {
            ("200", json!({ "description": "Done", "content": { media: { "schema": { "type": "string" } } } }))
        }
        Gives::Nothing => ("204", json!({ "description": "Done" })),
        Gives::Socket { hears, says } => {
            // OpenAPI has no words for what goes over a WebSocket.
            let (hears, says) = (hears(generator).to_value(), says(generator).to_value());
            let about =
                "The WebSocket is open. Frames are JSON text: `x-clientFrame` to the server, `x-serverFrame` from it.";
            ("101", json!({ "description": about, "x-clientFrame": hears, "x-serverFrame": says }))
        }
    };
    responses.insert(status.to_owned(), good);
    let mut by_status: std::collections::BTreeMap<u16, Vec<Code>> = std::collections::BTreeMap::new();
    for code in codes(route) {
        by_status.entry(code.status().as_u16()).or_default().push(code);
    }
    for (status, codes) in by_status {
        let about: Vec<String> = codes.iter().map(|code| format!("`{}`: {}", code.word(), code.meaning())).collect();
        let content = match (route.access, status) {
            // The page to log in.
            (Access::Page, 401) => json!({ "text/html": { "schema": { "type": "string" } } }),
            _ => json!({ "application/json": { "schema": error } }),
        };
        responses.insert(status.to_string(), json!({ "description": about.join("\n\n"), "content": content }));
    }
    Value::Object(responses)
}

/// An answer as it was, if the document knows it. Builds for tests look at every answer, so that every test does.
pub(crate) fn known(path: &str, codes: &[Code], answer: Response) -> Response {
    match answer.extensions().get::<Code>() {
        Some(code) if !codes.contains(code) => {
            let text = format!("`{path}` answers with `{}`, of which its documentation says nothing", code.word());
            ApiError::new(Code::Internal, text).into_response()
        }
        _ => answer,
    }
}

/// What can go wrong on a route: what the guard refuses, what does not fit, and what the route itself says.
pub(crate) fn codes(route: &Route) -> Vec<Code> {
    let mut codes = vec![Code::WrongHost, Code::PastProxy];
    if route.access != Access::Anyone {
        // Who it is stands in a database.
        codes.extend([Code::NotLoggedIn, Code::Storage]);
    }
    if matches!(route.access, Access::Person | Access::Ticket) {
        codes.push(Code::WrongOrigin);
    }
    if route.method != "GET" {
        codes.extend([Code::WrongOrigin, Code::MissingHeader]);
        if route.method != "DELETE" {
            codes.extend([Code::NotJson, Code::TooLarge]);
        }
    }
    if route.method != "GET" || route.query.is_some() || route.path.contains('{') {
        codes.push(Code::BadRequest);
    }
    if route.path.starts_with("/api/v1/") {
        codes.push(Code::Internal);
    }
    codes.extend_from_slice(&route.fails);
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn operation_id(route: &Route) -> String {
    let words = route.path.trim_start_matches("/api/v1").split('/').filter(|part| !part.is_empty());
    let words: Vec<String> = words.map(|part| part.trim_matches(['{', '}']).replace(['.', '-'], "_")).collect();
    format!("{}_{}", route.method.as_str().to_ascii_lowercase(), words.join("_"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn operations(document: &Value) -> Vec<(String, String, &Value)> {
        let paths = document["paths"].as_object().unwrap();
        let of_path = |(path, methods): (&String, &'_ Value)| -> Vec<(String, String)> {
            methods.as_object().unwrap().keys().map(|method| (path.clone(), method.clone())).collect()
        };
        let all: Vec<(String, String)> = paths.iter().flat_map(of_path).collect();
        let operation = |(path, method): (String, String)| {
            let found = &document["paths"][&path][&method];
            (path, method, found)
        };
        all.into_iter().map(operation).collect()
    }

    #[test]
    fn every_route_is_in_the_document_and_nothing_else() {
        let document = document("", "quarterdeck-test");
        let documented: BTreeSet<(String, String)> =
            operations(&document).into_iter().map(|(path, method, _)| (path, method)).collect();
        let routed: BTreeSet<(String, String)> =
            all().iter().map(|route| (route.path.to_owned(), route.method.as_str().to_ascii_lowercase())).collect();
        assert_eq!(documented, routed);
        assert_eq!(routed.len(), all().len(), "no route is there twice");
    }

    #[test]
    fn every_operation_has_a_name_of_its_own_a_sentence_and_its_parameters() {
        let document = document("", "quarterdeck-test");
        let mut names = BTreeSet::new();
        for (path, _, operation) in operations(&document) {
            assert!(names.insert(operation["operationId"].as_str().unwrap()), "{path} {}", operation["operationId"]);
            assert!(!operation["summary"].as_str().unwrap().is_empty(), "{path} has no summary");
            let parameters = operation["parameters"].as_array().unwrap();
            let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
            assert_eq!(in_path, path.matches('{').count(), "{path}");
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
            match value {
                Value::Object(fields) => {
                    found.extend(fields.get("$ref").and_then(Value::as_str));
                    fields.values().for_each(|value| references(value, found));
                }
                Value::Array(values) => values.iter().for_each(|value| references(value, found)),
                _ => {}
            }
        }
        let document = document("", "quarterdeck-test");
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        assert!(found.contains("#/components/schemas/ErrorBody"), "{found:?}");
        for reference in found {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
    }

    #[test]
    fn an_answer_that_is_not_documented_is_a_fault() {
        let missing = || ApiError::new(Code::NotFound, "it is not there").into_response();
        assert_eq!(known("/x", &[Code::NotFound], missing()).status(), 404);
        assert_eq!(known("/x", &[Code::NoSession], missing()).status(), 500);
        assert_eq!(known("/x", &[], "good".into_response()).status(), 200);
    }

    #[test]
    fn every_code_is_an_answer_of_some_route() {
        let mut documented: BTreeSet<Code> = all().iter().flat_map(codes).collect();
        // What has no route cannot say so, and what could not be read has none.
        documented.extend([Code::NoRoute, Code::WrongMethod, Code::AddressTooLong, Code::HeadTooLarge]);
        assert_eq!(documented, Code::ALL.iter().copied().collect());
    }
}
