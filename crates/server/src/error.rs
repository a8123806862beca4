//! What went wrong, as a client is told: a code for programs, a sentence for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;

/// What every error looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    /// The error.
    pub(crate) error: ErrorDetail,
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ErrorDetail {
    /// What it is, for programs.
    pub(crate) code: Code,
    /// What it is, for people, and what can be done about it.
    pub(crate) message: String,
    /// The session that it is about, where the request did not name one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
}

/// An answer that is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) session: Option<String>,
}

/// The result of a route.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident $word:literal = $status:ident,)+) => {
        /// What went wrong, for programs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
        pub(crate) enum Code {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $name,)+
        }

        impl Code {
            pub(crate) const ALL: &'static [Code] = &[$(Code::$name),+];

            pub(crate) fn word(self) -> &'static str {
                match self { $(Code::$name => $word,)+ }
            }

            pub(crate) fn status(self) -> StatusCode {
                match self { $(Code::$name => StatusCode::$status,)+ }
            }

            pub(crate) fn meaning(self) -> &'static str {
                match self { $(Code::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// The request's `Host` is none of the names of this server.
    WrongHost "wrong_host" = MISDIRECTED_REQUEST,
    /// Nobody is logged in: there is neither a valid cookie nor a valid bearer token.
    NotLoggedIn "not_logged_in" = UNAUTHORIZED,
    /// The one-time token is unknown, was used, or is too old.
    BadToken "bad_token" = FORBIDDEN,
    /// The request comes from a page of somebody else.
    WrongOrigin "wrong_origin" = FORBIDDEN,
    /// A request that changes something lacks the header `x-quarterdeck: 1`.
    MissingHeader "missing_header" = FORBIDDEN,
    /// The server is reached through its proxy, and this request has come past it.
    PastProxy "past_proxy" = FORBIDDEN,
    /// This is not allowed: it was not allowed when the server was started, or not for this device.
    NotAllowed "not_allowed" = FORBIDDEN,
    /// The folder or file is outside of those that agents may work in.
    OutsideRoots "outside_roots" = FORBIDDEN,
    /// The body is not `application/json`.
    NotJson "not_json" = UNSUPPORTED_MEDIA_TYPE,
    /// The body, a parameter or a field is not as it has to be.
    BadRequest "bad_request" = BAD_REQUEST,
    /// The body is too long.
    TooLarge "too_large" = PAYLOAD_TOO_LARGE,
    /// The path and the query are too long.
    AddressTooLong "address_too_long" = URI_TOO_LONG,
    /// There are too many headers, or they are too long.
    HeadTooLarge "head_too_large" = REQUEST_HEADER_FIELDS_TOO_LARGE,
    /// There is no such path.
    NoRoute "no_route" = NOT_FOUND,
    /// The path is there, but not for this method.
    WrongMethod "wrong_method" = METHOD_NOT_ALLOWED,
    /// There is no such session.
    NoSession "no_session" = NOT_FOUND,
    /// There is no such thing in the session: item, record, message, task, server or file.
    NotFound "not_found" = NOT_FOUND,
    /// The question is not open: it was answered, withdrawn, or never asked.
    NotAsked "not_asked" = CONFLICT,
    /// No agent runs in the session.
    NotRunning "not_running" = CONFLICT,
    /// An agent runs in the session already.
    Running "running" = CONFLICT,
    /// Another program works on the same conversation.
    TwoWriters "two_writers" = CONFLICT,
    /// There is no conversation yet, in the session or in the folder, that could be resumed or forked.
    NothingToResume "nothing_to_resume" = CONFLICT,
    /// The agent said no, or does not know the command.
    AgentRefused "agent_refused" = CONFLICT,
    /// The agent did not answer in time.
    NoAnswer "no_answer" = GATEWAY_TIMEOUT,
    /// The agent could not be started.
    NotStarted "not_started" = BAD_GATEWAY,
    /// The agent ended before it answered, or its keeper cannot be reached: the session says what became of it.
    Unreachable "unreachable" = BAD_GATEWAY,
    /// Too many requests, logins or connections; try again later.
    TooMany "too_many" = TOO_MANY_REQUESTS,
    /// A file or a database could not be read or written: the disk may be full or read-only.
    Storage "storage" = INSUFFICIENT_STORAGE,
    /// Something failed that should not have.
    Internal "internal" = INTERNAL_SERVER_ERROR,
}

impl ApiError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), session: None }
    }

    /// Names the session that it is about.
    pub(crate) fn about(self, session: &str) -> ApiError {
        ApiError { session: Some(session.to_owned()), ..self }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::BadRequest, message)
    }
}

impl From<ApiError> for ErrorBody {
    fn from(ApiError { code, message, session }: ApiError) -> ErrorBody {
        ErrorBody { error: ErrorDetail { code, message, session } }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // The code goes along for whoever looks at the answer on its way.
        (self.code.status(), Extension(self.code), Json(ErrorBody::from(self))).into_response()
    }
}

impl From<live::Error> for ApiError {
    fn from(error: live::Error) -> ApiError {
        use claude_driver::Error as Wish;
        use keeper::{Error as Kept, Refusal};
        use live::Error as E;
        let code = match &error {
            E::NoSession(_) => Code::NoSession,
            E::NotRunning => Code::NotRunning,
            E::Running => Code::Running,
            E::TwoWriters(_) => Code::TwoWriters,
            E::NothingToResume | E::NothingToContinue(_) => Code::NothingToResume,
            E::NoQuestion(_) => Code::NotAsked,
            E::NoMessage(_) | E::NotHeld(_) => Code::NotFound,
            E::Unfit(_) | E::Option { .. } => Code::BadRequest,
            // Options that do not go together, or not with this CLI.
            E::Driver(Wish::Conflict { .. } | Wish::TooOld { .. } | Wish::TooLong { .. }) => Code::BadRequest,
            E::Refused { why, .. } => match why {
                Refusal::Answered | Refusal::Withdrawn | Refusal::NotAsked => Code::NotAsked,
                Refusal::Ended => Code::NotRunning,
                Refusal::DiskFull => Code::Storage,
                _ => Code::Internal,
            },
            E::Agent(_) | E::Taken | E::NeverGivesBack => Code::AgentRefused,
            E::NoAnswer { .. } => Code::NoAnswer,
            E::BypassNotAllowed => Code::NotAllowed,
            E::NotAdmitted(_) => Code::OutsideRoots,
            E::CrashBudget { .. } | E::Driver(_) => Code::NotStarted,
            E::Keeper(error) => match error {
                Kept::Spawn { .. } | Kept::Start { .. } | Kept::Refused { .. } | Kept::Launch(_) => Code::NotStarted,
                Kept::Gone | Kept::Socket { .. } | Kept::Protocol { .. } => Code::Unreachable,
                Kept::Journal(error) => return storage(error),
                _ => Code::Internal,
            },
            E::File { .. } => Code::Storage,
            E::Journal(error) => return storage(error),
            _ => Code::Internal,
        };
        ApiError::new(code, with_causes(&error))
    }
}

impl From<journal::Error> for ApiError {
    fn from(error: journal::Error) -> ApiError {
        storage(&error)
    }
}

fn storage(error: &journal::Error) -> ApiError {
    let code = match error {
        journal::Error::NoLog { .. } => Code::NoSession,
        // Nobody but an agent's keeper has it for longer than a moment.
        journal::Error::InUse { .. } => Code::Running,
        _ => Code::Storage,
    };
    ApiError::new(code, with_causes(error))
}

/// The error and what caused it, in one sentence.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_says_nothing_is_told_apart_from_one_that_refuses() {
        let silent = ApiError::from(live::Error::NoAnswer { seconds: 60 });
        assert_eq!((silent.code, silent.code.status().as_u16()), (Code::NoAnswer, 504));
        assert_eq!(silent.message, "the agent did not answer within 60 seconds");
        let refused = ApiError::from(live::Error::Agent("no such model".to_owned()));
        assert_eq!(refused.code, Code::AgentRefused);
    }

    #[test]
    fn an_agent_that_is_gone_is_told_apart_from_one_that_never_came() {
        let code = |error: keeper::Error| ApiError::from(live::Error::from(error)).code;
        assert_eq!(code(keeper::Error::Gone), Code::Unreachable);
        assert_eq!(code(keeper::Error::Protocol { theirs: 2, ours: 1 }), Code::Unreachable);
        assert_eq!(code(keeper::Error::Refused { reason: "no such program".to_owned() }), Code::NotStarted);
        let refused = |why| ApiError::from(live::Error::Refused { why, text: String::new() }).code;
        assert_eq!(refused(keeper::Refusal::Withdrawn), Code::NotAsked);
        assert_eq!(refused(keeper::Refusal::Ended), Code::NotRunning);
        assert_eq!(refused(keeper::Refusal::DiskFull), Code::Storage);
    }

    #[test]
    fn a_log_that_a_keeper_has_is_no_full_disk() {
        let error = journal::Error::InUse { folder: "s".into() };
        assert_eq!(ApiError::from(error).code, Code::Running);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_like_any_other() {
        let failed = crate::app::blocking::<()>(|| panic!("on purpose")).await;
        assert_eq!(failed.unwrap_err().code, Code::Internal);
    }
}
