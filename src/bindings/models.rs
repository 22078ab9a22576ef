//! The facts of a model.

use super::error::{JsResult, given, refused, thrown};
use super::options;
use crate::run::{ErrorCode, model_facts};
use js_sys::JSON;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = modelFacts, skip_typescript)]
pub fn facts(name: JsValue, target: JsValue) -> JsValue {
    given(found(&name, &target))
}

fn found(name: &JsValue, target: &JsValue) -> JsResult {
    let wrong = || thrown(&refused(ErrorCode::InvalidType, "expected the name of a model, a string"));
    let name = name.as_string().ok_or_else(wrong)?;
    let given = options::read(target).map_err(|error| thrown(&error))?;
    let missing = || thrown(&options::wrong(ErrorCode::MissingField, "/to", "is missing: the dialect of the target"));
    let to = given.to.ok_or_else(missing)?;
    let Some(found) = model_facts(&name, to, given.options.platform) else { return Ok(JsValue::UNDEFINED) };
    let found = match &given.options.server {
        Some(server) => found.on(&server.facts(to)),
        None => found,
    };
    JSON::parse(&found.to_json())
}

// a type of its own, with only the options that are relevant here
#[wasm_bindgen(typescript_custom_section)]
const MODEL_FACTS: &str = r#"
/**
 * Returns what a model accepts, from the table of models that conversions use (`docs/models.md`).
 *
 * ```js
 * const facts = modelFacts("anthropic/claude-opus-5.5", { to: "anthropic" });
 * // { family: "claude", known: true, efforts: ["low", …, "max"], off: false, forcedCalls: false, maxOutput: 128000, … }
 * ```
 *
 * @param name - The name, in the spelling of the provider or of a host: with a router's prefix, a region, a date, as an ARN.
 * @param target - The dialect, and where the model is hosted. With a `server`, the facts are limited to what the server accepts.
 * @returns The facts; an absent fact means that no limit is known. `known` is false for a model that the table does not have: the facts
 * are those of the newest one of its family. Undefined for a name of no known family: a deployment, a fine-tune, another vendor's model.
 * @throws {ToolwireError} `invalid_type` if the name is not a string; `missing_field` without a dialect.
 */
export function modelFacts(
    name: string,
    target: { to: Dialect; platform?: "vertex" | "bedrock"; server?: Server | ServerProfile },
): (ModelFacts & { known: boolean; family: string }) | undefined;
"#;
