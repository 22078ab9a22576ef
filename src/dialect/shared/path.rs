//! Where a request goes: path and query under the provider's base URL.

use super::around::around;
use crate::model::Metadata;
use crate::run::{At, ErrorCode, Platform, Result, Run};
use crate::value::{Value, Word};

/// The address of one host.
pub struct Endpoint {
    /// Path and query; `{model}` is the place of the model.
    pub whole: &'static str,
    pub streamed: &'static str,
    pub model: ModelName,
}

/// The addresses of a dialect, by where the model is hosted.
pub struct Endpoints {
    pub own: Option<Endpoint>,
    pub on_bedrock: Option<Endpoint>,
    pub on_vertex: Option<Endpoint>,
}

impl Endpoints {
    pub const NONE: Endpoints = Endpoints { own: None, on_bedrock: None, on_vertex: None };

    pub const fn one(own: Endpoint) -> Endpoints {
        Endpoints { own: Some(own), on_bedrock: None, on_vertex: None }
    }

    /// Its own where the host has no other.
    fn on(&self, platform: Option<Platform>) -> Option<&Endpoint> {
        let hosted = match platform {
            None => None,
            Some(Platform::Bedrock) => self.on_bedrock.as_ref(),
            Some(Platform::Vertex) => self.on_vertex.as_ref(),
        };
        hosted.or(self.own.as_ref())
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

/// Reads `model` and `stream` of a request in whatever format, and writes the path as a string.
pub fn write(run: &mut Run, endpoints: &Endpoints, request: Value) -> Result<()> {
    let Some(endpoint) = endpoints.on(run.options.platform) else {
        return run.fail(ErrorCode::Unsupported, At::ROOT, "no provider takes this format");
    };
    let mut reading = run.object(request, At::ROOT)?;
    let model = match run.options.model.clone() {
        Some(model) => Some(run.store.string(&model)),
        None => reading.string(run, Word::model)?,
    };
    let streams = match run.options.stream {
        Some(streams) => streams,
        None => reading.boolean(run, Word::stream)?.unwrap_or(false),
    };
    // callers pass their whole request: nothing else of it is asked for
    let _: Metadata = reading.rest();
    let template = if streams { endpoint.streamed } else { endpoint.whole };
    let Some((before, after)) = around(template, "{model}") else {
        run.store.put_text(template);
        return Ok(());
    };
    let at = run.down(At::ROOT, Word::model);
    let Some(model) = model.filter(|model| !run.store.is_empty(*model)) else {
        return run.fail(ErrorCode::MissingField, at, "is missing: the path contains the model");
    };
    let model = run.store.owned_text(model);
    let path = match endpoint.model {
        ModelName::InBody => return run.fail(ErrorCode::Internal, at, "this path has no place for a model"),
        ModelName::Segment => encoded(&model, b"-._~@"),
        ModelName::Resource(prefixes) => encoded(&resource(&model, prefixes), b"-._~@/"),
    };
    // such a segment would lead elsewhere
    if path.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return run.fail(ErrorCode::InvalidValue, at, "expected the name of a model");
    }
    run.store.put_text(&[before, &path, after].concat());
    Ok(())
}

fn resource(model: &str, prefixes: &[(&str, &str)]) -> String {
    let model = without_location(model);
    let found = prefixes.iter().find_map(|(prefix, instead)| Some((model.strip_prefix(prefix)?, instead)));
    found.map_or_else(|| model.to_owned(), |(rest, instead)| format!("{instead}{rest}"))
}

/// A full resource name begins with project and location, which the base URL ends with.
fn without_location(model: &str) -> &str {
    let mut segments = model.splitn(5, '/');
    match (segments.next(), segments.next(), segments.next(), segments.next(), segments.next()) {
        (Some("projects"), Some(_), Some("locations"), Some(_), Some(rest)) => rest,
        _ => model,
    }
}

/// Percent-encoded, but for letters, digits and what is `kept`: what else is unreserved (RFC 3986), the `@` before the version of a
/// model on Vertex AI, and what segments stand between.
fn encoded(text: &str, kept: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
