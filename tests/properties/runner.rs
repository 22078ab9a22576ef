//! The number of cases and the seed: fixed, unless the environment overrides them.

use proptest::prelude::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestError, TestRng, TestRunner};
use serde_json::Value;

/// The number of requests for each dialect, unless `PROPERTY_CASES` is set.
const CASES: u32 = 10_000;

fn from_environment<T: std::str::FromStr>(name: &str) -> Option<T> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

/// Checks `property` on generated values, which differ between `series`. `share` is the fraction of the usual number of
/// cases.
pub fn check<S: Strategy>(series: u8, strategy: S, share: f64, property: impl Fn(S::Value) -> TestCaseResult) {
    let cases = f64::from(from_environment("PROPERTY_CASES").unwrap_or(CASES)) * share;
    let mut seed = [series; 32];
    seed[..8].copy_from_slice(&from_environment::<u64>("PROPERTY_SEED").unwrap_or(0).to_le_bytes());
    let config = Config { cases: cases as u32, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    match runner.run(&strategy, property) {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

/// The JSON text of a value, as input of a conversion.
pub fn text(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}
