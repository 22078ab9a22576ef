//! Warnings on their way to the caller.

use super::error::unreadable;
use crate::run::Warning;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
struct Told<'a> {
    code: &'a str,
    message: &'a str,
    path: &'a str,
    lossy: bool,
    dialect: &'a str,
}

/// Calls `onWarning` once per warning, in order. What it throws is the answer.
pub fn tell(options: &JsValue, warnings: &[Warning]) -> Result<(), JsValue> {
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

fn object(warning: &Warning) -> Result<JsValue, JsValue> {
    let told = Told {
        code: warning.code.name(),
        message: &warning.message,
        path: &warning.path,
        lossy: warning.lossy(),
        dialect: warning.dialect.name(),
    };
    told.serialize(&Serializer::json_compatible()).map_err(JsValue::from)
}
