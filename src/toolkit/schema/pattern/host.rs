//! Regular expressions in wasm builds, using the JavaScript engine.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = RegExp)]
    pub type HostRegex;
    #[wasm_bindgen(constructor, catch, js_class = "RegExp")]
    fn new(source: &str, flags: &str) -> Result<HostRegex, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn test(this: &HostRegex, text: &str) -> Result<bool, JsValue>;

    #[wasm_bindgen(js_name = Error)]
    type HostError;
    #[wasm_bindgen(method, getter)]
    fn message(this: &HostError) -> String;
}

pub struct Regex(HostRegex);

impl Regex {
    pub fn new(source: &str) -> Result<Self, String> {
        let message = |error: JsValue| error.dyn_into::<HostError>().map(|error| error.message());
        HostRegex::new(source, "u").map(Self).map_err(|error| message(error).unwrap_or_default())
    }

    /// Returns false if the engine fails on the text.
    pub fn matches(&self, text: &str) -> bool {
        self.0.test(text).unwrap_or(false)
    }
}
