//! The report format, which has calls and results, but no tools and no tool choice.

use super::call::convert_between;
use crate::convert::Subject;
use crate::run::Dialect;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const UNIVERSAL_WIRE: &str = include_str!("../format/universal.d.ts");

/// Returns the calls and results of a canonical request. Everything else is left out, with a warning.
///
/// ```js
/// const { messages } = toUniversal({ messages: history });
/// ```
///
/// @throws {ToolwireError} with the path to what is not a canonical request.
#[wasm_bindgen(js_name = toUniversal, unchecked_return_type = "UniversalRequest", return_description = "The calls and results, a plain object.")]
pub fn to_universal(
    #[wasm_bindgen(unchecked_param_type = "ChatRequestInput", param_description = "The conversation.")]
    request: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "Options",
        param_description = "How to convert; `onWarning` receives what was left out."
    )]
    options: JsValue,
) -> JsValue {
    convert_between(Subject::Request, Dialect::Canonical, Dialect::Universal, request, options)
}

/// Creates a canonical request from calls and results: from `{ messages }`, or from a single turn.
///
/// ```js
/// const { messages } = fromUniversalRequest({ tool_calls: [call], tool_results: [{ tool_call_id: call.id, result: "Sunny" }] });
/// ```
///
/// @throws {ToolwireError} with the path of a value that is neither a call nor a result.
#[wasm_bindgen(js_name = fromUniversalRequest, unchecked_return_type = "ChatRequest", return_description = "The canonical request; its `messages` fit into a conversation.")]
pub fn from_universal_request(
    #[wasm_bindgen(
        unchecked_param_type = "UniversalRequest | UniversalCalls | UniversalResults",
        param_description = "The calls and results."
    )]
    body: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "Options",
        param_description = "How to convert; `onWarning` receives what was changed or left out."
    )]
    options: JsValue,
) -> JsValue {
    convert_between(Subject::Request, Dialect::Universal, Dialect::Canonical, body, options)
}

/// Returns the calls of a canonical response. Everything else is left out, with a warning.
///
/// ```js
/// const { tool_calls } = toUniversalResponse(fromGemini(response));
/// ```
///
/// @throws {ToolwireError} with the path to what is not a canonical response.
#[wasm_bindgen(js_name = toUniversalResponse, unchecked_return_type = "UniversalResponse", return_description = "The calls, a plain object.")]
pub fn to_universal_response(
    #[wasm_bindgen(unchecked_param_type = "ChatResponse", param_description = "The response.")] response: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "Options",
        param_description = "How to convert; `onWarning` receives what was left out."
    )]
    options: JsValue,
) -> JsValue {
    convert_between(Subject::Response, Dialect::Canonical, Dialect::Universal, response, options)
}

/// Creates a canonical response that only has calls.
///
/// ```js
/// const { message } = fromUniversal({ tool_calls: [{ id: "1", name: "get_weather", arguments: { city: "Paris" } }] });
/// ```
///
/// @throws {ToolwireError} with the path of a value that is not a call.
#[wasm_bindgen(js_name = fromUniversal, unchecked_return_type = "ChatResponse", return_description = "The response; push its `message` into the next request as it is.")]
pub fn from_universal(
    #[wasm_bindgen(unchecked_param_type = "UniversalResponse", param_description = "The calls.")] response: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "Options",
        param_description = "How to convert; `onWarning` receives what was changed or left out."
    )]
    options: JsValue,
) -> JsValue {
    convert_between(Subject::Response, Dialect::Universal, Dialect::Canonical, response, options)
}
