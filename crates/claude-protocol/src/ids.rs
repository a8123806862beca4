//! Names and numbers of things: each a type of its own, cheap to clone.

use std::borrow::{Borrow, Cow};
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use crate::cursor::{Cursor, Fault};
use crate::wire::{Wire, write_string};

macro_rules! ids {
    ($( $(#[$meta:meta])* $name:ident read by $reading:path; )*) => { $(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as the CLI writes it.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The id's text, shared and not copied.
            pub fn into_shared(self) -> Arc<str> {
                self.0
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
                $reading(cursor).map($name)
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
    Uuid read by fresh;
    /// A session of the CLI: the name of its transcript file and the value of `--resume`.
    SessionId read by session;
    /// A message of the Messages API (`msg_…`); all blocks of one answer share it.
    MessageId read by message;
    /// A call of a tool (`toolu_…`), or `forked-command-…` for a command that runs as a subagent.
    ToolUseId read by fresh;
    /// A control request, named by whoever sent it.
    RequestId read by fresh;
    /// A subagent.
    AgentId read by fresh;
    /// A task: a subagent or a command that runs in the background.
    TaskId read by fresh;
    /// A hook callback that the host registered in `initialize`.
    CallbackId read by fresh;
}

// Nearly every line names the session, and each delta of an answer its message: the same as the line before. Remembering
// the last one saves two allocations for each delta, and changes nothing that can be seen.
thread_local! {
    static LAST_SESSION: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
    static LAST_MESSAGE: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
}

#[inline]
fn session(cursor: &mut Cursor<'_>) -> Result<Arc<str>, Fault> {
    LAST_SESSION.with_borrow_mut(|last| same(last, cursor))
}

#[inline]
fn message(cursor: &mut Cursor<'_>) -> Result<Arc<str>, Fault> {
    LAST_MESSAGE.with_borrow_mut(|last| same(last, cursor))
}

#[inline]
fn fresh(cursor: &mut Cursor<'_>) -> Result<Arc<str>, Fault> {
    cursor.string().map(|id| Arc::from(&*id))
}

#[inline]
fn same(last: &mut Option<Arc<str>>, cursor: &mut Cursor<'_>) -> Result<Arc<str>, Fault> {
    match last {
        Some(last) if cursor.take_plain(last) => Ok(Arc::clone(last)),
        _ => remember(last, cursor),
    }
}

fn remember(last: &mut Option<Arc<str>>, cursor: &mut Cursor<'_>) -> Result<Arc<str>, Fault> {
    let id = cursor.string()?;
    let shared: Arc<str> = Arc::from(&*id);
    // What had to be unescaped does not stand in the next line as it is remembered.
    if matches!(id, Cow::Borrowed(_)) {
        *last = Some(Arc::clone(&shared));
    }
    Ok(shared)
}

/// What nearly every line on stdout carries.
pub trait Envelope {
    /// The id of the line.
    fn uuid(&self) -> Option<&Uuid>;
    /// The CLI's session.
    fn session_id(&self) -> Option<&SessionId>;
}
