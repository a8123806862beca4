//! The page, as it was built from `web/`, and the page to log in.

#[cfg(test)]
mod script;

use axum::http::header::{self, HeaderMap};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, Code};
use crate::extract::Named;

include!(concat!(env!("OUT_DIR"), "/page.rs"));

const LOGIN: &str = include_str!("../page/login.html");

/// The files of the page to log in, which has to do without the rest, and the icon.
const PLAIN: [(&str, &str); 3] = [
    ("login.js", include_str!("../page/login.js")),
    ("login.css", include_str!("../page/login.css")),
    ("icon.svg", include_str!("../page/icon.svg")),
];

/// A built file has a name of its own for what is in it.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// `GET /`
pub(crate) async fn index() -> Response {
    html(StatusCode::OK, INDEX)
}

/// `GET /login`
pub(crate) async fn login_page() -> Response {
    html(StatusCode::OK, LOGIN)
}

/// What somebody gets who is not logged in.
pub(crate) fn login() -> Response {
    html(StatusCode::UNAUTHORIZED, LOGIN)
}

/// `GET /page/{file}`
pub(crate) async fn file(headers: HeaderMap, Named(name): Named) -> Response {
    if let Some((name, text)) = PLAIN.iter().find(|(known, _)| *known == name) {
        return ([(header::CONTENT_TYPE, media(name))], *text).into_response();
    }
    let Some((name, plain, packed)) = BUILT.iter().find(|(known, ..)| *known == name) else {
        return ApiError::new(Code::NotFound, "the page has no such file").into_response();
    };
    let kept = [(header::CACHE_CONTROL, FOR_EVER), (header::VARY, HeaderValue::from_static("accept-encoding"))];
    let told = [(header::CONTENT_TYPE, media(name))];
    match takes_gzip(&headers) {
        true => (kept, told, [(header::CONTENT_ENCODING, "gzip")], *packed).into_response(),
        false => (kept, told, *plain).into_response(),
    }
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut ways = accepted.flat_map(|value| value.split(','));
    ways.any(|way| {
        let (name, weight) = way.split_once(';').unwrap_or((way, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.trim().parse() == Ok(0.0));
        name.trim() == "gzip" && !is_refused
    })
}

fn media(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

fn html(status: StatusCode, text: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_takes_gzip_says_so() {
        let takes = |text: &'static str| {
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(text))]))
        };
        assert!(takes("gzip") && takes("br, gzip;q=0.5") && takes("deflate, gzip "));
        assert!(!takes("br") && !takes("gzip; q=0") && !takes("") && !takes_gzip(&HeaderMap::new()));
    }

    #[tokio::test]
    async fn what_the_page_names_is_there() {
        let names = INDEX.split('"').filter_map(|word| word.strip_prefix("./page/"));
        for name in names.clone() {
            let found = file(HeaderMap::new(), Named(name.to_owned())).await;
            assert_eq!(found.status(), 200, "{name}");
        }
        assert!(names.count() >= 3, "{INDEX}");
    }
}
