//! Reading: captured transcripts as records, and their import into a session folder.

use std::fs;

use insights::{HostFact, Record, Source, UnixMillis};
use journal::{Folder, Writer};
use live::transcripts::{Transcript, import};

use super::{capture, captured, log, state};
use crate::same_items::disagreements;

fn lines(transcript: &Transcript) -> usize {
    fs::read_to_string(transcript.path()).unwrap().lines().count()
}

#[test]
fn a_session_is_read_with_its_subagents_after_it() {
    for version in ["2.1.1", "2.1.29", "2.1.326"] {
        let captured = capture(&format!("{version}/subagent"));
        let transcript = captured.transcripts().remove(0);
        let records: Vec<Record> = transcript.records().map(Result::unwrap).collect();
        let path = transcript.path().to_string_lossy().into_owned();
        let fact = HostFact::Imported { path, session: Some(transcript.session()) };
        let at = UnixMillis::from_iso("2026-01-01T00:00:00.000Z").unwrap();
        assert_eq!(records[0], Record::host(1, at, &fact), "{version}");
        assert!(records[1..].iter().all(|record| record.source == Source::Transcript && record.at == at));
        assert!(records.iter().zip(1..).all(|(record, seq)| record.seq == seq));
        let of_the_agent = &records[1 + lines(&transcript)..];
        assert!(of_the_agent.len() > 3, "{version}");
        assert!(of_the_agent.iter().all(|record| record.line.text().contains(r#""agentId""#)), "{version}");
    }
}

#[test]
fn in_one_folder_each_session_has_its_own_subagents() {
    let home = capture("2.1.1/subagent").at_home();
    let project = home.path().join("projects/-home-user-project");
    let other = project.join("dddddddd-0000-4000-8000-000000000001.jsonl");
    fs::write(&other, "{\"type\":\"mode\"}\n").unwrap();
    assert_eq!(Transcript::new(other).records().count(), 2);
}

#[test]
fn a_torn_line_is_skipped_until_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let read = |content: &str| -> Vec<String> {
        fs::write(&path, content).unwrap();
        let records = Transcript::new(&path).records().skip(1);
        records.map(|record| record.unwrap().line.text().into_owned()).collect()
    };
    assert_eq!(read("{\"uuid\":\"a\"}\n\n  \n{\"uuid\":\"b\",\"x"), [r#"{"uuid":"a"}"#]);
    assert_eq!(read("{\"uuid\":\"a\"}\r\n{\"uuid\":\"b\"}"), [r#"{"uuid":"a"}"#, r#"{"uuid":"b"}"#]);
    assert_eq!(read("no JSON\n{}\n"), ["no JSON", "{}"]);
    assert_eq!(read(""), [""; 0]);
}

#[test]
fn an_entry_without_a_time_stands_at_that_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let dated = |second: u32| format!("{{\"timestamp\":\"1970-01-01T00:00:0{second}.000Z\"}}\n");
    fs::write(&path, format!("{{\"n\":1}}\n{}{{\"n\":2}}\n{}{{\"n\":3}}\n", dated(1), dated(2))).unwrap();
    let times: Vec<i64> = Transcript::new(path).records().map(|record| record.unwrap().at.0).collect();
    assert_eq!(times, [1000, 1000, 1000, 1000, 2000, 2000]);
}

#[test]
fn an_import_is_the_session_and_a_second_one_adds_what_is_new() {
    for captured in captured() {
        let name = &captured.name;
        for transcript in captured.transcripts() {
            let data = tempfile::tempdir().unwrap();
            let folder = Folder::new(data.path().join(transcript.session()));
            let mut writer = Writer::open(folder.clone(), UnixMillis(7)).unwrap();
            let all: Vec<Record> = transcript.records().map(Result::unwrap).collect();
            // A terminal has written the first half so far.
            let half = data.path().join(format!("{}.jsonl", transcript.session()));
            let text = fs::read_to_string(transcript.path()).unwrap();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            fs::write(&half, lines[..lines.len() / 2].concat()).unwrap();
            let first = import(&mut writer, UnixMillis(8), &Transcript::new(&half)).unwrap();
            let second = import(&mut writer, UnixMillis(9), &transcript).unwrap();
            assert_eq!(first + second, all.len() as u64 - 1, "{name}");
            let after = writer.last_seq();
            assert_eq!(import(&mut writer, UnixMillis(10), &transcript).unwrap(), 0, "{name}");
            assert_eq!(writer.last_seq(), after, "{name}: an import of nothing leaves nothing");
            let kept: Vec<Record> = log(&folder);
            let lines_of = |records: &[Record]| -> Vec<String> {
                let entries = records.iter().filter(|record| record.source == Source::Transcript);
                entries.map(|record| record.line.text().into_owned()).collect()
            };
            assert_eq!(lines_of(&kept), lines_of(&all), "{name}");
            assert_eq!(disagreements(&state(kept), &state(all)), [""; 0], "{name}");
        }
    }
}
