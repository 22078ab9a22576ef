//! Warnings on their way to the caller.

use super::error::unreadable;
use crate::run::Warning;
use crate::value::js::builtins::{self, Function};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/warning.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeWarning)]
    fn make_warning(code: &str, message: &str, path: &str, lossy: bool, dialect: &str) -> JsValue;
}

/// Calls `onWarning` once per warning, in order. What it throws is the answer.
pub fn tell(options: &JsValue, warnings: Vec<Warning>) -> Result<(), JsValue> {
    if warnings.is_empty() || !options.is_object() {
        return Ok(());
    }
    let handler = builtins::get(options, "onWarning")
        .map_err(|cause| super::error::thrown(&unreadable("option onWarning cannot be read", &cause)))?;
    if handler.is_function() {
        let handler: &Function = handler.unchecked_ref();
        for warning in warnings {
            handler.call(options, &object(&warning))?;
        }
    }
    Ok(())
}

pub fn object(warning: &Warning) -> JsValue {
    let Warning { code, message, path, dialect } = warning;
    make_warning(code.name(), message, path, warning.lossy(), dialect.name())
}
