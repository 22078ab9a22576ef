//! Tools for models without native tool calling. Tool definitions become a prompt, and calls in the generated text become canonical calls.
//!
//! A text format states how a model writes calls. Formats are data ([`formats`]). One parser reads all of them, at once or incrementally.
//! Like the rest of the crate, this module performs no I/O.

#[cfg(target_arch = "wasm32")]
mod bindings;
mod error;
pub mod formats;
pub mod grammar;
pub mod read;
mod schema;
pub mod simulate;
mod tool;
pub mod write;

pub use error::{Result, TextError};
pub use tool::Tool;
