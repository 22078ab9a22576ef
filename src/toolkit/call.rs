//! Checks the calls that a model made.

use super::problem::{Change, ChangeKind, Problem, ProblemCode};
use super::registry::{Entry, Registry, ToolFilter, find, unknown};
use super::repair_json::{RepairOptions, repair_json, with_digits};
use super::schema::{CheckOptions, Checked};
use crate::json::{Map, Value};
use crate::text_errors::{CUT, MISMATCH, UNDECLARED};
#[cfg(not(target_arch = "wasm32"))]
use serde::{Deserialize, Serialize};

/// A call, as the model made it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Deserialize))]
#[cfg_attr(not(target_arch = "wasm32"), serde(rename_all = "camelCase"))]
pub struct Call {
    pub id: String,
    pub name: String,
    /// A missing or null value means no arguments.
    #[cfg_attr(not(target_arch = "wasm32"), serde(default))]
    pub arguments: Value,
    /// The raw text of the arguments, in place of `arguments`, if they are not a JSON object.
    #[cfg_attr(not(target_arch = "wasm32"), serde(default))]
    pub raw_arguments: Option<String>,
    /// Why the raw text is not a call's arguments: the error of the invalid call.
    #[cfg_attr(not(target_arch = "wasm32"), serde(default))]
    pub error: Option<String>,
}

impl Call {
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: Value) -> Self {
        Self { id: id.into(), name: name.into(), arguments, raw_arguments: None, error: None }
    }

    /// A call whose arguments are JSON text, as most providers send them.
    pub fn with_text(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        let raw_arguments = Some(arguments.into());
        Self { id: id.into(), name: name.into(), arguments: Value::Null, raw_arguments, error: None }
    }
}

/// A call with the arguments that it would run with.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct ReadyCall {
    pub id: String,
    /// The registered name of the tool, if the tool exists.
    pub name: String,
    pub arguments: Map<String, Value>,
}

/// The result of checking a call.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct CheckedCall {
    pub call: ReadyCall,
    /// Empty if the call may run.
    pub problems: Vec<Problem>,
    /// The changes made by defaults, coercion, clamping and repair.
    pub changes: Vec<Change>,
}

impl Registry {
    /// Finds the tool and parses the arguments, with repair if necessary. Does not validate them against the schema.
    pub fn find(&self, call: Call) -> CheckedCall {
        self.found(call).0
    }

    /// Finds the tool, parses the arguments and checks them.
    pub fn check(&self, call: Call) -> CheckedCall {
        let (mut checked, entry) = self.found(call);
        if let Some(entry) = entry.filter(|_| checked.problems.is_empty()) {
            let arguments = Value::Object(std::mem::take(&mut checked.call.arguments));
            let Checked { value, problems, changes } = self.check_entry(entry, arguments);
            checked.problems = problems;
            checked.changes.extend(changes);
            if let Value::Object(arguments) = value {
                checked.call.arguments = arguments;
            }
        }
        checked
    }

    /// Checks arguments for a registered tool. Arguments for an unknown tool are not checked.
    pub fn check_arguments(&self, name: &str, arguments: Value) -> Checked {
        match self.entries.get(name) {
            Some(entry) => self.check_entry(entry, arguments),
            None => Checked { value: arguments, problems: Vec::new(), changes: Vec::new() },
        }
    }

    fn check_entry(&self, entry: &Entry, arguments: Value) -> Checked {
        let options =
            CheckOptions { coerce: self.options.coerce, clamp: self.options.clamp, ..CheckOptions::default() };
        match &entry.schema {
            Some(schema) => schema.check(arguments, options),
            None => Checked { value: arguments, problems: Vec::new(), changes: Vec::new() },
        }
    }

    fn found(&self, call: Call) -> (CheckedCall, Option<&Entry>) {
        let Call { id, name, arguments, raw_arguments, error } = call;
        let error = error.filter(|error| raw_arguments.as_deref().is_some_and(|text| is_of_text(text, error)));
        let mut checked = CheckedCall {
            call: ReadyCall { id, name, arguments: Map::new() },
            problems: Vec::new(),
            changes: Vec::new(),
        };
        let Some(entry) = self.entry(&mut checked) else {
            if let Value::Object(arguments) = arguments {
                checked.call.arguments = arguments;
            }
            let problem = self.unknown_tool(&checked.call.name, &ToolFilter::default());
            checked.problems.push(in_its_format(problem, error));
            return (checked, None);
        };
        match self.arguments(arguments, raw_arguments, entry, &mut checked.changes) {
            Ok(arguments) => checked.call.arguments = arguments,
            Err(problem) => checked.problems.push(in_its_format(problem, error)),
        }
        (checked, Some(entry))
    }

    /// The problem of a call of a tool that does not exist. It lists the tools that a filter selects.
    pub fn unknown_tool(&self, name: &str, shown: &ToolFilter) -> Problem {
        problem(ProblemCode::UnknownTool, unknown(name, &self.names(shown)))
    }

    /// Finds the tool of a call. If the call uses a variant of the name, it is renamed.
    fn entry(&self, checked: &mut CheckedCall) -> Option<&Entry> {
        if let Some(entry) = self.entries.get(&checked.call.name) {
            return Some(entry);
        }
        let names: Vec<&str> = self.entries.keys().map(String::as_str).collect();
        let name = find(&checked.call.name, &names)?;
        let from = std::mem::replace(&mut checked.call.name, name.to_string());
        checked.changes.push(Change {
            kind: ChangeKind::Renamed,
            path: String::new(),
            from: Some(from.into()),
            to: Some(name.into()),
        });
        self.entries.get(name)
    }

    /// Parses the arguments to an object.
    fn arguments(
        &self,
        arguments: Value,
        raw: Option<String>,
        entry: &Entry,
        changes: &mut Vec<Change>,
    ) -> Result<Map<String, Value>, Problem> {
        let is_raw = raw.is_some();
        let text = match (raw, arguments) {
            (Some(text), _) | (None, Value::String(text)) => text,
            (None, Value::Object(arguments)) => return Ok(arguments),
            (None, Value::Null) => return Ok(Map::new()),
            (None, other) => return Err(not_an_object(&other)),
        };
        let text = text.trim();
        if matches!(text, "" | "null") {
            return Ok(Map::new());
        }
        if is_markup(text) {
            return Err(not_json(&format!("they are text that {MISMATCH}"), entry));
        }
        let error = match crate::json::from_str(text) {
            Ok(Value::Object(arguments)) if is_raw && is_call(&arguments, entry) => return Err(whole_call(entry)),
            Ok(Value::Object(arguments)) => {
                let schema = entry.schema.as_ref().filter(|_| self.options.coerce);
                let Some(exact) = schema.and_then(|schema| with_digits(text, schema)) else { return Ok(arguments) };
                changes.push(Change {
                    kind: ChangeKind::Coerced,
                    path: String::new(),
                    from: Some(Value::Object(arguments)),
                    to: Some(Value::Object(exact.clone())),
                });
                return Ok(exact);
            }
            Ok(Value::String(_)) if self.options.repair_json => "the object is wrapped in a string".to_string(),
            Ok(other) => return Err(not_an_object(&other)),
            Err(error) => error.to_string(),
        };
        let schema = entry.schema.as_ref();
        match self.options.repair_json.then(|| repair_json(text, &RepairOptions { schema, object: true })) {
            Some(Ok(repaired)) if repaired.is_cut => Err(truncated()),
            Some(Ok(repaired)) if repaired.is_ambiguous => Err(ambiguous(entry)),
            Some(Ok(repaired)) => match repaired.value() {
                Value::Object(arguments) if is_raw && is_call(&arguments, entry) => Err(whole_call(entry)),
                Value::Object(arguments) if repaired.others.is_empty() => {
                    changes.push(Change {
                        kind: ChangeKind::Repaired,
                        path: String::new(),
                        from: Some(text.into()),
                        to: Some(Value::Object(arguments.clone())),
                    });
                    Ok(arguments)
                }
                _ => Err(not_json(&error, entry)),
            },
            _ => Err(not_json(&error, entry)),
        }
    }
}

/// Whether a text is the markup of a text format that could not be read. No repair makes it arguments.
fn is_markup(text: &str) -> bool {
    text.starts_with(['<', ']', ','])
        || text.starts_with("call:")
        || text.strip_prefix('[').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

/// Whether an invalid call was written in a text format that is not JSON, so that its error says what is wrong.
fn is_of_text(text: &str, error: &str) -> bool {
    let text = text.trim();
    is_markup(text) || !text.starts_with('{') && (error == CUT || error.contains(MISMATCH))
}

/// The problem of a call that was written as text: why the text is no call, instead of what is wrong with it as JSON.
fn in_its_format(problem: Problem, error: Option<String>) -> Problem {
    let message = match (problem.code, error) {
        (ProblemCode::InvalidJson, Some(error)) => format!("{error}. Make the call again in that format."),
        (ProblemCode::UnknownTool, Some(error)) if error != UNDECLARED => format!("{error}; {}", problem.message),
        _ => return problem,
    };
    Problem { message, ..problem }
}

/// The keys of the name in calls that are JSON objects.
const NAME_KEYS: [&str; 4] = ["name", "function", "tool", "tool_name"];

/// Whether an object is a whole call whose arguments were not found: it has the name of the tool, which is no parameter, and an object.
fn is_call(object: &Map<String, Value>, entry: &Entry) -> bool {
    let properties = entry.parameters.as_ref().and_then(|schema| schema.get("properties"));
    let is_declared = |key: &str| properties.is_some_and(|properties| properties.get(key).is_some());
    let states_name = |key: &&str| {
        !is_declared(key) && object.get(*key).and_then(Value::as_str).is_some_and(|name| name == entry.tool.name)
    };
    NAME_KEYS.iter().any(states_name) && object.values().any(Value::is_object)
}

fn problem(code: ProblemCode, message: String) -> Problem {
    Problem { code, path: String::new(), message, schema_path: None }
}

fn not_an_object(value: &Value) -> Problem {
    let kind = match value {
        Value::Array(_) => "an array",
        Value::String(_) => "a string",
        Value::Number(_) => "a number",
        _ => "a boolean",
    };
    let message =
        format!("the arguments must be a JSON object, received {kind}. Pass an object with one field per parameter.");
    problem(ProblemCode::WrongType, message)
}

/// Maximum length of a schema in a message.
const MAX_SCHEMA: usize = 4000;

/// The problem of arguments that can't be parsed. It includes the whole schema, because no specific field can be named.
fn not_json(error: &str, entry: &Entry) -> Problem {
    let schema = entry.parameters.as_ref().map(ToString::to_string).filter(|schema| schema.len() <= MAX_SCHEMA);
    let schema = schema.map(|schema| format!(" that follows this JSON Schema: {schema}")).unwrap_or_default();
    let message = format!("the arguments are not valid JSON: {error}. Send them again as one JSON object{schema}.");
    problem(ProblemCode::InvalidJson, message)
}

/// The problem of a call in place of its arguments.
fn whole_call(entry: &Entry) -> Problem {
    not_json("they are a whole call, with its name", entry)
}

/// The problem of arguments in which it is not clear where a string ends.
fn ambiguous(entry: &Entry) -> Problem {
    let reason = "it is not clear where a string ends, because quotes inside of it are not escaped: write them as \\\"";
    not_json(reason, entry)
}

fn truncated() -> Problem {
    let message = "the arguments end in the middle of a value. Send the call again, with shorter arguments if they were too long.";
    problem(ProblemCode::Truncated, message.to_string())
}
