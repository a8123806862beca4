//! A server with all that it needs, as a user would start it: a data folder, a place to work in, an agent, and a token.

use std::ffi::OsString;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU16, Ordering};

use insights::Record;
use journal::{Folder, Reader};
use lab::agent::{RECORD_VARIABLE, SCRIPT_VARIABLE, Story, program};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::client::Client;

/// Where a server runs, and with which agent.
pub(crate) struct Deck {
    place: TempDir,
    environment: Vec<(String, OsString)>,
    real: Option<lab::Stage>,
    port: u16,
    token: String,
    binary: PathBuf,
}

impl Deck {
    /// With the scripted agent.
    pub(crate) async fn new(story: &Story) -> Deck {
        Deck::of(binary(), story).await
    }

    /// The same with another binary, which makes the data folder.
    pub(crate) async fn of(binary: PathBuf, story: &Story) -> Deck {
        Deck::scripted(binary, story).await.with_token().await
    }

    /// With the scripted agent, a data folder that is there already, and a token that it knows.
    pub(crate) async fn on(data: impl FnOnce(&Path), token: &str, story: &Story) -> Deck {
        let mut deck = Deck::scripted(binary(), story).await;
        data(&deck.data());
        token.clone_into(&mut deck.token);
        deck
    }

    async fn scripted(binary: PathBuf, story: &Story) -> Deck {
        let place = tempfile::tempdir().unwrap();
        let story_file = place.path().join("story.json");
        std::fs::write(&story_file, serde_json::to_string(story).unwrap()).unwrap();
        let environment = vec![
            ("QUARTERDECK_CLAUDE".to_owned(), program().await.unwrap().into()),
            (SCRIPT_VARIABLE.to_owned(), story_file.into()),
            (RECORD_VARIABLE.to_owned(), place.path().join("side").into()),
            ("HOME".to_owned(), place.path().into()),
        ];
        std::fs::create_dir(place.path().join("side")).unwrap();
        Deck::at(binary, place, environment, None)
    }

    /// With the real CLI, offline.
    pub(crate) async fn real(cli: lab::CliVersion, script: lab::Script) -> Deck {
        let real = lab::Stage::new(cli, script).await.unwrap();
        let mut environment: Vec<(String, OsString)> =
            real.environment().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        environment.push(("QUARTERDECK_CLAUDE".to_owned(), real.program().unwrap().into()));
        Deck::at(binary(), tempfile::tempdir().unwrap(), environment, Some(real)).with_token().await
    }

    fn at(binary: PathBuf, place: TempDir, mut environment: Vec<(String, OsString)>, real: Option<lab::Stage>) -> Deck {
        std::fs::create_dir(place.path().join("work")).unwrap();
        environment.push(("QUARTERDECK_DATA".to_owned(), place.path().join("data").into()));
        environment.push(("XDG_RUNTIME_DIR".to_owned(), place.path().into()));
        environment.push(("NO_COLOR".to_owned(), "1".into()));
        Deck { place, environment, real, port: free_port(), token: String::new(), binary }
    }

    async fn with_token(mut self) -> Deck {
        let added = self.command(&["token", "add", "a test"]).output().await.unwrap();
        self.token = String::from_utf8(added.stdout).unwrap().trim().to_owned();
        assert!(!self.token.is_empty(), "{}", String::from_utf8_lossy(&added.stderr));
        self
    }

    /// From now on the server is that of this build.
    pub(crate) fn upgrade(&mut self) {
        self.binary = binary();
    }

    /// Another variable for the server and its agents.
    pub(crate) fn with(mut self, name: &str, value: impl Into<OsString>) -> Deck {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// The server and its keepers are run from a copy of the binary, which can be taken away from under them.
    pub(crate) fn with_copy(mut self) -> Deck {
        let copy = self.path().join("copy");
        std::fs::copy(&self.binary, &copy).unwrap();
        self.binary = copy;
        self
    }

    /// From now on this is what the server starts as keepers: a script in the place of the copy.
    pub(crate) fn replace_copy(&self, script: &str) {
        let new = self.path().join("script");
        std::fs::write(&new, script).unwrap();
        std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o700)).unwrap();
        std::fs::rename(new, &self.binary).unwrap();
    }

    /// What the server and its agents find in their environment.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (&String, &OsString)> {
        self.environment.iter().map(|(name, value)| (name, value))
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Where agents work.
    pub(crate) fn work(&self) -> PathBuf {
        match &self.real {
            Some(real) => real.place.project(),
            None => self.path().join("work"),
        }
    }

    /// What the model was asked last, as JSON: all that the real CLI knows.
    pub(crate) fn last_asked(&self) -> String {
        let asked = self.real.as_ref().unwrap().model.story_requests();
        asked.last().map(|request| request.body.to_string()).unwrap_or_default()
    }

    /// Somebody with a token.
    pub(crate) fn client(&self) -> Client {
        Client { port: self.port, token: Some(self.token.clone()) }
    }

    pub(crate) fn folder(&self, session: &str) -> Folder {
        Folder::new(self.data().join("sessions").join(session))
    }

    /// What the scripted agent noted of its own lines.
    pub(crate) fn side(&self, file: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join("side").join(file)).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn log(&self, session: &str) -> Vec<Record> {
        let mut reader = Reader::after(self.folder(session), 0).unwrap();
        std::iter::from_fn(|| reader.next_record().unwrap()).collect()
    }

    /// What starts a session here.
    pub(crate) fn start(&self) -> Value {
        json!({"options": {"cwd": self.work()}})
    }

    /// The binary, with the environment of this place and no other.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.here(&self.binary);
        command.args(arguments);
        command
    }

    /// A program, with the environment of this place and no other.
    #[expect(clippy::disallowed_methods, reason = "these tests start the binary as a user does")]
    fn here(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.work()).env_clear().kill_on_drop(true);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(self.environment());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts the server, and waits until it says where it is.
    pub(crate) async fn serve(&self) -> Serving {
        self.serve_with(&[]).await
    }

    /// The same with more arguments.
    pub(crate) async fn serve_with(&self, arguments: &[&str]) -> Serving {
        let port = self.port.to_string();
        Serving::start(self.command(&[&["serve", "--no-open", "--port", &port], arguments].concat())).await
    }

    /// The same where no more files than these may be open.
    pub(crate) async fn serve_with_files(&self, most: u32) -> Serving {
        let mut command = self.here(Path::new("sh"));
        command.arg("-c").arg(format!("ulimit -n {most}; exec \"$0\" \"$@\"")).arg(binary());
        command.args(["serve", "--no-open", "--port", &self.port.to_string()]);
        Serving::start(command).await
    }
}

impl Drop for Deck {
    /// A test that fails leaves its agents running, which is what they are for: they are ended here.
    fn drop(&mut self) {
        let sessions = self.data().join("sessions");
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let ours =
                words.split(|byte| *byte == 0).any(|word| word.starts_with(sessions.as_os_str().as_encoded_bytes()));
            let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
            if let (true, Some(pid)) = (ours, pid.and_then(rustix::process::Pid::from_raw)) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

/// A server that runs.
pub(crate) struct Serving {
    child: Child,
    /// The launch link that it printed.
    pub(crate) url: String,
}

impl Serving {
    async fn start(mut command: Command) -> Serving {
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines.next_line().await.unwrap().unwrap_or_else(|| panic!("the server ended at once"));
        Serving { child, url }
    }

    /// SIGKILL.
    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// SIGTERM, as a service manager stops it.
    pub(crate) async fn stop(mut self) {
        let pid = rustix::process::Pid::from_raw(self.child.id().unwrap().try_into().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        assert!(self.child.wait().await.unwrap().success());
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }
}

/// The binary of this build, or another one that runs the same tests, see `cargo xtask guards`.
pub(crate) fn binary() -> PathBuf {
    std::env::var_os("QUARTERDECK_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_quarterdeck").into()).into()
}

/// A port that nobody has, and that nobody gets by chance while the server is away: it is not among those that the system
/// gives to whoever does not ask for one. Tests beside this one, in this process or another, look elsewhere.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    const FIRST: u32 = 10_000;
    const COUNT: u32 = 20_000;
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    let next = || {
        let place = std::process::id() * 16 + u32::from(NEXT.fetch_add(1, Ordering::Relaxed));
        u16::try_from(FIRST + place % COUNT).ok()
    };
    std::iter::from_fn(next).find(is_free).unwrap()
}
