//! Warnings on their way to the caller.

use super::error::unreadable;
use crate::run::{Dialect, Warning, WarningCode};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

/// Something that was changed or left out.
#[derive(Serialize, tsify::Tsify)]
#[tsify(rename = "Warning")]
struct Told {
    /// From a closed list: {@link WarningCode}.
    #[tsify(type = "WarningCode | (string & {})")]
    code: WarningCode,
    /// In words.
    message: String,
    /// JSON Pointer (RFC 6901) into the input, to what was changed.
    path: String,
    /// True where the target is told less, or something else, than the input says.
    lossy: bool,
    /// The dialect that could not take it.
    dialect: Dialect,
    /// More, where there is more to say.
    #[tsify(optional, type = "unknown")]
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<()>,
}

/// Calls `onWarning` once per warning, in order. What it throws is the answer.
pub fn tell(options: &JsValue, warnings: Vec<Warning>) -> Result<(), JsValue> {
    if warnings.is_empty() || !options.is_object() {
        return Ok(());
    }
    let handler = js_sys::Reflect::get(options, &JsValue::from_str("onWarning"))
        .map_err(|cause| super::error::thrown(&unreadable("option onWarning cannot be read", &cause)))?;
    let Some(handler) = handler.dyn_ref::<js_sys::Function>() else { return Ok(()) };
    for warning in warnings {
        handler.call1(options, &object(warning)?)?;
    }
    Ok(())
}

pub fn object(warning: Warning) -> Result<JsValue, JsValue> {
    let told = Told {
        lossy: warning.lossy(),
        code: warning.code,
        message: warning.message,
        path: warning.path,
        dialect: warning.dialect,
        detail: None,
    };
    told.serialize(&Serializer::json_compatible()).map_err(JsValue::from)
}
