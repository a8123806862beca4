//! Who is a child of this process: `/proc` comes in as a hint, and those whom the kernel confirms go out.
//!
//! Runs after a fork and keeps to the rules of `guardian.rs`. The lists of `/proc` may be short of one that was born
//! meanwhile, or number processes as another container sees them. Neither does harm: callers look again until the kernel
//! says that there are no children, and `waitid` knows for each number whether it is a child's.

use std::ffi::CStr;

use libc::pid_t;

use super::system::{self, File};

/// The children of this thread, in decimal, with a space after each. There only when the kernel was built with it.
const CHILDREN: &CStr = c"/proc/thread-self/children";

/// All processes, as folders.
const PROCESSES: &CStr = c"/proc";

/// The bytes before the name in an entry that `getdents64` gives: inode, offset, length and type.
const NAME_AT: usize = 19;

/// Where the length of such an entry stands, in two bytes.
const LENGTH_AT: usize = 16;

/// Calls `visit` for each child of this process, with those who have ended and are not reaped yet.
pub(super) fn each(mut visit: impl FnMut(pid_t)) {
    if !listed(&mut visit) {
        searched(&mut visit);
    }
}

/// From the kernel's own list of children. False when there is none.
fn listed(visit: &mut impl FnMut(pid_t)) -> bool {
    let Some(file) = File::open(CHILDREN) else { return false };
    let mut buffer = [0; 1024];
    let mut number = Number::default();
    loop {
        let bytes = file.read(&mut buffer);
        if bytes.is_empty() {
            break;
        }
        for byte in bytes {
            if *byte == b' ' {
                confirm(number.take(), visit);
            } else {
                number.push(*byte);
            }
        }
    }
    confirm(number.take(), visit);
    true
}

/// From all processes there are: slower, and there wherever `/proc` is.
fn searched(visit: &mut impl FnMut(pid_t)) {
    let Some(folder) = File::open(PROCESSES) else { return };
    let mut buffer = [0; 4096];
    loop {
        let mut entries = folder.read_entries(&mut buffer);
        if entries.is_empty() {
            return;
        }
        while let Some(entry) = first_entry(entries) {
            let mut number = Number::default();
            let name = entry.get(NAME_AT..).unwrap_or_default();
            name.iter().take_while(|byte| **byte != 0).for_each(|byte| number.push(*byte));
            confirm(number.take(), visit);
            entries = entries.get(entry.len()..).unwrap_or_default();
        }
    }
}

fn first_entry(entries: &[u8]) -> Option<&[u8]> {
    let length = entries.get(LENGTH_AT..)?.first_chunk()?;
    let length = usize::from(u16::from_ne_bytes(*length));
    entries.get(..length).filter(|entry| entry.len() > NAME_AT)
}

fn confirm(pid: Option<pid_t>, visit: &mut impl FnMut(pid_t)) {
    if let Some(pid) = pid.filter(|pid| system::is_child(*pid)) {
        visit(pid);
    }
}

/// A decimal number, read digit by digit.
#[derive(Default)]
struct Number {
    value: pid_t,
    spoiled: bool,
}

impl Number {
    fn push(&mut self, byte: u8) {
        let digit = pid_t::from(byte.wrapping_sub(b'0'));
        let next = self.value.checked_mul(10).and_then(|value| value.checked_add(digit));
        match next.filter(|_| digit < 10) {
            Some(value) => self.value = value,
            None => self.spoiled = true,
        }
    }

    /// The number, if digits and only digits came since the last one was taken.
    fn take(&mut self) -> Option<pid_t> {
        let Self { value, spoiled } = std::mem::take(self);
        (!spoiled && value > 0).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{Program, command};

    /// The kernel lists children by thread, so the child is started and looked for on one thread.
    #[tokio::test]
    async fn both_ways_find_a_child_and_nobody_else() {
        let mut child = command(&Program { path: "cat".into(), ..Program::default() })
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let pid = pid_t::try_from(child.id().unwrap()).unwrap();
        // Others on this thread may have left children of theirs for a while.
        for way in [found_by_list, found_by_search] {
            let found = way();
            assert!(found.contains(&pid));
            assert!(!found.contains(&1) && !found.contains(&system::own_pid()));
        }
        drop(child.stdin.take());
        child.wait().await.unwrap();
        assert!(!found_by_list().contains(&pid) && !found_by_search().contains(&pid));
    }

    fn found_by_list() -> Vec<pid_t> {
        let mut found = Vec::new();
        assert!(listed(&mut |pid| found.push(pid)), "this kernel lists children");
        found
    }

    fn found_by_search() -> Vec<pid_t> {
        let mut found = Vec::new();
        searched(&mut |pid| found.push(pid));
        found
    }

    #[test]
    fn numbers_are_digits_and_nothing_else() {
        let read = |text: &str| {
            let mut number = Number::default();
            text.bytes().for_each(|byte| number.push(byte));
            number.take()
        };
        assert_eq!(read("4194304"), Some(4_194_304));
        assert_eq!(read(""), None);
        assert_eq!(read("0"), None);
        assert_eq!(read("self"), None);
        assert_eq!(read("12a"), None);
        assert_eq!(read("99999999999"), None);
    }
}
