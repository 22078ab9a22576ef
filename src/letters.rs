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
    js_sys::JsString::from(text).to_lower_case().into()
}
