//! Tools for models without native tool calling: tool definitions as a prompt, and text with calls in it as calls.
//!
//! A text format states how a model writes calls. Formats are data ([`formats`]); one engine reads all of them, whole or in pieces.
//! Like the rest of the crate, it performs no input or output.

#[cfg(target_arch = "wasm32")]
mod bindings;
mod error;
pub mod formats;
pub mod grammar;
pub mod read;
pub mod simulate;
mod tool;
pub mod write;

pub use error::{Result, TextError};
pub use tool::Tool;
