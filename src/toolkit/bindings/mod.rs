//! What JavaScript sees of the toolkit.
//!
//! Values are passed as JSON text, which the engine writes and reads faster than objects can be walked from outside. Failures are
//! thrown as plain objects `{code, path, message}`; the JavaScript half wraps them in a `ToolkitError`.

mod agent;
mod core;
mod json;
mod records;
mod types;
mod values;
