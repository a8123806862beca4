//! Host facts: what happened around the agent and not in its own words. A closed list; what a newer version writes beside
//! it is kept and shown as unknown.

use serde::{Deserialize, Serialize};

use crate::event::text::NoticeLevel;
use crate::time::UnixMillis;

/// The format of the log that this build writes.
pub const LOG_FORMAT: u32 = 1;

/// A fact of our own, the content of a `host` record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum HostFact {
    /// The first record of a log.
    Log {
        /// The version of the record format.
        format: u32,
        /// The id of the session folder.
        session: String,
        /// When the folder was made.
        created: UnixMillis,
    },
    /// The agent was started. Never holds secrets.
    Spawned {
        /// The program.
        program: String,
        /// Its arguments.
        argv: Vec<String>,
        /// Its working directory.
        cwd: String,
        /// The agent's version.
        version: Option<String>,
        /// Its process.
        pid: Option<u32>,
    },
    /// The agent's process ended.
    Exited {
        /// Its exit code.
        code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// The last lines of its stderr.
        #[serde(default)]
        stderr_tail: Vec<String>,
        /// Was it told to end?
        #[serde(default)]
        expected: bool,
    },
    /// Whoever wrote the log before died without saying how the agent ended.
    Lost,
    /// A server has taken the session up.
    Attached,
    /// A server has let it go.
    Detached,
    /// The conversation goes on in a new process.
    Resumed {
        /// The agent's session id before.
        from: Option<String>,
        /// The agent's session id now.
        to: Option<String>,
    },
    /// The records before this one are those of another session up to a cut.
    Forked {
        /// The session folder that was forked.
        session: Option<String>,
        /// The agent's session id there.
        from: Option<String>,
        /// The agent's session id here.
        to: Option<String>,
    },
    /// The conversation was thrown away and goes on under a new id.
    Cleared {
        /// The agent's session id before.
        from: Option<String>,
        /// The agent's session id now.
        to: Option<String>,
    },
    /// What follows was read from a transcript file.
    Imported {
        /// The file.
        path: String,
        /// The agent's session id.
        session: Option<String>,
    },
    /// The user wants to hear no more of a prompt of which nobody knows whether the agent took it.
    Dismissed {
        /// The prompt's name.
        prompt: String,
    },
    /// A remark for people.
    Note {
        /// The text.
        text: String,
        /// How urgent it is.
        #[serde(default)]
        level: NoticeLevel,
    },
}

impl HostFact {
    /// Reads the content of a `host` record; `None` for a fact that this version does not know.
    pub fn from_json(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The content of a `host` record.
    pub fn to_json(&self) -> String {
        // Strings and numbers only: there is nothing in it that could not be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_written_as_documented_and_read_back() {
        let exited =
            HostFact::Exited { code: Some(1), signal: None, stderr_tail: vec!["no".to_owned()], expected: false };
        assert_eq!(
            exited.to_json(),
            r#"{"fact":"exited","code":1,"signal":null,"stderrTail":["no"],"expected":false}"#
        );
        assert_eq!(HostFact::from_json(&exited.to_json()), Some(exited));
        assert_eq!(HostFact::from_json(r#"{"fact":"lost"}"#), Some(HostFact::Lost));
        assert_eq!(
            HostFact::from_json(r#"{"fact":"exited","code":null,"signal":9}"#).map(|fact| fact.to_json().len() > 3),
            Some(true)
        );
        let note = HostFact::Note { text: "hm".to_owned(), level: NoticeLevel::Info };
        assert_eq!(HostFact::from_json(r#"{"fact":"note","text":"hm"}"#), Some(note));
        assert_eq!(HostFact::from_json(r#"{"fact":"tomorrow"}"#), None);
    }
}
