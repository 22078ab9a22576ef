//! Simulated tool calling on canonical values: removes native tools from requests, and reads calls from the text of responses.

mod carried;
mod carrier;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod carrier_tests;
mod history;
mod reading;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod reading_tests;
mod request;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod request_tests;
mod response;
mod stream;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

pub use carrier::CarrierTool;
pub use reading::{Reading, ReadingStream, TextOf};
pub use request::{Simulated, check_options, request, with_prompt};
pub use response::{Answered, response};
pub use stream::{Stream, TextReader};
