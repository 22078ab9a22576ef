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

/// The formats of providers, apart from Gemini Interactions, whose bodies these tests can't read yet.
pub fn providers() -> impl Iterator<Item = Dialect> {
    let is_read = |dialect: &Dialect| dialect.base() != Dialect::GeminiInteractions;
    Dialect::ALL.iter().copied().filter(move |dialect| dialect.provider().is_some() && is_read(dialect))
}

/// The formats that the conversations of `turns` are written in: not Bedrock's, Mistral's and Cohere's, which the
/// clients there do not have.
pub fn speakers() -> impl Iterator<Item = Dialect> {
    providers()
        .filter(|dialect| dialect.base() != Dialect::Bedrock && !matches!(dialect, Dialect::Mistral | Dialect::Cohere))
}
