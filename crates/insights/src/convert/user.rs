//! What is said to the model: a `user` message in; results of tools, prompts, summaries and words of the CLI out.
//!
//! Made from plain parts ([`Heard`]), so that lines of stdout and entries of a transcript give the same events.

use std::sync::Arc;

use claude_protocol::content::{Block, Content, Source};
use claude_protocol::from_cli::User;
use claude_protocol::from_cli::user::ToolResultMeta;
use claude_protocol::{Raw, ToolUseId, Uuid};

use super::command::{self, Figures};
use super::completion::Results;
use super::prompts::News;
use super::quiet::Quiet;
use super::{Converter, Profile};
use crate::event::Body;
use crate::event::text::{ImageData, InputState, Text, TextKind, TextRole, UserInput};
use crate::json::Json;

/// What an interrupt leaves in the conversation.
pub(super) const INTERRUPTED: &str = "[Request interrupted by user";

/// A message to the model, from wherever it is told.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) content: Content,
    pub(super) uuid: Option<Arc<str>>,
    /// The call whose subagent it is said to.
    pub(super) parent: Option<Arc<str>>,
    /// Are these words of the CLI in the user's name?
    pub(super) is_synthetic: bool,
    /// Is it a copy of what the host sent, or the output of a local command?
    pub(super) is_replay: bool,
    /// Is it marked as the summary of a compaction?
    pub(super) is_summary: bool,
    /// The structured result of the tool.
    pub(super) result: Option<Raw>,
    /// Where that stands in the line.
    pub(super) result_pointer: &'static str,
    /// How the permissions came about.
    pub(super) decisions: Vec<ToolResultMeta>,
}

impl Heard {
    /// The parts of a line of stdout.
    pub(super) fn from_line(line: User) -> Self {
        Heard {
            content: line.message.content,
            uuid: line.uuid.map(Uuid::into_shared),
            parent: line.parent_tool_use_id.map(ToolUseId::into_shared),
            is_synthetic: line.is_synthetic == Some(true) || line.is_meta == Some(true),
            is_replay: line.is_replay == Some(true),
            is_summary: line.is_compact_summary == Some(true),
            result: line.tool_use_result,
            result_pointer: "/tool_use_result",
            decisions: line.tool_result_meta.unwrap_or_default(),
        }
    }
}

/// Text and pictures of a message.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The texts, one per block.
    pub(super) texts: Vec<String>,
    /// The pictures and documents.
    pub(super) images: Vec<ImageData>,
}

impl Words {
    /// Takes the texts and pictures of a message, and leaves the other blocks with their places.
    pub(super) fn of(content: Content) -> (Words, Vec<(u32, Block)>) {
        let mut words = Words::default();
        let mut others = Vec::new();
        for (place, block) in (0..).zip(content.into_blocks()) {
            #[expect(clippy::wildcard_enum_match_arm, reason = "whoever asked looks at the others")]
            match block {
                Block::Text(block) => words.texts.push(block.text),
                Block::Image(image) => words.attach(image.source, place),
                Block::Document(file) => words.attach(file.source, place),
                other => others.push((place, other)),
            }
        }
        (words, others)
    }

    /// Takes a picture or a document: it stands behind the texts that are here already.
    fn attach(&mut self, source: Source, place: u32) {
        let image = picture(source, &format!("/message/content/{place}"));
        let after = Some(self.text().chars().count() as u64).filter(|characters| *characters > 0);
        self.images.extend(image.map(|image| ImageData { after, ..image }));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.images.is_empty()
    }

    /// All text, the blocks on lines of their own.
    pub(super) fn text(&self) -> String {
        self.texts.join("\n")
    }
}

/// The texts on lines of their own; nearly always there is one.
pub(super) fn joined(mut texts: Vec<String>) -> Option<String> {
    match texts.len() {
        0 | 1 => texts.pop(),
        _ => Some(texts.join("\n")),
    }
}

/// A picture or a document by its source; `place` is the pointer of its block.
pub(super) fn picture(source: Source, place: &str) -> Option<ImageData> {
    let image = |media_type: Option<String>, data: Option<String>, url: Option<String>| {
        let bytes = data.as_ref().map_or(0, |data| data.len() as u64);
        let pointer = data.is_some().then(|| format!("{place}/source/data"));
        ImageData { media_type: media_type.unwrap_or_default(), data, url, pointer, bytes, seq: None, after: None }
    };
    match source {
        Source::Base64(source) => Some(image(source.media_type, Some(source.data), None)),
        Source::Text(source) => Some(image(source.media_type, Some(source.data), None)),
        Source::Url(source) => Some(image(None, None, Some(source.url))),
        Source::File(source) => Some(image(None, None, Some(source.file_id))),
        Source::Content(_) | Source::Other(_) => None,
    }
}

impl Converter {
    /// The events of a message to the model: results first, then its words as a whole.
    pub(super) fn heard(&mut self, mut heard: Heard) {
        let (words, others) = Words::of(std::mem::take(&mut heard.content));
        let results = others.iter().filter(|(_, block)| matches!(block, Block::ToolResult(_))).count();
        let mut structured =
            Results::new(heard.result.take(), heard.result_pointer, results, std::mem::take(&mut heard.decisions));
        for (place, block) in others {
            #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else is said to the model is carried whole")]
            match block {
                Block::ToolResult(result) => self.completed(result, place, heard.parent.as_ref(), &mut structured),
                other => self.unknown_block(&other, place, None, heard.parent.clone()),
            }
        }
        if !words.is_empty() {
            self.words(words, heard);
        }
    }

    fn words(&mut self, words: Words, heard: Heard) {
        let text = words.text();
        let main = heard.parent.is_none();
        let after_boundary = main && !heard.is_replay && std::mem::take(&mut self.compaction.awaiting_summary);
        if let Some((output, is_error)) = command::tagged(&text) {
            if heard.uuid.as_ref().is_some_and(|uuid| self.compaction.kept.contains(uuid)) {
                return self.out.quiet(Quiet::Replay);
            }
            match self.out.profile() {
                Profile::Full => {
                    let command = self.prompts.command(is_error);
                    let figures = Figures::of_words(&output);
                    self.command_output(output, command, figures);
                }
                Profile::Core => self.marked(words, &heard, TextRole::LocalCommand),
            }
        } else if heard.is_summary || after_boundary {
            let role = TextRole::CompactionSummary;
            self.marked(words, &Heard { is_synthetic: true, is_replay: false, ..heard }, role);
        } else if text.starts_with(INTERRUPTED) {
            self.turn.interrupted |= main;
            self.input(words, text, heard);
        } else if heard.is_synthetic && main {
            self.marked(words, &heard, TextRole::Feedback);
        } else if main && (heard.is_replay || self.is_copy(&text, &heard)) {
            self.replayed(words, text, heard);
        } else {
            // A subagent's prompt, or words in the user's name that nobody marked.
            self.input(words, text, heard);
        }
    }

    /// Words with a mark of who speaks: one event per block of text.
    fn marked(&mut self, words: Words, heard: &Heard, role: TextRole) {
        if !heard.is_synthetic && !heard.is_replay {
            return self.out.quiet(Quiet::Profile);
        }
        let mut marks = Vec::new();
        if heard.is_synthetic {
            marks.push(("claude.isSynthetic", Json::from(true)));
        }
        if heard.is_replay {
            marks.push(("claude.isReplay", Json::from(true)));
        }
        for (number, text) in (0..).zip(words.texts) {
            let text = Text {
                text,
                kind: TextKind::Text,
                parent_call_id: heard.parent.clone(),
                model: None,
                message_id: None,
                block_index: Some(number),
                line_block: Some(number).filter(|place| *place > 0),
                error: None,
                error_status: None,
                aborted: None,
                supersedes: None,
                is_synthetic: None,
                role: Some(role.clone()),
                thinking_duration_ms: None,
            };
            self.out.put_with(Body::Text(Box::new(text)), marks.iter().cloned());
        }
    }

    /// Is this what was written to the agent, though not marked as a copy? What others have said in the user's name is
    /// not, and an entry of a transcript tells of it for the first time.
    fn is_copy(&mut self, text: &str, heard: &Heard) -> bool {
        let about = self.out.about();
        let of_the_user = about.origin.as_deref().is_none_or(|origin| origin == "human");
        of_the_user && !about.imported && self.prompts.written(heard.uuid.as_ref(), text).is_some()
    }

    /// A prompt comes back.
    fn replayed(&mut self, words: Words, text: String, heard: Heard) {
        match self.prompts.written(heard.uuid.as_ref(), &text) {
            Some(uuid) => {
                match self.prompts.news_of(&uuid) {
                    News::Waits => self.take_prompts(std::slice::from_ref(&uuid)),
                    News::Gone | News::Unknown => self.out.quiet(Quiet::Replay),
                }
                self.prompts.came_back(&uuid);
            }
            None => {
                if let Some(uuid) = &heard.uuid {
                    self.prompts.taken(uuid);
                }
                if self.out.profile() == Profile::Full {
                    return self.input(words, text, heard);
                }
            }
        }
        if self.out.profile() == Profile::Core {
            self.marked(words, &heard, TextRole::Replay);
        }
    }

    /// Something was said to the agent, as the CLI tells it.
    fn input(&mut self, words: Words, text: String, heard: Heard) {
        let input = UserInput {
            is_interrupt: text.starts_with(INTERRUPTED).then_some(true),
            text,
            images: words.images,
            is_synthetic: heard.is_synthetic,
            state: InputState::Consumed,
            parent_call_id: heard.parent,
            by: None,
            client_id: None,
            priority: None,
        };
        self.out.put(Body::UserInput(Box::new(input)));
    }
}
