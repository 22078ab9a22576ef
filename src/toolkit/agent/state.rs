//! The state of a run: small plain JSON without the conversation.

use super::bounds::Usage;
use super::calls::PendingCall;
use super::step::Reason;
use crate::json::Value;
use crate::toolkit::error::{ErrorCode, Result, ToolkitError};
use crate::toolkit::read::{Fields, object};
use crate::words::word_of;

/// The version that is written. [`State::read`] converts older versions.
const VERSION: u32 = 2;
/// The oldest version that can be read. Version 2 added fields that may be absent.
const OLDEST: u32 = 1;

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub version: u32,
    pub run_id: String,
    pub phase: Phase,
    /// The number of requests sent.
    pub iterations: u32,
    /// Total active time, in milliseconds.
    pub active_ms: f64,
    /// The number of consecutive turns whose calls could not run.
    pub repairs: u32,
    pub usage: Usage,
    pub cost: f64,
    /// Whether a forced tool choice has already led to a call.
    pub choice_used: bool,
    /// Digests of the previous turn's calls with their results, and the number of consecutive turns with the same digest.
    pub repeats: Vec<(String, u32)>,
    /// Names of the calls that the next request reports as repeated.
    pub repeated: Vec<String>,
    /// The calls of the current turn.
    pub calls: Vec<PendingCall>,
    /// The names of the tools that the request of these calls allowed, if it allowed fewer than the run.
    pub allowed: Option<Vec<String>>,
    /// Whether the response was cut off, so that its calls must not run.
    pub is_truncated: bool,
    /// The runs of calls that are agents, by call id: for each, its state and its messages. Written as it was read.
    pub children: Option<Value>,
    /// Messages for the next request. Written as they were read.
    pub steering: Option<Value>,
}

/// The current phase of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    /// The next request can be sent.
    Ready,
    /// A request was sent. Its response is unknown.
    Sent,
    /// The final request, which must not lead to calls, was sent.
    LastSent,
    /// The calls of a response are running.
    Calling,
    /// Calls are waiting for decisions or results.
    Asking,
    /// The next request is sent at this time.
    Waiting {
        until: f64,
    },
    Ended {
        reason: Reason,
    },
}

const PHASES: [(&str, Phase); 5] = [
    ("ready", Phase::Ready),
    ("sent", Phase::Sent),
    ("lastSent", Phase::LastSent),
    ("calling", Phase::Calling),
    ("asking", Phase::Asking),
];

impl Phase {
    fn from_json(fields: &Fields) -> Result<Phase> {
        match fields.text("type")?.as_deref() {
            Some("waiting") => Ok(Phase::Waiting { until: fields.required("until", fields.number("until")?)? }),
            Some("ended") => {
                Ok(Phase::Ended { reason: fields.required("reason", fields.word("reason", Reason::WORDS)?)? })
            }
            _ => fields.required("type", fields.word("type", &PHASES)?),
        }
    }

    fn to_json(self) -> Value {
        let typed = |name: &str| ("type", Some(Value::from(name)));
        match self {
            Phase::Waiting { until } => object([typed("waiting"), ("until", Some(until.into()))]),
            Phase::Ended { reason } => {
                object([typed("ended"), ("reason", Some(word_of(Reason::WORDS, &reason).into()))])
            }
            other => object([("type", Some(word_of(&PHASES, &other).into()))]),
        }
    }
}

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
            repeats: Vec::new(),
            repeated: Vec::new(),
            calls: Vec::new(),
            allowed: None,
            is_truncated: false,
            children: None,
            steering: None,
        }
    }

    /// Forgets the calls of the turn. The next step is a request.
    pub(super) fn send_again(&mut self) {
        self.phase = Phase::Ready;
        self.calls.clear();
        self.allowed = None;
        self.is_truncated = false;
    }

    /// Reads a state of this or an older version.
    ///
    /// # Errors
    /// `invalid_state` for unknown versions, unknown keys, and calls that don't match their digest.
    pub fn read(value: &Value) -> Result<State> {
        let fields = Fields::of(value, "a state", ErrorCode::InvalidState)?;
        let version = fields.count("version")?;
        if !version.is_some_and(|version| (OLDEST..=VERSION).contains(&version)) {
            let found = version.map_or_else(|| "no version".to_string(), |version| format!("version {version}"));
            let message = format!("expected a state of version {OLDEST} to {VERSION}, received {found}");
            return Err(ToolkitError::new(ErrorCode::InvalidState, "/version", message));
        }
        let fields = fields.only(&KEYS)?;
        let phase = fields.required("phase", fields.fields("phase")?)?;
        Ok(State {
            version: VERSION,
            run_id: fields.required("runId", fields.text("runId")?)?,
            phase: Phase::from_json(&phase).map_err(|error| error.below("/phase"))?,
            iterations: fields.required("iterations", fields.count("iterations")?)?,
            active_ms: fields.required("activeMs", fields.number("activeMs")?)?,
            repairs: fields.required("repairs", fields.count("repairs")?)?,
            usage: fields.required("usage", Usage::in_field(&fields, "usage")?)?,
            cost: fields.required("cost", fields.number("cost")?)?,
            choice_used: fields.required("choiceUsed", fields.flag("choiceUsed")?)?,
            repeats: repeats(&fields)?,
            repeated: fields.texts("repeated")?.unwrap_or_default(),
            calls: calls(&fields)?,
            allowed: fields.texts("allowed")?,
            is_truncated: fields.flag("isTruncated")?.unwrap_or_default(),
            children: fields.value("children").cloned(),
            steering: fields.value("steering").cloned(),
        })
    }

    /// The state as JSON with camelCase names.
    pub fn to_json(&self) -> Value {
        let repeats = self.repeats.iter().map(|(key, count)| (key.clone(), Value::from(*count)));
        object([
            ("version", Some(self.version.into())),
            ("runId", Some(self.run_id.as_str().into())),
            ("phase", Some(self.phase.to_json())),
            ("iterations", Some(self.iterations.into())),
            ("activeMs", Some(self.active_ms.into())),
            ("repairs", Some(self.repairs.into())),
            ("usage", Some(self.usage.to_json())),
            ("cost", Some(self.cost.into())),
            ("choiceUsed", Some(self.choice_used.into())),
            ("repeats", Some(Value::Object(repeats.collect()))),
            ("repeated", (!self.repeated.is_empty()).then(|| self.repeated.clone().into())),
            ("calls", Some(PendingCall::list(&self.calls))),
            ("allowed", self.allowed.clone().map(Value::from)),
            ("isTruncated", self.is_truncated.then(|| true.into())),
            ("children", self.children.clone()),
            ("steering", self.steering.clone()),
        ])
    }
}

const KEYS: [&str; 16] = [
    "version",
    "runId",
    "phase",
    "iterations",
    "activeMs",
    "repairs",
    "usage",
    "cost",
    "choiceUsed",
    "repeats",
    "repeated",
    "calls",
    "allowed",
    "isTruncated",
    "children",
    "steering",
];

fn repeats(fields: &Fields) -> Result<Vec<(String, u32)>> {
    let saved = fields.required("repeats", fields.object("repeats")?)?;
    let counts = fields.required("repeats", fields.fields("repeats")?)?;
    let mut repeats = Vec::new();
    for key in saved.keys() {
        let count = counts.count(key).and_then(|count| counts.required(key, count));
        repeats.push((key.clone(), count.map_err(|error| error.below("/repeats"))?));
    }
    Ok(repeats)
}

fn calls(fields: &Fields) -> Result<Vec<PendingCall>> {
    let saved = fields.required("calls", fields.list("calls")?)?;
    let mut calls = Vec::new();
    for (index, call) in saved.iter().enumerate() {
        let call = PendingCall::from_json(call).map_err(|error| error.below(&format!("/calls/{index}")))?;
        if !call.is_intact() {
            let message = "the arguments are not those that the state was made for";
            let path = format!("/calls/{index}/call/arguments");
            return Err(ToolkitError::new(ErrorCode::InvalidState, path, message));
        }
        calls.push(call);
    }
    Ok(calls)
}
