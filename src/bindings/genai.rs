//! Google's SDK, whose requests have a different shape than the REST body.

use super::call::{Task, convert_between, convert_value};
use super::error::given;
use super::sdk_bytes;
use crate::convert::Subject;
use crate::run::Dialect;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/genai.js")]
extern "C" {
    /// Without the HTTP headers that the SDK adds to responses and events.
    #[wasm_bindgen(js_name = withoutHeaders)]
    fn without_headers(response: &JsValue) -> JsValue;
}

/// What an SDK gives, as the body of the API: a response, or an event of one, without what Google's SDK adds to it; the bytes of AWS's SDK as base64.
pub(super) fn body_of(from: Dialect, subject: Subject, value: &JsValue) -> JsValue {
    let is_response = subject == Subject::Response;
    if is_response && from.base() == Dialect::Gemini { without_headers(value) } else { sdk_bytes::read(from, value) }
}

/// Converts a canonical request to the argument of `generateContent` in `@google/genai`: `{ model, contents, config }`,
/// while `toGemini` writes the REST body, which is nested differently. For a client with `vertexai: true`, pass
/// `platform: "vertex"`, because the SDK then rejects fields that only the Gemini API accepts.
///
/// ```js
/// const response = await ai.models.generateContent(toGoogleGenAI(request));
/// ```
///
/// @throws {ToolwireError} As `toGemini`.
#[wasm_bindgen(js_name = toGoogleGenAI, unchecked_return_type = "GoogleGenAIRequest", return_description = "The argument, a plain object.")]
pub fn to_google_genai(
    #[wasm_bindgen(
        unchecked_param_type = "ChatRequestInput",
        param_description = "The conversation, the tools and the settings."
    )]
    request: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "Options",
        param_description = "How to convert; `onWarning` receives what was changed or left out."
    )]
    options: JsValue,
) -> JsValue {
    let task = Task { flat: true, ..Task::new(Subject::Request, Dialect::Canonical, Dialect::Gemini) };
    given(convert_value(task, &request, &options))
}

/// Converts a response of `@google/genai` to the canonical one.
///
/// ```js
/// const { text, toolCalls, message } = fromGoogleGenAI(await ai.models.generateContent(toGoogleGenAI(request)));
/// ```
///
/// @throws {ToolwireError} As `fromGemini`.
#[wasm_bindgen(js_name = fromGoogleGenAI, unchecked_return_type = "ChatResponse", return_description = "The response; push its `message` into the next request as it is.")]
pub fn from_google_genai(
    #[wasm_bindgen(unchecked_param_type = "object", param_description = "The response object as the SDK gives it.")]
    response: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "Options",
        param_description = "How to convert; `onWarning` receives what was changed or left out."
    )]
    options: JsValue,
) -> JsValue {
    convert_between(Subject::Response, Dialect::Gemini, Dialect::Canonical, response, options)
}
