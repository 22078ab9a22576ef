//! The limits of a run.

use crate::json::Value;
use crate::toolkit::error::{ErrorCode, Result};
use crate::toolkit::read::{Fields, object};

/// The limits of a run. They apply to the whole run, including parts before a [resume](super::Agent::resume).
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Maximum number of requests.
    pub max_iterations: u32,
    /// Maximum active time in milliseconds. Time spent waiting for people does not count.
    pub timeout_ms: f64,
    /// Maximum number of consecutive turns whose calls could not run.
    pub max_repairs: u32,
    /// The run ends if the same call has the same result in this many consecutive turns.
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

impl Bounds {
    /// Reads bounds from JSON with camelCase names.
    ///
    /// # Errors
    /// `invalid_options` if a field is unknown or has the wrong type.
    pub fn from_json(value: &Value) -> Result<Bounds> {
        let fields = Fields::of(value, "bounds", ErrorCode::InvalidOptions)?.only(&[
            "maxIterations",
            "timeoutMs",
            "maxRepairs",
            "maxRepeats",
            "maxUsage",
            "maxCost",
            "atLimit",
        ])?;
        let all = Bounds::default();
        Ok(Bounds {
            max_iterations: fields.count("maxIterations")?.unwrap_or(all.max_iterations),
            timeout_ms: fields.number("timeoutMs")?.unwrap_or(all.timeout_ms),
            max_repairs: fields.count("maxRepairs")?.unwrap_or(all.max_repairs),
            max_repeats: fields.count("maxRepeats")?.unwrap_or(all.max_repeats),
            max_usage: Usage::in_field(&fields, "maxUsage")?,
            max_cost: fields.number("maxCost")?,
            at_limit: fields.word("atLimit", &AT_LIMIT)?.unwrap_or(all.at_limit),
        })
    }
}

const AT_LIMIT: [(&str, AtLimit); 2] = [("stop", AtLimit::Stop), ("answer", AtLimit::Answer)];

/// What happens when `max_iterations` is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtLimit {
    /// The run ends.
    #[default]
    Stop,
    /// The model gets one more request without tool calls, so that the run ends with a text response.
    Answer,
}

/// Token counts. Fields that no response reported are absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    pub input: Option<f64>,
    pub output: Option<f64>,
    pub total: Option<f64>,
    pub cached: Option<f64>,
    pub cache_write: Option<f64>,
    pub reasoning: Option<f64>,
}

impl Usage {
    /// Reads usage from the field `usage` of an object.
    ///
    /// # Errors
    /// `invalid_options` if a count is not a number.
    pub fn from_json(value: &Value) -> Result<Option<Usage>> {
        Self::in_field(&Fields::of(value, "a response", ErrorCode::InvalidOptions)?.only(&["usage"])?, "usage")
    }

    pub(super) fn in_field(fields: &Fields, name: &str) -> Result<Option<Usage>> {
        let Some(fields) = fields.fields(name)? else { return Ok(None) };
        let usage = || -> Result<Usage> {
            Ok(Usage {
                input: fields.number("input")?,
                output: fields.number("output")?,
                total: fields.number("total")?,
                cached: fields.number("cached")?,
                cache_write: fields.number("cacheWrite")?,
                reasoning: fields.number("reasoning")?,
            })
        };
        usage().map(Some).map_err(|error| error.below(&format!("/{name}")))
    }

    pub(super) fn to_json(&self) -> Value {
        let counts = [
            ("input", self.input),
            ("output", self.output),
            ("total", self.total),
            ("cached", self.cached),
            ("cacheWrite", self.cache_write),
            ("reasoning", self.reasoning),
        ];
        object(counts.map(|(name, count)| (name, count.map(Value::from))))
    }

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

    /// Whether any count exceeds its maximum.
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
