//! A session for people to read: its state in, Markdown out. Texts that the state holds cut are fetched whole.

use std::fmt::Write;

use insights::state::item::{TurnItem, TurnOutcome, UserRole};
use insights::state::tool::{ToolItem, ToolView};
use insights::state::{Clip, Item, ItemBody, State};

/// Writes a session as Markdown. `whole` gives the whole of a text that may be cut.
pub fn markdown(state: &State, whole: impl Fn(&Clip) -> String) -> String {
    let mut out = String::new();
    let status = &state.status;
    line(&mut out, &format!("# {}", status.title.as_deref().unwrap_or("A session without a title").trim()));
    let facts = [
        ("Folder", status.cwd.as_deref().map(str::to_owned)),
        ("Model", status.model.as_deref().map(str::to_owned)),
        ("Claude Code", status.version.as_deref().map(str::to_owned)),
        ("Session", status.session_id.as_deref().map(str::to_owned)),
        ("Turns", Some(state.meters.turns.to_string())),
        ("Cost", Some(format!("${:.4}", state.meters.cost_usd))),
    ];
    for (name, value) in facts {
        if let Some(value) = value {
            let _ = writeln!(out, "- {name}: {value}");
        }
    }
    for item in state.items.iter() {
        out.push('\n');
        write_item(&mut out, item, &whole);
    }
    out
}

fn write_item(out: &mut String, item: &Item, whole: &impl Fn(&Clip) -> String) {
    match &item.body {
        ItemBody::User(user) => {
            let who = match user.role {
                UserRole::Person => "User",
                UserRole::Agent => "Task",
                UserRole::System => "Note to the agent",
                UserRole::Interrupt => "Interrupted",
            };
            line(out, &format!("## {who}"));
            out.push('\n');
            line(out, &whole(&user.text));
            for image in &user.images {
                let _ = writeln!(out, "\n*(a picture: {}, {} bytes)*", image.media_type, image.bytes);
            }
        }
        ItemBody::Text(text) => line(out, &whole(&text.text)),
        ItemBody::Thinking(thought) if thought.text.text.is_empty() => line(out, "*(a thought)*"),
        ItemBody::Thinking(thought) => quote(out, &whole(&thought.text)),
        ItemBody::Tool(tool) => write_tool(out, tool, whole),
        ItemBody::Agent(agent) => {
            line(out, &format!("### {} — {}", agent.name, agent.description));
            if let Some(result) = &agent.result {
                out.push('\n');
                quote(out, &whole(result));
            }
        }
        ItemBody::Command(command) => {
            line(out, &format!("### /{}", command.command.as_deref().unwrap_or("command")));
            fence(out, "", &whole(&command.text));
        }
        ItemBody::Compaction(compaction) => {
            line(out, "---\n\n*The context was summed up.*");
            if let Some(summary) = &compaction.summary {
                quote(out, &whole(summary));
            }
        }
        ItemBody::Notice(notice) => line(out, &format!("*{}*", whole(&notice.text))),
        ItemBody::Error(error) => line(out, &format!("**Error:** {}", whole(&error.text))),
        ItemBody::Hook(hook) => line(out, &format!("*Hook {}*", hook.name)),
        ItemBody::Turn(turn) => write_turn(out, turn),
        ItemBody::Unknown(unknown) => line(out, &format!("*Unknown message `{}`*", unknown.message_type)),
    }
}

fn write_tool(out: &mut String, tool: &ToolItem, whole: &impl Fn(&Clip) -> String) {
    line(out, &format!("### {}", tool.name));
    match &tool.view {
        ToolView::Command { command, output, exit_code, .. } => {
            fence(out, "sh", &whole(command));
            fence(out, "", &whole(output));
            if let Some(code) = exit_code.filter(|code| *code != 0) {
                let _ = writeln!(out, "\nExit code {code}");
            }
        }
        ToolView::Read { path, .. } => line(out, &format!("`{path}`")),
        ToolView::Edit { diff, .. } => {
            line(out, &format!("`{}` (+{} −{})", diff.path, diff.added, diff.removed));
            let lines: Vec<&str> = diff.hunks.iter().flat_map(|hunk| hunk.lines.iter()).collect();
            fence(out, "diff", &lines.join("\n"));
        }
        ToolView::Search { pattern, output, .. } => {
            line(out, &format!("`{pattern}`"));
            fence(out, "", &whole(output));
        }
        ToolView::Fetch { url, output, .. } => {
            line(out, &format!("<{}>", whole(url)));
            fence(out, "", &whole(output));
        }
        ToolView::WebSearch { query, hits, .. } => {
            line(out, query);
            for hit in hits {
                let _ = writeln!(out, "- [{}]({})", hit.title, hit.url);
            }
        }
        ToolView::Todo { todos } => {
            for todo in todos {
                let _ = writeln!(out, "- {:?}: {}", todo.status, todo.subject);
            }
        }
        ToolView::Notebook { path, source, .. } => {
            line(out, &format!("`{path}`"));
            fence(out, "python", &whole(source));
        }
        ToolView::Question { questions, answers, notes } => {
            for question in questions {
                let answer = answers.get(&question.question).map(|answers| answers.join(", "));
                let _ = writeln!(out, "- {} **{}**", question.question, answer.unwrap_or_default());
                if let Some(note) = notes.get(&question.question) {
                    let _ = writeln!(out, "  Note: {note}");
                }
            }
        }
        ToolView::Plan { plan, .. } => quote(out, &whole(plan)),
        ToolView::Skill { skill, output, .. } => {
            line(out, skill);
            fence(out, "", &whole(output));
        }
        ToolView::Mcp { output, .. } | ToolView::Other { output } => {
            fence(out, "json", &whole(&tool.input));
            fence(out, "", &whole(output));
        }
    }
    if let Some(error) = &tool.error {
        let _ = writeln!(out, "\n**Failed:** {}", whole(error));
    }
}

fn write_turn(out: &mut String, turn: &TurnItem) {
    let outcome = match turn.outcome {
        TurnOutcome::Completed | TurnOutcome::Command => None,
        TurnOutcome::Interrupted => Some("interrupted".to_owned()),
        TurnOutcome::Failed => Some("failed".to_owned()),
        TurnOutcome::MaxTurns => Some("stopped: too many rounds".to_owned()),
        TurnOutcome::MaxBudget => Some("stopped: too expensive".to_owned()),
    };
    let seconds = turn.duration_ms.map(|duration| format!("{:.1} s", duration / 1000.0));
    let cost = turn.cost_usd.map(|cost| format!("${cost:.4}"));
    let parts: Vec<String> = [outcome, seconds, cost].into_iter().flatten().collect();
    line(out, &format!("*{}*", parts.join(" · ")));
    if let Some(message) = &turn.message {
        let _ = writeln!(out, "\n**{message}**");
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

fn quote(out: &mut String, text: &str) {
    for one in text.trim_end().lines() {
        let _ = writeln!(out, "> {one}");
    }
}

/// A block of text as it is. Its fence is longer than any in the text.
fn fence(out: &mut String, language: &str, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    let longest = text.split(|one| one != '`').map(str::len).max().unwrap_or_default();
    let marks = "`".repeat(longest.max(2) + 1);
    let _ = write!(out, "\n{marks}{language}\n{}\n{marks}\n", text.trim_end_matches('\n'));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        let mut out = String::new();
        fence(&mut out, "sh", "a ```` b\n");
        assert_eq!(out, "\n`````sh\na ```` b\n`````\n");
    }
}
