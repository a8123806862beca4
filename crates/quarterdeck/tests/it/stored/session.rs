//! One session: its records, what was said and done in it, what it asks, what waits. And digests of what this build derives.

use std::collections::BTreeMap;

use insights::convert::RawLines;
use insights::record::Source;
use insights::state::clip::Clip;
use insights::state::header::{Job, Queued};
use insights::state::item::{Item, ItemBody};
use insights::state::tool::{Decision, ToolStatus};
use insights::state::{Ask, AskBody, State};
use insights::{Converter, Profile, Record};
use journal::{Folder, Reader};
use live::{Held, HeldPrompt, Session};
use serde_json::{Value, json};

use super::contents::{tokens, usd};
use super::words;

/// How many characters of a text are shown. All of them are in the digest of the records.
const SHOWN: usize = 80;

/// What a session is.
pub(crate) fn facts(session: &Session) -> Value {
    let records = records(session);
    let mut facts = session.with_state(state);
    facts["records"] = json!({
        "count": records.len(), "digest": digest(records.iter().map(stored)),
        "sources": counts(records.iter().map(|record| source(record).0)),
    });
    facts
}

/// Digests of the events and of the state, as this build writes them.
pub(crate) fn derived(session: &Session) -> Value {
    let mut converter = Converter::new(session.id(), Profile::Full, RawLines::LeftOut);
    let events = records(session).into_iter().flat_map(|record| converter.convert(record));
    let events: Vec<String> = events.map(|event| serde_json::to_string(&event).unwrap()).collect();
    let kind = |event: &String| serde_json::from_str::<Value>(event).unwrap()["event"].as_str().unwrap().to_owned();
    let kinds = counts(events.iter().map(kind));
    let state = session.with_state(|state| serde_json::to_string(state).unwrap());
    json!({"events": kinds, "eventsDigest": digest(events), "stateDigest": digest([state])})
}

fn records(session: &Session) -> Vec<Record> {
    let mut reader = Reader::after(session.folder().clone(), 0).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap()).collect()
}

/// A record in a form of its own, whatever that of the log is.
fn stored(record: &Record) -> String {
    let (source, by, id) = source(record);
    format!("{} {} {source} {by:?} {id:?} {}", record.seq, record.at.0, record.line.bytes().escape_ascii())
}

fn source(record: &Record) -> (String, Option<&str>, Option<&str>) {
    let (name, by, id) = match &record.source {
        Source::Stdin { by, id } => ("stdin", by.as_deref(), id.as_deref()),
        Source::Stdout => ("stdout", None, None),
        Source::Stderr => ("stderr", None, None),
        Source::Host => ("host", None, None),
        Source::Transcript => ("transcript", None, None),
    };
    (name.to_owned(), by, id)
}

fn counts(names: impl Iterator<Item = String>) -> BTreeMap<String, u32> {
    names.fold(BTreeMap::new(), |mut counts, name| {
        *counts.entry(name).or_default() += 1;
        counts
    })
}

/// FNV-1a over all texts.
fn digest(texts: impl IntoIterator<Item = String>) -> String {
    let bytes = texts.into_iter().flat_map(|text| [text.into_bytes(), vec![b'\n']].concat());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// How a session was left. Opening it closes a log that a crash left open.
pub(crate) fn left(folder: &Folder) -> Value {
    let state = live::replay(folder).unwrap();
    let questions: Vec<Value> = state.asks.iter().map(|ask| question(ask)).collect();
    let (phase, agent) = (words::phase(state.status.phase), words::process(state.status.agent));
    json!({"phase": phase, "agent": agent, "questions": questions})
}

fn state(state: &State) -> Value {
    let (status, meters) = (&state.status, &state.meters);
    let exit = status.exit.as_ref();
    json!({
        "phase": words::phase(status.phase), "agent": words::process(status.agent), "title": status.title,
        "cwd": status.cwd, "model": status.model, "mode": status.mode, "version": status.version,
        "agentSession": status.session_id, "earlierAgentSessions": status.earlier_session_ids,
        "exit": exit.map(|exit| json!({"code": exit.code, "signal": exit.signal, "lost": exit.lost,
            "stderr": exit.stderr_tail})),
        "usd": usd(meters.cost_usd), "inheritedUsd": usd(meters.inherited_usd), "turns": meters.turns,
        "tokens": tokens(&meters.tokens), "contextTokens": meters.context.used,
        "models": meters.models.keys().collect::<Vec<_>>(),
        "unconfirmed": state.queue.iter().map(queued).collect::<Vec<_>>(),
        "tasks": state.tasks.iter().map(|task| format!("{}: {}", task.subject, words::todo(&task.status))).collect::<Vec<_>>(),
        "jobs": state.jobs.iter().map(job).collect::<Vec<_>>(),
        "conversation": state.items.iter().map(item).collect::<Vec<_>>(),
    })
}

fn question(ask: &Ask) -> Value {
    let (kind, about) = match &ask.body {
        AskBody::Permission(ask) => ("permission", format!("{} {}", ask.tool, ask.input.text)),
        AskBody::Question(ask) => {
            ("question", ask.questions.iter().map(|question| question.question.as_str()).collect())
        }
        AskBody::Plan(ask) => ("plan", text(&ask.plan)),
        AskBody::Elicitation(ask) => ("elicitation", text(&ask.message)),
        AskBody::Dialog(ask) => ("dialog", text(&ask.payload)),
    };
    json!({"kind": kind, "about": about, "seq": ask.seq, "at": ask.at})
}

fn queued(queued: &Queued) -> Value {
    json!({"text": text(&queued.text), "state": words::queued(&queued.state), "by": queued.by, "at": queued.at})
}

fn job(job: &Job) -> String {
    format!("{}: {}", job.description, words::job(&job.status))
}

/// The prompts that wait in the host.
pub(crate) fn waiting(held: &Held) -> Value {
    let prompt = |prompt: &HeldPrompt| {
        json!({"id": prompt.id, "uuid": prompt.uuid, "text": prompt.text, "attachments": prompt.attachments,
            "by": prompt.by, "at": prompt.at})
    };
    json!({
        "prompts": held.prompts.iter().map(prompt).collect::<Vec<_>>(), "paused": held.paused.map(words::pause),
    })
}

/// An item of the conversation on one line: where it stands, and what it is. Words of our own are left out.
fn item(item: &Item) -> String {
    let within = if item.parent.is_some() { " in a subagent" } else { "" };
    let call = |status: &ToolStatus, decision: &Option<Decision>| {
        let decided = decision.as_ref().map(|decision| {
            format!(", {} by {}", words::decision(&decision.outcome), decision.by.as_deref().unwrap_or("no one"))
        });
        format!("{}{}", words::tool(status), decided.unwrap_or_default())
    };
    let what = match &item.body {
        ItemBody::User(user) => {
            let (role, by) = (words::role(&user.role), user.by.as_deref().unwrap_or("-"));
            format!("user ({role}, {by}, {} pictures): {}", user.images.len(), text(&user.text))
        }
        ItemBody::Text(words) => format!("text (whole: {}): {}", words.done, text(&words.text)),
        ItemBody::Thinking(thought) => format!("thought: {}", text(&thought.text)),
        ItemBody::Tool(tool) => {
            format!("{} ({}): {}", tool.name, call(&tool.status, &tool.decision), text(&tool.input))
        }
        ItemBody::Agent(agent) => {
            let result = agent.result.as_ref().map(text).unwrap_or_default();
            format!("subagent ({}): {} -> {result}", call(&agent.status, &agent.decision), agent.description)
        }
        ItemBody::Command(command) => {
            format!("command {}: {}", command.command.as_deref().unwrap_or("-"), text(&command.text))
        }
        ItemBody::Compaction(_) => "compaction".to_owned(),
        ItemBody::Notice(notice) => format!("notice from {}", notice.source),
        ItemBody::Error(error) => format!("error {}", error.category.as_deref().unwrap_or("-")),
        ItemBody::Hook(hook) => format!("hook {}", hook.name),
        ItemBody::Turn(turn) => {
            let usd = turn.cost_usd.map(usd).unwrap_or_default();
            format!("turn {}: {usd} dollars, {} tools", words::turn(&turn.outcome), turn.tool_calls)
        }
        ItemBody::Unknown(unknown) => format!("unknown {}", unknown.message_type),
    };
    format!("{} {}{within} {what}", item.order.0, item.at.0)
}

fn text(clip: &Clip) -> String {
    clip.text.chars().take(SHOWN).collect()
}
