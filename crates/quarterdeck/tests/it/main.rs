//! The binary as a user runs it: arguments and files in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod answers;
mod binary;
mod client;
mod controls;
mod convert;
mod deck;
mod demo;
mod door;
mod effect;
mod errors;
mod frames;
mod guard;
mod home;
mod inspect;
mod list;
mod list_screen;
mod manual;
mod options;
mod patience;
mod previous;
mod proxy;
mod pty;
mod read_only;
mod restart;
mod run;
mod schema;
mod serving;
mod sessions;
mod slow;
mod starting;
mod stored;
mod waiting;
mod watcher;
