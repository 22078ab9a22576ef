//! The toolkit: what an application needs to run the calls of a model.
//!
//! It performs no input or output and has no clock: times are passed in as milliseconds.

pub mod agent;
#[cfg(target_arch = "wasm32")]
mod bindings;
mod error;
mod nearest;
mod problem;
mod repair;
mod schema;

pub use error::{ErrorCode, Result, ToolkitError};
pub use problem::{Change, ChangeKind, Problem, ProblemCode};
pub use schema::{CheckOptions, Checked, Draft, Schema, SchemaOptions};
