//! JSON values, with the interface of `serde_json`.
//!
//! In wasm, `small` implements the part of it that the toolkit and the text formats use, without serde, and with numbers read and written by the
//! engine. That takes a fifth of the bytes.

#[cfg(any(target_arch = "wasm32", test))]
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, unused_imports, unused_macros))]
mod small;

#[cfg(all(target_arch = "wasm32", feature = "toolkit"))]
pub(crate) use small::is_valid;
#[cfg(target_arch = "wasm32")]
pub use small::{Map, Number, ToJson, Value, from_str, put};
#[cfg(all(target_arch = "wasm32", feature = "text"))]
pub(crate) use small::{is_object, push_escaped};
#[cfg(target_arch = "wasm32")]
pub(crate) use small::{json, quoted};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use serde_json::json;
#[cfg(not(target_arch = "wasm32"))]
pub use serde_json::{Map, Number, Value, from_str};

/// Whether a text is JSON. Numbers of any size and strings with lone surrogates are valid.
#[cfg(all(not(target_arch = "wasm32"), feature = "toolkit"))]
pub(crate) fn is_valid(text: &str) -> bool {
    from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether a text is a JSON object that can be parsed.
#[cfg(all(not(target_arch = "wasm32"), feature = "text"))]
pub(crate) fn is_object(text: &str) -> bool {
    from_str::<Map<String, Value>>(text).is_ok()
}

/// A text as a JSON string.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Appends a text as the content of a JSON string.
#[cfg(all(not(target_arch = "wasm32"), feature = "text"))]
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    let quoted = quoted(text);
    out.push_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
}
