//! Converts tool calling between LLM providers: definitions, choices, calls, results, requests and responses.
//!
//! A dialect is read into one canonical model and written out of it. Nothing is lost in silence: what a target can't take
//! is told as a [`Warning`], what can't be converted fails with a [`ToolwireError`].

// The types of the canonical format derive `tsify::Tsify`.
#[cfg(target_arch = "wasm32")]
extern crate self as tsify;

#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod bindings;
mod convert;
mod dialect;
mod model;
mod run;
mod schema;
pub mod types;
#[doc(hidden)]
pub mod value;

#[cfg(target_arch = "wasm32")]
use types::tsify::{SerializationConfig, Tsify};

pub use convert::stream::{StreamConverter, StreamReader};
pub use convert::{Converted, Kind, context_of, convert_text};
pub use run::{
    AnthropicVersion, Dialect, DuplicateResults, ErrorCode, ErrorStyle, GeminiResultKey, GeminiSchema, JsonResults,
    Lossy, MidSystem, MissingResults, Options, OrphanResults, Platform, Provider, StreamPlace, SystemRole,
    ToolwireError, Warning, WarningCode, error::Result,
};
