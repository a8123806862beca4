//! Lines of files in, records out, whichever of the known forms a line has.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, Result};
use claude_protocol::Line;
use claude_protocol::form::Form;
use insights::Record;
use insights::convert::wire_time;
use insights::record::{Traced, Traces};
use journal::Folder;

use crate::sources::Ended;

/// Makes records of the lines of one file.
#[derive(Debug, Default)]
pub(crate) struct Records {
    traces: Traces,
    /// Is it a log? Then its lines so far are records.
    is_log: bool,
    /// Where a log has its long records.
    folder: Option<Folder>,
}

impl Records {
    /// For the lines of a file in this folder.
    pub(crate) fn beside(folder: Option<&Path>) -> Self {
        Records { folder: folder.map(Folder::new), ..Records::default() }
    }

    /// The record that a line is, or that a log would have of it; none of what a recorder did beside the session, and of the
    /// last line of a log that is not finished.
    pub(crate) fn record(&mut self, number: u64, bytes: Vec<u8>, ended: Ended) -> Result<Option<Record>> {
        let line = Line::from(bytes);
        let text = line.text();
        // Looked at before it is read as a whole: a plain line is not read three times to learn that it is plain.
        let found = match first_key(&text) {
            "seq" if journal::pointer(&text).is_some() => Some(Traced::Record(self.apart(number, &text)?)),
            "seq" | "at" | "source" | "by" | "id" | "base64" => self.kept(&text),
            "dir" | "t" | "raw" | "elided" | "bytes" => self.traces.read(number, &text),
            "line" | "text" => self.kept(&text).or_else(|| self.traces.read(number, &text)),
            _ => None,
        };
        match found {
            Some(Traced::Record(record)) => return Ok(Some(record)),
            Some(Traced::Nothing) => return Ok(None),
            None if self.is_log && ended == Ended::WithFile => return Ok(None),
            None => {}
        }
        let form = Form::of(&text);
        // A mended copy of bytes that are no text is not needed any more.
        drop::<Cow<'_, str>>(text);
        let at = wire_time(&line).unwrap_or_default();
        Ok(Some(match form {
            Form::Stdout => Record::stdout(number, at, line),
            Form::Stdin => Record::stdin(number, at, line),
            Form::Transcript | Form::Journal => Record::transcript(number, at, line),
        }))
    }

    /// The record that a line of a log is.
    fn kept(&mut self, text: &str) -> Option<Traced> {
        let record = Record::from_json(text)?;
        self.is_log = true;
        Some(Traced::Record(record))
    }

    /// The record that a line of a log points to.
    fn apart(&self, number: u64, text: &str) -> Result<Record> {
        let whole = self.folder.as_ref().and_then(|folder| journal::whole(folder, text).ok());
        whole.and_then(|text| Record::from_json(&text)).with_context(|| {
            format!(
                "the record of line {number} is in a file of its own, and not to be had from here\n\
                 hint: name the log in its folder, or take what `quarterdeck sessions export --form records` writes"
            )
        })
    }
}

/// The first key of an object; nothing if the text does not begin with a plain one.
fn first_key(text: &str) -> &str {
    let key = text.trim_start().strip_prefix('{').and_then(|rest| rest.trim_start().strip_prefix('"'));
    key.and_then(|rest| rest.split_once('"')).map_or("", |(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use insights::UnixMillis;

    fn record(text: &str) -> Record {
        Records::default().record(7, text.into(), Ended::WithFile).unwrap().unwrap()
    }

    #[test]
    fn each_form_of_a_line_becomes_the_record_that_it_is() {
        let plain = r#"{"type":"assistant","timestamp":"1970-01-01T00:00:01.000Z","message":{}}"#;
        assert_eq!(record(plain), Record::stdout(7, UnixMillis(1000), plain));
        let trace = format!(r#"{{"dir":"out","t":2,"line":{plain}}}"#);
        assert_eq!(record(&trace), Record::stdout(7, UnixMillis(2000), plain));
        let turned = format!(r#"{{"line":{plain},"t":2,"dir":"in"}}"#);
        assert_eq!(record(&turned), Record::stdin(7, UnixMillis(2000), plain));
        let kept = Record::stderr(3, UnixMillis(5), "no\"t json");
        assert_eq!(record(&kept.to_json()), kept);
        let entry = r#"{"parentUuid":null,"type":"user","timestamp":"1970-01-01T00:00:03Z","sessionId":"s"}"#;
        assert_eq!(record(entry), Record::transcript(7, UnixMillis(3000), entry));
        let host = r#"{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}"#;
        assert_eq!(record(host), Record::stdin(7, UnixMillis(0), host));
    }

    #[test]
    fn what_only_looks_like_a_record_is_a_line() {
        for text in [r#"{"seq":1}"#, r#"{"dir":"out"}"#, r#"{"line":3}"#, "{", "{\"", "words"] {
            assert_eq!(record(text), Record::stdout(7, UnixMillis(0), text));
        }
    }

    #[test]
    fn the_last_line_of_a_log_is_passed_over_while_it_is_not_finished() {
        let kept = Record::stdout(1, UnixMillis(5), "{}");
        let whole = kept.to_json();
        let after = |first: &str, last: &str, ended| {
            let mut records = Records::default();
            records.record(1, first.into(), Ended::WithLine).unwrap().unwrap();
            records.record(2, last.into(), ended).unwrap()
        };
        for torn in (1..whole.len()).map(|bytes| &whole[..bytes]) {
            assert_eq!(after(&whole, torn, Ended::WithFile), None, "{torn}");
            let line = Some(Record::stdout(2, UnixMillis(0), torn));
            assert_eq!(
                after(&whole, torn, Ended::WithLine),
                line,
                "only the last line can be one that is not finished"
            );
            assert_eq!(after("{}", torn, Ended::WithFile), line, "a plain line is all that there is");
        }
        assert_eq!(after(&whole, &whole, Ended::WithFile), Some(kept));
    }

    #[test]
    fn bytes_that_are_no_text_are_kept() {
        let bytes = b"{\"type\":\"keep_alive\",\"x\":\"\xe9\"}";
        let expected = Record::stdout(1, UnixMillis(0), &bytes[..]);
        assert_eq!(Records::default().record(1, bytes.to_vec(), Ended::WithLine).unwrap(), Some(expected));
    }
}
