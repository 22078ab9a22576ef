//! Runs every conformance vector on the text store, natively.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/on_text.rs"]
mod on_text;
mod support;

use support::cases::checks;

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
            match check.difference(&on_text::run(&check)) {
                None => passed += 1,
                Some(difference) => failures.push(format!("{}: {}: {difference}", file.display(), check.name)),
            }
        }
    }
    println!("{passed} checks of vectors passed, {} failed", failures.len());
    assert!(failures.is_empty(), "{} of the vectors' checks failed:\n{}", failures.len(), failures.join("\n"));
}
