//! The types of arguments in formats that write values as plain text: wherever the schema of a tool states them.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use serde_json::{Value, json};
use text_support::calls::{outcome_with, written};
use toolwire::text::Tool;
use toolwire::text::formats::{self, Body, Flag, Format};

/// The formats with one tag per argument.
fn tagged() -> impl Iterator<Item = &'static Format> {
    formats::all().filter(|format| match &format.body {
        Body::Tagged(_) | Body::Nested(_) => true,
        Body::Channels(channels) => channels.inner.is_some(),
        _ => false,
    })
}

/// Whether the text states if a value is a string.
fn states_strings(format: &Format) -> bool {
    matches!(&format.body, Body::Tagged(tagged) if tagged.flag != Flag::None)
}

/// Schemas in which a parameter `p` has this schema.
fn places(schema: &Value) -> Vec<Value> {
    let own = json!({ "type": "object", "properties": { "p": schema } });
    let other = json!({ "type": "object", "properties": { "kind": { "type": "string" } } });
    let mut all = vec![
        own.clone(),
        json!({ "$ref": "#/definitions/A", "definitions": { "A": own } }),
        json!({ "$ref": "#/$defs/B", "properties": other["properties"], "$defs": { "A": own, "B": { "$ref": "#/$defs/A" } } }),
        json!({ "anyOf": [{ "allOf": [{ "$ref": "#/$defs/A" }] }, other], "$defs": { "A": own } }),
        json!({ "allOf": [other, own] }),
        json!({ "oneOf": [other, own] }),
        json!({ "properties": { "p": { "description": "one" } }, "allOf": [own] }),
        json!({ "properties": other["properties"], "if": { "properties": { "kind": { "const": "a" } } }, "then": own, "else": own }),
        json!({ "allOf": [{ "if": { "properties": { "kind": { "const": "a" } } }, "then": own }] }),
        json!({ "properties": other["properties"], "dependentSchemas": { "kind": own } }),
        json!({ "patternProperties": { "^x": { "type": "boolean" }, "^[a-p]$": schema } }),
        json!({ "additionalProperties": schema }),
        json!({ "unevaluatedProperties": schema }),
        json!({ "allOf": [{ "additionalProperties": schema }] }),
    ];
    for (reference, name, target) in [
        ("#/$defs/S", "S", schema.clone()),
        ("#/%24defs/List%5Bint%5D", "List[int]", schema.clone()),
        ("#/$defs/a~1b", "a/b", schema.clone()),
        ("#anchor", "S", json!({ "$anchor": "anchor", "allOf": [schema] })),
        ("T0", "S", json!({ "$id": "T0", "allOf": [schema] })),
        ("https://example.com/root#/$defs/S", "S", schema.clone()),
    ] {
        let id = "https://example.com/root";
        all.push(json!({ "$id": id, "properties": { "p": { "$ref": reference } }, "$defs": { name: target } }));
    }
    for branches in [
        json!({ "allOf": [schema, { "description": "one" }] }),
        json!({ "oneOf": [schema, { "type": "null" }] }),
        json!({ "anyOf": [{ "anyOf": [{ "allOf": [schema] }] }, { "type": "null" }] }),
        json!({ "if": { "minimum": 1 }, "then": schema, "else": schema }),
    ] {
        all.push(json!({ "type": "object", "properties": { "p": branches } }));
    }
    all
}

fn check(format: &'static Format, schema: &Value, value: &Value) {
    let tools = Tool::list(&json!([{ "name": "f", "parameters": schema }])).unwrap();
    let call = json!(["f", { "p": value }]);
    let text = written(format, std::slice::from_ref(&call)).unwrap();
    let found = outcome_with(&tools, format, &text);
    assert_eq!((&*found.calls, found.invalid.len()), (&[call][..], 0), "{}: {schema}\n{text}", format.id);
}

#[test]
fn types_are_found_wherever_a_schema_states_them() {
    let of = |kind: &str| json!({ "type": kind });
    let integers = json!({ "type": "array", "items": of("integer") });
    let object = json!({ "properties": { "a": of("integer"), "s": of("string") } });
    let cases = [
        (of("integer"), json!(7)),
        (of("number"), json!(-0.25)),
        (of("boolean"), json!(true)),
        (of("null"), Value::Null),
        (integers.clone(), json!([1, 2])),
        (json!({ "items": integers }), json!([[1, 2], [3]])),
        (json!({ "type": ["array", "null"], "items": of("string") }), json!(["007", "true"])),
        (object, json!({ "a": 1, "s": "007" })),
        (json!({ "type": "integer", "nullable": true }), Value::Null),
        (json!({ "enum": [1, "2", null] }), json!(1)),
        (json!({ "enum": [1, "2", null] }), json!("2")),
        (json!({ "const": 5 }), json!(5)),
        (of("string"), json!("007")),
        (of("string"), json!("1e5")),
        (of("string"), json!("[1]")),
        (of("string"), json!("true")),
        (of("string"), json!("")),
        (json!({ "enum": ["1", "2"] }), json!("1")),
    ];
    let mut count = 0;
    for (schema, value) in &cases {
        for whole in places(schema) {
            for format in tagged() {
                check(format, &whole, value);
                count += 1;
            }
        }
    }
    assert!(count > 8_000, "{count} calls");
}

#[test]
fn what_the_text_states_to_be_a_string_is_one() {
    let mut count = 0;
    for format in tagged().filter(|format| states_strings(format)) {
        for schema in
            [json!({ "type": ["string", "null", "integer"] }), json!({ "enum": [1, null, "null", "1"] }), json!({})]
        {
            for value in [json!("null"), json!("1"), json!(1), Value::Null] {
                check(format, &json!({ "properties": { "p": schema } }), &value);
                count += 1;
            }
        }
    }
    assert!(count >= 60, "{count} calls");
}

/// Where no string is allowed: models put values in quotation marks, and leave out a value as null.
#[test]
fn a_value_that_can_be_no_string_loses_its_quotation_marks() {
    let cases = [
        ("integer", "\"42\"", json!(42)),
        ("number", "\"-0.5\"", json!(-0.5)),
        ("boolean", "\"true\"", json!(true)),
        ("object", "\"{}\"", json!({})),
        ("integer", "\"many\"", json!("many")),
        ("integer", "null", Value::Null),
        ("integer", "many", json!("many")),
        ("string", "\"42\"", json!("\"42\"")),
        ("string", "null", json!("null")),
    ];
    for format in tagged().filter(|format| !states_strings(format)) {
        for (kind, raw, value) in &cases {
            let schema = json!({ "type": "object", "properties": { "p": { "type": kind } } });
            let tools = Tool::list(&json!([{ "name": "f", "parameters": schema }])).unwrap();
            let text = written(format, &[json!(["f", { "p": raw }])]).unwrap();
            let found = outcome_with(&tools, format, &text);
            assert_eq!(found.calls, [json!(["f", { "p": value }])], "{}: {kind}\n{text}", format.id);
        }
    }
}
