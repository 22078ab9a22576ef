//! Reads conformance vectors and compares outcomes with the expected ones (`tests/vectors/README.md` describes the
//! format).

// Each test binary uses only some of these functions.
#![allow(dead_code)]

pub mod binary;
pub mod cases;
pub mod compare;
pub mod streams;
