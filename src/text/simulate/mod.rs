//! The stage on canonical values: a request without native tools, and a response with calls.
