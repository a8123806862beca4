//! The table of processes, as the system shows it: a process in; its parent, when it was started, and whether it lives, out.
//! Linux only: elsewhere nothing is known of any process.

/// The parent of a process; none if there is no such process.
pub fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// Does the process run? One that has ended, and of which only its parent has not taken note, does not.
pub fn lives(pid: u32) -> bool {
    stat(pid).is_some_and(|words| words.first().is_some_and(|state| state != "Z"))
}

/// When the process was started, in the system's ticks since its own start: tells it from one that had its number before.
pub fn started(pid: u32) -> Option<String> {
    stat(pid)?.get(19).cloned()
}

/// What the system says of a process: its state, its parent, and more.
fn stat(pid: u32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in brackets and may hold anything, brackets too.
    Some(stat.rsplit_once(')')?.1.split_whitespace().map(ToOwned::to_owned).collect())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_child_has_us_as_its_parent_and_does_not_live_when_it_has_ended() {
        #[expect(clippy::disallowed_methods, reason = "a process that these tests must see, and nothing else")]
        let mut child = std::process::Command::new("sh")
            .args(["-c", "read line"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        assert_eq!(parent(child.id()), Some(std::process::id()));
        assert!(lives(child.id()));
        drop(child.stdin.take());
        // Nobody has taken note of its end yet, so it is still in the table.
        while lives(child.id()) {
            std::thread::yield_now();
        }
        assert_eq!(parent(child.id()), Some(std::process::id()));
        child.wait().unwrap();
        assert_eq!(parent(child.id()), None);
        assert!(!lives(child.id()));
    }
}
