//! A process that has sessions open, as the server will: orders in on stdin, one JSON object a line, and answers out on
//! stdout. Tests kill it at any moment and start another one.
//!
//! `bridge keep <folder>` is the keeper; `bridge <data folder> <program of the agent>` serves.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use claude_driver::Claude;
use claude_protocol::Prompt;
use claude_protocol::control::request::Interrupt;
use insights::state::{Item, ItemBody};
use insights::{Source, UnixMillis};
use keeper::{KeeperCommand, Stop, keep_on_stdio};
use live::{Decision, Delivery, Held, Host, Options, Result, Session, Sessions, Submitted, TakeOver};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

/// An order.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase")]
enum Order {
    Start {
        options: Box<Options>,
    },
    /// Goes on with the last conversation of the folder.
    Continue {
        options: Box<Options>,
    },
    Send {
        session: String,
        id: String,
        text: String,
    },
    /// To be delivered after the turn.
    Submit {
        session: String,
        id: String,
        text: String,
    },
    /// Waits until so many prompts wait, and whether they are paused is so.
    Held {
        session: String,
        count: usize,
        paused: bool,
    },
    ChangeHeld {
        session: String,
        id: String,
        text: String,
    },
    MoveHeld {
        session: String,
        id: String,
        before: Option<String>,
    },
    RemoveHeld {
        session: String,
        id: String,
    },
    GoOn {
        session: String,
    },
    Interrupt {
        session: String,
    },
    Answer {
        session: String,
        question: String,
        decision: Decision,
    },
    /// Waits until that many turns have ended or something is asked.
    Look {
        session: String,
        turns: u32,
    },
    /// Waits until the agent has said this.
    Wait {
        session: String,
        text: String,
    },
    /// Waits until there are so many facts of this kind, or one of another kind.
    WaitFacts {
        session: String,
        fact: String,
        count: usize,
        #[serde(default)]
        or: Option<String>,
    },
    SendAgain {
        session: String,
        seq: u64,
        id: String,
    },
    Dismiss {
        session: String,
        prompt: String,
    },
    /// Waits until so many prompts are on their way to the agent, or nobody knows of them.
    Queue {
        session: String,
        count: usize,
    },
    Fork {
        session: String,
        /// The last message that it has in common with the session; else all of it.
        #[serde(default)]
        at: Option<String>,
    },
    TakeOver {
        session: String,
    },
    Resume {
        session: String,
    },
    Close {
        session: String,
    },
    Kill {
        session: String,
    },
}

/// The data folder.
static ROOT: OnceLock<PathBuf> = OnceLock::new();

/// What time it is: the system's, and as many milliseconds off as the file `clock` in the data folder says.
fn clock() -> UnixMillis {
    let text = ROOT.get().and_then(|root| std::fs::read_to_string(root.join("clock")).ok());
    let off = text.and_then(|text| text.parse::<i64>().ok()).unwrap_or_default();
    UnixMillis(keeper::now().0 + off)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["keep", folder] => {
            let folder = Path::new(folder);
            if let Some(root) = folder.ancestors().nth(2) {
                _ = ROOT.set(root.to_owned());
            }
            match keep_on_stdio(folder, clock) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            }
        }
        [root, program] => serve(root, program),
        _ => ExitCode::FAILURE,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn serve(root: &str, program: &str) -> ExitCode {
    _ = ROOT.set(root.into());
    let Ok(keeper) = KeeperCommand::of_this_program() else { return ExitCode::FAILURE };
    let host = Host {
        claude: Claude::new().program(program),
        keeper,
        allows_bypass: false,
        settings_may_bypass: false,
        restarts: true,
        admission: live::Admission::default(),
        clock,
    };
    let Ok(data) = journal::Data::open(root) else { return ExitCode::FAILURE };
    let sessions = match Sessions::open(data, host).await {
        Ok(sessions) => sessions,
        Err(error) => {
            say(&json!({"error": error.to_string()}));
            return ExitCode::FAILURE;
        }
    };
    if let Err(error) = sessions.attach_all().await {
        say(&json!({"error": error.to_string()}));
        return ExitCode::FAILURE;
    }
    say(&json!({"ready": true}));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let answer = match serde_json::from_str(&line) {
            Ok(order) => obey(&sessions, order).await.unwrap_or_else(|error| json!({"error": error.to_string()})),
            Err(error) => json!({"error": error.to_string()}),
        };
        say(&answer);
    }
    ExitCode::SUCCESS
}

async fn obey(sessions: &Sessions, order: Order) -> Result<Value> {
    Ok(match order {
        Order::Start { options } => json!({"session": sessions.start(*options).await?.id()}),
        Order::Continue { options } => {
            let id = sessions.recent(&options).await?.id().to_owned();
            json!({"session": sessions.resume_with(&id, *options, TakeOver::Never).await?.id()})
        }
        Order::Send { session, id, text } => {
            let sent = sessions.send(&session, Prompt::text(text), &id, Some("bridge")).await?;
            json!({"seq": sent.seq, "again": sent.again})
        }
        Order::Submit { session, id, text } => {
            let delivery = Delivery::AfterTurn;
            match sessions.submit(&session, Prompt::text(text), &id, Some("bridge"), delivery).await? {
                Submitted::Sent(sent) => json!({"seq": sent.seq, "again": sent.again}),
                Submitted::Held => json!({"held": true}),
            }
        }
        Order::Held { session, count, paused } => {
            let mut held = sessions.held(&session).await?;
            let wished = |held: &Held| held.prompts.len() == count && held.paused.is_some() == paused;
            let found = held.wait_for(wished).await.map(|held| json!(*held));
            found.unwrap_or_default()
        }
        Order::ChangeHeld { session, id, text } => {
            sessions.change_held(&session, &id, Prompt::text(text)).await?;
            json!({"done": true})
        }
        Order::MoveHeld { session, id, before } => {
            sessions.move_held(&session, &id, before.as_deref()).await?;
            json!({"done": true})
        }
        Order::RemoveHeld { session, id } => {
            sessions.remove_held(&session, &id).await?;
            json!({"done": true})
        }
        Order::GoOn { session } => {
            sessions.go_on(&session).await?;
            json!({"done": true})
        }
        Order::Interrupt { session } => {
            sessions.get(&session).await?.command(Interrupt::default(), Some("bridge")).await?;
            json!({"done": true})
        }
        Order::Answer { session, question, decision } => {
            let sent = sessions.get(&session).await?.answer(&question, &decision, Some("bridge")).await?;
            json!({"seq": sent.seq})
        }
        Order::Look { session, turns } => {
            let session = sessions.get(&session).await?;
            session.until(|state| !state.asks.is_empty() || state.meters.turns >= turns).await;
            let running = session.is_running();
            session.with_state(|state| {
                let asks: Vec<&str> = state.asks.iter().map(|ask| &*ask.id).collect();
                let words = &state.status.words;
                let turns = state.meters.turns;
                json!({"running": running, "asks": asks, "turns": turns, "words": words, "queue": state.queue,
                    "lostGrants": state.status.lost_grants})
            })
        }
        Order::Wait { session, text } => {
            let session = sessions.get(&session).await?;
            let found = session.until(|state| state.items.iter().any(|item| says(item, &text))).await;
            json!({"found": found})
        }
        Order::WaitFacts { session, fact, count, or } => {
            let session = sessions.get(&session).await?;
            let mut progress = session.progress();
            while told(&session, &fact)? < count {
                if let Some(or) = &or
                    && told(&session, or)? > 0
                {
                    break;
                }
                let _ = progress.changed().await;
            }
            json!({"found": true})
        }
        Order::SendAgain { session, seq, id } => {
            let sent = sessions.get(&session).await?.send_again(seq, &id, Some("bridge")).await?;
            json!({"seq": sent.seq})
        }
        Order::Fork { session, at } => json!({"session": sessions.fork(&session, at.as_deref()).await?.id()}),
        Order::Dismiss { session, prompt } => {
            sessions.get(&session).await?.dismiss(&prompt).await?;
            json!({"done": true})
        }
        Order::Queue { session, count } => {
            let session = sessions.get(&session).await?;
            session.until(|state| state.queue.len() == count).await;
            session.with_state(|state| json!(state.queue))
        }
        Order::TakeOver { session } => json!({"session": sessions.resume(&session, TakeOver::End).await?.id()}),
        Order::Resume { session } => json!({"session": sessions.resume(&session, TakeOver::Never).await?.id()}),
        Order::Close { session } => {
            sessions.end(&session, Stop::Close).await?;
            json!({"closed": true})
        }
        Order::Kill { session } => {
            sessions.end(&session, Stop::Kill).await?;
            json!({"closed": true})
        }
    })
}

fn says(item: &Item, text: &str) -> bool {
    matches!(&item.body, ItemBody::Text(said) if said.text.text.contains(text))
}

/// How many facts of this kind there are.
fn told(session: &Session, fact: &str) -> Result<usize> {
    let mark = format!(r#""fact":"{fact}""#);
    let mut reader = journal::Reader::after(session.folder().clone(), 0)?;
    let mut count = 0;
    while let Some(record) = reader.next_record()? {
        count += usize::from(record.source == Source::Host && record.line.text().contains(&mark));
    }
    Ok(count)
}

fn say(answer: &Value) {
    let mut stdout = std::io::stdout();
    // Whoever listened may be gone.
    let _ = writeln!(stdout, "{answer}").and_then(|()| stdout.flush());
}
