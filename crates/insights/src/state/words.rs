//! What a session is doing, in words: its header, its questions and the items that it works on in, a phase and a line out.

use std::borrow::Cow;
use std::sync::Arc;

use super::ask::{Ask, AskBody};
use super::clip::head;
use super::header::{AgentProcess, Exit, Job, JobStatus, Phase, Retry, Status, TurnClock};
use super::item::{Item, Written};

/// The most bytes of the words.
const WORDS_BYTES: usize = 200;

/// The phase, and the words for it. Whoever needs the user comes first; what cannot go on at all comes before that.
pub(crate) fn describe<'a>(
    status: &Status,
    asks: &[Arc<Ask>],
    jobs: &[Job],
    item: impl Fn(&str) -> Option<&'a Item>,
) -> (Phase, String) {
    let (phase, mut words) = match (status.agent, &status.turn) {
        (AgentProcess::Died, _) => (Phase::Failed, death(status.exit.as_ref())),
        _ if !asks.is_empty() => (Phase::NeedsYou, questions(asks)),
        (_, Some(turn)) if turn.interrupting => (Phase::Interrupting, "Stopping".to_owned()),
        _ if status.compacting => (Phase::Compacting, "Compacting the context".to_owned()),
        (_, Some(TurnClock { retry: Some(retry), .. })) => (Phase::Retrying, next_try(retry)),
        (_, Some(turn)) => (Phase::Running, work(turn, item)),
        (AgentProcess::Running, None) => (Phase::Idle, rest(jobs)),
        (AgentProcess::Starting, None) => (Phase::Starting, "Starting".to_owned()),
        (AgentProcess::None | AgentProcess::Ended, None) => (Phase::Asleep, "Asleep".to_owned()),
    };
    words.truncate(head(&words, WORDS_BYTES).len());
    (phase, words)
}

fn questions(asks: &[Arc<Ask>]) -> String {
    let count = |ask: &Arc<Ask>| match &ask.body {
        AskBody::Question(question) => question.questions.len().max(1),
        AskBody::Permission(_) | AskBody::Plan(_) | AskBody::Elicitation(_) | AskBody::Dialog(_) => 1,
    };
    let total: usize = asks.iter().map(count).sum();
    match asks {
        [ask] if total == 1 => match &ask.body {
            AskBody::Permission(permission) => format!("Wants to run {}", spoken(&permission.tool)),
            AskBody::Plan(_) => "Has a plan for you to approve".to_owned(),
            AskBody::Elicitation(asked) => match &asked.server {
                Some(server) => format!("{server} asks for something"),
                None => "A question for you".to_owned(),
            },
            AskBody::Question(_) | AskBody::Dialog(_) => "A question for you".to_owned(),
        },
        _ => format!("{total} questions for you"),
    }
}

fn work<'a>(turn: &TurnClock, item: impl Fn(&str) -> Option<&'a Item>) -> String {
    match turn.calls.as_slice() {
        [] => match turn.block.as_ref().and_then(|id| item(id)?.body.written()) {
            Some(Written::Thinking(_)) => "Thinking".to_owned(),
            Some(Written::Text(_)) => "Writing".to_owned(),
            Some(Written::Tool(tool)) => ["Preparing ", &spoken(&tool.name)].concat(),
            Some(Written::Agent(_)) => "Preparing a subagent".to_owned(),
            None => "Working".to_owned(),
        },
        [call] => match item(call).and_then(|item| item.body.written()) {
            Some(Written::Tool(tool)) => with_title("Running ", &spoken(&tool.name), &tool.title),
            Some(Written::Agent(agent)) => match agent.agent_type.as_deref().unwrap_or_default().trim_end() {
                "" => with_title("Subagent", "", &agent.description),
                kind => with_title("Subagent ", kind, &agent.description),
            },
            Some(Written::Text(_) | Written::Thinking(_)) | None => "Running a tool".to_owned(),
        },
        calls => format!("Running {} tools", calls.len()),
    }
}

/// A tool as people would speak of it: some have names that only a program would use.
fn spoken(tool: &str) -> Cow<'_, str> {
    Cow::Borrowed(match tool {
        "AskUserQuestion" => "a question",
        "ExitPlanMode" => "a plan",
        "EnterPlanMode" => "plan mode",
        "TodoWrite" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet" => "a list of tasks",
        "WebFetch" => "a web fetch",
        "WebSearch" => "a web search",
        "NotebookEdit" => "a notebook edit",
        "BashOutput" | "TaskOutput" => "a look at output",
        "KillShell" | "TaskStop" => "a stop of a task",
        _ => return tool_name(tool),
    })
}

/// `mcp__github__get_issue` is `github: get_issue` for people.
pub(crate) fn tool_name(name: &str) -> Cow<'_, str> {
    match mcp_name(name) {
        Some((server, tool)) => Cow::Owned(format!("{server}: {tool}")),
        None => Cow::Borrowed(name),
    }
}

/// The server and the tool in the name of an MCP tool.
pub(crate) fn mcp_name(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__")
}

fn with_title(doing: &str, what: &str, title: &str) -> String {
    match title.lines().next() {
        Some(line) if !line.is_empty() && line != what => [doing, what, ": ", line].concat(),
        _ => [doing, what].concat(),
    }
}

fn next_try(retry: &Retry) -> String {
    match retry.max {
        Some(max) => format!("{}, try {} of {max}", retry.error, retry.attempt),
        None => format!("{}, try {}", retry.error, retry.attempt),
    }
}

/// What went wrong with a call of the model, in a word or two.
pub(crate) fn api_error(status: Option<u64>, error: Option<&str>) -> String {
    match (status, error) {
        (Some(529), _) | (_, Some("overloaded")) => "Overloaded".to_owned(),
        (Some(429), _) | (_, Some("rate_limit")) => "Rate limited".to_owned(),
        (Some(401 | 403), _) | (_, Some("authentication_failed")) => "Not logged in".to_owned(),
        (Some(500..=599), _) => "Server error".to_owned(),
        (Some(status), _) => format!("Error {status}"),
        (None, Some("unknown") | None) => "No connection".to_owned(),
        (None, Some(error)) => head(error, WORDS_BYTES / 2).replace('_', " "),
    }
}

fn rest(jobs: &[Job]) -> String {
    match jobs.iter().filter(|job| job.background && job.status == JobStatus::Running).count() {
        0 => "Ready".to_owned(),
        1 => "Ready, 1 job in the background".to_owned(),
        count => format!("Ready, {count} jobs in the background"),
    }
}

fn death(exit: Option<&Exit>) -> String {
    match exit {
        Some(Exit { lost: true, .. }) => "The agent was lost".to_owned(),
        Some(Exit { signal: Some(signal), .. }) => format!("The agent was ended by signal {signal}"),
        Some(Exit { code: Some(0), .. }) => "The agent ended before its turn did".to_owned(),
        Some(Exit { code: Some(code), .. }) => format!("The agent ended with exit code {code}"),
        _ => "The agent died".to_owned(),
    }
}
