//! Creates a tool message from the return value of a tool.

use super::error::{given, message_of, refused, thrown, unreadable};
use crate::run::error::{IS_MISSING, Result};
use crate::run::{ErrorCode, ToolwireError};
use js_sys::Reflect;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/result.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = makeMessage)]
    fn make_message(id: &JsValue, name: &JsValue, returned: &JsValue) -> std::result::Result<JsValue, JsValue>;
}

/// Creates the result of a call from what the tool returned or threw: a string becomes text, undefined an empty text, an Error an
/// error with its message, an MCP `CallToolResult` is converted according to its content and `isError`, and anything else becomes data.
///
/// ```js
/// messages.push(toolResult(call, await run(call.name, call.arguments)));
/// ```
///
/// @throws {ToolwireError} `invalid_type` or `missing_field` if `call` is not a call, and `invalid_type` if JSON has no form for the
/// value: a function, a symbol, a bigint, a Promise, a Map or a Set.
#[wasm_bindgen(js_name = toolResult, unchecked_return_type = "ToolMessage", return_description = "A message to push into the next request.")]
pub fn tool_result(
    #[wasm_bindgen(
        unchecked_param_type = "ToolCall | InvalidToolCall",
        param_description = "The call that the model made."
    )]
    call: JsValue,
    #[wasm_bindgen(unchecked_param_type = "unknown", param_description = "What the tool returned or threw.")]
    value: JsValue,
) -> JsValue {
    given(message(&call, &value).map_err(|error| thrown(&error)))
}

fn message(call: &JsValue, value: &JsValue) -> Result<JsValue> {
    if !call.is_object() {
        return Err(refused(ErrorCode::InvalidType, "expected a tool call"));
    }
    let id = text_member(call, "id")?;
    let name = text_member(call, "name")?;
    make_message(&id, &name, value).map_err(|cause| not_usable(&cause))
}

fn not_usable(cause: &JsValue) -> Box<ToolwireError> {
    refused(ErrorCode::InvalidType, message_of(cause))
}

fn text_member(call: &JsValue, key: &str) -> Result<JsValue> {
    let value = Reflect::get(call, &key.into()).map_err(|cause| unreadable("the call cannot be read", &cause))?;
    if value.is_string() {
        return Ok(value);
    }
    let (code, message) = if value.is_undefined() {
        (ErrorCode::MissingField, IS_MISSING)
    } else {
        (ErrorCode::InvalidType, "expected a string")
    };
    Err(Box::new(ToolwireError {
        code,
        message: message.to_owned(),
        path: format!("/{key}"),
        dialect: None,
        stream: None,
    }))
}
