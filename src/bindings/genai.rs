//! Google's own SDK, whose requests have another shape than the REST body.

use super::call::{Task, convert_between, convert_value};
use super::error::given;
use crate::convert::Kind;
use crate::run::Dialect;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;

/// Converts a canonical request to the argument of `generateContent` in `@google/genai` (WIRE §4.10): `{ model, contents, config }`,
/// where the REST body that `toGemini` gives nests everything otherwise. For a client with `vertexai: true` pass
/// `platform: "vertex"`: the SDK refuses there what only the Gemini API takes (WIRE §4.11).
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
        param_description = "How to convert; `onWarning` hears what was changed or left out."
    )]
    options: JsValue,
) -> JsValue {
    let task = Task { flat: true, ..Task::new(Kind::Request, Dialect::Canonical, Dialect::Gemini) };
    given(convert_value(task, &request, &options))
}

/// Converts a response of `@google/genai` to the canonical one (WIRE §4).
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
        param_description = "How to convert; `onWarning` hears what was changed or left out."
    )]
    options: JsValue,
) -> JsValue {
    let response = without_headers(&response);
    convert_between(Kind::Response, Dialect::Gemini, Dialect::Canonical, response, options)
}

const HEADERS: &str = "sdkHttpResponse";

/// A response or an event without the HTTP headers that the SDK adds to it: nothing that the model answered. What cannot be read is
/// given as it is: the conversion says why.
pub(super) fn without_headers(response: &JsValue) -> JsValue {
    bare_copy(response).ok().flatten().unwrap_or_else(|| response.clone())
}

fn bare_copy(response: &JsValue) -> std::result::Result<Option<JsValue>, JsValue> {
    if !response.is_object() || Reflect::get(response, &HEADERS.into())?.is_undefined() {
        return Ok(None);
    }
    let entries = Object::entries(response.unchecked_ref());
    let kept = entries.filter(&mut |entry, _, _| Array::from(&entry).get(0) != HEADERS);
    Ok(Some(Object::from_entries(&kept)?.into()))
}
