//! Which model answers, and how hard it thinks.

use claude_protocol::control::catalog::EffortLevel;

use super::Claude;

/// Whether the model thinks before it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// As much as the model finds right: `--thinking adaptive`.
    Adaptive,
    /// Not at all: `--thinking disabled`.
    Disabled,
    /// At most so many tokens, for older models: `--max-thinking-tokens` (every version).
    Tokens(u32),
    /// A word that a newer CLI knows.
    Other(String),
}

/// How thoughts appear in the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThinkingDisplay {
    /// In short.
    Summarized,
    /// Not at all.
    Omitted,
    /// The main points.
    Highlights,
    /// A word that a newer CLI knows.
    Other(String),
}

impl ThinkingDisplay {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            ThinkingDisplay::Summarized => "summarized",
            ThinkingDisplay::Omitted => "omitted",
            ThinkingDisplay::Highlights => "highlights",
            ThinkingDisplay::Other(word) => word,
        }
    }
}

impl Claude {
    /// The model, as an alias (`sonnet`) or a full name: `--model`. Every version.
    pub fn model(self, model: impl Into<String>) -> Claude {
        self.with(|options| options.model = Some(model.into()))
    }

    /// Models to try in this order when the first is overloaded: `--fallback-model`. Every version takes one; a list is
    /// known to work with 2.1.325.
    pub fn fallback_models<T: Into<String>>(self, models: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.fallback_models = models.into_iter().map(Into::into).collect())
    }

    /// How hard the model thinks: `--effort`. Since 2.1.38; `xhigh` since 2.1.111.
    pub fn effort(self, effort: EffortLevel) -> Claude {
        self.with(|options| options.effort = Some(effort))
    }

    /// Whether the model thinks: `--thinking`, since 2.1.47, or `--max-thinking-tokens`, in every version.
    pub fn thinking(self, thinking: Thinking) -> Claude {
        self.with(|options| options.thinking = Some(thinking))
    }

    /// How thoughts appear in the answer: `--thinking-display`. Since 2.1.94.
    pub fn thinking_display(self, display: ThinkingDisplay) -> Claude {
        self.with(|options| options.thinking_display = Some(display))
    }

    /// Beta features of the API, for users with an API key: `--betas`. Every version.
    pub fn betas<T: Into<String>>(self, betas: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.betas.extend(betas.into_iter().map(Into::into)))
    }
}
