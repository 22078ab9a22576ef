//! The provider's history may lack only those parts of a response that a warning reports.

use super::facts;
use serde_json::Value;
use std::collections::BTreeSet;
use toolwire::{Warning, WarningCode};

/// Stands for a `state_dropped` whose path is that of a Google signature.
const SIGNATURE: &str = "a signature";

/// Stands for a client whose messages have all reasoning before their content.
pub const REASONING_FIRST: &str = "reasoning first";

/// Stands for a client whose messages have all calls behind their content, thoughts included.
pub const CALLS_LAST: &str = "calls last";

/// Stands for a provider whose streams have no mark between thoughts.
pub const UNMARKED_THOUGHTS: &str = "unmarked thoughts";

/// Stands for a client that has the signature of a text in a thought before it (WIRE §15.4).
pub const SIGNED_BY_THOUGHTS: &str = "signed by thoughts";

/// The codes of the warnings.
pub fn codes(warnings: &[Warning]) -> BTreeSet<&'static str> {
    let is_signature = |warning: &&Warning| {
        warning.code == WarningCode::StateDropped
            && warning.path.to_lowercase().replace('_', "").ends_with("thoughtsignature")
    };
    let signatures = warnings.iter().filter(is_signature).map(|_| SIGNATURE);
    warnings.iter().map(|warning| warning.code.name()).chain(signatures).collect()
}

/// The first fact that differs from the provider's, unless a warning explains it.
pub fn unexplained(given: &[Value], found: &[Value], codes: &BTreeSet<&str>) -> Option<String> {
    // a blank text may be omitted, or joined to another
    let with_blanks = difference(given, found, codes, false)?;
    difference(given, found, codes, codes.contains("empty_dropped")).map(|_| with_blanks)
}

fn difference(given: &[Value], found: &[Value], codes: &BTreeSet<&str>, drops_blanks: bool) -> Option<String> {
    let has = |any: &[&str]| any.iter().any(|code| codes.contains(code));
    // of texts that follow one another, a blank one may be omitted
    let is_blank = |fact: &Value| fact[0] == "text" && fact[1].as_str().is_some_and(|text| text.trim().is_empty());
    let is_kept = |fact: &&Value| !(drops_blanks && is_blank(fact) && !found.contains(fact));
    let mut given: Vec<Value> = facts::joined(given.iter().filter(is_kept).cloned());
    let mut found: Vec<Value> = found.to_vec();
    if has(&["refusal_as_text"]) {
        // the warning may refer to an earlier response
        let all = given.iter_mut().chain(&mut found);
        all.filter(|fact| fact[0] == "refusal").for_each(|fact| fact[0] = "text".into());
    }
    // other providers don't get the native blocks of Anthropic and Google, nor know what these stood between
    if has(&["native_dropped"]) {
        given.retain(|fact| fact[0] != "native" || found.contains(fact));
        given = facts::joined(given);
    }
    let all = given.iter_mut().chain(&mut found);
    // an empty signature is none
    all.filter(|fact| fact[0] == "reasoning" && fact[2] == "").for_each(|fact| fact[2] = Value::Null);
    // some clients don't get the state of reasoning, and those that did not ask for its text get only the state
    if has(&["state_dropped"]) {
        for facts in [&mut given, &mut found] {
            facts.iter_mut().for_each(stateless);
            facts.retain(|fact| !(fact[0] == "reasoning" && fact[1] == ""));
            *facts = facts::joined(facts.drain(..));
        }
    }
    if has(&[REASONING_FIRST]) {
        for facts in [&mut given, &mut found] {
            facts.sort_by_key(|fact| fact[0] != "reasoning");
            *facts = facts::joined(facts.drain(..));
        }
    }
    if has(&[SIGNED_BY_THOUGHTS]) {
        let all = given.iter_mut().chain(&mut found);
        all.filter(|fact| fact[0] == "text" && fact[1] == "").for_each(|fact| fact[0] = "reasoning".into());
    }
    if has(&[CALLS_LAST]) {
        for facts in [&mut given, &mut found] {
            // thoughts on both sides of a text that was moved are compared as one
            if has(&["order_changed"]) {
                facts.sort_by_key(|fact| fact[0].to_string());
            }
            *facts = before_calls(std::mem::take(facts));
        }
    }
    if has(&[UNMARKED_THOUGHTS]) {
        given = facts::signed(given);
        found = facts::signed(found);
    }
    given.retain(|fact| {
        let is_lost = !found.contains(fact);
        let may_be = match fact[0].as_str() {
            Some("reasoning") => has(&["reasoning_dropped", "state_dropped"]),
            Some("text") if fact[1] == "" => has(&[SIGNATURE]),
            Some("text") => drops_blanks && is_blank(fact),
            _ => false,
        };
        !(is_lost && may_be)
    });
    for facts in [&mut given, &mut found] {
        if has(&[SIGNATURE]) {
            unsigned(facts);
        }
        if has(&["order_changed"]) {
            facts.sort_by_key(|fact| fact[0].to_string());
        }
        *facts = facts::joined(facts.drain(..));
        if has(&["id_rewritten"]) {
            facts.iter_mut().filter(|fact| is_call(fact)).for_each(|call| call[1] = Value::Null);
        }
        if has(&["arguments_wrapped"]) {
            facts.iter_mut().filter(|fact| is_call(fact)).for_each(|call| call[3] = Value::Null);
        }
    }
    // models that require a signature get the placeholder that Google documents for calls without one
    let placeholder = |fact: &&mut Value| is_call(fact) && fact[4] == "skip_thought_signature_validator";
    if has(&["default_used", "field_supplied"]) {
        found.iter_mut().filter(placeholder).for_each(|call| call[4] = Value::Null);
    }
    // a call without an id gets one (Q112)
    for (given, found) in given.iter().zip(&mut found).filter(|(given, _)| is_call(given)) {
        if given[1].is_null() || given[1] == "" {
            found[1] = given[1].clone();
        }
    }
    let differs = given.iter().zip(&found).position(|(given, found)| given != found);
    let place = differs.or_else(|| (given.len() != found.len()).then(|| given.len().min(found.len())))?;
    Some(format!("{}\nbecame {}", given.get(place).unwrap_or(&Value::Null), found.get(place).unwrap_or(&Value::Null)))
}

fn is_call(fact: &Value) -> bool {
    fact[0] == "call" || fact[0] == "custom"
}

/// Moves reasoning that follows a call before the first one.
fn before_calls(facts: Vec<Value>) -> Vec<Value> {
    let first = facts.iter().position(is_call).unwrap_or(facts.len());
    let (before, after) = facts.split_at(first);
    let (thoughts, others): (Vec<Value>, Vec<Value>) = after.iter().cloned().partition(|fact| fact[0] == "reasoning");
    facts::joined(before.iter().cloned().chain(thoughts).chain(others))
}

/// Removes the state of reasoning.
fn stateless(fact: &mut Value) {
    if let Some(parts) = fact.as_array_mut().filter(|parts| parts[0] == "reasoning") {
        parts.truncate(2);
    }
}

/// Removes Google's signatures.
fn unsigned(facts: &mut [Value]) {
    for fact in facts {
        if let Some(parts) = fact.as_array_mut() {
            let most = match parts[0].as_str() {
                Some("text") => 2,
                Some("call") => parts.len().min(4),
                _ => parts.len(),
            };
            parts.truncate(most);
        }
    }
}
