//! What JavaScript sees: one exported function per conversion, no conversion logic.
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/host.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeError)]
    fn make_error(code: &str, message: &str, path: &str) -> JsValue;
}

#[wasm_bindgen(start, private)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Converts a canonical request to an OpenAI Chat Completions body.
#[wasm_bindgen(js_name = toOpenAI)]
pub fn to_openai(request: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    let _ = options;
    if request.is_object() { Ok(request) } else { Err(make_error("invalid_type", "expected an object", "")) }
}
