//! Which version of the CLI knows what.
//!
//! Measured by the option's declaration in the bundle of published versions. Where a version between was never published
//! or not looked at, the first one that was seen to have it counts; the version before it that lacks it is then named.

use super::version::Version;
use crate::error::Error;

/// Something of the CLI that not every version has: a flag, or a field of `initialize`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    /// How the CLI names it.
    pub(crate) name: &'static str,
    /// The first version known to have it.
    pub(crate) since: Version,
}

impl Feature {
    /// An error if the version lacks it.
    pub(crate) fn check(&self, version: &Version) -> Result<(), Error> {
        if *version >= self.since {
            return Ok(());
        }
        Err(Error::TooOld { what: format!("`{}`", self.name), needs: self.since, has: *version })
    }
}

/// The oldest version that is supported. What it has needs no check.
pub(crate) const OLDEST: Version = Version::new(2, 1, 1);

/// The newest version that was measured.
pub(crate) const NEWEST: Version = Version::new(2, 1, 326);

const fn since(name: &'static str, patch: u32) -> Feature {
    Feature { name, since: Version::new(2, 1, patch) }
}

/// 2.1.1 takes the flag, and then lets the agent lead only at a terminal; the versions between were not looked at.
pub(crate) const AGENT: Feature = since("--agent", 29);
pub(crate) const APPEND_SUBAGENT_SYSTEM_PROMPT: Feature = since("--append-subagent-system-prompt-file", 261);
pub(crate) const AUTOCOMPACT: Feature = since("--autocompact", 221);
pub(crate) const AUTO_MODE: Feature = since("--permission-mode auto", 91);
pub(crate) const AWAIT_INITIALIZE: Feature = since("--await-initialize", 261);
pub(crate) const BARE: Feature = since("--bare", 81);
pub(crate) const BRIEF: Feature = since("--brief", 72);
pub(crate) const DEBUG_FILE: Feature = since("--debug-file", 20);
pub(crate) const EFFORT: Feature = since("--effort", 38);
pub(crate) const EFFORT_XHIGH: Feature = since("--effort xhigh", 111);
pub(crate) const EXCLUDE_DYNAMIC_SECTIONS: Feature = since("--exclude-dynamic-system-prompt-sections", 98);
/// 2.1.38 takes one model; the versions up to 2.1.324 were not looked at.
pub(crate) const FALLBACK_LIST: Feature = since("--fallback-model with several models", 325);
pub(crate) const FILE: Feature = since("--file", 8);
pub(crate) const FORWARD_SUBAGENT_TEXT: Feature = since("--forward-subagent-text", 211);
pub(crate) const FROM_PR: Feature = since("--from-pr", 27);
pub(crate) const INCLUDE_HOOK_EVENTS: Feature = since("--include-hook-events", 88);
pub(crate) const INIT: Feature = since("--init", 9);
pub(crate) const MAINTENANCE: Feature = since("--maintenance", 10);
/// Not in 2.1.116.
pub(crate) const MANAGED_SETTINGS: Feature = since("--managed-settings", 118);
pub(crate) const NAME: Feature = since("--name", 76);
/// Not in 2.1.258.
pub(crate) const PERMISSION_PROMPTS: Feature = since("--permission-prompts", 260);
/// Not in 2.1.169.
pub(crate) const PLUGIN_DIR_NO_MCP: Feature = since("--plugin-dir-no-mcp", 172);
pub(crate) const PLUGIN_URL: Feature = since("--plugin-url", 129);
/// Not in 2.1.274.
pub(crate) const PROJECT_CONFIG_ROOT: Feature = since("--project-config-root", 276);
/// Not in 2.1.247.
pub(crate) const RESTRICTED: Feature = since("--restricted", 250);
/// Not in 2.1.222.
pub(crate) const RESUME_DROPS_TURN: Feature = since("--resume-drops-turn", 224);
pub(crate) const SAFE_MODE: Feature = since("--safe-mode", 169);
pub(crate) const SESSION_MIRROR: Feature = since("--session-mirror", 97);
/// Not in 2.1.251.
pub(crate) const SYSTEM_PROMPT_SNAPSHOT: Feature = since("--system-prompt-snapshot", 257);
pub(crate) const TASK_BUDGET: Feature = since("--task-budget", 84);
/// Not in 2.1.45.
pub(crate) const THINKING: Feature = since("--thinking", 47);
/// Not in 2.1.92.
pub(crate) const THINKING_DISPLAY: Feature = since("--thinking-display", 94);
pub(crate) const WORKTREE: Feature = since("--worktree", 48);

pub(crate) const PROGRESS_SUMMARIES: Feature = since("initialize.agentProgressSummaries", 72);
pub(crate) const PROMPT_SUGGESTIONS: Feature = since("initialize.promptSuggestions", 48);
/// Not in 2.1.116.
pub(crate) const PLAN_MODE_INSTRUCTIONS: Feature = since("initialize.planModeInstructions", 118);
/// Declared for this version; which was the first is not known.
pub(crate) const SKILLS: Feature = since("initialize.skills", 325);
/// Not in 2.1.243.
pub(crate) const PER_TASK_STOP: Feature = since("initialize.perTaskStopAffordance", 246);
pub(crate) const DIALOG_KINDS: Feature = since("initialize.supportedDialogKinds", 169);
/// Not in 2.1.140.
pub(crate) const TOOL_ALIASES: Feature = since("initialize.toolAliases", 142);
