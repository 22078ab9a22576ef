//! Runs every conformance vector in wasm under Node, on both stores. Wasm can't read files, so the vectors are compiled
//! in.

#![allow(clippy::unwrap_used, clippy::panic)]

macro_rules! vectors {
    ($($name:literal)+) => {
        /// Name and content of each file in `tests/vectors`.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/", $name, ".json")))),+];
    };
}

include!("vectors/list.rs");

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn no_file_is_forgotten() {
    let mut found: Vec<String> = std::fs::read_dir("tests/vectors")
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .collect();
    found.sort();
    let listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, found, "tests/vectors/list.rs is stale: npm run docs:vectors");
    assert!(FILES.iter().all(|(_, content)| !content.is_empty()));
}

#[cfg(target_arch = "wasm32")]
#[path = "support/on_js.rs"]
mod on_js;
#[cfg(target_arch = "wasm32")]
#[path = "support/on_text.rs"]
mod on_text;
#[cfg(target_arch = "wasm32")]
mod support;

#[cfg(target_arch = "wasm32")]
mod run {
    use super::support::cases::{Check, Outcome, checks};
    use super::{FILES, on_js, on_text};
    use wasm_bindgen_test::{console_log, wasm_bindgen_test};

    fn hold(applies: impl Fn(&Check) -> bool, run: impl Fn(&Check) -> Outcome) {
        let (mut passed, mut failures) = (0, Vec::new());
        for (file, content) in FILES {
            for check in checks(content).iter().filter(|check| applies(check)) {
                match check.failure(file, &run(check)) {
                    None => passed += 1,
                    Some(failure) => failures.push(failure),
                }
            }
        }
        console_log!("{passed} checks of vectors passed, {} failed", failures.len());
        assert!(failures.is_empty(), "{} of the vectors' checks failed:\n{}", failures.len(), failures.join("\n"));
    }

    #[wasm_bindgen_test]
    fn every_vector_holds_on_text() {
        hold(|check| check.on_text, on_text::run);
    }

    #[wasm_bindgen_test]
    fn every_vector_holds_on_js() {
        hold(|check| check.on_js, on_js::run);
    }
}
