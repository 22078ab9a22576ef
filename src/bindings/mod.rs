//! The exports for JavaScript: one function per conversion, without conversion logic.

mod bodies;
pub mod call;
mod drivers;
mod error;
mod exceptions;
mod genai;
mod models;
mod options;
mod path;
mod result;
pub mod sdk_bytes;
mod servers;
mod small;
mod stream;
#[cfg(feature = "trace")]
mod trace;
#[cfg(feature = "all-formats")]
mod universal;
mod warnings;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(start, private)]
fn start() {
    console_error_panic_hook::set_once();
}
