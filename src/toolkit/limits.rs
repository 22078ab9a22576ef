//! Rate limits per tool, session and agent. The current time is an argument.

use super::error::{ErrorCode, Result, ToolkitError};
use super::read::Fields;
use super::tool::RateLimit;
use crate::json::{Value, json};
use crate::table::Table;
use std::collections::VecDeque;

/// Maximum number of tracked combinations of tool, session and agent. Beyond it, the least recently used ones are dropped.
const MAX_KEYS: usize = 10_000;
/// From this number of calls per minute on, calls are not limited.
const UNLIMITED: f64 = 100.0;
const MINUTE: f64 = 60_000.0;

/// The caller of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caller {
    pub session: Option<String>,
    pub agent: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Key {
    tool: String,
    caller: Caller,
}

impl Key {
    /// A unique key of the caller.
    fn text(&self) -> String {
        let Self { tool, caller: Caller { session, agent } } = self;
        json!([tool, session, agent]).to_string()
    }
}

/// The recent calls of one key, at most as many as its limit requires.
#[derive(Clone, Debug, Default, PartialEq)]
struct Recent {
    key: Key,
    times: VecDeque<f64>,
    /// How long the calls are relevant, in milliseconds.
    span: f64,
}

/// The calls that were counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Ordered by last use. The most recently used key is last.
    keys: Table<String, Recent>,
}

/// Converts a limit to a number of calls and a window in milliseconds.
fn window(limit: RateLimit) -> Option<(usize, f64)> {
    match limit {
        RateLimit::PerMinute(calls) if calls < UNLIMITED => Some((1, MINUTE / calls)),
        RateLimit::PerMinute(_) => None,
        RateLimit::Window { calls, per_ms } => Some((usize::try_from(calls).unwrap_or(usize::MAX), per_ms)),
    }
}

impl Limits {
    /// The milliseconds until a call is allowed, or 0 if it is allowed now. Does not count the call.
    pub fn wait(&self, tool: &str, limit: RateLimit, caller: &Caller, now: f64) -> f64 {
        let Some((calls, span)) = window(limit) else { return 0.0 };
        let key = Key { tool: tool.to_string(), caller: caller.clone() };
        let Some(recent) = self.keys.get(&key.text()) else { return 0.0 };
        // The oldest of the last `calls` calls must have left the window.
        let oldest = recent.times.len().checked_sub(calls).and_then(|index| recent.times.get(index));
        oldest.map_or(0.0, |time| (time + span - now).max(0.0).min(span))
    }

    /// Counts a call if it is allowed. Otherwise, returns the milliseconds to wait.
    pub fn reserve(&mut self, tool: &str, limit: RateLimit, caller: &Caller, now: f64) -> std::result::Result<(), f64> {
        let wait = self.wait(tool, limit, caller, now);
        if wait > 0.0 {
            return Err(wait);
        }
        let Some((calls, span)) = window(limit) else { return Ok(()) };
        let key = Key { tool: tool.to_string(), caller: caller.clone() };
        let text = key.text();
        let mut recent = self.keys.shift_remove(&text).unwrap_or_default();
        recent.key = key;
        recent.span = span;
        recent.times.push_back(now);
        while recent.times.len() > calls {
            recent.times.pop_front();
        }
        self.make_room(now);
        self.keys.insert(text, recent);
        Ok(())
    }

    fn make_room(&mut self, now: f64) {
        if self.keys.len() < MAX_KEYS {
            return;
        }
        self.keys.retain(|_, recent| recent.times.back().is_some_and(|time| time + recent.span > now));
        if self.keys.len() >= MAX_KEYS {
            // Remove several keys at once, because each removal moves all others.
            let gone = std::cell::Cell::new(MAX_KEYS / 10);
            self.keys.retain(|_, _| gone.replace(gone.get().saturating_sub(1)) == 0);
        }
    }

    /// Drops the recorded calls of a tool.
    pub fn forget(&mut self, tool: &str) {
        self.keys.retain(|_, recent| recent.key.tool != tool);
    }

    /// The state as plain JSON.
    pub fn save(&self) -> Value {
        let keys = self.keys.values().map(|recent| {
            let times: Vec<f64> = recent.times.iter().copied().collect();
            let Key { tool, caller: Caller { session, agent } } = &recent.key;
            json!({ "tool": tool, "session": session, "agent": agent, "times": times, "span": recent.span })
        });
        let keys: Vec<Value> = keys.collect();
        json!({ "version": 1, "keys": keys })
    }

    /// Restores a state that [`save`](Self::save) returned.
    ///
    /// # Errors
    /// `invalid_state` if the version is unknown or the state is malformed.
    pub fn restore(state: &Value) -> Result<Self> {
        let fields = Fields::of(state, "a state of rate limits", ErrorCode::InvalidState)?;
        if fields.number("version")? != Some(1.0) {
            return fields.wrong("version", "1: states of other versions can't be restored");
        }
        let keys = fields.list("keys")?;
        let keys =
            keys.ok_or_else(|| ToolkitError::new(ErrorCode::InvalidState, "/keys", "`keys` must be an array"))?;
        let skipped = keys.len().saturating_sub(MAX_KEYS);
        let keys: Option<Table<String, Recent>> = keys.iter().skip(skipped).map(restored).collect();
        let keys = keys.map_or_else(|| fields.wrong("keys", "an array of saved keys"), Ok)?;
        Ok(Self { keys })
    }
}

fn restored(saved: &Value) -> Option<(String, Recent)> {
    let text = |name: &str| saved.get(name).and_then(Value::as_str).map(str::to_string);
    let caller = Caller { session: text("session"), agent: text("agent") };
    let times: Option<VecDeque<f64>> = saved.get("times")?.as_array()?.iter().map(Value::as_f64).collect();
    let key = Key { tool: text("tool")?, caller };
    Some((key.text(), Recent { key, times: times?, span: saved.get("span")?.as_f64()? }))
}
