//! The servers by their URLs, and the facts about them.

use super::error::{JsResult, given, thrown};
use super::options;
use crate::run::ErrorCode;
use crate::servers::server_of;
use js_sys::JSON;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = serverOf, skip_typescript)]
pub fn of_url(base_url: JsValue) -> JsValue {
    let server = base_url.as_string().and_then(|url| server_of(&url));
    server.map_or(JsValue::UNDEFINED, |server| server.name().into())
}

#[wasm_bindgen(js_name = serverFacts, skip_typescript)]
pub fn facts(target: JsValue) -> JsValue {
    given(found(&target))
}

fn found(target: &JsValue) -> JsResult {
    let given = options::read(target).map_err(|error| thrown(&error))?;
    let missing = |path: &str, what: &str| {
        thrown(&options::wrong(ErrorCode::MissingField, path, &["is missing: ", what].concat()))
    };
    let to = given.to.ok_or_else(|| missing("/to", "the dialect"))?;
    let server = given.options.server.ok_or_else(|| missing("/server", "the name of a server, or a profile"))?;
    server.to_json(to).map_or(Ok(JsValue::UNDEFINED), |facts| JSON::parse(&facts))
}

#[wasm_bindgen(typescript_custom_section)]
const SERVERS: &str = r#"
/**
 * Returns the server behind a base URL, for the option `server`.
 *
 * ```js
 * serverOf("https://openrouter.ai/api/v1"); // "openrouter"
 * ```
 *
 * @param baseUrl - The URL, with or without the path of an API.
 * @returns The name in `docs/servers.md`; undefined if the URL does not identify a server of the table, as most addresses of one's own.
 */
export function serverOf(baseUrl: string): Server | undefined;

/**
 * Returns what a server accepts, from the table of servers that conversions use (`docs/servers.md`), and where it is.
 *
 * ```js
 * const { url, key } = serverFacts({ server: "groq", to: "openai" }) ?? {};
 * // "https://api.groq.com/openai/v1", "GROQ_API_KEY"
 * ```
 *
 * @param target - The server, and one of the formats that it speaks.
 * @returns The facts; an absent fact means: as the provider's own API. `url` is the base URL, to which the path of the provider's SDK is added;
 * absent where every installation has its own. `key` is the environment variable of its key. Undefined if it does not speak the format.
 * @throws {ToolwireError} `missing_field` without a server or a dialect; `invalid_value` for an unknown one.
 */
export function serverFacts(
    target: { server: Server | ServerProfile; to: Dialect },
): (ServerFacts & { url?: string; key?: string }) | undefined;
"#;
