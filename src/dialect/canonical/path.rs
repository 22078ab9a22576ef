//! No provider takes this format.

use crate::dialect::shared::path::Endpoints;

pub const ENDPOINTS: Endpoints = Endpoints::NONE;
