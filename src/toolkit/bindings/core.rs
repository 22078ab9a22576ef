//! Bindings for the registry, the checks and the rate limits of one toolkit.

use super::json::{JsResult, given, options_of, thrown, value};
use crate::json::{ToJson, Value, json};
use crate::toolkit::read::{Fields, object};
use crate::toolkit::{
    Call, Caller, CheckedCall, ErrorCode, Registry, RegistryOptions, Result, Tool, ToolFilter, ToolkitError,
};
use wasm_bindgen::prelude::*;

/// The registry, the checks and the rate limits of one toolkit.
#[wasm_bindgen]
pub struct ToolkitCore(Registry);

#[wasm_bindgen]
impl ToolkitCore {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> JsResult<ToolkitCore> {
        options_of("the options", options)
            .and_then(|value| Ok(Self(Registry::new(read_options(&value)?))))
            .map_err(thrown)
    }

    /// Performs one operation. `input` and the result are JSON text.
    pub fn call(&mut self, operation: &str, input: &str) -> JsResult<String> {
        self.performed(operation, input).map_err(thrown)
    }
}

fn read_options(value: &Value) -> Result<RegistryOptions> {
    let fields = Fields::of(value, "the options", ErrorCode::InvalidOptions)?;
    let all = RegistryOptions::default();
    Ok(RegistryOptions {
        coerce: fields.flag("coerce")?.unwrap_or(all.coerce),
        clamp: fields.flag("clamp")?.unwrap_or(all.clamp),
        repair_json: fields.flag("repairJson")?.unwrap_or(all.repair_json),
    })
}

fn filter(input: &str) -> Result<ToolFilter> {
    ToolFilter::from_json(&options_of("the filter", input)?)
}

/// The arguments of an operation that takes several.
struct Arguments(Vec<Value>);

impl Arguments {
    fn read(input: &str) -> Self {
        match value(input) {
            Ok(Value::Array(values)) => Self(values),
            _ => Self(Vec::new()),
        }
    }

    fn text(&self, index: usize) -> Option<&str> {
        self.0.get(index).and_then(Value::as_str)
    }

    fn name(&self) -> &str {
        self.text(0).unwrap_or("")
    }

    fn take(&mut self, index: usize) -> Value {
        self.0.get_mut(index).map(Value::take).unwrap_or_default()
    }
}

impl ToolkitCore {
    fn performed(&mut self, operation: &str, input: &str) -> Result<String> {
        let registry = &mut self.0;
        Ok(match operation {
            "check" => examined(input, |call| registry.check(call)),
            "find" => examined(input, |call| registry.find(call)),
            "register" => {
                let replaces = input.starts_with('!');
                let tool = options_of("the tool", input.trim_start_matches('!'))?;
                registry.register(Tool::from_json(&tool)?, replaces)?;
                String::new()
            }
            "unregister" => given(&registry.unregister(input)),
            "names" => given(&registry.names(&filter(input)?)),
            "categories" => given(&registry.categories()),
            "definitions" => given(&registry.definitions(&filter(input)?)),
            "lint" => given(&registry.lint()),
            "allows" => {
                let mut arguments = Arguments::read(input);
                let filter = ToolFilter::from_json(&arguments.take(1))?;
                given(&registry.allows(arguments.name(), &filter))
            }
            "unknownTool" => {
                let mut arguments = Arguments::read(input);
                let filter = ToolFilter::from_json(&arguments.take(1))?;
                given(&registry.unknown_tool(arguments.name(), &filter))
            }
            "checkArguments" => {
                let mut arguments = Arguments::read(input);
                let value = arguments.take(1);
                super::values::checked(registry.check_arguments(arguments.name(), value))
            }
            "checkOutput" => {
                let mut arguments = Arguments::read(input);
                let value = arguments.take(1);
                given(&registry.check_output(arguments.name(), &value))
            }
            "reserve" | "wouldReserve" => {
                let arguments = Arguments::read(input);
                let [session, agent] = [1, 2].map(|index| arguments.text(index).map(str::to_string));
                let caller = Caller { session, agent };
                let Some(now) = arguments.0.get(3).and_then(Value::as_f64) else {
                    return Err(ToolkitError::new(
                        ErrorCode::InvalidOptions,
                        "",
                        "the time must be a number of milliseconds",
                    ));
                };
                let wait = if operation == "reserve" {
                    registry.reserve(arguments.name(), &caller, now).err()
                } else {
                    Some(registry.wait(arguments.name(), &caller, now)).filter(|wait| *wait > 0.0)
                };
                match wait {
                    None => given(&json!({ "ok": true })),
                    Some(wait) => given(&json!({ "ok": false, "retryAfterMs": wait.ceil() })),
                }
            }
            "rateLimits" => given(&registry.rate_limits()),
            "restoreRateLimits" => {
                registry.restore_rate_limits(&value(input).unwrap_or_default())?;
                String::new()
            }
            _ => return Err(super::json::unknown(operation)),
        })
    }
}

/// Checks a call. Returns an empty text if its arguments are an object without problems and changes.
fn examined(input: &str, examine: impl FnOnce(Call) -> CheckedCall) -> String {
    let mut call = value(input).unwrap_or_default();
    let mut take = |name: &str| call.get_mut(name).map(Value::take).unwrap_or_default();
    let (name, arguments, raw) = (take("name"), take("arguments"), take("rawArguments"));
    let text = |value: Value| if let Value::String(text) = value { Some(text) } else { None };
    let is_object = arguments.is_object();
    // Checks don't use the id.
    let call = Call { id: String::new(), name: text(name).unwrap_or_default(), arguments, raw_arguments: text(raw) };
    let CheckedCall { call, problems, changes } = examine(call);
    if is_object && problems.is_empty() && changes.is_empty() {
        return String::new();
    }
    let checked = object([
        ("name", Some(call.name.into())),
        ("arguments", Some(Value::Object(call.arguments))),
        ("problems", Some(problems.to_json())),
        ("changes", Some(changes.to_json())),
    ]);
    checked.to_string()
}
