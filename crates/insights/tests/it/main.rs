//! Records in, events out: the source documents' cases, the contradictions between them, laws, and every captured session.
//! Events in, a state out: rules, laws, and the end of every captured session.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod accounts;
mod contract;
mod contradictions;
mod cost_laws;
mod documents;
mod fixtures;
mod imported;
mod laws;
#[cfg(feature = "driver")]
mod live;
mod memory;
mod misfits;
mod outline;
mod play;
mod resumed;
mod rules;
mod same_items;
mod script;
mod seldom;
mod sources;
mod spliced;
mod state;
mod state_laws;
mod support;
mod told;
mod wholes;
