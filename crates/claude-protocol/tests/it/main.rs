//! The contract of `decode`, tested over every captured line, over lines made to be nasty, and over chance.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod chance;
mod corpus;
mod deltas;
mod dialects;
mod laws;
mod nasty;
mod support;
