//! The stage on canonical values.
