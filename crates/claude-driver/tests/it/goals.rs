//! The hard promises, each tested where it is hardest to keep: every waiter settles, every question is answered once, every
//! turn gets its own result, nothing is left behind, costs add up, and a future may be dropped at any time.

mod answers;
mod costs;
mod dice;
mod giving_up;
#[cfg(target_os = "linux")]
mod left_behind;
mod limits;
mod peer;
#[cfg(target_os = "linux")]
mod process;
mod regressions;
mod right_turn;
#[cfg(target_os = "linux")]
mod settling;
