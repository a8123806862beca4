//! Files: rule 15, and of rule 17 that the data folder is for nobody.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use lab::agent::Story;
use rustix::fs::{FileType, Mode};
use serde_json::json;

use super::text::encoded;
use super::{message, session_until};
use crate::client::Client;
use crate::deck::Deck;

const SECRET: &str = "a secret that nobody may read";

async fn read(client: &Client, session: &str, path: &str) -> (u16, String) {
    let reply = client.get(&format!("/api/v1/sessions/{session}/file?path={path}")).await.unwrap();
    (reply.status, reply.text())
}

#[tokio::test]
async fn rule_15_files_are_read_in_the_working_directory_alone() {
    let deck = Deck::new(&Story::new()).await;
    let (work, outside) = (deck.work(), deck.path().join("outside"));
    std::fs::create_dir(&outside).unwrap();
    std::fs::create_dir(work.join("inner")).unwrap();
    std::fs::write(outside.join("secret"), SECRET).unwrap();
    std::fs::write(work.join("inner/file"), "text").unwrap();
    // A name that begins like the folder's own.
    std::fs::create_dir(deck.path().join("work-not")).unwrap();
    std::fs::write(deck.path().join("work-not/secret"), SECRET).unwrap();
    symlink("inner/file", work.join("link")).unwrap();
    symlink("../outside/secret", work.join("out")).unwrap();
    symlink(outside.join("secret"), work.join("out-absolute")).unwrap();
    symlink(&outside, work.join("out-folder")).unwrap();
    symlink("out-folder/secret", work.join("out-twice")).unwrap();
    symlink("loop", work.join("loop")).unwrap();
    symlink("/dev/zero", work.join("device")).unwrap();
    symlink("/proc/self/environ", work.join("environment")).unwrap();
    let pipe = work.join("pipe");
    let _server = deck.serve().await;
    let client = deck.client();
    let session = session_until(&deck, &client, "turn_complete").await;
    for good in ["inner/file", "./inner/../inner/file", "inner%2Ffile", "link", "%69nner/file"] {
        assert_eq!(read(&client, &session, good).await, (200, "text".to_owned()), "{good}");
    }
    let absolute = outside.join("secret").display().to_string();
    let inside_out = work.join("../outside/secret").display().to_string();
    let mut bad: Vec<String> = [
        "../outside/secret",
        "inner/../../outside/secret",
        "..%2Foutside%2Fsecret",
        "%2e%2e/outside/secret",
        "%2e%2e%2foutside%2fsecret",
        "..%252Foutside%252Fsecret",
        "..%5Coutside%5Csecret",
        "..%c0%afoutside%c0%afsecret",
        "....//outside/secret",
        "..;/outside/secret",
        "inner/file%00.txt",
        "..%00/outside/secret",
        "../work-not/secret",
        "out",
        "out-absolute",
        "out-folder/secret",
        "out-folder/../outside/secret",
        "out-twice",
        "loop",
        "device",
        "environment",
        "/proc/self/environ",
        "/dev/zero",
        "/etc/passwd",
        "file:///etc/passwd",
        "~/secret",
        ".",
        "inner",
        "",
        "%ff%fe",
    ]
    .map(str::to_owned)
    .to_vec();
    bad.extend([absolute, inside_out, encoded(&"../".repeat(40)), encoded(&"a/".repeat(5000))]);
    for bad in &bad {
        let (status, text) = read(&client, &session, bad).await;
        assert!([400, 404, 414].contains(&status), "{bad}: {status} {text}");
        assert!(!text.contains(SECRET) && !text.contains("root:"), "{bad}: {text}");
    }
    // It is not waited for whoever might write into it.
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    assert_eq!(read(&client, &session, "pipe").await.0, 404);
    // Names that `@` offers lead nowhere else, either.
    let found = client.get(&format!("/api/v1/sessions/{session}/files?text=secret&limit=500")).await.unwrap().good();
    assert_eq!(found, json!([]));
    for folder in ["../outside", "out-folder", "../work-not"] {
        let folder = encoded(&work.join(folder).display().to_string());
        assert_eq!(client.get(&format!("/api/v1/folders?path={folder}")).await.unwrap().status, 403, "{folder}");
    }
}

#[tokio::test]
async fn rule_15_a_link_that_is_swapped_in_between_leads_nowhere() {
    let deck = Deck::new(&Story::new()).await;
    let work = deck.work();
    for (folder, text) in [("work/good", "text"), ("outside", SECRET)] {
        std::fs::create_dir(deck.path().join(folder)).unwrap();
        std::fs::write(deck.path().join(folder).join("file"), text).unwrap();
    }
    let _server = deck.serve().await;
    let client = deck.client();
    let session = session_until(&deck, &client, "turn_complete").await;
    let _turning = Turning::start(work);
    let mut seen = [0, 0];
    // As long as it takes to have seen it both ways.
    while seen[0] < 20 || seen[1] < 20 {
        let (status, text) = read(&client, &session, "turning/file").await;
        assert!(!text.contains(SECRET), "{status} {text}");
        seen[usize::from(status == 200)] += 1;
    }
}

/// Turns a link to and fro, as fast as can be, until it is dropped.
struct Turning {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Turning {
    fn start(work: PathBuf) -> Turning {
        let over = Arc::new(AtomicBool::new(false));
        let is_over = over.clone();
        let turn = move || {
            while !is_over.load(Ordering::Relaxed) {
                for target in ["good", "../outside"] {
                    symlink(target, work.join("next")).unwrap();
                    std::fs::rename(work.join("next"), work.join("turning")).unwrap();
                }
            }
        };
        Turning { over, thread: Some(std::thread::spawn(turn)) }
    }
}

impl Drop for Turning {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.thread.take().map(JoinHandle::join);
    }
}

#[tokio::test]
async fn rule_15_the_data_folder_is_for_nobody() {
    let deck = Deck::new(&Story::new()).await;
    let (place, data) = (deck.path().canonicalize().unwrap(), deck.path().join("data").canonicalize().unwrap());
    // The worst place: a root that has the data folder in it, and an agent that works there.
    let root = place.display().to_string();
    let _server = deck.serve_with(&["--root", &root]).await;
    let client = deck.client();
    let start = json!({"options": {"cwd": place}, "message": message("go on")});
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].as_str().unwrap().to_owned();
    super::events_until(&client, &session, "turn_complete").await;
    std::fs::write(place.join("two"), "text").unwrap();
    std::fs::hard_link(place.join("two"), place.join("names")).unwrap();
    assert_eq!(read(&client, &session, "names").await, (200, "text".to_owned()), "others may have two names");
    let log = data.join("sessions").join(&session).join("log.jsonl");
    std::fs::hard_link(data.join("secrets/key"), place.join("hard-link")).unwrap();
    std::fs::hard_link(&log, place.join("hard-link-of-log")).unwrap();
    symlink("data/secrets/key", place.join("link")).unwrap();
    symlink("data", place.join("link-of-folder")).unwrap();
    let inner_log = format!("data/sessions/{session}/log.jsonl");
    let own = [
        "data/secrets/key",
        "data/desk.sqlite",
        "data/audit.jsonl",
        "data/server.lock",
        &inner_log,
        "hard-link",
        "hard-link-of-log",
        "link",
        "link-of-folder/secrets/key",
        "work/../data/secrets/key",
    ];
    for path in own {
        assert_eq!(read(&client, &session, path).await.0, 404, "{path}");
    }
    let found = client.get(&format!("/api/v1/sessions/{session}/files?text=key&limit=500")).await.unwrap().good();
    assert_eq!(found, json!([]));
    let folder = |path: &str| format!("/api/v1/folders?path={}", encoded(&place.join(path).display().to_string()));
    let listed = client.get(&folder("")).await.unwrap().good()["folders"].to_string();
    assert!(listed.contains("work") && !listed.contains("data"), "{listed}");
    for inner in ["data", "data/sessions", "link-of-folder", "data/nothing"] {
        let cwd = place.join(inner);
        assert_eq!(client.get(&folder(inner)).await.unwrap().status, 403, "{inner}");
        let start = client.post("/api/v1/sessions", &json!({"options": {"cwd": cwd}})).await.unwrap();
        assert_eq!(super::refusal(&start), super::refused(403, "outside_roots"), "{inner}");
        let more = json!({"options": {"cwd": place, "directories": [cwd]}});
        assert_eq!(client.post("/api/v1/sessions", &more).await.unwrap().status, 403, "{inner}");
        assert_eq!(client.post("/api/v1/roots", &json!({"path": cwd})).await.unwrap().status, 400, "{inner}");
    }
    let files = json!({"options": {"cwd": place, "mcpFiles": [data.join("desk.sqlite")]}});
    assert_eq!(client.post("/api/v1/sessions", &files).await.unwrap().status, 403);
}
