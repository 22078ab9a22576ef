//! Schemas for each target contain no keyword that it refuses, are not changed by a second conversion, and have a
//! warning for every loss.

use crate::runner::{check, text};
use crate::{generate, references};
use proptest::test_runner::{TestCaseError, TestCaseResult};
use serde_json::{Value, json};
use toolwire::{Converted, Dialect, Options, Subject, WarningCode, convert_text};

/// The keywords of OpenAI's strict mode (Q8, Q23).
const OPENAI: &[&str] = &[
    "type",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "anyOf",
    "enum",
    "const",
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "title",
    "description",
    "default",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "format",
];
/// The keywords of Anthropic's strict mode (Q23, Q25).
const ANTHROPIC: &[&str] = &[
    "type",
    "properties",
    "required",
    "items",
    "minItems",
    "additionalProperties",
    "anyOf",
    "enum",
    "const",
    "$ref",
    "$defs",
    "definitions",
    "title",
    "description",
    "format",
];
/// The keywords of Google's OpenAPI dialect (Q2).
const GOOGLE: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "propertyOrdering",
    "minProperties",
    "maxProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "default",
];

/// The keywords that Ollama's server reads (WIRE §8.1).
const OLLAMA: &[&str] = &["type", "description", "enum", "items", "properties", "required", "anyOf"];

struct Target {
    to: Dialect,
    options: Value,
    is_strict: bool,
    /// The pointer to the schema in the written body, and whether the schema is strict there.
    schema: &'static str,
    strict: Option<&'static str>,
    keywords: Option<&'static [&'static str]>,
}

fn targets() -> Vec<Target> {
    let responses = |is_strict| Target {
        to: Dialect::OpenAIResponses,
        options: json!({}),
        is_strict,
        schema: "/0/parameters",
        strict: Some("/0/strict"),
        keywords: Some(OPENAI),
    };
    let ollama = Target {
        to: Dialect::Ollama,
        options: json!({}),
        is_strict: false,
        schema: "/0/function/parameters",
        strict: None,
        keywords: Some(OLLAMA),
    };
    let openai = |is_strict| Target {
        to: Dialect::OpenAI,
        options: json!({}),
        is_strict,
        schema: "/0/function/parameters",
        strict: Some("/0/function/strict"),
        keywords: Some(OPENAI),
    };
    let anthropic = |is_strict| Target {
        to: Dialect::Anthropic,
        schema: "/0/input_schema",
        strict: Some("/0/strict"),
        keywords: Some(ANTHROPIC),
        ..openai(is_strict)
    };
    let google = |schema, options, keywords| Target {
        to: Dialect::Gemini,
        options,
        schema,
        strict: None,
        keywords,
        ..openai(false)
    };
    vec![
        openai(false),
        openai(true),
        responses(false),
        responses(true),
        ollama,
        anthropic(false),
        anthropic(true),
        google("/0/functionDeclarations/0/parametersJsonSchema", json!({}), None),
        google("/0/functionDeclarations/0/parameters", json!({ "geminiSchema": "openapi" }), Some(GOOGLE)),
    ]
}

fn write(target: &Target, schema: &Value, is_strict: bool) -> Option<Converted> {
    let tools = json!([{ "name": "f", "parameters": schema, "strict": is_strict }]);
    let options: Options = serde_json::from_value(target.options.clone()).unwrap();
    convert_text(text(&tools), Subject::Tools, Dialect::Canonical, target.to, options).ok()
}

fn holds(target: &Target, schema: &Value) -> Result<(), String> {
    let Some(written) = write(target, schema, target.is_strict) else { return Ok(()) };
    let body: Value = serde_json::from_slice(&written.body).map_err(|error| error.to_string())?;
    let Some(fitted) = body.pointer(target.schema) else { return Ok(()) };
    let is_strict =
        target.strict.map_or(target.keywords.is_some(), |place| body.pointer(place) == Some(&Value::Bool(true)));
    if let Some(keywords) = target.keywords.filter(|_| is_strict) {
        only(fitted, keywords).map_err(|keyword| format!("{keyword:?} is refused in {fitted}"))?;
        reported(schema, keywords, &written)
            .map_err(|keyword| format!("{keyword:?} is lost without a warning: {fitted}"))?;
    }
    references::lead_somewhere(schema, fitted, target.keywords.is_some() && is_strict)
        .map_err(|why| format!("{why} in {fitted}"))?;
    if target.to.base() == Dialect::Ollama {
        go_reads(fitted, schema).map_err(|why| format!("{why} in {fitted}"))?;
    }
    // a converted schema converts to itself; for Google's OpenAPI dialect, the round trip checks that
    if target.options == json!({}) {
        let Some(again) = write(target, fitted, is_strict && target.strict.is_some()) else {
            return Err(format!("is refused: {fitted}"));
        };
        let body: Value = serde_json::from_slice(&again.body).map_err(|error| error.to_string())?;
        let changed = again.warnings.iter().find(|warning| warning.code == WarningCode::SchemaChanged);
        if let Some(warning) = changed {
            return Err(format!("changes again at {} {fitted}", warning.path));
        }
        if body.pointer(target.schema) != Some(fitted) {
            return Err(format!("{fitted} becomes {body}"));
        }
    }
    Ok(())
}

/// Whether the schema and its subschemas match the Go types of the server, which refuses the request otherwise. Values
/// that are invalid in the input stay, so that the server reports them.
fn go_reads(schema: &Value, given: &Value) -> Result<(), String> {
    let Some(fields) = schema.as_object() else {
        return if schema.is_null() { Ok(()) } else { Err(format!("{schema} is no object")) };
    };
    let texts = |value: &Value| value.as_array().is_some_and(|texts| texts.iter().all(Value::is_string));
    for (key, value) in fields {
        let fits = match key.as_str() {
            "type" => value.is_string() || texts(value),
            "description" => value.is_string(),
            "required" => texts(value),
            "properties" => value.as_object().is_some_and(|all| all.values().all(Value::is_object)),
            "anyOf" => value.as_array().is_some_and(|all| all.iter().all(Value::is_object)),
            "enum" => value.is_array(),
            // any value
            _ => true,
        };
        let is_given = |value: &Value| contains(given, key, value);
        // lists of names are joined
        let all_given = || value.as_array().is_some_and(|all| all.iter().all(is_given));
        if !fits && !is_given(value) && !all_given() {
            return Err(format!("{key:?} is {value}"));
        }
        match value {
            Value::Object(properties) if fits && key == "properties" => {
                properties.values().try_for_each(|inner| go_reads(inner, given))?;
            }
            Value::Array(schemas) if fits && key == "anyOf" => {
                schemas.iter().try_for_each(|inner| go_reads(inner, given))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether an object anywhere has the key with this value, or with a list that contains it.
fn contains(given: &Value, key: &str, value: &Value) -> bool {
    match given {
        Value::Object(fields) => {
            let known = fields.get(key);
            let lists = |known: &Value| known.as_array().is_some_and(|all| all.contains(value));
            known == Some(value) || known.is_some_and(lists) || fields.values().any(|inner| contains(inner, key, value))
        }
        Value::Array(elements) => elements.iter().any(|inner| contains(inner, key, value)),
        _ => false,
    }
}

/// Keywords that don't constrain values, and keywords that are expressed by others.
const RESTATED: &[&str] = &[
    "$schema",
    "$id",
    "$anchor",
    "$comment",
    "title",
    "$defs",
    "definitions",
    "oneOf",
    "allOf",
    "const",
    "prefixItems",
    "items",
    "nullable",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "examples",
    // removed if the object has a property that the target can't name
    "additionalProperties",
];

/// The first keyword at the root that was removed without a warning.
fn reported(schema: &Value, keywords: &[&str], written: &Converted) -> Result<(), String> {
    for (key, value) in schema.as_object().into_iter().flatten() {
        let is_trivial = value.is_null()
            || *value == json!(true)
            || *value == json!("")
            || *value == json!([])
            || *value == json!({})
            // names are strings
            || key == "propertyNames" && *value == json!({ "type": "string" })
            || matches!(key.as_str(), "minProperties" | "minItems" | "minLength") && value.as_f64() == Some(0.0);
        // the schema replaces the reference to it
        let referred = value.as_str().filter(|place| key == "$ref" && *place != "#");
        let is_inlined = referred.is_some_and(|place| references::leads(schema, place));
        if is_trivial || is_inlined || keywords.contains(&key.as_str()) || RESTATED.contains(&key.as_str()) {
            continue;
        }
        let at = format!("/0/parameters/{}", key.replace('~', "~0").replace('/', "~1"));
        if !written.warnings.iter().any(|warning| warning.path.starts_with(&at)) {
            return Err(key.clone());
        }
    }
    Ok(())
}

/// The first keyword that is not in the list.
fn only(schema: &Value, keywords: &[&str]) -> Result<(), String> {
    let Some(fields) = schema.as_object() else { return Ok(()) };
    for (key, value) in fields {
        if !keywords.contains(&key.as_str()) {
            return Err(key.clone());
        }
        match key.as_str() {
            "properties" | "$defs" | "definitions" => {
                value.as_object().into_iter().flatten().try_for_each(|(_, inner)| only(inner, keywords))?;
            }
            "anyOf" => value.as_array().into_iter().flatten().try_for_each(|inner| only(inner, keywords))?,
            "items" | "additionalProperties" => only(value, keywords)?,
            _ => {}
        }
    }
    Ok(())
}

fn all_hold(schema: &Value) -> TestCaseResult {
    for target in targets() {
        let strict = if target.is_strict { ", strict" } else { "" };
        holds(&target, schema).map_err(|reason| {
            TestCaseError::fail(format!("{}{strict} {}: {reason}\nfrom {schema}", target.to.name(), target.options))
        })?;
    }
    Ok(())
}

#[test]
fn schemas_are_what_each_target_takes() {
    check(4, generate::schema(), 0.3, |schema| all_hold(&schema));
}

#[test]
fn any_json_value_is_accepted_as_a_schema() {
    check(5, generate::anything(), 0.2, |schema| all_hold(&schema));
}
