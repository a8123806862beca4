//! Nothing is left behind: neither the CLI nor what it started in sessions of its own, however the host lets go of it and
//! however little the CLI heeds.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use claude_driver::{Claude, Ending, Session};
use lab::agent::{Ignored, Story, Turn};
use tokio::io::{AsyncBufReadExt, BufReader};

use super::process::{Life, launched, playing};
use crate::support::scratch;

/// An agent that has left a process behind and goes on, and the two of them.
struct Family {
    session: Session,
    agent: Life,
    stray: Life,
}

fn story(stubborn: bool) -> (Story, PathBuf) {
    let file = scratch().join("stray");
    // What is left does not heed SIGTERM either, so its end takes its time.
    let stray = ["sh", "-c", "trap '' TERM; exec sleep 1000"];
    let story = Story::new().turn(Turn::new().leaves_behind(&stray, &file).says("Started."));
    let story = if stubborn { story.ignoring(Ignored::Eof).ignoring(Ignored::Sigterm) } else { story };
    (story, file)
}

async fn family(stubborn: bool) -> Family {
    let (story, file) = story(stubborn);
    let session = launched(Claude::new().grace(Duration::from_millis(100)), &story).await.unwrap();
    assert_eq!(session.send("go").await.unwrap().text, "Started.");
    let (agent, stray) = (Life::of(session.pid().unwrap()), Life::in_file(&file));
    assert!(!agent.is_over() && !stray.is_over());
    Family { session, agent, stray }
}

impl Family {
    /// Waits for the end of both.
    async fn over(agent: Life, stray: Life) {
        agent.over().await;
        stray.over().await;
    }
}

#[tokio::test]
async fn a_close_leaves_nothing() {
    let Family { session, agent, stray } = family(false).await;
    let exit = session.close().await.unwrap();
    assert!(agent.is_over() && stray.is_over());
    assert!(exit.is_clean(), "{exit:?}");
}

#[tokio::test]
async fn a_close_leaves_nothing_of_a_cli_that_heeds_neither_the_end_of_its_input_nor_sigterm() {
    let Family { session, agent, stray } = family(true).await;
    let exit = session.close().await.unwrap();
    assert!(agent.is_over() && stray.is_over());
    assert_eq!(exit.ending, Ending::Killed);
}

#[tokio::test]
async fn a_kill_leaves_nothing() {
    let Family { session, agent, stray } = family(true).await;
    let exit = session.kill().await;
    assert!(agent.is_over() && stray.is_over());
    assert_eq!(exit.ending, Ending::Killed);
}

#[tokio::test]
async fn dropped_handles_leave_nothing() {
    for stubborn in [false, true] {
        let Family { session, agent, stray } = family(stubborn).await;
        let turn = session.clone().send("again");
        drop(session);
        assert!(!agent.is_over());
        drop(turn);
        Family::over(agent, stray).await;
    }
}

#[tokio::test]
async fn a_panic_of_the_task_that_has_the_session_leaves_nothing() {
    let Family { session, agent, stray } = family(false).await;
    let host = tokio::spawn(async move {
        let _session = session;
        std::panic::resume_unwind(Box::new("the host falls over"));
    });
    assert!(host.await.unwrap_err().is_panic());
    Family::over(agent, stray).await;
}

#[test]
fn the_end_of_the_runtime_leaves_nothing() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let first = runtime();
    let Family { session, agent, stray } = first.block_on(family(true));
    drop(first);
    runtime().block_on(async {
        // Nobody can say how it ended, but nobody waits for that either.
        session.exited().await;
        Family::over(agent, stray).await;
    });
}

#[tokio::test]
async fn a_start_that_is_given_up_leaves_nothing() {
    let file = scratch().join("stray");
    let stray = lab::agent::Step::Spawn { command: vec!["sleep".into(), "1000".into()], pid_file: file.clone() };
    let story = Story::new()
        .starts_with(stray)
        .on_control("initialize", lab::agent::ControlFault::Silence)
        .ignoring(Ignored::Eof);
    let claude = playing(Claude::new().grace(Duration::from_millis(1)), &story).await;
    let outcome = claude.clone().start_time_limit(Duration::from_secs(1)).start().await;
    assert!(matches!(outcome, Err(claude_driver::Error::TimedOut { .. })), "{outcome:?}");
    assert!(!std::fs::exists(format!("/proc/{}", std::fs::read_to_string(&file).unwrap())).unwrap());
    std::fs::remove_file(&file).unwrap();
    let starting = tokio::spawn(async move { claude.start().await.map(drop) });
    let written = || std::fs::read_to_string(&file).is_ok_and(|text| !text.is_empty());
    while !written() {
        tokio::task::yield_now().await;
    }
    let stray = Life::in_file(&file);
    starting.abort();
    stray.over().await;
}

/// Set in a host that will be killed.
const HOST: &str = "CLAUDE_DRIVER_TEST_VICTIM";

#[tokio::test]
async fn a_killed_host_leaves_nothing() {
    const NAME: &str = "goals::left_behind::a_killed_host_leaves_nothing";
    if std::env::var_os(HOST).is_some() {
        let (story, file) = story(true);
        let session = launched(Claude::new(), &story).await.unwrap();
        assert_eq!(session.send("go").await.unwrap().text, "Started.");
        let stray = std::fs::read_to_string(file).unwrap();
        println!("\nfamily {} {stray}", session.pid().unwrap());
        return std::future::pending().await;
    }
    #[expect(clippy::disallowed_methods, reason = "the host that is killed is no session")]
    let mut host = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(HOST, "1")
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();
    let family = loop {
        let line = lines.next_line().await.unwrap().unwrap();
        if let Some(family) = line.strip_prefix("family ") {
            break family.split(' ').map(|number| Life::of(number.parse().unwrap())).collect::<Vec<_>>();
        }
    };
    assert_eq!(family.len(), 2);
    host.kill().await.unwrap();
    for life in family {
        life.over().await;
    }
}
