//! The door: everything that a screen or a script can do with sessions, over HTTP and one WebSocket, for those who may.
//!
//! ```text
//! request ──▶ guard ──▶ routes ──▶ live ──▶ answer
//! socket  ──▶ guard ──▶ socket ◀── feeds of live
//! ```
//!
//! * [`Config`]: where it listens, and who stands between it and the world.
//! * `guard`: who may come in; the only place where that is decided.
//! * `routes`: every route on one screen, with its documentation. `openapi`: the same as a document.
//! * `frame`, `socket`: what goes over the WebSocket, and when.

mod app;
mod branch;
mod config;
mod error;
mod extract;
mod frame;
mod guard;
mod listen;
mod metrics;
mod openapi;
mod page;
mod presence;
mod routes;
mod rule;
pub mod secrets;
mod serve;
mod socket;

pub use config::{Config, ConfigError, PORT, Port, Tls};
pub use guard::{TokenChange, audit_token};
pub use secrets::{Secrets, SecretsError};
pub use serve::{Server, ServerError};
