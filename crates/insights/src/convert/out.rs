//! Where events are put: gives them their ids, their time and their line, and leaves out what the profile does not have.

use std::borrow::Cow;
use std::sync::Arc;

use claude_protocol::Line;
use serde::{Deserialize, Serialize};

use super::quiet::Quiet;
use super::{Profile, RawLines};
use crate::event::{Body, EventId, Extensions, InsightsEvent, Provider, RawLine};
use crate::json::Json;
use crate::place;
use crate::time::UnixMillis;

/// Shorter words are never cut, however JSON writes them.
const LONG_BYTES: usize = 2 * 1024;

/// Makes events of bodies, for the record at hand.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Out {
    hash: u32,
    profile: Profile,
    raw: RawLines,
    /// The agent's session, as the last line that named one did.
    session_id: Arc<str>,
    /// Events so far: of the session for `core`, of the record for `full`.
    count: u64,
    seq: u64,
    at: UnixMillis,
    #[serde(skip)]
    line: Option<RawLine>,
    #[serde(skip)]
    about: About,
    #[serde(skip)]
    events: Vec<InsightsEvent>,
    /// Why there are no events, as far as anybody said.
    #[serde(skip)]
    quiet: Option<Quiet>,
}

/// What a line says of all its events.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    pub(super) message_uuid: Option<Arc<str>>,
    pub(super) agent_id: Option<Arc<str>>,
    pub(super) agent_type: Option<Arc<str>>,
    pub(super) agent_description: Option<Arc<str>>,
    pub(super) origin: Option<Arc<str>>,
    /// Is it read from a transcript file?
    pub(super) imported: bool,
    extensions: Option<Arc<Extensions>>,
}

impl About {
    /// Says something that only this provider has.
    pub(super) fn extend(&mut self, name: &'static str, value: Json) {
        Arc::make_mut(self.extensions.get_or_insert_default()).insert(name, value);
    }
}

impl Out {
    pub(super) fn new(session: &str, profile: Profile, raw: RawLines) -> Self {
        Out {
            hash: fnv(session),
            profile,
            raw,
            session_id: session.into(),
            count: 0,
            seq: 0,
            at: UnixMillis::default(),
            line: None,
            about: About::default(),
            events: Vec::new(),
            quiet: None,
        }
    }

    /// The next record begins.
    pub(super) fn begin(&mut self, seq: u64, at: UnixMillis) {
        self.seq = seq;
        self.at = at;
        self.line = None;
        self.quiet = None;
        self.about = About::default();
        if self.profile == Profile::Full {
            self.count = 0;
        }
    }

    /// The line of this record, which all its events carry.
    pub(super) fn line(&mut self, line: Line) {
        self.line = Some(RawLine(Arc::new(line)));
    }

    /// The text of the line.
    pub(super) fn text(&self) -> Cow<'_, str> {
        self.line.as_ref().map_or(Cow::Borrowed(""), |line| line.0.text())
    }

    /// Why something gives no event. What gives one beside it counts more.
    pub(super) fn quiet(&mut self, why: Quiet) {
        self.quiet = Some(why);
    }

    /// What is said of all events of this record from here on.
    pub(super) fn about(&mut self) -> &mut About {
        &mut self.about
    }

    /// The agent's session, from here on.
    pub(super) fn session(&mut self, session_id: &str) {
        if &*self.session_id != session_id && !session_id.is_empty() {
            self.session_id = session_id.into();
        }
    }

    pub(super) fn session_id(&self) -> &Arc<str> {
        &self.session_id
    }

    pub(super) fn profile(&self) -> Profile {
        self.profile
    }

    pub(super) fn seq(&self) -> u64 {
        self.seq
    }

    /// Puts an event, if the profile has it.
    pub(super) fn put(&mut self, body: Body) {
        self.put_with(body, []);
    }

    /// Puts an event about a prompt that is not the line itself.
    pub(super) fn put_named(&mut self, uuid: Arc<str>, body: Body) {
        let line_uuid = self.about.message_uuid.replace(uuid);
        self.put(body);
        self.about.message_uuid = line_uuid;
    }

    /// Puts an event with extensions of its own.
    pub(super) fn put_with(&mut self, body: Body, extensions: impl IntoIterator<Item = (&'static str, Json)>) {
        if self.profile == Profile::Core && !body.is_core() {
            return self.quiet(Quiet::Profile);
        }
        let mut all = self.about.extensions.clone();
        for (name, value) in extensions {
            Arc::make_mut(all.get_or_insert_default()).insert(name, value);
        }
        let (uuid, line) = (self.about.message_uuid.clone(), self.line.clone());
        self.push(body, uuid, line, all);
    }

    /// Puts the one event that is left to be put for this record: it need not share what all have.
    pub(super) fn put_last(&mut self, body: Body) {
        if self.profile == Profile::Core && !body.is_core() {
            return self.quiet(Quiet::Profile);
        }
        let (uuid, line) = (self.about.message_uuid.take(), self.line.take());
        let extensions = self.about.extensions.take();
        self.push(body, uuid, line, extensions);
    }

    fn push(
        &mut self,
        body: Body,
        message_uuid: Option<Arc<str>>,
        line: Option<RawLine>,
        extensions: Option<Arc<Extensions>>,
    ) {
        let place = long_words(&body).and_then(|words| place::of(words, &line.as_ref()?.0.text())).map(Box::new);
        let n = self.count;
        self.count += 1;
        let seq = (self.profile == Profile::Full).then_some(self.seq);
        let about = &self.about;
        let agent = |name: &Option<Arc<str>>| if body.names_its_agent() { None } else { name.clone() };
        let (agent_id, agent_type) = (agent(&about.agent_id), agent(&about.agent_type));
        self.events.push(InsightsEvent {
            body,
            id: EventId { hash: self.hash, seq, n },
            seq,
            timestamp: self.at,
            provider: Provider::Claude,
            session_id: Arc::clone(&self.session_id),
            message_uuid,
            agent_id,
            agent_type,
            agent_description: about.agent_description.clone(),
            origin: about.origin.clone(),
            imported: about.imported.then_some(true),
            extensions,
            place,
            raw: line.filter(|_| self.raw == RawLines::Kept),
        });
    }

    /// Has nothing been put for this record?
    pub(super) fn is_quiet(&self) -> bool {
        self.events.is_empty()
    }

    /// All that was put for this record; the reason, if that is nothing.
    pub(super) fn take(&mut self, into: &mut Vec<InsightsEvent>) -> Option<Quiet> {
        let why = self.events.is_empty().then(|| self.quiet.unwrap_or(Quiet::Empty));
        match into.is_empty() {
            true => std::mem::swap(into, &mut self.events),
            false => into.append(&mut self.events),
        }
        why
    }
}

/// The words of an event that may stand anywhere in its line, if they are so many that a screen may show only the first.
fn long_words(body: &Body) -> Option<&str> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others say where their texts stand, or have none")]
    let words = match body {
        Body::UserInput(input) => &input.text,
        Body::LocalCommandOutput(output) => &output.text,
        Body::Notice(notice) => &notice.text,
        Body::ModelFallback(fallback) => &fallback.text,
        Body::SubagentComplete(ended) => ended.summary.as_deref()?,
        // What a model says stands where its block does.
        Body::Text(text) if text.message_id.is_none() => &text.text,
        _ => return None,
    };
    (words.len() > LONG_BYTES).then_some(words)
}

/// FNV-1a: short, and the same on every machine.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
