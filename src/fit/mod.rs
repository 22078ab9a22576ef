//! Makes a request what its target accepts: the rules that several dialects share. Each dialect's `fit.rs` applies them, with its own data,
//! between reading and writing; a request that stays in its format is not fitted.

pub mod data_url;
mod dropped;
pub mod media;
pub mod openai_models;
pub mod reasoning;
pub mod settings;
pub mod tools;
