//! JSON Schema, rewritten per target on a small owned tree.

pub mod openapi;
pub mod tree;
