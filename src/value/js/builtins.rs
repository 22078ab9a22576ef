//! Functions that every JavaScript has, named here one by one: of js-sys, which has them all, more than those stays in the wasm.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = parseFloat)]
    pub fn parse_float(text: &str) -> f64;

    #[wasm_bindgen(js_namespace = JSON, catch)]
    pub fn parse(text: &JsValue) -> Result<JsValue, JsValue>;
    /// Undefined for a function or a symbol.
    #[wasm_bindgen(js_namespace = JSON, catch)]
    pub fn stringify(value: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = Reflect, catch)]
    pub fn get(object: &JsValue, key: &str) -> Result<JsValue, JsValue>;

    pub type Function;
    #[wasm_bindgen(method, catch)]
    pub fn call(this: &Function, receiver: &JsValue, argument: &JsValue) -> Result<JsValue, JsValue>;

    pub type Array;
    #[wasm_bindgen(constructor)]
    pub fn new() -> Array;
    #[wasm_bindgen(method)]
    pub fn push(this: &Array, value: &JsValue);
}
