//! The real CLI under the lab's hand.

use std::path::Path;
use std::time::Duration;

use lab::real::pinned_versions;
use lab::{Launch, Script, Stage};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_story_is_played_to_its_end() {
    let script =
        Script::new().calls("Bash", json!({"command": "touch made.txt", "description": "Make a file"})).says("Made.");
    let stage = Stage::new(pinned_versions()[0], script).await.unwrap();
    let mut session = stage.start(Launch::new().allowing()).await.unwrap();
    session.user("make it").await.unwrap();
    let result = session.wait_for("the result", |line| line["type"] == "result").await.unwrap();
    assert_eq!(result["result"], "Made.");
    assert_eq!(session.finish().await.unwrap().code, Some(0));
    assert!(stage.place.project().join("made.txt").exists());
    assert_eq!(stage.model.unused_replies(), 0);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_session_leaves_no_process_behind() {
    let script = Script::new().calls("Bash", json!({"command": "touch started; sleep 600", "description": "Wait"}));
    let newest = *pinned_versions().last().unwrap();
    let stage = Stage::new(newest, script).await.unwrap();
    let session = stage.start(Launch::new().args(["--permission-mode", "bypassPermissions"])).await.unwrap();
    session.user("go").await.unwrap();
    let started = stage.place.project().join("started");
    session.within("the command", until(|| started.exists())).await.unwrap();
    assert!(lives_in(stage.place.root()));
    drop(session);
    tokio::time::timeout(Duration::from_secs(30), until(|| !lives_in(stage.place.root()))).await.unwrap();
}

async fn until(test: impl Fn() -> bool) {
    while !test() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Whether a process has its working directory below a folder.
fn lives_in(root: &Path) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap();
    processes
        .filter_map(Result::ok)
        .any(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|folder| folder.starts_with(root)))
}
