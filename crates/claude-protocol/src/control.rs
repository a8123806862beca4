//! Control requests: questions of the CLI to the host ([`RequestFromCli`]), commands of the host to the CLI
//! ([`RequestToCli`]), and the answers ([`Response`]), which go both ways and are matched by `request_id`.
//!
//! Either side may withdraw its own request with [`Cancel`]. Answers of the CLI have types of their own, see
//! [`Answered`]; the older `callback.request` is in [`callback`].

use std::borrow::Cow;

use crate::hook::HookCallback;
use crate::ids::{RequestId, SessionId};
use crate::permission::{CanUseTool, PermissionAnswer};
use crate::raw::{Raw, Reading};
use crate::to_cli::ToCli;
use crate::wire::Wire;

pub mod answer;
pub mod ask;
pub mod callback;
pub mod catalog;
pub mod change;
pub mod command;
pub mod dialogs;
pub mod hooks_listing;
pub mod initialize;
pub mod mcp;
pub mod request;

pub use ask::{Elicitation, ElicitationAnswer, McpAnswer, McpMessage, UserDialog, UserDialogAnswer};
pub use callback::{CallbackRequest, CallbackResponse};
pub use command::{Answered, Command, answer_drift};
pub use initialize::{Initialize, InitializeAnswer};

use catalog::{Account, ModelInfo, SlashCommand};

message! {
    /// A question of the CLI that the host must answer (2.1.1 to 2.1.325).
    pub struct RequestFromCli {
        /// The CLI's name for the question; the answer repeats it.
        pub request_id: RequestId,
        /// The question.
        pub request: Ask,
    }

    /// The answer to a control request, in both directions (2.1.1 to 2.1.325). Before 2.1.325 `set_permission_mode` is
    /// answered twice, so an answer to a request that is not open any more must be passed over.
    pub struct Response {
        /// The answer.
        pub response: Reply,
    }

    /// The sender of a request wants no answer any more. The CLI sends it when an interrupt or a hook has settled a
    /// permission prompt (2.1.325); the host may send it for a command that takes long. An answer that comes all the
    /// same is passed over.
    pub struct Cancel {
        /// The request.
        pub request_id: RequestId,
    }
}

wire! {
    /// A command of the host (2.1.1 to 2.1.325).
    pub struct RequestToCli {
        /// The host's name for the command. The CLI acts without it, too, but then the answer names nothing.
        pub request_id: RequestId,
        /// The command.
        pub request: Command,
    }

    /// What an answer says: success with or without data, or an error.
    pub struct Reply {
        /// Success or error; absent in the flat form of two older documents, which is a success.
        pub subtype: Option<Outcome>,
        /// The request; absent if that had none.
        pub request_id: Option<RequestId>,
        /// The data: absent or `{}` for a mere acknowledgement. See [`Response::answer`].
        pub response: Option<Raw>,
        /// What went wrong.
        pub error: Option<String>,
        /// What went wrong, for programs (2.1.325).
        pub error_code: Option<ErrorCode>,
        /// The model that is in force, after a failed `set_model` (declared, not measured).
        pub model: Option<String>,
        /// On the answer to `initialize`: permission prompts that are still open (2.1.325).
        pub pending_permission_requests: Option<Vec<PendingRequest>>,
        /// On the answer to `initialize`: dialogs that are still open (2.1.325).
        pub pending_user_dialog_requests: Option<Vec<PendingRequest>>,
        /// On the answer to `initialize`: questions of MCP servers that are still open (declared, not measured).
        pub pending_elicitation_requests: Option<Vec<PendingRequest>>,
        /// Flat form of `initialize`'s answer.
        pub commands: Option<Vec<SlashCommand>>,
        /// Flat form of `initialize`'s answer.
        pub models: Option<Vec<ModelInfo>>,
        /// Flat form of `initialize`'s answer.
        pub account: Option<Account>,
        /// Flat form of `initialize`'s answer.
        pub output_style: Option<String>,
        /// Flat form of `initialize`'s answer.
        pub available_output_styles: Option<Vec<String>>,
    }
}

words! {
    /// How a request ended.
    pub enum Outcome {
        /// Done.
        Success = "success",
        /// Not done.
        Error = "error",
    }

    /// Why a request failed, for programs. 2.1.325 has more of them.
    pub enum ErrorCode {
        /// The CLI does not know the subtype. Before 2.1.325 it does not answer at all.
        UnsupportedRequest = "unsupported_request",
        /// No such permission mode.
        InvalidMode = "invalid_mode",
        /// The process was not started with leave to skip permissions.
        BypassNotLaunched = "bypass_not_launched",
        /// Settings forbid to skip permissions (declared, not measured).
        BypassDisabled = "bypass_disabled",
        /// The model has no auto mode.
        AutoModeModel = "auto_mode_model",
        /// Auto mode is not to be had (declared, not measured).
        AutoModeUnavailable = "auto_mode_unavailable",
        /// The session is busy and the request asked not to wait (declared, not measured).
        ReloadPluginsBusy = "reload_plugins_busy",
        /// A side question is running already (declared, not measured).
        SideQuestionBusy = "side_question_busy",
        /// The request has a wrong shape (declared, not measured).
        InvalidRequest = "invalid_request",
        /// The CLI failed (declared, not measured).
        InternalError = "internal_error",
    }
}

tagged! {
    /// A question of the CLI. One that is not known here must be answered with an error, or the CLI waits for ever.
    pub enum Ask by "subtype" after [] {
        /// May this tool run?
        "can_use_tool" => CanUseTool(Box<CanUseTool>),
        /// A hook of the host fires.
        "hook_callback" => HookCallback(Box<HookCallback>),
        /// A message to an MCP server that lives in the host.
        "mcp_message" => McpMessage(McpMessage),
        /// An MCP server wants something from the user.
        "elicitation" => Elicitation(Box<Elicitation>),
        /// A dialog of a kind that the host has declared in `initialize`.
        "request_user_dialog" => UserDialog(UserDialog),
    }
}

tagged! {
    /// A request that is still open: a whole line, as it was sent.
    pub enum PendingRequest by "type" after [] {
        /// The line.
        "control_request" => Request(Box<RequestFromCli>),
    }
}

/// Where an answer goes: the name of the question, in the dialect in which it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ReplyTo {
    /// A `control_request`.
    Control(RequestId),
    /// A `callback.request`.
    Callback {
        /// Its `id`.
        id: RequestId,
        /// Its session, which the answer repeats.
        session_id: Option<SessionId>,
    },
}

impl RequestFromCli {
    /// Where the answer goes.
    pub fn reply_to(&self) -> ReplyTo {
        ReplyTo::Control(self.request_id.clone())
    }
}

impl RequestToCli {
    /// A command under a name that no other open one has.
    pub fn new(request_id: impl Into<RequestId>, command: impl Into<Command>) -> Self {
        RequestToCli { request_id: request_id.into(), request: command.into() }
    }
}

impl Cancel {
    /// The withdrawal of a request.
    pub fn new(request_id: impl Into<RequestId>) -> Self {
        Cancel { request_id: request_id.into(), ..Cancel::default() }
    }
}

impl Response {
    /// Success, with data: [`McpAnswer`], [`crate::hook::HookOutput`], [`PermissionAnswer`], …
    pub fn success(request_id: impl Into<RequestId>, data: &impl Wire) -> Self {
        Response::with(Outcome::Success, request_id.into(), |reply| reply.response = Some(Raw::from_wire(data)))
    }

    /// Success, without data.
    pub fn acknowledge(request_id: impl Into<RequestId>) -> Self {
        Response::with(Outcome::Success, request_id.into(), |_| {})
    }

    /// An error; to a permission prompt it is a denial.
    pub fn error(request_id: impl Into<RequestId>, error: impl Into<String>) -> Self {
        Response::with(Outcome::Error, request_id.into(), |reply| reply.error = Some(error.into()))
    }

    fn with(outcome: Outcome, request_id: RequestId, fill: impl FnOnce(&mut Reply)) -> Self {
        let mut reply = Reply { subtype: Some(outcome), request_id: Some(request_id), ..Reply::default() };
        fill(&mut reply);
        Response { response: reply, ..Response::default() }
    }

    /// What went wrong, if something did.
    pub fn failure(&self) -> Option<&str> {
        let reply = &self.response;
        let failed = reply.subtype == Some(Outcome::Error) || (reply.subtype.is_none() && reply.error.is_some());
        failed.then(|| reply.error.as_deref().unwrap_or_default())
    }

    /// The data of the answer, to be read as the type that belongs to the request: the inner object, or, in the flat
    /// form of two older documents, what stands beside it. `None` for an error or a mere acknowledgement.
    pub fn answer(&self) -> Option<Cow<'_, Raw>> {
        let reply = &self.response;
        if let Some(inner) = &reply.response {
            return Some(Cow::Borrowed(inner));
        }
        let flat = InitializeAnswer {
            commands: reply.commands.clone(),
            models: reply.models.clone(),
            account: reply.account.clone(),
            output_style: reply.output_style.clone(),
            available_output_styles: reply.available_output_styles.clone(),
            ..InitializeAnswer::default()
        };
        (flat != InitializeAnswer::default()).then(|| Cow::Owned(Raw::from_wire(&flat)))
    }
}

impl Response {
    /// The answer to a command, typed: `response.answer_to::<Interrupt>()`. An acknowledgement without data reads as
    /// the default; `None` for an error.
    pub fn answer_to<R: Answered>(&self) -> Option<Reading<R::Answer>> {
        if self.failure().is_some() {
            return None;
        }
        let Some(data) = self.answer() else {
            return Some(Reading { value: R::Answer::default(), notes: Vec::new() });
        };
        data.read()
    }
}

impl ReplyTo {
    /// The name of the question.
    pub fn id(&self) -> &RequestId {
        match self {
            ReplyTo::Control(id) | ReplyTo::Callback { id, .. } => id,
        }
    }

    /// The line that answers a permission request.
    pub fn permission(&self, answer: &PermissionAnswer) -> ToCli {
        match self {
            ReplyTo::Control(id) => ToCli::ControlResponse(Box::new(Response::success(id.clone(), answer))),
            ReplyTo::Callback { id, session_id } => {
                ToCli::CallbackResponse(Box::new(CallbackResponse::new(id.clone(), session_id.clone(), answer)))
            }
        }
    }

    /// The line that says that the question cannot be answered; for a permission request that is a denial.
    pub fn error(&self, error: impl Into<String>) -> ToCli {
        match self {
            ReplyTo::Control(id) => ToCli::ControlResponse(Box::new(Response::error(id.clone(), error))),
            ReplyTo::Callback { .. } => self.permission(&PermissionAnswer::deny(&CanUseTool::default(), error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::to_json;

    fn response(text: &str) -> Response {
        let reading = Raw::from_text(text).unwrap().read::<Response>().unwrap();
        assert_eq!(reading.notes, []);
        reading.value
    }

    #[test]
    fn the_answer_to_initialize_is_found_inside_and_in_the_flat_form() {
        let inner = r#"{"commands":[{"name":"compact"}],"models":[{"value":"opus"}],"account":{"email":"a@b"}}"#;
        let nested =
            response(&format!(r#"{{"response":{{"subtype":"success","request_id":"1","response":{inner}}}}}"#));
        let flat = response(&format!(r#"{{"response":{inner}}}"#));
        let read = |response: &Response| response.answer().unwrap().read::<InitializeAnswer>().unwrap();
        assert_eq!(read(&nested), read(&flat));
        assert_eq!(read(&flat).value.models.unwrap()[0].value.as_deref(), Some("opus"));
        assert_eq!((nested.failure(), flat.failure()), (None, None));
    }

    #[test]
    fn an_acknowledgement_has_no_data_and_an_error_has_words() {
        let done = response(r#"{"response":{"subtype":"success","request_id":"1"}}"#);
        assert_eq!((done.answer(), done.failure()), (None, None));
        let failed = r#"{"response":{"subtype":"error","request_id":"1","error":"no","error_code":"invalid_mode"}}"#;
        let failed = response(failed);
        assert_eq!((failed.answer(), failed.failure()), (None, Some("no")));
        assert_eq!(failed.response.error_code, Some(ErrorCode::InvalidMode));
    }

    #[test]
    fn pending_requests_are_whole_lines() {
        let text = concat!(
            r#"{"response":{"subtype":"success","request_id":"1","pending_permission_requests":[{"type":"#,
            r#""control_request","request_id":"7","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}]}}"#
        );
        let response = response(text);
        let pending = response.response.pending_permission_requests.clone().unwrap();
        let PendingRequest::Request(request) = &pending[0] else { panic!("{pending:?}") };
        assert!(matches!(&request.request, Ask::CanUseTool(ask) if ask.tool_name == "Bash"));
        assert_eq!(to_json(&response), text);
    }

    #[test]
    fn answers_are_written_as_every_cli_takes_them() {
        let answer = McpAnswer::new(Raw::from_text(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).unwrap());
        assert_eq!(
            to_json(&Response::success("7", &answer)),
            concat!(
                r#"{"response":{"subtype":"success","request_id":"7","#,
                r#""response":{"mcp_response":{"jsonrpc":"2.0","id":1,"result":{}}}}}"#
            )
        );
        assert_eq!(
            to_json(&Response::error("7", "what?")),
            r#"{"response":{"subtype":"error","request_id":"7","error":"what?"}}"#
        );
    }
}
