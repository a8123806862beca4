//! The keyboard: lines that a person types, read on a thread of its own, since a terminal cannot be waited for otherwise.

use std::fs::File;
use std::io::{BufRead, BufReader};

use tokio::sync::mpsc;

/// Lines from the terminal. What is typed before somebody asks is kept.
pub(crate) struct Keyboard {
    lines: mpsc::UnboundedReceiver<String>,
}

impl Keyboard {
    /// The terminal of this process; none if it has none, or if somebody who is no person reads along.
    pub(crate) fn open() -> Option<Keyboard> {
        use std::io::IsTerminal;
        if !std::io::stderr().is_terminal() {
            return None;
        }
        let terminal = File::open("/dev/tty").ok()?;
        let (sender, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in BufReader::new(terminal).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Some(Keyboard { lines })
    }

    /// The next line; none when the terminal is gone or the user has said that there is no more (Ctrl-D).
    pub(crate) async fn line(&mut self) -> Option<String> {
        self.lines.recv().await
    }

    /// Forgets what was typed before it was asked for: an answer must be to the question that is on the screen.
    pub(crate) fn forget(&mut self) {
        while self.lines.try_recv().is_ok() {}
    }
}
