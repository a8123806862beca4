//! The session itself: what it is, what it can use, what it has used, and what the host asked of it.

use std::sync::Arc;

use crate::event::ask::{ControlResult, ControlSent};
use crate::event::session::{
    AccountInfo, AuthStatus, AvailableCommands, Goal, McpServerStatus, McpStatus, ModelInfo, MovedHow, Offered,
    PluginInfo, PromptSuggestion, RateLimitUpdate, SessionInit, SessionMoved, SessionStatus, SessionStatusWord,
};
use crate::event::text::NoticeLevel;
use crate::event::turn::{CompactionTrigger, UsageUpdate};
use crate::state::clip;
use crate::state::header::{Account, CatalogModel, CatalogPlugin, Limit, McpServer, Overage};
use crate::state::item::{CompactionItem, ErrorItem, ItemBody};

use super::draft::{Draft, bounded};
use super::meters::finite;
use super::{meters, note, prompt};

/// The most bytes of what is said while somebody logs in: there is an address in it, which is of no use if it is cut.
const LOGIN_BYTES: usize = 8 * 1024;

/// So many earlier ids of a session are kept. They go with every status, and nobody looks for older ones there.
const EARLIER_IDS: usize = 16;

/// The session as it is now; a turn begins with it. What it does not say stays as it was.
pub(super) fn init(draft: &mut Draft<'_>, init: &SessionInit) {
    draft.heard();
    draft.begin_turn();
    let session = draft.event.session_id.clone();
    set_session(draft, &session);
    let status = draft.status_mut();
    refresh(&mut status.model, &init.model);
    refresh(&mut status.mode, &init.permission_mode);
    refresh(&mut status.effort, &init.reasoning_effort);
    refresh(&mut status.fast_mode, &init.fast_mode_state);
    refresh(&mut status.fast_mode_disabled_reason, &init.fast_mode_disabled_reason);
    refresh(&mut status.output_style, &init.output_style);
    refresh(&mut status.api_key_source, &init.api_key_source);
    refresh(&mut status.cwd, &init.cwd);
    refresh(&mut status.version, &init.version);
    catalog(draft, init);
    if let Some(servers) = &init.mcp_servers {
        mcp(draft, servers);
    }
    note::plugins(draft, init.plugin_errors.as_deref().unwrap_or_default());
}

fn refresh(now: &mut Option<Arc<str>>, told: &Option<String>) {
    if let Some(told) = told.as_deref()
        && now.as_deref() != Some(told)
    {
        *now = Some(clip::short_shared(told));
    }
}

/// The conversation goes on under this id.
fn set_session(draft: &mut Draft<'_>, session: &str) {
    if draft.status().session_id.as_deref() == Some(session) {
        return;
    }
    let session = bounded(session).into_owned().into();
    let status = draft.status_mut();
    if let Some(before) = status.session_id.replace(session) {
        status.earlier_session_ids.push(before);
        let surplus = status.earlier_session_ids.len().saturating_sub(EARLIER_IDS);
        status.earlier_session_ids.drain(..surplus);
    }
}

/// Takes over a part of the catalog, where it is told. Nearly always it is what it was: so it is compared before it is copied.
macro_rules! part {
    ($draft:ident.$part:ident, $told:expr, $same:expr, $make:expr) => {
        if let Some(told) = $told
            && !($draft.catalog().$part.len() == told.len()
                && $draft.catalog().$part.iter().zip(told.iter()).all($same))
        {
            $draft.catalog_mut().$part = told.iter().map($make).collect();
        }
    };
    ($draft:ident.$part:ident, $told:expr) => {
        part!($draft.$part, $told, |(now, told)| now == told, Clone::clone)
    };
    // Lists that are shared are mostly one and the same, which is seen without a look at what is in them; `==` would look.
    (shared $draft:ident.$part:ident, $told:expr) => {
        if let Some(told) = $told
            && !Arc::ptr_eq(&$draft.catalog().$part, told)
            && $draft.catalog().$part != *told
        {
            $draft.catalog_mut().$part = Arc::clone(told);
        }
    };
}

/// What can be used. Each turn says all of it again.
fn catalog(draft: &mut Draft<'_>, init: &SessionInit) {
    part!(shared draft.tools, &init.available_tools);
    part!(shared draft.agents, &init.agents);
    part!(shared draft.agent_kinds, &init.agent_kinds);
    part!(shared draft.skills, &init.skills);
    part!(shared draft.terminal_commands, &init.terminal_slash_commands);
    part!(draft.output_styles, &init.available_output_styles);
    part!(shared draft.capabilities, &init.capabilities);
    part!(draft.directories, &init.additional_directories);
    part!(shared draft.commands, &init.slash_commands);
    part!(draft.plugins, &init.plugins, |(now, told)| is_plugin(now, told), plugin);
    part!(draft.models, &init.available_models, |(now, told)| is_model(now, told), model);
    account(draft, init.account.as_ref());
}

/// What is so, and what there is to choose from, before the first turn.
fn offered(draft: &mut Draft<'_>, offered: &Offered) {
    let status = draft.status_mut();
    refresh(&mut status.model, &offered.model);
    refresh(&mut status.mode, &offered.permission_mode);
    refresh(&mut status.output_style, &offered.output_style);
    refresh(&mut status.fast_mode, &offered.fast_mode_state);
    refresh(&mut status.fast_mode_disabled_reason, &offered.fast_mode_disabled_reason);
    refresh(&mut status.version, &offered.version);
    part!(shared draft.capabilities, &offered.capabilities);
    part!(shared draft.agents, &offered.agents);
    part!(shared draft.agent_kinds, &offered.agent_kinds);
    part!(draft.output_styles, &offered.available_output_styles);
    part!(draft.models, &offered.available_models, |(now, told)| is_model(now, told), model);
    account(draft, offered.account.as_ref());
}

fn account(draft: &mut Draft<'_>, told: Option<&AccountInfo>) {
    let Some(told) = told else { return };
    let account = Some(Account {
        email: told.email.clone(),
        organization: told.organization.clone(),
        plan: told.subscription_type.clone(),
        token_source: told.token_source.clone(),
        api_key_source: told.api_key_source.clone(),
    });
    if draft.catalog().account != account {
        draft.catalog_mut().account = account;
    }
}

fn plugin(plugin: &PluginInfo) -> CatalogPlugin {
    CatalogPlugin { name: plugin.name.clone(), path: plugin.path.clone(), version: plugin.version.clone() }
}

fn model(model: &ModelInfo) -> CatalogModel {
    CatalogModel {
        value: model.value.clone(),
        name: model.display_name.clone(),
        description: model.description.clone(),
        effort_levels: model.effort_levels.clone().unwrap_or_default(),
        resolved: model.resolved.clone(),
        fast_mode: model.fast_mode,
        auto_mode: model.auto_mode,
        thinking_off: model.thinking_off,
    }
}

fn is_plugin(now: &CatalogPlugin, told: &PluginInfo) -> bool {
    now.name == told.name && now.path == told.path && now.version == told.version
}

fn is_model(now: &CatalogModel, told: &ModelInfo) -> bool {
    let named = now.value == told.value && now.name == told.display_name && now.description == told.description;
    let can =
        now.fast_mode == told.fast_mode && now.auto_mode == told.auto_mode && now.thinking_off == told.thinking_off;
    let same = now.resolved == told.resolved && can;
    named && same && now.effort_levels == told.effort_levels.as_deref().unwrap_or_default()
}

/// The slash commands, all of them.
pub(super) fn commands(draft: &mut Draft<'_>, commands: &AvailableCommands) {
    draft.catalog_mut().commands = Arc::clone(&commands.available_commands);
}

/// The MCP servers, all of them. A list that says less of a server than the one before takes nothing away.
fn mcp(draft: &mut Draft<'_>, told: &[McpServerStatus]) {
    let known = |told: &McpServerStatus| draft.mcp().iter().find(|known| known.name == told.name);
    let servers: Vec<McpServer> = told.iter().map(|told| server(told, known(told))).collect();
    if draft.mcp() != servers {
        *draft.mcp_mut() = servers;
    }
}

/// A server was switched on or off. Whether it can be reached then is told with the next list.
fn switch(draft: &mut Draft<'_>, name: &str, enabled: bool) {
    let is_meant = |server: &McpServer| server.name == name && (server.status == "disabled") == enabled;
    let Some(place) = draft.mcp().iter().position(is_meant) else { return };
    let server = &mut draft.mcp_mut()[place];
    server.status = if enabled { "pending" } else { "disabled" }.into();
    server.error = None;
}

fn server(told: &McpServerStatus, before: Option<&McpServer>) -> McpServer {
    let status = match &told.status {
        McpStatus::Connected => "connected",
        McpStatus::Failed => "failed",
        McpStatus::NeedsAuth => "needs-auth",
        McpStatus::Pending => "pending",
        McpStatus::Disabled => "disabled",
        McpStatus::Other(word) => word,
    };
    let version = told.server_info.as_ref().map(|info| clip::short(&info.version));
    McpServer {
        name: told.name.clone(),
        status: clip::short(status),
        error: told.error.as_deref().map(clip::short),
        source: told.source.clone().or_else(|| before?.source.clone()),
        version: version.or_else(|| before?.version.clone()),
        tools: told.tools.clone().or_else(|| Some(before?.tools.clone())).unwrap_or_default(),
    }
}

/// What the agent is busy with, and what else changed with it.
pub(super) fn status(draft: &mut Draft<'_>, told: &SessionStatus) {
    // A title may also come from an old file.
    if told.title.is_none() {
        draft.heard();
    }
    let compacting = told.status == SessionStatusWord::Compacting;
    if draft.status().compacting != compacting && told.title.is_none() && !draft.is_history() {
        draft.status_mut().compacting = compacting;
    }
    if told.permission_mode.is_some() {
        refresh(&mut draft.status_mut().mode, &told.permission_mode);
    }
    if told.cwd.is_some() || told.version.is_some() {
        let status = draft.status_mut();
        refresh(&mut status.cwd, &told.cwd);
        refresh(&mut status.version, &told.version);
    }
    if told.title.is_some() {
        refresh(&mut draft.status_mut().title, &told.title);
    }
    if told.compact_result.as_deref() == Some("failed") {
        let in_turn = draft.status().turn.is_some();
        let item = CompactionItem {
            trigger: if in_turn { CompactionTrigger::Auto } else { CompactionTrigger::Manual },
            pre_tokens: None,
            post_tokens: None,
            duration_ms: None,
            summary: None,
            error: Some(clip::short(told.compact_error.as_deref().unwrap_or("It failed"))),
        };
        draft.put_new(draft.own_id(), None, ItemBody::Compaction(item));
    }
    if let (SessionStatusWord::Error, Some(message)) = (&told.status, &told.message) {
        let text = draft.clip(message, clip::TEXT_BYTES, "/message");
        draft.put_new(draft.own_id(), None, ItemBody::Error(ErrorItem { text, category: None, status: None }));
    }
}

/// The conversation goes on elsewhere.
pub(super) fn moved(draft: &mut Draft<'_>, moved: &SessionMoved) {
    if moved.how == MovedHow::Forked {
        meters::inherit(draft);
    }
    if let Some(session) = &moved.to {
        set_session(draft, session);
    }
}

/// The limits of the plan. Each line tells of some windows; the others stay as they were.
pub(super) fn limits(draft: &mut Draft<'_>, told: &RateLimitUpdate) {
    draft.heard();
    let limits = &mut draft.meters_mut().limits;
    for (name, window) in &told.windows {
        let status = window.status.as_deref().map(clip::short);
        let limit = Limit { used_percent: finite(Some(window.used_percent)), resets_at: window.resets_at, status };
        limits.insert(clip::short(name), limit);
    }
    if let Some(name) = &told.limit_type {
        let known = limits.remove(name.as_str());
        let used = finite(told.utilization.map(|share| share * 100.0));
        let limit = Limit {
            used_percent: used.or_else(|| known.as_ref()?.used_percent),
            resets_at: told.resets_at.or_else(|| known.as_ref()?.resets_at),
            status: told.status.as_deref().map(clip::short).or_else(|| known.as_ref()?.status.clone()),
        };
        limits.insert(clip::short(name), limit);
    }
    overage(draft, told);
}

/// Use beyond the plan. A line that does not speak of it changes nothing of it.
fn overage(draft: &mut Draft<'_>, told: &RateLimitUpdate) {
    let short = |word: &Option<String>| word.as_deref().map(clip::short);
    let (status, disabled_reason) = (short(&told.overage_status), short(&told.overage_disabled_reason));
    let is_told = told.is_using_overage.is_some() || told.overage_resets_at.is_some();
    if !is_told && status.is_none() && disabled_reason.is_none() {
        return;
    }
    let known = draft.meters().overage.clone().unwrap_or_default();
    // Why there is none is told while there is none.
    let disabled_reason = disabled_reason.or(known.disabled_reason.filter(|_| status.is_none()));
    draft.meters_mut().overage = Some(Overage {
        in_use: told.is_using_overage.unwrap_or(known.in_use),
        status: status.or(known.status),
        resets_at: told.overage_resets_at.or(known.resets_at),
        disabled_reason,
    });
}

/// What one call of the model used: the context is as large as that.
pub(super) fn usage(draft: &mut Draft<'_>, usage: &UsageUpdate) {
    // Nothing at all is what a call says that came to nothing.
    if let (None, Some(tokens @ 1..)) = (&usage.parent_call_id, usage.context_tokens)
        && draft.meters().context.used != Some(tokens)
    {
        draft.meters_mut().context.used = Some(tokens);
    }
}

/// What the user might ask next.
pub(super) fn suggestion(draft: &mut Draft<'_>, suggested: &PromptSuggestion) {
    draft.heard();
    draft.status_mut().suggestion = Some(clip::short_shared(&suggested.suggestion));
}

/// The goal of the session.
pub(super) fn goal(draft: &mut Draft<'_>, goal: &Goal) {
    draft.status_mut().goal = goal.condition.as_deref().map(clip::short_shared);
}

/// The state of a login.
pub(super) fn login(draft: &mut Draft<'_>, login: &AuthStatus) {
    draft.heard();
    draft.status_mut().login =
        login.is_authenticating.then(|| clip::marked(&login.output.join("\n"), LOGIN_BYTES).into());
    if let Some(error) = &login.error {
        note::remark(draft, NoticeLevel::Error, "auth_status", error);
    }
}

/// The host asked something of the agent. Only an interrupt shows before it is answered.
pub(super) fn sent(draft: &mut Draft<'_>, sent: &ControlSent) {
    if sent.subtype == "interrupt"
        && let Some(turn) = draft.turn_mut()
    {
        turn.interrupting = true;
    }
}

/// Requests of a person, who wants to know when they fail. The others are asked by a screen for itself.
const OF_A_PERSON: &[&str] = &[
    "interrupt",
    "set_model",
    "set_permission_mode",
    "set_max_thinking_tokens",
    "apply_flag_settings",
    "rename_session",
    "rewind_files",
    "stop_task",
    "background_tasks",
    "cancel_async_message",
    "mcp_reconnect",
    "mcp_toggle",
    "mcp_set_servers",
];

/// A request of the host was answered.
pub(super) fn answered(draft: &mut Draft<'_>, result: &ControlResult) {
    draft.heard();
    let subtype = result.subtype.as_deref().unwrap_or_default();
    if !result.ok {
        if subtype == "interrupt"
            && let Some(turn) = draft.turn_mut()
        {
            turn.interrupting = false;
        }
        if OF_A_PERSON.contains(&subtype) {
            let error = result.error.as_deref().unwrap_or("it failed");
            note::remark(draft, NoticeLevel::Warning, subtype, &format!("{}: {error}", subtype.replace('_', " ")));
        }
        return;
    }
    if result.model.is_some() {
        refresh(&mut draft.status_mut().model, &result.model);
    }
    if result.permission_mode.is_some() {
        refresh(&mut draft.status_mut().mode, &result.permission_mode);
    }
    if let Some(changed) = &result.changed {
        let status = draft.status_mut();
        refresh(&mut status.effort, &changed.effort);
        refresh(&mut status.fast_mode, &changed.fast_mode);
        refresh(&mut status.thinking, &changed.thinking);
        if let (Some(server), Some(enabled)) = (&changed.mcp_server, changed.mcp_enabled) {
            switch(draft, server, enabled);
        }
    }
    if let Some(usage) = &result.context_usage {
        prompt::context(draft, usage);
    }
    if let Some(servers) = &result.mcp_servers {
        mcp(draft, servers);
    }
    if let Some(told) = &result.offered {
        offered(draft, told);
    }
    if let Some(restored) = &result.files_restored {
        note::restored(draft, restored);
    }
}
