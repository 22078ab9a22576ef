//! Passes warnings to the caller.

use super::error::{JsResult, thrown, unreadable};
use crate::run::{self, Dialect, Level, WarningCode};
use js_sys::Function;
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/options.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = listenerOf)]
    fn listener_of(options: &JsValue) -> Result<Option<Function>, JsValue>;
}

/// A change or loss that a conversion reports.
#[derive(Serialize, Tsify)]
struct Warning {
    /// From a closed list: {@link WarningCode}.
    #[tsify(type = "WarningCode | (string & {})")]
    code: WarningCode,
    /// A description in English.
    message: String,
    /// JSON Pointer (RFC 6901) into the input, to what was changed.
    path: String,
    /// True if the target receives less than the input contains, or something different.
    lossy: bool,
    /// Fixed for each code. `loss`: lossy. `change`: the same in effect, or repaired. `bookkeeping`: what does not concern clients; delivered only with the
    /// option `bookkeeping`.
    level: Level,
    /// The dialect that caused the change, usually the target.
    dialect: Dialect,
    /// Further details, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(type = "unknown")]
    detail: Option<()>,
}

/// Calls `onWarning` once per warning, in order. An exception of it becomes the result of the call.
pub fn deliver(options: &JsValue, warnings: Vec<run::Warning>) -> Result<(), JsValue> {
    if warnings.is_empty() {
        return Ok(());
    }
    let listener =
        listener_of(options).map_err(|cause| thrown(&unreadable("option onWarning cannot be read", &cause)))?;
    if let Some(listener) = listener {
        for warning in warnings {
            listener.call1(options, &object(&warning)?)?;
        }
    }
    Ok(())
}

pub fn object(warning: &run::Warning) -> JsResult {
    let run::Warning { code, message, path, dialect } = warning.clone();
    let emitted =
        Warning { code, message, path, lossy: warning.lossy(), level: warning.level(), dialect, detail: None };
    emitted.into_js().map(JsValue::from).map_err(JsValue::from)
}
