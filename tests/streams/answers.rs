//! What was written, read again, is the same answer.

use super::generated::{Answer, answer};
use super::{dialects, outcome};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use toolwire::{Dialect, Options, StreamReader};

/// So many cases, always the same ones, unless `PROPTEST_CASES` and `PROPTEST_RNG_SEED` say otherwise. What failed is printed, and
/// belongs into a vector.
pub fn cases(number: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { number };
    let rng_seed = if asked.rng_seed == RngSeed::Random { RngSeed::Fixed(0) } else { asked.rng_seed };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..asked }
}

/// Text, calls, finish reason and usage of the whole answer.
fn assembled(from: Dialect, bytes: &[u8]) -> Value {
    let mut reader = StreamReader::new(from, Options::default()).unwrap();
    reader.push(bytes).unwrap();
    let answer: Value = serde_json::from_slice(&reader.finish().unwrap()).unwrap();
    let calls: Vec<Value> = answer["toolCalls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| json!([call["id"], call["name"], call["arguments"]]))
        .collect();
    assert_eq!(answer["invalidToolCalls"], json!([]));
    json!({"text": answer["text"], "calls": calls, "finish": answer["finishReason"], "usage": counts(&answer["usage"])})
}

/// Whether there were tokens to count: Anthropic's clients demand numbers, and get 0 where nobody knows.
fn counts(usage: &Value) -> Value {
    json!([
        usage["input"].as_f64().unwrap_or(0.0),
        usage["output"].as_f64().unwrap_or(0.0),
        usage["cached"].as_f64().unwrap_or(0.0)
    ])
}

/// What is left of the answer on its way; Ollama does not count apart what was cached.
fn expected(answer: &Answer, way: &[Dialect]) -> Value {
    let mut usage = answer.usage().unwrap_or_default();
    if way.iter().any(|dialect| dialect.base() == Dialect::Ollama) && usage.is_object() {
        usage["cached"] = json!(0);
    }
    json!({"text": answer.text(), "calls": answer.calls(), "finish": answer.finish(), "usage": counts(&usage)})
}

proptest! {
    // 24 unless PROPTEST_CASES says otherwise
    #![proptest_config(cases(24))]

    #[test]
    fn a_response_is_unchanged_through_every_pair(answer in answer()) {
        for from in dialects() {
            let bytes = answer.bytes(from);
            prop_assert_eq!(assembled(from, &bytes), expected(&answer, &[from]), "{}: {}", from.name(), String::from_utf8_lossy(&bytes));
            for to in dialects().filter(|to| *to != Dialect::Canonical) {
                let converted = outcome((from, to), [bytes.as_slice()]);
                prop_assert_eq!(&converted.error, &None);
                prop_assert_eq!(
                    assembled(to, converted.delivered.as_bytes()), expected(&answer, &[from, to]),
                    "{} to {}: {}", from.name(), to.name(), converted.delivered
                );
            }
        }
    }
}
