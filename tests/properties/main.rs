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
mod stability;
mod trips;
mod turns;
mod wire;

use toolwire::Dialect;

/// The formats of providers, apart from Bedrock's, whose bodies these tests can't read yet: `wire.rs` and `turns` have no reader of their own for it.
pub fn providers() -> impl Iterator<Item = Dialect> {
    // what is generated for OpenAI's format does not have Mistral's chunks, ids and limits
    let is_read = |dialect: &Dialect| {
        let has_readers = !matches!(dialect.base(), Dialect::Bedrock | Dialect::Cohere);
        dialect.provider().is_some() && has_readers && *dialect != Dialect::Mistral
    };
    Dialect::ALL.iter().copied().filter(is_read)
}
