//! The dialect of one older document: permissions by `callback.request` and `callback.response`. No CLI tried speaks
//! it; it is read so that a host has one form, [`CanUseTool`], and answered as it was asked.

use super::ReplyTo;
use crate::ids::{RequestId, SessionId};
use crate::permission::{CanUseTool, PermissionAnswer, PermissionUpdate};
use crate::raw::Raw;

wire! {
    /// A question of the peer (documented only).
    pub struct CallbackRequest {
        /// The peer's name for the question; the answer repeats it.
        pub id: RequestId,
        /// The session; the answer repeats it.
        pub session_id: Option<SessionId>,
        /// The question.
        pub payload: CallbackAsk,
    }

    /// The answer to a [`CallbackRequest`] (documented only; every CLI tried ignores it).
    pub struct CallbackResponse {
        /// The question.
        pub id: RequestId,
        /// The session of the question.
        pub session_id: Option<SessionId>,
        /// The answer.
        pub payload: CallbackAnswer,
    }

    /// The tool may run.
    pub struct CallbackAllow {
        /// The complete input.
        pub updated_input: Option<Raw>,
        /// What to remember.
        pub updated_permissions: Option<Vec<PermissionUpdate>>,
    }

    /// The tool must not run.
    pub struct CallbackDeny {
        /// What the model is told.
        pub message: String,
    }
}

tagged! {
    /// A question of this dialect. The older names of the fields are read by [`CanUseTool`] itself.
    pub enum CallbackAsk by "callback_type" after [] {
        /// May this tool run?
        "can_use_tool" => CanUseTool(Box<CanUseTool>),
    }
}

tagged! {
    /// An answer of this dialect.
    pub enum CallbackAnswer by "behavior" after [] {
        /// The tool may run.
        "allow" => Allow(CallbackAllow),
        /// The tool must not run.
        "deny" => Deny(CallbackDeny),
    }
}

impl CallbackRequest {
    /// The permission request, if it is one.
    pub fn can_use_tool(&self) -> Option<&CanUseTool> {
        match &self.payload {
            CallbackAsk::CanUseTool(ask) => Some(ask),
            CallbackAsk::Other(_) => None,
        }
    }

    /// Where the answer goes.
    pub fn reply_to(&self) -> ReplyTo {
        ReplyTo::Callback { id: self.id.clone(), session_id: self.session_id.clone() }
    }
}

impl CallbackResponse {
    /// The answer in this dialect, which has no place for the call's id and for an interrupt.
    pub fn new(id: RequestId, session_id: Option<SessionId>, answer: &PermissionAnswer) -> Self {
        let payload = match answer {
            PermissionAnswer::Allow(allow) => CallbackAnswer::Allow(CallbackAllow {
                updated_input: allow.updated_input.clone(),
                updated_permissions: allow.updated_permissions.clone(),
            }),
            PermissionAnswer::Deny(deny) => CallbackAnswer::Deny(CallbackDeny { message: deny.message.clone() }),
            PermissionAnswer::Other(other) => CallbackAnswer::Other(other.clone()),
        };
        CallbackResponse { id, session_id, payload }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::encode;

    fn ask() -> CallbackRequest {
        let text = concat!(
            r#"{"id":"cb-1","session_id":"s","payload":{"callback_type":"can_use_tool","tool_name":"Bash","#,
            r#""tool_input":{"command":"ls"},"tool_use_id":"toolu_1","blocked_path":"/tmp/test","suggestions":[{"type":"#,
            r#""addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"behavior":"allow","destination":"session"}]}}"#
        );
        let reading = Raw::from_text(text).unwrap().read::<CallbackRequest>().unwrap();
        assert_eq!(reading.notes, []);
        reading.value
    }

    #[test]
    fn a_callback_request_is_the_same_permission_request_as_a_control_request() {
        let control = concat!(
            r#"{"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"toolu_1","blocked_path":"/tmp/test","#,
            r#""permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"#,
            r#""behavior":"allow","destination":"session"}]}"#
        );
        let control = Raw::from_text(control).unwrap().read::<CanUseTool>().unwrap().value;
        assert_eq!(ask().can_use_tool(), Some(&control));
    }

    #[test]
    fn an_answer_is_written_in_the_dialect_of_its_question() {
        let ask = ask();
        let can_use_tool = ask.can_use_tool().unwrap();
        let to = ask.reply_to();
        assert_eq!(
            encode(&to.permission(&PermissionAnswer::allow(can_use_tool))),
            concat!(
                r#"{"type":"callback.response","id":"cb-1","session_id":"s","#,
                r#""payload":{"behavior":"allow","updated_input":{"command":"ls"}}}"#
            )
        );
        assert_eq!(
            encode(&to.error("no host")),
            concat!(
                r#"{"type":"callback.response","id":"cb-1","session_id":"s","#,
                r#""payload":{"behavior":"deny","message":"no host"}}"#
            )
        );
        assert_eq!(
            encode(&ReplyTo::Control("7".into()).permission(&PermissionAnswer::deny(can_use_tool, "no"))),
            concat!(
                r#"{"type":"control_response","response":{"subtype":"success","request_id":"7","#,
                r#""response":{"behavior":"deny","message":"no","toolUseID":"toolu_1"}}}"#
            )
        );
    }
}
