//! The permission rules in force: as the agent tells them, else as the settings files have them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use axum::extract::State;
use axum::{Extension, Json};
use claude_protocol::control::request::ListPermissionRules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::{App, blocking};
use crate::error::ApiResult;
use crate::extract::SessionId;
use crate::guard::{Roots, Who};

/// The most bytes that are read of a settings file.
const MOST_BYTES: u64 = 1024 * 1024;

/// The rules in force.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rules {
    /// Who told them.
    source: Told,
    /// The rules.
    rules: Vec<Rule>,
    /// Other folders that the agent may work in.
    directories: Vec<Directory>,
}

/// Who told the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Told {
    /// The agent that runs.
    Agent,
    /// The settings files: those of the session itself are not among them.
    #[default]
    Files,
}

/// A rule.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Rule {
    /// `allow`, `deny` or `ask`.
    behavior: String,
    /// The rule, for example `Bash(git *)`.
    rule: String,
    /// Where it is kept: `userSettings`, `projectSettings`, `localSettings`, `session`, …
    source: String,
    /// The rule in words.
    description: Option<String>,
}

/// A folder.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Directory {
    /// The folder.
    path: String,
    /// Where that is kept.
    source: Option<String>,
}

/// `GET /api/v1/sessions/{id}/rules`
pub(crate) async fn rules(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
) -> ApiResult<Json<Rules>> {
    let session = app.sessions().get(&id).await?;
    // Older agents do not know the question; one that does not run cannot be asked.
    if session.is_running()
        && let Ok(answer) = session.command(ListPermissionRules::default(), Some(&who.name)).await
        && let Some(state) = answer.state
    {
        let rule = |entry: claude_protocol::control::answer::RuleEntry| Rule {
            behavior: entry.behavior.map(|behavior| behavior.to_string()).unwrap_or_default(),
            rule: entry.rule.unwrap_or_default(),
            source: entry.source.unwrap_or_default(),
            description: entry
                .description
                .map(|words| [words.prefix, words.emphasis, words.suffix].into_iter().flatten().collect::<String>()),
        };
        let directory = |folder: claude_protocol::control::answer::WorkspaceDirectory| {
            Some(Directory { path: folder.path?, source: folder.source })
        };
        return Ok(Json(Rules {
            source: Told::Agent,
            rules: state.rules.unwrap_or_default().into_iter().map(rule).collect(),
            directories: state.workspace_directories.unwrap_or_default().into_iter().filter_map(directory).collect(),
        }));
    }
    let user = app.sessions().config_folder();
    let cwd = app.sessions().options(&session)?.cwd;
    let roots = app.roots().await?;
    blocking(move || {
        // What stands in a folder that agents may not work in is nobody's business here.
        let project = cwd.and_then(|cwd| roots.folder(&cwd).ok());
        Ok(Json(of_files(user.as_deref(), project.as_deref(), &roots)))
    })
    .await
}

/// What is read of a settings file.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    permissions: Permissions,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Permissions {
    allow: Vec<String>,
    ask: Vec<String>,
    deny: Vec<String>,
    additional_directories: Vec<String>,
}

/// The rules of the settings files. A file that is not there or cannot be read has none. Those of a project may be anybody's
/// work, and links to anything; the user's own may well stand elsewhere.
fn of_files(user: Option<&Path>, project: Option<&Path>, roots: &Roots) -> Rules {
    let user = user.map(|user| user.join("settings.json")).filter(|path| path.is_file());
    let project = |name| project.and_then(|project| roots.open(project, Path::new(name)).ok());
    let files: [(&str, Option<File>); 3] = [
        ("userSettings", user.and_then(|path| File::open(path).ok())),
        ("projectSettings", project(".claude/settings.json")),
        ("localSettings", project(".claude/settings.local.json")),
    ];
    let mut found = Rules::default();
    for (source, file) in files {
        let mut text = String::new();
        // What is longer is cut, and no JSON then.
        if let Some(file) = file
            && file.take(MOST_BYTES).read_to_string(&mut text).is_err()
        {
            continue;
        }
        let permissions = serde_json::from_str::<Settings>(&text).unwrap_or_default().permissions;
        let lists = [("deny", permissions.deny), ("ask", permissions.ask), ("allow", permissions.allow)];
        for (behavior, rules) in lists {
            found.rules.extend(rules.into_iter().map(|rule| Rule {
                behavior: behavior.to_owned(),
                rule,
                source: source.to_owned(),
                description: None,
            }));
        }
        let directory = |path| Directory { path, source: Some(source.to_owned()) };
        found.directories.extend(permissions.additional_directories.into_iter().map(directory));
    }
    found
}

#[cfg(test)]
mod tests {
    use rustix::fs::{FileType, Mode};

    use super::*;

    #[test]
    fn settings_files_tell_the_rules_of_an_agent_that_does_not() {
        let place = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = place.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("user/settings.json", r#"{"permissions":{"allow":["Bash(git *)"],"additionalDirectories":["/data"]}}"#);
        write("project/.claude/settings.json", "no JSON");
        write("project/.claude/settings.local.json", r#"{"permissions":{"deny":["WebFetch"],"ask":["Edit"]}}"#);
        let roots = Roots::new([], &place.path().join("data"));
        let rules = of_files(
            Some(&place.path().join("user")),
            Some(&place.path().join("project").canonicalize().unwrap()),
            &roots,
        );
        let told: Vec<String> =
            rules.rules.iter().map(|rule| format!("{} {} {}", rule.source, rule.behavior, rule.rule)).collect();
        assert_eq!(told, ["userSettings allow Bash(git *)", "localSettings deny WebFetch", "localSettings ask Edit"]);
        assert_eq!(
            rules.directories,
            [Directory { path: "/data".to_owned(), source: Some("userSettings".to_owned()) }]
        );
        assert_eq!(of_files(None, None, &roots), Rules::default());
    }

    #[test]
    fn a_project_makes_us_read_nothing_but_its_own_files() {
        let place = tempfile::tempdir().unwrap();
        let project = place.path().canonicalize().unwrap().join("project");
        std::fs::create_dir_all(project.join(".claude")).unwrap();
        std::fs::write(place.path().join("secret"), r#"{"permissions":{"allow":["Secret"]}}"#).unwrap();
        std::os::unix::fs::symlink("../../secret", project.join(".claude/settings.json")).unwrap();
        // Whoever opens this to read waits until somebody writes.
        let pipe = project.join(".claude/settings.local.json");
        rustix::fs::mknodat(rustix::fs::CWD, pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let roots = Roots::new([], &place.path().join("data"));
        assert_eq!(of_files(None, Some(&project), &roots), Rules::default());
    }
}
