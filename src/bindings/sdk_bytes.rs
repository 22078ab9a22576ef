//! The AWS SDK, whose objects have bytes where the REST API has base64.

use crate::run::Dialect;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/sdk_bytes.js")]
extern "C" {
    #[wasm_bindgen(js_name = withBase64)]
    fn with_base64(value: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = withBytes)]
    fn with_bytes(value: &JsValue) -> JsValue;
}

/// Whether the format is one of AWS, whose framing its streams have.
fn is_of_aws(dialect: Dialect) -> bool {
    dialect.format().framing.binary
}

/// An object of this dialect with base64 in place of bytes.
pub fn read(from: Dialect, value: &JsValue) -> JsValue {
    if is_of_aws(from) { with_base64(value) } else { value.clone() }
}

/// An object of this dialect with bytes in place of base64.
pub(super) fn written(to: Dialect, value: JsValue) -> JsValue {
    if is_of_aws(to) { with_bytes(&value) } else { value }
}
