//! Permissions and questions: the CLI asks, the host decides.
//!
//! A [`PermissionRequest`] is owned by whoever decides. Each way to answer consumes it, so it is answered once; dropped
//! without an answer, it is denied; withdrawn by the CLI, whatever is said comes to nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use claude_protocol::permission::{CanUseTool, PermissionAnswer, PermissionUpdate};
use claude_protocol::tool::ask::{Answer as Chosen, Question};
use claude_protocol::{Raw, RequestId, ToolInput};
use serde::Serialize;
use tokio::sync::oneshot;

/// May this tool run? With everything that the CLI says about it: it dereferences to [`CanUseTool`].
pub struct PermissionRequest {
    /// The tool and its input, typed. `ToolInput::Other` is a tool that this crate does not know.
    pub tool: ToolInput,
    id: RequestId,
    ask: CanUseTool,
    reply: oneshot::Sender<PermissionAnswer>,
}

/// A permission request has been answered. It is what a handler returns, and holds nothing that one must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The tool may run.
    Allowed,
    /// The tool must not run.
    Denied,
    /// The request was given to someone else, who answers it later (or lets it drop, which denies it).
    Elsewhere,
}

/// A handler that gives the request away has nothing to return.
impl From<()> for Decision {
    fn from((): ()) -> Self {
        Decision::Elsewhere
    }
}

impl PermissionRequest {
    pub(crate) fn new(id: RequestId, ask: CanUseTool) -> (Self, oneshot::Receiver<PermissionAnswer>) {
        let (reply, receiver) = oneshot::channel();
        let tool = ToolInput::read(&ask.tool_name, &ask.input).value;
        (PermissionRequest { tool, id, ask, reply }, receiver)
    }

    /// The CLI's name for the request.
    pub fn id(&self) -> &RequestId {
        &self.id
    }

    /// What could be remembered, as the CLI suggests it: to be picked from, and edited if need be, for
    /// [`PermissionRequest::allow_always`].
    pub fn suggestions(&self) -> &[PermissionUpdate] {
        self.ask.permission_suggestions.as_deref().unwrap_or_default()
    }

    /// Waits until the CLI takes the request back (after an interrupt, or when a hook has decided).
    pub async fn withdrawn(&mut self) {
        self.reply.closed().await;
    }

    /// Has the CLI taken the request back?
    pub fn is_withdrawn(&self) -> bool {
        self.reply.is_closed()
    }

    /// Yes, this once, with the input as it stands.
    pub fn allow(self) -> Decision {
        let answer = PermissionAnswer::allow(&self.ask);
        self.answer(answer)
    }

    /// Yes, this once, with another input. Denied if that is no JSON object, since the CLI takes no other.
    pub fn allow_with(self, input: impl Serialize) -> Decision {
        let input = Raw::from_value(&input).ok();
        let answer = input.and_then(|input| PermissionAnswer::allow_with(&self.ask, input));
        let answer =
            answer.unwrap_or_else(|| PermissionAnswer::deny(&self.ask, "The changed input is no JSON object."));
        self.answer(answer)
    }

    /// Yes, and remember: some of [`PermissionRequest::suggestions`], as they are or edited.
    pub fn allow_always(self, updates: impl IntoIterator<Item = PermissionUpdate>) -> Decision {
        let answer = PermissionAnswer::allow_and_remember(&self.ask, updates.into_iter().collect());
        self.answer(answer)
    }

    /// No. The model reads `why` and goes on.
    pub fn deny(self, why: impl Into<String>) -> Decision {
        let answer = PermissionAnswer::deny(&self.ask, why);
        self.answer(answer)
    }

    /// No, and the turn ends.
    pub fn deny_and_stop(self, why: impl Into<String>) -> Decision {
        let answer = PermissionAnswer::deny_and_interrupt(&self.ask, why);
        self.answer(answer)
    }

    /// An answer made by hand.
    pub fn answer(self, answer: PermissionAnswer) -> Decision {
        let decision = match answer {
            PermissionAnswer::Allow(_) => Decision::Allowed,
            PermissionAnswer::Deny(_) | PermissionAnswer::Other(_) => Decision::Denied,
        };
        // If the CLI has withdrawn the request, nobody is interested any more.
        let _ = self.reply.send(answer);
        decision
    }

    /// The questions, if the model asks the user something.
    pub fn questions(&self) -> Option<&[Question]> {
        match &self.tool {
            ToolInput::AskUserQuestion(input) => Some(&input.questions),
            _ => None,
        }
    }

    /// The plan, if the model wants to leave plan mode: [`PermissionRequest::allow`] approves it.
    pub fn plan(&self) -> Option<&str> {
        match &self.tool {
            ToolInput::ExitPlanMode(input) => Some(input.plan.as_deref().unwrap_or_default()),
            _ => None,
        }
    }

    /// Answers questions: see [`Answers`].
    pub fn answer_questions(self, answers: Answers) -> Decision {
        match PermissionAnswer::allow_with_answers(&self.ask, &answers.0) {
            Some(answer) => self.answer(answer),
            None => self.deny("The questions could not be read."),
        }
    }
}

impl Deref for PermissionRequest {
    type Target = CanUseTool;

    fn deref(&self) -> &CanUseTool {
        &self.ask
    }
}

impl fmt::Debug for PermissionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermissionRequest").field("id", &self.id).field("ask", &self.ask).finish()
    }
}

/// Answers to the questions of a [`PermissionRequest`], by the text of the question.
///
/// ```
/// use claude_driver::Answers;
/// let answers = Answers::new().choose("Which colour?", "Red").choose_all("Toppings?", ["Cheese", "Ham"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers(BTreeMap<String, Chosen>);

impl Answers {
    /// No answers yet; a question without one stays open for the model.
    pub fn new() -> Self {
        Answers::default()
    }

    /// One label, or a text of the user's own.
    #[must_use]
    pub fn choose(mut self, question: impl Into<String>, answer: impl Into<String>) -> Self {
        self.0.insert(question.into(), Chosen::Text(answer.into()));
        self
    }

    /// Several labels, for a question that allows them.
    #[must_use]
    pub fn choose_all(
        mut self,
        question: impl Into<String>,
        labels: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.0.insert(question.into(), Chosen::Labels(labels.into_iter().map(Into::into).collect()));
        self
    }
}
