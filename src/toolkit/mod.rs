//! The toolkit: what an application needs to run the calls of a model.
//!
//! It performs no input or output and has no clock: times are passed in as milliseconds.

pub mod agent;
#[cfg(target_arch = "wasm32")]
mod bindings;
mod call;
mod error;
mod limits;
mod parameters;
mod problem;
mod read;
mod registry;
mod repair;
mod schema;
mod tool;

pub use call::{Call, CheckedCall, ReadyCall};
pub use error::{ErrorCode, Result, ToolkitError};
pub use limits::Caller;
pub use parameters::parameters_schema;
pub use problem::{Change, ChangeKind, Problem, ProblemCode};
pub use registry::{Lint, Registry, RegistryOptions, ToolDefinition, ToolFilter};
pub use repair::{Repair, RepairOptions, Repaired, repair_json};
pub use schema::{CheckOptions, Checked, Draft, Schema, SchemaOptions};
pub use tool::{RateLimit, Tool};
