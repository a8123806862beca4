//! The hard promises, each tested where it is hardest to keep: every waiter settles, every question is answered once, every
//! turn gets its own result, nothing is left behind, costs add up, and a future may be dropped at any time.

mod peer;
mod regressions;
