//! Error bodies (WIRE §10.7): whatever came instead of an answer is read, be it an object of the provider's, another one's, or
//! a page of HTML. Nothing of it is refused.

mod read;
mod words;
mod write;

pub use read::{Tag, read};
pub use write::{Shape, write};
