//! Which prompt is answered by which result: the bookkeeping of turns, without any I/O.
//!
//! A prompt is *taken* when the CLI says so: by `command_lifecycle`, by the uuids on `init`, or by the replay of the prompt
//! itself, which every version writes with `--replay-user-messages`. A `result` settles the prompts that it names, or else
//! those that were taken since the last one. Prompts that the CLI merges, or folds into a running turn, share a result.
//! A turn that took none of ours was started by the CLI itself.

use claude_protocol::from_cli::result::TerminalReason;
use claude_protocol::from_cli::turn::CommandState;
use claude_protocol::{Envelope, FromCli, System, Uuid};

/// A prompt that was sent and not yet answered.
#[derive(Debug)]
struct Open<T> {
    uuid: Uuid,
    turn: T,
    /// Old versions replay no slash commands.
    is_command: bool,
    /// What the CLI says is about it.
    begun: bool,
    /// The CLI has said that it has it.
    taken: bool,
}

impl<T: Clone> Open<T> {
    fn begin(&mut self) -> Option<Step<T>> {
        (!std::mem::replace(&mut self.begun, true)).then(|| Step::Begins(self.turn.clone()))
    }
}

/// The prompts that are open, in the order in which they were sent.
#[derive(Debug)]
pub(crate) struct Turns<T> {
    open: Vec<Open<T>>,
    /// An interrupt was sent since the last result.
    interrupted: bool,
    /// Does the CLI name prompts by uuid on its own lines? Then a result that names none has none of ours.
    names_prompts: bool,
}

/// What a line means for the turns.
#[derive(Debug, PartialEq)]
pub(crate) enum Step<T> {
    /// The CLI has taken the prompt: its turn begins with this line.
    Begins(T),
    /// The line is the result of these turns: of none, if the CLI had started by itself.
    Ends {
        /// The turns.
        turns: Vec<T>,
        /// Was it cut off?
        interrupted: bool,
    },
    /// The prompt was taken back before it ran.
    Cancelled(T),
}

impl<T: Clone> Turns<T> {
    pub(crate) fn new() -> Self {
        Turns { open: Vec::new(), interrupted: false, names_prompts: false }
    }

    /// A prompt goes out.
    pub(crate) fn sent(&mut self, uuid: Uuid, is_command: bool, turn: T) {
        self.open.push(Open { uuid, turn, is_command, begun: false, taken: false });
    }

    /// An interrupt goes out. Without an open prompt there is nothing that it could cut off.
    pub(crate) fn interrupting(&mut self) {
        self.interrupted = !self.open.is_empty();
    }

    /// Is a prompt open?
    pub(crate) fn is_idle(&self) -> bool {
        self.open.is_empty()
    }

    /// The session is over: what is left open.
    pub(crate) fn abandon(&mut self) -> Vec<T> {
        self.open.drain(..).map(|open| open.turn).collect()
    }

    /// What a line of the CLI means, as the lines come.
    pub(crate) fn see(&mut self, message: &FromCli) -> Vec<Step<T>> {
        match message {
            FromCli::CommandLifecycle(news) => {
                self.names_prompts = true;
                let Some(uuid) = &news.command_uuid else { return Vec::new() };
                match news.state {
                    Some(CommandState::Started) => self.begin(std::slice::from_ref(uuid)),
                    Some(CommandState::Cancelled) => self.cancel(uuid),
                    _ => Vec::new(),
                }
            }
            FromCli::User(user) if user.is_replay == Some(true) && user.parent_tool_use_id.is_none() => {
                let uuid = user.uuid().map(std::slice::from_ref);
                self.begin(uuid.unwrap_or_default())
            }
            FromCli::System(System::Init(init)) => match &init.user_message_uuids {
                Some(uuids) => {
                    self.names_prompts = true;
                    self.begin(uuids)
                }
                // Versions that name no prompts replay one only with the first whole message, when all of its text has
                // been streamed. It most likely begins here; whether it was really taken, the replay will tell.
                None if !self.names_prompts => self.open.first_mut().and_then(Open::begin).into_iter().collect(),
                None => Vec::new(),
            },
            FromCli::Result(result) if result.parent_tool_use_id.is_none() => {
                let mut named = result.user_message_uuids.clone().unwrap_or_default();
                named.extend(result.user_message_uuid.clone());
                let aborted = matches!(
                    result.terminal_reason,
                    Some(TerminalReason::AbortedStreaming | TerminalReason::AbortedTools)
                );
                let failed = result.failed();
                // A turn of the CLI's own says who started it.
                let is_foreign = result.origin.as_ref().is_some_and(|origin| origin.kind() != "human");
                let turns = match named.is_empty() && is_foreign {
                    true => Vec::new(),
                    false => self.settle(&named, failed || self.interrupted),
                };
                let interrupted = std::mem::take(&mut self.interrupted) && failed && result.terminal_reason.is_none();
                vec![Step::Ends { turns, interrupted: aborted || interrupted }]
            }
            _ => Vec::new(),
        }
    }

    fn begin(&mut self, uuids: &[Uuid]) -> Vec<Step<T>> {
        let taken = self.open.iter_mut().filter(|open| uuids.contains(&open.uuid));
        taken
            .filter_map(|open| {
                open.taken = true;
                open.begin()
            })
            .collect()
    }

    fn cancel(&mut self, uuid: &Uuid) -> Vec<Step<T>> {
        let place = self.open.iter().position(|open| &open.uuid == uuid);
        place.map(|place| Step::Cancelled(self.open.remove(place).turn)).into_iter().collect()
    }

    /// Takes out what a result answers. `cut_off`: it may have come before the prompt was replayed.
    fn settle(&mut self, named: &[Uuid], cut_off: bool) -> Vec<T> {
        let is_mine = |open: &Open<T>| if named.is_empty() { open.taken } else { named.contains(&open.uuid) };
        let mut settled: Vec<T> = self.open.extract_if(.., |open| is_mine(open)).map(|open| open.turn).collect();
        let unannounced = settled.is_empty() && named.is_empty() && !self.names_prompts;
        if unannounced && self.open.first().is_some_and(|open| open.is_command || cut_off) {
            settled.push(self.open.remove(0).turn);
        }
        settled
    }
}

#[cfg(test)]
mod tests;
