//! The dialect `cohere`, which the feature `cohere` adds: its vectors.

#![cfg(all(feature = "cohere", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/on_text.rs"]
mod on_text;
mod support;

use support::cases::checks;

#[test]
fn its_vectors_hold() {
    let mut failures = Vec::new();
    let mut count = 0;
    for file in ["cohere", "cohere-responses", "cohere-errors", "cohere-streams"] {
        let text = std::fs::read_to_string(format!("tests/cohere/{file}.json")).unwrap();
        for check in checks(&text) {
            count += 1;
            failures.extend(check.failure(file, &on_text::run(&check)));
        }
    }
    assert!(count > 100, "only {count} checks");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
