//! Names and numbers of things: each a type of its own, cheap to clone.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use crate::cursor::{Cursor, Fault};
use crate::wire::{Wire, write_string};

macro_rules! ids {
    ($( $(#[$meta:meta])* $name:ident; )*) => { $(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as the CLI writes it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<Arc<str>>> From<T> for $name {
            fn from(id: T) -> Self {
                $name(id.into())
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $name("".into())
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &*self.0)
            }
        }

        impl Wire for $name {
            #[inline]
            fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
                cursor.string().map(|id| $name(id.into()))
            }

            fn write(&self, out: &mut String) {
                write_string(&self.0, out);
            }

            fn missing() -> Self {
                Self::default()
            }
        }
    )* };
}

ids! {
    /// The id of one line on stdout, equal to that of its entry in the transcript file; also the id a host gives to a
    /// prompt.
    Uuid;
    /// A session of the CLI: the name of its transcript file and the value of `--resume`.
    SessionId;
    /// A message of the Messages API (`msg_…`); all blocks of one answer share it.
    MessageId;
    /// A call of a tool (`toolu_…`), or `forked-command-…` for a command that runs as a subagent.
    ToolUseId;
    /// A control request, named by whoever sent it.
    RequestId;
    /// A subagent.
    AgentId;
    /// A task: a subagent or a command that runs in the background.
    TaskId;
    /// A hook callback that the host registered in `initialize`.
    CallbackId;
}

/// What nearly every line on stdout carries.
pub trait Envelope {
    /// The id of the line.
    fn uuid(&self) -> Option<&Uuid>;
    /// The CLI's session.
    fn session_id(&self) -> Option<&SessionId>;
}
