//! The JavaScript bindings of the toolkit.
//!
//! Each operation is one exported function, from which `wasm-bindgen` generates the JavaScript and its types: `Json<T>` is the JSON text of
//! a `T`. Values are passed as JSON text, because engines serialize and parse it faster than wasm can traverse objects. Errors are
//! thrown as plain objects `{code, path, message}`, which the JavaScript code converts to `ToolkitError`.

mod agent;
mod core;
mod json;
mod records;
mod types;
mod values;
