//! Where requests go (WIRE §1).

use crate::dialect::shared::path::{Endpoint, Endpoints, ModelName};

const PATH: &str = "/v1/chat/completions";

pub const ENDPOINTS: Endpoints = Endpoints::one(Endpoint { whole: PATH, streamed: PATH, model: ModelName::InBody });
