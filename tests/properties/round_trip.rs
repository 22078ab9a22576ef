//! A round trip preserves the content of a request, except as `docs/round-trips.md` describes; every other difference
//! has a warning.

use crate::facts::{Fact, facts_of};
use crate::normalise::normalise;
use crate::trips::{Trip, shown};
use serde_json::Value;
use std::collections::HashMap;
use toolwire::{Dialect, Options, Warning, WarningCode};

/// Warnings about added content, which may be at another position than their path.
const ADDS: &[WarningCode] =
    &[WarningCode::DefaultUsed, WarningCode::FieldSupplied, WarningCode::ResultSynthesized, WarningCode::OrphanAsText];
/// Warnings about a changed order.
const MOVES: &[WarningCode] = &[
    WarningCode::ResultsMoved,
    WarningCode::OrderChanged,
    WarningCode::SystemMoved,
    WarningCode::OrphanAsText,
    WarningCode::MediaMoved,
];

pub fn holds(request: &Value, to: Dialect, options: &Options, trip: &Trip) -> Result<(), String> {
    let read: Value = serde_json::from_slice(&trip.read.body).map_err(|error| error.to_string())?;
    let warnings = &trip.written.warnings;
    let mut given = facts_of(&normalise(request, to, options));
    let mut found = facts_of(&normalise(&read, to, options));
    blank_names(warnings, &mut given, &mut found);
    let explain = |why: String| {
        format!("{why}\n{}\nis read as {}\nwarned: {}", shown(&trip.written), shown(&trip.read), list(warnings))
    };

    let mut counts: HashMap<String, i64> = HashMap::new();
    found.iter().for_each(|fact| *counts.entry(fact.key()).or_default() += 1);
    // of equal facts, those with a warning are considered lost first
    let has_warning = |fact: &&Fact| warnings.iter().any(|warning| covers(warning, &fact.at));
    let (reported, unreported): (Vec<&Fact>, Vec<&Fact>) = given.iter().partition(has_warning);
    let mut found_again = |fact: &&Fact| {
        let left = counts.entry(fact.key()).or_default();
        *left -= 1;
        *left >= 0
    };
    let silent = unreported.into_iter().find(|fact| !found_again(fact));
    let lost: Vec<&Fact> = reported.into_iter().filter(|fact| !found_again(fact)).collect();
    if let Some(fact) = silent {
        return Err(explain(format!("lost without a warning at {}: {}", fact.at, fact.key())));
    }
    let added = found
        .iter()
        .find(|fact| counts.get(&fact.key()).is_some_and(|left| *left > 0) && !is_family(fact) && !is_schema(fact));
    let may_add = !lost.is_empty() || warnings.iter().any(|warning| ADDS.contains(&warning.code));
    if let Some(fact) = added.filter(|_| !may_add) {
        return Err(explain(format!("added without a warning: {}", fact.key())));
    }
    let is_moved = warnings.iter().any(|warning| MOVES.contains(&warning.code));
    if lost.is_empty() && !is_moved && !may_add && order(&given, to) != order(&found, to) {
        return Err(explain("in another order, without a warning".to_owned()));
    }
    Ok(())
}

/// Fields of one dialect may be anywhere.
fn is_family(fact: &Fact) -> bool {
    fact.at.contains("/metadata/")
}

/// Another test checks how alternatives at the root of a schema are converted.
fn is_schema(fact: &Fact) -> bool {
    matches!(fact.kind.as_str(), "tool parameters" | "responseFormat.schema")
}

/// The order of the messages' content, without refusals and reasoning, and without images on Ollama: these may have a
/// separate place.
fn order(facts: &[Fact], to: Dialect) -> Vec<String> {
    let is_separate = |kind: &str| {
        matches!(kind, "assistant refusal" | "reasoning") || to.base() == Dialect::Ollama && kind.ends_with(" media")
    };
    let has_place = |fact: &&Fact| fact.at.starts_with("/messages") && !is_family(fact) && !is_separate(&fact.kind);
    facts.iter().filter(has_place).map(Fact::key).collect()
}

/// Whether the path of the warning contains the position, or is inside of it.
fn covers(warning: &Warning, at: &str) -> bool {
    if warning.code == WarningCode::ToolsFiltered && at.starts_with("/tools/") {
        return true;
    }
    if warning.code == WarningCode::ChoiceDropped && at == "/parallelToolCalls" {
        return true;
    }
    let below = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let adds = matches!(warning.code, WarningCode::DefaultUsed | WarningCode::FieldSupplied);
    let is_added = adds && warning.path.is_empty();
    !is_added && (below(at, &warning.path) || below(&warning.path, at))
}

/// If names were rewritten, ignores all names.
fn blank_names(warnings: &[Warning], given: &mut [Fact], found: &mut [Fact]) {
    let rewritten = warnings.iter().filter(|warning| warning.code == WarningCode::NameRewritten);
    if rewritten.count() == 0 {
        return;
    }
    given.iter_mut().chain(found).filter_map(name_of).for_each(|name| *name = Value::Null);
}

fn name_of(fact: &mut Fact) -> Option<&mut Value> {
    match fact.kind.as_str() {
        "result" => Some(&mut fact.value),
        "call" => fact.value.get_mut("name"),
        "tool" => fact.value.get_mut(0),
        "toolChoice" if fact.value.get("name").is_some() => fact.value.get_mut("name"),
        "toolChoice" => fact.value.get_mut("allowed"),
        _ => None,
    }
}

fn list(warnings: &[Warning]) -> String {
    warnings.iter().map(|warning| format!("{} {}", warning.code.name(), warning.path)).collect::<Vec<_>>().join(", ")
}
