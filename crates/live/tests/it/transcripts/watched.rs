//! Watching: entries as they are written, whatever becomes of the files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use live::transcripts::{Changed, Dated, Entries, Known, Projects, Transcript, follow, watch};

use super::{Captured, capture};

/// How long the watchers rest; nothing here depends on it.
const PAUSE: Duration = Duration::from_millis(1);

fn entry(number: u32) -> String {
    format!(r#"{{"type":"user","uuid":"00000000-0000-4000-8000-{number:012}"}}"#)
}

fn write(path: &Path, text: &str) {
    File::options().create(true).append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// What is new.
fn new(entries: &mut Entries) -> Vec<String> {
    let next = || entries.next_entry().unwrap().map(|entry| entry.line.text().into_owned());
    std::iter::from_fn(next).collect()
}

#[test]
fn entries_are_given_as_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut entries = Entries::following(&Transcript::new(&path), Known::default());
    assert_eq!(new(&mut entries), [""; 0], "it is not there yet");
    write(&path, &format!("{}\n{}", entry(1), &entry(2)[..20]));
    assert_eq!(new(&mut entries), [entry(1)]);
    assert_eq!(new(&mut entries), [""; 0], "half a line is none");
    write(&path, &format!("{}\n\n{}\n", &entry(2)[20..], entry(3)));
    assert_eq!(new(&mut entries), [entry(2), entry(3)]);
    write(&path, &format!("{}\n", entry(3)));
    assert_eq!(new(&mut entries), [""; 0], "one that is known");
    let title = |title: &str| format!(r#"{{"type":"custom-title","customTitle":"{title}","sessionId":"s"}}"#);
    let (one, other) = (title("A"), title("B"));
    write(&path, &format!("{one}\n{}\n{one}\n{other}\n{one}\n{one}\n", entry(4)));
    assert_eq!(new(&mut entries), [&*one, &entry(4), &other, &one], "a title may come again, but not to repeat itself");
}

#[test]
fn a_file_that_is_cut_or_replaced_is_read_again_and_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let lines = |numbers: &[u32]| -> String { numbers.iter().map(|number| entry(*number) + "\n").collect() };
    let mut entries = Entries::following(&Transcript::new(&path), Known::default());
    let mode = "{\"type\":\"mode\",\"mode\":\"normal\"}\n";
    fs::write(&path, mode.to_owned() + &lines(&[1, 2, 3])).unwrap();
    assert_eq!(new(&mut entries).len(), 4);
    // Shorter than it was.
    fs::write(&path, mode.to_owned() + &lines(&[1, 4])).unwrap();
    assert_eq!(new(&mut entries), [entry(4)]);
    // Another file in its place, and longer.
    fs::write(folder.path().join("new"), mode.to_owned() + &lines(&[1, 4, 5, 6])).unwrap();
    fs::rename(folder.path().join("new"), &path).unwrap();
    assert_eq!(new(&mut entries), [entry(5), entry(6)]);
    // The same file with other lines, longer than it was.
    fs::write(&path, lines(&[10, 11, 12, 13]) + "\n\n" + &lines(&[14, 15, 16])).unwrap();
    assert_eq!(new(&mut entries).len(), 7);
    fs::remove_file(&path).unwrap();
    assert_eq!(new(&mut entries), [""; 0]);
    fs::write(&path, lines(&[16, 17])).unwrap();
    assert_eq!(new(&mut entries), [entry(17)]);
}

/// A captured session that a terminal writes again.
struct Terminal {
    config: tempfile::TempDir,
    from: PathBuf,
}

impl Terminal {
    fn new(captured: &Captured) -> Self {
        let config = tempfile::tempdir().unwrap();
        fs::create_dir_all(config.path().join("projects/-home-user-project")).unwrap();
        Terminal { config, from: captured.folder.clone() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.config.path().join("projects/-home-user-project").join(name)
    }

    /// The lines of a file.
    fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.from.join(name)).unwrap();
        text.split_inclusive('\n').map(str::to_owned).collect()
    }

    fn write(&self, name: &str, lines: &[String]) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        write(&self.path(name), &lines.concat());
    }
}

#[test]
fn what_a_subagent_says_comes_when_its_call_is_known() {
    for (version, agent) in [("2.1.1", "agent-a000001.jsonl"), ("2.1.326", "agent-b0000000000000001.jsonl")] {
        let terminal = Terminal::new(&capture(&format!("{version}/subagent")));
        let session = "00000000-0000-4000-8000-000000000001";
        let own = format!("{session}.jsonl");
        let agent = if version == "2.1.1" { agent.to_owned() } else { format!("{session}/subagents/{agent}") };
        let mut entries = Entries::following(&Transcript::new(terminal.path(&own)), Known::default());
        let lines = terminal.lines(&own);
        let names = lines.iter().position(|line| line.contains("toolUseResult")).unwrap();
        terminal.write(&own, &lines[..names]);
        assert_eq!(new(&mut entries).len(), names, "{version}");
        terminal.write(&agent, &terminal.lines(&agent));
        assert_eq!(new(&mut entries), [""; 0], "{version}");
        terminal.write(&own, &lines[names..]);
        let told = new(&mut entries);
        assert_eq!(told.len(), lines.len() - names + terminal.lines(&agent).len(), "{version}");
        assert_eq!(told.last().map(String::as_str), terminal.lines(&agent).last().map(|line| line.trim_end()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_a_terminal_holds_is_followed() {
    let terminal = Terminal::new(&capture("2.1.326/multi-turn"));
    let own = "00000000-0000-4000-8000-000000000001.jsonl";
    let lines = terminal.lines(own);
    let mut told = follow(&Transcript::new(terminal.path(own)), Known::default(), PAUSE);
    for line in &lines {
        terminal.write(own, std::slice::from_ref(line));
        let Dated { line: told, .. } = told.recv().await.unwrap().unwrap();
        assert_eq!(told.text(), line.trim_end());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_that_terminals_begin_appear() {
    let terminal = Terminal::new(&capture("2.1.326/multi-turn"));
    let mut told = watch(Projects::new(terminal.config.path()), PAUSE);
    let own = "00000000-0000-4000-8000-000000000001.jsonl";
    terminal.write(own, &terminal.lines(own));
    let mut title = None;
    while title.as_deref() != Some("one") {
        let Some(Changed::Session(row)) = told.recv().await else { panic!("nothing was told") };
        title = row.title;
    }
    fs::remove_file(terminal.path(own)).unwrap();
    while !matches!(told.recv().await, Some(Changed::Gone { .. })) {}
}
