//! Any dialect to any other, in the shape that goes in.

use super::call::{convert_body, request_context};
use super::error::given;
use crate::convert::Kind;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = convertRequest, skip_typescript)]
pub fn convert_request(body: JsValue, conversion: JsValue) -> JsValue {
    given(convert_body(Kind::Request, &body, &conversion))
}

#[wasm_bindgen(js_name = convertResponse, skip_typescript)]
pub fn convert_response(body: JsValue, conversion: JsValue) -> JsValue {
    given(convert_body(Kind::Response, &body, &conversion))
}

#[wasm_bindgen(js_name = contextOf, skip_typescript)]
pub fn context_of(request: JsValue, conversion: JsValue) -> JsValue {
    given(request_context(&request, &conversion))
}

#[wasm_bindgen(js_name = convertError, skip_typescript)]
pub fn convert_error(body: JsValue, conversion: JsValue) -> JsValue {
    given(convert_body(Kind::Error, &body, &conversion))
}

// wasm-bindgen knows no overloads.
#[wasm_bindgen(typescript_custom_section)]
const BODIES: &str = r#"
/**
 * Converts a request body between any two dialects. The shape that goes in comes out: an object, a string of JSON, or a
 * `Uint8Array` of UTF-8 JSON (for a Node `Buffer` a plain `Uint8Array`). Strings and bytes keep every digit of a number.
 *
 * ```js
 * const body = convertRequest(await request.text(), { from: "openai", to: "anthropic", onWarning: console.warn });
 * ```
 *
 * @param body - The request body, in the format of `conversion.from`.
 * @param conversion - The two dialects, and options.
 * @returns The request body in the format of `conversion.to`.
 * @throws {ToolwireError} `invalid_json` for text that is no JSON; `invalid_type`, `invalid_value` or `missing_field` with the
 * path to what does not fit `from`; `unsupported` for what `to` cannot express.
 */
export function convertRequest(body: string, conversion: Conversion): string;
export function convertRequest(body: Uint8Array, conversion: Conversion): Uint8Array;
export function convertRequest<T extends object | string | Uint8Array>(body: T, conversion: Conversion): T;
/**
 * Converts a response body between any two dialects. The shape that goes in comes out, as with {@link convertRequest}.
 *
 * ```js
 * const answer = convertResponse(await upstream.text(), { from: "anthropic", to: "openai" });
 * ```
 *
 * @param body - The response body, in the format of `conversion.from`.
 * @param conversion - The two dialects, and options.
 * @returns The response body in the format of `conversion.to`.
 * @throws {ToolwireError} As {@link convertRequest}.
 */
export function convertResponse(body: string, conversion: Conversion): string;
export function convertResponse(body: Uint8Array, conversion: Conversion): Uint8Array;
export function convertResponse<T extends object | string | Uint8Array>(body: T, conversion: Conversion): T;
/**
 * Converts what a provider answered instead of a response. Nothing is refused: of a page of HTML, plain words or an empty body
 * (as a string or bytes) the text becomes the message. To `canonical` it gives a {@link ChatError}: a code of a closed list,
 * the HTTP status, and whether to try again. The shape that goes in comes out, as with {@link convertRequest}.
 *
 * ```js
 * if (!upstream.ok) {
 *   const text = convertError(await upstream.text(), { from: "gemini", to: "canonical", status: upstream.status });
 *   const { code, message, retryable } = JSON.parse(text);
 * }
 * ```
 *
 * @param body - The error body, in whatever shape the provider of `conversion.from` or a server before it gave.
 * @param conversion - The two dialects, the HTTP status, and options.
 * @returns The error body in the format of `conversion.to`.
 * @throws {ToolwireError} `invalid_type`, `invalid_value` or `missing_field` for what is no canonical error; `unsupported` for a
 * dialect without errors.
 */
export function convertError(body: string, conversion: Conversion & { status?: number }): string;
export function convertError(body: Uint8Array, conversion: Conversion & { status?: number }): Uint8Array;
export function convertError<T extends object | string | Uint8Array>(
    body: T,
    conversion: Conversion & { status?: number },
): T;
/**
 * What the answer to a request must know of it: tools and ids that were renamed for the target, and which tools are freeform
 * (custom) ones. Pass it as the option `context` when the answer is converted back. Small, deterministic, plain JSON.
 *
 * ```js
 * const context = contextOf(body, { from: "openai", to: "gemini" });
 * const answer = convertResponse(upstream, { from: "gemini", to: "openai", context });
 * ```
 *
 * @param request - The request body, in the format of `conversion.from`: an object, a string of JSON, or UTF-8 bytes.
 * @param conversion - The two dialects that the request is converted between, and options.
 * @returns The context; `{}` where nothing was renamed.
 * @throws {ToolwireError} As {@link convertRequest}.
 */
export function contextOf(request: object | string | Uint8Array, conversion: Conversion): ConversionContext;
"#;
