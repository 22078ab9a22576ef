//! Bindings for the agent loop.

use super::json::{JsResult, given, thrown, value};
use crate::json::Value;
use crate::toolkit::agent::{Agent, Bounds, CallEnd, Choice, Phase, Reason, Response, Step, Usage};
use crate::toolkit::{ErrorCode, Result, ToolkitError};
use crate::words::named;
use wasm_bindgen::prelude::*;

/// A run of the agent loop. Times are in milliseconds.
#[wasm_bindgen]
pub struct AgentCore(Agent);

#[wasm_bindgen]
impl AgentCore {
    /// Starts a run, or resumes it from a state.
    #[wasm_bindgen(constructor)]
    pub fn new(
        run_id: String,
        #[wasm_bindgen(unchecked_param_type = "Json<AgentBounds>")] bounds: &str,
        #[wasm_bindgen(unchecked_param_type = "Json<SavedState> | undefined")] state: Option<String>,
    ) -> JsResult<AgentCore> {
        let agent = read(bounds, ErrorCode::InvalidOptions, Bounds::from_json).and_then(|bounds| match state {
            None => Ok(Agent::new(run_id, bounds)),
            Some(state) => read(&state, ErrorCode::InvalidState, |state| Agent::resume(state, bounds)),
        });
        agent.map(Self).map_err(thrown)
    }

    /// The next step as a number: a request with the tool choice `requested` (0), `auto` (1) or `none` (2), or running the calls of the
    /// last response (3). For any other step (4), use `next`.
    pub fn advance(&mut self, now: f64) -> u32 {
        match self.0.next(now) {
            Step::Send(send) if send.repeated.is_empty() => match send.choice {
                Choice::Requested => 0,
                Choice::Auto => 1,
                Choice::None => 2,
            },
            Step::Run { cost_left: None, .. } => 3,
            _ => 4,
        }
    }

    #[wasm_bindgen(unchecked_return_type = "Json<Step>")]
    pub fn next(&mut self, now: f64) -> String {
        given(&self.0.next(now).to_json())
    }

    #[wasm_bindgen(unchecked_return_type = "Json<SavedState>")]
    pub fn state(&mut self, now: f64) -> String {
        given(&self.0.state_at(now).to_json())
    }

    #[wasm_bindgen(js_name = hasBudget)]
    pub fn has_budget(&self) -> bool {
        self.0.has_budget()
    }

    /// Whether calls are waiting for decisions or results.
    #[wasm_bindgen(js_name = isAsking)]
    pub fn is_asking(&self) -> bool {
        self.0.state().phase == Phase::Asking
    }

    #[wasm_bindgen(js_name = timeLeft)]
    pub fn time_left(&self, now: f64) -> f64 {
        self.0.time_left(now)
    }

    /// Called before another request within the same step, with the usage of the previous response. Returns whether the bounds allow it.
    #[wasm_bindgen(js_name = sendMore)]
    pub fn send_more(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Json<Pick<ResponseFacts, \"usage\">>")] response: &str,
        now: f64,
    ) -> JsResult<bool> {
        let usage = read(response, ErrorCode::InvalidOptions, Usage::from_json).map_err(thrown)?;
        Ok(self.0.send_more(usage.as_ref(), now))
    }

    pub fn responded(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Json<ResponseFacts>")] response: &str,
        now: f64,
    ) -> JsResult<()> {
        let response = read(response, ErrorCode::InvalidOptions, Response::from_json).map_err(thrown)?;
        self.0.responded(response, now);
        Ok(())
    }

    #[wasm_bindgen(js_name = sendFailed)]
    pub fn send_failed(&mut self, now: f64) {
        self.0.send_failed(None, now);
    }

    /// For a call that may run twice: if the response does not complete, the request is sent again.
    #[wasm_bindgen(js_name = callStartedEarly)]
    pub fn call_started_early(&mut self, #[wasm_bindgen(unchecked_param_type = "Json<AnyCall>")] call: &str) {
        self.0.call_started_early(value(call).unwrap_or_default());
    }

    /// Undefined without a limit.
    #[wasm_bindgen(js_name = costLeft)]
    pub fn cost_left(&self) -> Option<f64> {
        self.0.cost_left()
    }

    #[wasm_bindgen(js_name = callStarted)]
    pub fn call_started(&mut self, index: usize) {
        self.0.call_started(index);
    }

    #[wasm_bindgen(js_name = callEnded)]
    pub fn call_ended(&mut self, #[wasm_bindgen(unchecked_param_type = "Json<CallEnd>")] end: &str) -> JsResult<()> {
        self.0.call_ended(&read(end, ErrorCode::InvalidOptions, CallEnd::from_json).map_err(thrown)?);
        Ok(())
    }

    #[wasm_bindgen(js_name = turnEnded)]
    pub fn turn_ended(&mut self, now: f64) {
        self.0.turn_ended(now);
    }

    /// Ends the run.
    pub fn stop(&mut self, #[wasm_bindgen(unchecked_param_type = "EndReason")] reason: &str, now: f64) {
        self.0.stop(named(Reason::WORDS, reason).unwrap_or(Reason::Error), now);
    }

    pub fn pause(&mut self, now: f64) {
        self.0.pause(now);
    }

    pub fn unpause(&mut self, now: f64) {
        self.0.unpause(now);
    }
}

/// Parses JSON text, and reads a value from it.
fn read<T>(text: &str, code: ErrorCode, read: impl FnOnce(&Value) -> Result<T>) -> Result<T> {
    read(&value(text).map_err(|error| ToolkitError::new(code, "", error))?)
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The limits of a run. */
export interface AgentBounds {
  maxIterations?: number;
  timeoutMs?: number;
  maxRepairs?: number;
  maxRepeats?: number;
  maxUsage?: ResponseFacts["usage"];
  maxCost?: number;
  atLimit?: "stop" | "answer";
}
/** The state of a run, which `AgentState` describes. */
export interface SavedState { readonly version: 2; readonly runId: string; readonly [key: string]: any }
/** A call of the current turn and what is known of it. */
export interface LedgerCall {
  call: AnyCall;
  status: CallStatus;
  digest: string;
  idempotencyKey: string;
  starts?: number;
}
/** What the host does next. */
export type Step =
  | { type: "send"; iteration: number; timeLeftMs: number; choice: StepChoice; repeated?: string[] }
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
  allowed?: string[] | undefined;
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
