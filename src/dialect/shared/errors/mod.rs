//! Error bodies (WIRE §10.7). Any body is accepted in place of a response: an error object of this provider or another, or an HTML page.

pub mod context_length;
mod read;
mod words;
mod write;

pub use read::{Tag, read};
pub use write::{Shape, write};
