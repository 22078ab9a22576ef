//! Lowercasing.

/// The text in lower case.
pub fn lowercase(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { full(text) }
}

#[cfg(not(target_arch = "wasm32"))]
fn full(text: &str) -> String {
    text.to_lowercase()
}

/// The engine has the Unicode tables, which would take 8 kB here.
#[cfg(target_arch = "wasm32")]
fn full(text: &str) -> String {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = String)]
        type Text;
        #[wasm_bindgen(method, js_class = "String", js_name = toLowerCase)]
        fn to_lower_case(this: &Text) -> String;
    }

    JsValue::from_str(text).unchecked_into::<Text>().to_lower_case()
}
