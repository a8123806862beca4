//! Who may come in. Every request goes through [`admit`] before a route sees it: the name of the host, who asks, from which
//! page, and in which form. What goes out gets the headers that keep a browser from doing more than the page asks for.

mod attempts;
mod audit;
mod beneath;
mod headers;
mod names;
mod passes;
mod paths;
mod request;
mod values;

use std::net::IpAddr;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::routes::Access;
use crate::secrets::{Purpose, same};
use headers::stay_with_tls;
use request::Page;

pub(crate) use attempts::Attempts;
pub(crate) use audit::{Audit, Deed};
pub use audit::{TokenChange, audit_token};
pub(crate) use headers::protect;
pub(crate) use names::{Names, has_port};
pub(crate) use passes::Passes;
pub(crate) use paths::Roots;
pub(crate) use values::{SETTING_FOLDERS, check_settings, checked, folders_of};

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

impl Who {
    /// Whoever can read the installation's key.
    fn of_this_machine() -> Who {
        Who { device: "local".to_owned(), name: "this machine".to_owned(), by: KnownBy::Key }
    }
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
    // Never the query, in which a ticket may stand.
    let path = request.uri().path().to_owned();
    let mut response = match check(&app, request).await {
        Ok(request) => unharmed(next.run(request)).await,
        Err(refusal) => refusal,
    };
    tracing::debug!(%method, path, status = response.status().as_u16(), "request");
    protect(response.headers_mut());
    if app.is_tls() {
        stay_with_tls(response.headers_mut());
    }
    response
}

/// The answer of a route. It is finished even if whoever asked hangs up meanwhile: what was begun is neither left half done nor
/// left out of `audit.jsonl`. One that panics answers too, and not by closing the connection.
async fn unharmed(answer: impl Future<Output = Response> + Send + 'static) -> Response {
    tokio::spawn(answer).await.unwrap_or_else(|_| {
        let text = "the server has a fault here; what it prints says where";
        ApiError::new(Code::Internal, text).into_response()
    })
}

async fn check(app: &App, mut request: Request) -> Result<Request, Response> {
    let refuse = |error: ApiError| error.into_response();
    if !request::host(&request).is_some_and(|host| app.names().knows(host)) {
        let text = "this server is not called so; start it with `--host` and the name, if it should be";
        return Err(refuse(ApiError::new(Code::WrongHost, text)));
    }
    let peer = request::peer(&request);
    if !app.config().hears(peer) {
        let text = "this server is reached through its proxy: what is said here could be read along";
        return Err(refuse(ApiError::new(Code::PastProxy, text)));
    }
    let client = request::client_address(app.config(), peer, request.headers());
    request.extensions_mut().insert(ClientAddress(client));
    let access = request.extensions().get::<MatchedPath>().map_or(Access::Person, |path| app.access(path.as_str()));
    match access {
        Access::Anyone => {}
        Access::Ticket => admit_socket(app, &mut request).await.map_err(refuse)?,
        Access::Person | Access::Page => {
            let who = identify(app, request.headers()).await;
            match who.map_err(refuse)? {
                Some(who) => {
                    check_page(app, &request, access, &who).map_err(refuse)?;
                    request.extensions_mut().insert(who);
                }
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

/// A browser adds the cookie to whatever a page asks for, so it is asked which page that was, also by those who only read.
/// Only the page itself may be opened from anywhere.
fn check_page(app: &App, request: &Request, access: Access, who: &Who) -> ApiResult<()> {
    let is_bound = who.by == KnownBy::Cookie && !matches!(access, Access::Page);
    if is_bound && request::page(app.names(), request.headers()) == Page::Foreign {
        return Err(ApiError::new(Code::WrongOrigin, "this request comes from a page of somebody else"));
    }
    Ok(())
}

/// What is asked of a request that changes something.
fn check_change(app: &App, request: &Request) -> ApiResult<()> {
    let headers = request.headers();
    if request::page(app.names(), headers) == Page::Foreign {
        return Err(ApiError::new(Code::WrongOrigin, "this request comes from a page of somebody else"));
    }
    if !headers.contains_key(HEADER) {
        let text = format!("a request that changes something needs the header `{HEADER}: 1`");
        return Err(ApiError::new(Code::MissingHeader, text));
    }
    if request.method() != Method::DELETE && !request::is_json(headers) {
        return Err(ApiError::new(
            Code::NotJson,
            "the body has to be `application/json`; `{}` if there is nothing to say",
        ));
    }
    Ok(())
}

/// A WebSocket comes with a ticket that was made for it, and from our page if a page asks for it.
async fn admit_socket(app: &App, request: &mut Request) -> ApiResult<()> {
    let ticket = request.uri().query().and_then(|query| request::parameter(query, "ticket"));
    let digest = ticket.map(|ticket| app.secrets().digest(Purpose::Socket, ticket));
    let mut who = digest.and_then(|digest| app.take_ticket(&digest));
    // Whoever has a ticket may have been shown the door since.
    if let Some(holder) = &who
        && !app.is_known(holder).await?
    {
        who = None;
    }
    let Some(who) = who else {
        let text =
            "a WebSocket needs a ticket: `POST /api/v1/socket-tickets` makes one, good for one use within a minute";
        return Err(ApiError::new(Code::NotLoggedIn, text));
    };
    let fits = match request::page(app.names(), request.headers()) {
        Page::Ours => true,
        Page::Foreign => false,
        // A browser always says where it comes from.
        Page::Unsaid => who.by != KnownBy::Cookie,
    };
    if !fits {
        return Err(ApiError::new(Code::WrongOrigin, "this WebSocket is asked for by a page of somebody else"));
    }
    request.extensions_mut().insert(who);
    Ok(())
}

/// Who asks; nobody, if neither cookie nor token is known.
async fn identify(app: &App, headers: &HeaderMap) -> ApiResult<Option<Who>> {
    if let Some(token) = request::bearer(headers) {
        if same(token.as_bytes(), app.secrets().local_token().as_bytes()) {
            return Ok(Some(Who::of_this_machine()));
        }
        let digest = app.secrets().digest(Purpose::Bearer, token);
        return app.device(digest, KnownBy::Bearer).await;
    }
    for cookie in request::cookies(headers, &app.cookie_name()) {
        let digest = app.secrets().digest(Purpose::Cookie, cookie);
        if let Some(who) = app.device(digest, KnownBy::Cookie).await? {
            return Ok(Some(who));
        }
    }
    Ok(None)
}

fn changes_something(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn what_was_begun_is_finished_for_a_client_that_hangs_up() {
        let (begin, begun) = oneshot::channel();
        let (go_on, may_go_on) = oneshot::channel::<()>();
        let (finish, finished) = oneshot::channel();
        let answer = unharmed(async move {
            begin.send(()).unwrap();
            may_go_on.await.unwrap();
            finish.send("written down").unwrap();
            "nobody reads this".into_response()
        });
        // This is how a connection lets go of a request.
        tokio::select! {
            _ = answer => panic!("it was not told to go on"),
            begun = begun => begun.unwrap(),
        }
        go_on.send(()).unwrap();
        assert_eq!(finished.await, Ok("written down"));
    }

    #[tokio::test]
    async fn a_route_that_panics_answers_with_an_error() {
        let answer = unharmed(async { panic!("on purpose") }).await;
        assert_eq!((answer.status().as_u16(), answer.extensions().get()), (500, Some(&Code::Internal)));
        let body = axum::body::to_bytes(answer.into_body(), 1024).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"]["code"], "internal");
        let good = unharmed(async { "good".into_response() }).await;
        assert_eq!(good.status(), 200);
    }
}
