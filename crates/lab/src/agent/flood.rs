//! Many deltas as fast as a pipe takes them: a block of lines is built once, and only its numbers change.

use serde_json::json;

use super::Ending;
use super::actor::{Actor, Flow, Over};
use super::lines;
use super::session::Usage;
use super::story::Flood;

/// About so many bytes are written at once.
const BLOCK_BYTES: usize = 1024 * 1024;
/// The digits of a delta's number, which are part of its text.
const DIGITS: usize = 10;
/// Stands where the number goes while a line is built.
const NUMBER: &str = "NNNNNNNNNN";
/// Stands where the last digits of the line's id go.
const LINE_ID: &str = "UUUUUUUUUU";

/// Lines that differ only in a number.
struct Block {
    bytes: Vec<u8>,
    line: usize,
    /// Where in a line the number stands: in its text and in its id.
    places: [usize; 2],
}

impl Block {
    fn new(line: &str, lines: usize) -> Block {
        let place = |mark: &str| line.find(mark).unwrap_or(0);
        Block { bytes: line.as_bytes().repeat(lines), line: line.len(), places: [place(NUMBER), place(LINE_ID)] }
    }

    /// Numbers the lines from `first` on and gives so many of them.
    fn numbered(&mut self, first: u64, lines: usize) -> &[u8] {
        let places = self.places;
        let mut digits = decimal(first);
        for line in self.bytes.chunks_exact_mut(self.line).take(lines) {
            for place in places {
                line[place..place + DIGITS].copy_from_slice(&digits);
            }
            count_up(&mut digits);
        }
        &self.bytes[..lines * self.line]
    }
}

/// A message that is being streamed.
pub(super) struct Streamed {
    pub(super) id: String,
    skeleton: serde_json::Value,
}

impl Actor {
    /// A message of many deltas. The n-th has the text `n` in ten digits and a blank, from 0 on.
    pub(super) async fn flood(&mut self, flood: &Flood) -> Result<Flow, Ending> {
        let streamed = self.begin_stream().await?;
        let line = self.flood_line(&streamed.id, flood.line_bytes);
        let in_block = (BLOCK_BYTES / line.len()).max(1);
        let mut block = Block::new(&line, in_block);
        let mut written = 0;
        while written < flood.deltas {
            let lines = usize::try_from(flood.deltas - written).unwrap_or(usize::MAX).min(in_block);
            self.wire.block(block.numbered(written, lines)).await?;
            written += lines as u64;
            self.drain().await?;
            self.wire.flush().await?;
            if self.interrupted {
                break;
            }
        }
        let text = (!flood.endless).then(|| (0..written).map(|number| format!("{number:0DIGITS$} ")).collect());
        Ok(self.end_stream(streamed, text, written))
    }

    /// The beginning of a message of which the deltas follow.
    pub(super) async fn begin_stream(&mut self) -> Result<Streamed, Ending> {
        self.messages_told += 1;
        let id = format!("msg_flood{:04}", self.messages_told);
        let usage = json!({"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1});
        let skeleton = json!({
            "id": id, "type": "message", "role": "assistant", "model": self.session.model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage,
        });
        self.write_event(json!({"type": "message_start", "message": skeleton}), &id);
        let block = json!({"type": "text", "text": ""});
        self.write_event(json!({"type": "content_block_start", "index": 0, "content_block": block}), &id);
        self.wire.flush().await?;
        Ok(Streamed { id, skeleton })
    }

    /// The end of it, with its whole text if there shall be one.
    pub(super) fn end_stream(&mut self, streamed: Streamed, text: Option<String>, deltas: u64) -> Flow {
        let Streamed { id, skeleton } = streamed;
        if let Some(text) = text {
            let block = json!({"type": "text", "text": text});
            let mut line = lines::assistant(&mut self.session, &skeleton, block, None);
            if self.interrupted {
                lines::extend(&mut line, json!({"aborted": true}));
            } else {
                self.turn.text = text;
            }
            self.write(&line);
        }
        if self.interrupted {
            self.say_interrupted("[Request interrupted by user]");
        }
        self.write_event(json!({"type": "content_block_stop", "index": 0}), &id);
        let stop_reason = if self.interrupted { json!(null) } else { json!("end_turn") };
        let delta = json!({"stop_reason": stop_reason, "stop_sequence": null});
        self.write_event(json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": deltas}}), &id);
        self.write_event(json!({"type": "message_stop"}), &id);
        if self.interrupted {
            return Flow::Over(Over::Streaming);
        }
        self.turn.stop_reason = stop_reason;
        self.turn.usage.add(Usage { input: 10, output: deltas, ..Usage::default() });
        Flow::On
    }

    pub(super) fn write_event(&mut self, event: serde_json::Value, id: &str) {
        let line = lines::stream_event(&mut self.session, event, id);
        self.write(&line);
    }

    /// A delta with marks where its numbers go, padded in a field of its own.
    fn flood_line(&mut self, id: &str, line_bytes: usize) -> String {
        let delta = json!({"type": "text_delta", "text": format!("{NUMBER} ")});
        let event = json!({"type": "content_block_delta", "index": 0, "delta": delta});
        let mut line = lines::stream_event(&mut self.session, event, id);
        // Lines of floods have ids that no other line has: others never reach these digits.
        line["uuid"] = json!(format!("{}{:02x}{LINE_ID}", self.session.uuid_stem(), 0xf0 + self.messages_told % 16));
        let length = line.to_string().len() + 1;
        if let Some(missing) = line_bytes.checked_sub(length).filter(|missing| *missing > 0) {
            let text = format!("{NUMBER} {}", "x".repeat(missing));
            line["event"]["delta"]["text"] = json!(text);
        }
        format!("{line}\n")
    }
}

fn decimal(number: u64) -> [u8; DIGITS] {
    let mut digits = [b'0'; DIGITS];
    let text = number.to_string();
    let text = &text.as_bytes()[text.len().saturating_sub(DIGITS)..];
    digits[DIGITS - text.len()..].copy_from_slice(text);
    digits
}

fn count_up(digits: &mut [u8; DIGITS]) {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_block_are_numbered_on() {
        let mut block = Block::new("NNNNNNNNNN-UUUUUUUUUU\n", 3);
        assert_eq!(block.numbered(98, 3), b"0000000098-0000000098\n0000000099-0000000099\n0000000100-0000000100\n");
        assert_eq!(block.numbered(7, 1), b"0000000007-0000000007\n");
    }
}
