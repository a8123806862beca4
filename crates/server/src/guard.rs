//! Who may come in. Every request goes through [`admit`] before a route sees it: the name of the host, who asks, from which
//! page, and in which form. What goes out gets the headers that keep a browser from doing more than the page asks for.

mod attempts;
mod audit;
mod headers;
mod names;
mod passes;
mod paths;
mod rules;
mod values;

use std::net::IpAddr;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::listen::Peer;
use crate::routes::Access;
use crate::secrets::{Purpose, same};

pub(crate) use attempts::Attempts;
pub(crate) use audit::{Audit, Deed};
pub(crate) use names::Names;
pub(crate) use passes::Passes;
pub(crate) use paths::{Roots, open_beneath};
pub(crate) use rules::{Rule, left_out};
pub(crate) use values::checked;

/// The header that every request has which changes something. A page of somebody else cannot set it.
pub(crate) const HEADER: &str = "x-quarterdeck";

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    /// The device's id.
    pub(crate) device: String,
    /// What the user calls it.
    pub(crate) name: String,
    /// How it was known.
    pub(crate) by: KnownBy,
}

/// How somebody was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownBy {
    Cookie,
    Bearer,
    /// A program of the same user, on the same machine.
    Key,
}

/// The address that a request came from, as far as it can be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// Lets a request through to its route, or not.
pub(crate) async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let response = match check(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal,
    };
    // Never the query, in which a ticket may stand.
    tracing::debug!(%method, path, status = response.status().as_u16(), "request");
    headers::protect(&app, &path, response)
}

async fn check(app: &App, mut request: Request) -> Result<Request, Response> {
    let names = app.names();
    if !left_out(Rule::Host) && !host(&request).is_some_and(|host| names.knows(&host)) {
        let text = "this server is not called so; start it with `--host` and the name, if it should be";
        return Err(ApiError::new(Code::WrongHost, text).into_response());
    }
    let client = client_address(app, &request);
    request.extensions_mut().insert(ClientAddress(client));
    let access = request.extensions().get::<MatchedPath>().map_or(Access::Person, |path| app.access(path.as_str()));
    let refuse = |error: ApiError| error.into_response();
    match access {
        Access::Anyone => {}
        Access::Ticket => admit_socket(app, &mut request).map_err(refuse)?,
        Access::Person | Access::Page => {
            let who = identify(app, request.headers()).await;
            match who.map_err(refuse)? {
                Some(who) => _ = request.extensions_mut().insert(who),
                None if left_out(Rule::Anonymous) => _ = request.extensions_mut().insert(nobody()),
                // A person looks at it, and is helped by a page.
                None if matches!(access, Access::Page) => return Err(crate::page::login()),
                None => {
                    let text = "log in first: open the address that `quarterdeck serve` prints, or send a bearer token";
                    return Err(refuse(ApiError::new(Code::NotLoggedIn, text)));
                }
            }
        }
    }
    if changes_something(request.method()) {
        check_change(app, &request).map_err(refuse)?;
    }
    Ok(request)
}

/// What is asked of a request that changes something.
fn check_change(app: &App, request: &Request) -> ApiResult<()> {
    let headers = request.headers();
    let origin_is_wrong = match headers.get(header::ORIGIN) {
        Some(origin) => !origin.to_str().is_ok_and(|origin| app.names().is_origin(origin)),
        None => headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin"),
    };
    if origin_is_wrong && !left_out(Rule::Origin) {
        return Err(ApiError::new(Code::WrongOrigin, "this request comes from a page of somebody else"));
    }
    if left_out(Rule::JsonOnly) {
        return Ok(());
    }
    if !headers.contains_key(HEADER) {
        let text = format!("a request that changes something needs the header `{HEADER}: 1`");
        return Err(ApiError::new(Code::MissingHeader, text));
    }
    let is_json = |value: &axum::http::HeaderValue| {
        let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
        essence.trim().eq_ignore_ascii_case("application/json")
    };
    if request.method() != Method::DELETE && !headers.get(header::CONTENT_TYPE).is_some_and(is_json) {
        return Err(ApiError::new(
            Code::NotJson,
            "the body has to be `application/json`; `{}` if there is nothing to say",
        ));
    }
    Ok(())
}

/// A WebSocket comes with a ticket that was made for it, and from our page if a page asks for it.
fn admit_socket(app: &App, request: &mut Request) -> ApiResult<()> {
    let ticket = request.uri().query().and_then(|query| parameter(query, "ticket"));
    let digest = ticket.map(|ticket| app.secrets().digest(Purpose::Socket, ticket));
    let origin = request.headers().get(header::ORIGIN);
    let origin_fits = |who: &Who| match origin {
        Some(origin) => origin.to_str().is_ok_and(|origin| app.names().is_origin(origin)),
        // A browser always says where it comes from.
        None => who.by != KnownBy::Cookie,
    };
    let who = digest.and_then(|digest| app.take_ticket(&digest));
    let Some(who) = who else {
        let text =
            "a WebSocket needs a ticket: `POST /api/v1/socket-tickets` makes one, good for one use within a minute";
        return Err(ApiError::new(Code::NotLoggedIn, text));
    };
    if !origin_fits(&who) && !left_out(Rule::SocketOrigin) {
        return Err(ApiError::new(Code::WrongOrigin, "this WebSocket is asked for by a page of somebody else"));
    }
    request.extensions_mut().insert(who);
    Ok(())
}

/// Who asks; nobody, if neither cookie nor token is known.
async fn identify(app: &App, headers: &HeaderMap) -> ApiResult<Option<Who>> {
    if let Some(token) = bearer(headers) {
        if same(token.as_bytes(), app.secrets().local_token().as_bytes()) {
            return Ok(Some(Who { device: "local".to_owned(), name: "this machine".to_owned(), by: KnownBy::Key }));
        }
        let digest = app.secrets().digest(Purpose::Bearer, token);
        return app.device(digest, KnownBy::Bearer).await;
    }
    for cookie in cookies(headers, &app.cookie_name()) {
        let digest = app.secrets().digest(Purpose::Cookie, cookie);
        if let Some(who) = app.device(digest, KnownBy::Cookie).await? {
            return Ok(Some(who));
        }
    }
    Ok(None)
}

/// Whoever comes in when nobody is asked for a name.
fn nobody() -> Who {
    Who { device: "nobody".to_owned(), name: "nobody".to_owned(), by: KnownBy::Key }
}

fn changes_something(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn host(request: &Request) -> Option<String> {
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
    // More than one `Host` is a trick.
    (request.headers().get_all(header::HOST).iter().count() < 2).then_some(named)?
}

fn client_address(app: &App, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<Peer>>().map(|info| info.0.0.ip());
    let peer = peer.unwrap_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED));
    if !app.config().trusted_proxies.contains(&peer) {
        return peer;
    }
    // The proxy adds the address that it saw at the end; what stands before it is the client's own word.
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back();
    let last = forwarded.and_then(|value| value.to_str().ok()).and_then(|list| list.rsplit(',').next());
    last.and_then(|address| address.trim().parse().ok()).unwrap_or(peer)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(known, _)| *known == name).map(|(_, value)| value)
}

/// A parameter of a query whose value needs no decoding.
fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query.split('&').filter_map(|pair| pair.split_once('=')).find(|(known, _)| *known == name).map(|(_, value)| value)
}
