//! Where requests go (WIRE §3, §3.11).

use crate::dialect::shared::path::{Endpoint, Endpoints, ModelName};

const PATH: &str = "/v1/messages";

pub const ENDPOINTS: Endpoints = Endpoints {
    own: Some(Endpoint { whole: PATH, streamed: PATH, model: ModelName::InBody }),
    on_bedrock: Some(Endpoint {
        whole: "/model/{model}/invoke",
        streamed: "/model/{model}/invoke-with-response-stream",
        model: ModelName::Segment,
    }),
    on_vertex: Some(Endpoint {
        whole: "/{model}:rawPredict",
        streamed: "/{model}:streamRawPredict",
        model: ModelName::Resource(&[("publishers/", "publishers/"), ("", "publishers/anthropic/models/")]),
    }),
};
