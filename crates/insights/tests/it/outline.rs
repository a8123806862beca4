//! A state as a person would tell it: one line for each thing, in order, subagents' items further in.

use std::fmt::Write as _;

use insights::state::ask::AskBody;
use insights::state::clip::Clip;
use insights::state::header::{JobStatus, QueuedState};
use insights::state::item::{Item, ItemBody};
use insights::state::tool::{Decision, Diff, ToolView};
use insights::state::{State, Status};
use serde::Serialize;

/// The whole state in lines.
pub(crate) fn outline(state: &State) -> String {
    let mut out = String::new();
    header(state, &mut out);
    out.push_str("--\n");
    for item in state.items.iter() {
        let depth = std::iter::successors(item.parent.as_deref(), |id| state.items.get(id)?.parent.as_deref()).count();
        _ = writeln!(out, "{}{}", "  ".repeat(depth), line(item));
    }
    out
}

fn header(state: &State, out: &mut String) {
    let Status { words, model, mode, title, cwd, version, turn, earlier_session_ids, .. } = &*state.status;
    _ = writeln!(out, "{} \"{words}\" agent {}", word(&state.status.phase), word(&state.status.agent));
    _ = writeln!(out, "title {title:?} model {model:?} mode {mode:?} cwd {cwd:?} version {version:?}");
    if let Some(turn) = turn {
        _ = writeln!(out, "turn {turn:?}");
    }
    if !earlier_session_ids.is_empty() {
        _ = writeln!(out, "earlier ids {}", earlier_session_ids.len());
    }
    let status = &*state.status;
    for (name, value) in [("suggestion", &status.suggestion), ("goal", &status.goal), ("login", &status.login)] {
        if let Some(value) = value {
            _ = writeln!(out, "{name} {value:?}");
        }
    }
    if let Some(exit) = &status.exit {
        _ = writeln!(out, "{exit:?}");
    }
    if !status.lost_grants.is_empty() {
        _ = writeln!(out, "lost grants {:?}", status.lost_grants);
    }
    let meters = &state.meters;
    _ = writeln!(
        out,
        "cost {:.6} last {:?} inherited {} turns {} tokens {}+{} models {:?}",
        meters.cost_usd,
        meters.last_turn_usd.map(|usd| format!("{usd:.6}")),
        meters.inherited_usd,
        meters.turns,
        meters.tokens.input_tokens,
        meters.tokens.output_tokens,
        meters.models.keys().collect::<Vec<_>>(),
    );
    let context = &meters.context;
    _ = writeln!(
        out,
        "context {:?} of {:?} categories {} compactions {}",
        context.used,
        context.window,
        context.categories.len(),
        context.compactions.len(),
    );
    for (name, limit) in &meters.limits {
        _ = writeln!(out, "limit {name} {limit:?}");
    }
    let catalog = &state.catalog;
    _ = writeln!(
        out,
        "catalog {} tools, {} commands, {} agents, {} skills, {} models, account {}",
        catalog.tools.len(),
        catalog.commands.len(),
        catalog.agents.len(),
        catalog.skills.len(),
        catalog.models.len(),
        catalog.account.is_some(),
    );
    for task in &state.tasks {
        let blocked = if task.blocked_by.is_empty() { String::new() } else { format!(" after {:?}", task.blocked_by) };
        _ = writeln!(out, "task {} {} {:?}{blocked}", task.id, word(&task.status), task.subject);
    }
    for job in &state.jobs {
        let place = if job.background { "background" } else { "foreground" };
        let end = if job.status == JobStatus::Running { "" } else { " ended" };
        _ = writeln!(
            out,
            "job {} {place} {} {:?}{end} {:?}",
            job.kind.as_deref().unwrap_or("?"),
            word(&job.status),
            job.description,
            job.summary
        );
    }
    for server in &state.mcp {
        _ = writeln!(out, "mcp {} {} {} tools", server.name, server.status, server.tools.len());
    }
    for queued in &state.queue {
        let state =
            if queued.state == QueuedState::Unconfirmed { "unconfirmed".to_owned() } else { word(&queued.state) };
        _ = writeln!(out, "queue {state} {}", head(&queued.text));
    }
    for ask in &state.asks {
        let what = match &ask.body {
            AskBody::Permission(ask) => format!("permission {} {:?}", ask.tool, ask.title),
            AskBody::Question(ask) => format!("question x{}", ask.questions.len()),
            AskBody::Plan(ask) => format!("plan {}", head(&ask.plan)),
            AskBody::Elicitation(ask) => format!("elicitation {:?} {}", ask.server, head(&ask.message)),
            AskBody::Dialog(ask) => format!("dialog {:?}", ask.dialog),
        };
        _ = writeln!(out, "ask {what}");
    }
}

fn line(item: &Item) -> String {
    match &item.body {
        ItemBody::User(user) => {
            let images = if user.images.is_empty() { String::new() } else { format!(" images {}", user.images.len()) };
            format!("user {}{images} {}", word(&user.role), head(&user.text))
        }
        ItemBody::Text(text) => {
            let marks = match (text.done, text.aborted) {
                (true, false) => "",
                (true, true) => " aborted",
                (false, _) => " streaming",
            };
            format!("text{marks} {}", head(&text.text))
        }
        ItemBody::Thinking(thinking) => {
            format!("thinking{} {}", if thinking.done { "" } else { " streaming" }, head(&thinking.text))
        }
        ItemBody::Tool(tool) => {
            let mut line = format!("tool {} {} {:?}", tool.name, word(&tool.status), tool.title);
            line += &view(&tool.view);
            if let Some(error) = &tool.error {
                _ = write!(line, " error {}", head(error));
            }
            line += &decision(tool.decision.as_ref());
            if !tool.images.is_empty() {
                _ = write!(line, " images {}", tool.images.len());
            }
            if let Some(summary) = &tool.summary {
                _ = write!(line, " summary {summary:?}");
            }
            line
        }
        ItemBody::Agent(agent) => {
            let mut line = format!(
                "agent {} {} {:?} {:?}",
                agent.name,
                word(&agent.status),
                agent.agent_type.as_deref().unwrap_or_default(),
                agent.description
            );
            if agent.background {
                line += " background";
            }
            if let Some(result) = &agent.result {
                _ = write!(line, " result {}", head(result));
            }
            if let Some(error) = &agent.error {
                _ = write!(line, " error {}", head(error));
            }
            line += &decision(agent.decision.as_ref());
            line
        }
        ItemBody::Command(command) => {
            let error = if command.is_error { " error" } else { "" };
            format!("command {:?}{error} {}", command.command.as_deref().unwrap_or_default(), head(&command.text))
        }
        ItemBody::Compaction(compaction) => format!(
            "compaction {} {:?} -> {:?} summary {} error {:?}",
            word(&compaction.trigger),
            compaction.pre_tokens,
            compaction.post_tokens,
            compaction.summary.as_ref().map_or("none".to_owned(), head),
            compaction.error
        ),
        ItemBody::Notice(notice) => format!("notice {} {} {}", word(&notice.level), notice.source, head(&notice.text)),
        ItemBody::Error(error) => {
            format!(
                "error {:?} {:?} {}",
                error.category.as_deref().unwrap_or_default(),
                error.status,
                head(&error.text)
            )
        }
        ItemBody::Hook(hook) => format!(
            "hook {} {:?} exit {:?} {}",
            hook.name,
            hook.outcome.as_deref().unwrap_or_default(),
            hook.exit_code,
            head(&hook.output)
        ),
        ItemBody::Turn(turn) => {
            let mut line = format!("turn {} prompts {}", word(&turn.outcome), turn.prompts.len());
            if let Some(cost) = turn.cost_usd {
                _ = write!(line, " cost {cost:.6}");
            }
            if turn.tool_calls > 0 {
                _ = write!(line, " calls {}", turn.tool_calls);
            }
            if let Some(origin) = &turn.origin {
                _ = write!(line, " origin {origin}");
            }
            for file in &turn.files {
                let created = if file.created { " new" } else { "" };
                _ = write!(line, " [{} +{} -{}{created}]", file.path, file.added, file.removed);
            }
            if !turn.denials.is_empty() {
                let tools: Vec<_> = turn.denials.iter().map(|denial| denial.tool.as_str()).collect();
                _ = write!(line, " denied {tools:?}");
            }
            if let Some(message) = &turn.message {
                _ = write!(line, " {message:?}");
            }
            if let Some(output) = &turn.structured_output {
                _ = write!(line, " structured {}", head(output));
            }
            line
        }
        ItemBody::Unknown(unknown) => format!("unknown {} {:?}", unknown.message_type, unknown.text),
    }
}

fn decision(decision: Option<&Decision>) -> String {
    let Some(decision) = decision else { return String::new() };
    let edited = if decision.edited { " edited" } else { "" };
    let mut line = format!(" [{} by {:?}{edited}", word(&decision.outcome), decision.by.as_deref().unwrap_or_default());
    if let Some(message) = &decision.message {
        _ = write!(line, " {message:?}");
    }
    if !decision.remembered.is_empty() {
        _ = write!(line, " remembers {:?}", decision.remembered);
    }
    line + "]"
}

fn view(view: &ToolView) -> String {
    match view {
        ToolView::Command { command, output, exit_code, interrupted, background, .. } => {
            let exit = exit_code.map_or(String::new(), |code| format!(" exit {code}"));
            let marks = [(*interrupted, " interrupted"), (*background, " background")];
            let marks: String = marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark).collect();
            format!(" $ {}{exit}{marks} -> {}", head(command), head(output))
        }
        ToolView::Read { content, start_line, lines, total_lines, .. } => {
            format!(" from {start_line:?} lines {lines:?} of {total_lines:?} {}", head(content))
        }
        ToolView::Edit { diff, content } => {
            let content = content.as_ref().map_or(String::new(), |content| format!(" content {}", head(content)));
            format!(" {}{content}", changed(diff))
        }
        ToolView::Search { path, output, count, .. } => format!(" in {path:?} found {count:?} {}", head(output)),
        ToolView::Fetch { output, code, .. } => format!(" {code:?} {}", head(output)),
        ToolView::WebSearch { hits, output, .. } => format!(" hits {} {}", hits.len(), head(output)),
        ToolView::Todo { todos } => {
            let todos: Vec<_> = todos.iter().map(|todo| format!("{}:{}", todo.subject, word(&todo.status))).collect();
            format!(" {todos:?}")
        }
        ToolView::Notebook { cell_type, edit_mode, source, old_source, .. } => {
            format!(" {cell_type:?} {edit_mode:?} {} was {:?}", head(source), old_source.as_ref().map(head))
        }
        ToolView::Question { questions, answers, notes } => {
            let noted = if notes.is_empty() { String::new() } else { format!(" noted {notes:?}") };
            format!(" questions {} answers {answers:?}{noted}", questions.len())
        }
        ToolView::Plan { plan, path } => format!(" {} at {path:?}", head(plan)),
        ToolView::Skill { args, output, .. } => format!(" {args:?} {}", head(output)),
        ToolView::Mcp { output, .. } | ToolView::Other { output } => format!(" -> {}", head(output)),
    }
}

fn changed(diff: &Diff) -> String {
    let marks = [(diff.created, "new"), (diff.proposed, "proposed"), (diff.user_modified, "modified")];
    let marks: Vec<_> = marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark).collect();
    let places: Vec<_> = diff.hunks.iter().map(|hunk| format!("@{}/{}", hunk.old_start, hunk.lines.len())).collect();
    format!("+{} -{} {marks:?} {}", diff.added, diff.removed, places.join(" "))
}

/// The beginning of a text, and whether the state has the whole.
fn head(clip: &Clip) -> String {
    let head: String = clip.text.chars().take(60).collect();
    let rest = if head.len() < clip.text.len() { format!("…({})", clip.text.len()) } else { String::new() };
    let more = if clip.more.is_some() { " clipped" } else { "" };
    format!("{head:?}{rest}{more}")
}

/// The name of a variant as JSON has it.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value).unwrap() {
        serde_json::Value::String(word) => word,
        other => other.to_string(),
    }
}
