//! What the model is told before the first prompt, and the form of its answer.
//!
//! These texts go into `initialize`, which has no limit of length.

use claude_protocol::Raw;

use super::Claude;

impl Claude {
    /// A system prompt in place of the CLI's own: `systemPrompt` of `initialize`. Every version.
    pub fn system_prompt(self, text: impl Into<String>) -> Claude {
        self.with(|options| options.system_prompt = Some(text.into()))
    }

    /// A text after the system prompt: `appendSystemPrompt` of `initialize`. Every version.
    pub fn append_system_prompt(self, text: impl Into<String>) -> Claude {
        self.with(|options| options.append_system_prompt = Some(text.into()))
    }

    /// A text after the system prompt of every subagent: `--append-subagent-system-prompt-file`. Since 2.1.261.
    pub fn append_subagent_system_prompt(self, text: impl Into<String>) -> Claude {
        self.with(|options| options.append_subagent_system_prompt = Some(text.into()))
    }

    /// What to do in plan mode, in place of the CLI's own words: `planModeInstructions` of `initialize`. Since 2.1.118.
    pub fn plan_mode_instructions(self, text: impl Into<String>) -> Claude {
        self.with(|options| options.plan_mode_instructions = Some(text.into()))
    }

    /// Keeps what differs between machines out of the system prompt, so that caches can be shared:
    /// `--exclude-dynamic-system-prompt-sections`. Since 2.1.98.
    pub fn exclude_dynamic_sections(self) -> Claude {
        self.with(|options| options.exclude_dynamic_sections = true)
    }

    /// Makes the system prompt anew for each request instead of keeping the first: `--system-prompt-snapshot off`. Since
    /// 2.1.257; older versions always do.
    pub fn fresh_system_prompt(self) -> Claude {
        self.with(|options| options.fresh_system_prompt = true)
    }

    /// The JSON schema that the structured result of each turn fits: `jsonSchema` of `initialize`. Every version.
    pub fn json_schema(self, schema: impl Into<Raw>) -> Claude {
        self.with(|options| options.json_schema = Some(schema.into()))
    }
}
