//! Types that several others contain.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A JSON Schema, as a plain object: also an interface of another package, such as `JSONSchema7`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "object"))]
#[serde(transparent)]
pub struct JsonSchema(pub Map<String, Value>);

/// Data that only one provider understands, under the provider's name (`openai`, `anthropic`, `google`, …), and two reserved keys. It is
/// written only to that provider's dialects. All other keys belong to the user and are never sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// Gemini's signature of a call or a part (base64). Gemini requires it back with the call
    /// ([thought signatures](https://ai.google.dev/gemini-api/docs/thought-signatures)).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought_signature: Option<String>,
    /// The exact argument text, kept only if serializing `arguments` would give another text, and used as long as both are equivalent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_arguments: Option<String>,
    #[serde(flatten)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub other: Map<String, Value>,
}

impl Metadata {
    pub fn is_empty(&self) -> bool {
        *self == Metadata::default()
    }
}
