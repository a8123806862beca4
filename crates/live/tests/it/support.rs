//! What the tests share: a stage with a story for the agent, and a bridge process that can be killed.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use claude_driver::Claude;
use insights::{HostFact, Record, Source, UnixMillis};
use journal::{Data, Folder, Reader};
use keeper::KeeperCommand;
use lab::agent::{RECORD_VARIABLE, SCRIPT_VARIABLE, Story, program};
use live::{Host, Sessions};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// Folders, and an agent: a scripted one with a story, or the real CLI with a scripted model.
pub(crate) struct Stage {
    place: TempDir,
    program: PathBuf,
    real: Option<lab::Stage>,
}

impl Stage {
    pub(crate) async fn new(story: &Story) -> Stage {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("story.json"), serde_json::to_string(story).unwrap()).unwrap();
        std::fs::create_dir(place.path().join("side")).unwrap();
        std::fs::create_dir(place.path().join("work")).unwrap();
        Stage { place, program: program().await.unwrap(), real: None }
    }

    /// With the real CLI, offline.
    pub(crate) async fn real(cli: lab::CliVersion, script: lab::Script) -> Stage {
        let real = lab::Stage::new(cli, script).await.unwrap();
        let program = real.program().unwrap().to_owned();
        Stage { place: tempfile::tempdir().unwrap(), program, real: Some(real) }
    }

    /// Where the agent works.
    pub(crate) fn work(&self) -> PathBuf {
        match &self.real {
            Some(real) => real.place.project(),
            None => self.path().join("work"),
        }
    }

    /// The real CLI and its model.
    pub(crate) fn cli(&self) -> &lab::Stage {
        self.real.as_ref().unwrap()
    }

    /// Where the real CLI has its settings.
    pub(crate) fn home(&self) -> PathBuf {
        self.real.as_ref().map_or_else(|| self.path().to_owned(), |real| real.place.home())
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    pub(crate) fn folder(&self, session: &str) -> Folder {
        Folder::new(self.path().join("sessions").join(session))
    }

    /// What the agent noted of its own lines.
    pub(crate) fn side(&self, file: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join("side").join(file)).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn log(&self, session: &str) -> Vec<Record> {
        let mut reader = Reader::after(self.folder(session), 0).unwrap();
        std::iter::from_fn(|| reader.next_record().unwrap()).collect()
    }

    /// The sessions, open in this process.
    pub(crate) async fn sessions(&self, clock: fn() -> UnixMillis) -> Sessions {
        let claude = Claude::new()
            .program(&self.program)
            .env(SCRIPT_VARIABLE, self.path().join("story.json"))
            .env(RECORD_VARIABLE, self.path().join("side"))
            .env("HOME", self.path());
        let admission = live::Admission::default();
        let keeper = KeeperCommand { program: env!("CARGO_BIN_EXE_bridge").into(), arguments: vec!["keep".into()] };
        let host =
            Host { claude, keeper, allows_bypass: false, settings_may_bypass: false, restarts: true, admission, clock };
        Sessions::open(Data::open(self.path()).unwrap(), host).await.unwrap()
    }

    /// A new process that has the sessions open.
    #[expect(clippy::disallowed_methods, reason = "the one place where these tests start a process")]
    pub(crate) async fn bridge(&self) -> Bridge {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bridge"));
        command.arg(self.path()).arg(&self.program).kill_on_drop(true);
        match &self.real {
            Some(real) => _ = command.env_clear().envs(real.environment()),
            None => {
                command.env(SCRIPT_VARIABLE, self.path().join("story.json"));
                command.env(RECORD_VARIABLE, self.path().join("side")).env("HOME", self.path());
            }
        }
        command.env("XDG_RUNTIME_DIR", self.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut bridge = Bridge { child, stdin, lines };
        assert_eq!(bridge.hear().await, Some(json!({"ready": true})));
        bridge
    }

    pub(crate) fn start_order(&self) -> Value {
        json!({"do": "start", "options": {"cwd": self.work()}})
    }
}

impl Drop for Stage {
    /// A test that fails leaves its sessions running, which is what they are for: they are ended here.
    fn drop(&mut self) {
        let sessions = self.path().join("sessions");
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

/// A process that has the sessions open.
pub(crate) struct Bridge {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Bridge {
    /// Gives an order, and the answer to it; none if the process is gone.
    pub(crate) async fn order(&mut self, order: &Value) -> Option<Value> {
        self.stdin.write_all(format!("{order}\n").as_bytes()).await.ok()?;
        self.hear().await
    }

    async fn hear(&mut self) -> Option<Value> {
        let line = self.lines.next_line().await.ok()??;
        Some(serde_json::from_str(&line).unwrap())
    }

    /// SIGKILL.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }
}

/// One prompt, as somebody types it into a shell.
pub(crate) async fn in_a_terminal(stage: &lab::Stage, arguments: &[&str], prompt: &str) {
    let base = ["-p", "--model", "claude-sonnet-4-5-20250929", "--permission-mode", "bypassPermissions"];
    let launch = lab::Launch::new().base(base).args(arguments.iter().copied()).args([prompt]);
    let end = stage.start(launch).await.unwrap().finish().await.unwrap();
    assert_eq!(end.code, Some(0), "{:?}", end.records);
}

/// The lines of the log that are of this kind, as they were.
pub(crate) fn lines(log: &[Record], wanted: impl Fn(&Source) -> bool) -> Vec<String> {
    log.iter().filter(|record| wanted(&record.source)).map(|record| record.line.text().into_owned()).collect()
}

/// The facts of the log.
pub(crate) fn facts(log: &[Record]) -> Vec<HostFact> {
    let host = log.iter().filter(|record| record.source == Source::Host);
    host.map(|record| HostFact::from_json(&record.line.text()).unwrap()).collect()
}

/// Waits until these processes are gone, and all that is left of them.
pub(crate) async fn gone(pids: &[u32]) {
    // There is nothing to wait on for processes that are nobody's children; nextest ends a test that waits for ever.
    while pids.iter().any(|pid| keeper::table::lives(*pid)) {
        tokio::task::yield_now().await;
    }
}
