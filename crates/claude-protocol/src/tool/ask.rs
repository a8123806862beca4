//! Tools that turn to the user: questions with options, and plans to approve.

use std::collections::BTreeMap;

use crate::cursor::{Cursor, Fault};
use crate::raw::Raw;
use crate::wire::Wire;

wire! {
    /// Questions to the user (2.1.1 to 2.1.325; only with a permission prompt tool). The host answers by allowing the
    /// call with this input plus [`answers`](Self::answers).
    pub struct AskUserQuestionInput {
        /// One to four questions.
        pub questions: Vec<Question>,
        /// The answers by question text; added by the host.
        pub answers: Option<BTreeMap<String, Answer>>,
        /// What the user adds to an answer, by question text; added by the host.
        pub annotations: Option<BTreeMap<String, Annotation>>,
        /// An answer that is not to any one question (declared, not measured).
        pub response: Option<String>,
        /// Where the questions come from (declared, not measured).
        pub metadata: Option<Raw>,
    }

    /// A question.
    pub struct Question {
        /// The question; the key of its answer.
        pub question: String,
        /// A label of one or two words.
        pub header: Option<String>,
        /// What to choose from; the user may also write something else.
        pub options: Vec<QuestionOption>,
        /// May more than one be chosen?
        pub multi_select: Option<bool> = "multiSelect",
    }

    /// Something to choose.
    pub struct QuestionOption {
        /// Its name; the answer when it is chosen.
        pub label: String,
        /// What choosing it means.
        pub description: Option<String>,
        /// Something to show while it is in focus, for example code or a drawing (declared, not measured).
        pub preview: Option<String> = "preview" | "markdown",
    }

    /// What the user adds to an answer.
    pub struct Annotation {
        /// Notes.
        pub notes: Option<String>,
        /// The preview of the option that was chosen (declared, not measured).
        pub preview: Option<String>,
        /// Why there is no answer: `skipped`, `replied_in_chat` or `dismissed` (declared, not measured).
        pub unanswered: Option<String>,
    }

    /// What the user answered.
    pub struct AskUserQuestionResult {
        /// The questions.
        pub questions: Option<Vec<Question>>,
        /// The answers by question text; a question without an answer is not in it.
        pub answers: Option<BTreeMap<String, Answer>>,
        /// What the user added, by question text.
        pub annotations: Option<BTreeMap<String, Annotation>>,
        /// An answer that is not to any one question (declared, not measured).
        pub response: Option<String>,
        /// Milliseconds after which nobody was there (declared, not measured).
        pub afk_timeout_ms: Option<f64> = "afkTimeoutMs",
    }

    /// A wish to plan first (2.1.1 to 2.1.325; only with a permission prompt tool).
    pub struct EnterPlanModeInput {}

    /// The session is in plan mode now.
    pub struct EnterPlanModeResult {
        /// What that means, for the model.
        pub message: Option<String>,
    }

    /// A plan to approve (2.1.1 to 2.1.325; only with a permission prompt tool).
    pub struct ExitPlanModeInput {
        /// The plan. The CLI fills it in from the plan's file.
        pub plan: Option<String>,
        /// The plan's file (2.1.325).
        pub plan_file_path: Option<String> = "planFilePath",
        /// What the plan will need to run without asking.
        pub allowed_prompts: Option<Vec<AllowedPrompt>> = "allowedPrompts",
        /// Go on with the plan elsewhere (2.1.29 and 2.1.38, declared, not measured).
        pub push_to_remote: Option<bool> = "pushToRemote",
        /// The session elsewhere (2.1.29 and 2.1.38, declared, not measured).
        pub remote_session_id: Option<String> = "remoteSessionId",
        /// Its page (2.1.29 and 2.1.38, declared, not measured).
        pub remote_session_url: Option<String> = "remoteSessionUrl",
        /// Its title (2.1.38, declared, not measured).
        pub remote_session_title: Option<String> = "remoteSessionTitle",
        /// Carry out the plan with a team (versions before 2.1.29; not measured).
        pub launch_swarm: Option<bool> = "launchSwarm",
        /// How large that team is (versions before 2.1.29; not measured).
        pub teammate_count: Option<f64> = "teammateCount",
    }

    /// Something that a plan will need to do (declared, not measured).
    pub struct AllowedPrompt {
        /// The tool, so far always `Bash`.
        pub tool: Option<String>,
        /// What it will do, in words: `run the tests`.
        pub prompt: Option<String>,
    }

    /// The plan was approved. A refusal is an error text.
    pub struct ExitPlanModeResult {
        /// The plan; null when there is no plan file.
        pub plan: Option<String>,
        /// Was it a subagent's plan?
        pub is_agent: Option<bool> = "isAgent",
        /// The plan's file.
        pub file_path: Option<String> = "filePath",
        /// Can the session start subagents (declared, not measured)?
        pub has_task_tool: Option<bool> = "hasTaskTool",
        /// Did the user change the plan (declared, not measured)?
        pub plan_was_edited: Option<bool> = "planWasEdited",
        /// Is the team's leader still to approve it (declared, not measured)?
        pub awaiting_leader_approval: Option<bool> = "awaitingLeaderApproval",
        /// The request to the leader (declared, not measured).
        pub request_id: Option<String> = "requestId",
        /// Goes on elsewhere (2.1.29 and 2.1.38; not measured).
        pub push_to_remote: Option<bool> = "pushToRemote",
        /// Is carried out by a team (versions before 2.1.29; not measured).
        pub launch_swarm: Option<bool> = "launchSwarm",
        /// How large that team is (versions before 2.1.29; not measured).
        pub teammate_count: Option<f64> = "teammateCount",
    }
}

/// The answer to a question. Write a list for more than one choice: 2.1.325 takes `"A,B"` for free text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// One label, free text, or labels with `, ` between them.
    Text(String),
    /// Labels.
    Labels(Vec<String>),
}

impl Wire for Answer {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        match cursor.peek() {
            b'"' => Wire::read(cursor).map(Answer::Text),
            b'[' => Wire::read(cursor).map(Answer::Labels),
            _ => Err(Fault::Misfit("a string or a list of strings")),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Answer::Text(text) => text.write(out),
            Answer::Labels(labels) => labels.write(out),
        }
    }

    fn missing() -> Self {
        Answer::Text(String::new())
    }
}
