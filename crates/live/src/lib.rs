//! All sessions: agents started and kept, records in, and feeds out from which any number of screens catch up.
//!
//! ```text
//! Options ── start ──▶ keeper ── records ──▶ Pipeline ──▶ Feed ── since ──▶ screens
//!                        ▲                                  │
//!                        └────── send · answer · command ───┘ Session
//! ```
//!
//! * [`Session`]: one session, its state and the way to its agent.
//! * [`pipeline`]: what a record goes through. [`feed`]: how screens catch up. [`list`]: the same for the list of sessions.
//! * [`held`]: prompts that wait in the host until the turn has ended.
//! * [`transcripts`]: sessions that were held in a terminal.
//! * [`options`]: what a session is started with. [`guard`]: who else works on it. [`crash`]: how often it may die.

mod agent_files;
pub mod answer;
mod bypass;
pub mod crash;
mod error;
pub mod feed;
mod foreign;
mod fork;
pub mod guard;
pub mod held;
mod indexing;
pub mod list;
mod markdown;
pub mod options;
pub mod pipeline;
mod replay;
pub mod session;
pub mod sessions;
mod start;
pub mod tail;
pub mod transcripts;

pub use answer::{Choice, Decision, Remember};
pub use error::{Error, Result};
pub use feed::{Answer, Epoch, Feed};
pub use held::{Delivery, Held, HeldPrompt, Pause, Submitted};
pub use list::{Asking, List, ListAnswer, Row};
pub use markdown::markdown;
pub use options::Options;
pub use pipeline::Pipeline;
pub use replay::{find_text, replay, whole};
pub use session::{Sent, Session};
pub use sessions::{Begun, Sessions, TakeOver};
pub use start::{Admission, Host, Planned};
pub use tail::Tail;
