//! A disk that is full: the session is told, nothing is corrupted, and it goes on when there is room.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use insights::Source;
use journal::Folder;
use keeper::{FromKeeper, Refusal, Stop, Written};
use lab::agent::{IN_FILE, OUT_FILE, Story, Turn};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::support::{Stage, prompt, until};

/// Room that is left on a disk before it is full. The first words of a session fit, the turn does not.
const LITTLE_BYTES: u64 = 60_000;

/// A disk that can be filled and emptied.
enum Disk {
    /// A small file system of its own, mounted here.
    Mounted(PathBuf),
    /// The limit on the size of files: a full disk for this process, and for nobody else. Each test is a process.
    Limited(Rlimit),
}

impl Disk {
    fn sessions(&self, place: &Path) -> PathBuf {
        match self {
            Disk::Mounted(path) => path.join("sessions"),
            Disk::Limited(_) => place.join("sessions"),
        }
    }

    fn fill(&self) {
        match self {
            Disk::Mounted(path) => {
                let free = rustix::fs::statvfs(path).unwrap();
                let ballast = (free.f_bavail * free.f_frsize).checked_sub(LITTLE_BYTES).unwrap();
                std::fs::write(path.join("ballast"), vec![0; usize::try_from(ballast).unwrap()]).unwrap();
            }
            Disk::Limited(before) => {
                setrlimit(Resource::Fsize, Rlimit { current: Some(LITTLE_BYTES), ..*before }).unwrap();
            }
        }
    }

    fn make_room(&self) {
        match self {
            Disk::Mounted(path) => std::fs::remove_file(path.join("ballast")).unwrap(),
            Disk::Limited(before) => setrlimit(Resource::Fsize, *before).unwrap(),
        }
    }
}

/// Says, inside a namespace, where the small disk is mounted.
const MOUNTED: &str = "TEST_SMALL_DISK";

/// Mounts a disk of a megabyte and becomes the program after it.
const MOUNT: &str = r#"mount -t tmpfs -o size=1m none "$0" && exec "$@""#;

/// A program in a namespace of its own, in which a small disk is mounted at `path`.
#[expect(clippy::disallowed_methods, reason = "the one place where these tests start a process")]
fn with_small_disk(path: &Path, program: &[&str]) -> std::io::Result<ExitStatus> {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", MOUNT]).arg(path).args(program);
    command.env(MOUNTED, path).status()
}

/// Runs on a real file system that is full, where one may mount one; elsewhere under a limit that does the same.
#[tokio::test]
async fn a_full_disk_stops_the_session_and_room_lets_it_go_on() {
    if let Some(path) = std::env::var_os(MOUNTED) {
        return goes_on_when_there_is_room(Disk::Mounted(path.into())).await;
    }
    let place = tempfile::tempdir().unwrap();
    if with_small_disk(place.path(), &["true"]).is_ok_and(|status| status.success()) {
        eprintln!("on a small disk of its own");
        let this = std::env::current_exe().unwrap();
        let name = "disk::a_full_disk_stops_the_session_and_room_lets_it_go_on";
        let arguments = [this.to_str().unwrap(), name, "--exact", "--nocapture"];
        assert!(with_small_disk(place.path(), &arguments).unwrap().success());
    } else {
        eprintln!("nothing can be mounted here: under a limit on the size of files");
        goes_on_when_there_is_room(Disk::Limited(getrlimit(Resource::Fsize))).await;
    }
}

async fn goes_on_when_there_is_room(disk: Disk) {
    let story = Story::new().turn(Turn::new().says("word ".repeat(20_000))).turn(Turn::new().says("Two."));
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(disk.sessions(place.path()).join("s1"));
    let stage = Stage::with_folder(&story, place, folder).await;
    let (client, mut records) = stage.attach(0).await;
    disk.fill();
    client.write(Some("m1"), None, &prompt("go")).await.unwrap();
    loop {
        let FromKeeper::Status { disk_full, .. } = client.status().await.unwrap() else { panic!("no status") };
        if disk_full {
            break;
        }
    }
    let refused = client.write(Some("m2"), None, &prompt("more")).await.unwrap();
    assert!(matches!(refused, Written::Refused { why: Refusal::DiskFull, .. }), "{refused:?}");
    let kept = stage.log();
    assert!(kept.iter().any(|record| record.line.text().contains("go")), "what was kept can be read meanwhile");
    disk.make_room();
    until(&mut records, r#""type":"result""#).await;
    // The same message, now that there is room.
    assert!(matches!(client.write(Some("m2"), None, &prompt("more")).await.unwrap(), Written::Now { .. }));
    until(&mut records, r#""type":"result""#).await;
    client.stop(Stop::Close).await.unwrap();
    while records.next().await.is_some() {}
    let log = stage.log();
    assert_eq!(log[..kept.len()], kept, "nothing of it was changed");
    assert_eq!(log.iter().map(|record| record.seq).collect::<Vec<_>>(), (1..=log.len() as u64).collect::<Vec<_>>());
    assert_eq!(stage.lines(|source| *source == Source::Stdout), stage.side(OUT_FILE));
    assert_eq!(stage.lines(|source| matches!(source, Source::Stdin { .. })), stage.side(IN_FILE));
    let told = stage.lines(|source| *source == Source::Host);
    assert!(told.iter().any(|fact| fact.contains("The disk was full")), "{told:#?}");
}
