//! Makes a request or response what its target accepts: the rules that several dialects share. Each dialect's `fit.rs` applies them with its own data,
//! between reading and writing. Bodies that stay in their format are not fitted.

pub mod content;
pub mod data_url;
pub mod echo;
pub mod empties;
pub mod explanations;
pub mod finish;
pub mod lost_reasoning;
pub mod marks;
pub mod media;
pub mod models;
pub mod native;
pub mod reasoning;
pub mod responses;
pub mod results;
pub mod servers;
pub mod settings;
pub mod tools;
pub mod turns;
