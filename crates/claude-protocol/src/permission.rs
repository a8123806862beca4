//! Permissions: the modes, what the CLI asks before it runs a tool, and the rules it offers to remember.
//!
//! In comes [`CanUseTool`], as the body of a `control_request` or of the older `callback.request`; out goes a
//! [`PermissionAnswer`].

use crate::hook::HookEvent;
use crate::ids::{AgentId, ToolUseId};
use crate::raw::Raw;

mod answer;

pub use answer::{Allow, Classification, DENIED, Deny, PermissionAnswer};

words! {
    /// How the CLI decides about tools.
    pub enum PermissionMode {
        /// Ask for what no rule allows.
        Default = "default",
        /// File edits in the working directories need no asking.
        AcceptEdits = "acceptEdits",
        /// Nothing is asked. Only if the process was started with leave to skip permissions.
        BypassPermissions = "bypassPermissions",
        /// The model plans first. Not read-only: a host with a prompt tool is asked for writes, and may allow them.
        Plan = "plan",
        /// What no rule allows is denied without asking.
        DontAsk = "dontAsk",
        /// A classifier decides; refused for models without it (2.1.325).
        Auto = "auto",
        /// Another name of `default`: accepted on the way in, reported as `default` (2.1.325).
        Manual = "manual",
        /// Only coordinates others; in 2.1.38, gone in 2.1.325.
        Delegate = "delegate",
    }

    /// What a rule does.
    pub enum RuleBehavior {
        /// Run without asking.
        Allow = "allow",
        /// Refuse without asking.
        Deny = "deny",
        /// Ask each time.
        Ask = "ask",
    }

    /// Where a rule or a directory is kept.
    pub enum Destination {
        /// The user's settings file.
        UserSettings = "userSettings",
        /// `.claude/settings.json` of the project, which is ignored in a workspace that is not trusted.
        ProjectSettings = "projectSettings",
        /// `.claude/settings.local.json` of the project.
        LocalSettings = "localSettings",
        /// Memory, for the rest of the session.
        Session = "session",
        /// As if given on the command line.
        CliArg = "cliArg",
    }

    /// What a decision about a tool call rests on, and so why the CLI asks, allows or denies.
    pub enum DecisionReasonType {
        /// A rule of the user says so.
        Rule = "rule",
        /// The permission mode says so.
        Mode = "mode",
        /// A part of a compound command needs it.
        SubcommandResults = "subcommandResults",
        /// The prompt tool was asked.
        PermissionPromptTool = "permissionPromptTool",
        /// A hook wants it.
        Hook = "hook",
        /// A background agent asks.
        AsyncAgent = "asyncAgent",
        /// The command wants out of the sandbox.
        SandboxOverride = "sandboxOverride",
        /// A path is outside of the working directories.
        WorkingDir = "workingDir",
        /// A safety check of the CLI fired.
        SafetyCheck = "safetyCheck",
        /// The classifier of auto mode handed it to a person.
        Classifier = "classifier",
        /// Something else, said in `decision_reason`.
        Unclassified = "other",
    }
}

wire! {
    /// A folder of one of the user's computers. In the CLI's code (2.1.325), not measured.
    pub struct ComputerFolder {
        /// The folder.
        pub path: Option<String>,
        /// The computer.
        pub computer_name: Option<String>,
    }

    /// May this tool run? From the CLI for each call that neither a rule nor the mode decides (2.1.1 to 2.1.325).
    /// Several can be open at once, and the CLI may withdraw one with `control_cancel_request`.
    pub struct CanUseTool {
        /// The tool.
        pub tool_name: String,
        /// Its input. It may differ from that of the `tool_use` block: paths are made whole, defaults filled in.
        pub input: Raw = "input" | "tool_input",
        /// The call, as in the `tool_use` block.
        pub tool_use_id: Option<ToolUseId>,
        /// The tool's name for people (2.1.325).
        pub display_name: Option<String>,
        /// The call in a few words, for people (2.1.325).
        pub description: Option<String>,
        /// A heading for the prompt (declared, not measured).
        pub title: Option<String>,
        /// What could be remembered. Let the user pick: taking all also switches the mode. Absent or empty when there
        /// is nothing to remember.
        pub permission_suggestions: Option<Vec<PermissionUpdate>> = "permission_suggestions" | "suggestions",
        /// The path that made the CLI ask.
        pub blocked_path: Option<String>,
        /// Why, for people; often absent. It may hold terminal escapes.
        pub decision_reason: Option<String>,
        /// Why, for programs (2.1.325).
        pub decision_reason_type: Option<DecisionReasonType>,
        /// Why, finer still (declared, not measured).
        pub decision_reason_code: Option<String>,
        /// The settings that hold the rule that asks (2.1.325).
        pub decision_reason_rule_source: Option<String>,
        /// Which of its own questions the vendor's server asks here. In the CLI's code, not measured.
        pub server_prompt: Option<String>,
        /// The folder of the user's computer that it is about. In the CLI's code, not measured.
        pub computer_folder: Option<ComputerFolder>,
        /// How questions about addresses wait for each other: `one_at_a_time` or `all_at_once`. In the CLI's code, not
        /// measured.
        pub provenance_prompt_line: Option<String>,
        /// The event of the hook that asks (2.1.325).
        pub decision_reason_hook_event: Option<HookEvent>,
        /// Where the hook that asks is configured (2.1.325).
        pub decision_reason_hook_source: Option<String>,
        /// The plugin of the hook that asks (declared, not measured).
        pub decision_reason_hook_plugin_id: Option<String>,
        /// The subagent that wants the tool; absent for the main agent (2.1.325).
        pub agent_id: Option<AgentId>,
        /// The MCP server of the tool (2.1.325).
        pub mcp_server: Option<McpServerProvenance>,
        /// A plain yes or no is not enough: the answer is given on the card itself, as for questions and plans
        /// (2.1.325).
        pub requires_user_interaction: Option<bool>,
        /// Only the policy of a server makes the CLI ask (2.1.325).
        pub server_policy_ask_only: Option<bool>,
        /// A safety check is involved: true if a classifier may clear all of them, false if one needs a person
        /// (2.1.325).
        pub classifier_approvable: Option<bool>,
        /// The rule of the user that forces the prompt, where the reason given is another (declared, not measured).
        pub matched_ask_rule: Option<MatchedRule>,
        /// Do not offer to remember (declared, not measured).
        pub suppress_always_allow_rule: Option<bool>,
        /// Do not preselect a yes (declared, not measured).
        pub default_to_no: Option<bool>,
        /// The plugin whose run asks (declared, not measured).
        pub plugin: Option<String>,
        /// The kind of tool, so far only `browser` (declared, not measured).
        pub tool_kind: Option<String>,
    }

    /// Where an MCP tool comes from.
    pub struct McpServerProvenance {
        /// The server.
        pub name: String,
        /// Who configured it: `sdk`, `plugin`, `user`, `project`, `local`, `dynamic`, … An open set.
        pub source: Option<String>,
    }

    /// A rule that forced a prompt.
    pub struct MatchedRule {
        /// The settings that hold it.
        pub source: Option<String>,
        /// The tool it is about.
        pub tool_name: Option<String>,
        /// What it says about the input.
        pub rule_content: Option<String>,
    }

    /// A rule: a tool, and what of its input is meant.
    pub struct Rule {
        /// The tool.
        pub tool_name: String = "toolName",
        /// For example `git show *`, or the whole command; absent for the whole tool, as for MCP tools.
        pub rule_content: Option<String> = "ruleContent",
    }

    /// Rules to add, to put in place of others, or to take away.
    pub struct RulesUpdate {
        /// The rules.
        pub rules: Vec<Rule>,
        /// What they do.
        pub behavior: RuleBehavior,
        /// Where they are kept.
        pub destination: Destination,
    }

    /// A mode to switch to.
    pub struct ModeUpdate {
        /// The mode.
        pub mode: PermissionMode,
        /// Always `session` so far.
        pub destination: Destination,
    }

    /// Working directories to add or to take away.
    pub struct DirectoriesUpdate {
        /// Absolute paths.
        pub directories: Vec<String>,
        /// Where they are kept.
        pub destination: Destination,
    }
}

tagged! {
    /// A change of the permissions: offered by the CLI as a suggestion, and sent back by the host to accept it. The
    /// flat `allow_tool` of the oldest documents is carried as `Other`; no CLI tried sends or takes it.
    pub enum PermissionUpdate by "type" after [] {
        /// New rules.
        "addRules" => AddRules(RulesUpdate),
        /// These rules instead of all others of that behavior there (declared, not measured).
        "replaceRules" => ReplaceRules(RulesUpdate),
        /// Rules to forget (declared, not measured).
        "removeRules" => RemoveRules(RulesUpdate),
        /// Another mode.
        "setMode" => SetMode(ModeUpdate),
        /// New working directories.
        "addDirectories" => AddDirectories(DirectoriesUpdate),
        /// Working directories to forget (declared, not measured).
        "removeDirectories" => RemoveDirectories(DirectoriesUpdate),
    }
}

impl Rule {
    /// A rule for a whole tool.
    pub fn tool(tool_name: impl Into<String>) -> Self {
        Rule { tool_name: tool_name.into(), rule_content: None }
    }

    /// A rule for what fits `content`, for example `npm run *`.
    pub fn matching(tool_name: impl Into<String>, content: impl Into<String>) -> Self {
        Rule { tool_name: tool_name.into(), rule_content: Some(content.into()) }
    }
}

impl PermissionUpdate {
    /// New rules.
    pub fn add_rules(rules: Vec<Rule>, behavior: RuleBehavior, destination: Destination) -> Self {
        PermissionUpdate::AddRules(RulesUpdate { rules, behavior, destination })
    }

    /// Another mode for the rest of the session.
    pub fn set_mode(mode: PermissionMode) -> Self {
        PermissionUpdate::SetMode(ModeUpdate { mode, destination: Destination::Session })
    }

    /// New working directories.
    pub fn add_directories(directories: Vec<String>, destination: Destination) -> Self {
        PermissionUpdate::AddDirectories(DirectoriesUpdate { directories, destination })
    }
}
