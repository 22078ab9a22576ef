//! The transitions of the state machine.

use super::bounds::{AtLimit, Bounds, Usage};
use super::calls::{CallEnd, CallStatus, PendingCall};
use super::digest;
use super::state::{Phase, State};
use super::step::{Choice, Reason, Send, Step};
use crate::json::Value;
use crate::toolkit::error::{ErrorCode, Result};
use crate::toolkit::read::Fields;

/// A run of the agent loop. Times are in milliseconds of any monotonic clock.
#[derive(Clone, Debug)]
pub struct Agent {
    bounds: Bounds,
    state: State,
    /// The start of the current active period.
    active_since: Option<f64>,
    /// The counts of calls in this turn that have ended, by outcome.
    turn: Turn,
}

#[derive(Clone, Debug, Default)]
struct Turn {
    /// Whether the response was an error, or its calls were truncated.
    needs_repair: bool,
    /// Whether a call did not run because the budget does not cover it.
    is_beyond_budget: bool,
    results: Vec<(String, String)>,
}

/// Finish reasons of incomplete responses. Their calls may be incomplete as well.
const TRUNCATED: [&str; 3] = ["length", "content_filter", "refusal"];

/// The parts of a response that the machine requires.
#[derive(Clone, Debug, Default)]
pub struct Response {
    pub finish_reason: String,
    pub usage: Option<Usage>,
    /// All calls, valid and invalid, in the order of the response.
    pub calls: Vec<Value>,
    /// Whether messages are queued for the next request. If so, the run continues even without calls.
    pub has_steering: bool,
    /// Whether the response lacks the structured output that the caller requires. It is requested again, as a repair.
    pub output_failed: bool,
    /// The names of the tools that the request allowed, if it allowed fewer than the run.
    pub allowed: Option<Vec<String>>,
}

impl Response {
    /// Reads a response from JSON with camelCase names.
    ///
    /// # Errors
    /// `invalid_options` if a field is unknown or has the wrong type.
    pub fn from_json(value: &Value) -> Result<Response> {
        let known = ["finishReason", "usage", "calls", "hasSteering", "outputFailed", "allowed"];
        let fields = Fields::of(value, "a response", ErrorCode::InvalidOptions)?.only(&known)?;
        Ok(Response {
            finish_reason: fields.text("finishReason")?.unwrap_or_default(),
            usage: Usage::in_field(&fields, "usage")?,
            calls: fields.list("calls")?.cloned().unwrap_or_default(),
            has_steering: fields.flag("hasSteering")?.unwrap_or_default(),
            output_failed: fields.flag("outputFailed")?.unwrap_or_default(),
            allowed: fields.texts("allowed")?,
        })
    }
}

impl Agent {
    pub fn new(run_id: impl Into<String>, bounds: Bounds) -> Agent {
        Agent { bounds, state: State::new(run_id.into()), active_since: None, turn: Turn::default() }
    }

    /// Continues a run from its state. A run that ended at a bound continues if the bound has been raised.
    ///
    /// # Errors
    /// `invalid_state` if the state can't be read.
    pub fn resume(state: &Value, bounds: Bounds) -> Result<Agent> {
        let mut state = State::read(state)?;
        match state.phase {
            Phase::Ended { reason } => {
                if matches!(reason, Reason::Repeating) {
                    state.repeats.clear();
                }
                if matches!(reason, Reason::RepairsExhausted) {
                    state.repairs = 0;
                }
                state.send_again();
            }
            // Calls that started before their response was complete are idempotent, and the model makes them again.
            Phase::Sent | Phase::LastSent => state.send_again(),
            Phase::Asking => state.phase = Phase::Calling,
            Phase::Ready | Phase::Calling | Phase::Waiting { .. } => {}
        }
        Ok(Agent { bounds, state, active_since: None, turn: Turn::default() })
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state, with the active time up to `now`.
    pub fn state_at(&mut self, now: f64) -> &State {
        if self.active_since.is_some() {
            self.pause(now);
            self.active_since = Some(now);
        }
        &self.state
    }

    /// The next step. Repeated calls return the same step until an outcome is reported.
    pub fn next(&mut self, now: f64) -> Step {
        match self.state.phase {
            Phase::Ended { reason } => Step::Done { reason },
            Phase::Waiting { until } if now < until && self.time_left(now) > until - now => Step::Wait { until },
            Phase::Waiting { until } if now < until => self.end(Reason::Timeout, now),
            Phase::Ready | Phase::Waiting { .. } => self.send(now),
            Phase::Sent | Phase::LastSent => Step::Send(self.request(now)),
            Phase::Calling => self.run(now),
            Phase::Asking => self.ask(),
        }
    }

    fn send(&mut self, now: f64) -> Step {
        if let Some(reason) = self.spent(now) {
            return self.end(reason, now);
        }
        let is_over = self.state.iterations >= self.bounds.max_iterations;
        let is_last = is_over && self.bounds.at_limit == AtLimit::Answer;
        if is_over && (!is_last || self.state.iterations > self.bounds.max_iterations) {
            return self.end(Reason::MaxIterations, now);
        }
        self.state.iterations = self.state.iterations.saturating_add(1);
        self.state.phase = if is_last { Phase::LastSent } else { Phase::Sent };
        self.active_since.get_or_insert(now);
        Step::Send(self.request(now))
    }

    fn request(&self, now: f64) -> Send {
        let choice = match self.state.phase {
            Phase::LastSent => Choice::None,
            _ if self.state.choice_used => Choice::Auto,
            _ => Choice::Requested,
        };
        let repeated = self.state.repeated.clone();
        Send { iteration: self.state.iterations, time_left_ms: self.time_left(now), choice, repeated }
    }

    fn run(&mut self, now: f64) -> Step {
        self.active_since.get_or_insert(now);
        Step::Run { calls: self.state.calls.clone(), time_left_ms: self.time_left(now), cost_left: self.cost_left() }
    }

    /// The cost that further calls may have. `None` without a limit.
    pub fn cost_left(&self) -> Option<f64> {
        self.bounds.max_cost.map(|maximum| (maximum - self.state.cost).max(0.0))
    }

    fn ask(&self) -> Step {
        let waiting = |call: &&PendingCall| matches!(call.status, CallStatus::External | CallStatus::Unapproved);
        let calls: Vec<_> = self.state.calls.iter().filter(waiting).cloned().collect();
        let is_unapproved = calls.iter().any(|call| call.status == CallStatus::Unapproved);
        Step::Ask { calls, reason: if is_unapproved { Reason::Unapproved } else { Reason::External } }
    }

    /// Reports the response to the current request.
    pub fn responded(&mut self, response: Response, now: f64) {
        let Response { finish_reason, usage, calls, has_steering, output_failed, allowed } = response;
        if let Some(usage) = &usage {
            self.state.usage.add(usage);
        }
        self.state.repeated.clear();
        self.turn = Turn::default();
        let is_last = self.state.phase == Phase::LastSent;
        if !calls.is_empty() {
            self.state.choice_used = true;
            let early = std::mem::take(&mut self.state.calls);
            self.state.calls = (calls.into_iter())
                .map(|call| PendingCall::new(call, &self.state.run_id, self.state.iterations).continues(&early))
                .collect();
            self.state.allowed = allowed;
            self.state.is_truncated = TRUNCATED.contains(&finish_reason.as_str());
            self.state.phase = Phase::Calling;
        } else if is_last {
            self.end(Reason::MaxIterations, now);
        } else {
            let needs_repair = output_failed || finish_reason == "error";
            self.without_calls(&finish_reason, needs_repair, has_steering, now);
        }
    }

    fn without_calls(&mut self, finish_reason: &str, needs_repair: bool, has_steering: bool, now: f64) {
        self.state.repeats.clear();
        self.state.phase = Phase::Ready;
        match finish_reason {
            "pause" => {}
            _ if needs_repair => {
                self.turn.needs_repair = true;
                self.count_repair(now);
            }
            _ if has_steering => self.state.repairs = 0,
            "length" => _ = self.end(Reason::Length, now),
            "refusal" => _ = self.end(Reason::Refusal, now),
            "content_filter" => _ = self.end(Reason::ContentFilter, now),
            _ => _ = self.end(Reason::Answer, now),
        }
    }

    /// Whether the bounds allow another request within the same step, after a response with this usage.
    /// If not, the step ends without a result.
    pub fn send_more(&mut self, usage: Option<&Usage>, now: f64) -> bool {
        if let Some(usage) = usage {
            self.state.usage.add(usage);
        }
        let is_allowed = self.spent(now).is_none() && self.state.iterations < self.bounds.max_iterations;
        if is_allowed {
            self.state.iterations = self.state.iterations.saturating_add(1);
        } else {
            self.state.phase = Phase::Ready;
        }
        is_allowed
    }

    /// Reports that the request failed. It is repeated at `retry_at`. Without a time, the run ends.
    pub fn send_failed(&mut self, retry_at: Option<f64>, now: f64) {
        match retry_at {
            Some(until) => self.state.phase = Phase::Waiting { until },
            None => _ = self.end(Reason::Error, now),
        }
    }

    /// Records that a call is about to start. Store the state before the call takes effect.
    pub fn call_started(&mut self, index: usize) {
        if let Some(call) = self.state.calls.get_mut(index) {
            call.start();
        }
    }

    /// Records that a call is about to start before its response is complete, and returns its position. Only for calls that may run
    /// again: after a crash, the request is sent again.
    pub fn call_started_early(&mut self, call: Value) -> usize {
        let mut call = PendingCall::new(call, &self.state.run_id, self.state.iterations);
        call.start();
        self.state.calls.push(call);
        self.state.calls.len() - 1
    }

    /// Records that a call has ended or stays pending.
    pub fn call_ended(&mut self, end: &CallEnd) {
        self.state.cost += end.cost;
        if let Some(usage) = &end.usage {
            self.state.usage.add(usage);
        }
        self.turn.needs_repair |= end.is_repair();
        self.turn.is_beyond_budget |= end.is_beyond_budget();
        let Some(call) = self.state.calls.get_mut(end.index) else { return };
        call.status = end.pending.unwrap_or(CallStatus::Ended);
        if let Some(as_run) = end.call.clone().filter(|_| end.pending.is_some()) {
            call.replace(as_run);
        }
        if call.status == CallStatus::Ended {
            let key = digest::of(&[&Value::String(call.digest.clone()), &end.result]);
            self.turn.results.push((key, call.name().to_string()));
        }
    }

    /// Whether usage and cost allow another call.
    pub fn has_budget(&self) -> bool {
        !self.is_over_budget()
    }

    /// Reports that no more calls of the turn are running.
    pub fn turn_ended(&mut self, now: f64) {
        let is_waiting = |call: &PendingCall| matches!(call.status, CallStatus::External | CallStatus::Unapproved);
        if self.state.calls.iter().any(is_waiting) {
            self.pause(now);
            self.state.phase = Phase::Asking;
            return;
        }
        let was_last = self.state.iterations > self.bounds.max_iterations;
        self.state.send_again();
        if self.turn.is_beyond_budget {
            self.end(Reason::Budget, now);
        }
        self.count_repair(now);
        self.count_repeats(now);
        if was_last {
            self.end(Reason::MaxIterations, now);
        }
    }

    fn count_repair(&mut self, now: f64) {
        self.state.repairs = if self.turn.needs_repair { self.state.repairs.saturating_add(1) } else { 0 };
        if self.state.repairs > self.bounds.max_repairs {
            self.end(Reason::RepairsExhausted, now);
        }
    }

    fn count_repeats(&mut self, now: f64) {
        let mut counts: Vec<(String, u32)> = Vec::new();
        for (key, name) in std::mem::take(&mut self.turn.results) {
            let before = self.state.repeats.iter().find(|(other, _)| *other == key);
            let count = before.map_or(0, |(_, count)| *count).saturating_add(1);
            if count > 1 && !self.state.repeated.contains(&name) {
                self.state.repeated.push(name);
            }
            if !counts.iter().any(|(other, _)| *other == key) {
                counts.push((key, count));
            }
        }
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        self.state.repeats = counts;
        if most >= self.bounds.max_repeats {
            self.end(Reason::Repeating, now);
        }
    }

    /// Ends the run: `Stopped` by the caller's condition, `Cancelled`, or `Timeout`. Has no effect on a run that has ended.
    pub fn stop(&mut self, reason: Reason, now: f64) {
        self.end(reason, now);
    }

    /// Stops counting active time, for example while only people are waited for.
    pub fn pause(&mut self, now: f64) {
        if let Some(since) = self.active_since.take() {
            self.state.active_ms += (now - since).max(0.0);
        }
    }

    /// Starts counting active time again.
    pub fn unpause(&mut self, now: f64) {
        self.active_since.get_or_insert(now);
    }

    pub fn time_left(&self, now: f64) -> f64 {
        let running = self.active_since.map_or(0.0, |since| (now - since).max(0.0));
        (self.bounds.timeout_ms - self.state.active_ms - running).max(0.0)
    }

    fn spent(&self, now: f64) -> Option<Reason> {
        if self.time_left(now) <= 0.0 {
            return Some(Reason::Timeout);
        }
        self.is_over_budget().then_some(Reason::Budget)
    }

    fn is_over_budget(&self) -> bool {
        self.bounds.max_usage.as_ref().is_some_and(|maximum| self.state.usage.exceeds(maximum))
            || self.bounds.max_cost.is_some_and(|maximum| self.state.cost > maximum)
    }

    fn end(&mut self, reason: Reason, now: f64) -> Step {
        self.pause(now);
        if !matches!(self.state.phase, Phase::Ended { .. }) {
            self.state.phase = Phase::Ended { reason };
        }
        match self.state.phase {
            Phase::Ended { reason } => Step::Done { reason },
            _ => Step::Done { reason },
        }
    }
}
