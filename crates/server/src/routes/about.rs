//! What the server is: for people, for programs that watch it, and for those that talk to it.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use live::Epoch;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::app::App;
use crate::error::ApiResult;
use crate::openapi;

/// What a server is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    /// Its version.
    version: &'static str,
    /// What tells it from others.
    instance: String,
    /// The folders that agents may work in.
    roots: Vec<String>,
    /// The user's home, which `~` stands for at the beginning of a path.
    home: Option<String>,
    /// May a session be started that asks for no permission?
    allows_bypass: bool,
    /// How far the index of all sessions is, while it is being made.
    indexing: Option<Indexing>,
    /// The CLI that sessions are started with.
    agent: Agent,
}

/// The CLI, or why there is none.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Agent {
    /// Its version.
    version: Option<String>,
    /// Where it is.
    path: Option<String>,
    /// Why no session can be started with it, in words.
    problem: Option<String>,
}

/// How far the index is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Indexing {
    done: usize,
    all: usize,
}

/// `GET /api/v1/about`
pub(crate) async fn about(State(app): State<App>) -> ApiResult<Json<About>> {
    let roots = app.roots().await?;
    let progress = *app.sessions().indexing().borrow();
    Ok(Json(About {
        version: env!("CARGO_PKG_VERSION"),
        instance: app.secrets().instance(),
        roots: roots.iter().map(|root| root.display().to_string()).collect(),
        home: roots.home().map(|home| home.display().to_string()),
        allows_bypass: app.sessions().allows_bypass(),
        agent: match app.sessions().plan(&live::Options::default()).await {
            Ok(plan) => Agent { version: Some(plan.version), path: Some(plan.program), problem: None },
            Err(error) => Agent { problem: Some(error.to_string()), ..Agent::default() },
        },
        indexing: progress.map(|progress| Indexing { done: progress.sessions_done, all: progress.sessions }),
    }))
}

/// An OpenAPI document.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Document(#[schemars(with = "Map<String, Value>")] Value);

/// `GET /api/v1/openapi.json`
pub(crate) async fn openapi(State(app): State<App>) -> Json<Document> {
    Json(Document(openapi::document(&app.config().base_path, &app.cookie_name())))
}

/// `GET /healthz`
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// `GET /metrics`
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let rows = app.sessions().list_since(&Epoch::default(), 0).rows;
    let text = app.metrics().text(&rows);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
