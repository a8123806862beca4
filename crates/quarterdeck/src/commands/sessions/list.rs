//! The list of sessions: the index in, a table or JSON Lines out.

use std::io::Write;

use anyhow::Result;
use insights::UnixMillis;
use journal::{Among, Data, Desk, Filter, Hit, SessionRow, SortBy};

use super::{ago, counted, index};
use crate::commands::run::clean;

/// Prints the sessions that hold the text, or all.
pub(crate) fn list(data: &Data, text: Option<&str>, json: bool, limit: usize) -> Result<()> {
    let mut index = index(data)?;
    let hits = match text {
        Some(text) => index.search(text, 1000)?,
        None => Vec::new(),
    };
    let among = match text {
        None => Among::All,
        Some(_) => Among::Only(hits.iter().map(|hit| hit.session.clone()).collect()),
    };
    let mut page = index.list(&Filter { among, ..Filter::default() }, SortBy::Active, limit, None)?;
    // Titles of the user; where there is no desk, there are none.
    let mut own = Desk::reader(data).and_then(|mut desk| desk.sessions()).unwrap_or_default();
    for row in &mut page.rows {
        row.title = own.remove(&row.id).and_then(|own| own.title).or(row.title.take());
    }
    let mut out = std::io::stdout().lock();
    if json {
        for row in &page.rows {
            serde_json::to_writer(&mut out, row)?;
            writeln!(out)?;
        }
        return Ok(());
    }
    if page.rows.is_empty() {
        let what = match text {
            Some(text) => format!("no session has `{text}`"),
            None => "no sessions yet: `quarterdeck run \"…\"` starts one".to_owned(),
        };
        writeln!(std::io::stderr(), "{what}")?;
        return Ok(());
    }
    for row in &page.rows {
        writeln!(out, "{}", table_row(row, keeper::now()))?;
        if let Some(hit) = hits.iter().find(|hit| hit.session == row.id) {
            writeln!(out, "          {}", snippet(hit))?;
        }
    }
    if page.next.is_some() {
        writeln!(std::io::stderr(), "and more: --limit shows them")?;
    }
    Ok(())
}

fn table_row(row: &SessionRow, now: UnixMillis) -> String {
    let title = row.title.as_deref().or(row.first_prompt.as_deref()).unwrap_or("—");
    let title: String = clean(title).lines().next().unwrap_or_default().chars().take(60).collect();
    let id: String = row.id.chars().take(8).collect();
    let folder = row.cwd.as_deref().and_then(|cwd| cwd.rsplit('/').next()).unwrap_or("");
    format!(
        "{id:<8}  {:>6}  {:<22}  {:>9}  {:>9}  {:<16}  {title}",
        ago(row.active_at, now),
        cut(&row.words, 22),
        format!("${:.4}", row.cost_usd),
        counted(row.turns.into(), "turn"),
        cut(folder, 16),
    )
}

fn cut(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// The words around what was found.
fn snippet(hit: &Hit) -> String {
    let text: String = hit.snippet.iter().map(|piece| clean(&piece.text).replace('\n', " ")).collect();
    format!("{:?}: {text}", hit.kind).to_lowercase()
}
