//! The answers to control requests that only ask about something.

use serde_json::{Value, json};

use super::actor::Actor;
use super::lines;

impl Actor {
    /// The bodies of requests that only ask; the newer CLI knows them all.
    pub(super) fn query_body(&self, subtype: &str, request: &Value) -> Option<Value> {
        if !self.is_current() {
            return None;
        }
        let total = self.session.total;
        let stock = || lines::stock(self.story.dialect, "initialize");
        Some(match subtype {
            "get_context_usage" => json!({
                "categories": [
                    {"id": "system_prompt", "name": "System prompt", "tokens": 3000, "color": "promptBorder", "kind": "used"},
                    {"id": "free_space", "name": "Free space", "tokens": 197_000, "color": "promptBorder", "kind": "free"},
                ],
                "totalTokens": 3000, "maxTokens": 200_000, "rawMaxTokens": 200_000, "percentage": 2, "gridRows": [],
                "model": self.session.model, "memoryFiles": [], "mcpTools": [], "agents": [], "slashCommands": {"totalCommands": 0, "includedCommands": 0, "tokens": 0},
                "skills": {"totalSkills": 0, "includedSkills": 0, "tokens": 0, "skillFrontmatter": []}, "isAutoCompactEnabled": true, "autoCompactThreshold": 167_000, "autocompactSource": "auto",
                "mcpInstructions": [], "apiUsage": null,
                "messageBreakdown": {
                    "toolCallTokens": 0, "toolResultTokens": 0, "attachmentTokens": 0, "assistantMessageTokens": 0,
                    "userMessageTokens": 0, "redirectedContextTokens": 0, "unattributedTokens": 0, "toolCallsByType": [],
                    "attachmentsByType": [],
                },
            }),
            "get_session_cost" => json!({"text": format!("Total cost: ${:.4}", total.cost_usd())}),
            "get_usage" => json!({
                "session": {"total_cost_usd": total.cost_usd(), "model_usage": total.by_model(&self.session.model)},
                "subscription_type": null, "rate_limits_available": false, "rate_limits": null, "behaviors": null,
            }),
            "get_settings" => json!({"effective": {}, "sources": [], "applied": {"model": self.session.model}}),
            "get_binary_version" => {
                json!({"version": self.session.version, "buildTime": "2026-01-01T00:00:00.000Z", "oldestDesktopSdk": "0.3.280"})
            }
            "list_models" => json!({"models": stock()["models"]}),
            "list_permission_rules" => {
                json!({"state": {"rules": [], "workspaceDirectories": [], "originalCwd": self.session.folder, "managedOnly": false}})
            }
            "get_hooks_listing" => {
                json!({"events": [], "hooks": [], "eventCatalog": [], "policy": {"disabledByPolicy": false, "managedOnly": false, "pluginOnly": false, "allDisabled": false, "policyHookCount": 0}})
            }
            "file_suggestions" => json!({"suggestions": [], "cwd": self.session.folder}),
            "read_file" => {
                let path = request["path"].as_str().unwrap_or_default();
                json!({"contents": "", "absPath": path, "lossy": false, "requested_path": path})
            }
            "reload_plugins" => {
                let known = stock();
                json!({"commands": known["commands"], "agents": known["agents"], "plugins": [], "mcpServers": [], "error_count": 0})
            }
            "reload_output_styles" => json!({"available_output_styles": stock()["available_output_styles"]}),
            "get_status" => json!({"sections": []}),
            "export_conversation" => json!({"text": self.turn.text, "default_filename": "conversation.txt"}),
            "reload_skills" => json!({"skills": []}),
            "mcp_set_servers" => json!({"added": [], "removed": [], "errors": {}}),
            "get_task_output" => json!({"output": "", "total_bytes": 0, "truncated": false}),
            "rewind_files" => json!({"canRewind": false}),
            "generate_session_title" => json!({"title": null}),
            "get_plan" => json!({"exists": false}),
            "background_tasks" | "update_settings" => json!({}),
            _ => return None,
        })
    }
}
