//! Bindings for the registry, the checks and the rate limits of one toolkit.

use super::json::{JsResult, given, options_of, read_value, thrown, value};
use super::values::findings;
use crate::json::{ToJson, Value};
use crate::toolkit::read::{Fields, object};
use crate::toolkit::{
    Call, Caller, Checked, CheckedCall, ErrorCode, Problem, ProblemCode, Registry, RegistryOptions, Result, Tool,
    ToolFilter,
};
use wasm_bindgen::prelude::*;

/// The registry, the checks and the rate limits of one toolkit. Times are in milliseconds.
#[wasm_bindgen]
pub struct ToolkitCore(Registry);

#[wasm_bindgen]
impl ToolkitCore {
    #[wasm_bindgen(constructor)]
    pub fn new(#[wasm_bindgen(unchecked_param_type = "Json<CoreOptions>")] options: &str) -> JsResult<ToolkitCore> {
        options_of("the options", options)
            .and_then(|value| Ok(Self(Registry::new(read_options(&value)?))))
            .map_err(thrown)
    }

    /// Adds a tool, or with `replaces` replaces the tool with the same name.
    pub fn register(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Json<ToolRecord>")] tool: &str,
        replaces: bool,
    ) -> JsResult<()> {
        let tool = options_of("the tool", tool).and_then(|tool| Tool::from_json(&tool));
        tool.and_then(|tool| self.0.register(tool, replaces)).map_err(thrown)
    }

    pub fn unregister(&mut self, name: &str) -> bool {
        self.0.unregister(name)
    }

    #[wasm_bindgen(unchecked_return_type = "Json<string[]>")]
    pub fn names(&self, #[wasm_bindgen(unchecked_param_type = "Json<ToolFilter>")] filter: &str) -> JsResult<String> {
        Ok(given(&self.0.names(&filter_of(filter)?)))
    }

    #[wasm_bindgen(unchecked_return_type = "Json<string[]>")]
    pub fn categories(&self) -> String {
        given(&self.0.categories())
    }

    #[wasm_bindgen(unchecked_return_type = "Json<ToolDefinition[]>")]
    pub fn definitions(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Json<ToolFilter>")] filter: &str,
    ) -> JsResult<String> {
        Ok(given(&self.0.definitions(&filter_of(filter)?)))
    }

    #[wasm_bindgen(unchecked_return_type = "Json<Lint[]>")]
    pub fn lint(&self) -> String {
        given(&self.0.lint())
    }

    pub fn allows(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "Json<ToolFilter>")] filter: &str,
    ) -> JsResult<bool> {
        Ok(self.0.allows(name, &filter_of(filter)?))
    }

    /// The problem of a call of a tool that does not exist. Lists the tools that the filter selects.
    #[wasm_bindgen(js_name = unknownTool, unchecked_return_type = "Json<Problem>")]
    pub fn unknown_tool(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "Json<ToolFilter>")] filter: &str,
    ) -> JsResult<String> {
        Ok(given(&self.0.unknown_tool(name, &filter_of(filter)?)))
    }

    /// Finds the tool of a call and parses the arguments, or `raw`, with repair if necessary. `error` is that of an invalid call. The
    /// result is undefined if the arguments are an object without problems and changes.
    #[wasm_bindgen(unchecked_return_type = "Json<Examined> | undefined")]
    pub fn find(
        &self,
        name: String,
        #[wasm_bindgen(unchecked_param_type = "Json<unknown>")] arguments: &str,
        raw: Option<String>,
        error: Option<String>,
    ) -> Option<String> {
        examined(name, arguments, raw, error, |call| self.0.find(call))
    }

    /// Like `find`, but also checks the arguments against the schema.
    #[wasm_bindgen(unchecked_return_type = "Json<Examined> | undefined")]
    pub fn check(
        &self,
        name: String,
        #[wasm_bindgen(unchecked_param_type = "Json<unknown>")] arguments: &str,
        raw: Option<String>,
        error: Option<String>,
    ) -> Option<String> {
        examined(name, arguments, raw, error, |call| self.0.check(call))
    }

    /// Checks arguments for a registered tool. The result is undefined if there are no problems and changes.
    #[wasm_bindgen(js_name = checkArguments, unchecked_return_type = "Json<Findings> | undefined")]
    pub fn check_arguments(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "Json<unknown>")] arguments: &str,
    ) -> Option<String> {
        findings(read_value(arguments).map_or_else(Checked::from, |value| self.0.check_arguments(name, value)))
    }

    /// Checks a result against the tool's `outputSchema`. Empty if the tool has none.
    #[wasm_bindgen(js_name = checkOutput, unchecked_return_type = "Json<Problem[]>")]
    pub fn check_output(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "Json<unknown>")] output: &str,
    ) -> String {
        given(&read_value(output).map_or_else(|problem| vec![problem], |value| self.0.check_output(name, &value)))
    }

    /// Counts one attempt of a call towards the tool's rate limit if it is allowed. Otherwise, returns the milliseconds to wait.
    pub fn reserve(&mut self, name: &str, session: Option<String>, agent: Option<String>, now: f64) -> f64 {
        self.0.reserve(name, &Caller { session, agent }, now).err().map_or(0.0, f64::ceil)
    }

    /// Like `reserve`, but does not count the attempt.
    pub fn wait(&self, name: &str, session: Option<String>, agent: Option<String>, now: f64) -> f64 {
        self.0.wait(name, &Caller { session, agent }, now).ceil()
    }

    #[wasm_bindgen(js_name = rateLimits, unchecked_return_type = "Json<RateLimitState>")]
    pub fn rate_limits(&self) -> String {
        given(&self.0.rate_limits())
    }

    #[wasm_bindgen(js_name = restoreRateLimits)]
    pub fn restore_rate_limits(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Json<RateLimitState>")] state: &str,
    ) -> JsResult<()> {
        self.0.restore_rate_limits(&value(state).unwrap_or_default()).map_err(thrown)
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

fn filter_of(text: &str) -> JsResult<ToolFilter> {
    options_of("the filter", text).and_then(|filter| ToolFilter::from_json(&filter)).map_err(thrown)
}

fn examined(
    name: String,
    arguments: &str,
    raw_arguments: Option<String>,
    error: Option<String>,
    examine: impl FnOnce(Call) -> CheckedCall,
) -> Option<String> {
    let (arguments, unreadable) = match read_value(arguments) {
        Ok(arguments) => (arguments, None),
        Err(problem) => (Value::Null, Some(problem)),
    };
    let (is_object, is_raw) = (arguments.is_object(), raw_arguments.is_some());
    // Checks don't use the id.
    let CheckedCall { call, mut problems, changes } =
        examine(Call { id: String::new(), name, arguments, raw_arguments, error });
    problems.extend(unreadable);
    if is_raw && problems.is_empty() {
        problems.extend(rounded(&Value::Object(call.arguments.clone()), ""));
    }
    if is_object && problems.is_empty() && changes.is_empty() {
        return None;
    }
    let examined = object([
        ("name", Some(call.name.into())),
        ("arguments", Some(Value::Object(call.arguments))),
        ("problems", Some(problems.to_json())),
        ("changes", Some(changes.to_json())),
    ]);
    Some(examined.to_string())
}

/// The problem of the first integer that JavaScript would round.
fn rounded(value: &Value, path: &str) -> Option<Problem> {
    match value {
        Value::Number(number) => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs))?;
            (size >= 1 << 53).then(|| {
                let message = format!(
                    "invalid_value: the integer {number} at {path} has too many digits to be exact. Pass a smaller one, or its digits as text if the parameter allows text."
                );
                Problem { code: ProblemCode::OutOfRange, path: path.to_owned(), message, schema_path: None }
            })
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| rounded(item, &pointer(path, &index.to_string())))
        }
        Value::Object(fields) => fields.iter().find_map(|(name, field)| rounded(field, &pointer(path, name))),
        _ => None,
    }
}

fn pointer(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}
