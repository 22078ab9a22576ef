//! The registry, the checks and the rate limits of one toolkit.

use super::json::{Outcome, fields, given, handed, list, refused, thrown, unreadable, value};
use super::types;
use super::values::checked;
use crate::json::{Value, json};
use crate::toolkit::read::Fields;
use crate::toolkit::{Call, Caller, CheckedCall, ErrorCode, Registry, RegistryOptions, Result, Tool, ToolFilter};
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

fn options(value: &Value) -> Result<RegistryOptions> {
    let fields = Fields::of(value, "the options", ErrorCode::InvalidOptions)?;
    let all = RegistryOptions::default();
    Ok(RegistryOptions {
        coerce: fields.flag("coerce")?.unwrap_or(all.coerce),
        clamp: fields.flag("clamp")?.unwrap_or(all.clamp),
        repair_json: fields.flag("repairJson")?.unwrap_or(all.repair_json),
    })
}

/// The registry, the checks and the rate limits of one toolkit.
#[wasm_bindgen]
pub struct ToolkitCore(Registry);

#[wasm_bindgen]
impl ToolkitCore {
    /// @throws `invalid_options`
    #[wasm_bindgen(constructor)]
    pub fn new(given: &types::CoreOptions) -> Outcome<ToolkitCore> {
        Ok(Self(Registry::new(fields("the options", given, options)?)))
    }

    /// @throws `duplicate_tool`, `invalid_name`, `invalid_schema`, `invalid_options`
    pub fn register(&mut self, tool: &types::ToolRecord, replace: bool) -> Outcome<()> {
        let tool = fields("the tool", tool, Tool::from_json)?;
        self.0.register(tool, replace).map_err(|error| thrown(&error))
    }

    pub fn unregister(&mut self, name: &str) -> bool {
        self.0.unregister(name)
    }

    pub fn names(&self, filter: &types::ToolFilter) -> Outcome<Vec<String>> {
        let filter = fields("the filter", filter, ToolFilter::from_json)?;
        Ok(self.0.names(&filter).into_iter().map(str::to_string).collect())
    }

    pub fn categories(&self) -> Vec<String> {
        self.0.categories().into_iter().map(str::to_string).collect()
    }

    pub fn definitions(&self, filter: &types::ToolFilter) -> Outcome<types::ToolDefinitions> {
        let filter = fields("the filter", filter, ToolFilter::from_json)?;
        Ok(given(&self.0.definitions(&filter)))
    }

    pub fn lint(&self) -> Outcome<types::Lints> {
        Ok(given(&self.0.lint()))
    }

    /// Whether the tool may run under the filter.
    pub fn allows(&self, name: &str, filter: &types::ToolFilter) -> Outcome<bool> {
        let filter = fields("the filter", filter, ToolFilter::from_json)?;
        Ok(self.0.allows(name, &filter))
    }

    /// Finds the tool and parses the arguments, repaired if necessary, but does not check them. For tools with a Standard
    /// Schema, whose own library checks the arguments.
    pub fn find(&self, call: &types::AnyCall) -> Outcome<types::CheckedCall> {
        self.examined(call, |call| self.0.find(call))
    }

    /// Finds the tool, parses the arguments and checks them. Without problems or changes, `call` is the object passed in.
    pub fn check(&self, call: &types::AnyCall) -> Outcome<types::CheckedCall> {
        self.examined(call, |call| self.0.check(call))
    }

    fn examined(
        &self,
        call: &types::AnyCall,
        examine: impl FnOnce(Call) -> CheckedCall,
    ) -> Outcome<types::CheckedCall> {
        let Some(name) = call.name().as_string() else {
            return Err(refused("a call must be an object with `id`, `name` and `arguments`"));
        };
        let raw_arguments = call.raw_arguments().as_string();
        let (arguments, unreadable) = match value(&call.arguments()) {
            Ok(arguments) => (arguments, None),
            Err(message) => (Value::Null, Some(unreadable(&message))),
        };
        let is_object = arguments.is_object();
        // The id does not matter to checks.
        let mut checked = examine(Call { id: String::new(), name, arguments, raw_arguments });
        checked.problems.extend(unreadable);
        let object: types::CheckedCall = Object::new().unchecked_into();
        if is_object && checked.changes.is_empty() && checked.problems.is_empty() {
            object.set_call(call);
        } else {
            object.set_call(&ready(call, &checked)?);
        }
        object.set_problems(&list(&checked.problems));
        object.set_changes(&list(&checked.changes));
        Ok(object)
    }

    /// Checks arguments for a registered tool.
    #[wasm_bindgen(js_name = checkArguments)]
    pub fn check_arguments(&self, name: &str, arguments: &JsValue) -> Outcome<types::CheckedValue> {
        checked(arguments, |arguments| self.0.check_arguments(name, arguments))
    }

    /// Checks a result against the tool's `outputSchema`. Nothing is changed. Empty if the tool has no `outputSchema`.
    #[wasm_bindgen(js_name = checkOutput)]
    pub fn check_output(&self, name: &str, output: &JsValue) -> Outcome<types::Problems> {
        match value(output) {
            Ok(output) => Ok(given(&self.0.check_output(name, &output))),
            Err(message) => Ok(given(&vec![unreadable(&message)])),
        }
    }

    /// Counts one attempt of a call towards the tool's rate limit, if there is room. `now` is in milliseconds.
    pub fn reserve(
        &mut self,
        name: &str,
        session_id: Option<String>,
        agent_id: Option<String>,
        now: f64,
    ) -> Outcome<types::Reservation> {
        let caller = Caller { session: session_id, agent: agent_id };
        reservation(self.0.reserve(name, &caller, time(now)?).err())
    }

    /// Like `reserve`, but counts nothing.
    #[wasm_bindgen(js_name = hasRoom)]
    pub fn has_room(
        &self,
        name: &str,
        session_id: Option<String>,
        agent_id: Option<String>,
        now: f64,
    ) -> Outcome<types::Reservation> {
        let caller = Caller { session: session_id, agent: agent_id };
        reservation(Some(self.0.wait(name, &caller, time(now)?)).filter(|wait| *wait > 0.0))
    }

    #[wasm_bindgen(js_name = rateLimits)]
    pub fn rate_limits(&self) -> Outcome<types::RateLimitState> {
        Ok(handed(&self.0.rate_limits()).unchecked_into())
    }

    /// @throws `invalid_state`
    #[wasm_bindgen(js_name = restoreRateLimits)]
    pub fn restore_rate_limits(&mut self, state: &types::RateLimitState) -> Outcome<()> {
        self.0.restore_rate_limits(&value(state).unwrap_or(Value::Null)).map_err(|error| thrown(&error))
    }
}

fn time(now: f64) -> Outcome<f64> {
    if now.is_finite() { Ok(now) } else { Err(refused("the time must be a number of milliseconds")) }
}

fn reservation(wait: Option<f64>) -> Outcome<types::Reservation> {
    match wait {
        None => Ok(given(&json!({ "ok": true }))),
        Some(wait) => Ok(given(&json!({ "ok": false, "retryAfterMs": wait.ceil() }))),
    }
}

/// A copy of the call with the name and the arguments that it would run with.
fn ready(call: &JsValue, checked: &CheckedCall) -> Outcome<JsValue> {
    let copy = Object::assign(&Object::new(), call.unchecked_ref());
    for name in ["rawArguments", "error"] {
        Reflect::delete_property(&copy, &name.into())?;
    }
    Reflect::set(&copy, &"name".into(), &checked.call.name.as_str().into())?;
    Reflect::set(&copy, &"arguments".into(), &given(&checked.call.arguments))?;
    Ok(copy.into())
}
