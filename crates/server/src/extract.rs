//! What a request says, read or refused with a sentence: bodies, queries, and ids in paths.

mod nearest;

use std::borrow::Cow;
use std::time::Duration;

use axum::body::{Body as RawBody, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Query as AxumQuery, Request};
use axum::http::request::Parts;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use nearest::nearest;

/// The most bytes of a body; of one with images see [`LargeBody`], and of one of somebody unknown [`ShortBody`].
const MOST_BYTES: usize = 1024 * 1024;

/// The most bytes of a body that comes from somebody whom nobody knows yet.
const MOST_SHORT_BYTES: usize = 4 * 1024;

/// The most bytes of a body that may have images in it.
const MOST_LARGE_BYTES: usize = 48 * 1024 * 1024;

/// How long a body may take …
const PATIENCE: Duration = Duration::from_secs(30);

/// … and how long one that may have images in it, over a slow line.
const LARGE_PATIENCE: Duration = Duration::from_secs(120);

/// A body of JSON.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

/// A body that says nothing: none at all, or `{}`.
#[derive(Debug)]
pub(crate) struct NoBody;

/// What such a body holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A part of a body that is a JSON object. Serde by itself takes a list for the fields in their order, too.
#[derive(Debug, Default)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        T::deserialize(Value::Object(fields)).map(Object).map_err(D::Error::custom)
    }
}

impl<T: JsonSchema> JsonSchema for Object<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Such a part that has no members but those that `T` writes. `T` itself passes over others, since what a newer version has
/// kept in a file must still be read; in a request one is a slip of the pen, and what it was to forbid would be allowed.
#[derive(Debug, Default)]
pub(crate) struct Exact<T>(pub(crate) T);

impl<'de, T: DeserializeOwned + Serialize + Default> Deserialize<'de> for Exact<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        let all = serde_json::to_value(T::default()).map_err(D::Error::custom)?;
        let known = || all.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
        if let Some(name) = fields.keys().find(|name| known().all(|known| known != name.as_str())) {
            let shown: String = name.chars().take(40).filter(|letter| !letter.is_control()).collect();
            let meant = nearest(name, known()).map(|meant| format!(" (did you mean `{meant}`?)")).unwrap_or_default();
            return Err(D::Error::custom(format!("there is no `{shown}`{meant}")));
        }
        T::deserialize(Value::Object(fields)).map(Exact).map_err(D::Error::custom)
    }
}

impl<T: JsonSchema> JsonSchema for Exact<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A body of JSON that may have images in it.
#[derive(Debug)]
pub(crate) struct LargeBody<T>(pub(crate) T);

/// A body of JSON from somebody whom nobody knows yet, who is not to fill the memory.
#[derive(Debug)]
pub(crate) struct ShortBody<T>(pub(crate) T);

/// The query.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

/// The session that the path names. Whether there is one is not known yet.
#[derive(Debug)]
pub(crate) struct SessionId(pub(crate) String);

/// The session that the path names, and a part of it.
#[derive(Debug)]
pub(crate) struct PartId<T = String>(pub(crate) String, pub(crate) T);

/// The one thing that the path names, if it is no session.
#[derive(Debug)]
pub(crate) struct Named(pub(crate) String);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        read(request.into_body(), MOST_BYTES, PATIENCE).await.map(Body)
    }
}

impl FromRequest<App> for NoBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        read(request.into_body(), MOST_BYTES, PATIENCE).await.map(|Nothing {}| NoBody)
    }
}

impl<T: DeserializeOwned> FromRequest<App> for LargeBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        read(request.into_body(), MOST_LARGE_BYTES, LARGE_PATIENCE).await.map(LargeBody)
    }
}

impl<T: DeserializeOwned> FromRequest<App> for ShortBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        read(request.into_body(), MOST_SHORT_BYTES, PATIENCE).await.map(ShortBody)
    }
}

async fn read<T: DeserializeOwned>(body: RawBody, most: usize, patience: Duration) -> ApiResult<T> {
    let read = timeout(patience, to_bytes(body, most)).await;
    let bytes = read.map_err(|_| ApiError::bad_request("the body did not come in time"))?.map_err(|error| {
        // What is wrong with the connection has such an error as its cause; that it is too much has not.
        if std::error::Error::source(&error).is_some_and(|cause| cause.is::<axum::Error>()) {
            return ApiError::bad_request("the body was cut off, or its chunks are not as they have to be");
        }
        ApiError::new(Code::TooLarge, format!("the body is longer than {} KB", most / 1024))
    })?;
    let bytes = if bytes.is_empty() { b"{}".as_slice() } else { &bytes };
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(ApiError::bad_request("the body is a JSON object"));
    }
    serde_json::from_slice(bytes).map_err(|error| ApiError::bad_request(format!("the body does not fit: {error}")))
}

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        match AxumQuery::try_from_uri(&parts.uri) {
            Ok(AxumQuery(value)) => Ok(Query(value)),
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
                Err(ApiError::bad_request(format!("the query does not fit: {cause}")))
            }
        }
    }
}

impl FromRequestParts<App> for SessionId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Path(id): Path<String> = path(parts, app).await?;
        Ok(SessionId(session_id(id)?))
    }
}

impl<T: DeserializeOwned + Send> FromRequestParts<App> for PartId<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Path((id, part)): Path<(String, T)> = path(parts, app).await?;
        Ok(PartId(session_id(id)?, part))
    }
}

impl FromRequestParts<App> for Named {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Path(name): Path<String> = path(parts, app).await?;
        Ok(Named(name))
    }
}

async fn path<T: DeserializeOwned + Send>(parts: &mut Parts, app: &App) -> ApiResult<Path<T>> {
    let read = Path::<T>::from_request_parts(parts, app).await;
    read.map_err(|error| ApiError::bad_request(format!("the path does not fit: {}", error.body_text())))
}

/// A session's id is a uuid, and so can name nothing outside of the folder of sessions.
pub(crate) fn session_id(id: String) -> ApiResult<String> {
    match uuid::Uuid::try_parse(&id) {
        Ok(uuid) if uuid.hyphenated().to_string() == id => Ok(id),
        _ => Err(ApiError::new(Code::NoSession, "there is no such session: its id would be a uuid in small letters")),
    }
}
