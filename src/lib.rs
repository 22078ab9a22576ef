//! Converts tool calling between LLM providers: definitions, choices, calls, results, requests and responses.
//!
//! A dialect is read into one canonical model and written from it. Nothing is lost silently: what a target does not accept is reported as a
//! [`Warning`], and what can't be converted fails with a [`ToolwireError`].

// In wasm, keys of maps are `&str` only, and `json!` pushes the items of arrays.
#![cfg_attr(target_arch = "wasm32", allow(clippy::explicit_auto_deref, clippy::vec_init_then_push))]

#[cfg(all(not(feature = "conversions"), target_arch = "wasm32"))]
mod allocator;
#[cfg(all(feature = "conversions", target_arch = "wasm32"))]
#[doc(hidden)]
pub mod bindings;
#[cfg(feature = "conversions")]
mod convert;
#[cfg(feature = "conversions")]
mod dialect;
#[cfg(feature = "conversions")]
mod fit;
#[cfg(feature = "conversions")]
mod format;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod json;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod letters;
#[cfg(feature = "conversions")]
mod model;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod nearest;
#[cfg(feature = "conversions")]
mod run;
#[cfg(feature = "conversions")]
mod schema;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod table;
#[cfg(feature = "text")]
pub mod text;
#[cfg(feature = "toolkit")]
pub mod toolkit;
#[cfg(feature = "conversions")]
pub mod types;
#[cfg(feature = "conversions")]
#[doc(hidden)]
pub mod value;

#[cfg(feature = "conversions")]
pub use convert::stream::{StreamConverter, StreamReader};
#[cfg(feature = "conversions")]
pub use convert::{Converted, Kind, context_of, convert_text};
#[cfg(feature = "conversions")]
pub use run::{
    AnthropicVersion, Dialect, DuplicateResults, ErrorCode, ErrorStyle, Forms, GeminiResultKey, GeminiSchema,
    InputExamples, JsonResults, Lossy, MidSystem, MissingResults, Options, OrphanResults, Platform, Provider,
    SchemaUse, StreamPlace, SystemRole, ToolwireError, Warning, WarningCode, error::Result,
};

/// The crate's example in the README, as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The guide to the crate, as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guides/rust-crate.md")]
pub struct Guide;
