//! The last of what the CLI wrote to stderr.

/// Whole lines, the newest last, of no more than [`KEPT`] bytes.
#[derive(Debug, Default)]
pub(super) struct Tail {
    lines: std::collections::VecDeque<String>,
    bytes: usize,
}

const KEPT: usize = 64 * 1024;

impl Tail {
    pub(super) fn push(&mut self, line: &str) {
        self.bytes += line.len() + 1;
        self.lines.push_back(line.to_owned());
        while self.bytes > KEPT
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= oldest.len() + 1;
        }
    }

    pub(super) fn text(&self) -> String {
        self.lines.iter().fold(String::new(), |text, line| text + line + "\n")
    }
}
