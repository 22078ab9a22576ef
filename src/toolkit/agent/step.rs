//! What the host does next.

use super::calls::PendingCall;
use serde::{Deserialize, Serialize};

/// The next step of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Step {
    /// Send a request to the model, then call [`Agent::responded`](super::Agent::responded) or
    /// [`Agent::send_failed`](super::Agent::send_failed).
    Send(Send),
    /// Run these calls, report each with [`Agent::call_ended`](super::Agent::call_ended), then call
    /// [`Agent::turn_ended`](super::Agent::turn_ended).
    #[serde(rename_all = "camelCase")]
    Run {
        calls: Vec<PendingCall>,
        time_left_ms: f64,
        cost_left: Option<f64>,
    },
    /// These calls need a person or the caller: a decision (`unapproved`) or a result (`external`). The run can be resumed from its state.
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

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Send {
    /// 1 for the first request.
    pub iteration: u32,
    /// The request must end within this time.
    pub time_left_ms: f64,
    pub choice: Choice,
    /// Calls that had the same result as in the turn before, by name. The model must be informed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<String>,
}

/// The tool choice of the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    /// As the caller requested.
    Requested,
    /// A forced tool choice falls back to `auto` once it led to a call.
    Auto,
    /// The model must respond in words.
    None,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Answer,
    Stopped,
    Length,
    Refusal,
    ContentFilter,
    MaxIterations,
    Timeout,
    Cancelled,
    Repeating,
    RepairsExhausted,
    Budget,
    External,
    Unapproved,
    Error,
}
