//! Plays a scenario against an installed CLI, step by step, and keeps everything that was said.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use regex::Regex;
use serde_json::{Value, json};

use super::answers::{Answers, SharedAnswers, lock};
use super::values::{at_path, subset, substitute, substitute_text};
use super::{Phase, Scenario, Step};
use crate::error::LabError;
use crate::log::Record;
use crate::real::{CliVersion, Installed, Place};
use crate::script::Script;
use crate::session::Session;
use crate::stage::{Launch, Stage};

/// A scenario that was played to its end.
#[derive(Debug)]
pub struct Played {
    /// All lines, in both directions.
    pub records: Vec<Record>,
    /// Replies of the script that nobody asked for.
    pub unused_replies: usize,
    /// The stage, still standing, for a look at the files the CLI left.
    pub stage: Stage,
}

/// Plays a scenario with the real CLI.
pub async fn play(scenario: &Scenario, installed: &Installed) -> Result<Played, LabError> {
    play_with(scenario, installed.version, Some(installed.clone())).await
}

/// Plays a scenario with the scripted agent, which speaks as a version does.
pub async fn play_with_agent(scenario: &Scenario, version: CliVersion) -> Result<Played, LabError> {
    play_with(scenario, version, None).await
}

async fn play_with(scenario: &Scenario, version: CliVersion, installed: Option<Installed>) -> Result<Played, LabError> {
    let place = Place::new().await?;
    let mut names = names(&place, version)?;
    for (path, content) in &scenario.files {
        place.write(&substitute_text(path, &names), content_of(content, &names)?)?;
    }
    let mut script = serde_json::to_value(&scenario.script).unwrap_or_default();
    substitute(&mut script, &names);
    let script: Script = serde_json::from_value(script).unwrap_or_default();
    let stage = match installed {
        Some(installed) => Stage::with(installed, place, script).await?,
        None => Stage::agent_at(place, script).await?,
    };
    let answers = Arc::new(Mutex::new(Answers::new(scenario, names.clone())));
    for phase in &scenario.phases {
        play_phase(&stage, phase, &answers, &mut names).await?;
    }
    Ok(Played { records: stage.records(), unused_replies: stage.model.unused_replies(), stage })
}

async fn play_phase(
    stage: &Stage,
    phase: &Phase,
    answers: &SharedAnswers,
    names: &mut BTreeMap<String, String>,
) -> Result<(), LabError> {
    let responder = Arc::clone(answers);
    let mut launch = Launch::new().answering(move |line| lock(&responder).answer(line));
    launch.base.clone_from(&phase.base);
    launch.arguments = phase.args.iter().map(|argument| substitute_text(argument, names)).collect();
    launch.environment = phase
        .env
        .iter()
        .map(|(name, value)| (name.clone(), value.as_deref().map(|value| substitute_text(value, names))))
        .collect();
    let session = stage.start(launch).await?;
    let mut player = Player { stage, session, answers, names };
    if let Some(fields) = &phase.initialize {
        let mut request = json!({"subtype": "initialize"});
        if let Value::Object(request) = &mut request {
            request.extend(fields.clone());
        }
        player.play(&Step { control: Some(request), ..Step::default() }).await?;
    }
    for step in &phase.steps {
        player.play(step).await?;
    }
    player.session.finish().await?;
    Ok(())
}

struct Player<'a> {
    stage: &'a Stage,
    session: Session,
    answers: &'a SharedAnswers,
    names: &'a mut BTreeMap<String, String>,
}

impl Player<'_> {
    async fn play(&mut self, step: &Step) -> Result<(), LabError> {
        if let Some(content) = &step.user {
            return self.session.send(&self.user_line(content, step)).await;
        }
        if let Some(line) = &step.send {
            return self.session.send(&self.filled(line)).await;
        }
        if let Some(text) = &step.send_raw {
            return self.session.send_text(&self.text(text)).await;
        }
        if let Some(request) = &step.control {
            let request = self.filled(request);
            if step.unanswered {
                return self.session.request(request).await.map(drop);
            }
            let line = self.session.control(request).await?;
            return self.save(step, &line);
        }
        if let Some(pattern) = &step.wait {
            let pattern = self.filled(pattern);
            let mut line = Value::Null;
            for _ in 0..step.n.unwrap_or(1) {
                line = self.session.wait_for(&pattern.to_string(), |line| subset(&pattern, line)).await?;
            }
            return self.save(step, &line);
        }
        if let Some(wanted) = &step.wait_request {
            return self.wait_request(wanted).await;
        }
        if let Some(response) = &step.answer {
            let line = lock(self.answers).late_answer(self.filled(response));
            let line = line.ok_or_else(|| LabError::Step { reason: "no request was left open".to_owned() })?;
            return self.session.send(&line).await;
        }
        if let Some(path) = &step.wait_file {
            let path = self.path(path);
            let holds = regex(step.holds.as_deref().unwrap_or_default())?;
            let what = format!("the file {} with `{holds}`", path.display());
            return self.session.within(&what, file_holds(path, holds)).await;
        }
        if let Some(path) = &step.touch {
            return self.stage.place.write(&self.text(path), "");
        }
        if let Some(path) = &step.remove {
            let path = self.path(path);
            return std::fs::remove_file(&path).map_err(LabError::file(path));
        }
        self.play_on_process(step).await
    }

    async fn play_on_process(&mut self, step: &Step) -> Result<(), LabError> {
        if let Some(gate) = &step.release {
            self.stage.model.release(gate);
        } else if let Some(name) = &step.signal {
            self.session.signal(name)?;
        } else if step.close_stdin {
            self.session.close_stdin().await;
        } else if step.wait_exit {
            self.session.ended().await?;
        } else {
            return Err(LabError::Step { reason: format!("no verb in {step:?}") });
        }
        Ok(())
    }

    async fn wait_request(&self, wanted: &Value) -> Result<(), LabError> {
        let what = format!("the request {wanted} at the model");
        match wanted.as_u64() {
            Some(count) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                self.session.within(&what, self.stage.model.saw_requests(count)).await
            }
            None => {
                let pattern = regex(wanted.as_str().unwrap_or_default())?;
                self.session.within(&what, self.stage.model.saw_request(&pattern)).await
            }
        }
    }

    fn user_line(&self, content: &Value, step: &Step) -> Value {
        let content = match self.filled(content) {
            Value::String(text) if !step.string => json!([{"type": "text", "text": text}]),
            other => other,
        };
        let mut line = json!({
            "type": "user", "session_id": "", "message": {"role": "user", "content": content}, "parent_tool_use_id": null,
        });
        if let Value::Object(fields) = &mut line {
            fields.extend(step.with.clone());
        }
        line
    }

    fn save(&mut self, step: &Step, line: &Value) -> Result<(), LabError> {
        for (name, path) in &step.save {
            let found =
                at_path(line, path).ok_or_else(|| LabError::Step { reason: format!("no `{path}` in {line}") })?;
            let text = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
            self.names.insert(format!("${name}$"), text);
        }
        Ok(())
    }

    fn filled(&self, value: &Value) -> Value {
        let mut value = value.clone();
        substitute(&mut value, self.names);
        value
    }

    fn text(&self, text: &str) -> String {
        substitute_text(text, self.names)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.stage.place.project().join(self.text(path))
    }
}

/// What the names in a scenario stand for.
fn names(place: &Place, version: CliVersion) -> Result<BTreeMap<String, String>, LabError> {
    // The tool was renamed between the versions we support; either name is understood by the new one.
    let agent = if version.fits("<2.1.100")? { "Task" } else { "Agent" };
    let path = |path: PathBuf| path.display().to_string();
    Ok(BTreeMap::from([
        ("$PROJ".to_owned(), path(place.project())),
        ("$HOME".to_owned(), path(place.home())),
        ("$TMP".to_owned(), path(place.temporary())),
        ("$MCP".to_owned(), path(place.mcp_server())),
        ("$AGENT".to_owned(), agent.to_owned()),
        ("$TRANSCRIPTS".to_owned(), path(place.transcripts())),
    ]))
}

/// The bytes of a file that a scenario wants.
fn content_of(content: &Value, names: &BTreeMap<String, String>) -> Result<Vec<u8>, LabError> {
    if let Some(text) = content.as_str() {
        return Ok(substitute_text(text, names).into_bytes());
    }
    if let Some(hex) = content["hex"].as_str() {
        let byte = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
        return bytes.ok_or_else(|| LabError::Step { reason: "a file's `hex` is malformed".to_owned() });
    }
    if let (Some(text), Some(times)) = (content["text"].as_str(), content["repeat"].as_u64()) {
        return Ok(text.repeat(usize::try_from(times).unwrap_or(1)).into_bytes());
    }
    let mut content = content.clone();
    substitute(&mut content, names);
    Ok(content.to_string().into_bytes())
}

fn regex(text: &str) -> Result<Regex, LabError> {
    Regex::new(text).map_err(|error| LabError::Step { reason: error.to_string() })
}

/// Files have no event that could be waited for without another dependency, so this looks again and again.
async fn file_holds(path: PathBuf, text: Regex) {
    while !std::fs::read(&path).is_ok_and(|bytes| text.is_match(&String::from_utf8_lossy(&bytes))) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
