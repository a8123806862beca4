//! The shapes of the corpus: a step of a session in, its line as CLI 2.1.325 writes it out.
//!
//! Key order is the CLI's (`result` has its `type` near the end, a tool result repeats its text in `tool_use_result`),
//! since order and repetition are what a decoder's speed depends on.

use serde_json::{Value, json};

use super::BIG_LINE_BYTES;
use super::blocks::{Block, Call};
use super::text::{Random, path, prose, word};

pub(super) const MODEL: &str = "claude-sonnet-4-5-20250929";

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

/// The ids that lines of one session share, what it can use, and the source of everything else.
pub(super) struct Session {
    pub(super) random: Random,
    session_id: String,
    message_id: String,
    commands: Vec<String>,
    turn: usize,
    cost_usd: f64,
    clock_ms: usize,
}

impl Session {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (session_id, message_id) = (random.uuid(), random.id("msg_01"));
        let commands = (0..40).map(|_| format!("{}-{}", word(&mut random), word(&mut random))).collect();
        Self { random, session_id, message_id, commands, turn: 0, cost_usd: 0.0, clock_ms: 0 }
    }

    /// A block of text, or now and then of thinking, of about `bytes` bytes.
    pub(super) fn words(&mut self, bytes: usize) -> Block {
        let random = &mut self.random;
        if random.one_in(3) {
            return Block::Thinking { text: prose(random, bytes), signature: random.base64(200 + bytes / 4) };
        }
        Block::Text(prose(random, bytes))
    }

    /// Another message begins.
    pub(super) fn message_start(&mut self) -> Value {
        self.message_id = self.random.id("msg_01");
        let message = json!({
            "id": self.message_id, "type": "message", "role": "assistant", "model": MODEL, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": self.message_usage(),
        });
        let ttft_ms = self.random.between(200, 3000);
        self.stream_event(
            json!({"type": "message_start", "message": message}),
            &[("ttft_ms", json!(ttft_ms)), ("thinking_display", json!("updates"))],
        )
    }

    /// A block begins.
    pub(super) fn block_start(&mut self, index: usize, block: &Block) -> Value {
        let event = json!({"type": "content_block_start", "index": index, "content_block": block.empty()});
        self.stream_event(event, &[])
    }

    /// The pieces of a block.
    pub(super) fn deltas(&mut self, index: usize, block: &Block) -> Vec<Value> {
        let thinks = matches!(block, Block::Thinking { .. });
        let more: &[(&str, Value)] = if thinks { &[("thinking_display", json!("updates"))] } else { &[] };
        let pieces = block.pieces(&mut self.random).into_iter();
        let delta = |piece| json!({"type": "content_block_delta", "index": index, "delta": piece});
        pieces.map(|piece| self.stream_event(delta(piece), more)).collect()
    }

    /// A block has ended.
    pub(super) fn block_stop(&mut self, index: usize) -> Value {
        self.stream_event(json!({"type": "content_block_stop", "index": index}), &[])
    }

    /// The message has ended.
    pub(super) fn message_stop(&mut self, reason: &str) -> [Value; 2] {
        let output_tokens = self.random.between(20, 900);
        let end = json!({
            "type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": output_tokens},
        });
        [self.stream_event(end, &[]), self.stream_event(json!({"type": "message_stop"}), &[])]
    }

    fn stream_event(&mut self, event: Value, more: &[(&str, Value)]) -> Value {
        let mut line = json!({
            "type": "stream_event", "event": event, "session_id": self.session_id, "parent_tool_use_id": null,
            "uuid": self.random.uuid(),
        });
        for (key, value) in more {
            line[*key] = value.clone();
        }
        line["api_message_id"] = json!(self.message_id);
        line
    }

    /// A whole block: of the message that was streamed, or of a subagent's, which is not.
    pub(super) fn assistant(&mut self, block: &Block, by: Option<&str>) -> Value {
        self.clock_ms += self.random.between(1, 4000);
        let message_id = if by.is_some() { self.random.id("msg_01") } else { self.message_id.clone() };
        let mut line = json!({
            "type": "assistant",
            "message": {
                "id": message_id, "type": "message", "role": "assistant", "model": MODEL, "content": [block.whole()],
                "stop_reason": null, "stop_sequence": null, "usage": self.message_usage(), "context_management": null,
            },
            "parent_tool_use_id": by, "session_id": self.session_id, "uuid": self.random.uuid(),
            "timestamp": self.timestamp(), "request_id": self.random.id("req_01"),
        });
        if matches!(block, Block::Thinking { .. }) {
            line["thinking_duration_ms"] = json!(self.random.between(40, 9000));
            line["thinking_display"] = json!("updates");
        }
        line
    }

    fn message_usage(&mut self) -> Value {
        let random = &mut self.random;
        json!({
            "input_tokens": random.between(3, 50), "cache_creation_input_tokens": random.between(0, 9000),
            "cache_read_input_tokens": random.between(0, 150_000), "output_tokens": random.between(1, 600),
            "service_tier": "standard",
        })
    }

    /// What came of a call.
    pub(super) fn tool_result(&mut self, call: &Call) -> Value {
        // The text stands in the line twice and escapes make it longer, hence less than half of the 64 KB.
        let bytes = self.random.size(512, 16 * 1024);
        let (content, result) = call.result(&mut self.random, bytes);
        self.user_line(call, content, result)
    }

    /// What came of a call that changed a large file; the last one takes what is left, so that the share comes out right
    /// although the lines are few.
    pub(super) fn big(&mut self, call: &Call, left_bytes: usize) -> Value {
        let last = left_bytes < BIG_LINE_BYTES * 2;
        let bytes = if last {
            left_bytes.max(BIG_LINE_BYTES)
        } else {
            self.random.between(BIG_LINE_BYTES, BIG_LINE_BYTES * 3 / 2)
        };
        let (message, result) = call.edited(&mut self.random, bytes);
        self.user_line(call, message, result)
    }

    fn user_line(&mut self, call: &Call, content: String, result: Value) -> Value {
        self.clock_ms += self.random.between(1, 4000);
        json!({
            "type": "user",
            "message": {
                "role": "user",
                "content": [{"tool_use_id": call.id(), "type": "tool_result", "content": content, "is_error": false}],
            },
            "parent_tool_use_id": call.by(), "session_id": self.session_id, "uuid": self.random.uuid(),
            "timestamp": self.timestamp(), "tool_use_result": result,
            "tool_result_meta": [{
                "id": call.id(),
                "permission_decision": {"decision": "accept", "source": "config", "reason_type": "mode"},
            }],
        })
    }

    /// The answer to a request of the host, mostly a short one.
    pub(super) fn control_response(&mut self) -> Value {
        if self.random.one_in(4) {
            return self.initialized();
        }
        let request_id = format!("req_{}", self.random.between(1, 400));
        json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": request_id, "response": {"mode": "acceptEdits"},
        }})
    }

    /// A turn begins.
    pub(super) fn init(&mut self) -> Value {
        let (random, commands) = (&mut self.random, &self.commands);
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

    /// A call needs leave.
    pub(super) fn can_use_tool(&mut self, call: &Call) -> Value {
        let random = &mut self.random;
        let rule = json!({"toolName": call.tool(), "ruleContent": prose(random, 20)});
        json!({"type": "control_request", "request_id": random.uuid(), "request": {
            "subtype": "can_use_tool", "tool_name": call.tool(), "display_name": call.tool(), "input": call.input(),
            "description": prose(random, 30),
            "permission_suggestions": [
                {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings"},
                {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            ],
            "blocked_path": path(random), "tool_use_id": call.id(),
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

    /// A turn has ended.
    pub(super) fn result(&mut self) -> Value {
        self.turn += 1;
        let answer_bytes = self.random.size(16, 4096);
        let cost = self.random.between(1, 9_000_000) as f64 / 1e7 * 1.000_000_1;
        let (input, output, cached) =
            (self.random.between(3, 900), self.random.between(10, 9000), self.random.between(0, 190_000));
        self.cost_usd += cost;
        let model_usage = |cost: f64| {
            json!({MODEL: {
                "inputTokens": input, "outputTokens": output, "cacheReadInputTokens": cached, "cacheCreationInputTokens": 0,
                "webSearchRequests": 0, "costUSD": cost, "contextWindow": 200_000, "maxOutputTokens": 32_000,
                "thinkingTokens": 0, "cacheCreationEphemeral5mInputTokens": 0, "cacheCreationEphemeral1hInputTokens": 0,
                "canonicalModel": "claude-sonnet-4-5", "provider": "firstParty", "costBasis": "list",
            }})
        };
        let random = &mut self.random;
        let duration_ms = random.between(300, 90_000);
        json!({
            "duration_api_ms": duration_ms - 120, "stop_reason": "end_turn", "session_id": self.session_id,
            "total_cost_usd": self.cost_usd,
            "usage": {
                "input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": cached,
                "output_tokens": output, "output_tokens_details": {"thinking_tokens": 0},
                "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": "standard",
                "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0}, "inference_geo": "",
                "iterations": [], "speed": "standard", "fallback_credit": null,
            },
            "modelUsage": model_usage(self.cost_usd), "permission_denials": [], "terminal_reason": "completed",
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
            "model_usage_since_last_result": model_usage(cost),
        })
    }

    fn timestamp(&self) -> String {
        let (seconds, ms) = (self.clock_ms / 1000, self.clock_ms % 1000);
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
        format!("2026-11-15T{hours:02}:{minutes:02}:{:02}.{ms:03}Z", seconds % 60)
    }
}
