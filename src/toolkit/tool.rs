//! The definition of a tool.

use super::error::{ErrorCode, Result, ToolkitError};
use super::parameters;
use super::read::Fields;
use crate::json::{Map, Value};
#[cfg(not(target_arch = "wasm32"))]
use serde::{Deserialize, Serialize};

/// A tool: what models are shown of it, and how its use is restricted. Its implementation stays with the caller.
///
/// ```
/// use serde_json::json;
/// use toolwire::toolkit::Tool;
///
/// let tool = Tool::new("get_weather")
///     .description("Returns the current weather of a city.")
///     .parameters(json!({
///         "type": "object",
///         "properties": { "city": { "type": "string" } },
///         "required": ["city"],
///     }));
/// assert_eq!(tool.name, "get_weather");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(not(target_arch = "wasm32"), serde(rename_all = "camelCase", default))]
pub struct Tool {
    /// Letters, digits and `_ - . : /`, at most 128. All providers accept letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// A human-readable title.
    pub title: Option<String>,
    pub description: Option<String>,
    pub strict: Option<bool>,
    /// A JSON Schema, or an array of parameter definitions. If absent, the tool has no arguments, and any are accepted.
    pub parameters: Option<Value>,
    /// The JSON Schema of the result.
    pub output_schema: Option<Value>,
    pub input_examples: Option<Vec<Value>>,
    pub metadata: Option<Map<String, Value>>,
    pub category: Option<String>,
    pub version: Option<String>,
    /// Whether [`definitions`](super::Registry::definitions) omits the tool unless the filter includes it.
    pub dangerous: bool,
    /// In any unit that the caller chooses.
    pub cost_per_use: f64,
    pub rate_limit: Option<RateLimit>,
}

/// How often a tool may be called per session and agent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(not(target_arch = "wasm32"), serde(untagged))]
pub enum RateLimit {
    /// Below 100: at least 60/n seconds between two calls. 100 or more: no limit.
    PerMinute(f64),
    /// At most `calls` calls in any window of `per_ms` milliseconds.
    #[cfg_attr(not(target_arch = "wasm32"), serde(rename_all = "camelCase"))]
    Window { calls: u32, per_ms: f64 },
}

impl RateLimit {
    fn from_json(value: &Value) -> Result<Self> {
        if let Some(calls) = value.as_f64() {
            return Ok(Self::PerMinute(calls));
        }
        let calls = value.get("calls").and_then(Value::as_u64).and_then(|calls| u32::try_from(calls).ok());
        let per_ms = value.get("perMs").and_then(Value::as_f64);
        let limit = calls.zip(per_ms).map(|(calls, per_ms)| Self::Window { calls, per_ms });
        let message = "`rateLimit` must be a number of calls per minute, or `{ calls, perMs }`";
        limit.ok_or_else(|| ToolkitError::new(ErrorCode::InvalidOptions, "/rateLimit", message))
    }
}

/// Maximum number of calls per window. Each call in a window is stored.
const MAX_CALLS: u32 = 10_000;
/// Maximum length of a tool name.
const MAX_NAME: usize = 128;

impl Tool {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A tool whose parameters are the JSON Schema of a Rust type.
    ///
    /// ```
    /// # use toolwire::toolkit::Tool;
    /// #[derive(schemars::JsonSchema, serde::Deserialize)]
    /// struct Args {
    ///     /// The name of a city.
    ///     city: String,
    /// }
    /// let tool = Tool::of::<Args>("get_weather");
    /// assert_eq!(tool.parameters.unwrap()["required"], serde_json::json!(["city"]));
    /// ```
    #[cfg(feature = "schemars")]
    pub fn of<Args: schemars::JsonSchema>(name: impl Into<String>) -> Self {
        Self::new(name).parameters(schemars::schema_for!(Args).to_value())
    }

    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    #[must_use]
    pub fn parameters(mut self, schema: Value) -> Self {
        self.parameters = Some(schema);
        self
    }

    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    #[must_use]
    pub fn dangerous(mut self) -> Self {
        self.dangerous = true;
        self
    }

    #[must_use]
    pub fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.rate_limit = Some(limit);
        self
    }

    /// Reads a tool from JSON with camelCase names. Unknown fields are ignored.
    ///
    /// # Errors
    /// `invalid_options` if a field has the wrong type.
    pub fn from_json(value: &Value) -> Result<Self> {
        let fields = Fields::of(value, "a tool", ErrorCode::InvalidOptions)?;
        Ok(Self {
            name: fields.text("name")?.unwrap_or_default(),
            title: fields.text("title")?,
            description: fields.text("description")?,
            strict: fields.flag("strict")?,
            parameters: fields.value("parameters").cloned(),
            output_schema: fields.value("outputSchema").cloned(),
            input_examples: fields.list("inputExamples")?.cloned(),
            metadata: fields.object("metadata")?.cloned(),
            category: fields.text("category")?,
            version: fields.text("version")?,
            dangerous: fields.flag("dangerous")?.unwrap_or(false),
            cost_per_use: fields.number("costPerUse")?.unwrap_or(0.0),
            rate_limit: fields.value("rateLimit").map(RateLimit::from_json).transpose()?,
        })
    }

    /// The JSON Schema of the arguments, if any.
    pub(crate) fn schema(&self) -> Result<Option<Value>> {
        match &self.parameters {
            Some(definitions @ Value::Array(_)) => parameters::parameters_schema(definitions).map(Some),
            schema => Ok(schema.clone()),
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let letters = self.name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.:/".contains(letter));
        if self.name.is_empty() || self.name.len() > MAX_NAME || !letters {
            let message = format!(
                "{:?} can't be the name of a tool. Use letters, digits, `_` and `-`, at most 64 for all providers",
                self.name
            );
            return Err(ToolkitError::new(ErrorCode::InvalidName, "/name", message));
        }
        let wrong = |path: &str, message: &str| Err(ToolkitError::new(ErrorCode::InvalidOptions, path, message));
        if !self.cost_per_use.is_finite() || self.cost_per_use < 0.0 {
            return wrong("/costPerUse", "`costPerUse` must be a number that is not negative");
        }
        match self.rate_limit {
            Some(RateLimit::PerMinute(calls)) if calls.is_nan() || calls <= 0.0 => {
                wrong("/rateLimit", "`rateLimit` must be greater than 0 calls per minute")
            }
            Some(RateLimit::Window { calls, per_ms })
                if !(1..=MAX_CALLS).contains(&calls) || per_ms.is_nan() || per_ms <= 0.0 =>
            {
                wrong(
                    "/rateLimit",
                    "`rateLimit` must allow 1 to 10000 `calls`, `perMs` milliseconds that are more than 0",
                )
            }
            _ => Ok(()),
        }
    }
}
