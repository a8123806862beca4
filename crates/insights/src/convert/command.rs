//! Local commands: their output in all the forms that the CLI gives it, and the reports of `/context` and `/usage` as
//! figures.

use claude_protocol::usage::context::{ContextKind, ContextReport, ContextUsage as ContextAnswer};
use claude_protocol::usage::report::UsageReport as WireReport;

use super::{Converter, usage};
use crate::event::Body;
use crate::event::text::{ContextCategory, ContextUsage, LocalCommandOutput, UsageReport};

/// A local command that has answered.
#[derive(Debug, Default)]
pub(super) struct LocalCommand {
    pub(super) command: Option<String>,
    pub(super) args: Option<String>,
    pub(super) is_error: bool,
}

/// What a local command answers as data, beside its words.
#[derive(Debug, Default)]
pub(super) struct Figures {
    /// What fills the context.
    pub(super) context: Option<ContextUsage>,
    /// What was used.
    pub(super) usage: Option<Box<UsageReport>>,
}

impl Figures {
    /// From the reports on a line.
    pub(super) fn of_reports(context: Option<Box<ContextReport>>, used: Option<Box<WireReport>>) -> Self {
        Figures {
            context: context.map(|report| usage_of_report(*report)),
            usage: used.map(|report| Box::new(usage::report(*report))),
        }
    }

    /// From the words alone, as older versions have them.
    pub(super) fn of_words(text: &str) -> Self {
        Figures { context: usage_of_table(text), usage: None }
    }
}

impl Converter {
    pub(super) fn command_output(&mut self, text: String, command: LocalCommand, figures: Figures) {
        if let Some(usage) = &figures.context {
            self.context.used = Some(usage.used);
            self.context.window = Some(usage.max).filter(|max| *max > 0);
        }
        self.out.put(Body::LocalCommandOutput(LocalCommandOutput {
            text,
            is_error: command.is_error,
            command: command.command,
            args: command.args,
            context_usage: figures.context,
            usage_report: figures.usage,
        }));
    }
}

const STDOUT: (&str, &str) = ("<local-command-stdout>", "</local-command-stdout>");
const STDERR: (&str, &str) = ("<local-command-stderr>", "</local-command-stderr>");

/// The output of a local command in its tags, and whether it is an error; `None` for any other text.
pub(super) fn tagged(text: &str) -> Option<(String, bool)> {
    let text = text.trim();
    if !text.starts_with(STDOUT.0) && !text.starts_with(STDERR.0) {
        return None;
    }
    let inner = |tag: (&str, &str)| {
        let rest = text.split_once(tag.0)?.1;
        Some(rest.rsplit_once(tag.1).map_or(rest, |(inner, _)| inner).trim().to_owned())
    };
    let (output, errors) = (inner(STDOUT).unwrap_or_default(), inner(STDERR).unwrap_or_default());
    let is_error = !errors.is_empty();
    let between = if output.is_empty() || errors.is_empty() { "" } else { "\n" };
    Some((format!("{output}{between}{errors}"), is_error))
}

/// The command as it was typed, from the tags in which a transcript keeps it; `None` for any other text.
pub(super) fn typed(text: &str) -> Option<String> {
    let inner = |tag: &str| {
        let rest = text.split_once(&format!("<{tag}>"))?.1;
        Some(rest.split_once(&format!("</{tag}>"))?.0.trim())
    };
    let name = inner("command-name").filter(|_| text.trim_start().starts_with("<command-"))?;
    let args = inner("command-args").unwrap_or_default();
    Some(format!("/{} {args}", name.trim_start_matches('/')).trim_end().to_owned())
}

/// Does the output in its old form say that something went wrong?
pub(super) fn is_error(source: &str) -> bool {
    tagged(source).is_some_and(|(_, is_error)| is_error)
}

/// What fills the context, as `/context` reports it in data.
fn usage_of_report(report: ContextReport) -> ContextUsage {
    let (used, max) = (report.total_tokens.unwrap_or(0), report.raw_max_tokens.unwrap_or(0));
    let categories = report.categories.unwrap_or_default();
    context_usage(report.model, used, max, report.percentage, categories)
}

/// What fills the context, as the answer to `get_context_usage` has it.
pub(super) fn usage_of_answer(answer: ContextAnswer) -> ContextUsage {
    let max = answer.max_tokens.or(answer.raw_max_tokens).unwrap_or(0);
    let categories = answer.categories.unwrap_or_default();
    context_usage(answer.model, answer.total_tokens.unwrap_or(0), max, answer.percentage, categories)
}

fn context_usage(
    model: Option<String>,
    used: u64,
    max: u64,
    percent: Option<f64>,
    categories: Vec<claude_protocol::usage::context::ContextCategory>,
) -> ContextUsage {
    // What is only reserved or could be loaded fills nothing; the free space is a category of the report too.
    let told = categories.into_iter().filter(|category| category.kind != Some(ContextKind::Deferred));
    let categories = told.map(|category| ContextCategory {
        name: category.name.or(category.id).unwrap_or_default(),
        tokens: category.tokens.unwrap_or(0),
    });
    ContextUsage {
        model,
        used,
        max,
        percent: percent.unwrap_or_else(|| share(used, max)),
        categories: categories.collect(),
    }
}

fn share(used: u64, max: u64) -> f64 {
    if max == 0 { 0.0 } else { used as f64 * 100.0 / max as f64 }
}

/// What fills the context, as `/context` reports it in Markdown: `**Tokens:** 18.2k / 200k (9%)` and a table whose
/// columns are found by their names. `None` for any other text.
pub(super) fn usage_of_table(text: &str) -> Option<ContextUsage> {
    let field = |name: &str| {
        let line = text.lines().find(|line| line.to_lowercase().contains(name))?;
        Some(line.split_once(':')?.1.trim_matches(['*', ' ', '`']))
    };
    let model = field("model:").map(str::to_owned);
    let tokens = field("tokens:").and_then(|tokens| {
        let (used, rest) = tokens.split_once('/')?;
        let (max, percent) = rest.split_once('(').unwrap_or((rest, ""));
        Some((count(used)?, count(max)?, percent.trim_end_matches([')', '%', ' ']).parse::<f64>().ok()))
    });
    let categories = table(text);
    if tokens.is_none() && categories.is_empty() {
        return None;
    }
    let sum = || {
        let filled = categories.iter().filter(|category| !category.name.to_lowercase().contains("free"));
        filled.map(|category| category.tokens).fold(0, u64::saturating_add)
    };
    let (used, max, percent) = tokens.unwrap_or_else(|| (sum(), 0, None));
    Some(ContextUsage { model, used, max, percent: percent.unwrap_or_else(|| share(used, max)), categories })
}

/// The rows of the first table that has a column for categories and one for tokens.
fn table(text: &str) -> Vec<ContextCategory> {
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*').to_owned()).collect()
    };
    let mut lines = text.lines().map(str::trim);
    let columns = lines.by_ref().filter(|line| line.starts_with('|')).find_map(|line| {
        let names: Vec<String> = cells(line).iter().map(|cell| cell.to_lowercase()).collect();
        let place = |name: &str| names.iter().position(|cell| cell.contains(name));
        Some((place("category")?, place("tokens")?))
    });
    let Some((name, tokens)) = columns else { return Vec::new() };
    let rows = lines.take_while(|line| line.starts_with('|')).map(cells);
    let rows = rows.filter_map(|row| {
        let tokens = count(row.get(tokens)?)?;
        Some(ContextCategory { name: row.get(name)?.clone(), tokens })
    });
    rows.collect()
}

/// A count as people write it: `3,200`, `3.2k`, `1.2M`.
fn count(text: &str) -> Option<u64> {
    let text = text.trim().trim_end_matches("tokens").trim().replace([',', '_'], "");
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (text.get(..at)?, 1e3),
        Some((at, 'm' | 'M')) => (text.get(..at)?, 1e6),
        _ => (text.as_str(), 1.0),
    };
    let number: f64 = digits.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then(|| (number * factor).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_context_is_read_by_the_names_of_its_columns() {
        let text = "## Context Usage\n\n**Model:** claude-x  \n**Tokens:** 136.3k / 200k (68%)\n\n### Categories\n\n\
            | Percentage | Category | Tokens |\n|---|---|---|\n| 2% | System prompt | 3,200 |\n| 60% | Messages | 1.2M |\n\
            | 1% | Free space | 3.2k |\n\n| MCP tool | Tokens |\n|---|---|\n| x | 9k |\n";
        let category = |name: &str, tokens| ContextCategory { name: name.to_owned(), tokens };
        let expected = ContextUsage {
            model: Some("claude-x".to_owned()),
            used: 136_300,
            max: 200_000,
            percent: 68.0,
            categories: vec![
                category("System prompt", 3200),
                category("Messages", 1_200_000),
                category("Free space", 3200),
            ],
        };
        assert_eq!(usage_of_table(text), Some(expected));
        assert_eq!(usage_of_table("Total cost: $1"), None);
    }

    #[test]
    fn the_output_of_a_command_is_found_in_its_tags() {
        let plain = |text: &str| Some((text.to_owned(), false));
        assert_eq!(tagged("<local-command-stdout>Compacted </local-command-stdout>"), plain("Compacted"));
        assert_eq!(tagged("<local-command-stdout></local-command-stdout>"), plain(""));
        assert_eq!(tagged("<local-command-stdout>cut o"), plain("cut o"));
        assert_eq!(tagged("<local-command-stderr>no</local-command-stderr>"), Some(("no".to_owned(), true)));
        assert_eq!(tagged("see <local-command-stdout>"), None);
    }
}
