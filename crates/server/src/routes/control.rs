//! Commands to a running agent.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use claude_protocol::control::Command;
use claude_protocol::control::change::Change;
use claude_protocol::control::mcp::{McpReconnect, McpStatus, McpToggle};
use claude_protocol::control::request::{
    ApplyFlagSettings, GetContextUsage, GetTaskOutput, Interrupt, RewindFiles, SetMaxThinkingTokens, StopTask,
};
use claude_protocol::permission::PermissionMode;
use claude_protocol::{Raw, Uuid};
use keeper::Stop;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Body, NoBody, PartId, SessionId};
use crate::guard::{Deed, Who, checked};

/// What the CLI itself lets a model think for. A number, since the default of an old CLI, or of somebody's settings, is none at
/// all; models that choose the length themselves take it for a yes.
const THINKING_TOKENS: u32 = 31_999;

/// The agent's own setting for fast mode.
const FAST_MODE: &str = "fastMode";

/// Ends an agent.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Close {
    /// Do not let it finish what it does.
    kill: bool,
}

/// What is to be different from now on.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Settings {
    /// The model; `default` puts it back.
    model: Option<String>,
    /// The permission mode.
    mode: Option<String>,
    /// How hard the model is to think.
    effort: Option<String>,
    /// Fast mode on or off.
    fast: Option<bool>,
    /// Thinking on or off.
    thinking: Option<bool>,
}

/// What is to be done with an MCP server.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct McpChange {
    /// What.
    action: McpAction,
}

/// What is to be done with an MCP server.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum McpAction {
    /// Connect it again.
    Reconnect,
    /// Switch it on.
    Enable,
    /// Switch it off.
    Disable,
}

/// The end of what a task has written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskOutput {
    /// Its last bytes.
    output: String,
    /// How many there are in all.
    total_bytes: Option<u64>,
    /// Is this not all of it?
    truncated: bool,
}

/// Puts files back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Rewind {
    /// The message before which they were so, by its uuid.
    message: String,
    /// Only tell what would happen.
    #[serde(default)]
    dry_run: bool,
}

/// What the agent answered, as it wrote it. What that is differs from version to version.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it is handed on as it comes: only its schema counts")]
pub(crate) struct AgentAnswer(serde_json::Value);

/// `POST /api/v1/sessions/{id}/interrupt`
pub(crate) async fn interrupt(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    _: NoBody,
) -> ApiResult<StatusCode> {
    let session = app.sessions().get(&id).await?;
    session.command(Interrupt::default(), Some(&who.name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/sessions/{id}/close`
pub(crate) async fn close(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    Body(close): Body<Close>,
) -> ApiResult<StatusCode> {
    app.sessions().end(&id, if close.kill { Stop::Kill } else { Stop::Close }).await?;
    app.audit_done(&who, &Deed::Closed { session: id, kill: close.kill });
    Ok(StatusCode::NO_CONTENT)
}

/// `PATCH /api/v1/sessions/{id}/settings`
pub(crate) async fn settings(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    Body(settings): Body<Settings>,
) -> ApiResult<StatusCode> {
    let session = app.sessions().get(&id).await?;
    let by = Some(who.name.as_str());
    let words = [("permission mode", &settings.mode), ("model", &settings.model), ("effort", &settings.effort)];
    for (what, word) in words {
        word.as_deref().map(|word| checked(what, word)).transpose()?;
    }
    let mut flags = serde_json::Map::new();
    if let Some(effort) = settings.effort.clone() {
        flags.insert("effortLevel".to_owned(), effort.into());
    }
    if let Some(fast) = settings.fast {
        flags.insert(FAST_MODE.to_owned(), fast.into());
    }
    let flags = Some(flags).filter(|flags| !flags.is_empty()).map(|flags| Raw::from_value(&flags)).transpose();
    let flags = flags.map_err(|error| ApiError::bad_request(error.to_string()))?;
    let mut done = Done::default();
    if let Some(mode) = settings.mode {
        let set = app.sessions().set_mode(&session, PermissionMode::from(mode.as_str()), by).await;
        done.note("the permission mode", set)?;
        app.audit_done(&who, &Deed::ModeSet { session: id, mode });
    }
    if let Some(model) = settings.model {
        done.note("the model", app.sessions().set_model(&session, &model, by).await)?;
    }
    if let Some(flags) = flags {
        done.note("effort and fast mode", session.command(ApplyFlagSettings::new(flags), by).await)?;
        if let Some(effort) = settings.effort {
            done.note("the effort for later", app.sessions().keep(&session, |options| options.effort = Some(effort)))?;
        }
        if let Some(fast) = settings.fast {
            let kept = app.sessions().keep(&session, |options| options.set(FAST_MODE, fast));
            done.note("fast mode for later", kept)?;
        }
    }
    if let Some(thinking) = settings.thinking {
        let most = if thinking { THINKING_TOKENS } else { 0 };
        done.note("thinking", session.command(SetMaxThinkingTokens::new(Change::To(most.into())), by).await)?;
        // In tokens, which every version takes.
        let kept = app.sessions().keep(&session, |options| {
            (options.thinking, options.max_thinking_tokens) = (None, Some(most));
        });
        done.note("thinking for later", kept)?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// What has been set. The agent takes one after the other, and who is refused the third has to know of the first two.
#[derive(Default)]
struct Done(Vec<&'static str>);

impl Done {
    fn note<T>(&mut self, what: &'static str, set: live::Result<T>) -> ApiResult<()> {
        match set.map_err(ApiError::from) {
            Ok(_) => self.0.push(what),
            Err(refusal) if self.0.is_empty() => return Err(refusal),
            Err(refusal) => {
                let message = format!("{what}: {}; set before that: {}", refusal.message, self.0.join(", "));
                return Err(ApiError { message, ..refusal });
            }
        }
        Ok(())
    }
}

/// `GET /api/v1/sessions/{id}/context`
pub(crate) async fn context(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
) -> ApiResult<Response> {
    ask(&app, &who, &id, GetContextUsage::default()).await
}

/// `GET /api/v1/sessions/{id}/mcp`
pub(crate) async fn mcp(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
) -> ApiResult<Response> {
    ask(&app, &who, &id, McpStatus::default()).await
}

/// `POST /api/v1/sessions/{id}/mcp/{server}`
pub(crate) async fn mcp_change(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    PartId(id, server): PartId,
    Body(change): Body<McpChange>,
) -> ApiResult<StatusCode> {
    let session = app.sessions().get(&id).await?;
    let by = Some(who.name.as_str());
    let command: Command = match change.action {
        McpAction::Reconnect => {
            let mut reconnect = McpReconnect::default();
            reconnect.server_name = server;
            reconnect.into()
        }
        McpAction::Enable | McpAction::Disable => {
            let mut toggle = McpToggle::default();
            toggle.server_name = server;
            toggle.enabled = matches!(change.action, McpAction::Enable);
            toggle.into()
        }
    };
    session.command_json(command, by).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/sessions/{id}/tasks/{task}/stop`
pub(crate) async fn stop_task(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    PartId(id, task): PartId,
    _: NoBody,
) -> ApiResult<StatusCode> {
    let session = app.sessions().get(&id).await?;
    session.command(StopTask::new(task), Some(&who.name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/v1/sessions/{id}/tasks/{task}/output`
pub(crate) async fn task_output(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    PartId(id, task): PartId,
) -> ApiResult<Json<TaskOutput>> {
    let session = app.sessions().get(&id).await?;
    let output = session.command(GetTaskOutput::new(task), Some(&who.name)).await?;
    Ok(Json(TaskOutput {
        output: output.output.unwrap_or_default(),
        total_bytes: output.total_bytes,
        truncated: output.truncated == Some(true),
    }))
}

/// `POST /api/v1/sessions/{id}/rewind`
pub(crate) async fn rewind(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    Body(rewind): Body<Rewind>,
) -> ApiResult<Response> {
    let message = Uuid::from(checked("message", &rewind.message)?.to_owned());
    let mut command = RewindFiles::new(message);
    command.dry_run = rewind.dry_run.then_some(true);
    ask(&app, &who, &id, command).await
}

/// What the agent answers, as it wrote it.
async fn ask(app: &App, who: &Who, id: &str, command: impl Into<Command>) -> ApiResult<Response> {
    let session = app.sessions().get(id).await?;
    let answer = session.command_json(command, Some(&who.name)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], answer).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn who_is_refused_one_setting_is_told_which_ones_were_set() {
        let refused = || live::Error::Agent("no such model".to_owned());
        let mut done = Done::default();
        assert_eq!(
            done.note::<()>("the model", Err(refused())).unwrap_err().message,
            "the agent refused: no such model"
        );
        done.note("the permission mode", Ok(())).unwrap();
        let refusal = done.note::<()>("the model", Err(refused())).unwrap_err();
        let told = "the model: the agent refused: no such model; set before that: the permission mode";
        assert_eq!((refusal.code, &*refusal.message), (Code::AgentRefused, told));
    }
}
