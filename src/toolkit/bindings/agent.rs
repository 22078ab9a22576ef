//! The agent loop. Calls, results and states are passed as JSON text, because they may be large or come from outside.

use super::json::{Outcome, handed, refused, thrown};
use crate::json::Value;
use crate::toolkit::agent::{Agent, Bounds, CallEnd, Phase, Reason, Response};
use crate::toolkit::{ErrorCode, Result, ToolkitError};
use wasm_bindgen::prelude::*;

/// A run of the agent loop. Times are in milliseconds.
#[wasm_bindgen]
pub struct AgentCore(Agent);

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Step")]
    pub type Step;
    #[wasm_bindgen(typescript_type = "EndReason")]
    pub type EndReason;
}

#[wasm_bindgen]
impl AgentCore {
    /// @throws `invalid_options`
    #[wasm_bindgen(constructor)]
    pub fn new(run_id: String, bounds: &str) -> Outcome<AgentCore> {
        Ok(AgentCore(Agent::new(run_id, read(bounds, ErrorCode::InvalidOptions, Bounds::from_json)?)))
    }

    /// @throws `invalid_state`, `invalid_options`
    pub fn resume(state: &str, bounds: &str) -> Outcome<AgentCore> {
        let bounds = read(bounds, ErrorCode::InvalidOptions, Bounds::from_json)?;
        read(state, ErrorCode::InvalidState, |state| Agent::resume(state, bounds)).map(AgentCore)
    }

    pub fn next(&mut self, now: f64) -> Outcome<Step> {
        Ok(handed(&self.0.next(now).to_json()).unchecked_into())
    }

    pub fn responded(&mut self, response: &str, now: f64) -> Outcome<()> {
        self.0.responded(read(response, ErrorCode::InvalidOptions, Response::from_json)?, now);
        Ok(())
    }

    #[wasm_bindgen(js_name = sendFailed)]
    pub fn send_failed(&mut self, retry_at: Option<f64>, now: f64) {
        self.0.send_failed(retry_at, now);
    }

    #[wasm_bindgen(js_name = callStarted)]
    pub fn call_started(&mut self, index: usize) {
        self.0.call_started(index);
    }

    #[wasm_bindgen(js_name = callEnded)]
    pub fn call_ended(&mut self, end: &str) -> Outcome<()> {
        self.0.call_ended(&read(end, ErrorCode::InvalidOptions, CallEnd::from_json)?);
        Ok(())
    }

    #[wasm_bindgen(js_name = turnEnded)]
    pub fn turn_ended(&mut self, now: f64) {
        self.0.turn_ended(now);
    }

    pub fn stop(&mut self, reason: &EndReason, now: f64) -> Outcome<()> {
        let reason = reason.as_string().and_then(|reason| Reason::named(&reason));
        let reason = reason.ok_or_else(|| refused("there is no such reason to end a run"))?;
        self.0.stop(reason, now);
        Ok(())
    }

    #[wasm_bindgen(js_name = hasBudget)]
    pub fn has_budget(&self) -> bool {
        self.0.has_budget()
    }

    /// Whether calls wait for decisions or results.
    #[wasm_bindgen(js_name = isAsking)]
    pub fn is_asking(&self) -> bool {
        self.0.state().phase == Phase::Asking
    }

    pub fn pause(&mut self, now: f64) {
        self.0.pause(now);
    }

    pub fn unpause(&mut self, now: f64) {
        self.0.unpause(now);
    }

    #[wasm_bindgen(js_name = timeLeft)]
    pub fn time_left(&self, now: f64) -> f64 {
        self.0.time_left(now)
    }

    /// The state as JSON text.
    pub fn state(&mut self, now: f64) -> String {
        self.0.state_at(now).to_json().to_string()
    }
}

/// A value from its JSON text.
fn read<T>(text: &str, code: ErrorCode, read: impl FnOnce(&Value) -> Result<T>) -> Outcome<T> {
    let value = crate::json::from_str(text).map_err(|error| ToolkitError::new(code, "", error.to_string()));
    value.and_then(|value| read(&value)).map_err(|error| thrown(&error))
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export type EndReason =
  | "answer" | "stopped" | "length" | "refusal" | "content_filter" | "max_iterations" | "timeout" | "cancelled" | "repeating"
  | "repairs_exhausted" | "budget" | "external" | "unapproved" | "error";
/** A call of the current turn and what is known of it. */
export interface LedgerCall {
  call: AnyCall;
  status: "new" | "started" | "ended" | "external" | "unapproved";
  digest: string;
  idempotencyKey: string;
}
/** What the host does next. */
export type Step =
  | { type: "send"; iteration: number; timeLeftMs: number; choice: "requested" | "auto" | "none"; repeated?: string[] }
  | { type: "run"; calls: LedgerCall[]; timeLeftMs: number; costLeft: number | null }
  | { type: "ask"; calls: LedgerCall[]; reason: "external" | "unapproved" }
  | { type: "wait"; until: number }
  | { type: "done"; reason: EndReason };
export interface ResponseFacts {
  finishReason: string;
  usage?: { input?: number; output?: number; total?: number; cached?: number; cacheWrite?: number; reasoning?: number };
  calls: AnyCall[];
  hasSteering: boolean;
  outputFailed: boolean;
}
export interface CallEnd {
  index: number;
  pending?: "external" | "unapproved";
  call?: AnyCall;
  errorType?: string;
  cost?: number;
  usage?: ResponseFacts["usage"];
  result?: unknown;
}
"#;
