//! JSON, and JSON Schemas: as people write them, as generators write them, and arbitrary ones.

use super::text::{number, text};
use super::{Json, array, object, one_of};
use crate::references;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any JSON of limited depth.
pub fn anything() -> Json {
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number(), text()];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            array(inner.clone(), 4),
            prop::collection::vec((key(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
    .boxed()
}

/// An object, for arguments and data.
pub fn plain_object() -> Json {
    prop::collection::vec((key(), anything()), 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
        .boxed()
}

/// Keys. Some are also keywords of JSON Schema, because properties may have such names (Q19).
fn key() -> BoxedStrategy<String> {
    let keywords = ["type", "properties", "default", "const", "$ref", "enum", "items", "required", "anyOf", "nullable"];
    let odd = ["", "a.b", "a/b", "a~b", "__proto__", "1", "0", "output", "error", "result", "é", "input", "\u{0}"];
    prop_oneof![
        5 => "[a-z]{1,8}".prop_map(String::from),
        2 => prop::sample::select(keywords.to_vec()).prop_map(String::from),
        1 => prop::sample::select(odd.to_vec()).prop_map(String::from),
    ]
    .boxed()
}

const TYPES: &[&str] = &["object", "array", "string", "number", "integer", "boolean", "null"];

/// A schema with the definitions that it references.
pub fn schema() -> Json {
    let definitions = prop::collection::vec((prop::sample::select(vec!["A", "B"]), inner()), 0..3);
    let root = prop_oneof![4 => objects(inner()), 1 => inner()];
    let places = prop::collection::vec(any::<prop::sample::Index>(), 3);
    (root, definitions, prop::sample::select(vec!["$defs", "definitions"]), places)
        .prop_map(|(mut root, definitions, key, places)| {
            if let (Some(root), false) = (root.as_object_mut(), definitions.is_empty()) {
                let definitions: Map<_, _> =
                    definitions.into_iter().map(|(name, definition)| (name.to_owned(), definition)).collect();
                root.insert(key.to_owned(), Value::Object(definitions));
            }
            refer(&mut root, &places);
            root
        })
        .boxed()
}

/// A placeholder for a reference to any schema, until all positions of schemas are known.
const SOMEWHERE: &str = "#somewhere";

/// Replaces the placeholders by references to positions of schemas.
fn refer(schema: &mut Value, places: &[prop::sample::Index]) {
    let mut known = Vec::new();
    references::each(schema, "#", &mut |_, place| known.push(place.to_owned()));
    let mut places = places.iter().cycle();
    references::each(schema, "#", &mut |fields, _| {
        if let (Some(reference), Some(place)) =
            (fields.get_mut("$ref").filter(|known| *known == SOMEWHERE), places.next())
        {
            *reference = json!(place.get(&known));
        }
    });
}

/// A schema that may contain references to definitions, to the root and to missing schemas.
fn inner() -> Json {
    let leaf = prop_oneof![
        6 => plain(),
        1 => references(),
        1 => one_of(&[json!({}), json!(true), json!(false)]),
    ];
    leaf.prop_recursive(4, 20, 4, |inner| {
        prop_oneof![4 => objects(inner.clone()), 2 => lists(inner.clone()), 2 => unions(inner.clone()), 1 => odd(inner)]
    })
    .boxed()
}

fn references() -> Json {
    let targets = [
        SOMEWHERE,
        SOMEWHERE,
        SOMEWHERE,
        "#/$defs/A",
        "#/$defs/B",
        "#/definitions/A",
        "#",
        "#/properties/a",
        "#/properties/%61",
        "#/anyOf/0",
        "#/$defs/Missing",
        "https://example.com/s",
        "#anchor",
    ];
    object(vec![
        ("$ref", 100, one_of(&targets)),
        ("description", 20, text()),
        ("default", 10, anything()),
        ("minimum", 5, number()),
    ])
}

fn plain() -> Json {
    let kinds = prop_oneof![
        6 => one_of(TYPES),
        1 => prop::collection::vec(one_of(TYPES), 1..3).prop_map(Value::Array),
    ];
    object(vec![
        ("type", 90, kinds.boxed()),
        ("title", 5, text()),
        ("description", 20, text()),
        ("enum", 10, array(anything(), 3)),
        ("const", 5, anything()),
        ("default", 5, anything()),
        ("examples", 3, array(anything(), 2)),
        ("nullable", 5, any::<bool>().prop_map(Value::from).boxed()),
        ("format", 10, one_of(&["date-time", "email", "uri", "int32", "my-format", "enum"])),
        ("pattern", 5, text()),
        ("minLength", 4, number()),
        ("maxLength", 4, number()),
        ("minimum", 5, number()),
        ("maximum", 4, number()),
        ("exclusiveMinimum", 4, prop_oneof![number(), Just(json!(true))].boxed()),
        ("exclusiveMaximum", 4, number()),
        ("multipleOf", 3, number()),
        ("deprecated", 2, Just(json!(true)).boxed()),
        ("x-vendor", 3, anything()),
        ("$comment", 2, text()),
    ])
}

fn objects(inner: impl Strategy<Value = Value> + Clone + 'static) -> Json {
    let names = ["a", "b", "type", "$ref", "default", "const", "properties", "enum", "required", "é"];
    let properties =
        prop::collection::vec((prop::sample::select(names.to_vec()), inner.clone()), 0..4).prop_map(|members| {
            Value::Object(members.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect())
        });
    let properties = properties.boxed();
    object(vec![
        (
            "$schema",
            5,
            one_of(&["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"]),
        ),
        ("$id", 2, text()),
        ("type", 92, Just(json!("object")).boxed()),
        ("description", 10, text()),
        ("properties", 90, properties.clone()),
        ("required", 50, array(one_of(&names), 3)),
        ("additionalProperties", 20, prop_oneof![any::<bool>().prop_map(Value::from), inner.clone()].boxed()),
        ("patternProperties", 3, properties.clone()),
        ("propertyNames", 2, inner.clone().boxed()),
        ("minProperties", 3, number()),
        ("dependentSchemas", 2, properties),
        ("unevaluatedProperties", 2, any::<bool>().prop_map(Value::from).boxed()),
        ("propertyOrdering", 2, array(one_of(&names), 3)),
    ])
}

fn lists(inner: impl Strategy<Value = Value> + Clone + 'static) -> Json {
    object(vec![
        ("type", 90, Just(json!("array")).boxed()),
        ("items", 70, prop_oneof![5 => inner.clone().boxed(), 1 => array(inner.clone(), 3)].boxed()),
        ("prefixItems", 15, array(inner.clone(), 3)),
        ("minItems", 15, number()),
        ("maxItems", 10, number()),
        ("uniqueItems", 5, Just(json!(true)).boxed()),
        ("contains", 5, inner.boxed()),
    ])
}

fn unions(inner: impl Strategy<Value = Value> + Clone + 'static) -> Json {
    let one = |key: &'static str| {
        object(vec![
            (key, 100, array(inner.clone(), 3)),
            ("type", 20, one_of(TYPES)),
            ("description", 15, text()),
            ("properties", 10, object(vec![("a", 90, inner.clone().boxed()), ("type", 30, inner.clone().boxed())])),
            ("nullable", 5, Just(json!(true)).boxed()),
        ])
    };
    prop_oneof![one("anyOf"), one("oneOf"), one("allOf")].boxed()
}

/// Rare keywords, and keywords with values of an invalid type.
fn odd(inner: impl Strategy<Value = Value> + Clone + 'static) -> Json {
    let words = [
        "type",
        "properties",
        "required",
        "items",
        "anyOf",
        "allOf",
        "enum",
        "$ref",
        "$defs",
        "additionalProperties",
        "nullable",
        "minItems",
        "description",
        "format",
        "not",
        "if",
        "then",
        "else",
        "prefixItems",
        "dependentRequired",
        "$dynamicRef",
        "$anchor",
        "examples",
        "exclusiveMinimum",
        "contentSchema",
        "propertyNames",
    ];
    let value = prop_oneof![anything(), inner];
    prop::collection::vec((prop::sample::select(words.to_vec()), value), 1..4)
        .prop_map(|members| Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
        .boxed()
}
