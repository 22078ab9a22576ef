//! The stage on canonical values: a request without native tools, and a response with calls.

mod history;
mod request;
#[cfg(test)]
mod request_tests;
mod response;
mod stream;
#[cfg(test)]
mod tests;

pub use request::{Simulated, request};
pub use response::response;
pub use stream::{Stream, TextReader};
