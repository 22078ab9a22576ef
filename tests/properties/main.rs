//! Properties of every conversion, over generated requests, schemas and bodies.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod envelopes;
mod facts;
mod generate;
mod limits;
mod messages;
mod mutations;
mod never;
mod normalise;
mod payloads;
mod pieces;
mod references;
mod round_trip;
mod runner;
mod schema_rules;
mod schemas;
mod settings;
mod stability;
mod tools;
mod trips;
mod turns;
mod wire;

use toolwire::Dialect;

/// The formats of providers.
pub fn providers() -> impl Iterator<Item = Dialect> {
    Dialect::ALL.iter().copied().filter(|dialect| dialect.provider().is_some())
}
