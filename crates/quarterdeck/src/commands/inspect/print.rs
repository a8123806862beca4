//! The report as a table for people, or as JSON for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use serde_json::{Value, json};

use super::report::{Finding, Findings, Report, Seen};
use crate::terminal;

/// One JSON object on one line.
pub(crate) fn json(report: &Report) -> Result<String> {
    let mut object = json!({
        "files": report.files,
        "lines": report.lines,
        "kinds": report.kinds,
        "notJson": report.not_json,
    });
    let lists = findings(&report.cli);
    for (name, list) in lists {
        object[name] = list;
    }
    object["host"] =
        Value::Object(findings(&report.host).into_iter().map(|(name, list)| (name.to_owned(), list)).collect());
    Ok(serde_json::to_string(&object)? + "\n")
}

fn findings(findings: &Findings) -> [(&'static str, Value); 3] {
    let list = |found: &BTreeMap<Finding, Seen>| {
        let entry = |(finding, seen): (&Finding, &Seen)| {
            let mut entry = json!({ "kind": finding.kind, "path": finding.path });
            if !finding.what.is_empty() {
                entry["what"] = json!(finding.what);
            }
            entry["count"] = json!(seen.count);
            entry["first"] = json!(seen.first);
            entry
        };
        Value::Array(found.iter().map(entry).collect())
    };
    [("unknown", list(&findings.unknown)), ("unmodelled", list(&findings.unmodelled)), ("notes", list(&findings.notes))]
}

/// A table of kinds, then what is odd.
pub(crate) fn table(report: &Report) -> String {
    let (bold, plain) = if terminal::colour() { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") };
    let mut out = String::new();
    let width = report.kinds.keys().map(|kind| kind.chars().count()).max().unwrap_or(0).max("not JSON".len());
    let digits = report.lines.to_string().len().max("lines".len());
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{bold}{:width$}  {:>digits$}{plain}", "kind", "lines");
    for (kind, count) in &report.kinds {
        let _ = writeln!(out, "{kind:width$}  {count:>digits$}");
    }
    if report.not_json > 0 {
        let _ = writeln!(out, "{:width$}  {:>digits$}", "not JSON", report.not_json);
    }
    let files = if report.files == 1 { "1 file".to_owned() } else { format!("{} files", report.files) };
    let _ = writeln!(out, "{bold}{files:width$}  {:>digits$}{plain}", report.lines);

    for (heading, found) in [
        ("Unknown messages, parts and words", &report.cli.unknown),
        ("Unmodelled fields", &report.cli.unmodelled),
        ("Fields that did not fit", &report.cli.notes),
        ("Unknown in what was sent to the CLI", &report.host.unknown),
        ("Unmodelled in what was sent to the CLI", &report.host.unmodelled),
        ("Did not fit in what was sent to the CLI", &report.host.notes),
    ] {
        section(&mut out, heading, found, (bold, plain));
    }
    if !report.kinds.is_empty() && !report.drifts() {
        let _ = writeln!(out, "\nNothing from the CLI is unknown, unmodelled or unfitting.");
    }
    out
}

fn section(out: &mut String, heading: &str, found: &BTreeMap<Finding, Seen>, (bold, plain): (&str, &str)) {
    if found.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{bold}{heading}{plain}");
    let name = |finding: &Finding| {
        let Finding { kind, path, what } = finding;
        [kind.as_str(), path, what].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ")
    };
    let width = found.keys().map(|finding| name(finding).chars().count()).max().unwrap_or(0);
    for (finding, Seen { count, first }) in found {
        let _ = writeln!(out, "  {:width$}  ×{count:<5} first at {first}", name(finding));
    }
}
