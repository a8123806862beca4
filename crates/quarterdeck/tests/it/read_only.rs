//! A data folder in which nothing can be written: each command says so in a sentence, and leaves everything as it is.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use lab::agent::{Story, Turn};
use serde_json::Value;

use crate::home::Home;

/// A way to make a folder one that cannot be written to. Modes do not bind the superuser, and not every container lets
/// one mount: one of these works everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// By the modes of the files: for everyone but the superuser.
    Modes,
    /// By a mount that can only be read, in a namespace of its own.
    Mount,
    /// By the modes, as somebody else.
    SomebodyElse,
}

/// Mounts the folder onto itself, to be read only, and becomes the program after it.
const MOUNT: &str = r#"mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@""#;

struct Closed {
    home: Home,
    way: Way,
}

impl Closed {
    #[expect(clippy::print_stderr, reason = "who reads of a failure wants to know which way was taken")]
    fn new(home: Home) -> Closed {
        let mut closed = Closed { home, way: Way::Modes };
        if rustix::process::geteuid().is_root() {
            closed.way = Way::Mount;
            let mounted = closed.quarterdeck(&["--version"]);
            if !mounted.status.success() {
                closed.way = Way::SomebodyElse;
            }
        }
        eprintln!("the data folder is closed by {:?}", closed.way);
        if closed.way != Way::Mount {
            // Somebody else must get to it, and read it.
            set_modes(closed.home.path(), 0o755, 0o644);
            set_modes(&closed.home.data(), 0o555, 0o444);
        }
        closed
    }

    fn quarterdeck(&self, arguments: &[&str]) -> Output {
        let data = self.home.data();
        let before: &[&str] = match self.way {
            Way::Modes => &[],
            Way::Mount => {
                &["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT, data.to_str().unwrap()]
            }
            Way::SomebodyElse => &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
        };
        self.home.quarterdeck_by(before, arguments)
    }

    /// What is said on stderr when it goes wrong.
    fn complains(&self, arguments: &[&str]) -> String {
        let output = self.quarterdeck(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("harbour"), "no agent was asked: {output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("error: ") && told.lines().count() <= 2, "one sentence, and perhaps a hint: {told}");
        assert!(told.contains("cannot be written to"), "{told}");
        told
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        // So that it can be removed.
        set_modes(&self.home.data(), 0o755, 0o644);
    }
}

fn set_modes(path: &Path, folder: u32, file: u32) {
    if !path.is_dir() {
        return fs::set_permissions(path, Permissions::from_mode(file)).unwrap();
    }
    fs::set_permissions(path, Permissions::from_mode(folder | 0o700)).unwrap();
    fs::read_dir(path).unwrap().flatten().for_each(|entry| set_modes(&entry.path(), folder, file));
    fs::set_permissions(path, Permissions::from_mode(folder)).unwrap();
}

/// All files below a folder, and what is in them.
fn files(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(path).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(files(&path).into_iter().chain([(path, Vec::new())])),
            path => _ = found.insert(path.clone(), fs::read(path).unwrap()),
        }
    }
    found
}

fn story() -> Story {
    Story::new().turn(Turn::new().says("The ship is in the harbour."))
}

#[tokio::test]
async fn what_was_kept_can_be_looked_at_and_nothing_else_is_done() {
    let home = Home::new(&story()).await;
    home.says(&["run", "Where is the ship?"]);
    let listed = home.says(&["sessions", "list", "--json"]);
    let row: Value = serde_json::from_str(&listed).unwrap();
    let id = row["id"].as_str().unwrap();
    let before = files(&home.data());
    let closed = Closed::new(home);
    let says = |arguments: &[&str]| {
        let output = closed.quarterdeck(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(says(&["sessions", "list", "--json"]), listed);
    assert!(says(&["sessions", "list", "harbour"]).contains("harbour"));
    assert!(says(&["sessions", "show", id]).starts_with("# Where is the ship?"));
    assert!(says(&["sessions", "export", id]).contains("The ship is in the harbour."));

    closed.complains(&["run", "Where is it now?"]);
    closed.complains(&["run", "--resume", id, "Where is it now?"]);
    closed.complains(&["sessions", "pack", id]);
    closed.complains(&["sessions", "rm", "--force", id]);
    let doctor = closed.quarterdeck(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1), "{doctor:?}");
    let told = String::from_utf8(doctor.stdout).unwrap();
    assert!(told.contains("✗ data") && told.contains("cannot be written to") && told.contains("--data"), "{told}");
    assert_eq!(files(&closed.home.data()), before, "nothing has changed, and nothing is half there");
}

#[tokio::test]
async fn an_empty_folder_that_cannot_be_written_to_says_so() {
    let home = Home::new(&story()).await;
    fs::create_dir(home.data()).unwrap();
    let closed = Closed::new(home);
    closed.complains(&["run", "Where is the ship?"]);
    closed.complains(&["sessions", "list"]);
    assert!(files(&closed.home.data()).is_empty());
}

#[tokio::test]
async fn a_place_where_no_folder_can_be_says_so() {
    let home = Home::new(&story()).await;
    fs::write(home.data(), "a file").unwrap();
    let beneath = home.data().join("beneath");
    let beneath = beneath.to_str().unwrap();
    for arguments in [&["run", "--data", beneath, "Sail!"][..], &["sessions", "--data", beneath, "list"]] {
        let told = home.complains(arguments);
        assert!(told.starts_with("error: ") && told.contains("is not a folder"), "{told}");
    }
    let doctor = home.quarterdeck(&["doctor", "--data", beneath]);
    assert_eq!(doctor.status.code(), Some(1), "{doctor:?}");
    assert!(String::from_utf8(doctor.stdout).unwrap().contains("✗ data"));
    assert_eq!(fs::read_to_string(home.data()).unwrap(), "a file");
}
