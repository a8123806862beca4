//! The stories of the demo: files of `demo/stories` in, what the sessions begin with and what their agents do out.

use std::path::Path;

use anyhow::{Context, Result};
use lab::Script;
use lab::agent::{Step, Story};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, json};

/// Each with its name.
const STORIES: [(&str, &str); 8] = [
    ("cart-total", include_str!("../../../demo/stories/cart-total.json")),
    ("order-index", include_str!("../../../demo/stories/order-index.json")),
    ("payment-methods", include_str!("../../../demo/stories/payment-methods.json")),
    ("search-plan", include_str!("../../../demo/stories/search-plan.json")),
    ("accessibility", include_str!("../../../demo/stories/accessibility.json")),
    ("node-upgrade", include_str!("../../../demo/stories/node-upgrade.json")),
    ("price-import", include_str!("../../../demo/stories/price-import.json")),
    ("returns-guide", include_str!("../../../demo/stories/returns-guide.json")),
];

/// What every agent answers when its story is told, and to whom it has none.
const TALK: &str = include_str!("../../../demo/stories/talk.json");

/// Stands in the files where the agent's folder goes.
const PROJECT: &str = "$PROJECT";

/// A session of the demo.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tale {
    /// What the session is called.
    title: String,
    /// What the agent is asked to do.
    pub(super) prompt: String,
    /// The permission mode that it begins in.
    pub(super) mode: Option<String>,
    /// What the agent does.
    story: Story,
}

/// All of them, with their names.
pub(super) fn all(project: &Path) -> Result<Vec<(&'static str, Tale)>> {
    STORIES.iter().map(|(name, text)| Ok((*name, read(name, text, project)?))).collect()
}

/// What the agent of a story does; without one it only talks.
pub(super) fn story(name: Option<&str>, project: &Path) -> Result<Story> {
    let mut story = match name {
        None => Story::default(),
        Some(name) => {
            let (_, text) = STORIES.iter().find(|(known, _)| *known == name).context("there is no such story")?;
            let mut tale: Tale = read(name, text, project)?;
            let title = json!({"subtype": "session_title_changed", "title": tale.title});
            let title = Step::System(title.as_object().cloned().unwrap_or_else(Map::new));
            tale.story.turns = tale
                .story
                .turns
                .into_iter()
                .enumerate()
                .map(
                    |(number, turn)| {
                        if number > 0 { turn } else { [vec![title.clone()], turn.into()].concat().into() }
                    },
                )
                .collect();
            tale.story
        }
    };
    story.model = read::<Script>("talk", TALK, project)?;
    Ok(story)
}

fn read<T: DeserializeOwned>(name: &str, text: &str, project: &Path) -> Result<T> {
    // As it stands inside a string of JSON.
    let folder = serde_json::to_string(&project.display().to_string())?;
    let text = text.replace(PROJECT, folder.trim_matches('"'));
    serde_json::from_str(&text).with_context(|| format!("the story `{name}` cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::Reply;
    use lab::agent::Turn;
    use serde_json::Value;

    /// The agent passes over what it cannot read inside a tool call, so that is looked at here.
    fn look(value: &Value, found: &mut usize) {
        if let Some(fields) = value.as_object() {
            for (key, inner) in fields {
                let read = match key.as_str() {
                    "then" => serde_json::from_value::<Turn>(inner.clone()).map(drop),
                    "replies" => serde_json::from_value::<Vec<Reply>>(inner.clone()).map(drop),
                    "branches" => serde_json::from_value::<Map<String, Value>>(inner.clone()).and_then(|turns| {
                        turns.into_iter().try_for_each(|(_, turn)| serde_json::from_value::<Turn>(turn).map(drop))
                    }),
                    _ => continue,
                };
                assert!(read.is_ok(), "`{key}`: {read:?} in {inner}");
                *found += 1;
            }
        }
        match value {
            Value::Object(fields) => fields.values().for_each(|inner| look(inner, found)),
            Value::Array(items) => items.iter().for_each(|inner| look(inner, found)),
            _ => {}
        }
    }

    #[test]
    fn every_story_can_be_told_in_any_folder() {
        let project = Path::new(r#"/tmp/a "folder""#);
        let mut found = 0;
        for (name, text) in STORIES {
            let story = story(Some(name), project).unwrap();
            assert_eq!(story.turns.len(), 1, "{name}");
            look(&serde_json::from_str(text).unwrap(), &mut found);
        }
        assert_eq!(found, 9, "branches, subagents and what follows a background job");
        assert!(story(None, project).unwrap().turns.is_empty());
        assert!(story(Some("nonsense"), project).is_err());
    }
}
