//! Where requests go (WIRE §4).

use crate::dialect::shared::path::{Endpoint, Endpoints, ModelName};

const ON_VERTEX: Endpoint = Endpoint {
    whole: "/{model}:generateContent",
    streamed: "/{model}:streamGenerateContent?alt=sse",
    model: ModelName::Resource(&[
        ("publishers/", "publishers/"),
        ("endpoints/", "endpoints/"),
        ("models/", "publishers/google/models/"),
        ("google/", "publishers/google/models/"),
        ("", "publishers/google/models/"),
    ]),
};

pub const ENDPOINTS: Endpoints = Endpoints {
    own: Some(Endpoint {
        whole: "/v1beta/{model}:generateContent",
        streamed: "/v1beta/{model}:streamGenerateContent?alt=sse",
        model: ModelName::Resource(&[("models/", "models/"), ("tunedModels/", "tunedModels/"), ("", "models/")]),
    }),
    on_bedrock: None,
    on_vertex: Some(ON_VERTEX),
};

/// Those of Vertex AI alone.
pub const VERTEX_ENDPOINTS: Endpoints = Endpoints::one(ON_VERTEX);
