//! The toolkit.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod generate;
mod lint;
mod patterns;
mod properties;
mod registry;
mod relevance;
mod repairs;
mod suite;
mod vectors;
