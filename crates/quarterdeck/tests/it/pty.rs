//! The binary in a pseudo-terminal, as a person sits before it: keys in, the screen out.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A terminal in which the binary runs. `script` makes it: it is on every Debian and every Mac.
pub(crate) struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    /// All that was written.
    pub(crate) seen: String,
    /// How much of it was waited for.
    read: usize,
}

/// Longer than anything takes that these tests wait for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ctrl-C, as a terminal sends it.
pub(crate) const INTERRUPT: &str = "\x03";
/// Ctrl-D.
pub(crate) const END: &str = "\x04";

impl Terminal {
    #[expect(clippy::disallowed_methods, reason = "the one place where these tests start a terminal")]
    pub(crate) fn start(
        arguments: &[&str],
        folder: &Path,
        environment: impl IntoIterator<Item = (&'static str, OsString)>,
    ) -> Terminal {
        let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
        let words = std::iter::once(env!("CARGO_BIN_EXE_quarterdeck")).chain(arguments.iter().copied());
        let line = words.map(quoted).collect::<Vec<_>>().join(" ");
        let mut command = Command::new("script");
        command.args(["-qefc", &line, "/dev/null"]).current_dir(folder).env_clear().envs(environment);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let (keys, screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Terminal { child, keys, screen, seen: String::new(), read: 0 }
    }

    /// Waits until this stands on the screen, after what was waited for before.
    pub(crate) async fn until(&mut self, text: &str) {
        loop {
            if let Some(at) = self.seen[self.read..].find(text) {
                self.read += at + text.len();
                return;
            }
            assert!(self.more().await, "`{text}` did not come:\n{}", self.seen);
        }
    }

    pub(crate) async fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).await.unwrap();
        self.keys.flush().await.unwrap();
    }

    /// The exit code, when it has left.
    pub(crate) async fn leaves(&mut self) -> Option<i32> {
        while self.more().await {}
        self.child.wait().await.unwrap().code()
    }

    async fn more(&mut self) -> bool {
        let mut buffer = [0; 4096];
        // A screen on which nothing happens any more is shown with the failure.
        let read = tokio::time::timeout(PATIENCE, self.screen.read(&mut buffer)).await;
        let Ok(read) = read else { panic!("nothing happens any more:\n{}", self.seen) };
        let read = read.unwrap();
        self.seen.push_str(&String::from_utf8_lossy(&buffer[..read]));
        read > 0
    }
}
