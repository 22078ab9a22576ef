//! Errors of providers.

use super::common::Metadata;
use crate::model::ChatErrorCode;
use serde::{Deserialize, Serialize};

/// A provider's error, whatever the shape of its body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}
