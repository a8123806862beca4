//! Processes are started for real, and their ends are awaited through the kernel's own handles on them.

mod hosts;

use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, getsid, kill_process, pidfd_open, test_kill_process};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::ChildStdout;

use super::group::Group;
use super::single::Single;
use super::*;

/// A bound that only a broken test reaches.
const LONG: Duration = Duration::from_secs(60);

/// Leaves a process in a session of its own, whose parent is gone, and which tells its number.
const STRAY: &str = r#"(setsid sh -c 'echo $$; exec sleep 1000' &)"#;

/// Waits without end, and hears neither the end of its input nor SIGTERM.
const STUBBORN: &str = "trap '' TERM; echo ready; while :; do sleep 1; done";

#[tokio::test]
async fn the_exit_code_and_the_signal_of_the_cli_are_told() {
    let mut started = Process::spawn(&shell("exit 7")).unwrap();
    assert_eq!(started.process.exited().await, code(7));
    assert_eq!(started.process.exited().await, code(7), "it is told as often as it is asked");
    assert_eq!(started.process.gone().await, code(7));
    assert_eq!(started.process.kept.guardian(), None, "the guardian is reaped too");

    let started = Process::spawn(&shell("kill -9 $$")).unwrap();
    assert_eq!(started.process.end(LONG, LONG).await, signal(Signal::KILL));
}

#[tokio::test]
async fn the_number_told_is_that_of_the_cli_which_has_a_group_and_a_session_away_from_the_host() {
    let mut started = Process::spawn(&shell("echo $$; read line")).unwrap();
    let told = number(&mut lines(started.stdout)).await;
    assert_eq!(told.as_raw_pid().cast_unsigned(), started.process.pid());
    assert_eq!(rustix::process::getpgid(Some(told)), Ok(told));
    let guardian = pid(started.process.kept.guardian().unwrap());
    // A session is named after who made it. The host's own is not asked for: in a container it may have no number.
    assert_eq!(getsid(Some(told)), Ok(guardian));
    assert_ne!(guardian, getpid());
    drop(started.stdin);
    assert_eq!(started.process.gone().await, code(1), "`read` fails at the end of the input");
}

#[tokio::test]
async fn the_end_of_the_input_reaches_the_cli_and_the_end_of_its_output_reaches_the_host() {
    let mut started = Process::spawn(&Program { path: "cat".into(), ..Program::default() }).unwrap();
    started.stdin.write_all(b"over and out").await.unwrap();
    drop(started.stdin);
    let mut said = String::new();
    started.stdout.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "over and out");
    assert_eq!(started.stderr.read(&mut [0]).await.unwrap(), 0);
    assert_eq!(started.process.end(LONG, LONG).await, code(0));
}

#[tokio::test]
async fn the_pipe_for_output_is_wider_than_usual() {
    let started = Process::spawn(&shell("read line")).unwrap();
    assert_eq!(rustix::pipe::fcntl_getpipe_size(&started.stdout), Ok(STDOUT_PIPE));
    drop(started.stdin);
    started.process.end(LONG, LONG).await;
}

#[tokio::test]
async fn output_ends_when_the_cli_closes_it_although_the_guardian_lives() {
    let mut started = Process::spawn(&shell("exec >&-; read line")).unwrap();
    let mut said = String::new();
    started.stdout.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "");
    drop(started.stdin);
    started.process.end(LONG, LONG).await;
}

#[tokio::test]
async fn waiting_for_the_exit_may_be_given_up_and_begun_again() {
    let mut started = Process::spawn(&shell("read line; exit 5")).unwrap();
    for _ in 0..3 {
        assert!(timeout(Duration::from_millis(1), started.process.exited()).await.is_err());
    }
    drop(started.stdin);
    assert_eq!(started.process.exited().await, code(5));
}

#[tokio::test]
async fn variables_and_the_folder_are_as_told() {
    let program = Program {
        path: "/bin/sh".into(),
        arguments: vec!["-c".into(), "echo ${KEPT-none} ${GONE-none} ${HOME-none}; pwd".into()],
        environment: Environment::Inherited,
        remove: vec!["HOME".into(), "KEPT".into()],
        set: vec![("KEPT".into(), "yes".into())],
        folder: Some("/".into()),
    };
    assert_eq!(output(&program).await, "yes none none\n/\n");
    let program = Program { environment: Environment::Empty, remove: Vec::new(), ..program };
    assert_eq!(output(&program).await, "yes none none\n/\n");
}

#[tokio::test]
async fn what_the_cli_leaves_behind_is_ended_when_it_leaves_by_itself() {
    let started = Process::spawn(&shell(&format!("{STRAY}; read line; exit 4"))).unwrap();
    let stray = number(&mut lines(started.stdout)).await;
    assert!(lives(stray));
    drop(started.stdin);
    assert_eq!(started.process.end(LONG, LONG).await, code(4));
    assert!(!lives(stray));
}

#[tokio::test]
async fn what_ignores_sigterm_and_was_left_behind_is_ended_too() {
    let stray = "(setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' &)";
    let started = Process::spawn(&shell(&format!("{stray}; read line"))).unwrap();
    let stray = number(&mut lines(started.stdout)).await;
    drop(started.stdin);
    started.process.end(LONG, LONG).await;
    assert!(!lives(stray));
}

#[tokio::test]
async fn everything_is_ended_by_a_kill() {
    let mut started = Process::spawn(&shell(&format!("{STRAY}; {STUBBORN}"))).unwrap();
    let mut lines = lines(started.stdout);
    let stray = stray_of_a_ready_cli(&mut lines).await;
    started.process.kill();
    assert_eq!(started.process.gone().await, signal(Signal::KILL));
    assert!(!lives(stray));
    assert!(!lives(pid(started.process.pid())));
}

#[tokio::test]
async fn everything_is_ended_when_the_handle_is_dropped() {
    let started = Process::spawn(&shell(&format!("{STRAY}; {STUBBORN}"))).unwrap();
    let stray = stray_of_a_ready_cli(&mut lines(started.stdout)).await;
    let family = family(&started.process, stray);
    drop(started.process);
    all_over(&family).await;
}

#[tokio::test]
async fn everything_is_ended_when_the_task_with_the_handle_panics() {
    let started = Process::spawn(&shell(&format!("{STRAY}; {STUBBORN}"))).unwrap();
    let stray = stray_of_a_ready_cli(&mut lines(started.stdout)).await;
    let family = family(&started.process, stray);
    let process = started.process;
    let task = tokio::spawn(async move {
        let _process = process;
        panic!("as a host may");
    });
    assert!(task.await.unwrap_err().is_panic());
    all_over(&family).await;
}

#[tokio::test]
async fn a_cli_that_heeds_sigterm_is_not_killed() {
    let script = "trap 'exit 3' TERM; echo ready; sleep 1000 & wait";
    let started = Process::spawn(&shell(script)).unwrap();
    ready(&mut lines(started.stdout)).await;
    assert_eq!(started.process.end(Duration::ZERO, LONG).await, code(3));
}

#[tokio::test]
async fn a_cli_that_ignores_sigterm_is_killed() {
    let started = Process::spawn(&shell(STUBBORN)).unwrap();
    ready(&mut lines(started.stdout)).await;
    let patience = Duration::from_millis(10);
    assert_eq!(started.process.end(patience, patience).await, signal(Signal::KILL));
}

#[tokio::test]
async fn no_signal_but_sigkill_ends_the_guardian() {
    let started = Process::spawn(&shell("read line; exit 6")).unwrap();
    let guardian = pid(started.process.kept.guardian().unwrap());
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT, Signal::USR1, Signal::PIPE] {
        kill_process(guardian, signal).unwrap();
    }
    drop(started.stdin);
    assert_eq!(started.process.end(LONG, LONG).await, code(6));
}

#[tokio::test]
async fn the_cli_dies_with_its_guardian_and_the_loss_is_told() {
    let mut started = Process::spawn(&shell(STUBBORN)).unwrap();
    ready(&mut lines(started.stdout)).await;
    let cli = Life::of(pid(started.process.pid()));
    kill_process(pid(started.process.kept.guardian().unwrap()), Signal::KILL).unwrap();
    assert_eq!(started.process.exited().await, Exit::Lost);
    assert_eq!(started.process.gone().await, Exit::Lost);
    cli.over().await;
}

#[tokio::test]
async fn many_who_start_many_in_sessions_of_their_own_are_all_ended() {
    let one = r#"setsid sh -c "echo \$\$; (setsid sh -c \"echo \\\$\\\$; exec sleep 1000\" &); exec sleep 1000" &"#;
    let script = format!("for each in 1 2 3 4 5 6 7 8 9 10; do {one} done; {STUBBORN}");
    let mut started = Process::spawn(&shell(&script)).unwrap();
    let mut lines = lines(started.stdout);
    let mut strays = Vec::new();
    while strays.len() < 20 {
        let line = line(&mut lines).await;
        strays.extend(line.parse().ok().map(pid));
    }
    started.process.kill();
    assert_eq!(started.process.gone().await, signal(Signal::KILL));
    assert_eq!(strays.into_iter().filter(|stray| lives(*stray)).collect::<Vec<_>>(), []);
}

#[tokio::test]
async fn one_who_forks_and_leaves_without_end_is_caught() {
    // Each process starts its heir and leaves, so that no number is good for long.
    let runner = r#"setsid sh -c 'run() { (sleep 0.01; run) & }; echo $$; run' & "#;
    let mut started = Process::spawn(&shell(&format!("{runner} {STUBBORN}"))).unwrap();
    let mut lines = lines(started.stdout);
    stray_of_a_ready_cli(&mut lines).await;
    started.process.kill();
    started.process.gone().await;
    // The runner holds the output open as long as it lives.
    while timeout(LONG, lines.next_line()).await.unwrap().unwrap().is_some() {}
}

#[tokio::test]
async fn without_a_guardian_the_group_is_ended() {
    let (mut group, pipes) = Group::spawn(piped("sleep 1000 & echo $!; read line; exit 8")).unwrap();
    let left = Life::of(number(&mut lines(pipes.stdout)).await);
    drop(pipes.stdin);
    assert_eq!(group.gone().await, code(8));
    left.over().await;

    let (mut group, pipes) = Group::spawn(piped("sleep 1000 & echo $!; wait")).unwrap();
    let left = Life::of(number(&mut lines(pipes.stdout)).await);
    group.terminate();
    assert_eq!(group.exited().await, signal(Signal::TERM));
    left.over().await;

    let (group, pipes) = Group::spawn(piped("trap '' TERM; sleep 1000 & echo $!; wait")).unwrap();
    let left = Life::of(number(&mut lines(pipes.stdout)).await);
    let leader = Life::of(pid(group.pid()));
    drop(group);
    left.over().await;
    leader.over().await;
}

#[tokio::test]
async fn without_groups_the_child_is_ended() {
    let (mut single, pipes) = Single::spawn(piped("read line; exit 9")).unwrap();
    single.terminate();
    drop(pipes.stdin);
    assert_eq!(single.gone().await, code(9));

    let (mut single, _pipes) = Single::spawn(piped("exec sleep 1000")).unwrap();
    single.kill();
    assert_eq!(single.gone().await, signal(Signal::KILL));

    let (single, _pipes) = Single::spawn(piped("exec sleep 1000")).unwrap();
    let child = Life::of(pid(single.pid()));
    drop(single);
    child.over().await;
}

/// The kernel's handle on a process, which means this one even when its number is used again.
#[derive(Clone)]
struct Life(Arc<OwnedFd>);

impl Life {
    /// The process must live, or be one that is not reaped.
    fn of(pid: Pid) -> Self {
        Self(Arc::new(pidfd_open(pid, PidfdFlags::empty()).unwrap()))
    }

    async fn over(&self) {
        let life = self.clone();
        let wait = move || {
            let long = LONG.try_into().unwrap();
            poll(&mut [PollFd::new(&life.0, PollFlags::IN)], Some(&long)).unwrap()
        };
        assert_eq!(tokio::task::spawn_blocking(wait).await.unwrap(), 1, "the process lives on");
    }
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number.cast_signed()).unwrap()
}

/// Whether there is a process of this number, be it one that ended and was not reaped.
fn lives(pid: Pid) -> bool {
    test_kill_process(pid).is_ok()
}

fn family(process: &Process, stray: Pid) -> Vec<Life> {
    [pid(process.pid()), pid(process.kept.guardian().unwrap()), stray].map(Life::of).into()
}

async fn all_over(family: &[Life]) {
    for life in family {
        life.over().await;
    }
}

fn shell(script: &str) -> Program {
    Program { path: "sh".into(), arguments: vec!["-c".into(), script.into()], ..Program::default() }
}

fn piped(script: &str) -> Command {
    let mut command = command(&shell(script));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

async fn output(program: &Program) -> String {
    let mut started = Process::spawn(program).unwrap();
    drop(started.stdin);
    let mut said = String::new();
    started.stdout.read_to_string(&mut said).await.unwrap();
    assert_eq!(started.process.end(LONG, LONG).await, code(0));
    said
}

fn lines(stdout: ChildStdout) -> Lines<BufReader<ChildStdout>> {
    BufReader::new(stdout).lines()
}

async fn line(lines: &mut Lines<BufReader<ChildStdout>>) -> String {
    timeout(LONG, lines.next_line()).await.expect("nothing was said").unwrap().expect("the output ended")
}

async fn number(lines: &mut Lines<BufReader<ChildStdout>>) -> Pid {
    pid(line(lines).await.parse().unwrap())
}

async fn ready(lines: &mut Lines<BufReader<ChildStdout>>) {
    assert_eq!(line(lines).await, "ready");
}

/// The number that the stray tells, once the CLI is ready too; the two speak in any order.
async fn stray_of_a_ready_cli(lines: &mut Lines<BufReader<ChildStdout>>) -> Pid {
    let (first, second) = (line(lines).await, line(lines).await);
    let stray = if first == "ready" { second } else { first };
    pid(stray.parse().unwrap())
}

fn code(code: i32) -> Exit {
    Exit::Status(ExitStatus::from_raw(code << 8))
}

fn signal(signal: Signal) -> Exit {
    Exit::Status(ExitStatus::from_raw(signal.as_raw()))
}
