//! Which numbers differ from run to run, and what stands in their place.

use super::tokens::Part;

/// Fields that hold a time, a duration or a process, beside those whose names end in `_ms` or `Ms`.
const VOLATILE: &[&str] = &[
    "pid",
    "mtime",
    "end_time",
    "start_time",
    "startTime",
    "endTime",
    "timestamp",
    "durationSeconds",
    "elapsed_time_seconds",
    "duration",
    "totalDuration",
    "totalAPIDuration",
    "totalAPIDurationWithoutRetries",
    "totalToolDuration",
    "elapsed",
    "scheduledFor",
    "nextFireAt",
    "createdAt",
    "updatedAt",
    "lastActive",
    "uptime_seconds",
    "tokenCountAt",
];
/// Fields of these parents are estimates from texts that hold paths and dates.
const ESTIMATES: &[&str] = &[
    "categories",
    "gridRows",
    "messageBreakdown",
    "memoryFiles",
    "mcpTools",
    "systemTools",
    "systemPromptSections",
    "agents",
    "skills",
    "slashCommands",
    "deferredBuiltinTools",
    "contextUsage",
    "context_usage",
    "compact_metadata",
    "compactMetadata",
];
/// Estimates in fields of their own.
const ESTIMATED: &[&str] = &[
    "compact_output_chars",
    "context_tokens",
    "estimated_cache_write_usd",
    "estimated_tokens",
    "estimated_tokens_delta",
    "percentage",
    "total_bytes",
    "harnessTokens",
];

/// The stand-in for a number of the same JSON type, or `None` when the number is part of the story.
pub(super) fn neutral(path: &[Part], raw: &str) -> Option<String> {
    let keys: Vec<&str> =
        path.iter().filter_map(|part| if let Part::Key(key) = part { Some(key.as_str()) } else { None }).collect();
    let last = *keys.last()?;
    // What the model or the host said is the story's own, whatever the field is called. (`input` alone is also what a hook
    // is told, which holds durations.)
    let model_input = keys.contains(&"content") && keys.contains(&"input");
    if model_input || keys.iter().any(|key| matches!(*key, "tool_input" | "updatedInput")) {
        return None;
    }
    let lasts = (last.ends_with("_ms") || last.ends_with("Ms")) && last != "timedOutAfterMs";
    let guessed = keys.iter().any(|key| ESTIMATES.contains(key)) || ESTIMATED.contains(&last);
    let context = keys.contains(&"maxTokens")
        || (keys.contains(&"response") && matches!(last, "totalTokens" | "autoCompactThreshold"));
    if !(lasts || guessed || context || VOLATILE.contains(&last)) || raw == "0" {
        return None;
    }
    Some(if raw.contains(['.', 'e', 'E']) { "0.5".to_owned() } else { "100".to_owned() })
}
