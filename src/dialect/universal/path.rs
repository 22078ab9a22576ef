//! No provider takes this format.

pub use crate::dialect::canonical::path::ENDPOINTS;
