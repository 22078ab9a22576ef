//! A stream that is written in another format reads back as the same response, for all pairs of formats. Bedrock's streams
//! are binary messages, in both directions.

use super::generated::{Response, response};
use super::{dialects, sent};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use toolwire::{Dialect, Options, StreamConverter, StreamReader};

/// Runs a fixed set of cases, unless `PROPTEST_CASES` and `PROPTEST_RNG_SEED` are set. A failing case is printed; add
/// it to the vectors.
pub fn cases(number: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { number };
    let rng_seed = if asked.rng_seed == RngSeed::Random { RngSeed::Fixed(0) } else { asked.rng_seed };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..asked }
}

/// Text, calls, finish reason and usage of the whole response.
fn assembled(from: Dialect, bytes: &[u8]) -> Value {
    let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
    reader.push(bytes).unwrap();
    let response: Value = serde_json::from_slice(&reader.finish().unwrap()).unwrap();
    let calls: Vec<Value> = response["toolCalls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| json!([call["id"], call["name"], call["arguments"]]))
        .collect();
    assert_eq!(response["invalidToolCalls"], json!([]));
    json!({"text": response["text"], "calls": calls, "finish": response["finishReason"], "usage": counts(&response["usage"])})
}

fn converted(from: Dialect, to: Dialect, bytes: &[u8]) -> Vec<u8> {
    let options = Options { bookkeeping: true, include_usage: Some(true), ..Options::default() };
    let mut converter = StreamConverter::new(from, to, options).unwrap();
    let mut written = converter.push(bytes).unwrap();
    written.extend(converter.finish().unwrap());
    written
}

/// The token counts, or 0 if absent: Anthropic's clients require numbers, so unknown counts are written as 0.
fn counts(usage: &Value) -> Value {
    json!([
        usage["input"].as_f64().unwrap_or(0.0),
        usage["output"].as_f64().unwrap_or(0.0),
        usage["cached"].as_f64().unwrap_or(0.0)
    ])
}

/// What the formats on the way preserve of the response. Ollama does not count cached tokens.
fn expected(response: &Response, way: &[Dialect]) -> Value {
    let mut usage = response.usage().unwrap_or_default();
    if way.iter().any(|dialect| dialect.base() == Dialect::Ollama) && usage.is_object() {
        usage["cached"] = json!(0);
    }
    json!({"text": response.text(), "calls": response.calls(), "finish": response.finish(), "usage": counts(&usage)})
}

proptest! {
    // 24 unless PROPTEST_CASES is set
    #![proptest_config(cases(24))]

    #[test]
    fn a_response_is_unchanged_through_every_pair(response in response()) {
        for from in dialects() {
            let bytes = sent(from, response.bytes(from));
            prop_assert_eq!(assembled(from, &bytes), expected(&response, &[from]), "{}: {}", from.name(), String::from_utf8_lossy(&bytes));
            for to in dialects().filter(|to| *to != Dialect::Canonical) {
                let written = converted(from, to, &bytes);
                prop_assert_eq!(
                    assembled(to, &written), expected(&response, &[from, to]),
                    "{} to {}: {}", from.name(), to.name(), String::from_utf8_lossy(&written)
                );
            }
        }
    }
}
