//! The guardian's life: ends of children, bytes of the host and the clock come in; signals go out until nobody is left.
//!
//! Runs after a fork and keeps to the rules of `guardian.rs`.

use libc::{SIGKILL, SIGTERM, c_int, pid_t};

use super::system::{self, Reaped, Received, SOCKET};
use super::{KILL, TERMINATE, children};

/// How long a CLI whose host is gone may take to leave by itself.
const LINGER_MS: i64 = 1_000;

/// How long a CLI whose host is gone may take to leave after SIGTERM.
const TERMINATE_MS: i64 = 2_000;

/// How long what the CLI left behind may take to leave after SIGTERM.
const CLEAR_MS: i64 = 1_000;

/// How long after the first SIGKILL the guardian gives up: what still lives then cannot be signalled by us.
const KILL_MS: i64 = 5_000;

/// How often children are looked for while they are being killed, in case a look came too early for one.
const KILL_TICK_MS: i64 = 20;

/// How often children are looked at when the kernel has no signal descriptor for us.
const BLIND_TICK_MS: i64 = 50;

/// What the guardian waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The CLI runs, and the host is there.
    Running,
    /// The host is gone; the CLI may leave by itself.
    Lingering,
    /// The host is gone; the CLI was asked to leave.
    Terminating,
    /// The CLI is gone; what it left was asked to leave.
    Clearing,
    /// Everything is killed, again and again until nobody is left.
    Killing,
}

struct Watch {
    cli: pid_t,
    cli_lives: bool,
    host_listens: bool,
    phase: Phase,
    /// When the phase is over, by the monotonic clock.
    deadline_ms: Option<i64>,
    /// The descriptor that tells ends of children, below zero when there is none.
    signals: c_int,
}

/// Watches until nobody is left, then ends this process.
pub(super) fn watch(cli: pid_t) -> ! {
    let signals = system::child_signals();
    let mut watch =
        Watch { cli, cli_lives: true, host_listens: true, phase: Phase::Running, deadline_ms: None, signals };
    loop {
        watch.bury();
        watch.press();
        let (host, child) = system::wait(watch.host_listens, watch.signals, watch.patience_ms());
        if child {
            system::drain(watch.signals);
        }
        if host {
            watch.obey();
        }
        watch.hurry();
    }
}

impl Watch {
    /// Reaps all who ended. Tells the host of the CLI's end; leaves when there is nobody left.
    fn bury(&mut self) {
        loop {
            match system::reap() {
                Reaped::Ended { pid, status } if pid == self.cli && self.cli_lives => {
                    self.cli_lives = false;
                    system::send(SOCKET, &status.to_ne_bytes());
                    if self.phase != Phase::Killing {
                        self.enter(Phase::Clearing, CLEAR_MS);
                    }
                }
                Reaped::Ended { .. } => {}
                Reaped::NoneYet => return,
                Reaped::NobodyLeft => system::exit(),
            }
        }
    }

    /// Signals all children, where that is what the phase is for. Orphans come one by one, so it is done at each turn.
    fn press(&self) {
        match self.phase {
            Phase::Running | Phase::Lingering | Phase::Terminating => {}
            Phase::Clearing => children::each(|child| system::signal(child, SIGTERM)),
            Phase::Killing => children::each(|child| system::signal(child, SIGKILL)),
        }
    }

    /// Does what the host says, and takes notice when it is gone.
    fn obey(&mut self) {
        loop {
            match system::receive() {
                Received::Byte(TERMINATE) => self.signal_cli(SIGTERM),
                Received::Byte(KILL) => self.enter_killing(),
                Received::Byte(_) => {}
                Received::NothingYet => return,
                Received::Closed => {
                    self.host_listens = false;
                    match self.phase {
                        Phase::Running => self.enter(Phase::Lingering, LINGER_MS),
                        // Nobody waits for what is left to leave nicely.
                        Phase::Clearing => self.enter_killing(),
                        Phase::Lingering | Phase::Terminating | Phase::Killing => {}
                    }
                    return;
                }
            }
        }
    }

    /// Goes on to the next phase when the time of this one is over.
    fn hurry(&mut self) {
        if self.deadline_ms.is_none_or(|deadline_ms| system::now_ms() < deadline_ms) {
            return;
        }
        match self.phase {
            Phase::Running => {}
            Phase::Lingering => {
                self.signal_cli(SIGTERM);
                self.enter(Phase::Terminating, TERMINATE_MS);
            }
            Phase::Terminating | Phase::Clearing => self.enter_killing(),
            Phase::Killing => system::exit(),
        }
    }

    fn enter(&mut self, phase: Phase, patience_ms: i64) {
        self.phase = phase;
        self.deadline_ms = Some(system::now_ms().saturating_add(patience_ms));
    }

    fn enter_killing(&mut self) {
        if self.phase != Phase::Killing {
            self.enter(Phase::Killing, KILL_MS);
        }
    }

    fn signal_cli(&self, signal: c_int) {
        if self.cli_lives {
            system::signal(self.cli, signal);
        }
    }

    /// How long the next wait may last; none is for ever.
    fn patience_ms(&self) -> Option<i64> {
        let left_ms = self.deadline_ms.map(|deadline_ms| deadline_ms.saturating_sub(system::now_ms()).max(0));
        let tick_ms = match self.phase {
            Phase::Killing => Some(KILL_TICK_MS),
            _ if self.signals < 0 => Some(BLIND_TICK_MS),
            _ => None,
        };
        match (left_ms, tick_ms) {
            (Some(left_ms), Some(tick_ms)) => Some(left_ms.min(tick_ms)),
            (left_ms, tick_ms) => left_ms.or(tick_ms),
        }
    }
}
