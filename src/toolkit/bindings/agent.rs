//! Bindings for the agent loop.

use super::json::{JsResult, given, thrown, unknown, value};
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
    /// Starts a run, or resumes it if the state is not empty.
    #[wasm_bindgen(constructor)]
    pub fn new(run_id: String, state: &str, bounds: &str) -> JsResult<AgentCore> {
        let agent = read(bounds, ErrorCode::InvalidOptions, Bounds::from_json).and_then(|bounds| {
            if state.is_empty() {
                return Ok(Agent::new(run_id, bounds));
            }
            read(state, ErrorCode::InvalidState, |state| Agent::resume(state, bounds))
        });
        agent.map(Self).map_err(thrown)
    }

    /// The next step as a number: a request with the tool choice `requested` (0), `auto` (1) or `none` (2), or running the calls of the
    /// last response (3). For any other step (4), use the operation `next`.
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

    /// Performs one operation. `input` and the result are JSON text.
    pub fn call(&mut self, operation: &str, input: &str, now: f64) -> JsResult<String> {
        self.performed(operation, input, now).map_err(thrown)
    }
}

impl AgentCore {
    fn performed(&mut self, operation: &str, input: &str, now: f64) -> Result<String> {
        let agent = &mut self.0;
        match operation {
            "next" => return Ok(given(&agent.next(now).to_json())),
            "state" => return Ok(given(&agent.state_at(now).to_json())),
            "hasBudget" => return Ok(given(&agent.has_budget())),
            // Whether calls are waiting for decisions or results.
            "isAsking" => return Ok(given(&(agent.state().phase == Phase::Asking))),
            "timeLeft" => return Ok(given(&agent.time_left(now))),
            // Called before another request within the same step, with the `{usage}` of the previous response.
            "sendMore" => {
                let usage = read(input, ErrorCode::InvalidOptions, Usage::from_json)?;
                return Ok(given(&agent.send_more(usage.as_ref(), now)));
            }
            "responded" => agent.responded(read(input, ErrorCode::InvalidOptions, Response::from_json)?, now),
            "sendFailed" => agent.send_failed(None, now),
            "callStartedEarly" => _ = agent.call_started_early(value(input).unwrap_or_default()),
            "costLeft" => return Ok(given(&agent.cost_left())),
            "callStarted" => agent.call_started(input.parse().unwrap_or(usize::MAX)),
            "callEnded" => agent.call_ended(&read(input, ErrorCode::InvalidOptions, CallEnd::from_json)?),
            "turnEnded" => agent.turn_ended(now),
            "stop" => {
                let none = || ToolkitError::new(ErrorCode::InvalidOptions, "", "there is no such reason to end a run");
                agent.stop(named(Reason::WORDS, input).ok_or_else(none)?, now);
            }
            "pause" => agent.pause(now),
            "unpause" => agent.unpause(now),
            _ => return Err(unknown(operation)),
        }
        Ok(String::new())
    }
}

/// Parses JSON text, and reads a value from it.
fn read<T>(text: &str, code: ErrorCode, read: impl FnOnce(&Value) -> Result<T>) -> Result<T> {
    read(&value(text).map_err(|error| ToolkitError::new(code, "", error))?)
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
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
