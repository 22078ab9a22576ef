//! Reads text with calls in it, whole or in pieces.
