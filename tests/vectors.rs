//! Every conformance vector on the text store, natively.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use serde_json::{Value, json};
use support::cases::{Check, Outcome, checks};
use toolwire::{Dialect, Kind, Options, ToolwireError, Warning, convert_text};

fn kind(name: &str) -> Kind {
    match name {
        "request" => Kind::Request,
        "response" => Kind::Response,
        "tools" => Kind::Tools,
        "toolChoice" => Kind::ToolChoice,
        "toolConfig" => Kind::ToolConfig,
        "messages" => Kind::Messages,
        "toolCalls" => Kind::ToolCalls,
        other => panic!("unknown kind {other}"),
    }
}

fn warning(warning: &Warning) -> Value {
    json!({ "code": warning.code.name(), "path": warning.path, "lossy": warning.lossy() })
}

fn error(error: &ToolwireError) -> Value {
    json!({ "code": error.code.name(), "path": error.path, "message": error.message })
}

fn run(check: &Check) -> Outcome {
    let options: Options = serde_json::from_value(check.options.clone()).unwrap();
    let (from, to) = (Dialect::of(&check.from).unwrap(), Dialect::of(&check.to).unwrap());
    match convert_text(check.input.text().into_bytes(), kind(&check.kind), from, to, options) {
        Ok(converted) => {
            let warnings = converted.warnings.iter().map(warning).collect();
            Ok((String::from_utf8(converted.body).unwrap(), Value::Array(warnings)))
        }
        Err(failed) => Err(error(&failed)),
    }
}

#[test]
fn every_vector_holds() {
    let only = std::env::var("VECTOR").unwrap_or_default();
    let mut files: Vec<_> = std::fs::read_dir("tests/vectors").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut passed, mut failures) = (0, Vec::new());
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
        for check in checks(&std::fs::read_to_string(file).unwrap()) {
            if !check.on_text || !check.name.contains(&only) {
                continue;
            }
            match check.difference(&run(&check)) {
                None => passed += 1,
                Some(difference) => failures.push(format!("{}: {}: {difference}", file.display(), check.name)),
            }
        }
    }
    println!("{passed} checks of vectors passed, {} failed", failures.len());
    assert!(failures.is_empty(), "{} of the vectors' checks failed:\n{}", failures.len(), failures.join("\n"));
}
