//! What a host writes to the CLI's stdin: one variant per `type`.
//!
//! The CLI ignores types it does not know, but one line that is no JSON, or a prompt of a wrong shape, ends the
//! process.

use std::collections::BTreeMap;

use crate::content::{Block, Content, UserMessage};
use crate::control::{CallbackResponse, Cancel, Command, RequestToCli, Response};
use crate::from_cli::{KeepAlive, Origin};
use crate::ids::{AgentId, RequestId, SessionId, ToolUseId, Uuid};
use crate::raw::Raw;
use crate::wire::OrNull;

tagged! {
    /// A line of the CLI's stdin.
    pub enum ToCli by "type" after [] {
        /// A prompt.
        "user" => Prompt(Box<Prompt>),
        /// A command.
        "control_request" => ControlRequest(Box<RequestToCli>),
        /// The answer to a question of the CLI.
        "control_response" => ControlResponse(Box<Response>),
        /// A command that is withdrawn.
        "control_cancel_request" => ControlCancel(Cancel),
        /// A sign of life; the CLI ignores it.
        "keep_alive" => KeepAlive(KeepAlive),
        /// Variables for the CLI's environment.
        "update_environment_variables" => UpdateEnvironmentVariables(UpdateEnvironmentVariables),
        /// The answer to a question in the dialect of one older document.
        "callback.response" => CallbackResponse(Box<CallbackResponse>),
        ;
        /// A text that is no JSON object.
        NotJson
    }
}

wire! {
    /// A prompt of the user (2.1.1 to 2.1.325). One sent while a turn runs waits, or joins the turn after a tool;
    /// several that wait become one turn with one `result`. A text that begins with `/` is a command.
    pub struct Prompt {
        /// Anything; the CLI does not look at it.
        pub session_id: Option<SessionId>,
        /// The message.
        pub message: UserMessage,
        /// Always null.
        pub parent_tool_use_id: OrNull<ToolUseId>,
        /// The host's name for the prompt. With it come `command_lifecycle` lines, and `result` tells which prompts it
        /// answers (2.1.325).
        pub uuid: Option<Uuid>,
        /// When it is to run (2.1.325).
        pub priority: Option<Priority>,
        /// False: keep it for the next prompt, and start no turn (2.1.325).
        pub should_query: Option<bool> = "shouldQuery",
        /// True: the user did not write it (declared, not measured).
        pub is_synthetic: Option<bool> = "isSynthetic",
        /// True: take it as it is, without `@` files and commands (declared, not measured).
        pub client_composed: Option<bool>,
        /// What was pasted, to come after the text (declared, not measured).
        pub pasted_content: Option<Vec<Content>>,
        /// What was pasted, where it stands in the text (declared, not measured).
        pub inline_pastes: Option<Vec<String>>,
        /// Who wrote it (declared, not measured).
        pub origin: Option<Origin>,
        /// When it was written, as an ISO time (declared, not measured).
        pub timestamp: Option<String>,
        /// The structured result of a tool (declared, not measured).
        pub tool_use_result: Option<Raw>,
        /// The subagent it belongs to (declared, not measured).
        pub agent_id: Option<AgentId>,
        /// The kind of that subagent (declared, not measured).
        pub subagent_type: Option<String>,
        /// The task of that subagent (declared, not measured).
        pub task_description: Option<String>,
    }

    /// Variables for the CLI's environment (2.1.325 accepts them; commands of the Bash tool do not see them).
    pub struct UpdateEnvironmentVariables {
        /// The variables.
        pub variables: BTreeMap<String, String>,
        /// A name for the request (declared, not measured).
        pub request_id: Option<RequestId>,
    }
}

words! {
    /// When a prompt is to run (2.1.325; declared, not measured on stdout).
    pub enum Priority {
        /// At once: the answer that is being made is cut off.
        Now = "now",
        /// As soon as what runs has a gap.
        Next = "next",
        /// After the others.
        Later = "later",
    }
}

impl Prompt {
    /// A prompt of blocks: text, images, documents.
    pub fn blocks(blocks: Vec<Block>) -> Self {
        Prompt { session_id: Some(SessionId::default()), message: UserMessage::new(blocks), ..Prompt::default() }
    }

    /// A prompt of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Prompt::blocks(vec![Block::text(text)])
    }

    /// The same prompt with one more block: a picture, a document, more text.
    #[must_use]
    pub fn with(mut self, block: impl Into<Block>) -> Self {
        let mut blocks = self.message.content.into_blocks();
        blocks.push(block.into());
        self.message.content = Content::Blocks(blocks);
        self
    }

    /// The same prompt under a name, which `result` and `command_lifecycle` repeat and by which it can be taken back.
    #[must_use]
    pub fn named(mut self, uuid: impl Into<Uuid>) -> Self {
        self.uuid = Some(uuid.into());
        self
    }
}

impl ToCli {
    /// A command under a name that no other open one has.
    pub fn request(request_id: impl Into<RequestId>, command: impl Into<Command>) -> Self {
        ToCli::ControlRequest(Box::new(RequestToCli::new(request_id, command)))
    }

    /// The withdrawal of a command.
    pub fn cancel(request_id: impl Into<RequestId>) -> Self {
        ToCli::ControlCancel(Cancel::new(request_id))
    }
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Prompt::text(text)
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Prompt::text(text)
    }
}

impl From<Vec<Block>> for Prompt {
    fn from(blocks: Vec<Block>) -> Self {
        Prompt::blocks(blocks)
    }
}

impl From<Prompt> for ToCli {
    fn from(prompt: Prompt) -> Self {
        ToCli::Prompt(Box::new(prompt))
    }
}

impl From<Response> for ToCli {
    fn from(response: Response) -> Self {
        ToCli::ControlResponse(Box::new(response))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Document, Image, Source};
    use crate::control::request::Interrupt;
    use crate::line::{decode_as, encode};

    #[test]
    fn a_prompt_takes_pictures_and_documents() {
        let prompt =
            Prompt::text("look").with(Image::base64("image/png", "AAAA")).with(Document::new(Source::text("words")));
        let kinds: Vec<&str> = prompt.message.content.blocks().iter().map(Block::kind).collect();
        assert_eq!(kinds, ["text", "image", "document"]);
    }

    #[test]
    fn a_prompt_is_written_as_every_cli_takes_it() {
        let expected = concat!(
            r#"{"type":"user","session_id":"","message":{"role":"user","content":[{"type":"text","text":"hi"}]},"#,
            r#""parent_tool_use_id":null,"uuid":"u-1"}"#
        );
        let prompt = ToCli::from(Prompt::text("hi").named("u-1"));
        assert_eq!(encode(&prompt), expected);
        assert_eq!(decode_as::<ToCli>(expected).body, prompt);
    }

    #[test]
    fn a_command_is_written_with_its_name() {
        assert_eq!(
            encode(&ToCli::request("req_1", Interrupt::default())),
            r#"{"type":"control_request","request_id":"req_1","request":{"subtype":"interrupt"}}"#
        );
        assert_eq!(encode(&ToCli::cancel("req_1")), r#"{"type":"control_cancel_request","request_id":"req_1"}"#);
    }

    #[test]
    fn a_prompt_of_another_role_is_noted() {
        let line = r#"{"type":"user","message":{"role":"assistant","content":"hi"}}"#;
        let decoded = decode_as::<ToCli>(line);
        assert_eq!(decoded.notes.len(), 1);
        assert_eq!(decoded.notes[0].path, "message.role");
    }

    #[test]
    fn unknown_lines_are_carried() {
        assert_eq!(decode_as::<ToCli>(r#"{"type":"frobnicate","data":1}"#).body.kind(), "frobnicate");
        assert!(matches!(decode_as::<ToCli>("[1,2,3]").body, ToCli::NotJson(_)));
    }
}
