//! Schemas for servers that enforce JSON Schema. Keywords are removed if the server ignores or rejects them, or enforces more than they mean.
//!
//! What each engine does was observed: llama.cpp's converter (llama-cpp-python 0.3.36), outlines-core 0.2.14, `XGrammar` 0.2.8.

use super::bounds::check_nesting;
use super::keywords::{LARK, Policy, TAGS};
use super::schema::{Cleaner, Raw};
use super::unique::Names;
use crate::json::{Map, Value, json};
use crate::text::write::{Report, WriteWarning};
use crate::text::{Result, TextError};
use crate::words::{listed, named, words};

/// llama.cpp refuses counts from this number on.
const COUNTS: f64 = 2_000.0;

static LLAMA: Policy = Policy { more: &[], formats: &[], rewrites: true, drops: is_ignored_by_llama, ..LARK };
static OUTLINES: Policy = Policy { more: &[], formats: &["email"], drops: is_ignored_by_outlines, ..LARK };

words! {
    /// What servers convert schemas with.
    pub enum Converter as "SchemaConverter" { XGrammar "xgrammar", Llama "llama.cpp", Outlines "outlines" }
}

/// The schema for a converter, by its name, with its definitions. The paths of warnings are relative to the schema.
///
/// # Errors
/// The converter is unknown, or the schema is nested too deeply or has too many parts, once references are followed.
pub fn server_schema(schema: &Value, converter: &str) -> Result<(Value, Vec<WriteWarning>)> {
    let Some(converter) = named(Converter::WORDS, converter) else {
        return Err(TextError::new("/converter", format!("expected {}", listed(Converter::WORDS))));
    };
    let (policy, any) = match converter {
        Converter::XGrammar => (&TAGS, Value::Bool(true)),
        Converter::Llama => (&LLAMA, json!({})),
        Converter::Outlines => {
            (&OUTLINES, json!({ "type": ["string", "number", "boolean", "null", "object", "array"] }))
        }
    };
    let mut report = Report::default();
    let mut cleaner = Cleaner { policy, raw: Raw::Nowhere, report: &mut report, names: Names::default() };
    check_nesting(schema, "")?;
    let clean = cleaner.clean(schema, schema, "value", "")?;
    let mut whole = clean.schema;
    if let (Value::Object(map), false) = (&mut whole, clean.definitions.is_empty()) {
        map.insert("$defs".to_owned(), Value::Object(clean.definitions));
    }
    Ok((if any == Value::Bool(true) { whole } else { without_booleans(whole, &any) }, report.warnings))
}

/// Replaces schemas that are booleans, which these engines refuse.
fn without_booleans(schema: Value, any: &Value) -> Value {
    let Value::Object(map) = schema else { return if schema == Value::Bool(false) { schema } else { any.clone() } };
    // Outlines
    let closes = any.get("type").is_some();
    let is_object = map.contains_key("properties");
    let is_tuple = map.contains_key("prefixItems");
    let mut out = Map::new();
    for (keyword, value) in map {
        let value = match (keyword.as_str(), value) {
            // objects with declared properties and tuples have no others there
            ("additionalProperties", _) if is_object && closes => continue,
            ("items", Value::Bool(false)) if is_tuple => continue,
            ("additionalProperties", Value::Bool(false)) if closes => {
                out.insert("properties".to_owned(), json!({}));
                continue;
            }
            ("properties" | "$defs", Value::Object(entries)) => Value::Object(
                entries
                    .into_iter()
                    .filter(|(_, schema)| *schema != Value::Bool(false))
                    .map(|(key, schema)| (key, without_booleans(schema, any)))
                    .collect(),
            ),
            ("items" | "additionalProperties", value) => without_booleans(value, any),
            ("anyOf" | "prefixItems", Value::Array(list)) => {
                list.into_iter().map(|schema| without_booleans(schema, any)).collect()
            }
            (_, value) => value,
        };
        out.insert(keyword, value);
    }
    Value::Object(out)
}

fn is_ignored_by_llama(keyword: &str, value: &Value, beside: &Map<String, Value>) -> bool {
    match keyword {
        "format" => !matches!(value.as_str(), Some("date" | "time" | "date-time" | "uuid")),
        // it is anchored when it is written out
        "pattern" => false,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            beside.get("type") != Some(&json!("integer"))
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" if value.as_f64().is_some_and(|count| count >= COUNTS) => {
            true
        }
        _ => is_ignored_by_both(keyword, value, beside),
    }
}

fn is_ignored_by_outlines(keyword: &str, value: &Value, beside: &Map<String, Value>) -> bool {
    match keyword {
        "format" => !matches!(value.as_str(), Some("date" | "time" | "date-time" | "uuid" | "email")),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => true,
        _ => is_ignored_by_both(keyword, value, beside),
    }
}

fn is_ignored_by_both(keyword: &str, value: &Value, beside: &Map<String, Value>) -> bool {
    match keyword {
        "pattern" => !value.as_str().is_some_and(|source| source.starts_with('^') && source.ends_with('$')),
        "minLength" | "maxLength" => beside.contains_key("pattern") || beside.contains_key("format"),
        // these engines allow no items after those of a tuple
        "prefixItems" | "items" => {
            beside.contains_key("prefixItems") && beside.get("items") != Some(&Value::Bool(false))
        }
        _ => false,
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::server_schema;
    use serde_json::json;

    #[test]
    fn patterns_are_written_with_what_llama_cpp_reads() {
        for (source, expected) in [
            (r"^[A-Z]{3}-x+$", "^[A-Z]{3}-(x)+$"),
            (r"^\d+$", "^[0-9]+$"),
            (r"^[\w-]+$", r"^[\x2d0-9A-Z_a-z]+$"),
            (r"^(?:a|\.b)*$", "^(a|[.]b)*$"),
        ] {
            let (made, warnings) = server_schema(&json!({ "type": "string", "pattern": source }), "llama.cpp").unwrap();
            assert_eq!((&made["pattern"], warnings.len()), (&json!(expected), 0), "{source}");
        }
        for source in [r"^\S+$", r"^a\sb$", "^.$", r"^[^@]+@\D$", "b"] {
            let (made, _) = server_schema(&json!({ "type": "string", "pattern": source }), "llama.cpp").unwrap();
            let made = made["pattern"].as_str().unwrap();
            assert!(made.starts_with('^') && made.ends_with('$'), "{made}");
            assert!(!["\\d", "\\D", "\\s", "\\S", "\\w", "(?", "\""].iter().any(|part| made.contains(part)), "{made}");
        }
    }

    #[test]
    fn keywords_that_an_engine_ignores_or_refuses_are_omitted_and_reported() {
        let schema = json!({
            "type": "object",
            "properties": {
                "any": { "description": "anything" },
                "none": { "type": "object", "additionalProperties": false },
                "open": { "type": "object", "properties": { "a": true }, "additionalProperties": { "type": "integer" } },
                "tuple": { "type": "array", "prefixItems": [{ "type": "string" }], "items": { "type": "integer" } },
                "pair": { "type": "array", "prefixItems": [{ "type": "string" }], "items": false },
                "both": { "allOf": [{ "type": "string", "minLength": 2 }, { "pattern": "^a$" }] },
                "long": { "type": "string", "maxLength": 65536 },
                "near": { "type": "integer", "minimum": 1, "not": { "const": 3 } },
                "mail": { "type": "string", "format": "email" },
            },
        });
        let any = json!({ "type": ["string", "number", "boolean", "null", "object", "array"] });
        for (engine, any, expected) in [
            (
                "llama.cpp",
                json!({}),
                vec!["tuple/prefixItems", "tuple/items", "both/minLength", "long/maxLength", "near/not", "mail/format"],
            ),
            ("outlines", any, vec!["tuple/prefixItems", "tuple/items", "both/minLength", "near/minimum", "near/not"]),
        ] {
            let (made, warnings) = server_schema(&schema, engine).unwrap();
            let paths: Vec<&str> =
                warnings.iter().map(|warning| warning.path.strip_prefix("/properties/").unwrap()).collect();
            assert_eq!(paths, expected, "{engine}");
            let made = &made["properties"];
            assert_eq!(made["any"], any);
            let none = if engine == "outlines" { "properties" } else { "additionalProperties" };
            assert_eq!(made["none"].as_object().unwrap().keys().collect::<Vec<_>>(), ["type", none]);
            assert_eq!(made["open"]["properties"], json!({ "a": any }));
            assert_eq!(made["open"].get("additionalProperties").is_some(), engine == "llama.cpp");
            assert_eq!(made["tuple"], json!({ "type": "array" }));
            assert_eq!(made["pair"], json!({ "type": "array", "prefixItems": [{ "type": "string" }] }));
            assert_eq!(made["both"], json!({ "type": "string", "pattern": "^a$" }));
        }
        let (made, warnings) = server_schema(&schema, "xgrammar").unwrap();
        assert_eq!(made["properties"]["open"]["additionalProperties"], json!({ "type": "integer" }));
        assert!(warnings.iter().any(|warning| warning.path == "/properties/long/maxLength"));
        assert_eq!(server_schema(&schema, "other").unwrap_err().path, "/converter");
    }
}
