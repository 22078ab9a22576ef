//! Patterns and texts that take engines with backtracking for ever: `patterns.json`, which `patterns.test.mjs` also reads.

use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Instant;
use toolwire::toolkit::{CheckOptions, Schema, SchemaOptions};

/// In bytes. Builds that are not optimised take ten times as long.
const LENGTH: usize = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
/// In milliseconds. Optimised builds (`cargo test --release --test toolkit evil`) have no other processes beside them.
const MOST: u128 = if cfg!(debug_assertions) { 5_000 } else { 50 };

#[derive(Deserialize)]
struct Case {
    pattern: String,
    #[serde(default)]
    begin: String,
    unit: String,
    end: String,
    verdict: Value,
}

#[test]
fn evil_patterns_take_linear_time_or_are_refused() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("patterns.json")).unwrap();
    let mut wrong = Vec::new();
    for Case { pattern, begin, unit, end, verdict } in cases {
        let text = format!("{begin}{}{end}", unit.repeat(LENGTH / unit.len()));
        let started = Instant::now();
        let found = match Schema::new(&json!({ "pattern": pattern }), &SchemaOptions::default()) {
            Ok(schema) => json!(
                schema
                    .check(json!(text), CheckOptions { coerce: false, clamp: false, defaults: false, formats: true })
                    .problems
                    .is_empty()
            ),
            Err(_) => json!("refused"),
        };
        let took = started.elapsed().as_millis();
        if found != verdict || took > MOST {
            wrong.push(format!("{pattern}: {found}, expected {verdict}, {took} ms"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
