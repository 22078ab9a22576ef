//! Where requests go (WIRE §2).

use crate::dialect::shared::path::{Endpoint, Endpoints, ModelName};

const PATH: &str = "/v1/responses";

pub const ENDPOINTS: Endpoints = Endpoints::one(Endpoint { whole: PATH, streamed: PATH, model: ModelName::InBody });
