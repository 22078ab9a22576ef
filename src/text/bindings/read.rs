//! Reading text with calls in it.
