//! Where a request goes.

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
            // as JSON it is between quotes
            JSON::parse(&String::from_utf8_lossy(&path.body))
        }
    }
}

// The name of the option's own type, without the options that say nothing here.
#[wasm_bindgen(typescript_custom_section)]
const REQUEST_PATH: &str = r#"
/**
 * Path and query under the provider's base URL, with the model, percent-encoded, where it belongs.
 *
 * ```js
 * const url = "https://generativelanguage.googleapis.com" + requestPath(request, { to: "gemini", stream: true });
 * // …/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse
 * ```
 *
 * The base URL is the host alone; on Vertex AI it goes on to `/v1/projects/{project}/locations/{location}`.
 *
 * @param request - A request in any format, whole or in part, as an object, a string of JSON or UTF-8 bytes: its `model` counts, and `stream`.
 * @param target - Whose path; another model; whether the response is streamed (default: as in the request); where the model
 * is hosted.
 * @returns The path, with a slash before it.
 * @throws {ToolwireError} `missing_field` where the path names the model and the request does not; `invalid_value` for a model
 * that would lead elsewhere; `unsupported` for a dialect that no provider takes.
 */
export function requestPath(
    request: object | string | Uint8Array,
    target: { to: Dialect; model?: string; stream?: boolean; platform?: "vertex" | "bedrock" },
): string;
"#;
