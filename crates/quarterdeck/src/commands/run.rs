//! `quarterdeck run`: a prompt, or a conversation, in the terminal. What the agent says goes to stdout, all talk about it to
//! stderr; questions are asked where the person is.

mod ask;
mod keyboard;
mod screen;

use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use claude_driver::Claude;
use claude_protocol::Prompt;
use claude_protocol::control::request::Interrupt;
use insights::convert::RawLines;
use insights::state::Ask;
use insights::{Body, Converter, InsightsEvent, Profile};
use journal::Data;
use keeper::{KeeperCommand, Stop};
use live::{Decision, Host, Options, Session, Sessions, Tail, TakeOver};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::args::Run;
use crate::terminal;
use keyboard::Keyboard;
use screen::Screen;

pub(crate) use screen::clean;

/// The exit codes, as the help says.
const TURN_FAILED: u8 = 1;
const AGENT_DIED: u8 = 3;
const INTERRUPTED: u8 = 130;

/// Runs the command.
pub(crate) fn run(run: &Run) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let code = runtime.block_on(converse(run));
    // The keyboard may still be waited for on a thread of its own, and a key is not worth waiting for.
    runtime.shutdown_background();
    code
}

async fn converse(run: &Run) -> Result<ExitCode> {
    let data = Data::open(run.data.path()?)?;
    let sessions = Sessions::open(data, host(run.dangerously_skip_permissions)?).await?;
    let keyboard = Keyboard::open();
    let mut prompt = first_prompt(run, keyboard.is_some())?;
    let (session, after) = begin(&sessions, run).await?;
    let mut conversation = Conversation {
        tail: Tail::after(&session, after)?,
        converter: Converter::new(session.id(), Profile::Full, RawLines::Kept),
        screen: Screen::new(run.json),
        session: session.clone(),
        keyboard,
        // From the beginning, so that none is missed between two looks at it.
        interrupt_key: signal(SignalKind::interrupt()).context("could not listen to Ctrl-C")?,
        interrupts: 0,
    };
    let mut outcome = Outcome::Done;
    loop {
        let text = match prompt.take() {
            Some(text) => text,
            None => match conversation.next_prompt().await {
                Some(text) => text,
                None => break,
            },
        };
        session.send(Prompt::text(text), &uuid::Uuid::new_v4().to_string(), Some("terminal")).await?;
        outcome = conversation.turn().await?;
        if outcome.is_over() || !run.is_conversation() {
            break;
        }
    }
    conversation.leave(outcome).await;
    if !run.json {
        let short = session.id().get(..8).unwrap_or(session.id());
        let hint = format!("go on with: quarterdeck run --resume {short}");
        conversation.screen.hint(&hint);
    }
    Ok(ExitCode::from(outcome.code()))
}

/// What sessions of this program share.
pub(crate) fn host(allows_bypass: bool) -> Result<Host> {
    let keeper = KeeperCommand::of_this_program().context("could not find this program's own file")?;
    // Who sits at the terminal sees that the agent died, and decides.
    Ok(Host {
        claude: Claude::new(),
        keeper,
        allows_bypass,
        settings_may_bypass: true,
        admission: live::Admission::default(),
        restarts: false,
        clock: keeper::now,
    })
}

/// The prompt of the command line or, where nobody sits, of stdin.
fn first_prompt(run: &Run, someone: bool) -> Result<Option<String>> {
    if !run.prompt.is_empty() {
        let text = run.prompt.join(" ");
        if text.trim().is_empty() {
            bail!("the prompt is empty");
        }
        return Ok(Some(text));
    }
    if std::io::stdin().is_terminal() {
        if !someone {
            bail!("there is no prompt: give one, as in `quarterdeck run \"What is in this folder?\"`");
        }
        return Ok(None);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context("could not read the prompt from stdin")?;
    if text.trim().is_empty() {
        bail!("there is no prompt: give one as an argument or on stdin");
    }
    Ok(Some(text))
}

/// Starts or resumes, and says after which record the terminal begins.
async fn begin(sessions: &Sessions, run: &Run) -> Result<(Session, u64)> {
    let (session, options) = match &run.resume {
        Some(id) => (sessions.get(&super::sessions::find(sessions.data(), id)?).await?, Options::default()),
        None => {
            let options = options(run)?;
            match run.continue_recent {
                true => (sessions.recent(&options).await?, options),
                false => return Ok((sessions.start(options).await?, 0)),
            }
        }
    };
    let after = *session.progress().borrow();
    let take_over = if run.take_over { TakeOver::End } else { TakeOver::Never };
    match sessions.resume_with(session.id(), options, take_over).await {
        // It runs already, in another terminal or in the server: join it.
        Err(live::Error::Running) => {}
        resumed => _ = resumed?,
    }
    Ok((session, after))
}

fn options(run: &Run) -> Result<Options> {
    let cwd = match &run.cwd {
        Some(cwd) => cwd.canonicalize().with_context(|| format!("could not find the folder `{}`", cwd.display()))?,
        None => std::env::current_dir().context("could not find the working directory")?,
    };
    Ok(Options {
        cwd: Some(cwd),
        model: run.model.clone(),
        mode: run.mode.clone(),
        effort: run.effort.clone(),
        max_turns: run.max_turns,
        max_budget_usd: run.max_budget_usd,
        allowed_tools: run.allow.clone(),
        disallowed_tools: run.deny.clone(),
        directories: run.add_dir.clone(),
        append_system_prompt: run.append_system_prompt.clone(),
        mcp_files: run.mcp_config.clone(),
        title: run.title.clone(),
        bypass_permissions: run.dangerously_skip_permissions,
        extra_args: run.extra.clone(),
        ..Options::default()
    })
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    Failed,
    Interrupted,
    /// The agent is gone.
    Died,
    /// The user has left.
    Left,
}

impl Outcome {
    fn is_over(self) -> bool {
        matches!(self, Outcome::Died | Outcome::Left)
    }

    fn code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Failed => TURN_FAILED,
            Outcome::Died => AGENT_DIED,
            Outcome::Interrupted | Outcome::Left => INTERRUPTED,
        }
    }
}

/// A conversation that goes on.
struct Conversation {
    session: Session,
    tail: Tail,
    converter: Converter,
    screen: Screen,
    keyboard: Option<Keyboard>,
    interrupt_key: Signal,
    interrupts: u32,
}

impl Conversation {
    /// What the user types; none when there is no more.
    async fn next_prompt(&mut self) -> Option<String> {
        let keyboard = self.keyboard.as_mut()?;
        loop {
            self.screen.invite();
            let line = tokio::select! {
                line = keyboard.line() => line,
                _ = self.interrupt_key.recv() => None,
            };
            match line {
                Some(line) if line.trim().is_empty() => {}
                other => return other,
            }
        }
    }

    /// Shows what happens until the turn is over; asks what the agent asks.
    async fn turn(&mut self) -> Result<Outcome> {
        self.interrupts = 0;
        let mut asked: Vec<String> = Vec::new();
        loop {
            let record = tokio::select! {
                record = self.tail.next() => record?,
                _ = self.interrupt_key.recv() => {
                    if self.interrupt() { return Ok(Outcome::Left) }
                    continue;
                }
            };
            let Some(record) = record else {
                self.screen.died(&self.session);
                return Ok(Outcome::Died);
            };
            let (seq, mut events) = (record.seq, Vec::new());
            self.converter.convert_into(record, &mut events);
            for event in &events {
                self.screen.show(event)?;
                if let Some(outcome) = ended(event) {
                    return Ok(outcome);
                }
            }
            // The state may be ahead of what is on the screen; a question comes after what it is about.
            let shown = |ask: &&Arc<Ask>| ask.seq <= seq;
            let open: Vec<Arc<Ask>> =
                self.session.with_state(|state| state.asks.iter().filter(shown).cloned().collect());
            for ask in open.iter().filter(|ask| !asked.contains(&ask.id.to_string())) {
                if self.decide(ask).await? {
                    return Ok(Outcome::Left);
                }
            }
            asked = open.iter().map(|ask| ask.id.to_string()).collect();
        }
    }

    /// Asks the user what the agent asks. True if he leaves.
    async fn decide(&mut self, ask: &Ask) -> Result<bool> {
        let decision = match self.keyboard.as_mut() {
            None => {
                self.screen.hint("The agent asks, and nobody is there to answer: refused.");
                Decision::Deny { why: Some("Nobody is there to ask. Go on without it.".to_owned()), stop: false }
            }
            Some(keyboard) => {
                let session = self.session.clone();
                let id = ask.id.clone();
                let withdrawn = async move {
                    session.until(|state| !state.asks.iter().any(|open| open.id == id)).await;
                };
                tokio::select! {
                    decision = ask::decide(ask, &mut self.screen, keyboard) => decision,
                    () = withdrawn => {
                        self.screen.hint("The question was answered elsewhere or withdrawn.");
                        return Ok(false);
                    }
                    _ = self.interrupt_key.recv() => return Ok(self.interrupt()),
                }
            }
        };
        match self.session.answer(&ask.id, &decision, Some("terminal")).await {
            // Somebody else was faster, which is as good.
            Ok(_) | Err(live::Error::Refused { .. } | live::Error::NoQuestion(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The first Ctrl-C interrupts the turn, the second one leaves. True if he leaves.
    fn interrupt(&mut self) -> bool {
        self.interrupts += 1;
        if self.interrupts > 1 {
            return true;
        }
        self.screen.hint("Interrupting. Ctrl-C again leaves.");
        let session = self.session.clone();
        // What comes of it is shown as it comes; an agent that does not answer can be left.
        tokio::spawn(async move { _ = session.command(Interrupt::default(), Some("terminal")).await });
        false
    }

    /// Ends the agent, and waits until nothing of it is left.
    async fn leave(&mut self, outcome: Outcome) {
        let how = if outcome == Outcome::Left { Stop::Terminate } else { Stop::Close };
        if self.session.stop(how).await.is_ok() {
            self.session.ended().await;
        }
    }
}

/// Does this event end the turn that the user waits for?
fn ended(event: &InsightsEvent) -> Option<Outcome> {
    let Body::TurnComplete(turn) = &event.body else { return None };
    // A turn that the agent began by itself is nobody's.
    if event.origin.is_some() {
        return None;
    }
    Some(match turn {
        turn if turn.is_interrupted => Outcome::Interrupted,
        turn if turn.is_error => Outcome::Failed,
        _ => Outcome::Done,
    })
}

/// Writes to the person.
fn talk(text: &str) {
    let mut stderr = std::io::stderr();
    // If stderr is gone there is nobody left to tell.
    let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
}

/// Is colour welcome there?
fn colour() -> bool {
    terminal::colour_on(std::io::stderr().is_terminal())
}
