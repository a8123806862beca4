//! The lines that give no event, each with its reason. Beside what the profile leaves out, these are all there are.

/// Why a line gives no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quiet {
    /// The profile has no event for it.
    Profile,
    /// It is known and says nothing: no content, no figures.
    Empty,
    /// A sign of life.
    KeepAlive,
    /// A prompt has gone its way: what became of it was told when it was taken, and the `result` has come.
    PromptDone,
    /// News of a prompt that was told already, by another line that says the same.
    PromptKnown,
    /// News of a prompt whose text is in no record: its replay, if there is one, tells more.
    PromptUnseen,
    /// A copy of a prompt that is known to have been taken, or of an answer that a compaction keeps.
    Replay,
    /// A block that an earlier line of the same message had.
    RepeatedBlock,
    /// The protocol between the CLI and a tool server of the host: the tool's call and result are told by themselves.
    ToolServer,
    /// The host's answer to a hook, or to a question that is no longer open.
    HostAnswer,
    /// The second of two answers to one request, as old versions give them.
    AnsweredTwice,
    /// Entries of a transcript that the lines beside them tell as well.
    TranscriptMirror,
    /// A mark in the course of a turn or a check, of which other lines tell what came of it.
    Mark,
    /// A matter of the CLI's own screen: something to draw, to move or to focus.
    OwnScreen,
    /// A matter of the vendor's hosting: where a process runs, what it could hand over.
    Hosting,
    /// The first record of a log: it names the log and nothing that happened.
    LogHeader,
    /// An entry of a transcript file that holds no part of the conversation.
    Bookkeeping,
}
