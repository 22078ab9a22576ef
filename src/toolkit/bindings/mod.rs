//! What JavaScript sees of the toolkit.
//!
//! Failures are thrown as plain objects `{code, path, message}`; the JavaScript half wraps them in a `ToolkitError`.

mod agent;
mod types;

use wasm_bindgen::prelude::*;

#[cfg(not(feature = "conversions"))]
#[wasm_bindgen(start, private)]
fn start() {
    console_error_panic_hook::set_once();
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "CoreOptions")]
    pub type CoreOptions;
    #[wasm_bindgen(typescript_type = "ToolRecord")]
    pub type ToolRecord;
    #[wasm_bindgen(typescript_type = "ToolFilter | undefined")]
    pub type ToolFilter;
    #[wasm_bindgen(typescript_type = "ToolDefinition[]")]
    pub type ToolDefinitions;
    #[wasm_bindgen(typescript_type = "Lint[]")]
    pub type Lints;
    #[wasm_bindgen(typescript_type = "AnyCall")]
    pub type AnyCall;
    #[wasm_bindgen(typescript_type = "CheckedCall")]
    pub type CheckedCall;
    #[wasm_bindgen(typescript_type = "CheckedValue")]
    pub type CheckedValue;
    #[wasm_bindgen(typescript_type = "Problem[]")]
    pub type Problems;
    #[wasm_bindgen(typescript_type = "Reservation")]
    pub type Reservation;
    #[wasm_bindgen(typescript_type = "RateLimitState")]
    pub type RateLimitState;
    #[wasm_bindgen(typescript_type = "JsonSchema | boolean")]
    pub type Schema;
    #[wasm_bindgen(typescript_type = "CheckOptions | undefined")]
    pub type CheckOptions;
    #[wasm_bindgen(typescript_type = "RepairOptions | undefined")]
    pub type RepairOptions;
    #[wasm_bindgen(typescript_type = "RepairedJson")]
    pub type RepairedJson;
    #[wasm_bindgen(typescript_type = "readonly ParameterDefinition[]")]
    pub type ParameterDefinitions;
    #[wasm_bindgen(typescript_type = "JsonSchema")]
    pub type JsonSchema;
}

fn missing() -> JsValue {
    JsError::new("not implemented yet").into()
}

type Outcome<T> = Result<T, JsValue>;

/// The registry, the checks and the rate limits of one toolkit.
#[wasm_bindgen]
pub struct ToolkitCore {}

#[wasm_bindgen]
impl ToolkitCore {
    #[wasm_bindgen(constructor)]
    pub fn new(_options: &CoreOptions) -> Self {
        Self {}
    }

    /// @throws `duplicate_tool`, `invalid_name`, `invalid_schema`, `invalid_options`
    pub fn register(&mut self, _tool: &ToolRecord, _replace: bool) -> Outcome<()> {
        Err(missing())
    }

    pub fn unregister(&mut self, _name: &str) -> bool {
        false
    }

    pub fn names(&self, _filter: &ToolFilter) -> Outcome<Vec<String>> {
        Err(missing())
    }

    pub fn categories(&self) -> Vec<String> {
        Vec::new()
    }

    pub fn definitions(&self, _filter: &ToolFilter) -> Outcome<ToolDefinitions> {
        Err(missing())
    }

    pub fn lint(&self) -> Outcome<Lints> {
        Err(missing())
    }

    /// Whether the tool may run under the filter.
    pub fn allows(&self, _name: &str, _filter: &ToolFilter) -> Outcome<bool> {
        Err(missing())
    }

    /// Finds the tool and parses the arguments, repaired if necessary, but does not check them. For tools with a Standard
    /// Schema, whose own library checks the arguments.
    pub fn find(&self, _call: &AnyCall) -> Outcome<CheckedCall> {
        Err(missing())
    }

    /// Finds the tool, parses the arguments and checks them. Without problems or changes, `call` is the object passed in.
    pub fn check(&self, _call: &AnyCall) -> Outcome<CheckedCall> {
        Err(missing())
    }

    /// Checks arguments for a registered tool.
    #[wasm_bindgen(js_name = checkArguments)]
    pub fn check_arguments(&self, _name: &str, _value: &JsValue) -> Outcome<CheckedValue> {
        Err(missing())
    }

    /// Checks a result against the tool's `outputSchema`. Nothing is changed. Empty if the tool has no `outputSchema`.
    #[wasm_bindgen(js_name = checkOutput)]
    pub fn check_output(&self, _name: &str, _value: &JsValue) -> Outcome<Problems> {
        Err(missing())
    }

    /// Counts one attempt of a call towards the tool's rate limit, if there is room. `now` is in milliseconds.
    pub fn reserve(
        &mut self,
        _name: &str,
        _session_id: Option<String>,
        _agent_id: Option<String>,
        _now: f64,
    ) -> Outcome<Reservation> {
        Err(missing())
    }

    #[wasm_bindgen(js_name = rateLimits)]
    pub fn rate_limits(&self) -> Outcome<RateLimitState> {
        Err(missing())
    }

    /// @throws `invalid_state`
    #[wasm_bindgen(js_name = restoreRateLimits)]
    pub fn restore_rate_limits(&mut self, _state: &RateLimitState) -> Outcome<()> {
        Err(missing())
    }
}

/// @throws `invalid_schema`
#[wasm_bindgen(js_name = checkValue)]
pub fn check_value(_schema: &Schema, _value: &JsValue, _options: &CheckOptions) -> Outcome<CheckedValue> {
    Err(missing())
}

/// @throws `not_json`, `invalid_schema`
#[wasm_bindgen(js_name = repairJson)]
pub fn repair_json(_text: &str, _options: &RepairOptions) -> Outcome<RepairedJson> {
    Err(missing())
}

/// @throws `invalid_schema`
#[wasm_bindgen(js_name = parametersSchema)]
pub fn parameters_schema(_definitions: &ParameterDefinitions) -> Outcome<JsonSchema> {
    Err(missing())
}
