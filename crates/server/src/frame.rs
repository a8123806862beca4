//! What goes over the WebSocket, both ways, as JSON text.

use live::{Answer, Epoch, Held, ListAnswer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a screen says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum ClientFrame {
    /// Watch a session from where the screen is; from nothing, without an epoch. Said again, it starts again from there.
    Watch {
        session: String,
        #[serde(default)]
        epoch: Epoch,
        #[serde(default)]
        seq: u64,
    },
    /// Watch it no longer.
    Unwatch { session: String },
    /// Watch the list of sessions.
    List {
        #[serde(default)]
        epoch: Epoch,
        #[serde(default)]
        revision: u64,
    },
    /// Watch it no longer.
    Unlist,
    /// Are you there?
    Ping {
        #[serde(default)]
        nonce: u64,
    },
}

/// What the server says.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum ServerFrame<'a> {
    /// The first frame.
    Hello { version: &'a str, instance: &'a str, device: &'a str },
    /// What a watched session has that the screen lacks.
    Session { session: &'a str, answer: &'a Answer },
    /// The prompts of a watched session that wait in the host, all of them; sent when they change.
    Held { session: &'a str, held: &'a Held },
    /// What the list has that the screen lacks.
    List { answer: &'a ListAnswer },
    /// How many screens watch a session, this one included.
    Presence { session: &'a str, watchers: usize },
    /// Here I am.
    Pong { nonce: u64 },
    /// What was said could not be done; the socket stays open.
    Error { code: &'a str, message: &'a str, session: Option<&'a str> },
}
