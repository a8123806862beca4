//! What rules would do, before anybody keeps them: rules in; which of the last calls they would have covered out.

use std::path::Path;

use axum::Json;
use axum::extract::State;
use insights::state::tool::ToolStatus;
use journal::{CallsOf, RecentCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list::own_titles;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Body, SessionId};
use crate::rule::{Call, Rule};

/// So many calls are looked at.
const CALLS: usize = 500;

/// The most rules that are tried at once.
const MOST_RULES: usize = 50;

/// Rules that somebody thinks of keeping.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Tried {
    /// The rules, for example `Bash(git *)`; at most 50.
    #[schemars(length(min = 1, max = 50))]
    rules: Vec<String>,
    /// For whom they would hold: those calls are looked at.
    #[serde(default)]
    reach: Reach,
}

/// For whom rules would hold.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Reach {
    /// For this session.
    Session,
    /// For all that work in its folder.
    #[default]
    Project,
    /// For all sessions.
    Everyone,
}

/// What the rules would have covered.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Effect {
    /// How many calls were looked at: the last 500, or all if there are fewer.
    looked_at: usize,
    /// Those that the rules fit, the last one first.
    calls: Vec<Covered>,
}

/// A call that the rules fit.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Covered {
    /// The session.
    session: String,
    /// Its title.
    title: Option<String>,
    /// The item of the call.
    id: String,
    /// The record that made it.
    seq: u64,
    /// The tool.
    tool: String,
    /// The head of what it is about: the command, the path, the address.
    about: String,
    /// When it was made, in milliseconds since 1970.
    at: i64,
    /// Was it refused?
    denied: bool,
}

/// `POST /api/v1/sessions/{id}/rules/effect`
pub(crate) async fn effect(
    State(app): State<App>,
    SessionId(id): SessionId,
    Body(tried): Body<Tried>,
) -> ApiResult<Json<Effect>> {
    if tried.rules.is_empty() || tried.rules.len() > MOST_RULES {
        return Err(ApiError::bad_request(format!("`rules` has from 1 to {MOST_RULES} rules")));
    }
    if let Some(bad) = tried.rules.iter().find(|rule| Rule::read(rule).is_none()) {
        return Err(ApiError::bad_request(format!(
            "`{bad}` is no rule: it is a tool, and in brackets what of it is meant"
        )));
    }
    let session = app.sessions().get(&id).await?;
    let of = match (tried.reach, app.sessions().options(&session)?.cwd) {
        (Reach::Everyone, _) => CallsOf::Everyone,
        (Reach::Project, Some(cwd)) => CallsOf::Project(cwd.to_string_lossy().into_owned()),
        (Reach::Session, _) | (Reach::Project, None) => CallsOf::Session(id),
    };
    let own = app.desk(|desk| desk.sessions()).await?;
    let titles = own_titles(&own);
    let home = std::env::home_dir();
    let calls = app.index(move |index| index.recent_calls(&of, CALLS)).await?;
    // What is being asked about has no past yet.
    let is_past = |recent: &RecentCall| !matches!(recent.call.status, ToolStatus::Writing | ToolStatus::Waiting);
    let calls: Vec<RecentCall> = calls.into_iter().filter(is_past).collect();
    let looked_at = calls.len();
    let rules: Vec<Rule<'_>> = tried.rules.iter().filter_map(|rule| Rule::read(rule)).collect();
    let is_covered = |recent: &RecentCall| {
        let cwd = recent.cwd.as_deref().map(Path::new);
        let call = Call { tool: &recent.call.name, about: &recent.call.about, cwd };
        rules.iter().any(|rule| rule.fits(call, home.as_deref()))
    };
    let covered = |recent: RecentCall| Covered {
        title: titles.get(&recent.session).cloned().or(recent.title),
        session: recent.session,
        id: recent.call.id,
        seq: recent.call.seq,
        tool: recent.call.name,
        about: recent.call.about,
        at: recent.call.started_at.0,
        denied: recent.call.status == ToolStatus::Denied,
    };
    Ok(Json(Effect { looked_at, calls: calls.into_iter().filter(is_covered).map(covered).collect() }))
}
