//! The toolkit: what an application needs to run the calls of a model.
//!
//! It performs no input or output and has no clock: times are passed in as milliseconds.

pub mod agent;
#[cfg(target_arch = "wasm32")]
mod bindings;
