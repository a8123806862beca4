//! The desk: what the user says is kept, on every screen and in every process the same.

use std::collections::BTreeMap;
use std::fs;

use insights::UnixMillis;
use journal::{Among, Desk, DeskSession, Device, Draft, DraftPicture, Filter, HeldRow, SortBy};

use crate::support::{data, indexed};

const NOW: UnixMillis = UnixMillis(1000);
const LATER: UnixMillis = UnixMillis(2000);

#[test]
fn what_is_said_about_a_session_is_kept() {
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    assert_eq!(desk.session("s").unwrap(), DeskSession::default());
    desk.set_title("s", "  Ours ").unwrap();
    desk.archive("s", NOW).unwrap();
    desk.archive("s", LATER).unwrap();
    desk.set_seen("s", 12).unwrap();
    desk.set_seen("s", 7).unwrap();
    drop(desk);
    let mut desk = Desk::open(&data).unwrap();
    let said = DeskSession { title: Some("Ours".to_owned()), archived_at: Some(NOW), seen_seq: 12 };
    assert_eq!(desk.session("s").unwrap(), said);
    assert_eq!(desk.sessions().unwrap(), BTreeMap::from([("s".to_owned(), said)]));
    desk.set_title("s", " ").unwrap();
    desk.unarchive("s").unwrap();
    desk.set_unread("s").unwrap();
    assert_eq!(desk.session("s").unwrap(), DeskSession::default());
    desk.set_draft("s", "x", NOW).unwrap();
    desk.forget("s").unwrap();
    assert_eq!((desk.sessions().unwrap().len(), desk.draft("s").unwrap()), (0, None));
}

#[test]
fn a_draft_is_taken_once() {
    let (_place, data) = data();
    let mut here = Desk::open(&data).unwrap();
    let mut there = Desk::open(&data).unwrap();
    here.set_draft("s", "fix the", NOW).unwrap();
    here.set_draft("", "a new session", NOW).unwrap();
    there.set_draft("s", "fix the bug", LATER).unwrap();
    let draft = Draft { text: "fix the bug".to_owned(), changed_at: LATER };
    assert_eq!(here.draft("s").unwrap(), Some(draft.clone()));
    let sent = ["fix the bug, please", "fix the bug"];
    assert_eq!(here.take_draft("s", sent).unwrap(), Some(draft));
    assert_eq!(there.take_draft("s", sent).unwrap(), None);
    assert_eq!(there.draft("").unwrap().unwrap().text, "a new session");
    there.set_draft("", "", LATER).unwrap();
    assert_eq!(here.draft("").unwrap(), None);
}

#[test]
fn what_somebody_else_sends_leaves_a_draft_alone() {
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    desk.set_draft("s", "überall ein", NOW).unwrap();
    for words in ["go on", "", "ein", "Überall ein", "überall", "überall ein Fehler"] {
        assert_eq!(desk.take_draft("s", [words, ""]).unwrap(), None, "{words}");
    }
    assert_eq!(desk.take_draft("s", ["überall", "überall e"]).unwrap(), None, "that was another one");
    assert!(desk.take_draft("s", ["überall ein", ""]).unwrap().is_some());
}

#[test]
fn pictures_of_a_draft_are_kept_until_they_are_sent_or_taken_out() {
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    let picture = |id: &str, number, data: &str| DraftPicture {
        id: id.to_owned(),
        number,
        name: format!("{id}.png"),
        media_type: "image/png".to_owned(),
        data: data.to_owned(),
    };
    let (sea, sky, sun) = (picture("sea", 2, "AAAA"), picture("sky", 1, "BBBB"), picture("sun", 3, "CCCC"));
    for one in [&sea, &sky] {
        assert!(desk.set_draft_picture("s", one, 8).unwrap());
    }
    assert_eq!(desk.draft_pictures("s").unwrap(), [sky.clone(), sea.clone()]);
    // What is too much is not taken, and nothing goes for it; in another session it is not.
    assert!(!desk.set_draft_picture("s", &sun, 8).unwrap());
    assert!(desk.set_draft_picture("t", &sun, 8).unwrap());
    // The same one under another number is no second one.
    let last = DraftPicture { number: 4, ..sky };
    assert!(desk.set_draft_picture("s", &last, 8).unwrap());
    assert_eq!(desk.draft_pictures("s").unwrap(), [sea, last.clone()]);
    desk.take_draft_picture("s", "AAAA").unwrap();
    desk.take_draft_picture("s", "CCCC").unwrap();
    assert_eq!(desk.draft_pictures("s").unwrap(), [last]);
    desk.remove_draft_picture("s", "sky").unwrap();
    assert_eq!(desk.draft_pictures("s").unwrap(), []);
    assert_eq!(desk.draft_pictures("t").unwrap(), [sun]);
    desk.forget("t").unwrap();
    assert_eq!(desk.draft_pictures("t").unwrap(), []);
}

#[test]
fn settings_are_kept() {
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    desk.set_keybinding("palette", "ctrl+p").unwrap();
    desk.set_keybinding("palette", "ctrl+k").unwrap();
    desk.set_keybinding("stop", "escape").unwrap();
    desk.reset_keybinding("stop").unwrap();
    desk.set_preset("careful", r#"{"mode":"plan"}"#).unwrap();
    desk.set_preset("gone", "{}").unwrap();
    desk.remove_preset("gone").unwrap();
    desk.set_budget("day", 12.5).unwrap();
    desk.set_budget("gone", 1.0).unwrap();
    desk.remove_budget("gone").unwrap();
    desk.allow_root("/home/ada", NOW).unwrap();
    desk.allow_root("/home/ada", LATER).unwrap();
    desk.allow_root("/gone", NOW).unwrap();
    desk.forbid_root("/gone").unwrap();
    let mut desk = Desk::open(&data).unwrap();
    let pair = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    assert_eq!(desk.keybindings().unwrap(), pair("palette", "ctrl+k"));
    assert_eq!(desk.presets().unwrap(), pair("careful", r#"{"mode":"plan"}"#));
    assert_eq!(desk.budgets().unwrap(), BTreeMap::from([("day".to_owned(), 12.5)]));
    assert_eq!(desk.roots().unwrap(), ["/home/ada"]);
}

#[test]
fn a_device_is_known_by_the_digest_of_its_token() {
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    let phone = Device { id: "1".to_owned(), name: "phone".to_owned(), added_at: NOW, seen_at: None };
    desk.add_device(&phone, b"digest").unwrap();
    assert!(desk.add_device(&Device { id: "2".to_owned(), ..phone.clone() }, b"digest").is_err());
    assert_eq!(desk.device_with(b"digest").unwrap(), Some(phone.clone()));
    assert_eq!(desk.device_with(b"another").unwrap(), None);
    desk.device_seen("1", LATER).unwrap();
    assert_eq!(desk.devices().unwrap(), [Device { seen_at: Some(LATER), ..phone }]);
    desk.remove_device("1").unwrap();
    assert_eq!(desk.device_with(b"digest").unwrap(), None);
}

#[test]
fn archived_sessions_are_listed_apart_from_the_others() {
    let (_place, data, mut index) = indexed(&["2.1.326/resume", "2.1.326/rename", "2.1.326/plain-text"]);
    let mut desk = Desk::open(&data).unwrap();
    desk.archive("1", NOW).unwrap();
    let mut ids = |among| -> Vec<String> {
        let filter = Filter { among, ..Filter::default() };
        let page = index.list(&filter, SortBy::Created, 10, None).unwrap();
        page.rows.into_iter().map(|row| row.id).collect()
    };
    assert_eq!(ids(Among::Except(desk.archived().unwrap())), ["2", "0"]);
    assert_eq!(ids(Among::Only(desk.archived().unwrap())), ["1"]);
}

#[test]
fn a_desk_that_is_not_there_reads_as_an_empty_one_and_is_not_made() {
    let (_place, data) = data();
    let mut desk = Desk::reader(&data).unwrap();
    assert_eq!((desk.sessions().unwrap().len(), desk.draft("s").unwrap()), (0, None));
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
}

#[test]
fn the_files_of_the_desk_are_their_owners_only() {
    use std::os::unix::fs::PermissionsExt;
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    desk.set_title("s", "t").unwrap();
    for entry in fs::read_dir(data.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.file_name());
    }
}

#[test]
fn prompts_wait_in_their_order_and_each_once() {
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    let row = |id: &str| HeldRow { id: id.to_owned(), line: format!("say {id}"), by: None, at: NOW };
    for id in ["a", "b", "c"] {
        assert!(desk.hold("s", &row(id)).unwrap());
    }
    assert!(!desk.hold("s", &HeldRow { line: "something else".to_owned(), ..row("b") }).unwrap(), "it waits already");
    desk.hold("t", &row("a")).unwrap();
    let order = |desk: &mut Desk| desk.held("s").unwrap().into_iter().map(|row| row.id).collect::<Vec<_>>().concat();
    assert_eq!(desk.held("s").unwrap(), [row("a"), row("b"), row("c")]);
    let mut moved = |id: &str, before: Option<&str>| desk.move_held("s", id, before).unwrap().then(|| order(&mut desk));
    assert_eq!(moved("c", Some("a")).as_deref(), Some("cab"));
    assert_eq!(moved("c", None).as_deref(), Some("abc"));
    assert_eq!(moved("b", Some("b")).as_deref(), Some("abc"));
    assert_eq!(moved("a", Some("c")).as_deref(), Some("bac"));
    assert_eq!(moved("a", Some("nobody")), None);
    assert_eq!(moved("nobody", None), None);
    assert_eq!(order(&mut desk), "bac");
    desk.hold("s", &row("d")).unwrap();
    assert_eq!(order(&mut desk), "bacd", "who comes last is last");
    assert!(desk.change_held("s", "a", "say more").unwrap());
    assert!(!desk.change_held("s", "nobody", "say more").unwrap());
    assert!(desk.let_go("s", "b").unwrap());
    assert!(!desk.let_go("s", "b").unwrap());
    drop(desk);
    let mut desk = Desk::open(&data).unwrap();
    let lines: Vec<String> = desk.held("s").unwrap().into_iter().map(|row| row.line).collect();
    assert_eq!(lines, ["say more", "say c", "say d"]);
    desk.forget("s").unwrap();
    assert_eq!((desk.held("s").unwrap().len(), desk.held("t").unwrap().len()), (0, 1));
}

#[test]
fn the_word_to_go_on_is_kept_and_never_taken_back() {
    let (_place, data) = data();
    let mut desk = Desk::open(&data).unwrap();
    assert_eq!(desk.go_on_seq("s").unwrap(), 0);
    desk.set_go_on_seq("s", 7).unwrap();
    desk.set_go_on_seq("s", 5).unwrap();
    desk.set_title("s", "A title").unwrap();
    assert_eq!(Desk::open(&data).unwrap().go_on_seq("s").unwrap(), 7);
}
