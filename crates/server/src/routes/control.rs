//! Commands to a running agent.

use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use claude_protocol::control::Command;
use claude_protocol::control::mcp::{McpReconnect, McpStatus, McpToggle};
use claude_protocol::control::request::{
    ApplyFlagSettings, GetContextUsage, Interrupt, RewindFiles, SetModel, StopTask,
};
use claude_protocol::permission::PermissionMode;
use claude_protocol::{Raw, Uuid};
use keeper::Stop;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Body, NoBody, PartId, SessionId};
use crate::guard::{Who, checked};

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
    SessionId(id): SessionId,
    Body(close): Body<Close>,
) -> ApiResult<StatusCode> {
    app.sessions().end(&id, if close.kill { Stop::Kill } else { Stop::Close }).await?;
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
    if let Some(mode) = &settings.mode {
        let mode = PermissionMode::from(checked("permission mode", mode)?);
        app.sessions().set_mode(&session, mode, by).await?;
    }
    if let Some(model) = &settings.model {
        let model = checked("model", model)?.to_owned();
        session.command(SetModel::new(model), by).await?;
    }
    if let Some(effort) = &settings.effort {
        let effort = serde_json::json!({ "effortLevel": checked("effort", effort)? });
        let settings = Raw::from_value(&effort).map_err(|error| ApiError::bad_request(error.to_string()))?;
        session.command(ApplyFlagSettings::new(settings), by).await?;
    }
    Ok(StatusCode::NO_CONTENT)
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
