//! Targets that rewrite schemas get one that is valid under their own rules, whatever the input.

use crate::generate;
use crate::runner::{check, text};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use serde_json::{Map, Value, json};
use toolwire::{Dialect, Options, Subject, convert_text};

/// A target, and its rules beyond those of JSON Schema.
struct Target {
    name: &'static str,
    to: Dialect,
    kind: Subject,
    options: Value,
    /// The pointers to the schema and to its `strict` in the written body.
    schema: &'static str,
    strict: Option<&'static str>,
    /// Types are in upper case, one only; sizes are decimal strings; keywords require their own type.
    is_openapi: bool,
    /// Objects allow no additional properties, and all properties are required.
    is_closed: bool,
    is_complete: bool,
}

fn targets() -> Vec<Target> {
    let tools = |name, to, schema, strict| Target {
        name,
        to,
        kind: Subject::Tools,
        options: json!({}),
        schema,
        strict,
        is_openapi: false,
        is_closed: false,
        is_complete: false,
    };
    let openapi = || json!({ "geminiSchema": "openapi" });
    vec![
        Target {
            options: openapi(),
            is_openapi: true,
            ..tools("gemini", Dialect::Gemini, "/0/functionDeclarations/0/parameters", None)
        },
        Target {
            options: openapi(),
            kind: Subject::Request,
            is_openapi: true,
            ..tools("gemini format", Dialect::Gemini, "/generationConfig/responseSchema", None)
        },
        tools("ollama", Dialect::Ollama, "/0/function/parameters", None),
        Target {
            is_closed: true,
            is_complete: true,
            ..tools("openai", Dialect::OpenAI, "/0/function/parameters", Some("/0/function/strict"))
        },
        Target {
            is_closed: true,
            is_complete: true,
            ..tools("openai-responses", Dialect::OpenAIResponses, "/0/parameters", Some("/0/strict"))
        },
        Target { is_closed: true, ..tools("anthropic", Dialect::Anthropic, "/0/input_schema", Some("/0/strict")) },
        Target {
            kind: Subject::Request,
            ..tools("anthropic format", Dialect::Anthropic, "/output_config/format/schema", None)
        },
    ]
}

const TYPES: &[&str] = &["object", "array", "string", "number", "integer", "boolean", "null"];

impl Target {
    fn written(&self, schema: &Value) -> Option<Value> {
        let input = match self.kind {
            Subject::Tools => json!([{ "name": "f", "parameters": schema, "strict": self.strict.is_some() }]),
            _ => json!({ "messages": [{ "role": "user", "content": "Hi" }], "maxTokens": 9,
                "responseFormat": { "type": "jsonSchema", "schema": schema, "strict": true } }),
        };
        let options: Options = serde_json::from_value(self.options.clone()).unwrap();
        let written = convert_text(text(&input), self.kind, Dialect::Canonical, self.to, options).ok()?;
        let body: Value = serde_json::from_slice(&written.body).unwrap();
        // a schema stays unchanged if strict mode was turned off
        let is_rewritten = self.strict.is_none_or(|place| body.pointer(place) == Some(&Value::Bool(true)));
        body.pointer(self.schema).filter(|_| is_rewritten).cloned()
    }

    fn valid(&self, schema: &Value) -> Result<(), String> {
        let Some(fields) = schema.as_object() else { return Err(format!("{schema} is no schema")) };
        for (key, value) in fields {
            self.keyword(key, value).map_err(|why| format!("{key}: {why}: {value}"))?;
        }
        let types: Vec<String> = match &fields.get("type") {
            Some(Value::String(name)) => vec![name.to_lowercase()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let is = |name: &str| types.iter().any(|known| known == name);
        let names: Vec<&String> =
            fields.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys).collect();
        let required = fields.get("required").and_then(Value::as_array);
        if (self.is_openapi || self.is_complete)
            && required.into_iter().flatten().any(|name| !names.iter().any(|known| *known == name))
        {
            return Err("required names what is not declared".to_owned());
        }
        if self.is_complete && required.map_or(0, Vec::len) < names.len() {
            return Err("a property is not required".to_owned());
        }
        if self.is_closed && is("object") && fields.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Err("an object is not closed".to_owned());
        }
        if self.is_openapi && !types.is_empty() {
            for (word, name) in [
                ("properties", "object"),
                ("required", "object"),
                ("propertyOrdering", "object"),
                ("minProperties", "object"),
                ("maxProperties", "object"),
                ("items", "array"),
                ("minItems", "array"),
                ("maxItems", "array"),
                ("minLength", "string"),
                ("maxLength", "string"),
                ("pattern", "string"),
            ] {
                if fields.contains_key(word) && !is(name) {
                    return Err(format!("{word} beside the type {types:?}"));
                }
            }
        }
        if self.is_openapi && fields.contains_key("properties") && !is("object") {
            return Err("properties without the type of objects".to_owned());
        }
        Ok(())
    }

    /// Checks the value of a keyword.
    fn keyword(&self, key: &str, value: &Value) -> Result<(), String> {
        let fits = match key {
            "type" if self.is_openapi => {
                value.as_str().is_some_and(|name| TYPES.contains(&&*name.to_lowercase()) && name.to_uppercase() == name)
            }
            "type" => match value {
                Value::String(name) => TYPES.contains(&&**name),
                Value::Array(names) => {
                    let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
                    !names.is_empty() && names.iter().all(known) && distinct(names)
                }
                _ => false,
            },
            "properties" | "$defs" | "definitions" => {
                let Some(all) = value.as_object() else { return Err("no object of schemas".to_owned()) };
                return all.values().try_for_each(|inner| self.valid(inner));
            }
            "anyOf" => {
                let Some(all) = value.as_array().filter(|all| !all.is_empty()) else {
                    return Err("no list of schemas".to_owned());
                };
                return all.iter().try_for_each(|inner| self.valid(inner));
            }
            // a tuple, as in older drafts
            "items" if self.to.base() == Dialect::Ollama && value.is_array() => {
                return value.as_array().into_iter().flatten().try_for_each(|inner| self.valid(inner));
            }
            "items" => return self.valid(value),
            "additionalProperties" => *value == Value::Bool(false),
            "required" | "propertyOrdering" => {
                value.as_array().is_some_and(|names| names.iter().all(Value::is_string) && distinct(names))
            }
            "enum" if self.is_openapi => {
                value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(Value::is_string))
            }
            "enum" => value.as_array().is_some_and(|all| !all.is_empty()),
            "title" | "description" | "format" | "pattern" | "$ref" | "$schema" => value.is_string(),
            "nullable" => value.is_boolean(),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => value.is_number(),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
                if self.is_openapi =>
            {
                value.as_str().is_some_and(|digits| digits.parse::<u64>().is_ok())
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" => {
                value.as_f64().is_some_and(|size| size >= 0.0 && size.fract() == 0.0)
            }
            "const" | "default" | "example" => true,
            _ => return Err("a keyword that the target does not have".to_owned()),
        };
        if fits { Ok(()) } else { Err("it holds the wrong thing".to_owned()) }
    }
}

fn distinct(values: &[Value]) -> bool {
    values.iter().enumerate().all(|(index, value)| !values[..index].contains(value))
}

fn all_valid(schema: &Value) -> TestCaseResult {
    for target in targets() {
        let Some(written) = target.written(schema) else { continue };
        target
            .valid(&written)
            .map_err(|why| TestCaseError::fail(format!("{}: {why}\nin {written}\nfrom {schema}", target.name)))?;
    }
    Ok(())
}

/// Keywords with any value at any depth; some have valid values.
fn misused() -> BoxedStrategy<Value> {
    const WORDS: &[&str] = &[
        "type",
        "properties",
        "required",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "enum",
        "const",
        "nullable",
        "pattern",
        "format",
        "title",
        "description",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minLength",
        "maxItems",
        "default",
        "additionalProperties",
        "prefixItems",
        "propertyOrdering",
        "minProperties",
        "multipleOf",
        "examples",
        "$defs",
        "$ref",
        "not",
        "patternProperties",
    ];
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(5)),
        Just(json!(-1)),
        Just(json!(1.5)),
        Just(json!("a")),
        Just(json!("any")),
        Just(json!("")),
        Just(json!([])),
        Just(json!({})),
        Just(json!(["a", 5])),
        Just(json!(["a", "a"])),
        Just(json!(null)),
        Just(json!(["string", "null"])),
        Just(json!(["string", "string"])),
        Just(json!("OBJECT")),
        Just(json!("true")),
        prop::sample::select(TYPES.to_vec()).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let keywords = prop::collection::vec((prop::sample::select(WORDS.to_vec()), inner.clone()), 0..5);
        let kinds = prop::sample::select(TYPES.to_vec());
        let schema = (keywords, kinds, any::<bool>()).prop_map(|(members, kind, typed)| {
            let mut fields: Map<_, _> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            if typed {
                fields.insert("type".to_owned(), kind.into());
            }
            Value::Object(fields)
        });
        let map = prop::collection::vec((prop::sample::select(vec!["a", "b", "c.d"]), inner.clone()), 0..3).prop_map(
            |members| Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        );
        prop_oneof![4 => schema, 2 => map, 1 => prop::collection::vec(inner, 0..3).prop_map(Value::Array)]
    })
    .boxed()
}

/// The same as properties of an object, which reach more of the rules.
fn misused_in_objects() -> BoxedStrategy<Value> {
    (misused(), misused())
        .prop_map(|(a, b)| json!({ "type": "object", "properties": { "a": a, "b": b }, "required": ["a"] }))
        .boxed()
}

#[test]
fn misused_keywords_leave_valid_schemas() {
    check(21, misused_in_objects(), 0.3, |schema| all_valid(&schema));
}

#[test]
fn anything_as_a_schema_leaves_a_valid_one() {
    check(22, prop_oneof![misused(), generate::anything()], 0.2, |schema| all_valid(&schema));
}

#[test]
fn schemas_leave_valid_ones() {
    check(23, generate::schema(), 0.1, |schema| all_valid(&schema));
}
