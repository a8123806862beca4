//! A data folder in; all that a user has in it out, in words that no change of our types or of the API changes.

use std::collections::BTreeMap;
use std::path::Path;

use insights::UnixMillis;
use insights::event::turn::TokenUsage;
use journal::{Data, Desk, Folder, Index, Span, UsageBy};
use live::{Epoch, Host, Sessions};
use serde_json::{Value, json};

use super::{options, session, words};

/// What a data folder holds, and what this build derives from it.
pub(crate) struct Contents {
    pub(crate) facts: Value,
    pub(crate) derived: Value,
}

/// What is searched for: words of prompts, answers, commands, paths and titles.
const SEARCHES: &[&str] = &["piers", "harbour", "anchor", "whole list", "boats", "steam", "no such word"];

/// The id under which the page keeps the draft of a session that is not begun yet.
const NEW: &str = "00000000-0000-0000-0000-000000000000";

/// Later than every capture, and the same in each run: what is written when a log is closed that a crash left open.
fn clock() -> UnixMillis {
    UnixMillis(1_900_000_000_000)
}

/// Reads everything: first what needs no session to be opened.
pub(crate) async fn read(path: &Path) -> Contents {
    let data = Data::open(path).unwrap();
    let folders = data.sessions().unwrap();
    let ids: Vec<String> = folders.iter().map(Folder::id).collect();
    let left: Vec<Value> = folders.iter().map(session::left).collect();
    let (usage, turns, search) = indexed(&data);
    let sessions = Sessions::open(data.clone(), host()).await.unwrap();
    let list = list(&sessions, ids.len()).await;
    let (mut facts, mut derived) = (BTreeMap::new(), BTreeMap::new());
    for (id, left) in ids.iter().zip(left) {
        let open = sessions.get(id).await.unwrap();
        let waiting = sessions.held(id).await.unwrap().borrow().clone();
        let mut fact = session::facts(&open);
        fact["options"] = options::facts(&live::Options::load(open.folder()).unwrap());
        fact["waiting"] = session::waiting(&waiting);
        fact["left"] = left;
        facts.insert(id, fact);
        derived.insert(id, session::derived(&open));
    }
    let facts = json!({
        "desk": desk(&data, &ids), "audit": audit(path), "list": list, "usage": usage, "turns": turns,
        "search": search, "sessions": facts,
    });
    Contents { facts, derived: json!(derived) }
}

/// No agent is started here.
fn host() -> Host {
    Host {
        claude: claude_driver::Claude::new(),
        keeper: keeper::KeeperCommand::of_this_program().unwrap(),
        allows_bypass: false,
        settings_may_bypass: false,
        restarts: false,
        admission: live::Admission::default(),
        clock,
    }
}

/// What the index makes of the logs.
fn indexed(data: &Data) -> (Value, Value, Value) {
    let mut index = Index::open(data).unwrap();
    assert!(index.catch_up(data, |_| {}).unwrap().unreadable.is_empty());
    let mut usage = |by| -> Value {
        let rows = index.usage(by, Span::default()).unwrap().into_iter();
        rows.map(|row| {
            json!({"name": row.name, "usd": usd(row.cost_usd), "tokens": tokens(&row.tokens), "turns": row.turns,
                "sessions": row.sessions})
        })
        .collect()
    };
    let usage = json!({
        "day": usage(UsageBy::Day { utc_offset_minutes: 0 }), "model": usage(UsageBy::Model),
        "project": usage(UsageBy::Project),
    });
    let spent = index.spent(Span::default(), None, usize::MAX).unwrap().into_iter().map(|spent| {
        let turn = spent.turn;
        json!({"session": spent.session, "number": turn.number, "prompt": turn.prompt, "cwd": turn.cwd,
            "usd": usd(turn.cost_usd), "tokens": tokens(&turn.tokens), "startedAt": turn.started_at,
            "endedAt": turn.ended_at, "models": turn.models.keys().collect::<Vec<_>>()})
    });
    let turns = spent.collect();
    let mut search = BTreeMap::new();
    for text in SEARCHES {
        let hits = index.search(text, 50).unwrap().into_iter().map(|hit| {
            let snippet: String = hit.snippet.into_iter().map(|piece| piece.text).collect();
            json!({"session": hit.session, "kind": words::text_kind(hit.kind), "seq": hit.seq, "text": snippet})
        });
        // Which one is the better hit is a matter of taste.
        let mut hits: Vec<Value> = hits.collect();
        hits.sort_by_key(Value::to_string);
        search.insert(*text, hits);
    }
    (usage, turns, json!(search))
}

/// The list as a screen has it before a session is opened.
async fn list(sessions: &Sessions, count: usize) -> Value {
    let rows = || sessions.list_since(&Epoch::default(), 0).rows;
    let mut progress = sessions.list_progress();
    sessions.index_all();
    progress.wait_for(|_| rows().len() == count).await.unwrap();
    let row = |row: live::Row| {
        let facts = json!({
            "title": row.title, "cwd": row.cwd, "phase": words::phase(row.phase), "since": row.since,
            "unconfirmed": row.unconfirmed, "usd": usd(row.cost_usd), "turns": row.turns, "model": row.model,
            "mode": row.mode, "lastTurnSeq": row.last_turn_seq, "seenSeq": row.seen_seq, "archived": row.archived,
            "unread": row.last_turn_seq > row.seen_seq, "failed": row.failed.is_some(),
        });
        (row.id, facts)
    };
    json!(rows().into_iter().map(row).collect::<BTreeMap<String, Value>>())
}

/// What the user owns.
fn desk(data: &Data, ids: &[String]) -> Value {
    let mut desk = Desk::open(data).unwrap();
    let mut sessions = BTreeMap::new();
    for (id, own) in desk.sessions().unwrap() {
        let deliver_up_to = desk.go_on_seq(&id).unwrap();
        let facts = json!({"title": own.title, "archivedAt": own.archived_at, "seenSeq": own.seen_seq,
            "deliverUpTo": deliver_up_to});
        sessions.insert(id, facts);
    }
    let mut drafts = BTreeMap::new();
    for id in ids.iter().map(String::as_str).chain(["", NEW]) {
        let pictures = desk.draft_pictures(id).unwrap().into_iter().map(|picture| {
            json!({"id": picture.id, "number": picture.number, "name": picture.name, "type": picture.media_type,
                "base64": picture.data})
        });
        let pictures: Vec<Value> = pictures.collect();
        if let Some(draft) = desk.draft(id).unwrap() {
            drafts.insert(id, json!({"text": draft.text, "at": draft.changed_at, "pictures": pictures}));
        }
    }
    let presets = desk.presets().unwrap().into_iter().map(|(name, preset)| {
        let preset = serde_json::from_str(&preset).unwrap();
        (name, options::facts(&preset))
    });
    let presets: BTreeMap<String, Value> = presets.collect();
    let devices = desk.devices().unwrap().into_iter().map(
        |device| json!({"id": device.id, "name": device.name, "addedAt": device.added_at, "seenAt": device.seen_at}),
    );
    let devices: Vec<Value> = devices.collect();
    json!({
        "sessions": sessions, "drafts": drafts, "presets": presets, "devices": devices,
        "keys": desk.keybindings().unwrap(), "budgets": desk.budgets().unwrap(), "roots": desk.roots().unwrap(),
    })
}

/// Who did what. Nothing reads it but people, so its lines are what they are.
fn audit(data: &Path) -> Value {
    let text = std::fs::read_to_string(data.join("audit.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect()
}

pub(super) fn tokens(usage: &TokenUsage) -> Value {
    json!([usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_creation_tokens])
}

/// Dollars, without what adding them up in another order changes.
pub(super) fn usd(dollars: f64) -> String {
    format!("{dollars:.6}")
}
