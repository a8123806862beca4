//! Asks: questions that are open now. An answer is built from the recorded request, never from this.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::clip::Clip;
use super::item::ItemId;
use super::tool::ToolView;
use crate::event::tool::ToolKind;
use crate::shape::{Field, state};
use crate::time::UnixMillis;

state! {
    /// A question that is open now.
    pub struct Ask {
        /// The name of the question; the answer repeats it.
        pub id: Arc<str>,
        /// The record that holds it.
        pub seq: u64,
        /// When it was asked.
        pub at: UnixMillis,
        /// The call that it is about.
        pub call: Option<ItemId>,
        /// The subagent that asks.
        pub agent_id: Option<String>,
        /// What is asked.
        pub body: AskBody,
    }

    /// May this tool be used?
    pub struct PermissionAsk {
        /// The tool, by its own name.
        pub tool: String,
        /// What kind of work it does. Not `kind`: that is which question it is.
        pub tool_kind: ToolKind,
        /// A heading.
        pub title: String,
        /// The call in a few words.
        pub description: Option<String>,
        /// The thing itself: the command, the change before it is made, the address.
        pub view: ToolView,
        /// The input as JSON text.
        pub input: Clip,
        /// Why it asks.
        pub reason: Option<String>,
        /// Why it asks, for programs.
        pub reason_type: Option<String>,
        /// The path that made it ask.
        pub blocked_path: Option<String>,
        /// The rule of the settings that made it ask, as the agent writes it.
        pub matched_rule: Option<String>,
        /// Where the MCP server of the tool is configured.
        pub mcp_source: Option<String>,
        /// What could be remembered; the number in this list is what an answer chooses.
        pub suggestions: Vec<Suggestion>,
        /// Is "no" to be preselected?
        pub default_to_no: bool,
        /// Is nothing to be remembered?
        pub suppress_always_allow: bool,
    }

    /// Something that could be remembered.
    pub struct Suggestion {
        /// `addRules`, `addDirectories`, `setMode`, …
        #[serde(rename = "type")]
        pub kind: String,
        /// In words.
        pub label: String,
        /// The rules, as the agent writes them: `Bash(git show *)`.
        pub rules: Vec<String>,
        /// The directories.
        pub directories: Vec<String>,
        /// The mode.
        pub mode: Option<String>,
        /// `allow`, `deny` or `ask`.
        pub behavior: Option<String>,
        /// Where it is kept.
        pub destination: Option<String>,
    }

    /// What would you like?
    pub struct QuestionAsk {
        /// The questions.
        pub questions: Vec<Question>,
    }

    /// A question with its options.
    pub struct Question {
        /// The question.
        pub question: String,
        /// A short name for it.
        pub header: Option<String>,
        /// May several options be chosen?
        pub multi_select: bool,
        /// The options; another answer may be typed.
        pub options: Vec<QuestionOption>,
    }

    /// An option of a question.
    pub struct QuestionOption {
        /// What is chosen.
        pub label: String,
        /// What it means.
        pub description: Option<String>,
        /// How it would look.
        pub preview: Option<Clip>,
    }

    /// Is this plan good?
    pub struct PlanAsk {
        /// The plan.
        pub plan: Clip,
        /// The file that it is in.
        pub path: Option<String>,
        /// What could be remembered with a yes.
        pub suggestions: Vec<Suggestion>,
    }

    /// An MCP server asks for something.
    pub struct ElicitationAsk {
        /// The server.
        pub server: Option<String>,
        /// The server's name for people.
        pub display_name: Option<String>,
        /// A heading.
        pub title: Option<String>,
        /// More about it.
        pub description: Option<String>,
        /// What it says.
        pub message: Clip,
        /// `form` or `url`.
        pub mode: Option<String>,
        /// The page to go to.
        pub url: Option<Clip>,
        /// The JSON schema of the form, as text.
        pub schema: Option<Clip>,
        /// The fields of the form, in the server's order, as far as it is told.
        pub property_order: Vec<String>,
        /// The server's own id of it.
        pub elicitation_id: Option<String>,
    }

    /// The agent wants a dialog shown.
    pub struct DialogAsk {
        /// Which.
        pub dialog: Option<String>,
        /// What it is about, as JSON text.
        pub payload: Clip,
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AskBody {
    /// May this tool be used?
    Permission(Box<PermissionAsk>),
    /// What would you like?
    Question(QuestionAsk),
    /// Is this plan good?
    Plan(PlanAsk),
    /// An MCP server asks for something.
    Elicitation(Box<ElicitationAsk>),
    /// The agent wants a dialog shown.
    Dialog(DialogAsk),
}

impl Field for AskBody {}
