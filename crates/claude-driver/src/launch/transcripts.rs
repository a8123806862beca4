//! Where a session was: the CLI finds a session to resume only from the folder in which it ran, so that folder is looked up.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// How many lines of a transcript are looked at: the folder is in the first that is a message.
const HEAD: usize = 50;

/// The folder in which a session ran, from its transcript below `config` (mostly `~/.claude`); none if there is no
/// transcript, or if the folder is gone.
pub(crate) fn folder_of(session: &str, config: &Path) -> Option<PathBuf> {
    let transcript = find_transcript(&config.join("projects"), session)?;
    let lines = BufReader::new(File::open(transcript).ok()?).lines().take(HEAD);
    let folder = lines.map_while(Result::ok).find_map(|line| {
        let entry: serde_json::Value = serde_json::from_str(&line).ok()?;
        entry["cwd"].as_str().map(PathBuf::from)
    })?;
    folder.is_dir().then_some(folder)
}

/// The transcript of a session below the folder of all projects, mostly `~/.claude/projects`; the last written, if there are
/// several. `None` if there is none, or if this can be no id of a session.
pub fn find_transcript(projects: &Path, session: &str) -> Option<PathBuf> {
    // A name of a session, or a path, is for the CLI to make sense of.
    if session.is_empty() || !session.chars().all(|character| character.is_ascii_hexdigit() || character == '-') {
        return None;
    }
    let name = format!("{session}.jsonl");
    let paths = fs::read_dir(projects).ok()?.flatten().map(|project| project.path().join(&name));
    // What is no file cannot be read to its end.
    let there = paths.filter_map(|path| Some((fs::metadata(&path).ok().filter(fs::Metadata::is_file)?, path)));
    let newest = there.max_by_key(|(file, path)| (file.modified().ok(), path.clone()));
    newest.map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_read_from_the_transcript_if_it_is_still_there() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("projects/-work");
        fs::create_dir_all(&project).unwrap();
        let write = |id: &str, folder: &Path| {
            let first = r#"{"type":"queue-operation"}"#;
            let second = serde_json::json!({"type": "user", "cwd": folder});
            fs::write(project.join(format!("{id}.jsonl")), format!("{first}\n{second}\n")).unwrap();
        };
        write("aa-1", home.path());
        write("bb-2", Path::new("/no/such/folder"));
        assert_eq!(folder_of("aa-1", home.path()), Some(home.path().to_owned()));
        assert_eq!(folder_of("bb-2", home.path()), None);
        assert_eq!(folder_of("cc-3", home.path()), None);
        assert_eq!(folder_of("../aa-1", home.path()), None);
    }

    #[test]
    fn of_several_transcripts_the_last_written_counts() {
        let home = tempfile::tempdir().unwrap();
        let at = |project: &str| home.path().join(project).join("aa-1.jsonl");
        let moment = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        for (project, seconds) in [("-one", 2), ("-two", 3), ("-three", 1)] {
            fs::create_dir(home.path().join(project)).unwrap();
            let file = File::create(at(project)).unwrap();
            file.set_modified(moment + std::time::Duration::from_secs(seconds)).unwrap();
        }
        assert_eq!(find_transcript(home.path(), "aa-1"), Some(at("-two")));
        assert_eq!(find_transcript(home.path(), "bb-2"), None);
        assert_eq!(find_transcript(home.path(), "../-two/aa-1"), None);
    }
}
