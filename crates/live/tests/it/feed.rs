//! Screens that catch up from a feed hold the state that the host holds, however they fall behind.

use insights::state::{Order, State};
use insights::{HostFact, Record, UnixMillis};
use live::{Answer, Epoch, Pipeline};
use proptest::prelude::*;

/// A screen: it knows only what the feed has told it.
pub(crate) struct Screen {
    pub(crate) epoch: Epoch,
    pub(crate) seq: u64,
    pub(crate) state: State,
    snapshots: u32,
}

impl Screen {
    pub(crate) fn new() -> Self {
        Screen { epoch: Epoch::new("nothing yet"), seq: 0, state: State::default(), snapshots: 0 }
    }

    pub(crate) fn take(&mut self, answer: Answer) {
        match answer {
            Answer::Changes { seq, changes } => {
                changes.iter().for_each(|change| self.state.patch(change));
                self.seq = seq;
            }
            Answer::Snapshot { epoch, seq, state } => {
                *self = Screen { epoch, seq, state: *state, snapshots: self.snapshots + 1 };
            }
        }
    }

    fn catch_up(&mut self, pipeline: &Pipeline) {
        self.take(pipeline.feed().since(&self.epoch, self.seq));
    }

    fn agrees_with(&self, pipeline: &Pipeline) {
        assert_eq!(self.state, pipeline.feed().state().since(self.state.floor));
        assert_eq!(self.seq, pipeline.feed().seq());
    }
}

/// A session of many short turns, so that there is more than a screen gets at first.
fn records() -> Vec<Record> {
    let lines = (0..150).flat_map(|turn| {
        let id = format!("msg_{turn}");
        let delta = |text: &str| {
            let event = format!(
                r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#
            );
            format!(r#"{{"type":"stream_event","event":{event},"session_id":"s","uuid":"u"}}"#)
        };
        let start = format!(r#"{{"type":"message_start","message":{{"id":"{id}","content":[]}}}}"#);
        let block = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
        let content = r#"[{"type":"text","text":"one two"}]"#;
        [
            format!(r#"{{"type":"system","subtype":"init","session_id":"s","model":"m-{turn}"}}"#),
            format!(r#"{{"type":"stream_event","event":{start},"session_id":"s"}}"#),
            format!(r#"{{"type":"stream_event","event":{block},"session_id":"s"}}"#),
            delta("one "),
            delta("two"),
            format!(r#"{{"type":"assistant","message":{{"id":"{id}","content":{content}}},"session_id":"s"}}"#),
            format!(r#"{{"type":"result","subtype":"success","session_id":"s","total_cost_usd":{turn}.5}}"#),
        ]
    });
    (1..).zip(lines).map(|(seq, line)| Record::stdout(seq, UnixMillis(seq as i64), line)).collect()
}

#[test]
fn who_comes_late_gets_the_end_and_who_follows_gets_changes() {
    let mut pipeline = Pipeline::new("s");
    let mut follower = Screen::new();
    for record in records() {
        pipeline.take(record);
        follower.catch_up(&pipeline);
    }
    follower.agrees_with(&pipeline);
    assert_eq!(follower.snapshots, 1, "the first answer is everything, all others are changes");
    assert_eq!(follower.state.floor, Order::default());
    let mut late = Screen::new();
    late.catch_up(&pipeline);
    late.agrees_with(&pipeline);
    assert!(late.state.floor > Order::default());
    assert_eq!(late.state.items.len(), 200);
}

#[test]
fn who_has_another_log_in_mind_gets_everything_anew() {
    let mut pipeline = Pipeline::new("s");
    records().into_iter().take(20).for_each(|record| pipeline.take(record));
    let epoch = epoch(&pipeline);
    assert!(matches!(pipeline.feed().since(&Epoch::new("t"), 20), Answer::Snapshot { .. }));
    assert!(matches!(pipeline.feed().since(&epoch, 21), Answer::Snapshot { .. }), "from the future");
    assert!(matches!(pipeline.feed().since(&epoch, 20), Answer::Changes { changes, .. } if changes.is_empty()));
}

#[test]
fn a_log_that_was_begun_anew_or_has_lost_its_end_is_another_one() {
    let begun = |at: i64| {
        let log = HostFact::Log { format: 1, session: "s".to_owned(), created: UnixMillis(at) };
        let mut pipeline = Pipeline::new("s");
        pipeline.take(Record::host(1, UnixMillis(at), &log));
        pipeline
    };
    let (first, mut second) = (begun(5), begun(6));
    assert_eq!(epoch(&first), epoch(&begun(5)), "it is the log, and not who reads it");
    assert_ne!(epoch(&first), epoch(&second));
    // What a power cut took had been shown, and the next records have its numbers.
    let known = epoch(&second);
    second.take(Record::host(2, UnixMillis(9), &HostFact::Lost));
    assert!(matches!(second.feed().since(&known, 2), Answer::Snapshot { .. }));
}

fn epoch(pipeline: &Pipeline) -> Epoch {
    match pipeline.feed().snapshot() {
        Answer::Snapshot { epoch, .. } => epoch,
        Answer::Changes { .. } => panic!("no snapshot"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn however_a_screen_falls_behind_it_agrees_in_the_end(pauses in proptest::collection::vec(1..120_usize, 1..40)) {
        let mut pipeline = Pipeline::new("s");
        let mut screen = Screen::new();
        let mut pauses = pauses.into_iter().cycle();
        let mut left = pauses.next().unwrap_or(1);
        for record in records() {
            pipeline.take(record);
            left -= 1;
            if left == 0 {
                screen.catch_up(&pipeline);
                screen.agrees_with(&pipeline);
                left = pauses.next().unwrap_or(1);
            }
        }
        screen.catch_up(&pipeline);
        screen.agrees_with(&pipeline);
    }
}
