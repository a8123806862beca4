//! Coming in: a launch token for a cookie, links for other devices, and tickets for WebSockets.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use insights::UnixMillis;
use journal::Device;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::{App, Tried};
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::{NoBody, ShortBody};
use crate::guard::{ClientAddress, Deed, Who};
use crate::secrets::{Purpose, new_token};

/// How long a browser stays logged in.
const COOKIE_SECONDS: u64 = 400 * 24 * 60 * 60;

/// Logs in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Login {
    /// The token of the launch link: what stands after the `#`.
    token: String,
    /// What to call this device.
    #[serde(default)]
    name: Option<String>,
}

/// Who is logged in now.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoggedIn {
    /// The device's id.
    device: String,
    /// What it is called.
    name: String,
}

/// A launch link.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Launch {
    /// Where to open it, from where the request came: `/login#…`.
    path: String,
    /// Good until then, in milliseconds since 1970.
    expires_at: i64,
}

/// A ticket for a WebSocket.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ticket {
    /// The ticket.
    ticket: String,
    /// Good until then, in milliseconds since 1970.
    expires_at: i64,
}

/// The query of a WebSocket.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "the guard reads it; here it is documented")]
pub(crate) struct TicketQuery {
    /// The ticket.
    ticket: String,
}

/// `POST /api/v1/login`
pub(crate) async fn login(
    State(app): State<App>,
    Extension(address): Extension<ClientAddress>,
    headers: HeaderMap,
    ShortBody(login): ShortBody<Login>,
) -> ApiResult<Response> {
    let from = address.0;
    match app.try_launch(login.token.trim(), from) {
        Tried::Good => {}
        Tried::Wrong => {
            app.metrics().logins_failed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            app.audit(None, &Deed::LoginFailed { address: from.to_string() })?;
            let text = "this link was used or is too old: `quarterdeck serve`, run once more, prints a new one";
            return Err(ApiError::new(Code::BadToken, text));
        }
        Tried::TooOften => {
            let text = "too many logins failed from this address: wait, then try again";
            return Err(ApiError::new(Code::TooMany, text));
        }
    }
    let name = login.name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| browser(&headers));
    let device = Device {
        id: uuid::Uuid::new_v4().to_string(),
        name: name.chars().filter(|letter| !letter.is_control()).take(80).collect(),
        added_at: app.now(),
        seen_at: Some(app.now()),
    };
    let token = new_token().map_err(|error| ApiError::new(Code::Internal, error.to_string()))?;
    let digest = app.secrets().digest(Purpose::Cookie, &token);
    let added = device.clone();
    app.desk(move |desk| desk.add_device(&added, &digest)).await?;
    let who = Who { device: device.id.clone(), name: device.name.clone(), by: crate::guard::KnownBy::Cookie };
    app.audit(Some(&who), &Deed::LoggedIn { address: from.to_string() })?;
    let cookie = cookie(&app, &token, COOKIE_SECONDS);
    let body = LoggedIn { device: device.id, name: device.name };
    Ok(([(header::SET_COOKIE, cookie)], Json(body)).into_response())
}

/// `POST /api/v1/logout`
pub(crate) async fn logout(State(app): State<App>, Extension(who): Extension<Who>, _: NoBody) -> ApiResult<Response> {
    let id = who.device.clone();
    app.desk(move |desk| desk.remove_device(&id)).await?;
    app.audit(Some(&who), &Deed::Revoked { revoked: who.device.clone() })?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie(&app, "", 0))]).into_response())
}

/// `POST /api/v1/launches`
pub(crate) async fn launch(State(app): State<App>, _: NoBody) -> ApiResult<Json<Launch>> {
    let (token, UnixMillis(expires_at)) = app.new_launch()?;
    Ok(Json(Launch { path: format!("{}/login#{token}", app.config().base_path), expires_at }))
}

/// `POST /api/v1/socket-tickets`
pub(crate) async fn ticket(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    _: NoBody,
) -> ApiResult<Json<Ticket>> {
    let (ticket, UnixMillis(expires_at)) = app.new_ticket(&who)?;
    Ok(Json(Ticket { ticket, expires_at }))
}

fn cookie(app: &App, token: &str, seconds: u64) -> String {
    let path = if app.config().base_path.is_empty() { "/" } else { &app.config().base_path };
    let secure = if app.is_secure() { "; Secure" } else { "" };
    format!("{}={token}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", app.cookie_name())
}

/// What to call a browser that did not say.
fn browser(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let first = |names: &[(&str, &str)]| {
        names.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| (*name).to_owned())
    };
    let program = first(&[
        ("Edg/", "Edge"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]);
    let system = first(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS", "Mac"),
        ("Linux", "Linux"),
    ]);
    match (program, system) {
        (Some(program), Some(system)) => format!("{program} on {system}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "a browser".to_owned(),
    }
}
