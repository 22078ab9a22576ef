//! Where requests go (WIRE §4).

pub use crate::dialect::gemini::path::VERTEX_ENDPOINTS as ENDPOINTS;
