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

/// A class of characters.
pub struct Regex {
    source: String,
    regex: HostRegex,
}

/// Fails if the source is not a regular expression.
pub fn check(source: &str) -> Result<(), String> {
    let message = |error: JsValue| error.dyn_into::<HostError>().map(|error| error.message());
    HostRegex::new(source, "u").map(|_| ()).map_err(|error| message(error).unwrap_or_default())
}

impl Regex {
    pub fn class(source: &str) -> Result<Self, &'static str> {
        let regex = HostRegex::new(source, "u").map_err(|_| "uses an unknown property of characters")?;
        Ok(Self { source: source.to_owned(), regex })
    }

    pub fn is_class(&self, source: &str) -> bool {
        self.source == source
    }

    pub fn has(&self, letter: char) -> bool {
        self.regex.test(letter.encode_utf8(&mut [0; 4])).unwrap_or(false)
    }
}
