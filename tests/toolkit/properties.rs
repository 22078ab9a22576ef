//! Properties that hold for any schema, any value and any text.

use super::generate::{schema, strange_schema, text, value};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use toolwire::toolkit::{
    Call, CheckOptions, RateLimit, Registry, RegistryOptions, RepairOptions, Schema, SchemaOptions, Tool, repair_json,
};

/// Longer than any check takes, even in a build without optimisation on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);

fn compiled(schema: &Value) -> Option<Schema> {
    Schema::new(schema, &SchemaOptions::default()).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_as_schema_has_a_verdict(schema in strange_schema(), value in value()) {
        let start = Instant::now();
        if let Some(schema) = compiled(&schema) {
            schema.check(value, CheckOptions::default());
        }
        prop_assert!(start.elapsed() < LIMIT);
    }

    #[test]
    fn problems_are_empty_if_and_only_if_the_checked_value_is_accepted(schema in schema(), value in value()) {
        let Some(compiled) = compiled(&schema) else { return Ok(()) };
        let checked = compiled.check(value.clone(), CheckOptions::default());
        prop_assert_eq!(checked.problems.is_empty(), compiled.accepts(&checked.value, true), "{:?}", checked);
        if checked.changes.is_empty() && checked.value != value {
            // Only the form of numbers may differ without a change: `5.0` and `5`, `-0.0` and `0`.
            let plain = |value: &Value| value.to_string().replace("-0.0", "0").replace(".0", "");
            prop_assert_eq!(plain(&checked.value), plain(&value));
        }
    }

    #[test]
    fn a_valid_value_is_only_completed(schema in schema(), value in value()) {
        let Some(compiled) = compiled(&schema) else { return Ok(()) };
        if compiled.accepts(&value, true) {
            let plain = CheckOptions { defaults: false, ..CheckOptions::default() };
            let checked = compiled.check(value, plain);
            prop_assert!(checked.changes.is_empty(), "{:?}", checked);
            prop_assert!(checked.problems.is_empty());
        }
    }

    #[test]
    fn without_options_nothing_changes(schema in schema(), value in value()) {
        let Some(compiled) = compiled(&schema) else { return Ok(()) };
        let none = CheckOptions { coerce: false, clamp: false, defaults: false, formats: true };
        let checked = compiled.check(value.clone(), none);
        prop_assert_eq!(checked.value, value);
        prop_assert!(checked.changes.is_empty());
    }

    #[test]
    fn the_verdict_equals_that_of_another_implementation(schema in schema(), value in value()) {
        let Some(ours) = compiled(&schema) else { return Ok(()) };
        let Ok(theirs) = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&schema) else { return Ok(()) };
        // A double does not determine what such a large number is a multiple of.
        if is_huge(&value) {
            return Ok(());
        }
        // A reference that points to itself has no verdict.
        let checked = ours.check(value.clone(), CheckOptions { coerce: false, clamp: false, defaults: false, formats: false });
        if checked.problems.iter().any(|problem| problem.message.contains("nested too deeply")) {
            return Ok(());
        }
        prop_assert_eq!(checked.problems.is_empty(), theirs.is_valid(&value));
    }

    #[test]
    fn repairs_are_valid_json(text in text()) {
        if let Ok(repaired) = repair_json(&text, &RepairOptions::default()) {
            prop_assert!(serde_json::from_str::<Value>(&repaired.text).is_ok(), "{}", repaired.text);
            for other in &repaired.others {
                prop_assert!(serde_json::from_str::<Value>(other).is_ok(), "{}", other);
            }
            let again = repair_json(&repaired.text, &RepairOptions::default()).unwrap();
            prop_assert_eq!(again.text, repaired.text);
        }
    }

    #[test]
    fn valid_json_is_not_repaired(value in value()) {
        let text = value.to_string();
        let repaired = repair_json(&text, &RepairOptions::default()).unwrap();
        prop_assert_eq!(repaired.text, text);
        prop_assert!(repaired.changes.is_empty() && !repaired.truncated);
    }

    #[test]
    fn a_schema_changes_valid_json_only_by_decoding_strings(schema in schema(), value in value()) {
        // a string that contains broken JSON is decoded, and then repaired
        let is_broken = |text: &str| text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_err();
        prop_assume!(!value.as_str().is_some_and(is_broken));
        let text = value.to_string();
        let schema = compiled(&schema);
        let repaired = repair_json(&text, &RepairOptions { schema: schema.as_ref(), object: false }).unwrap();
        prop_assert!(repaired.changes.iter().all(|change| change.kind == "unescaped") && !repaired.truncated);
        prop_assert!(!repaired.changes.is_empty() || repaired.text == text);
    }

    #[test]
    fn truncated_objects_are_closed(value in value(), cut in 0.0..1.0) {
        let text = json!({ "a": value }).to_string();
        let mut end = 1 + ((text.len() - 2) as f64 * cut) as usize;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let repaired = repair_json(&text[..end], &RepairOptions::default()).unwrap();
        // A bracket at the end of a string may be the closing one after it.
        prop_assert!(repaired.truncated || text[..end].ends_with(['}', ']']), "{:?}", repaired);
        prop_assert_eq!(repaired.text.chars().next(), Some('{'));
    }

    #[test]
    fn calls_never_panic(schema in strange_schema(), arguments in text()) {
        let mut tools = Registry::new(RegistryOptions::default());
        if tools.register(Tool::new("a").parameters(schema), false).is_ok() {
            tools.check(Call::with_text("1", "A", arguments));
            tools.lint();
        }
    }

    #[test]
    fn a_window_never_has_too_many_calls(times in prop::collection::vec(0_u32..3000, 1..60), calls in 1_u32..5) {
        let limit = RateLimit::Window { calls, per_ms: 1000.0 };
        let mut tools = Registry::new(RegistryOptions::default());
        tools.register(Tool::new("a").rate_limit(limit), false).unwrap();
        let mut times = times;
        times.sort_unstable();
        let mut made: Vec<u32> = Vec::new();
        for now in times {
            let before = made.iter().filter(|time| **time + 1000 > now).count();
            let outcome = tools.reserve("a", &Default::default(), f64::from(now));
            prop_assert_eq!(outcome.is_ok(), before < calls as usize);
            match outcome {
                Ok(()) => made.push(now),
                Err(wait) => prop_assert!(wait > 0.0 && wait <= 1000.0),
            }
        }
    }
}

/// Texts that make repairs look at the same characters again and again, in the worst case.
#[test]
fn repairs_take_linear_time() {
    let units = [
        "{",
        "[",
        "{\"a\":",
        "[{",
        "\"a\" ",
        "\"a\",",
        "{\"a\": \"b, c: \"",
        "'",
        "\"",
        "\\",
        "\\\"",
        "/*",
        "//",
        "#",
        "```",
        "```\n{",
        "a: ",
        ", \"",
        ", a",
        ",",
        "}",
        "]",
        "1 ",
        "1,",
        "(",
        "f(",
        "{\"a",
        "\n",
        " ",
        "\"a\": 1, ",
        "{\"a\": 1} ",
        "{'a': 1}\n",
        "x{",
        "...",
        "+\"",
        "\"\"",
        "''",
    ];
    for unit in units {
        for prefix in ["", "{\"a\": \"", "[", "text {\"a\": 1, "] {
            let text = format!("{prefix}{}", unit.repeat(100_000 / unit.len()));
            let start = Instant::now();
            let _ = repair_json(&text, &RepairOptions::default());
            assert!(start.elapsed() < Duration::from_secs(8), "{prefix}{unit} takes {:?}", start.elapsed());
        }
    }
}

/// Schemas with exponentially many combinations of branches.
#[test]
fn branches_that_multiply_have_a_verdict() {
    let mut definitions = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/{}", level + 1) });
        definitions.insert(level.to_string(), json!({ "anyOf": [next, next, next] }));
    }
    definitions.insert("40".into(), json!({ "type": "integer" }));
    let schema = compiled(&json!({ "$ref": "#/$defs/0", "$defs": definitions })).unwrap();
    let start = Instant::now();
    assert!(!schema.check(json!("x"), CheckOptions::default()).problems.is_empty());
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn deep_values_have_a_verdict() {
    let mut deep = json!(1);
    for _ in 0..500 {
        deep = json!([deep]);
    }
    let schema = compiled(&json!({ "type": "array", "items": { "$ref": "#" } })).unwrap();
    assert!(!schema.check(deep, CheckOptions::default()).problems.is_empty());
}

/// Whether a value contains an integer too large for a double.
fn is_huge(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() > 9e15),
        Value::Array(items) => items.iter().any(is_huge),
        Value::Object(members) => members.values().any(is_huge),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}
