//! The path of a request.

use super::call::{Task, convert_value};
use super::error::{JsResult, given, thrown};
use super::options;
use crate::convert::{Subject, convert_text};
use crate::run::{Dialect, ErrorCode};
use crate::value::js::transport;
use js_sys::JSON;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = requestPath, skip_typescript)]
pub fn request_path(request: JsValue, target: JsValue) -> JsValue {
    given(path_of(&request, &target))
}

fn path_of(request: &JsValue, target: &JsValue) -> JsResult {
    let given = options::read(target).map_err(|error| thrown(&error))?;
    let missing = || thrown(&options::wrong(ErrorCode::MissingField, "/to", "is missing: a path needs a dialect"));
    let to = given.to.ok_or_else(missing)?;
    let task = Task::new(Subject::Path, Dialect::Canonical, to);
    match transport::string_to_bytes(request).or_else(|| transport::bytes_from(request)) {
        None => convert_value(task, request, target),
        Some(text) => {
            let path = convert_text(text, task.subject, task.from, task.to, given.options.clone());
            let path = path.map_err(|error| thrown(&error))?;
            // the JSON string has quotes
            JSON::parse(&String::from_utf8_lossy(&path.body))
        }
    }
}

// a type of its own, with only the options that are relevant here
#[wasm_bindgen(typescript_custom_section)]
const REQUEST_PATH: &str = r#"
/**
 * Returns the path and query below the provider's base URL, including the percent-encoded model if the path contains it.
 *
 * ```js
 * const url = "https://generativelanguage.googleapis.com" + requestPath(request, { to: "gemini", stream: true });
 * // …/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse
 * ```
 *
 * The base URL is only the host, or on Vertex AI the host and `/v1/projects/{project}/locations/{location}`.
 *
 * @param request - A request in any format, whole or in part, as an object, a string of JSON or UTF-8 bytes. Only `model` and `stream` are used.
 * @param target - The dialect, and optionally another model, whether the response is streamed (default: as in the request), and where
 * the model is hosted.
 * @returns The path, starting with a slash.
 * @throws {ToolwireError} `missing_field` if the path contains the model and the request does not; `invalid_value` for a model
 * that would change the path; `unsupported` for a dialect that no provider accepts.
 */
export function requestPath(
    request: object | string | Uint8Array,
    target: { to: Dialect; model?: string; stream?: boolean; platform?: "vertex" | "bedrock" },
): string;
"#;
