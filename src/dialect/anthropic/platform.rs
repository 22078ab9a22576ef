//! What is in the body, and what in the URL or a header, depends on where the model is hosted (WIRE §3.11).

use crate::model::{Metadata, Setting, Settings};
use crate::run::{AnthropicVersion, At, Platform, Run, WarningCode, Writing};
use crate::value::Word;

/// A host with the model in the URL and the version in the body.
struct Host {
    /// The host's name for version 2023-06-01 of the API (WIRE §13).
    version: &'static str,
    /// Whether `stream` is in the body, not in the URL.
    takes_stream: bool,
    /// Whether beta features are in the body, not in a header.
    takes_betas: bool,
}

const BEDROCK: Host = Host { version: "bedrock-2023-05-31", takes_stream: false, takes_betas: true };
const VERTEX: Host = Host { version: "vertex-2023-10-16", takes_stream: true, takes_betas: false };

fn host(run: &Run) -> Option<&'static Host> {
    run.options.platform.map(|platform| match platform {
        Platform::Bedrock => &BEDROCK,
        Platform::Vertex => &VERTEX,
    })
}

/// Writes the fields that depend on the host.
pub fn write(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata, at: At) {
    let Some(host) = host(run) else {
        object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
        return;
    };
    write_version(run, object, host, metadata, at);
    // the version was written, replaced or reported
    object.skip(run, Word::anthropic_version);
    let betas = metadata.own_field(Word::anthropic_beta);
    if let Some(betas) = betas.filter(|_| !host.takes_betas) {
        if !run.is_void(betas) {
            let at = run.family_at(at);
            let at = run.down(at, Word::anthropic_beta);
            run.warn(WarningCode::FieldDropped, at, "this host expects beta features in the header anthropic-beta");
        }
        object.skip(run, Word::anthropic_beta);
    }
}

/// Writes the version: from the options, else from the input, else the host's default.
fn write_version(run: &mut Run, object: &mut Writing, host: &Host, metadata: &Metadata, at: At) {
    let given = metadata.own_field(Word::anthropic_version);
    let version = match (run.options.anthropic_version, given) {
        (None, Some(given)) if !is_of_another(&run.store.text(given), host) => {
            return object.put(run, Word::anthropic_version, given);
        }
        (None, Some(_)) => {
            let at = run.family_at(at);
            let at = run.down(at, Word::anthropic_version);
            run.warn(WarningCode::StateDropped, at, "this is the version of another host");
            host.version
        }
        (Some(AnthropicVersion::V20261021), _) => AnthropicVersion::V20261021.text(),
        (Some(AnthropicVersion::V20230601), _) | (None, None) => host.version,
    };
    object.text(run, Word::anthropic_version, version);
}

fn is_of_another(version: &str, host: &Host) -> bool {
    version != host.version && [BEDROCK, VERTEX].iter().any(|other| other.version == version)
}

/// Whether `stream` is in the body.
pub fn takes_stream(run: &Run) -> bool {
    host(run).is_none_or(|host| host.takes_stream)
}

/// Whether the API version of the body has sampling settings (WIRE §3.0). Hosts use the older version by default.
pub fn takes_sampling(run: &Run, metadata: &Metadata) -> bool {
    if let Some(version) = run.options.anthropic_version {
        return version == AnthropicVersion::V20230601;
    }
    let given = metadata.own_field(Word::anthropic_version);
    match given {
        Some(given) => run.store.text(given) != AnthropicVersion::V20261021.text(),
        None => host(run).is_some(),
    }
}
