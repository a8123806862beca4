//! The table of processes, as the system shows it: a process in; its parent, and whether it lives, out. Linux only: elsewhere
//! nothing is known of any process.

/// The parent of a process; none if there is no such process.
pub fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.1.parse().ok()
}

/// Does the process run? One that has ended, and of which only its parent has not taken note, does not.
pub fn lives(pid: u32) -> bool {
    stat(pid).is_some_and(|(state, _)| state != "Z")
}

/// The state and the parent of a process.
fn stat(pid: u32) -> Option<(String, String)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in brackets and may hold anything, brackets too.
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    Some((words.next()?.to_owned(), words.next()?.to_owned()))
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
