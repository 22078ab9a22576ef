//! The bounds of grammars in size and time. The engines judge what they contain (`npm run check:grammars`).

#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use serde_json::{Map, Value, json};
use text_support::time;
use toolwire::text::Tool;
use toolwire::text::grammar::{GrammarOptions, Syntax, schema_grammar, server_schema, tool_grammar};

/// The maximum number of nested subschemas, and of bytes in a grammar.
const NESTING: usize = 127;
const SIZE: usize = 4_000_000;

#[test]
fn a_schema_that_is_nested_too_deeply_is_an_error_with_its_path() {
    let nested = |depth: usize| {
        (0..depth).fold(json!({ "type": "string" }), |schema, _| {
            // `json!` would copy what is inside, with recursion
            let fields = [("type".to_owned(), json!("array")), ("items".to_owned(), schema)];
            Value::Object(fields.into_iter().collect())
        })
    };
    for (_, syntax) in Syntax::WORDS.iter().copied() {
        for (depth, levels) in [(64, 64), (100, 64), (200, NESTING)] {
            let schema = nested(depth);
            if !matches!(syntax, Syntax::JsonSchema | Syntax::StructuralTag) {
                assert_eq!(schema_grammar(&schema, syntax).unwrap_err().path, "/items".repeat(levels));
            }
            let parameters = json!({ "type": "object", "properties": { "x": schema } });
            let tools = Tool::list(&json!([{ "name": "f", "parameters": parameters }])).unwrap();
            let mut options = GrammarOptions::of(&json!({ "syntax": "gbnf", "format": "json" })).unwrap();
            options.syntax = syntax;
            let inner = if levels == NESTING { levels - 2 } else { levels - 1 };
            match tool_grammar(&tools, &options) {
                Ok(_) => assert!(syntax == Syntax::JsonSchema && inner < 64),
                Err(error) => {
                    assert_eq!(error.path, format!("/0/parameters/properties/x{}", "/items".repeat(inner)));
                }
            }
        }
    }
    assert!(server_schema(&nested(200), "llama.cpp").is_err());
    for depth in [25, 62] {
        for syntax in [Syntax::Gbnf, Syntax::Lark, Syntax::OpenAi] {
            let grammar = schema_grammar(&nested(depth), syntax).unwrap();
            assert!(grammar.grammar.as_str().unwrap().len() < 100_000, "{depth} {}", syntax.name());
        }
    }
    // the item of an array is written twice
    assert!(schema_grammar(&nested(5), Syntax::Regex).is_ok());
    assert!(schema_grammar(&nested(62), Syntax::Regex).unwrap_err().path.starts_with("/items/items/"));
}

/// A format of each notation of arguments.
const ONE_OF_EACH: [&str; 8] =
    ["hermes_json", "json", "gemma4", "qwen3_xml", "minimax_m3", "pythonic", "deepseek_v32_dsml", "minicpm5"];

/// Each definition is used twice by the one before it.
fn doubling(count: usize) -> Value {
    let definition = |at: usize| {
        let next = if at + 1 == count {
            json!({ "type": "string" })
        } else {
            json!({ "$ref": format!("#/$defs/d{}", at + 1) })
        };
        json!({ "type": "object", "properties": { "a": next, "b": next }, "additionalProperties": false })
    };
    let definitions = (0..count).map(|at| (format!("d{at}"), definition(at))).collect::<Map<_, _>>();
    json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/d0" } }, "required": ["x"], "additionalProperties": false, "$defs": definitions })
}

#[test]
fn shared_definitions_are_shared_or_an_error_names_the_one_that_is_too_large() {
    for format in ONE_OF_EACH {
        for (_, syntax) in Syntax::WORDS.iter().copied() {
            let mut options = GrammarOptions::of(&json!({ "syntax": "gbnf", "format": format })).unwrap();
            options.syntax = syntax;
            let tools = Tool::list(&json!([{ "name": "f", "parameters": doubling(14) }])).unwrap();
            match tool_grammar(&tools, &options) {
                Ok(grammar) => {
                    let size = grammar.grammar.as_str().map_or_else(|| grammar.grammar.to_string().len(), str::len);
                    let most = if syntax == Syntax::Gbnf { 50_000 } else { SIZE };
                    assert!(size < most, "{format} {} {size}", syntax.name());
                }
                Err(error) if error.path == "/format" => assert_eq!(syntax, Syntax::JsonSchema),
                Err(error) => {
                    assert!(error.path.starts_with("/0/parameters"), "{format} {} {error}", syntax.name());
                    assert!(syntax != Syntax::Gbnf, "{format} {error}");
                }
            }
        }
    }
    let error = schema_grammar(&doubling(14), Syntax::Regex).unwrap_err();
    assert!(error.path.starts_with("/$defs/d"), "{error}");
    assert!(schema_grammar(&doubling(3), Syntax::Regex).is_ok());
}

#[test]
fn definitions_in_a_chain_of_any_length_are_read() {
    let definition = |at: usize| json!({ "type": "object", "properties": { "next": { "$ref": format!("#/$defs/d{}", (at + 1) % 2000) } } });
    let definitions = (0..2000).map(|at| (format!("d{at}"), definition(at))).collect::<Map<_, _>>();
    let schema = json!({ "$ref": "#/$defs/d0", "$defs": definitions });
    let tools = Tool::list(&json!([{ "name": "f", "parameters": { "type": "object", "properties": { "x": { "$ref": "#/$defs/d0" } }, "$defs": schema["$defs"] } }])).unwrap();
    for (_, syntax) in Syntax::WORDS.iter().copied() {
        for format in ONE_OF_EACH {
            let mut options = GrammarOptions::of(&json!({ "syntax": "gbnf", "format": format })).unwrap();
            options.syntax = syntax;
            let made = tool_grammar(&tools, &options);
            // each definition is written
            let size = made.as_ref().map_or(0, |made| made.grammar.as_str().unwrap_or_default().len());
            assert!(syntax != Syntax::Gbnf || size > 200_000, "{format} {size}");
            if let Err(error) = made {
                assert!(
                    error.path == "/format" || error.path.starts_with("/0/parameters/$defs/d"),
                    "{format} {} {error}",
                    syntax.name()
                );
            }
        }
    }
    for syntax in [Syntax::Gbnf, Syntax::Lark, Syntax::OpenAi] {
        assert!(schema_grammar(&schema, syntax).is_ok());
    }
    assert!(schema_grammar(&schema, Syntax::Regex).unwrap_err().path.starts_with("/$defs/d"));
    assert!(server_schema(&schema, "llama.cpp").is_ok());
}

#[test]
fn tuples_are_bounded() {
    let tuple = |count: usize, last: Value| {
        let mut items = vec![json!({ "type": "string" }); count];
        items.push(last);
        json!({ "type": "array", "prefixItems": items, "items": false })
    };
    let text = json!({ "type": "string" });
    for (_, syntax) in Syntax::WORDS.iter().copied() {
        for format in ONE_OF_EACH {
            let mut options = GrammarOptions::of(&json!({ "syntax": "gbnf", "format": format })).unwrap();
            options.syntax = syntax;
            let made = |schema: Value| {
                let parameters = json!({ "type": "object", "properties": { "x": schema } });
                tool_grammar(&Tool::list(&json!([{ "name": "f", "parameters": parameters }])).unwrap(), &options)
            };
            let nested = (0..40).fold(text.clone(), |inner, _| tuple(200, inner));
            for schema in [tuple(3000, text.clone()), nested] {
                let Err(error) = made(schema) else { continue };
                let is_named = error.path == "/format" || error.path.starts_with("/0/parameters/properties/x");
                assert!(is_named, "{format} {} {error}", syntax.name());
            }
            let fits = made(tuple(100, text.clone())).map_err(|error| error.path);
            assert!(fits.is_ok() || fits == Err("/format".to_owned()), "{format} {} {fits:?}", syntax.name());
        }
    }
    for syntax in [Syntax::Gbnf, Syntax::Regex] {
        assert!(
            schema_grammar(&tuple(3000, text.clone()), syntax)
                .is_err_and(|error| error.path.starts_with("/prefixItems/"))
        );
    }
}

#[test]
fn merged_schemas_are_bounded() {
    let definition = |at: usize| {
        let next = json!({ "allOf": [{ "$ref": format!("#/$defs/d{}", at + 1) }], "minProperties": 1 });
        json!({ "type": "object", "properties": { "a": next, "b": next } })
    };
    let mut definitions = (0..40).map(|at| (format!("d{at}"), definition(at))).collect::<Map<_, _>>();
    definitions.insert("d40".to_owned(), json!({ "type": "string" }));
    let schema = json!({ "allOf": [{ "$ref": "#/$defs/d0" }, { "minProperties": 1 }], "$defs": definitions });
    for syntax in [Syntax::Gbnf, Syntax::Regex] {
        let error = schema_grammar(&schema, syntax).unwrap_err();
        assert!(error.path.contains("/properties/a"), "{error}");
    }
}

/// The time of a grammar for each size, in milliseconds.
fn grammar_time(schema: &Value, syntax: Syntax) -> f64 {
    let run = || drop(schema_grammar(schema, syntax));
    (0..2).map(|_| time::of(run).as_secs_f64() * 1000.0).fold(f64::INFINITY, f64::min)
}

#[test]
fn time_is_linear_in_enums_unions_properties_and_definitions() {
    let numbered = |count: usize, make: &dyn Fn(usize) -> Value| (0..count).map(make).collect::<Vec<Value>>();
    let object = |entries: Vec<(String, Value)>| Value::Object(entries.into_iter().collect());
    let kinds: [(&str, &dyn Fn(usize) -> Value); 7] = [
        ("enum", &|n| json!({ "enum": numbered(n, &|at| json!(format!("value {at}"))) })),
        ("enum of arrays", &|n| json!({ "enum": numbered(n, &|at| json!([at, "x"])) })),
        ("consts", &|n| json!({ "oneOf": numbered(n, &|at| json!({ "const": format!("value {at}") })) })),
        (
            "objects",
            &|n| json!({ "anyOf": numbered(n, &|at| json!({ "type": "object", "properties": { "kind": { "const": at } }, "required": ["kind"], "additionalProperties": false })) }),
        ),
        ("properties", &|n| {
            let properties = object((0..n).map(|at| (format!("p{at}"), json!({ "type": "string" }))).collect());
            let required = numbered(n, &|at| json!(format!("p{at}")));
            json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
        }),
        ("definitions", &|n| {
            let definitions = object((0..n).map(|at| (format!("d{at}"), json!({ "type": "object", "properties": { "a": { "$ref": format!("#/$defs/d{}", (at * 7 + 1) % n) } } }))).collect());
            json!({ "anyOf": numbered(n, &|at| json!({ "$ref": format!("#/$defs/d{at}") })), "$defs": definitions })
        }),
        ("enums in allOf", &|n| {
            let values = numbered(n, &|at| json!(format!("value {at}")));
            json!({ "allOf": [{ "enum": values }, { "type": "string", "enum": values }] })
        }),
    ];
    for (kind, make) in kinds {
        let is_list = !matches!(kind, "objects" | "properties" | "definitions");
        let (few, many) = if is_list { (500, 20_000) } else { (200, 4_000) };
        for syntax in [Syntax::Gbnf, Syntax::OpenAi, Syntax::Regex] {
            let (short, long) = (grammar_time(&make(few), syntax), grammar_time(&make(many), syntax));
            // 40 or 20 times as much: 1,600 or 400 times the time if it is quadratic
            let (least, most) = if is_list { (10.0, 400.0) } else { (20.0, 130.0) };
            assert!(long < short.max(least) * most, "{kind} {}: {short:.1} {long:.1} ms", syntax.name());
        }
    }
}
