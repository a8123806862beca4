//! `quarterdeck sessions` and `doctor`, on sessions that were run and on transcripts of the CLI.

use std::path::{Path, PathBuf};

use lab::agent::{Story, Turn};
use serde_json::{Value, json};

use crate::home::Home;
use crate::pty::Terminal;

fn story() -> Story {
    let call = Turn::new().calls("Bash", json!({"command": "echo harbour"})).unasked().giving("harbour");
    Story::new().turn(call.says("The ship is in the harbour."))
}

#[tokio::test]
async fn a_session_is_run_listed_found_shown_exported_packed_and_removed() {
    let home = Home::new(&story()).await;
    assert_eq!(home.says(&["sessions", "list"]), "");
    let said = home.says(&["run", "Where is the ship?"]);
    assert_eq!(said, "The ship is in the harbour.\n");

    let listed = home.says(&["sessions", "list", "--json"]);
    let row: Value = serde_json::from_str(listed.trim()).unwrap();
    let id = row["id"].as_str().unwrap();
    assert_eq!((row["title"].as_str(), row["turns"].as_u64()), (Some("Where is the ship?"), Some(1)));
    let table = home.says(&["sessions", "list"]);
    assert!(table.contains(&id[..8]) && table.contains("Where is the ship?"), "{table}");
    assert!(home.says(&["sessions", "list", "harb"]).contains("harbour"));
    assert_eq!(home.says(&["sessions", "list", "submarine"]), "");

    let data = journal::Data::open(home.data()).unwrap();
    journal::Desk::open(&data).unwrap().set_title(id, "Lost at sea").unwrap();
    assert!(home.says(&["sessions", "list"]).contains("Lost at sea"));

    let short = &id[..6];
    let shown = home.says(&["sessions", "show", short]);
    assert!(shown.starts_with("# Where is the ship?"), "{shown}");
    let state: Value = serde_json::from_str(&home.says(&["sessions", "show", short, "--json"])).unwrap();
    assert_eq!(state["meters"]["turns"], 1);

    let markdown = home.says(&["sessions", "export", short]);
    for part in ["## User", "### Bash", "echo harbour", "The ship is in the harbour."] {
        assert!(markdown.contains(part), "{part} is missing in {markdown}");
    }
    let events = home.says(&["sessions", "export", short, "--form", "events"]);
    let first: Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    assert!(first["event"].is_string(), "{first}");
    let records = home.says(&["sessions", "export", short, "--form", "records"]);

    assert!(home.says(&["sessions", "pack", short]).starts_with("1 packed"));
    assert_eq!(home.says(&["sessions", "export", short, "--form", "records"]), records);
    let file = home.place.path().join("out.md");
    let file = file.to_str().unwrap();
    home.says(&["sessions", "export", short, "-o", file]);
    assert_eq!(std::fs::read_to_string(file).unwrap(), markdown);
    assert!(home.complains(&["sessions", "export", short, "-o", file]).contains("out.md"), "nothing is overwritten");

    assert!(home.complains(&["sessions", "rm", short]).contains("--force"));
    home.says(&["sessions", "rm", "--force", short]);
    assert_eq!(home.says(&["sessions", "list"]), "");
    assert!(home.complains(&["sessions", "show", short]).contains("there is no session"));
}

#[tokio::test]
async fn events_of_a_run_are_json_lines() {
    let home = Home::new(&story()).await;
    let said = home.says(&["run", "--json", "Where is the ship?"]);
    let events: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    for kind in ["session_init", "text", "tool_invocation", "turn_complete"] {
        assert!(kinds.contains(&kind), "{kind} is missing in {kinds:?}");
    }
}

#[tokio::test]
async fn texts_of_a_turn_are_paragraphs() {
    let turn = Turn::new().says("- one\n- two").says("Both ends.\n").says("Done.");
    let home = Home::new(&Story::new().turn(turn)).await;
    assert_eq!(home.says(&["run", "Sail!"]), "- one\n- two\n\nBoth ends.\n\nDone.\n");
}

#[tokio::test]
async fn what_ends_badly_has_an_exit_code() {
    let home = Home::new(&Story::new().turn(Turn::new().complains("out of coal").dies(9))).await;
    let died = home.quarterdeck(&["run", "Sail!"]);
    assert_eq!(died.status.code(), Some(3), "{died:?}");
    let told = String::from_utf8(died.stderr).unwrap();
    assert!(told.contains("out of coal"), "{told}");
    let nothing = home.complains(&["run", "--cwd", "/no/such/folder", "Sail!"]);
    assert!(nothing.contains("/no/such/folder"), "{nothing}");
    let unknown = home.complains(&["run", "--resume", "nobody", "Sail!"]);
    assert!(unknown.contains("nobody"), "{unknown}");
    let mode = home.complains(&["run", "--mode", "pirate", "Sail!"]);
    assert_eq!(mode, "error: the permission mode: `pirate` is not known\n");
    let effort = home.complains(&["run", "--effort", "lazy", "Sail!"]);
    assert_eq!(effort, "error: the effort: `lazy` is not known\n");
    assert_eq!(home.complains(&["run", " "]), "error: the prompt is empty\n");
}

#[tokio::test]
async fn an_index_of_a_newer_version_is_left_alone_and_sessions_run_all_the_same() {
    let home = Home::new(&story()).await;
    home.says(&["run", "Where is the ship?"]);
    home.says(&["sessions", "list"]);
    let file = home.data().join("index.sqlite");
    // Where such a file has its version.
    let mut newer = std::fs::read(&file).unwrap();
    newer[60] = 0x7f;
    std::fs::write(&file, &newer).unwrap();
    let told = home.complains(&["sessions", "list"]);
    assert!(told.contains("newer version") && told.contains("hint: use that version"), "{told}");
    assert_eq!(home.says(&["run", "And now?"]), "The ship is in the harbour.\n");
    let doctor = home.says(&["doctor"]);
    assert!(doctor.contains("! index") && doctor.contains("newer version"), "{doctor}");
    assert_eq!(std::fs::read(&file).unwrap(), newer);
}

/// A command that takes a while.
struct Work<'a> {
    arguments: &'a [&'a str],
    /// Gives it something to do, the first time and once more.
    prepare: &'a dyn Fn(bool),
    /// What is seen meanwhile, and after.
    meanwhile: &'a str,
    after: &'a str,
}

#[tokio::test]
async fn who_waits_at_a_terminal_sees_how_far_it_is_and_nobody_else() {
    let home = Home::new(&story()).await;
    home.says(&["run", "Where is the ship?"]);
    let listed: Value = serde_json::from_str(&home.says(&["sessions", "list", "--json"])).unwrap();
    let id = listed["id"].as_str().unwrap();
    let project = home.path().join(".claude/projects/-work");
    std::fs::create_dir_all(&project).unwrap();
    let [first, second] = [0, 1].map(a_captured_transcript);
    let forget_index = || std::fs::remove_file(home.data().join("index.sqlite")).unwrap();
    let import = |file: &PathBuf| _ = std::fs::copy(file, project.join(file.file_name().unwrap())).unwrap();
    let go_on = |again: bool| {
        if again {
            home.says(&["run", "--resume", id, "And now?"]);
        }
    };
    let works = [
        Work {
            arguments: &["sessions", "list"],
            prepare: &|_| forget_index(),
            meanwhile: "indexing: 1 of 1 sessions",
            after: "Where is the ship?",
        },
        Work {
            arguments: &["sessions", "pack", id],
            prepare: &go_on,
            meanwhile: "packing: 1 of 1 sessions",
            after: "1 packed",
        },
        Work {
            arguments: &["sessions", "import"],
            prepare: &|again| import(if again { &second } else { &first }),
            meanwhile: "importing: ",
            after: "1 session with",
        },
    ];
    for Work { arguments, prepare, meanwhile, after } in works {
        prepare(false);
        let mut terminal = Terminal::start(arguments, home.path(), home.environment());
        assert_eq!(terminal.leaves().await, Some(0), "{}", terminal.seen);
        let shown = format!("\r\x1b[K{meanwhile}");
        let at = terminal.seen.find(&shown).unwrap_or_else(|| panic!("`{shown}` is not in {:?}", terminal.seen));
        let rest = &terminal.seen[at + shown.len()..];
        assert!(rest.contains("\r\x1b[K") && rest.contains(after), "it goes, and the answer stays: {rest:?}");
        prepare(true);
        let output = home.quarterdeck(arguments);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(after), "{output:?}");
    }
    let mut terminal = Terminal::start(&["sessions", "list"], home.path(), home.environment());
    terminal.leaves().await;
    assert!(!terminal.seen.contains('\x1b'), "nothing was to be done: {:?}", terminal.seen);
}

#[tokio::test]
async fn transcripts_of_terminals_are_imported_once() {
    let home = Home::new(&story()).await;
    let project = home.place.path().join(".claude/projects/-work");
    std::fs::create_dir_all(&project).unwrap();
    let file = a_captured_transcript(0);
    std::fs::copy(&file, project.join(file.file_name().unwrap())).unwrap();
    let first = home.says(&["sessions", "import"]);
    assert!(first.starts_with("1 session with "), "{first}");
    assert_eq!(home.says(&["sessions", "import"]), "0 sessions with 0 new entries\n");
    let listed = home.says(&["sessions", "list", "--json"]);
    let row: Value = serde_json::from_str(listed.trim()).unwrap();
    assert_eq!(row["id"].as_str(), file.file_stem().and_then(|name| name.to_str()));
    let missing = home.complains(&["sessions", "import", "no-such-session"]);
    assert!(missing.contains("no-such-session"), "{missing}");
}

#[tokio::test]
async fn the_last_conversation_of_the_folder_is_gone_on_with() {
    let home = Home::new(&story()).await;
    let nothing = home.complains(&["run", "--continue", "And now?"]);
    assert!(nothing.contains("nothing to go on with"), "{nothing}");
    assert!(home.complains(&["run", "--take-over", "And now?"]).contains("--continue"));
    let project = home.place.path().join(".claude/projects/-work");
    std::fs::create_dir_all(&project).unwrap();
    let id = "11111111-2222-4333-8444-555555555555";
    let message = json!({"role": "user", "content": "Where did she sail?"});
    let entry = json!({"type": "user", "message": message, "sessionId": id, "uuid": id,
        "cwd": home.path().canonicalize().unwrap()});
    std::fs::write(project.join(format!("{id}.jsonl")), format!("{entry}\n")).unwrap();
    assert_eq!(home.says(&["run", "--continue", "Where is the ship?"]), "The ship is in the harbour.\n");
    let listed = home.says(&["sessions", "list", "--json"]);
    let row: Value = serde_json::from_str(listed.trim()).unwrap();
    assert_eq!(row["id"], id, "one session, and its history is in it");
    let shown = home.says(&["sessions", "show", id]);
    assert!(shown.contains("Where did she sail?") && shown.contains("The ship is in the harbour."), "{shown}");
}

/// One of the captured transcripts.
fn a_captured_transcript(number: usize) -> PathBuf {
    let captured = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli/2.1.326/transcripts");
    let mut found = transcripts(&captured);
    found.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
    // Many have the same id, and there is one session for an id.
    found.dedup_by(|one, other| one.file_name() == other.file_name());
    found.swap_remove(number)
}

/// The transcripts below a folder, subagents' files aside.
fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(transcripts(&path));
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    found.retain(|path| !path.to_string_lossy().contains("agent"));
    found.sort();
    found
}

#[tokio::test]
async fn the_doctor_says_what_is_there_and_what_is_not() {
    let home = Home::new(&story()).await;
    let told = home.says(&["doctor"]);
    // How full the disk is, is the machine's own affair.
    for part in ["✓ claude", "✓ start", "✓ data", " disk ", "✓ sockets"] {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
    let healthy: Value = serde_json::from_str(&home.says(&["doctor", "--json"])).unwrap();
    assert_eq!(healthy[0]["outcome"], "good");
    let missing = Home { program: "/no/such/claude".into(), ..home };
    let output = missing.quarterdeck(&["doctor"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("✗ claude") && told.contains("npm install"), "{told}");
    assert!(told.contains("looked at /no/such/claude"), "{told}");
}
