//! The path and query of a request, below the provider's base URL.

use crate::format::{Endpoint, Endpoints, ModelName};
use crate::run::{At, ErrorCode, Metadata, Platform, Result, Run};
use crate::value::text::split_around;
use crate::value::{Value, Word};

/// Reads `model` and `stream` of a request in any format, and writes the path as a string.
pub fn write(run: &mut Run, request: Value) -> Result<()> {
    endpoint(run)?;
    let mut reading = run.object(request, At::ROOT)?;
    let model = match run.options.model.clone() {
        Some(model) => Some(run.store.string(&model)),
        None => reading.string(run, Word::model)?,
    };
    let streams = match run.options.stream {
        Some(streams) => streams,
        None => reading.boolean(run, Word::stream)?.unwrap_or(false),
    };
    // callers may pass a whole request; nothing else is needed
    let _: Metadata = reading.rest();
    let path = of(run, model, streams)?;
    run.store.put_text(&path);
    Ok(())
}

fn endpoint(run: &mut Run) -> Result<&'static Endpoint> {
    let endpoints = &run.route.to.format().endpoints;
    match at_host(endpoints, run.options.platform) {
        Some(endpoint) => Ok(endpoint),
        None => run.fail(ErrorCode::Unsupported, At::ROOT, "no provider accepts this format"),
    }
}

/// The path for a model, and for a whole or a streamed response.
pub fn of(run: &mut Run, model: Option<Value>, streams: bool) -> Result<String> {
    let endpoint = endpoint(run)?;
    let template = if streams { endpoint.streamed } else { endpoint.whole };
    let Some((before, after)) = split_around(template, "{model}") else {
        return Ok(template.to_owned());
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
    // such a segment would change the path
    if path.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return run.fail(ErrorCode::InvalidValue, at, "expected the name of a model");
    }
    Ok([before, &path, after].concat())
}

/// The path at the host of the model, or that at the provider's own API.
fn at_host(endpoints: &'static Endpoints, platform: Option<Platform>) -> Option<&'static Endpoint> {
    let hosted = match platform {
        None => None,
        Some(Platform::Bedrock) => endpoints.on_bedrock.as_ref(),
        Some(Platform::Vertex) => endpoints.on_vertex.as_ref(),
    };
    hosted.or(endpoints.own.as_ref())
}

fn resource(model: &str, prefixes: &[(&str, &str)]) -> String {
    let model = without_location(model);
    let found = prefixes.iter().find_map(|(prefix, instead)| Some((model.strip_prefix(prefix)?, instead)));
    found.map_or_else(|| model.to_owned(), |(rest, instead)| format!("{instead}{rest}"))
}

/// Removes project and location from a full resource name, as the base URL ends with them.
fn without_location(model: &str) -> &str {
    let mut segments = model.splitn(5, '/');
    match (segments.next(), segments.next(), segments.next(), segments.next(), segments.next()) {
        (Some("projects"), Some(_), Some("locations"), Some(_), Some(rest)) => rest,
        _ => model,
    }
}

/// Percent-encodes everything but letters, digits and `kept`: other unreserved characters (RFC 3986), the `@` before the version of a model on Vertex
/// AI, and the slashes between segments.
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
