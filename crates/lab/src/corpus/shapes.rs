//! The shapes of the corpus: a kind and a size in, one line as CLI 2.1.325 writes it out.
//!
//! Key order is the CLI's (`result` has its `type` near the end, a tool result repeats its text in `tool_use_result`),
//! since order and repetition are what a decoder's speed depends on.

use serde_json::{Value, json};

use super::text::{Random, code, output, path, prose, word};
use super::{BIG_LINE_BYTES, Kind};

const MODEL: &str = "claude-sonnet-4-5-20250929";

const TOOLS: &[&str] = &[
    "Task",
    "AskUserQuestion",
    "Bash",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Monitor",
    "NotebookEdit",
    "Read",
    "ScheduleWakeup",
    "SendMessage",
    "Skill",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskUpdate",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Write",
];

/// The ids that lines of one session share, and the source of everything else.
pub(super) struct Session {
    random: Random,
    session_id: String,
    message_id: String,
    turn: usize,
    clock_ms: usize,
}

impl Session {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (session_id, message_id) = (random.uuid(), random.id("msg_01"));
        Self { random, session_id, message_id, turn: 0, clock_ms: 0 }
    }

    /// Makes the next line of `kind`; only a big line looks at how many bytes its kind has left.
    pub(super) fn line(&mut self, kind: Kind, left_bytes: usize) -> String {
        self.clock_ms += self.random.between(1, 200);
        let value = match kind {
            Kind::Delta => self.delta(),
            Kind::ToolResult => self.tool_result(),
            Kind::Assistant => self.assistant(),
            Kind::InitControl => self.init_or_control(),
            Kind::Result => self.result(),
            Kind::Big => self.big(left_bytes),
        };
        value.to_string()
    }

    fn delta(&mut self) -> Value {
        let random = &mut self.random;
        let index = random.between(0, 3);
        let (delta, thinking) = match random.between(0, 10) {
            0..6 => (json!({"type": "text_delta", "text": fragment(random)}), false),
            6..8 => (json!({"type": "thinking_delta", "thinking": fragment(random)}), true),
            _ => {
                let input = json!({"file_path": path(random), "content": code(random, 60)}).to_string();
                let start = random.between(0, 40);
                let piece: String = input.chars().skip(start).take(random.between(3, 20)).collect();
                (json!({"type": "input_json_delta", "partial_json": piece}), false)
            }
        };
        let mut line = json!({
            "type": "stream_event",
            "event": {"type": "content_block_delta", "index": index, "delta": delta},
            "session_id": self.session_id, "parent_tool_use_id": null, "uuid": random.uuid(),
        });
        if thinking {
            line["thinking_display"] = json!("updates");
        }
        line["api_message_id"] = json!(self.message_id);
        line
    }

    fn assistant(&mut self) -> Value {
        if self.random.one_in(3) {
            self.message_id = self.random.id("msg_01");
        }
        let bytes = self.random.size(128, 8192);
        let block = self.block(bytes);
        let thinking = block["type"] == "thinking";
        let mut line = json!({
            "type": "assistant",
            "message": {
                "id": self.message_id, "type": "message", "role": "assistant", "model": MODEL, "content": [block],
                "stop_reason": null, "stop_sequence": null, "usage": self.message_usage(), "context_management": null,
            },
            "parent_tool_use_id": null, "session_id": self.session_id, "uuid": self.random.uuid(),
            "timestamp": self.timestamp(), "request_id": self.random.id("req_01"),
        });
        if thinking {
            line["thinking_duration_ms"] = json!(self.random.between(40, 9000));
            line["thinking_display"] = json!("updates");
        }
        line
    }

    fn block(&mut self, bytes: usize) -> Value {
        let random = &mut self.random;
        match random.between(0, 10) {
            0..4 => json!({"type": "text", "text": prose(random, bytes)}),
            4..6 => {
                json!({"type": "thinking", "thinking": prose(random, bytes), "signature": random.base64(bytes / 2)})
            }
            _ => {
                let (name, input) = tool_input(random, bytes);
                json!({"type": "tool_use", "id": random.id("toolu_01"), "name": name, "input": input})
            }
        }
    }

    fn message_usage(&mut self) -> Value {
        let random = &mut self.random;
        json!({
            "input_tokens": random.between(3, 50), "cache_creation_input_tokens": random.between(0, 9000),
            "cache_read_input_tokens": random.between(0, 150_000), "output_tokens": random.between(1, 600),
            "service_tier": "standard",
        })
    }

    fn tool_result(&mut self) -> Value {
        // The text stands in the line twice and escapes make it longer, hence less than half of the 64 KB.
        let bytes = self.random.size(512, 16 * 1024);
        let random = &mut self.random;
        let (content, result) = match random.between(0, 3) {
            0 => {
                let stdout = output(random, bytes);
                let result = json!({
                    "stdout": stdout, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false,
                });
                (stdout, result)
            }
            1 => {
                let text = code(random, bytes);
                let lines = text.lines().count();
                let numbered: Vec<String> =
                    text.lines().enumerate().map(|(at, line)| format!("{}\t{line}", at + 1)).collect();
                let file = json!({
                    "filePath": path(random), "content": text, "numLines": lines, "startLine": 1, "totalLines": lines,
                });
                (numbered.join("\n"), json!({"type": "text", "file": file}))
            }
            _ => {
                let text = output(random, bytes);
                let lines = text.lines().count();
                let result = json!({
                    "mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": lines, "totalLines": lines,
                });
                (text, result)
            }
        };
        self.user_line(content, result)
    }

    fn big(&mut self, left_bytes: usize) -> Value {
        // The last one takes what is left, so that the share comes out right although the lines are few.
        let last = left_bytes < BIG_LINE_BYTES * 2;
        let bytes = if last {
            left_bytes.max(BIG_LINE_BYTES)
        } else {
            self.random.between(BIG_LINE_BYTES, BIG_LINE_BYTES * 3 / 2)
        };
        let random = &mut self.random;
        let file_path = path(random);
        let (message, result) = if random.one_in(2) {
            // An edit: the whole file once and a small patch. Escapes add about a tenth.
            let original = code(random, bytes);
            let patch = hunk(&original, 4, 2);
            let result = json!({
                "filePath": file_path, "oldString": "let total", "newString": "let sum", "originalFile": original,
                "structuredPatch": [patch], "userModified": false, "replaceAll": false, "contentNotInModelContext": true,
            });
            (format!("The file {file_path} has been updated successfully."), result)
        } else {
            // An overwrite: the whole file as text and once more as removed lines.
            let original = code(random, bytes / 2);
            let patch = hunk(&original, usize::MAX, usize::MAX);
            let result = json!({
                "type": "update", "filePath": file_path, "content": prose(random, 200), "structuredPatch": [patch],
                "originalFile": original, "userModified": false,
            });
            (format!("The file {file_path} has been overwritten."), result)
        };
        self.user_line(message, result)
    }

    fn user_line(&mut self, content: String, result: Value) -> Value {
        let tool_use_id = self.random.id("toolu_01");
        json!({
            "type": "user",
            "message": {
                "role": "user",
                "content": [{"tool_use_id": tool_use_id, "type": "tool_result", "content": content, "is_error": false}],
            },
            "parent_tool_use_id": null, "session_id": self.session_id, "uuid": self.random.uuid(),
            "timestamp": self.timestamp(), "tool_use_result": result,
            "tool_result_meta": [{
                "id": tool_use_id,
                "permission_decision": {"decision": "accept", "source": "config", "reason_type": "mode"},
            }],
        })
    }

    fn init_or_control(&mut self) -> Value {
        match self.random.between(0, 12) {
            0..3 => self.init(),
            3..8 => self.can_use_tool(),
            8 => self.initialized(),
            _ => {
                let request_id = format!("req_{}", self.random.between(1, 400));
                json!({"type": "control_response", "response": {
                    "subtype": "success", "request_id": request_id, "response": {"mode": "acceptEdits"},
                }})
            }
        }
    }

    fn init(&mut self) -> Value {
        let random = &mut self.random;
        self.session_id = random.uuid();
        let commands: Vec<String> = (0..40).map(|_| format!("{}-{}", word(random), word(random))).collect();
        json!({
            "type": "system", "subtype": "init", "cwd": "/home/user/project", "session_id": self.session_id,
            "tools": TOOLS, "mcp_servers": [{"name": "files", "status": "connected"}], "model": MODEL,
            "permissionMode": "default", "slash_commands": commands, "terminal_slash_commands": commands[..4],
            "apiKeySource": "ANTHROPIC_API_KEY", "claude_code_version": "2.1.325", "output_style": "default",
            "agents": ["claude", "Explore", "general-purpose", "Plan"], "skills": commands[..16],
            "plugins": [{"name": "notes", "path": "builtin", "source": "notes@builtin"}],
            "capabilities": ["interrupt_receipt_v1", "interrupt_cancel_queued_v1", "msg_lifecycle_v1", "ui_surface_v1"],
            "analytics_disabled": true, "product_feedback_disabled": true, "uuid": random.uuid(),
            "memory_paths": {"auto": "/home/user/.claude/projects/-home-user-project/memory/"},
            "original_cwd": "/home/user/project", "additional_directories": [],
            "messaging_socket_path": format!("/tmp/cc-socks/{}.sock", random.between(1000, 60_000)),
            "fast_mode_state": "off", "fast_mode_disabled_reason": "sdk_opt_in_required",
            "per_turn_effort_active": false, "ultrathink_available": false, "ultrathink_typed_raises": false,
            "view_mode": "default",
        })
    }

    fn can_use_tool(&mut self) -> Value {
        let bytes = self.random.size(64, 2048);
        let random = &mut self.random;
        let (name, input) = tool_input(random, bytes);
        let rule = json!({"toolName": name, "ruleContent": prose(random, 20)});
        json!({"type": "control_request", "request_id": random.uuid(), "request": {
            "subtype": "can_use_tool", "tool_name": name, "display_name": name, "input": input,
            "description": prose(random, 30),
            "permission_suggestions": [
                {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings"},
                {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            ],
            "blocked_path": path(random), "tool_use_id": random.id("toolu_01"),
        }})
    }

    /// The answer to `initialize`, by far the longest of the control responses.
    fn initialized(&mut self) -> Value {
        let random = &mut self.random;
        let commands: Vec<Value> = (0..44)
            .map(|_| {
                let bytes = random.size(32, 1024);
                json!({"name": word(random), "description": prose(random, bytes), "argumentHint": "", "builtin": true})
            })
            .collect();
        let models: Vec<Value> = ["default", "opus", "sonnet", "haiku"]
            .iter()
            .map(|name| {
                json!({
                    "value": name, "resolvedModel": MODEL, "displayName": name, "description": prose(random, 60),
                    "supportsEffort": true, "supportedEffortLevels": ["low", "medium", "high"],
                    "supportsAdaptiveThinking": true, "supportsAutoMode": true, "supportsThinkingOff": false,
                })
            })
            .collect();
        json!({"type": "control_response", "response": {"subtype": "success", "request_id": "req_1", "response": {
            "commands": commands, "agents": [{"name": "Plan", "description": prose(random, 200), "model": "inherit"}],
            "output_style": "default", "available_output_styles": ["default", "Concise", "Explanatory"],
            "models": models,
            "account": {"tokenSource": "none", "apiKeySource": "ANTHROPIC_API_KEY", "apiProvider": "firstParty"},
            "pid": random.between(1000, 60_000), "claude_code_version": "2.1.325", "current_permission_mode": "default",
            "session_state": "idle",
        }, "pending_permission_requests": [], "pending_user_dialog_requests": []}})
    }

    fn result(&mut self) -> Value {
        self.turn += 1;
        let answer_bytes = self.random.size(16, 4096);
        let cost = self.random.between(1, 9_000_000) as f64 / 1e7 * 1.000_000_1;
        let (input, output, cached) =
            (self.random.between(3, 900), self.random.between(10, 9000), self.random.between(0, 190_000));
        let model_usage = json!({MODEL: {
            "inputTokens": input, "outputTokens": output, "cacheReadInputTokens": cached, "cacheCreationInputTokens": 0,
            "webSearchRequests": 0, "costUSD": cost, "contextWindow": 200_000, "maxOutputTokens": 32_000,
            "thinkingTokens": 0, "cacheCreationEphemeral5mInputTokens": 0, "cacheCreationEphemeral1hInputTokens": 0,
            "canonicalModel": "claude-sonnet-4-5", "provider": "firstParty", "costBasis": "list",
        }});
        let random = &mut self.random;
        let duration_ms = random.between(300, 90_000);
        json!({
            "duration_api_ms": duration_ms - 120, "stop_reason": "end_turn", "session_id": self.session_id,
            "total_cost_usd": cost,
            "usage": {
                "input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": cached,
                "output_tokens": output, "output_tokens_details": {"thinking_tokens": 0},
                "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": "standard",
                "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0}, "inference_geo": "",
                "iterations": [], "speed": "standard", "fallback_credit": null,
            },
            "modelUsage": model_usage, "permission_denials": [], "terminal_reason": "completed",
            "fast_mode_state": "off", "fast_mode_disabled_reason": "sdk_opt_in_required",
            "subagent_stats": {
                "spawned": 0, "requested": {"background": 0, "foreground": 0, "unset": 0}, "started_in_background": 0,
                "max_depth": 0, "spawned_by_subagents": 0, "completed": 0, "failed": 0,
                "killed": {"parent": 0, "user": 0, "system": 0},
                "refused": {"depth_limit": 0, "concurrency_limit": 0, "budget": 0}, "by_type": {},
            },
            "safety_stops": 0, "is_error": false, "num_turns": random.between(1, 40), "subtype": "success",
            "api_error_status": null, "result": prose(random, answer_bytes), "ttft_ms": random.between(200, 3000),
            "type": "result", "duration_ms": duration_ms, "uuid": random.uuid(),
            "ttft_stream_ms": random.between(200, 3000), "time_to_request_ms": random.between(20, 300),
            "first_content_frame_ms": random.between(200, 3000), "queued_turn_count": 0, "result_index": self.turn,
            "model_usage_since_last_result": model_usage,
        })
    }

    fn timestamp(&self) -> String {
        let (seconds, ms) = (self.clock_ms / 1000, self.clock_ms % 1000);
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
        format!("2026-11-15T{hours:02}:{minutes:02}:{:02}.{ms:03}Z", seconds % 60)
    }
}

/// What one delta carries: a few words, sometimes with the line ends of Markdown.
fn fragment(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.between(1, 4) {
        text.push_str(word(random));
        text.push_str(if random.one_in(12) { "\n\n" } else { " " });
    }
    text
}

/// A tool's name and an input of about `bytes` bytes.
fn tool_input(random: &mut Random, bytes: usize) -> (&'static str, Value) {
    match random.between(0, 4) {
        0 => ("Read", json!({"file_path": path(random), "offset": random.between(1, 900), "limit": 200})),
        1 => ("Bash", json!({"command": output(random, bytes.min(300)), "description": prose(random, 20)})),
        2 => ("Write", json!({"file_path": path(random), "content": code(random, bytes)})),
        _ => {
            let (old, new) = (code(random, bytes / 2), code(random, bytes / 2));
            ("Edit", json!({"file_path": path(random), "old_string": old, "new_string": new, "replace_all": false}))
        }
    }
}

/// A hunk over the first `lines` lines of a file, of which the first `removed` are taken out.
fn hunk(original: &str, lines: usize, removed: usize) -> Value {
    let marked: Vec<String> = original
        .lines()
        .take(lines)
        .enumerate()
        .map(|(at, line)| format!("{}{line}", if at < removed { '-' } else { ' ' }))
        .collect();
    json!({
        "oldStart": 1, "oldLines": marked.len(), "newStart": 1, "newLines": marked.len().saturating_sub(removed),
        "lines": marked,
    })
}
