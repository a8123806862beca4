//! The list: what a row says, and that nothing can make it fail.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use live::transcripts::{Changed, Listed, Projects};

use super::{capture, captured};

const ONE: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const TWO: &str = "bbbbbbbb-0000-4000-8000-000000000002";

/// A folder of a CLI with one project.
struct Config {
    folder: tempfile::TempDir,
}

impl Config {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("projects/-work")).unwrap();
        Config { folder }
    }

    fn projects(&self) -> Projects {
        Projects::new(self.folder.path())
    }

    fn path(&self, session: &str) -> PathBuf {
        self.folder.path().join("projects/-work").join(format!("{session}.jsonl"))
    }

    fn write(&self, session: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(session), content).unwrap();
    }

    fn row(&self, content: impl AsRef<[u8]>) -> Listed {
        self.write(ONE, content);
        let mut rows = self.projects().list();
        assert_eq!(rows.len(), 1);
        rows.remove(0)
    }
}

fn prompt(text: &str) -> String {
    let entry = serde_json::json!({
        "parentUuid": null, "isSidechain": false, "cwd": "/work", "sessionId": ONE, "version": "2.1.1",
        "gitBranch": "main", "type": "user", "message": {"role": "user", "content": text}, "uuid": ONE,
    });
    format!("{entry}\n")
}

fn titles(rows: &[Listed]) -> Vec<Option<&str>> {
    rows.iter().map(|row| row.title.as_deref()).collect()
}

#[test]
fn a_captured_session_is_listed_with_what_a_person_knows_it_by() {
    let multi_turn = capture("2.1.326/multi-turn").at_home();
    let rows = Projects::new(multi_turn.path()).list();
    let path = multi_turn.path().join("projects/-home-user-project/00000000-0000-4000-8000-000000000001.jsonl");
    let meta = fs::metadata(&path).unwrap();
    let expected = Listed {
        session: "00000000-0000-4000-8000-000000000001".to_owned(),
        cwd: Some("/home/user/project".to_owned()),
        title: Some("one".to_owned()),
        first_prompt: Some("one".to_owned()),
        modified_at: rows[0].modified_at,
        bytes: meta.len(),
        version: Some("2.1.326".to_owned()),
        git_branch: Some("main".to_owned()),
        path,
    };
    assert_eq!(rows, [expected]);
    let modified = meta.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(rows[0].modified_at.0, modified.as_millis() as i64);
}

#[test]
fn captured_sessions_of_all_versions_are_listed_and_their_subagents_are_not() {
    for captured in captured() {
        let config = captured.at_home();
        let mut rows = Projects::new(config.path()).list();
        rows.sort_by(|one, other| one.session.cmp(&other.session));
        let sessions: Vec<String> = captured.transcripts().iter().map(|transcript| transcript.session()).collect();
        assert_eq!(rows.iter().map(|row| row.session.clone()).collect::<Vec<_>>(), sessions, "{}", captured.name);
        for row in rows {
            let name = &captured.name;
            assert_eq!(row.cwd.as_deref(), Some("/home/user/project"), "{name}");
            assert_eq!(row.version.as_deref(), name.split('/').next(), "{name}");
            assert!(row.first_prompt.is_some() && row.title.is_some(), "{name}: {row:?}");
            assert!(!row.title.unwrap().contains('<'), "{name}: a title in tags of the CLI");
        }
    }
}

#[test]
fn a_title_that_was_given_counts_more_than_what_was_said() {
    let config = Config::new();
    let said = prompt("\n  hello\nthere ");
    let custom =
        |title: &str| format!("{{\"type\":\"custom-title\",\"customTitle\":\"{title}\",\"sessionId\":\"s\"}}\n");
    let filling = "{\"type\":\"mode\",\"mode\":\"normal\"}\n".repeat(3000);
    assert_eq!(config.row(&said).title.as_deref(), Some("hello"));
    assert_eq!(config.row(&said).first_prompt.as_deref(), Some("hello\nthere"));
    let summary = "{\"type\":\"summary\",\"summary\":\"A greeting\",\"leafUuid\":\"u\"}\n";
    assert_eq!(config.row(format!("{summary}{said}")).title.as_deref(), Some("A greeting"));
    let two = format!("{said}{}{filling}{}", custom("A"), custom("B"));
    assert_eq!(config.row(two).title.as_deref(), Some("B"));
    let early = format!("{said}{}{filling}", custom("A"));
    assert_eq!(config.row(early).title.as_deref(), Some("A"));
    let command = r"<command-name>/model</command-name>\n<command-args>best</command-args>";
    let first = prompt("x").replace(r#""x""#, &format!("\"{command}\""));
    assert_eq!(config.row(&first).title.as_deref(), Some("/model best"));
    assert_eq!(config.row(first + &said).title.as_deref(), Some("hello"));
}

#[test]
fn a_first_line_longer_than_what_is_read_still_says_what_was_said() {
    let config = Config::new();
    let row = config.row(prompt(&format!("hello \u{e9} {}", "\u{20ac}".repeat(100_000))));
    assert!(row.first_prompt.unwrap().starts_with("hello \u{e9} \u{20ac}"));
    assert_eq!((row.cwd.as_deref(), row.version.as_deref()), (Some("/work"), Some("2.1.1")));
    // Newer versions say where it was after what was said: then the end of the file tells.
    let later = r#"{"type":"assistant","message":{"content":[]},"cwd":"/work","version":"2.1.326","gitBranch":"main"}"#;
    let huge = format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{}\"}}}}\n{later}\n", "x".repeat(100_000));
    let row = config.row(huge);
    assert_eq!((row.cwd.as_deref(), row.git_branch.as_deref()), (Some("/work"), Some("main")));
    assert!(row.title.unwrap().starts_with("xxx"));
}

#[test]
fn nothing_in_the_folder_makes_the_list_fail() {
    let config = Config::new();
    let projects = config.folder.path().join("projects");
    let id = |number: u32| format!("cccccccc-0000-4000-8000-{number:012}");
    config.write(ONE, prompt("hello"));
    config.write(&id(1), "");
    config.write(&id(2), [0xff, 0xfe, b'\n', 0x80]);
    config.write(&id(3), "no JSON\n{\"type\":\n\n\n[]\n");
    config.write(&id(4), prompt("side").replace("\"isSidechain\":false", "\"isSidechain\":true"));
    let sparse = File::create(config.path(&id(5))).unwrap();
    sparse.set_len(1 << 30).unwrap();
    symlink(config.path("nowhere"), config.path(&id(6))).unwrap();
    symlink(config.path(&id(7)), config.path(&id(7))).unwrap();
    fs::create_dir(config.path(&id(8))).unwrap();
    fs::write(projects.join("-work/notes.jsonl"), prompt("notes")).unwrap();
    fs::write(projects.join("-work/agent-a1.jsonl"), prompt("agent")).unwrap();
    fs::write(projects.join("stray.jsonl"), "stray").unwrap();
    symlink(&projects, projects.join("-circle")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join(format!("{TWO}.jsonl")), prompt("linked")).unwrap();
    symlink(elsewhere.path(), projects.join("-elsewhere")).unwrap();
    make_pipe(&config.path(&id(9)));

    let mut rows = config.projects().list();
    rows.sort_by(|one, other| one.session.cmp(&other.session));
    let listed: Vec<&str> = rows.iter().map(|row| &*row.session).collect();
    assert_eq!(listed, [ONE, TWO, &id(1), &id(2), &id(3), &id(5)]);
    assert_eq!(titles(&rows), [Some("hello"), Some("linked"), None, None, None, None]);
    assert_eq!(Projects::new(config.folder.path().join("nothing")).list(), []);
}

#[expect(clippy::disallowed_methods, reason = "only a program of the system makes a pipe without unsafe code")]
fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn a_session_that_is_in_two_folders_is_listed_once_where_it_was_last_written() {
    let config = Config::new();
    config.write(ONE, prompt("old"));
    let old = File::open(config.path(ONE)).unwrap();
    old.set_modified(std::time::UNIX_EPOCH).unwrap();
    let moved = config.folder.path().join("projects/-moved");
    fs::create_dir(&moved).unwrap();
    fs::write(moved.join(format!("{ONE}.jsonl")), prompt("new")).unwrap();
    assert_eq!(titles(&config.projects().list()), [Some("new")]);
    assert!(config.projects().find(ONE).unwrap().path().starts_with(&moved));
}

#[test]
fn a_session_is_found_by_its_id_and_by_nothing_else() {
    let config = Config::new();
    config.write(ONE, prompt("hello"));
    fs::write(config.folder.path().join("outside.jsonl"), "").unwrap();
    let found = config.projects().find(ONE).unwrap();
    assert_eq!((found.path(), found.session()), (&*config.path(ONE), ONE.to_owned()));
    assert_eq!(config.projects().find(TWO), None);
    assert_eq!(config.projects().find("../../outside"), None);
    assert_eq!(config.projects().find(""), None);
}

#[test]
fn changes_are_told_once() {
    let config = Config::new();
    config.write(ONE, prompt("one"));
    let mut projects = config.projects();
    let told = |projects: &mut Projects| -> Vec<(String, Option<String>)> {
        let title = |change: &Changed| match change {
            Changed::Session(row) => row.title.clone(),
            Changed::Gone { .. } => None,
        };
        projects.changes().iter().map(|change| (change.session().to_owned(), title(change))).collect()
    };
    assert_eq!(told(&mut projects), [(ONE.to_owned(), Some("one".to_owned()))]);
    assert_eq!(told(&mut projects), []);
    config.write(TWO, prompt("two"));
    assert_eq!(told(&mut projects), [(TWO.to_owned(), Some("two".to_owned()))]);
    config.write(ONE, prompt("one, and more"));
    assert_eq!(told(&mut projects), [(ONE.to_owned(), Some("one, and more".to_owned()))]);
    fs::remove_file(config.path(ONE)).unwrap();
    assert_eq!(told(&mut projects), [(ONE.to_owned(), None)]);
    assert_eq!(told(&mut projects), []);
}

#[test]
fn a_file_that_is_as_it_was_is_not_read_again() {
    let config = Config::new();
    config.write(ONE, prompt("hello"));
    let mut projects = config.projects();
    let before = projects.list();
    // Other words of the same length, and the time of the old ones: whoever reads it would tell.
    let modified = fs::metadata(config.path(ONE)).unwrap().modified().unwrap();
    config.write(ONE, prompt("HELLO"));
    File::options().append(true).open(config.path(ONE)).unwrap().set_modified(modified).unwrap();
    assert_eq!(projects.list(), before);
    assert_eq!(titles(&config.projects().list()), [Some("HELLO")]);
}
