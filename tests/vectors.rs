//! Runs every conformance vector on the text store, natively. `VECTOR=part-of-a-name` selects those to run; with `UPDATE=1`, the outcomes of
//! those that fail are written to their files, for review.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/on_text.rs"]
mod on_text;
mod support;
#[path = "support/update.rs"]
mod update;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};
use support::cases::{Check, checks};

#[test]
fn every_vector_holds() {
    let only = std::env::var("VECTOR").unwrap_or_default();
    let updates = std::env::var("UPDATE").is_ok_and(|update| update == "1");
    assert!(!updates || !only.is_empty(), "UPDATE=1 needs VECTOR=part-of-a-name");
    let mut files: Vec<_> = std::fs::read_dir("tests/vectors").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    let next = AtomicUsize::new(0);
    let worker = || {
        let taken = std::iter::from_fn(|| files.get(next.fetch_add(1, Ordering::Relaxed)));
        taken.map(|file| run(file, &only, updates)).collect::<Vec<_>>()
    };
    let results = thread::scope(|scope| {
        let workers: Vec<_> = (0..available_parallelism().unwrap().get()).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    let passed: usize = results.iter().map(|(passed, _)| passed).sum();
    let mut failures: Vec<_> = results.into_iter().flat_map(|(_, failed)| failed).collect();
    failures.sort();
    println!("{passed} checks of vectors passed, {} failed", failures.len());
    let result = if updates { "differed and were written: npm run format, then review them" } else { "failed" };
    assert!(failures.is_empty(), "{} of the vectors' checks {result}\n{}", failures.len(), failures.join("\n"));
}

/// How many checks passed, and what failed.
fn run(file: &Path, only: &str, updates: bool) -> (usize, Vec<String>) {
    let (mut passed, mut failed) = (0, Vec::new());
    let text = std::fs::read_to_string(file).unwrap();
    let selected = |check: &Check| check.on_text && check.name.contains(only);
    for check in checks(&text).into_iter().filter(selected) {
        let outcome = on_text::run(&check);
        match check.failure(&file.display().to_string(), &outcome) {
            None => passed += 1,
            Some(failure) => failed.push((failure, check.place, outcome)),
        }
    }
    if updates && !failed.is_empty() {
        let outcomes = failed.iter().map(|(_, place, outcome)| (place, outcome));
        std::fs::write(file, update::updated(&text, outcomes)).unwrap();
    }
    (passed, failed.into_iter().map(|(failure, ..)| failure).collect())
}
