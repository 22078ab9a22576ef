//! Rules that several dialects share.

pub mod arguments;
pub mod choices;
pub mod citations;
pub mod errors;
pub use crate::fit::finish;
pub mod freeform;
pub mod media;
pub mod openai_items;
pub mod openai_layout;
pub mod outcome;
pub mod path;
pub mod settings;
pub mod shapes;
pub mod stream;
pub mod thinking;
pub mod tools;
pub mod turns;
pub mod usage;
