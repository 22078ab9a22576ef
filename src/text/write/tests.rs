#![allow(clippy::unwrap_used, clippy::panic)]

use super::markers::has_marker;
use super::{Form, PromptOptions, Written, calls_as_text, results_as_text, tool_prompt};
use crate::text::{Tool, formats};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

#[test]
fn vectors_hold() {
    let written = [
        include_str!("../../../tests/vectors/text/channels.json"),
        include_str!("../../../tests/vectors/text/json.json"),
        include_str!("../../../tests/vectors/text/named.json"),
        include_str!("../../../tests/vectors/text/prompts.json"),
        include_str!("../../../tests/vectors/text/pythonic.json"),
        include_str!("../../../tests/vectors/text/tagged.json"),
    ];
    let files = written.map(|file| serde_json::from_str::<Value>(file).unwrap());
    for case in files.iter().flat_map(|file| file["writes"].as_array().unwrap()) {
        let (name, format) = (case["name"].as_str().unwrap(), case["format"].as_str().unwrap_or_default());
        let Written { text, warnings } = match case {
            case if case.get("message").is_some() => calls_as_text(&case["message"], Form::of(format).unwrap()),
            case if case.get("results").is_some() => {
                results_as_text(case["results"].as_array().unwrap(), Form::of(format).unwrap())
            }
            case => {
                let options = PromptOptions::of(&case["options"]).unwrap();
                Written { text: tool_prompt(&Tool::list(&case["tools"]).unwrap(), &options), warnings: Vec::new() }
            }
        };
        assert_eq!(text, case["text"].as_str().unwrap(), "{name}");
        let paths: Vec<&str> = warnings.iter().map(|warning| warning.path.as_str()).collect();
        assert_eq!(json!(paths), case.get("warnings").cloned().unwrap_or(json!([])), "{name}");
    }
}

#[test]
fn prompts_show_parameters_wherever_a_schema_states_them() {
    let own = json!({ "type": "object", "required": ["city"], "properties": {
        "city": { "type": "string", "description": "A city." }, "days": { "type": "integer" },
    } });
    let places = [
        json!({ "$ref": "#/$defs/A", "$defs": { "A": own } }),
        json!({ "allOf": [{ "$ref": "#/definitions/A" }], "definitions": { "A": own } }),
        json!({ "type": "object", "required": ["city"], "oneOf": [own] }),
        json!({ "properties": { "city": own["properties"]["city"] }, "allOf": [own] }),
    ];
    for definitions in ["typescript", "python", "xml", "list"] {
        let options = PromptOptions::of(&json!({ "format": "json", "definitions": definitions })).unwrap();
        let prompt = |parameters: &Value| {
            let tools = Tool::list(&json!([{ "name": "f", "parameters": parameters }])).unwrap();
            tool_prompt(&tools, &options)
        };
        let expected = prompt(&own);
        assert!(expected.contains("days") && expected.contains("city"), "{expected}");
        for place in &places {
            assert_eq!(prompt(place), expected, "{place}");
        }
    }
}

#[test]
fn a_format_without_calls_is_not_an_unknown_format() {
    let error = Form::of("none").unwrap_err();
    assert_eq!(error.message, "the text format `none` has no calls: it reads text only");
    assert!(Form::of("nonesuch").unwrap_err().message.starts_with("there is no text format"));
}

#[test]
fn every_format_with_calls_can_be_written() {
    for format in formats::all().filter(|format| !matches!(format.body, formats::Body::None)) {
        let form = Form::of(format.id).unwrap_or_else(|error| panic!("{error}"));
        let message = json!({ "toolCalls": [{ "id": "", "name": "f", "arguments": { "k": "v" } }] });
        let text = calls_as_text(&message, form).text;
        for marker in [format.section.open, format.call.open, format.call.close, format.section.close] {
            assert!(text.contains(marker.trim()), "{}: `{marker}` is not in {text}", format.id);
        }
    }
    assert!(Form::of("no_such_format").is_err());
}

#[test]
fn markers_of_all_formats_are_masked() {
    let all = formats::all().flat_map(formats::Format::markers);
    let named = all.filter(|marker| marker.contains(['<', '[', '`', '｜']) && *marker != "[" && *marker != "]");
    let missed: Vec<&str> = named.filter(|marker| !has_marker(&format!("a{marker}"))).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// Any JSON value, with strings that are likely to contain markers.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        texts().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(texts(), inner, 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>()))
        ]
    })
}

#[test]
fn prompts_of_schemas_that_branch_are_bounded() {
    let many = vec![json!({ "$ref": "#" }); 40];
    let names: Vec<String> = (0..40).map(|at| format!("p{at}")).collect();
    let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({ "$ref": "#" }))).collect();
    for schema in [
        json!({ "type": "object", "properties": { "a": { "$ref": "#" } }, "required": ["a"], "anyOf": many }),
        json!({ "type": "object", "properties": { "a": { "anyOf": many } }, "allOf": many }),
        json!({ "type": "object", "properties": properties, "required": names }),
    ] {
        let tools = Tool::list(&json!([{ "name": "f", "parameters": schema }])).unwrap();
        for form in Form::all() {
            let options = PromptOptions::of(&json!({ "format": form.id })).unwrap();
            let size = tool_prompt(&tools, &options).len();
            assert!(size < 300_000, "{} {size}", form.id);
        }
    }
}

fn texts() -> impl Strategy<Value = String> {
    let markers: Vec<&str> = formats::all().flat_map(formats::Format::markers).collect();
    let part = prop_oneof![prop::sample::select(markers).prop_map(str::to_owned), any::<String>(), "[a-z_]{1,8}"];
    prop::collection::vec(part, 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn json_arguments_read_back(arguments in prop::collection::btree_map(texts(), values(), 0..4)) {
        let arguments = json!(arguments);
        let message = json!({ "toolCalls": [{ "id": "", "name": "f", "arguments": arguments }] });
        let form = Form::of("hermes_json").unwrap();
        let Written { text, warnings } = calls_as_text(&message, form);
        prop_assert!(warnings.is_empty());
        let inner = text.strip_prefix("<tool_call>\n").and_then(|rest| rest.strip_suffix("\n</tool_call>")).unwrap();
        prop_assert!(!inner.contains("</tool_call>"));
        let read: Value = serde_json::from_str(inner).unwrap();
        prop_assert_eq!(read, json!({ "name": "f", "arguments": arguments }));
    }

    #[test]
    fn results_contain_no_markers(value in values()) {
        let result = |value: &Value| json!([{ "toolCallId": "c1", "name": "f", "kind": "data", "value": value }]);
        let markers = |text: &str| -> Vec<usize> {
            let all = formats::all().flat_map(formats::Format::markers);
            let named = all.filter(|marker| marker.len() > 3 && marker.contains(['<', '[', '`', '｜']));
            named.map(|marker| text.matches(marker).count()).collect()
        };
        for form in Form::all() {
            let harmless = if value.is_string() { json!("x") } else { json!(1) };
            let written = results_as_text(result(&value).as_array().unwrap(), form).text;
            let plain = results_as_text(result(&harmless).as_array().unwrap(), form).text;
            prop_assert!(markers(&written) == markers(&plain), "{}: {}", form.id, written);
        }
    }
}
