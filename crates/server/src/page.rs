//! The page: a short, plain one that lists the sessions and follows one, and the page to log in.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, Code};
use crate::extract::Named;

const INDEX: &str = include_str!("../page/index.html");
const LOGIN: &str = include_str!("../page/login.html");
const FILES: [(&str, &str, &str); 5] = [
    ("page.js", "text/javascript; charset=utf-8", include_str!("../page/page.js")),
    ("draw.js", "text/javascript; charset=utf-8", include_str!("../page/draw.js")),
    ("login.js", "text/javascript; charset=utf-8", include_str!("../page/login.js")),
    ("page.css", "text/css; charset=utf-8", include_str!("../page/page.css")),
    ("icon.svg", "image/svg+xml", include_str!("../page/icon.svg")),
];

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
pub(crate) async fn file(Named(name): Named) -> Response {
    match FILES.iter().find(|(known, ..)| *known == name) {
        Some((_, media, text)) => ([(header::CONTENT_TYPE, *media)], *text).into_response(),
        None => ApiError::new(Code::NotFound, "the page has no such file").into_response(),
    }
}

fn html(status: StatusCode, text: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}
