//! The same session live and read from its transcript gives the same items.

use std::fs;
use std::path::{Path, PathBuf};

use insights::state::tool::ToolStatus;
use insights::state::{ItemBody, State};
use insights::{Record, UnixMillis};

use crate::fixtures::{VERSIONS, scenario};
use crate::play;
use crate::same_items::disagreements;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => all.extend(files(&entry)),
            false => all.push(entry),
        }
    }
    all.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    // The session's own file first: it says which call each subagent works for.
    all.sort_by_key(|file| (file.file_name().unwrap().to_string_lossy().starts_with("agent-"), file.clone()));
    all
}

/// The transcripts of a version: a folder for each session.
pub(crate) fn transcripts(version: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").join(version).join("transcripts");
    let sessions: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(sessions.len() >= 17, "{version}: only {} transcripts", sessions.len());
    sessions
}

/// The entries of a session's transcript.
pub(crate) fn entries(folder: &Path) -> Vec<Record> {
    let texts: Vec<String> = files(folder).iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let lines = (1..).zip(texts.iter().flat_map(|text| text.lines()));
    lines.map(|(seq, line)| Record::transcript(seq, UnixMillis(seq as i64), line)).collect()
}

fn imported(folder: &Path) -> State {
    play::state(&play::events(entries(folder)))
}

fn live(version: &'static str, name: &str) -> State {
    scenario(version, name).state()
}

#[test]
fn a_session_read_from_its_transcript_has_the_items_that_it_had_live() {
    let mut wrong = Vec::new();
    for version in VERSIONS {
        for session in transcripts(version) {
            let name = session.file_name().unwrap().to_string_lossy().into_owned();
            let read = imported(&session);
            assert!(read.items.iter().next().is_some(), "{version}/{name} has nothing to compare");
            for difference in disagreements(&live(version, &name), &read) {
                wrong.push(format!("{version}/{name} {difference}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_session_that_was_only_read_is_asleep() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli/2.1.326/transcripts/multi-turn");
    let state = imported(&folder);
    assert_eq!(state.status.words, "Asleep");
    assert_eq!(state.status.turn, None);
    assert_eq!(state.status.cwd.as_deref(), Some("/home/user/project"));
    assert_eq!(state.status.version.as_deref(), Some("2.1.326"));
    assert_eq!(state.status.title.as_deref(), Some("one"));
}

#[test]
fn a_subagent_in_the_background_has_ended_where_the_file_says_so() {
    for version in VERSIONS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").join(version);
        let state = imported(&folder.join("transcripts/background-subagent"));
        let agents = state.items.iter().filter_map(|item| match &item.body {
            ItemBody::Agent(agent) => Some((&agent.status, agent.result.as_ref()?.text.as_str())),
            _ => None,
        });
        // 2.1.1 keeps no more of it than that.
        let answer = if version == "2.1.1" { "Agent \"Count files\" completed." } else { "1 file." };
        assert_eq!(agents.collect::<Vec<_>>(), [(&ToolStatus::Completed, answer)], "{version}");
    }
}
