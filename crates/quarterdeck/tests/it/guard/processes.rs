//! The processes of a session as `/proc` shows them, and how a server ends that must not start.

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Child;

/// The exit code of a server that has to end by itself, and what it printed. One that starts prints its address, and is killed.
pub(super) async fn ended_at_once(child: &mut Child) -> (Option<i32>, String) {
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).await.unwrap();
    if !first.is_empty() {
        child.kill().await.unwrap();
        return (None, format!("it started: {first}"));
    }
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).await.unwrap();
    (child.wait().await.unwrap().code(), words)
}

/// What the system tells of a process, as text; nothing, if it has gone.
pub(super) fn told(pid: &str, file: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default()).into_owned()
}

/// The program that a process runs.
pub(super) fn program(pid: &str) -> String {
    let file = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The processes that name a folder, and those below them: of a session its keeper, its agent, and who stands in between.
pub(super) fn family(folder: &str) -> Vec<String> {
    let all = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name());
    let all: Vec<String> = all.filter_map(|name| name.into_string().ok()).collect();
    let mut family: Vec<String> = all.iter().filter(|pid| told(pid, "cmdline").contains(folder)).cloned().collect();
    for _ in 0..3 {
        let is_child = |pid: &&String| {
            let parent =
                told(pid, "status").lines().find_map(|line| Some(line.strip_prefix("PPid:")?.trim().to_owned()));
            !family.contains(*pid) && parent.is_some_and(|parent| family.contains(&parent))
        };
        let children: Vec<String> = all.iter().filter(is_child).cloned().collect();
        family.extend(children);
    }
    let agents = family.iter().filter(|pid| told(pid, "cmdline").contains("stream-json")).count();
    assert!(agents > 0, "no agent was found among {family:?}");
    family
}
