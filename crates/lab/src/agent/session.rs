//! What an agent knows of its session: ids, the model, the mode, and the figures that results report.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::flags::Flags;
use super::story::{Dialect, Story};

/// The model when the flags name none, and what `set_model` calls `default`.
const DEFAULT_MODEL: &str = "claude-opus-5-5";

/// The state of a session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) mode: String,
    pub(super) version: String,
    pub(super) folder: PathBuf,
    pub(super) results: u64,
    pub(super) total: Usage,
    /// What the last result told of it.
    pub(super) told: Usage,
    seed: u64,
    lines: u64,
}

/// Tokens of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cache_read: u64,
    pub(super) cache_creation: u64,
}

impl Session {
    pub(super) fn new(story: &Story, flags: &Flags, folder: PathBuf) -> Session {
        // A fresh hasher has random keys: enough to tell sessions apart, and no other crate is needed.
        let seed = RandomState::new().build_hasher().finish();
        let id = flags.session_id.clone().or_else(|| story.session_id.clone()).unwrap_or_else(|| uuid(seed, 0));
        let version = story.version.clone().unwrap_or_else(|| story.dialect.version().to_owned());
        Session {
            id,
            model: flags.model.clone().unwrap_or_else(|| DEFAULT_MODEL.to_owned()),
            mode: flags.permission_mode.clone().unwrap_or_else(|| "default".to_owned()),
            version,
            folder,
            results: 0,
            total: Usage::default(),
            told: Usage::default(),
            seed,
            lines: 0,
        }
    }

    /// An id that no other line of any session has.
    pub(super) fn next_uuid(&mut self) -> String {
        self.lines += 1;
        uuid(self.seed, self.lines)
    }

    /// The parts of an id that floods count up by themselves: what stands before its last twelve digits.
    pub(super) fn uuid_stem(&mut self) -> String {
        // Floods take their numbers from the upper half of the twelve digits.
        uuid(self.seed, 0)[..24].to_owned()
    }

    /// Resolves what `set_model` asks for.
    pub(super) fn set_model(&mut self, wanted: Option<&str>) {
        self.model = match wanted {
            None | Some("default") => DEFAULT_MODEL.to_owned(),
            Some(model) => model.to_owned(),
        };
    }

    /// Where the CLI would keep the transcript.
    pub(super) fn transcript_path(&self) -> String {
        let project = crate::project::encoded(&self.folder);
        format!("{}/.claude/projects/{project}/{}.jsonl", self.folder.display(), self.id)
    }
}

impl Dialect {
    /// The version that speaks it.
    pub(super) fn version(self) -> &'static str {
        match self {
            Dialect::Current => "2.1.325",
            Dialect::Old => "2.1.38",
        }
    }
}

impl Usage {
    /// The figures of a message: those of its start, with the output tokens of its end.
    pub(super) fn of_message(start: &Value, output_tokens: &Value) -> Usage {
        let figure = |value: &Value| value.as_u64().unwrap_or(0);
        Usage {
            input: figure(&start["input_tokens"]),
            output: figure(output_tokens),
            cache_read: figure(&start["cache_read_input_tokens"]),
            cache_creation: figure(&start["cache_creation_input_tokens"]),
        }
    }

    /// What came on top of `before`.
    pub(super) fn since(self, before: Usage) -> Usage {
        Usage {
            input: self.input - before.input,
            output: self.output - before.output,
            cache_read: self.cache_read - before.cache_read,
            cache_creation: self.cache_creation - before.cache_creation,
        }
    }

    pub(super) fn add(&mut self, more: Usage) {
        self.input += more.input;
        self.output += more.output;
        self.cache_read += more.cache_read;
        self.cache_creation += more.cache_creation;
    }

    /// What it costs, at the list price of a middling model.
    pub(super) fn cost_usd(self) -> f64 {
        let millionths = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        millionths(self.input, 3.0)
            + millionths(self.output, 15.0)
            + millionths(self.cache_read, 0.3)
            + millionths(self.cache_creation, 3.75)
    }

    /// The `usage` of a result.
    pub(super) fn for_result(self) -> Value {
        json!({
            "input_tokens": self.input, "cache_creation_input_tokens": self.cache_creation,
            "cache_read_input_tokens": self.cache_read, "output_tokens": self.output,
            "output_tokens_details": {"thinking_tokens": 0},
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": "standard",
            "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
            "inference_geo": "", "iterations": [], "speed": "standard", "fallback_credit": null,
        })
    }

    /// The `modelUsage` of a result.
    pub(super) fn by_model(self, model: &str) -> Value {
        if self == Usage::default() {
            return json!({});
        }
        let figures = json!({
            "inputTokens": self.input, "outputTokens": self.output, "cacheReadInputTokens": self.cache_read,
            "cacheCreationInputTokens": self.cache_creation, "webSearchRequests": 0, "costUSD": self.cost_usd(),
            "contextWindow": 200_000, "maxOutputTokens": 32_000, "thinkingTokens": 0,
            "cacheCreationEphemeral5mInputTokens": 0, "cacheCreationEphemeral1hInputTokens": 0,
            "canonicalModel": model, "provider": "firstParty", "costBasis": "list",
        });
        Value::Object(Map::from_iter([(model.to_owned(), figures)]))
    }
}

/// An id of the usual form, made of a session's seed and a number.
pub(super) fn uuid(seed: u64, number: u64) -> String {
    let (high, middle, low) = (seed >> 32, (seed >> 16) & 0xffff, seed & 0xfff);
    format!("{high:08x}-{middle:04x}-4{low:03x}-8000-{number:012x}")
}
