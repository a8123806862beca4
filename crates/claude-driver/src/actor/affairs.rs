//! What a line of the CLI does to the session, before any consumer sees it: control before data.

use std::collections::HashMap;
use std::sync::Arc;

use claude_protocol::control::{PendingRequest, Response};
use claude_protocol::{FromCli, System, Uuid};
use tokio::sync::oneshot;

use super::asks::Asks;
use crate::answer::Answer;
use crate::costs::Costs;
use crate::error::Error;
use crate::requests::Requests;
use crate::session::Shared;
use crate::turn::Settler;
use crate::turns::{Step, Turns};

/// What is open between the host and the CLI, and what a line of the CLI settles.
pub(super) struct Affairs {
    pub(super) turns: Turns<u64>,
    pub(super) settlers: HashMap<u64, Settler>,
    last_turn: u64,
    pub(super) requests: Requests<oneshot::Sender<Response>>,
    pub(super) asks: Asks,
    pub(super) waiting_for_stop: Vec<oneshot::Sender<()>>,
    /// What the last result said, if it was an error.
    pub(super) last_error: Option<String>,
    costs: Costs,
    shared: Arc<Shared>,
}

impl Affairs {
    pub(super) fn new(asks: Asks, shared: Arc<Shared>) -> Self {
        Affairs {
            turns: Turns::new(),
            settlers: HashMap::new(),
            last_turn: 0,
            requests: Requests::new(),
            asks,
            waiting_for_stop: Vec::new(),
            last_error: None,
            costs: Costs::default(),
            shared,
        }
    }

    /// A prompt goes out.
    pub(super) fn sent(&mut self, uuid: Uuid, is_command: bool, settler: Settler) {
        self.last_turn += 1;
        self.turns.sent(uuid, is_command, self.last_turn);
        self.settlers.insert(self.last_turn, settler);
    }

    /// Acts on a line before anyone sees it.
    pub(super) fn see(&mut self, message: &FromCli, number: u64) {
        match message {
            FromCli::ControlResponse(response) => {
                self.open_pending(response);
                if let Some(reply) = self.requests.answered(response) {
                    // Whoever asked may have given up.
                    let _ = reply.send((**response).clone());
                }
            }
            FromCli::ControlRequest(request) => self.asks.open(request.reply_to(), request.request.clone()),
            FromCli::CallbackRequest(request) => self.asks.open_callback(request),
            FromCli::ControlCancel(cancel) => self.asks.withdraw(&cancel.request_id),
            FromCli::ConversationReset(_) => self.costs.reset(),
            FromCli::System(System::Init(init)) => self.shared.began(init),
            _ => {}
        }
        for step in self.turns.see(message) {
            self.step(step, message, number);
        }
    }

    /// Tells those whose turn it is.
    fn step(&mut self, step: Step<u64>, message: &FromCli, number: u64) {
        match step {
            Step::Begins(turn) => {
                if let Some(settler) = self.settlers.get(&turn) {
                    settler.begin(number);
                }
            }
            Step::Cancelled(turn) => {
                if let Some(settler) = self.settlers.remove(&turn) {
                    settler.fail(Error::Cancelled);
                }
            }
            Step::Ends { turns, interrupted } => {
                let FromCli::Result(result) = message else { return };
                // Whatever ran has stopped, also if the CLI goes on with a prompt that waited there.
                self.waiting_for_stop.clear();
                let cost = self.costs.take(result);
                let answer = Answer::new((**result).clone(), cost, interrupted);
                self.last_error = result.failed().then(|| answer.text.clone());
                for turn in turns {
                    if let Some(settler) = self.settlers.remove(&turn) {
                        settler.settle(number, answer.clone().checked());
                    }
                }
            }
        }
    }

    /// Questions that were open before we came are ours to answer now.
    fn open_pending(&mut self, response: &Response) {
        let reply = &response.response;
        let lists = [
            &reply.pending_permission_requests,
            &reply.pending_user_dialog_requests,
            &reply.pending_elicitation_requests,
        ];
        for pending in lists.into_iter().flatten().flatten() {
            if let PendingRequest::Request(request) = pending {
                self.asks.open(request.reply_to(), request.request.clone());
            }
        }
    }

    /// The session is over: whoever waits is told so.
    pub(super) fn abandon(&mut self) {
        self.turns.abandon();
        self.settlers.clear();
        self.requests.abandon();
        self.waiting_for_stop.clear();
    }
}
