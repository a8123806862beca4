//! The schema of a record, which is written by hand: what its JSON has, as types that are never made.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::Record;
use crate::time::UnixMillis;

impl JsonSchema for Record {
    fn schema_name() -> Cow<'static, str> {
        "Record".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        RecordForm::json_schema(generator)
    }
}

/// A record of the log. One of `line`, `text` and `base64` is there.
#[derive(JsonSchema)]
#[schemars(transform = crate::schema::never_null)]
#[expect(dead_code, reason = "only its schema counts")]
struct RecordForm {
    /// The number in the log, from 1, without gaps.
    seq: u64,
    /// When the line was seen.
    at: UnixMillis,
    /// Where it came from.
    source: SourceForm,
    /// Which person or device wrote it, of a line to the agent.
    by: Option<String>,
    /// The writer's own id of the message.
    id: Option<String>,
    /// The line, if it is a JSON object.
    line: Option<Map<String, Value>>,
    /// The line, if it is another text.
    text: Option<String>,
    /// The line, if it is no text.
    base64: Option<String>,
}

/// Where a line came from.
#[derive(JsonSchema)]
#[schemars(rename = "Source", rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema counts")]
enum SourceForm {
    /// Written to the agent.
    Stdin,
    /// Written by the agent.
    Stdout,
    /// Written by the agent beside the protocol.
    Stderr,
    /// A fact of our own.
    Host,
    /// An entry of the agent's transcript file, imported.
    Transcript,
}
