//! Tests that need a host for themselves: to kill it, or to count what it holds. This test binary is started again as
//! that host, with one test to run.

use std::env;

use rustix::process::{WaitId, WaitIdOptions, waitid};
use tokio::runtime::Builder;

use super::*;

/// Set to the test's name in a host.
const HOST: &str = "CLAUDE_DRIVER_TEST_HOST";

#[tokio::test]
async fn everything_is_ended_when_the_host_is_killed() {
    const NAME: &str = "everything_is_ended_when_the_host_is_killed";
    if is_host(NAME) {
        let started = Process::spawn(&shell(&format!("{STRAY}; {STUBBORN}"))).unwrap();
        let stray = stray_of_a_ready_cli(&mut lines(started.stdout)).await;
        let guardian = started.process.kept.guardian().unwrap();
        println!("\nfamily {} {guardian} {}", started.process.pid(), stray.as_raw_pid());
        return std::future::pending().await;
    }
    let mut host = command(&host(NAME)).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut lines = lines(host.stdout.take().unwrap());
    let family = loop {
        if let Some(family) = line(&mut lines).await.strip_prefix("family ") {
            break family.split(' ').map(|number| Life::of(pid(number.parse().unwrap()))).collect::<Vec<_>>();
        }
    };
    assert_eq!(family.len(), 3);
    host.kill().await.unwrap();
    all_over(&family).await;
}

#[test]
fn a_program_that_cannot_be_run_is_an_error_and_leaves_nothing() {
    in_a_host("a_program_that_cannot_be_run_is_an_error_and_leaves_nothing", async || {
        let before = open_files();
        for (path, kind) in [("/no/such/program", io::ErrorKind::NotFound), ("/etc", io::ErrorKind::PermissionDenied)] {
            let program = Program { path: path.into(), ..Program::default() };
            assert_eq!(Process::spawn(&program).unwrap_err().kind(), kind);
            assert!(!has_children());
        }
        let program = Program { folder: Some("/no/such/folder".into()), ..shell("exit 0") };
        assert_eq!(Process::spawn(&program).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(!has_children());
        assert_eq!(open_files(), before);
    });
}

#[test]
fn fifty_at_once_from_several_threads_leave_no_file_and_no_zombie() {
    in_a_host("fifty_at_once_from_several_threads_leave_no_file_and_no_zombie", async || {
        // The first one makes tokio open what it keeps open.
        assert_eq!(echo(0).await, code(0));
        let before = open_files();
        let tasks: Vec<_> = (0..50).map(|each| tokio::spawn(echo(each))).collect();
        for (each, task) in (0..).zip(tasks) {
            assert_eq!(task.await.unwrap(), code(each));
        }
        assert!(!has_children());
        assert_eq!(open_files(), before);
    });
}

#[test]
fn dropped_handles_leave_no_file_and_no_zombie() {
    in_a_host("dropped_handles_leave_no_file_and_no_zombie", async || {
        assert_eq!(echo(0).await, code(0));
        // Tokio reaps what was dropped when it hears of a child's end, and opens its ear for that with the first one.
        let _ear = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::child()).unwrap();
        let before = open_files();
        let guardians: Vec<_> = (0..10)
            .map(|_| {
                let started = Process::spawn(&shell("read line")).unwrap();
                Life::of(pid(started.process.kept.guardian().unwrap()))
            })
            .collect();
        all_over(&guardians).await;
        drop(guardians);
        let reaped = async {
            while has_children() {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONG, reaped).await.expect("a zombie is left");
        assert_eq!(open_files(), before);
    });
}

#[test]
fn what_the_host_does_on_signals_is_not_handed_on() {
    const NAME: &str = "what_the_host_does_on_signals_is_not_handed_on";
    let work = async || {
        for (mask, signal) in [("SigIgn:", Signal::CHILD), ("SigIgn:", Signal::TERM), ("SigBlk:", Signal::TERM)] {
            assert!(is_in_mask(mask, signal), "`env` has not set up what is tested here");
        }
        let started = Process::spawn(&shell("exit 11")).unwrap();
        assert_eq!(started.process.end(LONG, LONG).await, code(11));
        let started = Process::spawn(&shell("echo ready; exec sleep 1000")).unwrap();
        ready(&mut lines(started.stdout)).await;
        assert_eq!(started.process.end(Duration::ZERO, LONG).await, signal(Signal::TERM));
    };
    if is_host(NAME) {
        return run(work);
    }
    let mut host = host(NAME);
    let signals = ["--ignore-signal=CHLD,TERM", "--block-signal=TERM"].map(OsString::from);
    let mut arguments: Vec<OsString> = signals.into_iter().chain([host.path]).collect();
    arguments.append(&mut host.arguments);
    succeed(&Program { path: "env".into(), arguments, ..host });
}

/// Whether a signal is in one of the masks that the kernel tells of this process.
fn is_in_mask(mask: &str, signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix(mask)).unwrap();
    (u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal.as_raw() - 1)) & 1 == 1
}

/// A CLI that says back what it hears, with a code of its own.
async fn echo(each: i32) -> Exit {
    let mut started = Process::spawn(&shell(&format!("cat; exit {each}"))).unwrap();
    started.stdin.write_all(b"hello").await.unwrap();
    drop(started.stdin);
    let mut said = String::new();
    started.stdout.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "hello");
    started.process.end(LONG, LONG).await
}

/// Runs the work in a host of its own, and fails when it fails there.
fn in_a_host(name: &str, work: impl AsyncFnOnce()) {
    if is_host(name) { run(work) } else { succeed(&host(name)) }
}

fn run(work: impl AsyncFnOnce()) {
    Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap().block_on(work());
}

fn succeed(host: &Program) {
    let output = command(host).into_std().output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "the host ran no test: {said}");
}

fn is_host(name: &str) -> bool {
    env::var_os(HOST).is_some_and(|host| host == name)
}

fn host(name: &str) -> Program {
    let test = format!("{}::{name}", module_path!().split_once("::").unwrap().1);
    Program {
        path: env::current_exe().unwrap().into(),
        arguments: vec!["--exact".into(), test.into(), "--nocapture".into()],
        set: vec![(HOST.into(), name.into())],
        ..Program::default()
    }
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

fn has_children() -> bool {
    waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT).is_ok()
}
