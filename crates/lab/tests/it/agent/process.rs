//! The program `scripted-agent`: what only a process can do.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use lab::agent::{
    IN_FILE, Ignored, OUT_FILE, RECORD_VARIABLE, SCRIPT_VARIABLE, Story, Turn, VERSION_VARIABLE, program,
};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

use super::host::prompt;

/// The flags a host gives.
const FLAGS: &str = "--output-format stream-json --input-format stream-json --verbose --permission-prompt-tool stdio";

/// A folder that is gone when the test is done.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("lab-agent-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[expect(clippy::disallowed_methods, reason = "the test is about a process")]
async fn start(folder: &Path, story: &Story) -> Child {
    let script = folder.join("story.json");
    std::fs::write(&script, serde_json::to_string(story).unwrap()).unwrap();
    let mut command = Command::new(program().await.unwrap());
    command.args(FLAGS.split_whitespace()).env(SCRIPT_VARIABLE, script).env(RECORD_VARIABLE, folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command.spawn().unwrap()
}

/// Sends a prompt, closes the input and waits for the end.
async fn prompted(mut child: Child) -> Output {
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{}\n", prompt("go")).as_bytes()).await.unwrap();
    drop(stdin);
    child.wait_with_output().await.unwrap()
}

fn last_type(lines: &[u8]) -> Value {
    let last = std::str::from_utf8(lines).unwrap().lines().last().unwrap();
    serde_json::from_str::<Value>(last).unwrap()["type"].clone()
}

#[tokio::test]
async fn the_version_is_told_like_the_cli_tells_it() {
    #[expect(clippy::disallowed_methods, reason = "the test is about a process")]
    let mut command = Command::new(program().await.unwrap());
    assert_eq!(command.arg("--version").output().await.unwrap().stdout, b"2.1.325 (Claude Code)\n");
    command.env(VERSION_VARIABLE, "3.0.1");
    assert_eq!(command.output().await.unwrap().stdout, b"3.0.1 (Claude Code)\n");
}

#[tokio::test]
async fn a_turn_over_pipes_leaves_every_line_in_the_side_files() {
    let folder = Folder::new();
    let story = Story::new().turn(Turn::new().says("Hello.").complains("a warning"));
    let output = prompted(start(&folder.0, &story).await).await;
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(last_type(&output.stdout), "result");
    assert_eq!(output.stderr, b"a warning\n");
    assert_eq!(std::fs::read(folder.0.join(OUT_FILE)).unwrap(), output.stdout);
    assert_eq!(std::fs::read_to_string(folder.0.join(IN_FILE)).unwrap(), format!("{}\n", prompt("go")));
}

#[tokio::test]
async fn a_scripted_death_comes_after_everything_was_written() {
    let folder = Folder::new();
    let story = Story::new().turn(Turn::new().floods(50_000).dies(7));
    let output = prompted(start(&folder.0, &story).await).await;
    assert_eq!(output.status.code(), Some(7));
    assert!(output.stdout.iter().filter(|byte| **byte == b'\n').count() > 50_000);
    assert_eq!(std::fs::read(folder.0.join(OUT_FILE)).unwrap(), output.stdout);
}

#[cfg(unix)]
#[tokio::test]
async fn an_agent_kills_itself_in_the_middle_of_a_line() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::new();
    let story = Story::new().turn(Turn::new().says("Hello.").writes_part("{\"ty").is_killed());
    let output = prompted(start(&folder.0, &story).await).await;
    assert_eq!(output.status.signal(), Some(9));
    assert!(output.stdout.ends_with(b"\n{\"ty"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_polite_signal_ends_an_agent_unless_it_is_ignored() {
    use rustix::process::{Pid, Signal, kill_process};
    for (story, code) in [(Story::new(), 143), (Story::new().ignoring(Ignored::Sigterm), 0)] {
        let folder = Folder::new();
        let mut child = start(&folder.0, &story.says("Hello.")).await;
        // Once it has answered, it listens to signals.
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(format!("{}\n", prompt("go")).as_bytes()).await.unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next_line().await.unwrap().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
        if code == 0 {
            drop(stdin);
        }
        assert_eq!(child.wait().await.unwrap().code(), Some(code));
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_that_is_left_behind_outlives_the_agent_in_a_session_of_its_own() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = Folder::new();
    let file = folder.0.join("pid");
    let story = Story::new().turn(Turn::new().leaves_behind(&["sleep", "1000"], &file).dies(1));
    assert_eq!(prompted(start(&folder.0, &story).await).await.status.code(), Some(1));
    let pid: i32 = std::fs::read_to_string(&file).unwrap().parse().unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    assert!(stat.contains("sleep") || stat.contains("setsid"), "{stat}");
}
