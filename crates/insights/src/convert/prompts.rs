//! Prompts on their way: written to the agent, and not yet taken by it.
//!
//! A prompt is taken when the CLI says so: by `command_lifecycle`, by the uuids on `init` or on the `result`, or by the
//! replay of the prompt itself. Where the CLI names no prompts, or the prompt has no name, `init` begins the turn of the
//! oldest one.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

use super::Converter;
use super::command::LocalCommand;
use super::quiet::Quiet;
use crate::event::Body;
use crate::event::text::{ImageData, InputState, UserInput};

/// Prompts whose end is still remembered, so that late news of them can be told from news of others.
const REMEMBERED: usize = 256;

/// A prompt that was written to the agent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Prompt {
    pub(super) uuid: Arc<str>,
    pub(super) input: UserInput,
    /// Did the host give it that uuid, so that the CLI can name it?
    is_named: bool,
    is_queued: bool,
}

/// A prompt that was taken, and of which no copy has come.
#[derive(Debug, Serialize, Deserialize)]
struct Silent {
    uuid: Arc<str>,
    text: String,
}

/// All of them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Prompts {
    waiting: VecDeque<Prompt>,
    /// Taken since the last result.
    taken: Vec<Arc<str>>,
    /// Taken since the last result, and not come back: a copy of one may come under a name that the CLI made up.
    silent: Vec<Silent>,
    /// Taken or taken back, the last ones.
    gone: VecDeque<Arc<str>>,
    /// Does the CLI name prompts by uuid on its own lines?
    names_prompts: bool,
    /// The command that runs, and what was typed after it.
    command: Option<(String, String)>,
}

/// What is known of a prompt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum News {
    /// It waits.
    Waits,
    /// It was taken, or taken back.
    Gone,
    /// It is in no record.
    Unknown,
}

impl Prompts {
    /// Another process has begun.
    pub(super) fn restart(&mut self) {
        self.names_prompts = false;
        self.command = None;
        self.taken.clear();
        self.silent.clear();
    }

    /// The CLI names prompts.
    pub(super) fn are_named(&mut self) {
        self.names_prompts = true;
    }

    /// A prompt goes out. What it holds by the megabyte stays in its record.
    pub(super) fn sent(&mut self, uuid: Option<Arc<str>>, input: &UserInput, seq: u64) -> Arc<str> {
        let is_named = uuid.is_some();
        let uuid = uuid.unwrap_or_else(|| format!("#{seq}").into());
        let images = input.images.iter().map(|image| ImageData {
            media_type: image.media_type.clone(),
            data: None,
            url: image.url.clone(),
            pointer: image.pointer.clone(),
            bytes: image.bytes,
            seq: Some(seq),
            after: image.after,
        });
        let images = images.collect();
        let input = UserInput { text: input.text.clone(), images, state: InputState::Sent, ..input_like(input) };
        self.waiting.push_back(Prompt { uuid: Arc::clone(&uuid), input, is_named, is_queued: false });
        uuid
    }

    pub(super) fn news_of(&self, uuid: &str) -> News {
        if self.waiting.iter().any(|prompt| &*prompt.uuid == uuid) {
            News::Waits
        } else if self.gone.iter().any(|gone| &**gone == uuid) {
            News::Gone
        } else {
            News::Unknown
        }
    }

    /// The prompt is taken, whoever sent it.
    pub(super) fn taken(&mut self, uuid: &Arc<str>) {
        self.taken.push(Arc::clone(uuid));
        self.forget(uuid);
    }

    /// A prompt that waited is taken.
    pub(super) fn take(&mut self, uuid: &str) -> Option<Prompt> {
        let prompt = self.remove(uuid)?;
        self.taken(&prompt.uuid);
        self.silent.push(Silent { uuid: Arc::clone(&prompt.uuid), text: prompt.input.text.clone() });
        self.runs(&prompt.input.text);
        Some(prompt)
    }

    /// The words of a prompt that runs now: they may be a command, whose output follows.
    pub(super) fn runs(&mut self, text: &str) {
        if let Some(typed) = text.trim().strip_prefix('/') {
            let (command, args) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
            self.command = Some((command.to_owned(), args.trim().to_owned()));
        }
    }

    /// The oldest prompt is taken that the CLI cannot or does not name.
    fn take_oldest(&mut self) -> Option<Prompt> {
        let oldest = self.waiting.iter().find(|prompt| !self.names_prompts || !prompt.is_named)?;
        let uuid = Arc::clone(&oldest.uuid);
        self.take(&uuid)
    }

    /// A prompt comes back: its name, if it is one that was written to the agent. Under a name that nobody gave, it is known
    /// by its words; each prompt comes back once, so that the same words said again are another one. Of a prompt that waits
    /// and has a name, who names prompts would speak by that.
    pub(super) fn written(&self, uuid: Option<&Arc<str>>, text: &str) -> Option<Arc<str>> {
        if let Some(uuid) = uuid.filter(|uuid| self.news_of(uuid) != News::Unknown) {
            return Some(Arc::clone(uuid));
        }
        let silent = self.silent.iter().map(|taken| (&taken.uuid, &taken.text));
        let waiting = self.waiting.iter().filter(|prompt| !self.names_prompts || !prompt.is_named);
        let waiting = waiting.map(|prompt| (&prompt.uuid, &prompt.input.text));
        let copied = silent.chain(waiting).find(|(_, words)| *words == text);
        copied.map(|(uuid, _)| Arc::clone(uuid))
    }

    /// A copy of the prompt has come.
    pub(super) fn came_back(&mut self, uuid: &str) {
        self.silent.retain(|taken| &*taken.uuid != uuid);
    }

    /// A prompt that waited is taken back.
    fn cancel(&mut self, uuid: &str) -> Option<Prompt> {
        let prompt = self.remove(uuid)?;
        self.forget(&prompt.uuid);
        Some(prompt)
    }

    /// The CLI has put the prompt into its queue; told once.
    fn queue(&mut self, uuid: &str) -> Option<(Arc<str>, UserInput)> {
        let prompt = self.waiting.iter_mut().find(|prompt| &*prompt.uuid == uuid && !prompt.is_queued)?;
        prompt.is_queued = true;
        Some((Arc::clone(&prompt.uuid), prompt.input.clone()))
    }

    fn remove(&mut self, uuid: &str) -> Option<Prompt> {
        let place = self.waiting.iter().position(|prompt| &*prompt.uuid == uuid)?;
        self.waiting.remove(place)
    }

    fn forget(&mut self, uuid: &Arc<str>) {
        self.gone.push_back(Arc::clone(uuid));
        if self.gone.len() > REMEMBERED {
            self.gone.pop_front();
        }
    }

    /// The turn has ended: the prompts that were taken since the last one did.
    pub(super) fn turn_ended(&mut self) -> Vec<Arc<str>> {
        self.command = None;
        self.silent.clear();
        std::mem::take(&mut self.taken)
    }

    /// The process has ended: the prompts that it said nothing about.
    fn abandon(&mut self) -> Vec<Prompt> {
        let left: Vec<Prompt> = self.waiting.drain(..).collect();
        for prompt in &left {
            self.forget(&prompt.uuid);
        }
        left
    }

    /// The command whose output this is, by the prompt that was taken last.
    pub(super) fn command(&self, is_error: bool) -> LocalCommand {
        let (command, args) = self.command.clone().unzip();
        LocalCommand { command, args: args.filter(|args| !args.is_empty()), is_error }
    }
}

fn input_like(input: &UserInput) -> UserInput {
    UserInput {
        text: String::new(),
        images: Vec::new(),
        is_synthetic: input.is_synthetic,
        state: input.state.clone(),
        parent_call_id: input.parent_call_id.clone(),
        by: input.by.clone(),
        client_id: input.client_id.clone(),
        priority: input.priority.clone(),
        is_interrupt: input.is_interrupt,
    }
}

impl Converter {
    /// Prompts by name are taken.
    pub(super) fn take_prompts(&mut self, uuids: &[Arc<str>]) {
        for uuid in uuids {
            match self.prompts.take(uuid) {
                Some(prompt) => self.put_prompt(prompt.uuid, prompt.input, InputState::Consumed),
                None if self.prompts.news_of(uuid) == News::Gone => self.out.quiet(Quiet::PromptKnown),
                None => self.out.quiet(Quiet::PromptUnseen),
            }
        }
    }

    /// A turn begins, and nobody says with which prompt.
    pub(super) fn take_oldest_prompt(&mut self) {
        if let Some(prompt) = self.prompts.take_oldest() {
            self.put_prompt(prompt.uuid, prompt.input, InputState::Consumed);
        }
    }

    /// A prompt is in the CLI's queue.
    pub(super) fn queue_prompt(&mut self, uuid: &str) {
        match self.prompts.queue(uuid) {
            Some((uuid, input)) => self.put_prompt(uuid, input, InputState::Queued),
            None if self.prompts.news_of(uuid) == News::Unknown => self.out.quiet(Quiet::PromptUnseen),
            None => self.out.quiet(Quiet::PromptKnown),
        }
    }

    /// A prompt was taken back.
    pub(super) fn cancel_prompt(&mut self, uuid: &str) {
        match self.prompts.cancel(uuid) {
            Some(prompt) => self.put_prompt(prompt.uuid, prompt.input, InputState::Cancelled),
            None if self.prompts.news_of(uuid) == News::Gone => self.out.quiet(Quiet::PromptDone),
            None => self.out.quiet(Quiet::PromptUnseen),
        }
    }

    /// The process has ended.
    pub(super) fn abandon_prompts(&mut self) {
        for prompt in self.prompts.abandon() {
            self.put_prompt(prompt.uuid, prompt.input, InputState::Unconfirmed);
        }
    }

    /// The user gives up on a prompt that a process said nothing about. Its words were told when that process ended.
    pub(super) fn dismiss_prompt(&mut self, uuid: &str) {
        let input = UserInput {
            text: String::new(),
            images: Vec::new(),
            is_synthetic: false,
            state: InputState::Cancelled,
            parent_call_id: None,
            by: None,
            client_id: None,
            priority: None,
            is_interrupt: None,
        };
        self.put_prompt(uuid.into(), input, InputState::Cancelled);
    }

    fn put_prompt(&mut self, uuid: Arc<str>, mut input: UserInput, state: InputState) {
        input.state = state;
        self.out.put_named(uuid, Body::UserInput(Box::new(input)));
    }
}
