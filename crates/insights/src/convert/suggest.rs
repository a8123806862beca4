//! What could be remembered with a permission: the CLI's updates in, data and words for people out.

use claude_protocol::Raw;
use claude_protocol::permission::{
    Destination, DirectoriesUpdate, MatchedRule, PermissionUpdate, Rule, RuleBehavior, RulesUpdate,
};
use serde::Deserialize;

use crate::event::ask::{FOR_THIS_SESSION, PermissionRule, PermissionSuggestion};
use crate::json::Json;

/// The flat form of the older documents.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Flat {
    tool_name: Option<String>,
    directory: Option<String>,
    mode: Option<String>,
    description: Option<String>,
}

/// A suggestion as events have it.
pub(super) fn suggestion(update: PermissionUpdate) -> PermissionSuggestion {
    let description = words(&update);
    let mut suggestion = PermissionSuggestion {
        kind: update.kind().to_owned(),
        description,
        tool_name: None,
        directory: None,
        mode: None,
        rules: None,
        directories: None,
        behavior: None,
        destination: None,
        raw: Json::trusted(Raw::from_wire(&update).into_text()),
    };
    match update {
        PermissionUpdate::AddRules(update)
        | PermissionUpdate::ReplaceRules(update)
        | PermissionUpdate::RemoveRules(update) => {
            suggestion.tool_name = update.rules.first().map(|rule| rule.tool_name.clone());
            suggestion.behavior = Some(update.behavior.to_string());
            suggestion.destination = Some(update.destination.to_string());
            let rule = |rule: Rule| PermissionRule { tool_name: rule.tool_name, rule_content: rule.rule_content };
            suggestion.rules = Some(update.rules.into_iter().map(rule).collect());
        }
        PermissionUpdate::SetMode(update) => {
            suggestion.mode = Some(update.mode.to_string());
            suggestion.destination = Some(update.destination.to_string());
        }
        PermissionUpdate::AddDirectories(update) | PermissionUpdate::RemoveDirectories(update) => {
            suggestion.directory = update.directories.first().cloned();
            suggestion.destination = Some(update.destination.to_string());
            suggestion.directories = Some(update.directories);
        }
        PermissionUpdate::Other(other) => {
            let flat: Flat = other.raw.parse().unwrap_or_default();
            suggestion.tool_name = flat.tool_name;
            suggestion.directory = flat.directory;
            suggestion.mode = flat.mode;
        }
    }
    suggestion
}

/// An update in words.
pub(super) fn words(update: &PermissionUpdate) -> String {
    match update {
        PermissionUpdate::AddRules(update) => format!("{} {}", verb(&update.behavior), rules(update)),
        PermissionUpdate::ReplaceRules(update) => format!("{} only {}", verb(&update.behavior), rules(update)),
        PermissionUpdate::RemoveRules(update) => format!("No longer {} {}", update.behavior, rules(update)),
        PermissionUpdate::SetMode(update) => format!("Switch to mode {} {}", update.mode, place(&update.destination)),
        PermissionUpdate::AddDirectories(update) => format!("Allow work in {}", directories(update)),
        PermissionUpdate::RemoveDirectories(update) => format!("No longer work in {}", directories(update)),
        PermissionUpdate::Other(other) => {
            let flat: Flat = other.raw.parse().unwrap_or_default();
            flat.description.unwrap_or_else(|| other.kind.clone())
        }
    }
}

fn verb(behavior: &RuleBehavior) -> &str {
    match behavior {
        RuleBehavior::Allow => "Allow",
        RuleBehavior::Deny => "Deny",
        RuleBehavior::Ask => "Always ask for",
        RuleBehavior::Other(word) => word,
    }
}

fn rules(update: &RulesUpdate) -> String {
    let rules: Vec<String> =
        update.rules.iter().map(|rule| named(&rule.tool_name, rule.rule_content.as_deref())).collect();
    format!("{} {}", rules.join(", "), place(&update.destination))
}

fn directories(update: &DirectoriesUpdate) -> String {
    format!("{} {}", update.directories.join(", "), place(&update.destination))
}

fn named(tool: &str, content: Option<&str>) -> String {
    content.map_or_else(|| tool.to_owned(), |content| format!("{tool}({content})"))
}

/// A rule in the form of the settings.
pub(super) fn matched(rule: &MatchedRule) -> String {
    named(rule.tool_name.as_deref().unwrap_or_default(), rule.rule_content.as_deref())
}

fn place(destination: &Destination) -> &str {
    match destination {
        Destination::Session => FOR_THIS_SESSION,
        Destination::LocalSettings => "in this project, for you",
        Destination::ProjectSettings => "in this project, for everyone",
        Destination::UserSettings => "in all your projects",
        Destination::CliArg => "for this run",
        Destination::Other(word) => word,
    }
}
