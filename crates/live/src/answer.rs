//! Answers to the agent's questions: the recorded question and what a person decided in, the line for the agent out. Pure.
//!
//! An answer is made from the record and never from the state, whose texts may be cut.

use std::collections::BTreeMap;

use claude_protocol::control::{Ask, ElicitationAnswer, Response, UserDialogAnswer};
use claude_protocol::permission::{CanUseTool, Destination, PermissionAnswer, PermissionUpdate, Rule};
use claude_protocol::tool::ask::Answer as Chosen;
use claude_protocol::{FromCli, Line, Raw, ToCli, decode, encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a person decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[schemars(rename = "AskDecision")]
pub enum Decision {
    /// Yes: the tool may run, the plan is good.
    Allow {
        /// Another input than the agent wanted, as a JSON object.
        #[serde(default)]
        input: Option<Map<String, Value>>,
        /// What is to be remembered, of what the agent suggested.
        #[serde(default)]
        remember: Vec<Remember>,
    },
    /// No.
    Deny {
        /// What the agent is told.
        #[serde(default)]
        why: Option<String>,
        /// Is the turn over, too?
        #[serde(default)]
        stop: bool,
    },
    /// Answers to questions, by the text of the question.
    Answer {
        /// One text, or several labels.
        answers: BTreeMap<String, Choice>,
    },
    /// A server's form, filled in; or its page, visited.
    Accept {
        /// The form, as a JSON object.
        #[serde(default)]
        content: Option<Map<String, Value>>,
    },
    /// Neither yes nor no: the form or the dialog was closed.
    Cancel,
}

/// An answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Choice {
    /// A label, or a text of one's own.
    One(String),
    /// Several labels.
    Several(Vec<String>),
}

/// One of the suggestions, as it is or edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Remember {
    /// Which, counted from 0.
    pub suggestion: usize,
    /// These rules instead, as people write them: `Bash(git show *)`.
    pub rules: Option<Vec<String>>,
    /// Kept there instead: `session`, `localSettings`, `projectSettings`, `userSettings`.
    pub destination: Option<String>,
}

/// Why a decision is no answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The record holds no question.
    #[error("this is no question of the agent")]
    NoQuestion,
    /// The question is of a kind that this build does not know.
    #[error("the agent asks something that this version of Quarterdeck does not know; it can only be refused")]
    Unknown,
    /// The decision is of another kind than the question.
    #[error("this question cannot be answered that way")]
    WrongKind,
    /// There is no suggestion of that number.
    #[error("there is no suggestion number {0}")]
    NoSuggestion(usize),
}

/// The line that tells the agent the decision on the question in `line`.
pub fn answer(line: &Line, decision: &Decision) -> Result<String, Unfit> {
    let (reply_to, ask) = match decode(line.clone()).body {
        FromCli::ControlRequest(request) => (request.reply_to(), request.request),
        FromCli::CallbackRequest(request) => {
            let ask = request.can_use_tool().ok_or(Unfit::Unknown)?.clone();
            (request.reply_to(), Ask::CanUseTool(Box::new(ask)))
        }
        _ => return Err(Unfit::NoQuestion),
    };
    let refusal = |why: &Option<String>| why.clone().unwrap_or_else(|| REFUSED.to_owned());
    let id = reply_to.id().clone();
    let line: ToCli = match (&ask, decision) {
        (Ask::CanUseTool(ask), decision) => reply_to.permission(&permission(ask, decision)?),
        (Ask::Elicitation(_), Decision::Accept { content: Some(content) }) => {
            let content = object(content)?;
            Response::success(id, &ElicitationAnswer::accept(content)).into()
        }
        (Ask::Elicitation(_), Decision::Accept { content: None } | Decision::Allow { .. }) => {
            Response::success(id, &ElicitationAnswer::visited()).into()
        }
        (Ask::Elicitation(_), Decision::Deny { .. }) => Response::success(id, &ElicitationAnswer::decline()).into(),
        (Ask::Elicitation(_), Decision::Cancel) => Response::success(id, &ElicitationAnswer::cancel()).into(),
        (Ask::UserDialog(_), Decision::Cancel | Decision::Deny { .. }) => {
            Response::success(id, &UserDialogAnswer::cancelled()).into()
        }
        (_, Decision::Deny { why, .. }) => reply_to.error(refusal(why)),
        (Ask::Other(_), _) => return Err(Unfit::Unknown),
        _ => return Err(Unfit::WrongKind),
    };
    Ok(encode(&line))
}

/// What the agent is told by a no without words.
const REFUSED: &str = "The user does not want this. Ask before you try another way.";

fn permission(ask: &CanUseTool, decision: &Decision) -> Result<PermissionAnswer, Unfit> {
    match decision {
        Decision::Allow { input, remember } => {
            let allowed = match input {
                Some(input) => PermissionAnswer::allow_with(ask, object(input)?).ok_or(Unfit::WrongKind)?,
                None => PermissionAnswer::allow(ask),
            };
            let suggestions = ask.permission_suggestions.as_deref().unwrap_or_default();
            let updates = remember.iter().map(|one| one.update(suggestions)).collect::<Result<Vec<_>, _>>()?;
            Ok(if updates.is_empty() { allowed } else { allowed.and_remember(updates) })
        }
        Decision::Deny { why, stop } => {
            let why = why.clone().unwrap_or_else(|| REFUSED.to_owned());
            Ok(match stop {
                true => PermissionAnswer::deny_and_interrupt(ask, why),
                false => PermissionAnswer::deny(ask, why),
            })
        }
        Decision::Answer { answers } => {
            let answers = answers.iter().map(|(question, choice)| (question.clone(), choice.chosen())).collect();
            PermissionAnswer::allow_with_answers(ask, &answers).ok_or(Unfit::WrongKind)
        }
        Decision::Cancel => Ok(PermissionAnswer::deny(ask, REFUSED)),
        Decision::Accept { .. } => Err(Unfit::WrongKind),
    }
}

fn object(fields: &Map<String, Value>) -> Result<Raw, Unfit> {
    Raw::from_value(fields).map_err(|_| Unfit::WrongKind)
}

impl Choice {
    fn chosen(&self) -> Chosen {
        match self {
            Choice::One(text) => Chosen::Text(text.clone()),
            Choice::Several(labels) => Chosen::Labels(labels.clone()),
        }
    }
}

impl Remember {
    /// The change of the permissions that is meant.
    fn update(&self, suggestions: &[PermissionUpdate]) -> Result<PermissionUpdate, Unfit> {
        let mut update = suggestions.get(self.suggestion).cloned().ok_or(Unfit::NoSuggestion(self.suggestion))?;
        let destination = self.destination.as_deref().map(Destination::from);
        if let PermissionUpdate::AddRules(rules) = &mut update {
            if let Some(texts) = &self.rules {
                rules.rules = texts.iter().map(|text| rule(text)).collect();
            }
            rules.destination = destination.unwrap_or_else(|| rules.destination.clone());
        } else if let PermissionUpdate::AddDirectories(directories) = &mut update {
            directories.destination = destination.unwrap_or_else(|| directories.destination.clone());
        }
        Ok(update)
    }
}

/// A rule as people write it: a tool, and in brackets what of its input is meant.
fn rule(text: &str) -> Rule {
    match text.split_once('(').and_then(|(tool, rest)| Some((tool, rest.strip_suffix(')')?))) {
        Some((tool, content)) => Rule::matching(tool, content),
        None => Rule::tool(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &str = concat!(
        r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","#,
        r#""input":{"command":"git show"},"tool_use_id":"t1","permission_suggestions":[{"type":"addRules","#,
        r#""rules":[{"toolName":"Bash","ruleContent":"git show *"}],"behavior":"allow","destination":"localSettings"}]}}"#
    );

    fn told(decision: Decision) -> Result<Value, Unfit> {
        let line = answer(&Line::from(QUESTION), &decision)?;
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(line["response"]["request_id"], "r1");
        Ok(line["response"]["response"].clone())
    }

    #[test]
    fn yes_and_no_are_made_from_the_recorded_question() {
        let yes = told(Decision::Allow { input: None, remember: vec![] }).unwrap();
        assert_eq!(yes["updatedInput"], serde_json::json!({"command": "git show"}));
        let other = serde_json::json!({"command": "git log"});
        let yes = told(Decision::Allow { input: other.as_object().cloned(), remember: vec![] }).unwrap();
        assert_eq!(yes["updatedInput"], other);
        let no = told(Decision::Deny { why: Some("not now".to_owned()), stop: true }).unwrap();
        assert_eq!((no["behavior"].as_str(), no["message"].as_str()), (Some("deny"), Some("not now")));
        assert_eq!(no["interrupt"], true);
        assert_eq!(told(Decision::Accept { content: None }), Err(Unfit::WrongKind));
        assert_eq!(answer(&Line::from("{}"), &Decision::Cancel), Err(Unfit::NoQuestion));
    }

    #[test]
    fn what_is_remembered_can_be_edited() {
        let remember = |one: Remember| told(Decision::Allow { input: None, remember: vec![one] });
        let as_it_is = remember(Remember::default()).unwrap();
        assert_eq!(as_it_is["updatedPermissions"][0]["rules"][0]["ruleContent"], "git show *");
        assert_eq!(as_it_is["updatedPermissions"][0]["destination"], "localSettings");
        let rules = Some(vec!["Bash(git *)".to_owned(), "WebFetch".to_owned()]);
        let edited = remember(Remember { suggestion: 0, rules, destination: Some("session".to_owned()) }).unwrap();
        let update = &edited["updatedPermissions"][0];
        assert_eq!(
            update["rules"],
            serde_json::json!([
                {"toolName": "Bash", "ruleContent": "git *"}, {"toolName": "WebFetch"}
            ])
        );
        assert_eq!(update["destination"], "session");
        assert_eq!(remember(Remember { suggestion: 3, ..Remember::default() }), Err(Unfit::NoSuggestion(3)));
        // Another input now says nothing against the rule for later.
        let input = serde_json::json!({"command": "git show HEAD"});
        let both = Decision::Allow { input: input.as_object().cloned(), remember: vec![Remember::default()] };
        let both = told(both).unwrap();
        assert_eq!((&both["updatedInput"], &both["updatedPermissions"]), (&input, &as_it_is["updatedPermissions"]));
    }

    #[test]
    fn an_unknown_question_can_only_be_refused() {
        let line = Line::from(r#"{"type":"control_request","request_id":"r","request":{"subtype":"sing"}}"#);
        assert_eq!(answer(&line, &Decision::Allow { input: None, remember: vec![] }), Err(Unfit::Unknown));
        assert!(answer(&line, &Decision::Deny { why: None, stop: false }).unwrap().contains(r#""subtype":"error""#));
    }
}
