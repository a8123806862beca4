//! Which of the known forms a line has that stands alone, without a word about where it came from.

use crate::control::{Ask, Command};
use crate::from_cli::FromCli;
use crate::line::{decode, decode_as};
use crate::raw::{Raw, Reading};
use crate::to_cli::ToCli;
use crate::transcript::{Entry, JournalEntry};

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// What the CLI writes: read it as [`FromCli`]. Also all that no other form claims.
    Stdout,
    /// What a host writes: read it as [`ToCli`].
    Stdin,
    /// An entry of a transcript file: read it as [`Entry`].
    Transcript,
    /// A line of a workflow's journal: read it as [`JournalEntry`].
    Journal,
}

wire! {
    /// The few fields that tell.
    #[doc(hidden)]
    pub struct Hints {
        /// The type.
        pub kind: Option<String> = "type",
        /// The session as the files spell it; the stream writes `session_id`.
        pub session_id: Option<Raw> = "sessionId",
        /// Only entries have one.
        pub parent_uuid: Option<Raw> = "parentUuid",
        /// Only lines about a subagent in a journal have one.
        pub key: Option<Raw>,
    }
}

impl Form {
    /// The form of this line. Of the stream's two directions, only what the CLI cannot have written is taken for a
    /// host's, since prompts and answers look alike both ways.
    pub fn of(text: &str) -> Self {
        let Some(hints) = Reading::<Hints>::of(text) else { return Form::Stdout };
        let kind = hints.value.kind.unwrap_or_default();
        let of_the_stream = FromCli::KINDS.contains(&kind.as_str());
        let of_a_file = hints.value.session_id.is_some() || hints.value.parent_uuid.is_some();
        if of_a_file || (!of_the_stream && Entry::KINDS.contains(&kind.as_str())) {
            return Form::Transcript;
        }
        if JournalEntry::KINDS.contains(&kind.as_str()) && (!of_the_stream || hints.value.key.is_some()) {
            return Form::Journal;
        }
        // A known message cannot be a host's, but for the requests that go both ways: nearly all lines are told by now.
        if of_the_stream && kind != "control_request" {
            return Form::Stdout;
        }
        let strange = match decode(text).body {
            FromCli::ControlRequest(request) => matches!(request.request, Ask::Other(_)),
            FromCli::Other(_) => true,
            _ => false,
        };
        let known_to_hosts = || match decode_as::<ToCli>(text).body {
            ToCli::ControlRequest(request) => !matches!(request.request, Command::Other(_)),
            ToCli::Other(_) | ToCli::NotJson(_) => false,
            _ => true,
        };
        if strange && known_to_hosts() { Form::Stdin } else { Form::Stdout }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_with_a_key_is_of_a_journal_and_one_without_is_of_the_stream() {
        assert_eq!(Form::of(r#"{"type":"result","key":"v2:00","agentId":"a1","result":"done"}"#), Form::Journal);
        assert_eq!(Form::of(r#"{"type":"result","subtype":"success","result":"done"}"#), Form::Stdout);
        assert_eq!(Form::of(r#"{"type":"launched"}"#), Form::Journal);
    }
}
