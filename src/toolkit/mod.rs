//! The toolkit: registers tools, checks and limits their calls, repairs JSON, and runs the agent loop.
//!
//! It performs no I/O and has no clock: times are passed in as milliseconds.

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
mod repair_json;
mod schema;
mod tool;

pub use call::{Call, CheckedCall, ReadyCall};
pub use error::{ErrorCode, Result, ToolkitError};
pub use limits::Caller;
pub use parameters::parameters_schema;
pub use problem::{Change, ChangeKind, Problem, ProblemCode};
pub use registry::{Lint, Registry, RegistryOptions, ToolDefinition, ToolFilter};
pub use repair::{Repair, Repaired};
pub use repair_json::{RepairOptions, repair_json};
pub use schema::{CheckOptions, Checked, Draft, Schema, SchemaOptions};
pub use tool::{RateLimit, Tool};
