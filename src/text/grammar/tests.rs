//! Matches grammars against texts with a matcher for tests. `npm run check:grammars` tests the printed grammars with real engines.

use super::calls::{Calls, chosen};
use super::matcher::accepts;
use super::rule::Rules;
use super::{Grammar, GrammarOptions, Syntax, keywords, schema_grammar, tool_grammar};
use crate::json::{Value, json};
use crate::text::Tool;
use crate::text::write::{Form, Report, calls_as_text};

fn tools() -> Vec<Tool> {
    Tool::list(&json!([
        { "name": "get_weather", "parameters": {
            "type": "object",
            "properties": {
                "city": { "type": "string" },
                "days": { "type": "integer", "minimum": 1, "maximum": 7 },
                "units": { "enum": ["metric", "imperial"] },
                "near": { "type": "array", "items": { "type": "number" }, "maxItems": 3 }
            },
            "required": ["city"],
            "additionalProperties": false
        } },
        { "name": "find", "parameters": {
            "type": "object",
            "properties": { "text": { "type": "string" }, "filter": { "$ref": "#/$defs/filter" } },
            "required": ["text", "filter"],
            "additionalProperties": false,
            "$defs": { "filter": {
                "type": "object",
                "properties": { "exact": { "type": "boolean" }, "any": { "type": "array", "items": { "$ref": "#/$defs/filter" } } },
                "required": ["exact"],
                "additionalProperties": false
            } }
        } },
        { "name": "stop", "parameters": { "type": "object", "properties": {}, "additionalProperties": false } }
    ]))
    .unwrap()
}

fn rules(options: &Value) -> Rules {
    let mut options = options.clone();
    options["syntax"] = "gbnf".into();
    let options = GrammarOptions::of(&options).unwrap();
    let tools = tools();
    let (list, required) = chosen(&tools, &options.choice).unwrap();
    let mut report = Report::default();
    let parallel = options.parallel && !options.form.single;
    let calls = Calls { form: options.form, parallel, policy: &keywords::RULES, report: &mut report };
    calls.grammar(&tools, &list, required).unwrap()
}

fn written(form: &str, message: &Value) -> String {
    calls_as_text(message, crate::text::write::Form::of(form).unwrap()).text
}

fn message(content: &str, calls: &[(&str, Value)]) -> Value {
    let calls =
        calls.iter().map(|(name, arguments)| json!({ "id": "abcdefgh1", "name": name, "arguments": arguments }));
    json!({ "content": content, "toolCalls": calls.collect::<Vec<_>>() })
}

fn valid() -> [(&'static str, Value); 4] {
    [
        ("get_weather", json!({ "city": "Paris" })),
        ("get_weather", json!({ "city": "a \"b\"", "days": 3, "units": "metric", "near": [1, -2.5] })),
        ("find", json!({ "text": "x", "filter": { "exact": true, "any": [{ "exact": false }] } })),
        ("stop", json!({})),
    ]
}

fn invalid() -> [(&'static str, Value); 8] {
    [
        ("get_weather", json!({})),
        ("get_weather", json!({ "city": "Paris", "days": 8 })),
        ("get_weather", json!({ "city": "Paris", "units": "other" })),
        ("get_weather", json!({ "city": "Paris", "near": [1, 2, 3, 4] })),
        ("get_weather", json!({ "city": "Paris", "other": "x" })),
        ("find", json!({ "text": "x", "filter": { "exact": "yes" } })),
        ("stop", json!({ "text": "x" })),
        ("search", json!({ "text": "x" })),
    ]
}

#[test]
fn every_format_accepts_what_it_writes() {
    for form in Form::all() {
        for choice in ["auto", "required"] {
            let rules = rules(&json!({ "format": form.id, "toolChoice": choice }));
            for (name, arguments) in valid() {
                let text = written(form.id, &message("", &[(name, arguments)]));
                assert!(accepts(&rules, &text), "{} {choice} rejects {text:?}", form.id);
            }
            let answer = written(form.id, &message("No <tool is [needed] {here}.", &[]));
            assert_eq!(accepts(&rules, &answer), choice == "auto", "{} {choice} {answer:?}", form.id);
        }
    }
}

#[test]
fn every_format_rejects_invalid_calls() {
    for form in Form::all() {
        for choice in ["auto", "required"] {
            let rules = rules(&json!({ "format": form.id, "toolChoice": choice }));
            // without markers, a call of an undeclared tool is plain text
            let is_unmarked = form.alone && (form.open == "[" || form.call.starts_with("%n"));
            let text_only = |name: &str| is_unmarked && name == "search" && choice == "auto";
            for (name, arguments) in invalid().into_iter().filter(|(name, _)| !text_only(name)) {
                let text = written(form.id, &message("", &[(name, arguments)]));
                assert!(!accepts(&rules, &text), "{} {choice} accepts {text:?}", form.id);
            }
        }
    }
}

#[test]
fn choices_decide_what_may_be_called() {
    for form in Form::all() {
        let [one, _, other, _] = valid();
        let both = [one.clone(), other.clone()];
        let cases = [
            (json!({}), [true, true, !form.single]),
            (json!({ "parallelToolCalls": false }), [true, true, false]),
            (json!({ "toolChoice": { "name": "find" } }), [false, true, false]),
            (json!({ "toolChoice": { "allowed": ["find"], "mode": "auto" } }), [false, true, false]),
        ];
        for (mut options, expected) in cases {
            options["format"] = form.id.into();
            let rules = rules(&options);
            for (calls, expected) in [&both[..1], &both[1..], &both[..]].into_iter().zip(expected) {
                let text = written(form.id, &message("", calls));
                assert_eq!(accepts(&rules, &text), expected, "{options} {text:?}");
            }
        }
    }
}

#[test]
fn text_before_calls_is_accepted() {
    for form in Form::all().iter().filter(|form| !form.alone) {
        let rules = rules(&json!({ "format": form.id }));
        let [one, ..] = valid();
        let text = written(form.id, &message("One moment.", &[one]));
        assert!(accepts(&rules, &text), "{} {text:?}", form.id);
    }
}

#[test]
fn every_syntax_is_printed_for_every_format() {
    for form in Form::all() {
        for (_, syntax) in Syntax::WORDS.iter().copied() {
            let mut options = GrammarOptions::of(&json!({ "syntax": "gbnf", "format": form.id })).unwrap();
            options.syntax = syntax;
            match tool_grammar(&tools(), &options) {
                Ok(grammar) => assert!(!grammar.grammar.is_null()),
                Err(error) => assert!(syntax == Syntax::JsonSchema && error.path == "/format", "{} {error}", form.id),
            }
        }
    }
}

fn made(case: &Value) -> Grammar {
    if let Some(schema) = case.get("schema") {
        return schema_grammar(schema, Syntax::of(case["options"]["syntax"].as_str().unwrap()).unwrap()).unwrap();
    }
    tool_grammar(&Tool::list(&case["tools"]).unwrap(), &GrammarOptions::of(&case["options"]).unwrap()).unwrap()
}

#[test]
fn vectors_hold() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../../tests/vectors/text/grammars-written.json")).unwrap();
    for case in cases {
        let grammar = made(&case);
        assert_eq!(grammar.grammar, case["grammar"], "{}", case["name"]);
        let paths: Vec<&str> = grammar.warnings.iter().map(|warning| warning.path.as_str()).collect();
        assert_eq!(json!(paths), case.get("warnings").cloned().unwrap_or(json!([])), "{}", case["name"]);
    }
}
