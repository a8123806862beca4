//! The files in which users, projects and plugins describe subagents: the options of a session in; out comes one that asks for no
//! permission, if there is one.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use claude_driver::Version;

use crate::bypass::agent_bypasses;
use crate::options::Options;

/// The oldest version of which it is known that a subagent has no more rights than its session. Measured: 2.1.1, 2.1.29 and
/// 2.1.38 let it do without asking what its file wants it to, also where the mode is taken away by settings.
const BOUND_SINCE: Version = Version::new(2, 1, 325);

/// The most bytes of a file that are read, and the most files and folders that are looked at.
const MOST_BYTES: u64 = 1024 * 1024;
const MOST_FILES: usize = 20_000;

/// The tool that starts subagents, as versions before that call it.
pub(crate) const SUBAGENTS: &str = "Task";

/// Whether this version does what the file of a subagent says of permissions.
pub(crate) fn are_believed(version: &Version) -> bool {
    *version < BOUND_SINCE
}

/// A file with a subagent that asks for no permission, where the CLI would find one; also what cannot be looked at to its end.
pub(crate) fn one_that_bypasses(options: &Options, config: Option<&Path>) -> Option<PathBuf> {
    let above = options.cwd.iter().flat_map(|cwd| cwd.ancestors());
    let projects = above.chain(options.directories.iter().chain(&options.project_config_root).map(PathBuf::as_path));
    let mut folders: Vec<PathBuf> = projects.map(|project| project.join(".claude/agents")).collect();
    folders.extend(config.into_iter().flat_map(|config| [config.join("agents"), config.join("plugins")]));
    folders.extend(options.plugin_dirs.iter().cloned());
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            looked_at += 1;
            // Links are followed, also such as lead in a circle.
            let Ok(found) = path.metadata() else { continue };
            if looked_at > MOST_FILES {
                return Some(path);
            } else if found.is_dir() {
                folders.push(path);
            } else if found.is_file() && path.extension().is_some_and(|kind| kind == "md") && bypasses(&path) {
                return Some(path);
            }
        }
    }
    None
}

fn bypasses(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    read.is_ok() && agent_bypasses(&String::from_utf8_lossy(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIRATE: &str = "---\nname: pirate\npermissionMode: bypassPermissions\n---\nTake it.\n";

    #[test]
    fn a_subagent_that_asks_for_no_permission_is_found_wherever_the_cli_finds_it() {
        for file in [
            "project/inner/.claude/agents/pirate.md",
            "project/.claude/agents/crew/pirate.md",
            "other/.claude/agents/pirate.md",
            "config/agents/pirate.md",
            "config/plugins/cache/ship/agents/pirate.md",
            "plugin/agents/pirate.md",
        ] {
            let place = tempfile::tempdir().unwrap();
            let at = |path: &str| place.path().join(path);
            let options = Options {
                cwd: Some(at("project/inner")),
                directories: vec![at("other")],
                plugin_dirs: vec![at("plugin")],
                ..Options::default()
            };
            let found = || one_that_bypasses(&options, Some(&at("config")));
            fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            fs::write(at(file).with_file_name("cook.md"), "---\nname: cook\npermissionMode: plan\n---\n").unwrap();
            assert_eq!(found(), None);
            fs::write(at(file), PIRATE).unwrap();
            assert_eq!(found(), Some(at(file)));
        }
    }

    #[test]
    fn a_folder_without_an_end_counts_as_one_that_bypasses() {
        let place = tempfile::tempdir().unwrap();
        let agents = place.path().join(".claude/agents");
        fs::create_dir_all(&agents).unwrap();
        for link in ["one", "two"] {
            std::os::unix::fs::symlink(".", agents.join(link)).unwrap();
        }
        let options = Options { cwd: Some(place.path().to_owned()), ..Options::default() };
        assert!(one_that_bypasses(&options, None).is_some());
    }
}
