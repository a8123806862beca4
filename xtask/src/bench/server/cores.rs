//! Two cores for all who take part, on whatever machine: what is promised is promised for two.

use std::fs;

use crate::{process, talk};

/// This process and all that it starts, on two cores; on those that it had before, when it is dropped.
pub(super) struct Pinned {
    before: Option<String>,
    now: Option<String>,
}

impl Pinned {
    /// The first two of those that it may have. Where that cannot be done, it is said, and the figures tell it.
    pub(super) fn to_two_cores() -> Pinned {
        let before = allowed();
        let now = before.as_deref().and_then(first_two).filter(|two| pin(two));
        if now.is_none() {
            talk::say("error: could not keep to two cores (by `taskset`): the figures are those of all of them");
        }
        Pinned { before, now }
    }

    /// The cores, if it is pinned to any.
    pub(super) fn cores(&self) -> Option<String> {
        self.now.clone()
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let (Some(before), Some(_)) = (&self.before, &self.now) {
            pin(before);
        }
    }
}

/// The cores that this process may have, as the system writes them: `0-3,8`.
fn allowed() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).map(|list| list.trim().to_owned())
}

/// All threads that there are; those to come, and other processes, have it from them.
fn pin(cores: &str) -> bool {
    let mut taskset = process::command("taskset");
    process::output(taskset.args(["-a", "-c", "-p", cores]).arg(std::process::id().to_string())).is_ok()
}

/// The first two of a list, if there are two.
fn first_two(list: &str) -> Option<String> {
    let cores = list.split(',').flat_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let numbers = first.parse::<u32>().ok().zip(last.parse::<u32>().ok());
        numbers.into_iter().flat_map(|(first, last)| first..=last)
    });
    let two: Vec<String> = cores.take(2).map(|core| core.to_string()).collect();
    (two.len() == 2).then(|| two.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_cores_of_a_list() {
        let two = ["0-1", "0-63", "3,5-7", "2,4,6", "7"].map(first_two);
        assert_eq!(two.map(Option::unwrap_or_default), ["0,1", "0,1", "3,5", "2,4", ""]);
    }
}
