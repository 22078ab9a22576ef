//! What limits a run.

use serde::{Deserialize, Serialize};

/// The bounds of a run. They apply to the run as a whole, also across [`Agent::resume`](super::Agent::resume).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Bounds {
    /// Maximum number of requests.
    pub max_iterations: u32,
    /// Maximum active time in milliseconds. Waiting for people does not count.
    pub timeout_ms: f64,
    /// Maximum number of consecutive turns whose calls could not run.
    pub max_repairs: u32,
    /// The run ends when the same call has had the same result in this many consecutive turns.
    pub max_repeats: u32,
    pub max_usage: Option<Usage>,
    pub max_cost: Option<f64>,
    pub at_limit: AtLimit,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            max_iterations: 5,
            timeout_ms: 30_000.0,
            max_repairs: 2,
            max_repeats: 3,
            max_usage: None,
            max_cost: None,
            at_limit: AtLimit::Stop,
        }
    }
}

/// What happens at `max_iterations`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AtLimit {
    /// The run ends.
    #[default]
    Stop,
    /// One more request without calls, so that there is a response in words.
    Answer,
}

/// Token counts. Fields that no response reported are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<f64>,
}

impl Usage {
    pub fn add(&mut self, other: &Usage) {
        let Usage { input, output, total, cached, cache_write, reasoning } = other;
        let pairs = [
            (&mut self.input, input),
            (&mut self.output, output),
            (&mut self.total, total),
            (&mut self.cached, cached),
            (&mut self.cache_write, cache_write),
            (&mut self.reasoning, reasoning),
        ];
        for (sum, more) in pairs {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or(0.0) + more);
            }
        }
    }

    /// Whether any count is above the given maximum.
    pub fn exceeds(&self, maximum: &Usage) -> bool {
        let above = |count: Option<f64>, limit: Option<f64>| matches!((count, limit), (Some(count), Some(limit)) if count > limit);
        above(self.input, maximum.input)
            || above(self.output, maximum.output)
            || above(self.total.or(self.sum()), maximum.total)
            || above(self.cached, maximum.cached)
            || above(self.cache_write, maximum.cache_write)
            || above(self.reasoning, maximum.reasoning)
    }

    fn sum(&self) -> Option<f64> {
        match (self.input, self.output) {
            (None, None) => None,
            (input, output) => Some(input.unwrap_or(0.0) + output.unwrap_or(0.0)),
        }
    }
}
