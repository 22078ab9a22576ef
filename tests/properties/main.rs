//! Properties of every conversion, over generated requests, schemas and bodies.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod generate;
mod runner;
mod stability;
mod trips;
