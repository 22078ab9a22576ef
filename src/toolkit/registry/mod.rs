//! The registry of tools.

mod filter;
mod lint;
mod lint_schema;
mod lookup;
mod relevance;
mod words;

use super::error::{ErrorCode, Result, ToolkitError};
use super::limits::{Caller, Limits};
use super::problem::Problem;
use super::schema::{CheckOptions, Schema, SchemaOptions};
use super::tool::Tool;
use crate::json::{Map, Value};
use crate::table::Table;
pub use filter::ToolFilter;
pub use lint::Lint;
pub(super) use lookup::{find, unknown};
use relevance::Index;
#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;

/// A registered tool.
#[derive(Debug)]
pub(super) struct Entry {
    pub tool: Tool,
    /// The JSON Schema of the arguments.
    pub parameters: Option<Value>,
    pub schema: Option<Schema>,
    output: Option<Schema>,
    index: Index,
}

/// The part of a tool that a model is shown: an entry of a request's `tools`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinition {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "JsonSchema"))]
    pub parameters: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub strict: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "Record<string, unknown>[]"))]
    pub input_examples: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "Record<string, unknown>"))]
    pub metadata: Option<Map<String, Value>>,
}

/// The options for checking calls. Everything is on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistryOptions {
    /// If the arguments are invalid, converts them to what the schema requires.
    pub coerce: bool,
    /// Moves out-of-range numbers to the nearest bound.
    pub clamp: bool,
    /// Repairs arguments that are not JSON if the repair is unambiguous.
    pub repair_json: bool,
}

impl Default for RegistryOptions {
    fn default() -> Self {
        Self { coerce: true, clamp: true, repair_json: true }
    }
}

/// A registry of tools with their schemas and rate limits.
///
/// ```
/// use serde_json::json;
/// use toolwire::toolkit::{Call, Registry, RegistryOptions, Tool};
///
/// let mut tools = Registry::new(RegistryOptions::default());
/// tools.register(Tool::new("wait").parameters(json!([{ "name": "seconds", "type": "integer", "maxValue": 60 }])), false)?;
///
/// let checked = tools.check(Call::new("call_1", "wait", json!({ "seconds": "90" })));
/// assert!(checked.problems.is_empty());
/// assert_eq!(checked.call.arguments, *json!({ "seconds": 60 }).as_object().unwrap());
/// assert_eq!(checked.changes.len(), 2);
/// # Ok::<(), toolwire::toolkit::ToolkitError>(())
/// ```
#[derive(Debug, Default)]
pub struct Registry {
    pub(super) options: RegistryOptions,
    pub(super) entries: Table<String, Entry>,
    limits: Limits,
}

impl Registry {
    pub fn new(options: RegistryOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Adds a tool, or replaces the tool with the same name.
    ///
    /// # Errors
    /// `duplicate_tool` if the name is taken and `replace` is false, `invalid_name`, `invalid_schema`,
    /// `invalid_options`.
    pub fn register(&mut self, tool: Tool, replace: bool) -> Result<()> {
        tool.check()?;
        if !replace && self.entries.contains_key(&tool.name) {
            let message = format!(
                "a tool with the name {:?} is already registered. Rename it, or register it with `override`",
                tool.name
            );
            return Err(ToolkitError::new(ErrorCode::DuplicateTool, "/name", message));
        }
        let parameters = tool.schema().map_err(|error| inside("/parameters", error))?;
        let compiled = |schema: &Option<Value>, path: &str| {
            let compiled = schema.as_ref().map(|schema| Schema::new(schema, &SchemaOptions::default()));
            compiled.transpose().map_err(|error| inside(path, error))
        };
        let entry = Entry {
            schema: compiled(&parameters, "/parameters")?,
            output: compiled(&tool.output_schema, "/outputSchema")?,
            index: Index::new(&tool, parameters.as_ref()),
            parameters,
            tool,
        };
        self.entries.insert(entry.tool.name.clone(), entry);
        Ok(())
    }

    /// Removes a tool. Returns whether it was registered.
    pub fn unregister(&mut self, name: &str) -> bool {
        self.limits.forget(name);
        self.entries.shift_remove(name).is_some()
    }

    /// The tool with exactly this name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.entries.get(name).map(|entry| &entry.tool)
    }

    fn selected(&self, filter: &ToolFilter) -> Vec<&Entry> {
        let allowed: Vec<&Entry> = self.entries.values().filter(|entry| filter.allows(&entry.tool)).collect();
        let Some(text) = &filter.relevant_to else { return allowed };
        let indexes: Vec<&Index> = allowed.iter().map(|entry| &entry.index).collect();
        let places = relevance::best(&indexes, text, filter.limit);
        places.into_iter().filter_map(|place| allowed.get(place).copied()).collect()
    }

    /// The names of the selected tools in the order of registration, or by relevance if `relevant_to` is set.
    pub fn names(&self, filter: &ToolFilter) -> Vec<&str> {
        self.selected(filter).into_iter().map(|entry| entry.tool.name.as_str()).collect()
    }

    /// All categories, in order of first occurrence.
    pub fn categories(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for category in self.entries.values().filter_map(|entry| entry.tool.category.as_deref()) {
            if !all.contains(&category) {
                all.push(category);
            }
        }
        all
    }

    /// The tool definitions for a request's `tools`.
    pub fn definitions(&self, filter: &ToolFilter) -> Vec<ToolDefinition> {
        let definition = |entry: &Entry| {
            let tool = entry.tool.clone();
            ToolDefinition {
                name: tool.name,
                description: tool.description,
                parameters: entry.parameters.clone(),
                strict: tool.strict,
                input_examples: tool.input_examples,
                metadata: tool.metadata,
            }
        };
        self.selected(filter).into_iter().map(definition).collect()
    }

    /// Whether a filter allows a registered tool to run, which means that [`definitions`](Self::definitions) contains it.
    pub fn allows(&self, name: &str, filter: &ToolFilter) -> bool {
        match &filter.relevant_to {
            None => self.get(name).is_some_and(|tool| filter.allows(tool)),
            Some(_) => self.names(filter).contains(&name),
        }
    }

    /// Reports tool definitions that are likely to cause failures of models or providers.
    pub fn lint(&self) -> Vec<Lint> {
        lint::lint(self.entries.values())
    }

    /// Checks a result against the tool's output schema, without changing it.
    pub fn check_output(&self, name: &str, value: &Value) -> Vec<Problem> {
        let Some(schema) = self.entries.get(name).and_then(|entry| entry.output.as_ref()) else { return Vec::new() };
        schema.check(value.clone(), CheckOptions::NONE).problems
    }

    /// Counts one attempt of a call towards the tool's rate limit if it is allowed. Otherwise, returns the milliseconds to wait.
    pub fn reserve(&mut self, name: &str, caller: &Caller, now: f64) -> std::result::Result<(), f64> {
        match self.get(name).and_then(|tool| tool.rate_limit) {
            Some(limit) => self.limits.reserve(name, limit, caller, now),
            None => Ok(()),
        }
    }

    /// The milliseconds until a call is allowed, or 0 if it is allowed now. Does not count the call.
    pub fn wait(&self, name: &str, caller: &Caller, now: f64) -> f64 {
        self.get(name).and_then(|tool| tool.rate_limit).map_or(0.0, |limit| self.limits.wait(name, limit, caller, now))
    }

    /// The calls counted towards rate limits, as plain JSON.
    pub fn rate_limits(&self) -> Value {
        self.limits.save()
    }

    /// Restores a state that [`rate_limits`](Self::rate_limits) returned.
    ///
    /// # Errors
    /// `invalid_state` if the version is unknown or the state is malformed.
    pub fn restore_rate_limits(&mut self, state: &Value) -> Result<()> {
        self.limits = Limits::restore(state)?;
        Ok(())
    }
}

/// Prefixes the path of an error.
fn inside(path: &str, error: ToolkitError) -> ToolkitError {
    ToolkitError { path: format!("{path}{}", error.path), ..error }
}
