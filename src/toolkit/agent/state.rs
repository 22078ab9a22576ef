//! The state of a run: plain JSON, small, without the conversation.

use super::bounds::Usage;
use super::calls::PendingCall;
use super::step::Reason;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// The version that this code writes. Older versions are converted by [`State::read`].
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct State {
    pub version: u32,
    pub run_id: String,
    pub phase: Phase,
    /// Requests sent.
    pub iterations: u32,
    /// Active time so far, in milliseconds.
    pub active_ms: f64,
    /// Consecutive turns whose calls could not run.
    pub repairs: u32,
    pub usage: Usage,
    pub cost: f64,
    /// Whether a forced tool choice has led to a call.
    pub choice_used: bool,
    /// Digests of the calls of the previous turn with their results → in how many consecutive turns they occurred.
    pub repeats: BTreeMap<String, u32>,
    /// Names of calls that the next request reports as repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<String>,
    /// The calls of the current turn.
    pub calls: Vec<PendingCall>,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub enum Phase {
    /// The next request can be sent.
    Ready,
    /// A request was sent; its response is unknown.
    Sent,
    /// The last request, which must not lead to calls, was sent.
    LastSent,
    /// The calls of a response are running.
    Calling,
    /// Calls wait for decisions or results.
    Asking,
    /// The next request is sent at this time.
    Waiting {
        until: f64,
    },
    Ended {
        reason: Reason,
    },
}

/// A state that can't be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidState {
    /// JSON Pointer into the state.
    pub path: String,
    pub message: String,
}

impl fmt::Display for InvalidState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for InvalidState {}

impl State {
    pub fn new(run_id: String) -> State {
        State {
            version: VERSION,
            run_id,
            phase: Phase::Ready,
            iterations: 0,
            active_ms: 0.0,
            repairs: 0,
            usage: Usage::default(),
            cost: 0.0,
            choice_used: false,
            repeats: BTreeMap::new(),
            repeated: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// Reads a state of this or an older version. Unknown versions and unknown keys are errors.
    pub fn read(value: Value) -> Result<State, InvalidState> {
        let version = value.get("version").and_then(Value::as_u64);
        if version != Some(u64::from(VERSION)) {
            let found = version.map_or_else(|| "no version".to_string(), |version| format!("version {version}"));
            return Err(invalid("/version", format!("expected a state of version {VERSION}, received {found}")));
        }
        let state: State = serde_json::from_value(value).map_err(|error| invalid("", error.to_string()))?;
        match state.calls.iter().position(|call| !call.is_intact()) {
            Some(index) => {
                let message = "the arguments are not those that the state was made for".to_string();
                Err(invalid(&format!("/calls/{index}/call/arguments"), message))
            }
            None => Ok(state),
        }
    }
}

fn invalid(path: &str, message: String) -> InvalidState {
    InvalidState { path: path.to_string(), message }
}
