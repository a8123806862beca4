//! Joining: wherever a log ends, with what its transcript has it tells the whole session, and nothing twice.

use std::collections::HashSet;
use std::fs;

use claude_protocol::{Entry, ToCli, Uuid, decode_as, encode};
use insights::record::{Traced, Traces};
use insights::state::{Item, ItemBody, State};
use insights::{HostFact, Record, Source, UnixMillis};
use journal::{Folder, Reader, Writer};
use live::transcripts::{Transcript, append, join};

use super::{Captured, capture, captured, log, state};
use crate::same_items::{disagreements, in_the_file};

/// The captured lines as records, with names on the prompts, as every session that is kept has them: those of their entries.
fn records(captured: &Captured) -> Vec<Record> {
    let mut traces = Traces::default();
    let text = fs::read_to_string(&captured.trace).unwrap();
    let traced = (1..).zip(text.lines()).filter_map(|(seq, line)| traces.read(seq, line));
    let records = traced.filter_map(|traced| if let Traced::Record(record) = traced { Some(record) } else { None });
    let records: Vec<Record> = records.collect();
    // Where some have names, the CLI speaks of those by them, and would not of the others.
    if text.contains("command_lifecycle") {
        return records;
    }
    let mut entries: Vec<(String, Option<Uuid>)> = captured.transcripts().iter().flat_map(prompts).collect();
    let named = |mut record: Record| {
        if let (Source::Stdin { .. }, ToCli::Prompt(mut prompt)) =
            (&record.source, decode_as::<ToCli>(record.line.clone()).body)
            && let Some(place) = place_of(&prompt.message.content.text(), &entries)
        {
            prompt.uuid = entries.remove(place).1;
            record.line = encode(&ToCli::Prompt(prompt)).into();
        }
        record
    };
    records.into_iter().map(named).collect()
}

/// Where a prompt is among those of a transcript. Only new versions keep an alias under the name that it stands for.
fn place_of(words: &str, entries: &[(String, Option<Uuid>)]) -> Option<usize> {
    entries.iter().position(|(theirs, _)| in_the_file(theirs) == in_the_file(words))
}

/// What was said in a transcript, and its names.
fn prompts(transcript: &Transcript) -> Vec<(String, Option<Uuid>)> {
    let text = fs::read_to_string(transcript.path()).unwrap();
    let entries = text.lines().map(|line| decode_as::<Entry>(line).body);
    let users = entries.filter_map(|entry| if let Entry::User(entry) = entry { Some(*entry) } else { None });
    let tag = |text: &str, tag: &str| Some(text.split_once(&format!("<{tag}>"))?.1.split_once("</")?.0.to_owned());
    let said = |text: &str| match (tag(text, "command-name"), tag(text, "command-args")) {
        (Some(name), Some(args)) => format!("{name} {args}").trim().to_owned(),
        _ => text.to_owned(),
    };
    users.map(|entry| (said(&entry.message.content.text()), entry.uuid)).collect()
}

fn join_all(writer: &mut Writer, captured: &Captured) -> u64 {
    let join_one = |transcript: Transcript| {
        let lacking = join(&mut Reader::after(writer.folder().clone(), 0).unwrap(), &transcript).unwrap();
        append(writer, UnixMillis(0), &transcript, lacking).unwrap()
    };
    captured.transcripts().into_iter().map(join_one).sum()
}

/// Words that were said twice, though not in the session.
fn doubled(state: &State, whole: &State) -> Vec<String> {
    let words = |state: &State| -> Vec<String> {
        let items = state.items.iter().map(|item| serde_json::to_value(&item.body).unwrap());
        let said = items.filter(|body| !["turn", "notice", "error"].contains(&body["kind"].as_str().unwrap()));
        said.map(|body| format!("{} {}{}{}", body["kind"], body["text"]["text"], body["callId"], body["input"]))
            .collect()
    };
    let (mut said, mut seen) = (words(whole), HashSet::new());
    let extra = words(state).into_iter().filter(|words| match said.iter().position(|said| said == words) {
        Some(place) => {
            said.remove(place);
            seen.insert(words.clone());
            false
        }
        None => seen.contains(words),
    });
    extra.collect()
}

/// Is this a prompt without a name that was not answered before the cut? Nobody can know whether it is the one in the file.
fn waits(joined: &State, what: &str) -> bool {
    joined.queue.iter().any(|queued| what.starts_with(&format!("live only: user {:?}", queued.text.text)))
}

#[test]
fn wherever_a_log_was_cut_the_transcript_gives_the_rest_once() {
    let mut wrong = Vec::new();
    for captured in captured() {
        let records = records(&captured);
        let whole = state(records.clone());
        // Pieces of what is to come are in no transcript, so it does not matter between which of them a log ends.
        let is_piece = |record: &Record| record.line.bytes().starts_with(br#"{"type":"stream_event""#);
        for cut in (0..=records.len()).filter(|cut| !records.get(*cut).is_some_and(is_piece)) {
            let data = tempfile::tempdir().unwrap();
            let folder = Folder::new(data.path().join("s"));
            let mut writer = Writer::open(folder.clone(), UnixMillis(0)).unwrap();
            for record in &records[..cut] {
                writer.append(record.at, record.source.clone(), record.line.clone()).unwrap();
            }
            join_all(&mut writer, &captured);
            assert_eq!(join_all(&mut writer, &captured), 0, "{}: nothing is joined twice", captured.name);
            let joined = state(log(&folder));
            let here = format!("{} cut at {cut} of {}", captured.name, records.len());
            let told = disagreements(&whole, &joined).into_iter().filter(|what| !waits(&joined, what));
            wrong.extend(told.map(|what| format!("{here} {what}")));
            wrong.extend(doubled(&joined, &whole).into_iter().map(|what| format!("{here} twice: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_prompt_that_nobody_confirmed_is_confirmed_by_its_entry() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("s.jsonl");
    let entry = r#"{"type":"user","uuid":"11111111-1111-4111-8111-111111111111","sessionId":"s","message":{"role":"user","content":"hello"}}"#;
    fs::write(&path, format!("{entry}\n")).unwrap();
    let transcript = Transcript::new(path);
    let mut writer = Writer::open(Folder::new(data.path().join("s")), UnixMillis(0)).unwrap();
    let sent =
        r#"{"type":"user","uuid":"11111111-1111-4111-8111-111111111111","message":{"role":"user","content":"hello"}}"#;
    writer.append(UnixMillis(1), Source::Stdin { by: None, id: None }, sent).unwrap();
    writer.append_fact(UnixMillis(2), &HostFact::Lost).unwrap();
    let before = state(log(writer.folder()));
    assert_eq!((before.queue.len(), before.items.iter().filter(|item| is_prompt(item)).count()), (1, 0));
    let lacking = join(&mut Reader::after(writer.folder().clone(), 0).unwrap(), &transcript).unwrap();
    assert_eq!(append(&mut writer, UnixMillis(3), &transcript, lacking).unwrap(), 1);
    let after = state(log(writer.folder()));
    assert_eq!((after.queue.len(), after.items.iter().filter(|item| is_prompt(item)).count()), (0, 1));
    let kept = log(writer.folder());
    let imported = HostFact::Imported { path: transcript.path().display().to_string(), session: Some("s".to_owned()) };
    assert_eq!(kept[kept.len() - 2], Record::host(4, UnixMillis(3), &imported));
    assert_eq!(kept[kept.len() - 1].line.text(), entry);
}

fn is_prompt(item: &Item) -> bool {
    matches!(item.body, ItemBody::User(_))
}

#[test]
fn a_log_is_not_filled_with_the_books_of_the_cli() {
    let captured = capture("2.1.326/multi-turn");
    let transcript = captured.transcripts().remove(0);
    let data = tempfile::tempdir().unwrap();
    let writer = Writer::open(Folder::new(data.path().join("s")), UnixMillis(0)).unwrap();
    let lacking = join(&mut Reader::after(writer.folder().clone(), 0).unwrap(), &transcript).unwrap();
    let kinds: Vec<String> = lacking.map(|entry| decode_as::<Entry>(entry.unwrap().line).body.full_kind()).collect();
    assert_eq!(kinds, ["user", "assistant", "user", "assistant", "user", "assistant"]);
}
