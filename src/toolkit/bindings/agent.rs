//! The agent loop. Calls, results and states are passed as JSON text, because they may be large or come from outside.

use crate::toolkit::agent::{Agent, Bounds, CallEnd, InvalidState, Phase, Reason, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
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

type Outcome<T> = Result<T, JsValue>;

#[wasm_bindgen]
impl AgentCore {
    /// @throws `invalid_options`
    #[wasm_bindgen(constructor)]
    pub fn new(run_id: String, bounds: &str) -> Outcome<AgentCore> {
        Ok(AgentCore(Agent::new(run_id, parsed::<Bounds>(bounds, "invalid_options")?)))
    }

    /// @throws `invalid_state`, `invalid_options`
    pub fn resume(state: &str, bounds: &str) -> Outcome<AgentCore> {
        let state = parsed::<Value>(state, "invalid_state")?;
        let bounds = parsed::<Bounds>(bounds, "invalid_options")?;
        let agent = Agent::resume(state, bounds).map_err(|error| invalid_state(&error))?;
        Ok(AgentCore(agent))
    }

    pub fn next(&mut self, now: f64) -> Outcome<Step> {
        let step =
            serde_json::to_string(&self.0.next(now)).map_err(|error| failure("internal", "", &error.to_string()))?;
        Ok(js_sys::JSON::parse(&step)?.unchecked_into())
    }

    pub fn responded(&mut self, response: &str, now: f64) -> Outcome<()> {
        self.0.responded(parsed::<Response>(response, "invalid_options")?, now);
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
        self.0.call_ended(&parsed::<CallEnd>(end, "invalid_options")?);
        Ok(())
    }

    #[wasm_bindgen(js_name = turnEnded)]
    pub fn turn_ended(&mut self, now: f64) {
        self.0.turn_ended(now);
    }

    pub fn stop(&mut self, reason: &EndReason, now: f64) -> Outcome<()> {
        let reason = json!(reason.as_string());
        let reason = Reason::deserialize(reason).map_err(|error| failure("invalid_options", "", &error.to_string()))?;
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
    pub fn state(&mut self, now: f64) -> Outcome<String> {
        serde_json::to_string(self.0.state_at(now)).map_err(|error| failure("internal", "", &error.to_string()))
    }
}

/// By way of a value: one deserializer for all types is smaller than one for each.
fn parsed<T: DeserializeOwned>(text: &str, code: &str) -> Outcome<T> {
    let value: Result<Value, _> = serde_json::from_str(text);
    value.and_then(serde_json::from_value).map_err(|error| failure(code, "", &error.to_string()))
}

fn invalid_state(error: &InvalidState) -> JsValue {
    failure("invalid_state", &error.path, &error.message)
}

fn failure(code: &str, path: &str, message: &str) -> JsValue {
    let text = json!({ "code": code, "path": path, "message": message }).to_string();
    js_sys::JSON::parse(&text).unwrap_or_else(|error| error)
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
