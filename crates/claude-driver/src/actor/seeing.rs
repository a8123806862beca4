//! What a line of the CLI does to the session, before any consumer sees it: control before data.

use std::collections::HashMap;

use claude_protocol::control::{PendingRequest, Response};
use claude_protocol::{FromCli, System};
use tokio::sync::oneshot;

use super::asks::Asks;
use crate::answer::Answer;
use crate::costs::Costs;
use crate::error::Error;
use crate::requests::Requests;
use crate::session::Shared;
use crate::turn::Settler;
use crate::turns::{Step, Turns};

/// What a line of the CLI touches.
pub(super) struct Seeing<'a> {
    pub(super) turns: &'a mut Turns<u64>,
    pub(super) settlers: &'a mut HashMap<u64, Settler>,
    pub(super) requests: &'a mut Requests<oneshot::Sender<Response>>,
    pub(super) asks: &'a mut Asks,
    pub(super) costs: &'a mut Costs,
    pub(super) shared: &'a Shared,
    pub(super) last_error: &'a mut Option<String>,
    pub(super) waiting_for_stop: &'a mut Vec<oneshot::Sender<()>>,
}

impl Seeing<'_> {
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
}

/// Acts on a line before anyone sees it.
pub(super) fn see(seeing: &mut Seeing<'_>, message: &FromCli, number: u64) {
    match message {
        FromCli::StreamEvent(_) => return,
        FromCli::ControlResponse(response) => {
            seeing.open_pending(response);
            if let Some(reply) = seeing.requests.answered(response) {
                // Whoever asked may have given up.
                let _ = reply.send((**response).clone());
            }
        }
        FromCli::ControlRequest(request) => seeing.asks.open(request.reply_to(), request.request.clone()),
        FromCli::CallbackRequest(request) => seeing.asks.open_callback(request),
        FromCli::ControlCancel(cancel) => seeing.asks.withdraw(&cancel.request_id),
        FromCli::ConversationReset(_) => seeing.costs.reset(),
        FromCli::System(System::Init(init)) => seeing.shared.began(init),
        _ => {}
    }
    for step in seeing.turns.see(message) {
        match step {
            Step::Begins(turn) => {
                if let Some(settler) = seeing.settlers.get(&turn) {
                    settler.begin(number);
                }
            }
            Step::Cancelled(turn) => {
                if let Some(settler) = seeing.settlers.remove(&turn) {
                    settler.fail(Error::Cancelled);
                }
            }
            Step::Ends { turns, interrupted } => {
                let FromCli::Result(result) = message else { continue };
                // Whatever ran has stopped, also if the CLI goes on with a prompt that waited there.
                seeing.waiting_for_stop.clear();
                let cost = seeing.costs.take(result);
                let answer = Answer::new((**result).clone(), cost, interrupted);
                *seeing.last_error = result.failed().then(|| answer.text.clone());
                for turn in turns {
                    if let Some(settler) = seeing.settlers.remove(&turn) {
                        settler.settle(number, answer.clone().checked());
                    }
                }
            }
        }
    }
}
