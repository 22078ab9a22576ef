//! Compares the made-up provider of each family (`src/format/trial.rs`) with the first provider of that family.

mod envelopes;

use super::{all_checks, binary, bodies};
use toolwire::{Dialect, Options, StreamConverter, Subject, convert_text};

fn provider(dialect: Dialect) -> String {
    serde_json::to_value(dialect.provider()).unwrap().as_str().unwrap().to_owned()
}

/// Canonical JSON, with another provider in place of the first one.
fn served_by(text: &str, [from, to]: &[String; 2]) -> String {
    let members = |key: &str, name: &str| format!("\"{key}\":\"{name}\"");
    let text = envelopes::issued_by(text, [from, to]);
    let renamed = text.replace(&format!("\"{from}\":"), &format!("\"{to}\":"));
    ["issuer", "provider"].iter().fold(renamed, |text, key| text.replace(&members(key, from), &members(key, to)))
}

/// What comes of a body or stream: the output, or the error, and the warnings.
fn outcome(kind: &str, body: Vec<u8>, from: Dialect, to: Dialect, options: &Options) -> String {
    let warned = |warnings: &[toolwire::Warning]| -> Vec<String> {
        warnings.iter().map(|warning| format!("{:?} {}", warning.code, warning.path)).collect()
    };
    let converted = || -> toolwire::Result<(Vec<u8>, Vec<String>)> {
        if kind != "stream" {
            let (_, subject) = *KINDS.iter().find(|(name, _)| *name == kind).unwrap();
            let converted = convert_text(body, subject, from, to, options.clone())?;
            return Ok((converted.body, warned(&converted.warnings)));
        }
        let mut converter = StreamConverter::new(from, to, options.clone())?;
        let mut written = converter.push(&body)?;
        written.extend(converter.finish()?);
        Ok((written, warned(converter.warnings())))
    };
    match converted() {
        Ok((written, warnings)) if kind == "stream" && to == Dialect::Bedrock => {
            format!("{}\n{warnings:?}", binary::lines(&written).unwrap())
        }
        Ok((written, warnings)) => format!("{}\n{warnings:?}", String::from_utf8_lossy(&written)),
        Err(error) => format!("{:?} {}", error.code, error.path),
    }
}

const KINDS: &[(&str, Subject)] =
    &[("request", Subject::Request), ("response", Subject::Response), ("error", Subject::Error)];

/// Cases with signatures of Claude on Bedrock, which Anthropic issued, or of a call, which Google did, whoever else has their format.
const SIGNED: &[&str] = &[
    "bedrock/between-providers",
    "bedrock/reasoning-of-claude",
    "round-trips/empty-reasoning-is-none",
    "envelopes/responses/joined-with-the-text-of-other-reasoning",
];

/// A provider of a family is treated as the family's first provider is, with its own name, in both directions.
#[test]
fn a_family_has_several_providers() {
    let checks = all_checks();
    let mut failures = Vec::new();
    let mut count = 0;
    let mut compare =
        |name: &str, kind: &str, body: &[u8], [usual, trial]: [(Dialect, Dialect); 2], options: &Options| {
            let providers = if usual.0 == trial.0 { [usual.1, trial.1] } else { [usual.0, trial.0] }.map(provider);
            let names_it = usual.0.provider().is_none();
            let given = String::from_utf8_lossy(body);
            let renamed = if names_it {
                served_by(&given, &providers)
            } else {
                envelopes::issued_by(&given, [&providers[0], &providers[1]])
            };
            let renamed = if renamed == given { body.to_vec() } else { renamed.into_bytes() };
            let [expected, found] = [(body.to_vec(), usual), (renamed, trial)].map(|(body, (from, to))| {
                // the paths of warnings name the provider, too
                let [usual, trial] = providers.clone().map(|provider| format!("/{provider}"));
                served_by(&outcome(kind, body, from, to, options), &providers).replace(&usual, &trial)
            });
            count += 1;
            let is_signed = SIGNED.iter().any(|case| name.starts_with(case));
            if expected != found && !(is_signed && expected.to_lowercase().contains("signature")) {
                failures.push(format!("{} → {}: {name}:\n{expected}\n  but\n{found}", trial.0.name(), trial.1.name()));
            }
        };
    for trial in Dialect::ALL.iter().copied().filter(|dialect| dialect.name().starts_with("trial-")) {
        let usual = trial.base();
        let is_other = |other: &Dialect| ![usual.provider(), trial.provider()].contains(&other.provider());
        let others: Vec<Dialect> = Dialect::ALL.iter().copied().filter(is_other).collect();
        for kind in ["request", "response", "error", "stream"] {
            for (body, (vector, options)) in bodies(&checks, kind, usual) {
                for to in &others {
                    compare(&vector, kind, &body, [(usual, *to), (trial, *to)], &options);
                }
            }
            for from in &others {
                for (body, (vector, options)) in bodies(&checks, kind, *from) {
                    compare(&vector, kind, &body, [(*from, usual), (*from, trial)], &options);
                }
            }
        }
    }
    println!("{count} conversions with another provider");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
