//! Rules that several dialects share, written once.

pub mod arguments;
pub mod around;
pub mod base64;
pub mod choices;
pub mod data_url;
pub mod errors;
pub mod finish;
pub mod freeform;
mod losses;
pub mod media;
pub mod openai_items;
pub mod openai_layout;
pub mod openai_models;
pub mod outcome;
pub mod path;
pub mod reasoning;
pub mod settings;
pub mod stream;
pub mod tools;
pub mod turns;
pub mod usage;
