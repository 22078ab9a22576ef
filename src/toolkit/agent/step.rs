//! The steps that the host performs.

use super::calls::PendingCall;
use crate::json::Value;
use crate::toolkit::read::object;
use crate::words::{word_of, words};

/// The next step of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Send a request to the model, then call [`Agent::responded`](super::Agent::responded) or
    /// [`Agent::send_failed`](super::Agent::send_failed).
    Send(Send),
    /// Run these calls, report each with [`Agent::call_ended`](super::Agent::call_ended), then call
    /// [`Agent::turn_ended`](super::Agent::turn_ended).
    Run {
        calls: Vec<PendingCall>,
        time_left_ms: f64,
        cost_left: Option<f64>,
    },
    /// These calls require a decision (`unapproved`) or a result from the caller (`external`). The run can be resumed from its state.
    Ask {
        calls: Vec<PendingCall>,
        reason: Reason,
    },
    /// Wait until this time before the next request.
    Wait {
        until: f64,
    },
    Done {
        reason: Reason,
    },
}

impl Step {
    /// The step as JSON with camelCase names and a `type`.
    pub fn to_json(&self) -> Value {
        let typed = |name: &str| ("type", Some(Value::from(name)));
        match self {
            Step::Send(send) => object([
                typed("send"),
                ("iteration", Some(send.iteration.into())),
                ("timeLeftMs", Some(send.time_left_ms.into())),
                ("choice", Some(word_of(Choice::WORDS, &send.choice).into())),
                ("repeated", (!send.repeated.is_empty()).then(|| send.repeated.clone().into())),
            ]),
            Step::Run { calls, time_left_ms, cost_left } => object([
                typed("run"),
                ("calls", Some(PendingCall::list(calls))),
                ("timeLeftMs", Some((*time_left_ms).into())),
                ("costLeft", Some((*cost_left).into())),
            ]),
            Step::Ask { calls, reason } => object([
                typed("ask"),
                ("calls", Some(PendingCall::list(calls))),
                ("reason", Some(word_of(Reason::WORDS, reason).into())),
            ]),
            Step::Wait { until } => object([typed("wait"), ("until", Some((*until).into()))]),
            Step::Done { reason } => object([typed("done"), ("reason", Some(word_of(Reason::WORDS, reason).into()))]),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    /// 1 for the first request.
    pub iteration: u32,
    /// The time that is left for the request.
    pub time_left_ms: f64,
    pub choice: Choice,
    /// The names of calls that had the same result as in the previous turn. The model must be informed.
    pub repeated: Vec<String>,
}

words! {
    /// The tool choice of the next request.
    pub enum Choice as "StepChoice" {
        /// The choice that the caller requested.
        Requested "requested",
        /// `auto`, because a forced tool choice has already led to a call.
        Auto "auto",
        /// No calls: the model must respond with text.
        None "none",
    }
}

words! {
    /// Why a run ended.
    pub enum Reason as "EndReason" {
        Answer "answer",
        Stopped "stopped",
        Length "length",
        Refusal "refusal",
        ContentFilter "content_filter",
        MaxIterations "max_iterations",
        Timeout "timeout",
        Cancelled "cancelled",
        Repeating "repeating",
        RepairsExhausted "repairs_exhausted",
        Budget "budget",
        External "external",
        Unapproved "unapproved",
        Error "error",
    }
}
