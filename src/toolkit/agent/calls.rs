//! The ledger of a run: the calls of the current turn and their status.

use super::bounds::Usage;
use super::digest;
use crate::json::Value;
use crate::toolkit::error::{ErrorCode, Result};
use crate::toolkit::read::{Fields, object};
use crate::words::{word_of, words};

/// A call of the current turn, with its status.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingCall {
    /// The call as the model made it: a `ToolCall` or an `InvalidToolCall`.
    pub call: Value,
    pub status: CallStatus,
    /// Digest of name and arguments.
    pub digest: String,
    /// Identical for every attempt of this call, including attempts after a crash.
    pub idempotency_key: String,
    /// How often the call was started. A decision applies to one start.
    pub starts: u32,
}

words! {
    /// The status of a call.
    pub enum CallStatus as "CallStatus" {
        /// Not started.
        New "new",
        /// Started. If a run is resumed in this status, it is unknown whether the call had an effect.
        Started "started",
        /// Has a result.
        Ended "ended",
        /// Waiting for a result from the caller.
        External "external",
        /// Waiting for a decision.
        Unapproved "unapproved",
    }
}

/// How a call ended.
#[derive(Clone, Debug, Default)]
pub struct CallEnd {
    /// Position of the call in its turn.
    pub index: usize,
    /// The status of a call that stays pending: `external` or `unapproved`. `None` if the call has ended.
    pub pending: Option<CallStatus>,
    /// For a pending call, the call with the arguments that it would run with.
    pub call: Option<Value>,
    /// The type of the error result, if the call failed.
    pub error_type: Option<String>,
    pub cost: f64,
    pub usage: Option<Usage>,
    /// The content of the result that the model receives. Used only to detect repetition.
    pub result: Value,
}

/// Error types that are caused by the model's own mistake. The turn counts as a repair.
const REPAIRS: [&str; 4] = ["unknown_tool", "invalid_arguments", "truncated", "not_allowed"];

impl CallEnd {
    /// Reads the end of a call from JSON with camelCase names.
    ///
    /// # Errors
    /// `invalid_options` if a field is unknown or has the wrong type.
    pub fn from_json(value: &Value) -> Result<CallEnd> {
        let known = ["index", "pending", "call", "errorType", "cost", "usage", "result"];
        let fields = Fields::of(value, "the end of a call", ErrorCode::InvalidOptions)?.only(&known)?;
        Ok(CallEnd {
            index: fields.count("index")?.unwrap_or_default() as usize,
            pending: fields.word("pending", CallStatus::WORDS)?,
            call: fields.value("call").cloned(),
            error_type: fields.text("errorType")?,
            cost: fields.number("cost")?.unwrap_or_default(),
            usage: Usage::in_field(&fields, "usage")?,
            result: fields.value("result").cloned().unwrap_or_default(),
        })
    }

    /// Whether the call did not run because the budget of the run does not cover it.
    pub(super) fn is_beyond_budget(&self) -> bool {
        self.error_type.as_deref() == Some("budget_exceeded")
    }

    pub fn is_repair(&self) -> bool {
        self.error_type.as_deref().is_some_and(|error| REPAIRS.contains(&error))
    }
}

impl PendingCall {
    pub fn new(call: Value, run_id: &str, iteration: u32) -> PendingCall {
        let digest = digest::of(&[name_of(&call), arguments_of(&call)]);
        let idempotency_key = format!("{run_id}:{iteration}:{}", short_id(&call));
        PendingCall { call, status: CallStatus::New, digest, idempotency_key, starts: 0 }
    }

    /// Continues a call that started before its response was complete.
    pub(super) fn continues(mut self, started: &[PendingCall]) -> PendingCall {
        let is_same =
            |other: &&PendingCall| other.idempotency_key == self.idempotency_key && other.digest == self.digest;
        if let Some(other) = started.iter().find(is_same) {
            self.status = other.status;
            self.starts = other.starts;
        }
        self
    }

    pub(super) fn start(&mut self) {
        self.status = CallStatus::Started;
        self.starts = self.starts.saturating_add(1);
    }

    pub(super) fn from_json(value: &Value) -> Result<PendingCall> {
        let known = ["call", "status", "digest", "idempotencyKey", "starts"];
        let fields = Fields::of(value, "a call", ErrorCode::InvalidState)?.only(&known)?;
        Ok(PendingCall {
            call: fields.required("call", fields.value("call").cloned())?,
            status: fields.required("status", fields.word("status", CallStatus::WORDS)?)?,
            digest: fields.required("digest", fields.text("digest")?)?,
            idempotency_key: fields.required("idempotencyKey", fields.text("idempotencyKey")?)?,
            starts: fields.count("starts")?.unwrap_or_default(),
        })
    }

    pub(super) fn to_json(&self) -> Value {
        object([
            ("call", Some(self.call.clone())),
            ("status", Some(word_of(CallStatus::WORDS, &self.status).into())),
            ("digest", Some(self.digest.as_str().into())),
            ("idempotencyKey", Some(self.idempotency_key.as_str().into())),
            ("starts", (self.starts > 0).then(|| self.starts.into())),
        ])
    }

    pub(super) fn list(calls: &[PendingCall]) -> Value {
        calls.iter().map(PendingCall::to_json).collect()
    }

    /// Replaces the call by the form in which it would run, which is the one that is approved.
    pub fn replace(&mut self, call: Value) {
        self.digest = digest::of(&[name_of(&call), arguments_of(&call)]);
        self.call = call;
    }

    /// Whether the digest matches the call. Detects states that were edited by hand.
    pub fn is_intact(&self) -> bool {
        self.digest == digest::of(&[name_of(&self.call), arguments_of(&self.call)])
    }

    pub fn name(&self) -> &str {
        name_of(&self.call).as_str().unwrap_or_default()
    }
}

/// The id of a call as a part of a key, which services limit to short ASCII text. Ids are unique within a response.
fn short_id(call: &Value) -> String {
    let id = call.get("id").unwrap_or(&Value::Null);
    let is_plain =
        |id: &&str| id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    id.as_str().filter(is_plain).map_or_else(|| digest::of(&[id]), str::to_string)
}

fn name_of(call: &Value) -> &Value {
    call.get("name").unwrap_or(&Value::Null)
}

fn arguments_of(call: &Value) -> &Value {
    call.get("arguments").or_else(|| call.get("rawArguments")).unwrap_or(&Value::Null)
}
