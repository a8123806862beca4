//! A Messages API on loopback that answers from a [`Script`](crate::Script): requests come in and are kept, replies go out.
//! Without the feature `stage` there is no port, only the script: the scripted agent takes its replies from that.

mod choose;
mod mind;
#[cfg(feature = "stage")]
mod serve;
pub(crate) mod stream;

pub(crate) use choose::Choice;
pub use choose::RequestKind;
pub(crate) use mind::Mind;
pub use mind::Request;
#[cfg(feature = "stage")]
pub use serve::Model;
