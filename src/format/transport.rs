//! The paths of a format's requests, and the framing of its streams.

/// How a dialect's stream is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    /// Whether each server-sent event has a name.
    pub named: bool,
    /// Whether the stream ends with `data: [DONE]`.
    pub done: bool,
    /// Whether a stream may be JSON instead: an array of events, or a single one (Q167).
    pub bare: bool,
    /// Whether events are lines of JSON instead of server-sent events.
    pub lines: bool,
    /// Whether events are binary messages of AWS, named by the only key of the event, instead of server-sent events.
    pub binary: bool,
    /// Whether an error is an event of its own form, instead of the body of an error.
    pub errors: bool,
}

impl Framing {
    /// Server-sent events without names or an end marker.
    pub const EVENTS: Framing =
        Framing { named: false, done: false, bare: false, lines: false, binary: false, errors: false };
}

/// The address of one host.
#[derive(Clone, Copy)]
pub struct Endpoint {
    /// Path and query; `{model}` is the place of the model.
    pub whole: &'static str,
    pub streamed: &'static str,
    pub model: ModelName,
}

impl Endpoint {
    /// A path without the model.
    pub const fn fixed(path: &'static str) -> Endpoint {
        Endpoint { whole: path, streamed: path, model: ModelName::InBody }
    }
}

/// The addresses of a dialect, by where the model is hosted.
#[derive(Clone, Copy)]
pub struct Endpoints {
    pub own: Option<Endpoint>,
    pub on_bedrock: Option<Endpoint>,
    pub on_vertex: Option<Endpoint>,
}

impl Endpoints {
    pub const NONE: Endpoints = Endpoints { own: None, on_bedrock: None, on_vertex: None };

    /// One path for all models, whether or not the response is streamed.
    pub const fn everywhere(path: &'static str) -> Endpoints {
        Endpoints::one(Endpoint::fixed(path))
    }

    pub const fn one(own: Endpoint) -> Endpoints {
        Endpoints { own: Some(own), on_bedrock: None, on_vertex: None }
    }
}

/// How a model is named in the path.
#[derive(Clone, Copy)]
pub enum ModelName {
    /// The path does not contain it.
    InBody,
    /// As one segment.
    Segment,
    /// As a resource name. In each pair, the first is a prefix of the name and the second is what replaces it; the last pair matches every name.
    Resource(&'static [(&'static str, &'static str)]),
}
