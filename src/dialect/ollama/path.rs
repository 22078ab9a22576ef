//! Where requests go (WIRE §8).

use crate::dialect::shared::path::{Endpoint, Endpoints, ModelName};

const PATH: &str = "/api/chat";

pub const ENDPOINTS: Endpoints = Endpoints::one(Endpoint { whole: PATH, streamed: PATH, model: ModelName::InBody });
