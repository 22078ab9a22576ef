//! Reads conformance vectors and compares what came out with what was expected (the format: `tests/vectors/README.md`).

// Each test binary uses a part of it.
#![allow(dead_code)]

pub mod cases;
pub mod compare;
pub mod streams;
