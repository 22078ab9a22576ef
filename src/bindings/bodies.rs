//! Converts bodies between any two dialects. The output has the form of the input: an object, a string or bytes.

use super::call::{convert_body, prepare_request as prepared, request_context};
use super::error::given;
use super::exceptions::convert_error as converted_error;
use crate::convert::Subject;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = convertRequest, skip_typescript)]
pub fn convert_request(body: JsValue, conversion: JsValue) -> JsValue {
    given(convert_body(Subject::Request, &body, &conversion))
}

#[wasm_bindgen(js_name = convertResponse, skip_typescript)]
pub fn convert_response(body: JsValue, conversion: JsValue) -> JsValue {
    given(convert_body(Subject::Response, &body, &conversion))
}

#[wasm_bindgen(js_name = contextOf, skip_typescript)]
pub fn context_of(request: JsValue, conversion: JsValue) -> JsValue {
    given(request_context(&request, &conversion))
}

#[wasm_bindgen(js_name = prepareRequest, skip_typescript)]
pub fn prepare_request(body: JsValue, conversion: JsValue) -> JsValue {
    given(prepared(&body, &conversion))
}

#[wasm_bindgen(js_name = convertError, skip_typescript)]
pub fn convert_error(body: JsValue, conversion: JsValue) -> JsValue {
    given(converted_error(&body, &conversion))
}

/// The member for the report format, if there is one.
#[cfg(feature = "all-formats")]
macro_rules! universal {
    ($body:literal) => {
        concat!("    universal: Universal", $body, ";\n")
    };
}

#[cfg(not(feature = "all-formats"))]
macro_rules! universal {
    ($body:literal) => {
        ""
    };
}

macro_rules! body_types {
    ($(($variant:ident, $name:literal $title:literal, $folder:ident :: $row:ident, $provider:expr
        $(, $function:ident $suffix:ident $documented:literal $link:literal $(as $sibling:ident)?)?))+) => {
        #[wasm_bindgen(typescript_custom_section)]
        const BODY_TYPES: &str = concat!(
            "/** The request bodies by dialect. */\nexport interface RequestBodies {\n    canonical: ChatRequest;\n",
            $($("    \"", $name, "\": ", stringify!($suffix), "Request;\n",)?)+
            universal!("Request"),
            "}\n",
            "/** The response bodies by dialect. */\nexport interface ResponseBodies {\n    canonical: ChatResponse;\n",
            $($("    \"", $name, "\": ", stringify!($suffix), "Response;\n",)?)+
            universal!("Response"),
            "}\n",
            "/** The request body of a dialect. */\n",
            "export type RequestOf<D extends Dialect> = RequestBodies[D];\n",
            "/** The response body of a dialect. */\n",
            "export type ResponseOf<D extends Dialect> = ResponseBodies[D];\n",
        );
    };
}
crate::dialects!(body_types);

// Overloads, which wasm-bindgen does not support. The one for bytes has a type parameter because TypeScript would otherwise prefer the
// generic overload for a constant conversion.
#[wasm_bindgen(typescript_custom_section)]
const BODIES: &str = r#"
/**
 * Converts a request body between any two dialects. The output has the form of the input: an object, a string of
 * JSON, or UTF-8 bytes (a `Uint8Array`, also for a Node `Buffer` and an `ArrayBuffer`). Strings and bytes keep every digit of a number.
 * The type of an object follows `to`.
 *
 * ```js
 * const body = convertRequest(await request.text(), { from: "openai", to: "anthropic", onWarning: console.warn });
 * ```
 *
 * @param body - The request body, in the format of `conversion.from`.
 * @param conversion - The two dialects, and options.
 * @returns The request body in the format of `conversion.to`.
 * @throws {ToolwireError} `invalid_json` for text that is not JSON; `invalid_type`, `invalid_value` or `missing_field` with the
 * path of what is invalid in the format `from`; `unsupported` for what `to` cannot express.
 */
export function convertRequest(body: string, conversion: Conversion): string;
export function convertRequest<C extends Conversion>(body: Uint8Array | ArrayBuffer, conversion: C): Bytes;
export function convertRequest<C extends Conversion>(
    body: RequestOf<C["from"]> | object,
    conversion: C,
): RequestOf<C["to"]>;
/**
 * Converts a response body between any two dialects. The output has the form of the input, as with {@link convertRequest}.
 *
 * ```js
 * const response = convertResponse(await upstream.text(), { from: "anthropic", to: "openai" });
 * ```
 *
 * @param body - The response body, in the format of `conversion.from`.
 * @param conversion - The two dialects, and options.
 * @returns The response body in the format of `conversion.to`.
 * @throws {ToolwireError} As {@link convertRequest}.
 */
export function convertResponse(body: string, conversion: Conversion): string;
export function convertResponse<C extends Conversion>(body: Uint8Array | ArrayBuffer, conversion: C): Bytes;
export function convertResponse<C extends Conversion>(
    body: ResponseOf<C["from"]> | object,
    conversion: C,
): ResponseOf<C["to"]>;
/**
 * Converts the error body that a provider sent instead of a response. Every body is accepted: the text of an HTML page, plain text or an
 * empty body (as a string or bytes) becomes the message. The canonical form is a {@link ChatError}: a code of a closed list, the HTTP
 * status, and whether a retry may succeed. The output has the form of the input, as with {@link convertRequest}.
 *
 * ```js
 * if (!upstream.ok) {
 *   const text = convertError(await upstream.text(), { from: "gemini", to: "canonical", status: upstream.status });
 *   const { code, message, retryable } = JSON.parse(text);
 * }
 * ```
 *
 * @param body - The error body, in any shape, of the provider of `conversion.from` or of a server in front of it; or the exception that an SDK threw.
 * @param conversion - The two dialects, the HTTP status, and options.
 * @returns The error body in the format of `conversion.to`.
 * @throws {ToolwireError} `invalid_type`, `invalid_value` or `missing_field` if a canonical error is invalid; `unsupported` for a dialect
 * without errors.
 */
export function convertError(body: string, conversion: Conversion & { status?: number }): string;
export function convertError(body: Uint8Array | ArrayBuffer, conversion: Conversion & { status?: number }): Bytes;
export function convertError<T extends object | string | Uint8Array>(
    body: T,
    conversion: Conversion & { status?: number },
): T;
/**
 * Returns what reading the response requires from the request: tools and ids that were renamed for the target, and which tools are freeform
 * (custom) ones. Pass it as the option `context` when the response is converted back. Small, deterministic, plain JSON.
 *
 * ```js
 * const context = contextOf(body, { from: "openai", to: "gemini" });
 * const response = convertResponse(upstream, { from: "gemini", to: "openai", context });
 * ```
 *
 * @param request - The request body, in the format of `conversion.from`: an object, a string of JSON, or UTF-8 bytes.
 * @param conversion - The two dialects that the request is converted between, and options.
 * @returns The context; `{}` if there is nothing to restore. Add `time`, in Unix seconds, for formats whose responses state when they were made.
 * @throws {ToolwireError} As {@link convertRequest}.
 */
export function contextOf(request: object | string | Uint8Array, conversion: Conversion): ConversionContext;
/** What a gateway needs of a request. */
export interface PreparedRequest<Body> {
    /** The converted request. */
    body: Body;
    /** As {@link contextOf} returns it. */
    context: ConversionContext;
    /** As {@link requestPath} returns it. */
    path: string;
    /** Whether the response is streamed. */
    stream: boolean;
    /** The model of the converted request. */
    model?: string;
    hasTools: boolean;
    asksForReasoning: boolean;
}
/**
 * Converts a request, and returns all that a gateway needs of it, in one pass over the body: {@link convertRequest}, {@link contextOf} and
 * {@link requestPath} together.
 *
 * ```js
 * const asked = { model: "m", messages: [{ role: "user", content: "Hi" }] };
 * const { body, context, path } = prepareRequest(asked, { from: "openai", to: "gemini" });
 * ```
 *
 * @param body - The request body, in the format of `conversion.from`.
 * @param conversion - The two dialects, and options.
 * @returns The body, in the form of the input, and what is needed beside it.
 * @throws {ToolwireError} As {@link convertRequest} and {@link requestPath}.
 */
export function prepareRequest(body: string, conversion: Conversion): PreparedRequest<string>;
export function prepareRequest<C extends Conversion>(
    body: Uint8Array | ArrayBuffer,
    conversion: C,
): PreparedRequest<Bytes>;
export function prepareRequest<C extends Conversion>(
    body: RequestOf<C["from"]> | object,
    conversion: C,
): PreparedRequest<RequestOf<C["to"]>>;
/**
 * Converts a request that counts tokens. It is Anthropic's `count_tokens`, Google's `countTokens`, or OpenAI's `responses/input_tokens`. A body of Chat
 * Completions or Ollama, which have no such request, is read as that of a conversation.
 *
 * ```js
 * convertCountRequest({ model: "m", messages: [{ role: "user", content: "Hi" }] }, { from: "anthropic", to: "gemini" });
 * ```
 *
 * @param body - The request body, in the format of `conversion.from`.
 * @param conversion - The two dialects, and options.
 * @returns The body in the format of `conversion.to`; undefined if that format has no such request.
 * @throws {ToolwireError} As {@link convertRequest}.
 */
export function convertCountRequest<T extends object | string | Uint8Array>(body: T, conversion: Conversion): T | undefined;
/**
 * Converts the response to a request that counts tokens.
 *
 * ```js
 * convertCountResponse({ totalTokens: 12 }, { from: "gemini", to: "anthropic" }); // { input_tokens: 12 }
 * ```
 *
 * @param body - The response body, in the format of `conversion.from`.
 * @param conversion - The two dialects.
 * @returns The body in the format of `conversion.to`.
 * @throws {ToolwireError} `missing_field` without a count; `unsupported` for a format without counts.
 */
export function convertCountResponse<T extends object | string | Uint8Array>(body: T, conversion: Conversion): T;
"#;
