//! Converts tool calling between LLM providers.
#[cfg(target_arch = "wasm32")]
mod bindings;
pub mod value;
