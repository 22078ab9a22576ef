//! Errors of providers.

use super::common::Metadata;
use crate::model::ChatErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A provider's error, whatever the shape of its body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChatError {
    /// The HTTP status: the one that was passed or that the body contains, else the usual one for this code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// From a closed list: {@link ChatErrorCode}.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "ChatErrorCode | (string & {})"))]
    pub code: ChatErrorCode,
    /// The provider's message. For a body that is not JSON, the whole body.
    pub message: String,
    /// Whether the same request may succeed later.
    pub retryable: bool,
    /// How long the request was, and may be, where the error states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_length: Option<ContextLength>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Numbers of tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ContextLength {
    /// How many the model accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub limit: Option<Number>,
    /// How many the request has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub requested: Option<Number>,
}
