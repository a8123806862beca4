//! A clock that is set back and forward by hours while a session runs: nothing is lost or out of order, nothing ends before
//! it began, and nobody gets more or fewer lives by it.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use claude_protocol::Prompt;
use insights::{HostFact, Source, UnixMillis};
use journal::{Data, Index, Span, UsageBy};
use keeper::Stop;
use lab::agent::{IN_FILE, OUT_FILE, Story, Turn};
use live::{Decision, Options, Sessions};
use serde_json::json;

use crate::feed::Screen;
use crate::support::{Stage, facts, lines};

const HOUR_MS: i64 = 60 * 60 * 1000;

/// How far the clock of this process is off.
static OFF_MS: AtomicI64 = AtomicI64::new(0);

fn clock() -> UnixMillis {
    UnixMillis(keeper::now().0 + OFF_MS.load(Ordering::SeqCst))
}

/// Sets the clocks of all processes: that of the host, and that of the keeper.
fn set(root: &Path, hours: i64) {
    OFF_MS.store(hours * HOUR_MS, Ordering::SeqCst);
    set_of_processes(root, hours);
}

fn set_of_processes(root: &Path, hours: i64) {
    // In one step, so that nobody reads half a number.
    let next = root.join("clock.next");
    std::fs::write(&next, (hours * HOUR_MS).to_string()).unwrap();
    std::fs::rename(next, root.join("clock")).unwrap();
}

async fn sessions(stage: &Stage) -> Sessions {
    stage.sessions(clock).await
}

#[tokio::test]
async fn a_clock_that_jumps_back_and_forward_leaves_a_session_as_it_is() {
    /// Where the clock is while a turn begins, and while its question is answered.
    const TURNS: [(i64, i64); 4] = [(0, -5), (-5, 9), (9, 2), (-30, 40)];
    let turn = |number: usize| {
        let input = json!({"command": format!("echo {number}")});
        Turn::new().calls("Bash", input).asking().giving(number.to_string()).says(format!("Turn {number} is done."))
    };
    let story = (1..=TURNS.len()).fold(Story::new(), |story, number| story.turn(turn(number)));
    let stage = Stage::new(&story).await;
    let sessions = sessions(&stage).await;
    let options = Options { cwd: Some(stage.work()), ..Options::default() };
    let session = sessions.start(options).await.unwrap();
    let mut screen = Screen::new();
    for (number, (before, after)) in (1..).zip(TURNS) {
        set(stage.path(), before);
        let id = format!("00000000-0000-4000-8000-{number:012}");
        sessions.send(session.id(), Prompt::text(format!("prompt {number}")), &id, None).await.unwrap();
        assert!(session.until(|state| !state.asks.is_empty()).await);
        screen.take(session.since(&screen.epoch, screen.seq));
        set(stage.path(), after);
        let question = session.with_state(|state| state.asks[0].id.to_string());
        let allow = serde_json::from_value::<Decision>(json!({"kind": "allow"})).unwrap();
        session.answer(&question, &allow, None).await.unwrap();
        assert!(session.until(|state| state.meters.turns == number).await);
        screen.take(session.since(&screen.epoch, screen.seq));
        assert_eq!(screen.state, session.with_state(|state| state.since(screen.state.floor)));
    }
    sessions.end(session.id(), Stop::Close).await.unwrap();
    screen.take(session.since(&screen.epoch, screen.seq));

    let log = stage.log(session.id());
    assert_eq!(log.iter().map(|record| record.seq).collect::<Vec<_>>(), (1..=log.len() as u64).collect::<Vec<_>>());
    assert_eq!(lines(&log, |source| matches!(source, Source::Stdin { .. })), stage.side(IN_FILE));
    assert_eq!(lines(&log, |source| *source == Source::Stdout), stage.side(OUT_FILE));
    let jumps = log.windows(2).filter(|pair| (pair[1].at.0 - pair[0].at.0).abs() > HOUR_MS);
    assert_eq!(jumps.count(), 5, "each jump is in the log as it was");

    // Whoever comes later has the same, in the same order.
    let later = self::sessions(&stage).await;
    let again = later.get(session.id()).await.unwrap();
    assert_eq!(again.with_state(Clone::clone), session.with_state(Clone::clone));
    assert_eq!(screen.state, again.with_state(|state| state.since(screen.state.floor)));
    later.list_progress().wait_for(|revision| *revision > 0).await.unwrap();
    let rows = later.list_since(&screen.epoch, 0).rows;
    let row = rows.iter().find(|row| row.id == session.id()).unwrap();
    assert_eq!((row.turns, &*row.words), (4, "Asleep"));
    assert_eq!(row.since, log.last().unwrap().at, "as the record has it");

    let data = Data::open(stage.path()).unwrap();
    let mut index = Index::open(&data).unwrap();
    index.catch_up(&data, |_| {}).unwrap();
    let turns = index.turns(session.id()).unwrap();
    assert_eq!(turns.iter().map(|turn| turn.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for turn in &turns {
        assert!(turn.duration_ms.is_none_or(|duration| duration >= 0.0), "{turn:?}");
        assert!(turn.ended_at.is_some_and(|ended| ended >= turn.started_at), "{turn:?}");
    }
    let calls = index.tool_calls(session.id()).unwrap();
    assert_eq!(calls.len(), 4);
    assert!(calls.iter().all(|call| call.ended_at.is_some_and(|ended| ended >= call.started_at)), "{calls:#?}");
    let usage = index.usage(UsageBy::Day { utc_offset_minutes: 0 }, Span::default()).unwrap();
    assert_eq!(usage.iter().map(|sum| sum.turns).sum::<u64>(), 4, "{usage:?}");
}

/// A list is read page by page: what moves in it meanwhile would be on no page.
#[tokio::test]
async fn a_session_has_its_place_in_the_list_from_its_first_moment_on() {
    let stage = Stage::new(&Story::new()).await;
    let sessions = sessions(&stage).await;
    let session = sessions.start(Options { cwd: Some(stage.work()), ..Options::default() }).await.unwrap();
    let first = sessions.row_for_index(session.id()).unwrap();
    assert_eq!(first.cwd.as_deref(), stage.work().to_str());
    sessions.end(session.id(), Stop::Close).await.unwrap();
    assert_eq!(first.created_at, sessions.row_for_index(session.id()).unwrap().created_at);
    assert_eq!(first.created_at, stage.log(session.id())[0].at);
}

#[tokio::test]
async fn a_clock_that_jumps_gives_nobody_more_lives() {
    let stage = Stage::new(&Story::new().turn(Turn::new().dies(9))).await;
    let mut bridge = stage.bridge().await;
    let started = bridge.order(&stage.start_order()).await.unwrap();
    let session = started["session"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    for number in 1..=3 {
        let starts = json!({"do": "waitFacts", "session": session, "fact": "spawned", "count": number});
        assert_eq!(bridge.order(&starts).await.unwrap()["found"], true);
        // The process is there a moment before it can be spoken to.
        let look = json!({"do": "look", "session": session, "turns": 0});
        while bridge.order(&look).await.unwrap()["running"] != true {}
        set_of_processes(stage.path(), [5, -7, 30][number - 1]);
        let send = json!({"do": "send", "session": session, "id": format!("m{number}"), "text": "go on"});
        assert!(bridge.order(&send).await.unwrap()["seq"].is_u64());
    }
    // It is started a fourth time, or a note says why it is not.
    let either = json!({"do": "waitFacts", "session": session, "fact": "spawned", "count": 4, "or": "note"});
    assert_eq!(bridge.order(&either).await.unwrap()["found"], true);
    let told = facts(&stage.log(&session));
    let last = told.last().unwrap();
    assert!(matches!(last, HostFact::Note { text, .. } if text.contains("3 times within ten minutes")), "{told:#?}");
}
