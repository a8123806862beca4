//! Options in, the first request out: what is long or has no flag.

use claude_protocol::control::Initialize;
use claude_protocol::control::initialize::{PluginConfig, SystemPrompt};

use super::since;
use super::version::Version;
use crate::error::Error;
use crate::options::Options;

/// The first request, without hooks and servers of the session. A CLI passes over fields that it does not know, so what it
/// lacks is an error here.
pub(crate) fn initialize(options: &Options, version: &Version) -> Result<Initialize, Error> {
    let mut request = Initialize::new();
    request.system_prompt = options.system_prompt.clone().map(SystemPrompt::Text);
    request.append_system_prompt = options.append_system_prompt.clone();
    request.json_schema = options.json_schema.clone();
    if !options.agents.is_empty() {
        request.agents = Some(options.agents.clone());
    }
    if plugins_in_initialize(options, version) {
        let plugins = options.plugins.iter().map(|plugin| {
            let mut config = PluginConfig::default();
            config.r#type = Some("local".to_owned());
            config.path = plugin.path.to_str().map(str::to_owned);
            config.skip_mcp_discovery = plugin.without_mcp.then_some(true);
            config
        });
        request.plugins = Some(plugins.collect());
    }
    if let Some(text) = &options.plan_mode_instructions {
        since::PLAN_MODE_INSTRUCTIONS.check(version)?;
        request.plan_mode_instructions = Some(text.clone());
    }
    if !options.tool_aliases.is_empty() {
        since::TOOL_ALIASES.check(version)?;
        request.tool_aliases = Some(options.tool_aliases.clone());
    }
    if let Some(skills) = &options.skills {
        since::SKILLS.check(version)?;
        request.skills = Some(skills.clone());
    }
    if options.prompt_suggestions {
        since::PROMPT_SUGGESTIONS.check(version)?;
        request.prompt_suggestions = Some(true);
    }
    if options.progress_summaries {
        since::PROGRESS_SUMMARIES.check(version)?;
        request.agent_progress_summaries = Some(true);
    }
    if options.per_task_stop {
        since::PER_TASK_STOP.check(version)?;
        request.per_task_stop_affordance = Some(true);
    }
    if !options.dialogs.is_empty() {
        since::DIALOG_KINDS.check(version)?;
        request.supported_dialog_kinds = Some(options.dialogs.clone());
    }
    Ok(request)
}

/// Do the plugins go into `initialize`? A path that is no text cannot, and stays on the command line with all others.
pub(super) fn plugins_in_initialize(options: &Options, version: &Version) -> bool {
    let texts = options.plugins.iter().all(|plugin| plugin.path.to_str().is_some());
    !options.plugins.is_empty() && texts && since::AWAIT_INITIALIZE.check(version).is_ok()
}

#[cfg(test)]
mod tests {
    use claude_protocol::Raw;
    use claude_protocol::control::initialize::AgentDefinition;

    use super::*;
    use crate::Claude;
    use crate::options::Plugin;

    const OLD: Version = Version::new(2, 1, 1);
    const NEW: Version = Version::new(2, 1, 325);

    fn text(claude: Claude, version: Version) -> String {
        Raw::from_wire(&initialize(&claude.options, &version).unwrap()).text().to_owned()
    }

    #[test]
    fn nothing_is_asked_for_by_default() {
        assert_eq!(text(Claude::new(), OLD), "{}");
    }

    #[test]
    fn long_texts_are_in_the_request_for_every_version() {
        let claude = Claude::new()
            .system_prompt("Be brief.")
            .append_system_prompt("Be kind.")
            .json_schema(Raw::from_text(r#"{"type":"object"}"#).unwrap())
            .subagent("reviewer", AgentDefinition::new("Reviews", "Review."));
        let expected = concat!(
            r#"{"jsonSchema":{"type":"object"},"systemPrompt":"Be brief.","appendSystemPrompt":"Be kind.","#,
            r#""agents":{"reviewer":{"description":"Reviews","prompt":"Review."}}}"#
        );
        assert_eq!(text(claude.clone(), OLD), expected);
        assert_eq!(text(claude, NEW), expected);
    }

    #[test]
    fn plugins_are_in_the_request_where_the_version_takes_them() {
        let claude = Claude::new().plugin(Plugin::new("/p")).plugin(Plugin::new("/q").without_mcp_servers());
        let expected = concat!(
            r#"{"plugins":[{"type":"local","path":"/p"},"#,
            r#"{"type":"local","path":"/q","skipMcpDiscovery":true}]}"#
        );
        assert_eq!(text(claude.clone(), NEW), expected);
        assert_eq!(text(claude, Version::new(2, 1, 260)), "{}");
    }

    #[test]
    fn what_a_version_does_not_know_is_an_error() {
        let wishes = [
            (Claude::new().plan_mode_instructions("Plan."), r#"{"planModeInstructions":"Plan."}"#),
            (Claude::new().tool_alias("Sh", "Bash"), r#"{"toolAliases":{"Sh":"Bash"}}"#),
            (Claude::new().skills(["pdf"]), r#"{"skills":["pdf"]}"#),
            (Claude::new().prompt_suggestions(), r#"{"promptSuggestions":true}"#),
            (Claude::new().progress_summaries(), r#"{"agentProgressSummaries":true}"#),
            (Claude::new().per_task_stop(), r#"{"perTaskStopAffordance":true}"#),
            (
                Claude::new()
                    .on_dialog(["plan"], |_| async { claude_protocol::control::UserDialogAnswer::cancelled() }),
                r#"{"supportedDialogKinds":["plan"]}"#,
            ),
        ];
        for (claude, expected) in wishes {
            assert!(matches!(initialize(&claude.options, &OLD), Err(Error::TooOld { .. })), "{expected}");
            assert_eq!(text(claude, NEW), expected);
        }
    }
}
