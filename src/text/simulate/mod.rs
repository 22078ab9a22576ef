//! The stage on canonical values: a request without native tools, and a response with calls.

mod response;
mod stream;
#[cfg(test)]
mod tests;

pub use response::response;
pub use stream::{Stream, TextReader};
