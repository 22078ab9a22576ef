//! Generated values, schemas and texts.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "userId", "user_id", "kind", "__proto__", ""]).prop_map(str::to_string)
}

fn scalar() -> impl Strategy<Value = Value> {
    let texts =
        vec!["", "a", "A", "5", "5.5", "true", "yes", "null", "[1]", "{\"a\":1}", "{\"a\"", "2024-05-17", "x@y.z", "é"];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..12).prop_map(Value::from),
        prop::sample::select(vec![0.5, 1.0, 2.5, 1e300, -0.0]).prop_map(Value::from),
        prop::sample::select(texts).prop_map(Value::from),
    ]
}

/// Any JSON.
pub fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            vec((name(), inner), 0..4).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn types() -> impl Strategy<Value = Value> {
    let one = || prop::sample::select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    prop_oneof![one().prop_map(Value::from), prop::collection::btree_set(one(), 1..4).prop_map(|types| json!(types))]
}

/// One keyword that applies to the value itself.
fn assertion() -> impl Strategy<Value = (String, Value)> {
    let keyword =
        |name: &'static str, values: BoxedStrategy<Value>| values.prop_map(move |value| (name.to_string(), value));
    let number = || prop_oneof![(-2_i64..8).prop_map(Value::from), Just(json!(0.5)), Just(json!(2.0))].boxed();
    let count = || (0_u64..4).prop_map(Value::from).boxed();
    let names = || prop::collection::btree_set(name(), 0..3).prop_map(|names| json!(names)).boxed();
    prop_oneof![
        4 => keyword("type", types().boxed()),
        1 => keyword("enum", vec(scalar(), 1..4).prop_map(Value::Array).boxed()),
        1 => keyword("const", value().boxed()),
        1 => keyword("minimum", number()),
        1 => keyword("maximum", number()),
        1 => keyword("exclusiveMinimum", number()),
        1 => keyword("exclusiveMaximum", number()),
        1 => keyword("multipleOf", prop_oneof![(1_i64..4).prop_map(Value::from), Just(json!(0.1))].boxed()),
        1 => keyword("minLength", count()),
        1 => keyword("maxLength", count()),
        1 => keyword("pattern", prop::sample::select(vec!["^a", "5", "^[a-z]*$"]).prop_map(Value::from).boxed()),
        1 => keyword("minItems", count()),
        1 => keyword("maxItems", count()),
        1 => keyword("uniqueItems", any::<bool>().prop_map(Value::from).boxed()),
        1 => keyword("minProperties", count()),
        1 => keyword("maxProperties", count()),
        1 => keyword("required", names()),
        1 => keyword("dependentRequired", vec((name(), names()), 0..2).prop_map(|all| Value::Object(all.into_iter().collect())).boxed()),
        1 => keyword("default", value().boxed()),
    ]
}

/// A schema of keywords with valid values. References point to the root or to `#/$defs/a`.
pub fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => vec(assertion(), 0..3).prop_map(|keywords| Value::Object(keywords.into_iter().collect())),
        1 => any::<bool>().prop_map(Value::from),
        1 => prop::sample::select(vec!["#", "#/$defs/a"]).prop_map(|reference| json!({ "$ref": reference })),
    ];
    let inner = leaf.prop_recursive(4, 24, 4, |inner| {
        let one = [
            "items",
            "additionalProperties",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "propertyNames",
            "unevaluatedProperties",
            "unevaluatedItems",
        ];
        let many = ["allOf", "anyOf", "oneOf", "prefixItems"];
        let named = ["properties", "dependentSchemas", "patternProperties"];
        let keyword = prop_oneof![
            (prop::sample::select(one.to_vec()), inner.clone()).prop_map(|(name, schema)| (name.to_string(), schema)),
            (prop::sample::select(many.to_vec()), vec(inner.clone(), 1..4))
                .prop_map(|(name, all)| (name.to_string(), Value::Array(all))),
            (prop::sample::select(named.to_vec()), vec((name(), inner), 0..4))
                .prop_map(|(name, all)| (name.to_string(), Value::Object(all.into_iter().collect()))),
        ];
        (vec(assertion(), 0..3), vec(keyword, 1..4))
            .prop_map(|(assertions, applied)| Value::Object(assertions.into_iter().chain(applied).collect()))
    });
    (inner.clone(), inner).prop_map(|(mut root, definition)| {
        if let Value::Object(fields) = &mut root {
            fields.insert("$defs".into(), json!({ "a": definition }));
        }
        root
    })
}

/// Any JSON, with many names of keywords.
pub fn strange_schema() -> impl Strategy<Value = Value> {
    let keywords = vec![
        "type",
        "$ref",
        "$id",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$defs",
        "properties",
        "items",
        "prefixItems",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "required",
        "enum",
        "const",
        "default",
        "pattern",
        "minimum",
        "multipleOf",
        "$schema",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contains",
        "minContains",
        "dependencies",
        "patternProperties",
        "format",
    ];
    let references =
        prop::sample::select(vec!["#", "#/anyOf/0", "#/$defs/a", "a", "#a", "http://x/y#z", "(a+)+", "object", "date"]);
    let leaf = prop_oneof![scalar(), references.prop_map(Value::from)];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let keyword = prop::sample::select(keywords.clone()).prop_map(str::to_string);
        prop_oneof![
            1 => vec(inner.clone(), 0..4).prop_map(Value::Array),
            4 => vec((prop_oneof![4 => keyword.boxed(), 1 => name().boxed()], inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Text that resembles JSON.
pub fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ":",
        ",",
        ";",
        "\"",
        "'",
        "`",
        "\\",
        "\\u",
        "\\ud83d",
        "\n",
        " ",
        "a",
        "key",
        "true",
        "nul",
        "None",
        "NaN",
        "1",
        "-",
        ".5",
        "1e",
        "//",
        "/*",
        "*/",
        "#",
        "```",
        "```json\n",
        "...",
        "+",
        "“",
        "”",
        "é",
        "😀",
        "{\"a\":",
        "\"b\"",
        "\u{0}",
        "\u{feff}",
        "f(",
        "=",
    ];
    vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}
