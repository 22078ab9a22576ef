//! Where the requests of a format go, and how its streams are framed.

/// How a dialect's stream is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    /// Whether each server-sent event has a name.
    pub named: bool,
    /// Whether the stream ends with `data: [DONE]`.
    pub done: bool,
    /// Whether an answer may come as JSON instead: an array of events, or one by itself (Q167).
    pub bare: bool,
    /// Whether events are lines of JSON, and no server-sent events.
    pub lines: bool,
}

impl Framing {
    /// Server-sent events without names, which end with the last.
    pub const EVENTS: Framing = Framing { named: false, done: false, bare: false, lines: false };
}

/// The address of one host.
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
pub struct Endpoints {
    pub own: Option<Endpoint>,
    pub on_bedrock: Option<Endpoint>,
    pub on_vertex: Option<Endpoint>,
}

impl Endpoints {
    pub const NONE: Endpoints = Endpoints { own: None, on_bedrock: None, on_vertex: None };

    /// One path, whatever the model, and whether the response is streamed or not.
    pub const fn everywhere(path: &'static str) -> Endpoints {
        Endpoints::one(Endpoint::fixed(path))
    }

    pub const fn one(own: Endpoint) -> Endpoints {
        Endpoints { own: Some(own), on_bedrock: None, on_vertex: None }
    }
}

/// How a model is named in the path.
pub enum ModelName {
    /// It is not.
    InBody,
    /// By one segment.
    Segment,
    /// By a resource name: what begins with the first of a pair begins with the second. The last takes all.
    Resource(&'static [(&'static str, &'static str)]),
}
