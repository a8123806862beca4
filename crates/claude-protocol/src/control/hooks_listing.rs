//! `get_hooks_listing`: the hooks of the settings, ready to be shown.

use super::answer::SettingsError;
use crate::hook::HookEvent;
use crate::raw::Raw;

wire! {
    /// The hooks of the settings, of plugins and of the session (2.1.325).
    pub struct HooksListing {
        /// Events that have hooks.
        pub events: Option<Vec<HookedEvent>>,
        /// The hooks (declared; the list measured was empty).
        pub hooks: Option<Vec<ListedHook>>,
        /// All events there are.
        pub event_catalog: Option<Vec<CatalogEvent>> = "eventCatalog",
        /// What the organization says about hooks.
        pub policy: Option<HookPolicy>,
        /// Set in safe mode (declared, not measured).
        pub safe_mode: Option<SafeMode> = "safeMode",
        /// Set with `--bare` (declared, not measured).
        pub bare_mode: Option<BareMode> = "bareMode",
        /// Settings files that could not be read (declared, not measured).
        pub errors: Option<Vec<SettingsError>>,
    }

    /// An event that has hooks.
    pub struct HookedEvent {
        /// The event.
        pub name: Option<HookEvent>,
        /// When it happens.
        pub summary: Option<String>,
        /// Can its hooks have a matcher?
        pub supports_matcher: Option<bool> = "supportsMatcher",
        /// How many hooks it has.
        pub hook_count: Option<u64> = "hookCount",
    }

    /// An event.
    pub struct CatalogEvent {
        /// The event.
        pub name: Option<HookEvent>,
        /// When it happens.
        pub summary: Option<String>,
        /// Can its hooks have a matcher?
        pub supports_matcher: Option<bool> = "supportsMatcher",
    }

    /// A hook.
    pub struct ListedHook {
        /// Its event.
        pub event: Option<HookEvent>,
        /// Its matcher; empty for none.
        pub matcher: Option<String>,
        /// Where it is from, for programs.
        pub source: Option<String>,
        /// Where it is from, for people.
        pub source_label: Option<String> = "sourceLabel",
        /// Its plugin.
        pub plugin_name: Option<String> = "pluginName",
        /// `command`, `prompt`, `agent`, `http`, `mcp_tool`, …
        pub r#type: Option<String> = "type",
        /// A line for a list.
        pub display_text: Option<String> = "displayText",
        /// What runs.
        pub command_text: Option<String> = "commandText",
        /// What `command_text` is: a command, a prompt, a URL.
        pub content_label: Option<String> = "contentLabel",
        /// When it runs.
        pub condition: Option<String>,
        /// How long it may take, in seconds.
        pub timeout: Option<f64>,
        /// What is shown while it runs.
        pub status_message: Option<String> = "statusMessage",
        /// Does it run only once?
        pub runs_once: Option<bool> = "runsOnce",
        /// Does it run in the background?
        pub runs_in_background: Option<bool> = "runsInBackground",
        /// True if something keeps it from running.
        pub disabled: Option<bool>,
        /// The entry as it is stored, if it can be edited.
        pub editable: Option<EditableHook>,
    }

    /// A hook as it is stored.
    pub struct EditableHook {
        /// Its matcher; empty for none.
        pub matcher: Option<String>,
        /// The entry.
        pub config: Option<Raw>,
        /// True if HTTP headers were left out.
        pub headers_redacted: Option<bool> = "headersRedacted",
    }

    /// What the organization says about hooks.
    pub struct HookPolicy {
        /// No hook runs at all.
        pub disabled_by_policy: Option<bool> = "disabledByPolicy",
        /// Only the organization's hooks run; they are not listed.
        pub managed_only: Option<bool> = "managedOnly",
        /// Only plugins may bring hooks.
        pub plugin_only: Option<bool> = "pluginOnly",
        /// Hooks are turned off, whoever did it.
        pub all_disabled: Option<bool> = "allDisabled",
        /// How many hooks the organization has.
        pub policy_hook_count: Option<u64> = "policyHookCount",
        /// True if the organization's settings could not be read.
        pub policy_unreadable: Option<bool> = "policyUnreadable",
    }

    /// Hooks in safe mode.
    pub struct SafeMode {
        /// Do the organization's hooks still run?
        pub managed_hooks_still_apply: Option<bool> = "managedHooksStillApply",
        /// How to leave it.
        pub exit_hint: Option<String> = "exitHint",
    }

    /// Hooks with `--bare`.
    pub struct BareMode {
        /// How to leave it.
        pub exit_hint: Option<String> = "exitHint",
    }
}
