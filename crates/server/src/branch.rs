//! What git has checked out where a session works: a folder in; the name of the branch out, or the beginning of a commit.
//!
//! Git itself is not asked, since a repository can name programs for it to run. What it would say stands in small files, which an
//! agent can write, too: so they are opened by the guard, read only so far, and believed only in git's own form.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::guard::Roots;

/// The longest file that is read: a path or a name, and a few words.
const MOST_BYTES: u64 = 8 * 1024;

/// The longest name that is told.
const LONGEST_NAME: usize = 255;

/// So many digits of a commit are told.
const SHORT: usize = 7;

/// The branch that is checked out in the repository of a folder, given by its true place; of a commit without a branch, how that
/// begins. The repository may begin further up, but not above the folders that agents may work in.
pub(crate) fn checked_out(folder: &Path, roots: &Roots) -> Option<String> {
    let mut above = folder.ancestors().take_while(|above| roots.place(above).is_ok());
    let top = above.find(|above| above.join(".git").symlink_metadata().is_ok())?;
    let head = match read(roots, top, ".git") {
        Some(link) => read(roots, &linked(roots, top, &link)?, "HEAD"),
        None => read(roots, top, ".git/HEAD"),
    };
    told(&head?)
}

/// The folder that the file `.git` of a worktree or of a submodule names. Anybody can write such a file: outside of the folders
/// that agents may work in it is followed only to a repository that names this worktree, too.
fn linked(roots: &Roots, top: &Path, link: &str) -> Option<PathBuf> {
    let folder = top.join(link.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
    let is_known = || roots.place(&folder).is_ok();
    let names_us = || {
        let back = read(roots, &folder, "gitdir")?;
        let back = folder.join(back.trim()).canonicalize().ok()?;
        (back == top.join(".git")).then_some(())
    };
    (is_known() || names_us().is_some()).then_some(folder)
}

/// A short text; nothing of a longer one, whose end might say something else.
fn read(roots: &Roots, folder: &Path, path: &str) -> Option<String> {
    let file = roots.open(folder, Path::new(path)).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    (text.len() as u64 <= MOST_BYTES).then_some(text)
}

/// What `HEAD` says, if it says it as git does.
fn told(head: &str) -> Option<String> {
    let head = head.strip_suffix('\n').unwrap_or(head);
    if let Some(name) = head.strip_prefix("ref: refs/heads/") {
        return is_name(name).then(|| name.to_owned());
    }
    let is_commit = [40, 64].contains(&head.len()) && head.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_commit { head.get(..SHORT).map(str::to_owned) } else { None }
}

/// Could git have a branch of this name? A repository that keeps its names elsewhere says `.invalid` here, which is none.
fn is_name(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_letter = |letter: char| !letter.is_control() && !letter.is_whitespace() && !"~^:?*[\\".contains(letter);
    name.len() <= LONGEST_NAME && name.split('/').all(is_part) && name.chars().all(is_letter) && !name.contains("..")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    /// A place with a folder `root` that agents may work in.
    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Place {
            let place = Place(tempfile::tempdir().unwrap());
            std::fs::create_dir(place.path("root")).unwrap();
            place
        }

        fn path(&self, path: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(path)
        }

        fn write(&self, path: &str, text: impl AsRef<[u8]>) {
            std::fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
            std::fs::write(self.path(path), text).unwrap();
        }

        fn branch(&self, folder: &str) -> Option<String> {
            let roots = Roots::new([self.path("root")], &self.path("root/data"));
            checked_out(&self.path(folder), &roots)
        }
    }

    #[test]
    fn head_names_a_branch_or_a_commit() {
        let sha256 = "ab".repeat(32);
        let cases = [
            ("ref: refs/heads/main\n", Some("main")),
            ("ref: refs/heads/fix/span-overflow\n", Some("fix/span-overflow")),
            ("ref: refs/heads/grün\n", Some("grün")),
            ("ref: refs/heads/main", Some("main")),
            (&format!("{COMMIT}\n"), Some("0123456")),
            (&sha256, Some("abababa")),
        ];
        for (head, expected) in cases {
            let place = Place::new();
            place.write("root/.git/HEAD", head);
            assert_eq!(place.branch("root").as_deref(), expected, "{head:?}");
        }
    }

    #[test]
    fn what_git_would_not_write_is_not_told() {
        let long = format!("ref: refs/heads/{}", "x".repeat(256));
        let huge = format!("ref: refs/heads/main\n{}", " ".repeat(10_000));
        let cases = [
            "",
            "\n",
            "main\n",
            "ref: refs/heads/\n",
            "ref: refs/heads/.invalid\n",
            "ref: refs/heads/a//b\n",
            "ref: refs/heads/a..b\n",
            "ref: refs/heads/a b\n",
            "ref: refs/heads/a\u{1b}[31mb\n",
            "ref: refs/heads/a\nb\n",
            "ref: refs/heads/a\0\n",
            "ref: refs/remotes/origin/main\n",
            "0123456789abcdef\n",
            "root:x:0:0:root:/root:/bin/bash\n",
            &"g".repeat(40),
            &long,
            &huge,
        ];
        for head in cases {
            let place = Place::new();
            place.write("root/.git/HEAD", head);
            assert_eq!(place.branch("root"), None, "{head:?}");
        }
        let place = Place::new();
        place.write("root/.git/HEAD", b"ref: refs/heads/\xff\n");
        assert_eq!(place.branch("root"), None);
    }

    #[test]
    fn a_folder_inside_of_a_repository_has_its_branch_and_one_of_no_repository_has_none() {
        let place = Place::new();
        std::fs::create_dir_all(place.path("root/src/inner")).unwrap();
        assert_eq!(place.branch("root/src/inner"), None);
        place.write("root/.git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(place.branch("root/src/inner").as_deref(), Some("main"));
        // A repository of its own, in which there is nothing yet, is not that of the folder above.
        std::fs::create_dir(place.path("root/src/.git")).unwrap();
        assert_eq!(place.branch("root/src/inner"), None);
    }

    #[test]
    fn above_the_folders_that_agents_may_work_in_nothing_is_looked_at() {
        let place = Place::new();
        place.write(".git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(place.branch("root"), None);
    }

    #[test]
    fn a_worktree_has_the_branch_that_its_repository_keeps_for_it() {
        let place = Place::new();
        let git = place.path("main/.git/worktrees/tree");
        place.write("main/.git/worktrees/tree/HEAD", "ref: refs/heads/tide\n");
        place.write("root/.git", format!("gitdir: {}\n", git.display()));
        // The repository is elsewhere, and does not know of this worktree.
        assert_eq!(place.branch("root"), None);
        place.write("main/.git/worktrees/tree/gitdir", format!("{}\n", place.path("other/.git").display()));
        assert_eq!(place.branch("root"), None);
        for known in [place.path("root/.git").display().to_string(), "../../../../root/.git".to_owned()] {
            place.write("main/.git/worktrees/tree/gitdir", format!("{known}\n"));
            assert_eq!(place.branch("root").as_deref(), Some("tide"), "{known}");
        }
    }

    #[test]
    fn a_submodule_has_the_branch_that_the_repository_around_it_keeps_for_it() {
        let place = Place::new();
        place.write("root/.git/modules/part/HEAD", format!("{COMMIT}\n"));
        place.write("root/part/.git", "gitdir: ../.git/modules/part\n");
        assert_eq!(place.branch("root/part").as_deref(), Some("0123456"));
    }

    #[test]
    fn links_lead_nowhere_and_a_pipe_is_not_waited_for() {
        let place = Place::new();
        place.write("outside/HEAD", "ref: refs/heads/secret\n");
        symlink(place.path("outside"), place.path("root/.git")).unwrap();
        assert_eq!(place.branch("root"), None);
        std::fs::remove_file(place.path("root/.git")).unwrap();
        for link in ["gitdir: ../outside", "gitdir: /dev", "gitdir: ", "gitdir: \0", "elsewhere", &"x".repeat(10_000)] {
            place.write("root/.git", link);
            assert_eq!(place.branch("root"), None, "{link:?}");
        }
        std::fs::remove_file(place.path("root/.git")).unwrap();
        std::fs::create_dir(place.path("root/.git")).unwrap();
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR);
        rustix::fs::mknodat(rustix::fs::CWD, place.path("root/.git/HEAD"), kind, mode, 0).unwrap();
        assert_eq!(place.branch("root"), None);
    }
}
