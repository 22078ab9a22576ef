//! Reads conformance vectors and compares what came out with what was expected (the format: `tests/vectors/README.md`).

pub mod cases;
pub mod compare;
