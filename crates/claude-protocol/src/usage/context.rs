//! What fills the context window: the answer to `get_context_usage`, and the report of `/context`.
//!
//! What both list is typed once. The report spells its names with underscores, the answer in camelCase: both are read.

use crate::usage::Usage;

wire! {
    /// What fills the context window: the answer to `get_context_usage` (2.1.325).
    pub struct ContextUsage {
        /// The parts, with what is free.
        pub categories: Option<Vec<ContextCategory>>,
        /// Tokens used.
        pub total_tokens: Option<u64> = "totalTokens",
        /// Tokens that fit.
        pub max_tokens: Option<u64> = "maxTokens",
        /// Tokens that the model takes, whatever the settings say.
        pub raw_max_tokens: Option<u64> = "rawMaxTokens",
        /// How full it is, from 0 to 100.
        pub percentage: Option<f64>,
        /// A picture of it: rows of squares.
        pub grid_rows: Option<Vec<Vec<ContextSquare>>> = "gridRows",
        /// The model.
        pub model: Option<String>,
        /// Instruction files.
        pub memory_files: Option<Vec<MemoryFile>> = "memoryFiles",
        /// Tools of MCP servers.
        pub mcp_tools: Option<Vec<ContextTool>> = "mcpTools",
        /// Instructions of MCP servers.
        pub mcp_instructions: Option<Vec<McpInstructions>> = "mcpInstructions",
        /// Tools of the CLI that wait behind the tool search (declared, not measured).
        pub deferred_builtin_tools: Option<Vec<ContextTool>> = "deferredBuiltinTools",
        /// Tools of the CLI (declared, not measured).
        pub system_tools: Option<Vec<NamedTokens>> = "systemTools",
        /// Parts of the system prompt (declared, not measured).
        pub system_prompt_sections: Option<Vec<NamedTokens>> = "systemPromptSections",
        /// Subagents.
        pub agents: Option<Vec<ContextAgent>>,
        /// Slash commands.
        pub slash_commands: Option<ContextCommands> = "slashCommands",
        /// Skills.
        pub skills: Option<ContextSkills>,
        /// The length at which the CLI compacts, in tokens.
        pub auto_compact_threshold: Option<u64> = "autoCompactThreshold",
        /// Does it compact by itself?
        pub is_auto_compact_enabled: Option<bool> = "isAutoCompactEnabled",
        /// Who set that: for example `auto`.
        pub autocompact_source: Option<String> = "autocompactSource",
        /// The messages, by kind.
        pub message_breakdown: Option<MessageBreakdown> = "messageBreakdown",
        /// The counts of the last answer; null before the first.
        pub api_usage: Option<Usage> = "apiUsage",
        /// What going on with a cold session costs of the plan (declared, not measured).
        pub cold_resume_quota: Option<ColdResumeQuota> = "coldResumeQuota",
    }

    /// What `/context` shows, on the `assistant` line that brings its text (2.1.325). [`ContextUsage`] says the same in
    /// another form, with more.
    pub struct ContextReport {
        /// The model of the main loop.
        pub model: Option<String>,
        /// An estimate of the tokens in use; may be more than there is room for.
        pub total_tokens: Option<u64>,
        /// The room that use is measured against: the model's limit or a smaller one set for compaction.
        pub raw_max_tokens: Option<u64>,
        /// Tokens in use as a rounded percentage of the room; may be over 100.
        pub percentage: Option<f64>,
        /// Present when more is in use than there is room for.
        pub over_limit: Option<OverLimit>,
        /// The parts, for a table or a bar.
        pub categories: Option<Vec<ContextCategory>>,
        /// Tools of MCP servers.
        pub mcp_tools: Option<Vec<ContextTool>>,
        /// Instruction files.
        pub memory_files: Option<Vec<MemoryFile>>,
        /// Agents, without those the CLI brings along.
        pub agents: Option<Vec<ContextAgent>>,
        /// Skills; absent when none takes up room.
        pub skills: Option<Vec<ContextSkill>>,
    }

    /// How much too much is in use. Declared, not measured.
    pub struct OverLimit {
        /// Tokens beyond the room.
        pub tokens_over: Option<u64>,
        /// What the room is.
        pub kind: Option<OverLimitKind>,
    }

    /// A part of the context (2.1.325).
    pub struct ContextCategory {
        /// Its name for programs, for example `system_prompt`, `messages`, `free_space`; not in the report.
        pub id: Option<String>,
        /// Its name for people. Not to be used to tell parts apart: see `id` and `kind`.
        pub name: Option<String>,
        /// Its tokens; may be 0.
        pub tokens: Option<u64>,
        /// The name of a colour of the CLI's theme; not in the report.
        pub color: Option<String>,
        /// Not in the window; see `kind`. Not in the report.
        pub is_deferred: Option<bool> = "isDeferred",
        /// What it is.
        pub kind: Option<ContextKind>,
    }

    /// An instruction file. In the report declared, not measured.
    pub struct MemoryFile {
        /// The file.
        pub path: Option<String>,
        /// Whose it is, for people, for example `Project`.
        pub r#type: Option<String> = "type",
        /// Its tokens.
        pub tokens: Option<u64>,
    }

    /// A tool. In the report declared, not measured.
    pub struct ContextTool {
        /// Its full name, for example `mcp__server__tool`.
        pub name: Option<String>,
        /// Its MCP server.
        pub server_name: Option<String> = "server_name" | "serverName",
        /// Its tokens.
        pub tokens: Option<u64>,
        /// Is it in the window, or behind the tool search? Not in the report.
        pub is_loaded: Option<bool> = "isLoaded",
    }

    /// A kind of subagent. In the report declared, not measured.
    pub struct ContextAgent {
        /// Its name.
        pub agent_type: Option<String> = "agent_type" | "agentType",
        /// Where it is defined, for example `projectSettings` or `plugin`.
        pub source: Option<String>,
        /// The plugin it is from; not in the report.
        pub plugin_id: Option<String> = "pluginId",
        /// Its file; not in the report.
        pub path: Option<String>,
        /// Its tokens.
        pub tokens: Option<u64>,
    }

    /// A skill. In the report declared, not measured.
    pub struct ContextSkill {
        /// Its name.
        pub name: Option<String>,
        /// Where it is defined, for example `userSettings` or `plugin`.
        pub source: Option<String>,
        /// The plugin it is from (declared, not measured).
        pub plugin_name: Option<String> = "plugin_name" | "pluginName",
        /// The plugin and its marketplace (declared, not measured); not in the report.
        pub plugin_id: Option<String> = "pluginId",
        /// Its file (declared, not measured); not in the report.
        pub path: Option<String>,
        /// Its tokens.
        pub tokens: Option<u64>,
    }

    /// A square of the picture.
    pub struct ContextSquare {
        /// The name of a colour of the CLI's theme.
        pub color: Option<String>,
        /// Is it full?
        pub is_filled: Option<bool> = "isFilled",
        /// The part it belongs to.
        pub category_name: Option<String> = "categoryName",
        /// The tokens of that part.
        pub tokens: Option<u64>,
        /// The share of that part, from 0 to 100.
        pub percentage: Option<f64>,
        /// How full it is, from 0 to 1.
        pub square_fullness: Option<f64> = "squareFullness",
    }

    /// What an MCP server tells the model.
    pub struct McpInstructions {
        /// The server.
        pub server_name: Option<String> = "serverName",
        /// An estimate of its tokens.
        pub tokens: Option<u64>,
    }

    /// Something and its tokens.
    pub struct NamedTokens {
        /// What.
        pub name: Option<String>,
        /// How many.
        pub tokens: Option<u64>,
    }

    /// The slash commands that the model knows of.
    pub struct ContextCommands {
        /// All.
        pub total_commands: Option<u64> = "totalCommands",
        /// Those in the window.
        pub included_commands: Option<u64> = "includedCommands",
        /// Their tokens.
        pub tokens: Option<u64>,
    }

    /// The skills that the model knows of.
    pub struct ContextSkills {
        /// All.
        pub total_skills: Option<u64> = "totalSkills",
        /// Those in the window.
        pub included_skills: Option<u64> = "includedSkills",
        /// Their tokens.
        pub tokens: Option<u64>,
        /// Each of them.
        pub skill_frontmatter: Option<Vec<ContextSkill>> = "skillFrontmatter",
    }

    /// The messages, by kind, in tokens.
    pub struct MessageBreakdown {
        /// Calls of tools.
        pub tool_call_tokens: Option<u64> = "toolCallTokens",
        /// Results of tools.
        pub tool_result_tokens: Option<u64> = "toolResultTokens",
        /// What the CLI adds.
        pub attachment_tokens: Option<u64> = "attachmentTokens",
        /// What the model said.
        pub assistant_message_tokens: Option<u64> = "assistantMessageTokens",
        /// What the user said.
        pub user_message_tokens: Option<u64> = "userMessageTokens",
        /// What went elsewhere.
        pub redirected_context_tokens: Option<u64> = "redirectedContextTokens",
        /// What belongs to none of these.
        pub unattributed_tokens: Option<u64> = "unattributedTokens",
        /// By tool.
        pub tool_calls_by_type: Option<Vec<ToolTokens>> = "toolCallsByType",
        /// By kind of addition.
        pub attachments_by_type: Option<Vec<NamedTokens>> = "attachmentsByType",
    }

    /// A tool and the tokens of its use.
    pub struct ToolTokens {
        /// The tool.
        pub name: Option<String>,
        /// Of its calls.
        pub call_tokens: Option<u64> = "callTokens",
        /// Of its results.
        pub result_tokens: Option<u64> = "resultTokens",
    }

    /// What going on with a cold session costs of the plan.
    pub struct ColdResumeQuota {
        /// Percent of the plan's window for a million tokens.
        pub percent_per_million_tokens: Option<f64> = "percentPerMillionTokens",
        /// The least worth to be shown.
        pub min_percent: Option<f64> = "minPercent",
    }
}

words! {
    /// What a part of the context is.
    pub enum ContextKind {
        /// It fills the window.
        Used = "used",
        /// It is left.
        Free = "free",
        /// It is kept for compaction.
        Buffer = "buffer",
        /// It is outside of the window, behind the tool search: listed, but not counted.
        Deferred = "deferred",
    }

    /// What the room for the context is. Declared, not measured.
    pub enum OverLimitKind {
        /// The model's own limit.
        HardLimit = "hard_limit",
        /// A limit set for compaction, which may be smaller.
        CompactionWindow = "compaction_window",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::Raw;

    #[test]
    fn what_the_report_and_the_answer_share_is_read_in_both_spellings() {
        let agent = |text: &str| Raw::from_text(text).unwrap().read::<ContextAgent>().unwrap().value;
        let expected = ContextAgent { agent_type: Some("Explore".to_owned()), ..ContextAgent::default() };
        assert_eq!(agent(r#"{"agent_type":"Explore"}"#), expected);
        assert_eq!(agent(r#"{"agentType":"Explore"}"#), expected);
    }
}
