//! Lint warnings about tool definitions.

use serde_json::{Value, json};
use toolwire::toolkit::{Registry, RegistryOptions, Tool};

/// The warnings about these tools: tool, code and path.
fn lints(tools: impl IntoIterator<Item = Tool>) -> Vec<String> {
    let mut registry = Registry::new(RegistryOptions::default());
    for tool in tools {
        registry.register(tool, false).unwrap();
    }
    registry.lint().iter().map(|lint| format!("{} {} {}", lint.tool, lint.code, lint.path)).collect()
}

fn described(name: &str, text: &str) -> Tool {
    Tool::new(name).description(text)
}

/// The warnings about the parameters of a tool that is otherwise correct.
fn of_schema(schema: Value) -> Vec<String> {
    let lints = lints([described("t", "Does one thing, and does it well.").parameters(schema)]);
    lints.iter().map(|lint| lint.trim_start_matches("t ").replace("/parameters", "")).collect()
}

/// The warnings about one field.
fn of_field(mut schema: Value) -> Vec<String> {
    schema["description"] = json!("A field.");
    let lints = of_schema(json!({ "type": "object", "properties": { "x": schema } }));
    lints.iter().map(|lint| lint.replace("/properties/x", "")).collect()
}

#[test]
fn a_well_described_tool_has_no_lints() {
    let schema = json!({
        "type": "object",
        "properties": {
            "kind": { "type": "string", "enum": ["a", "b"], "default": "a", "description": "The kind." },
            "shape": {
                "description": "The shape.",
                "oneOf": [
                    { "type": "object", "properties": { "tag": { "const": "dot" } }, "required": ["tag"] },
                    { "$ref": "#/$defs/line" },
                ],
            },
            "list": { "type": "array", "items": { "type": ["integer", "null"], "minimum": 1, "maximum": 1 }, "description": "Numbers." },
        },
        "required": ["kind"],
        "$defs": {
            "line": {
                "type": "object",
                "properties": { "length": { "type": "number", "description": "In metres." } },
                "required": ["length"],
            },
        },
    });
    let tool = described("draw_shape", "Draws a shape.").parameters(schema);
    let tool = Tool { input_examples: Some(vec![json!({ "kind": "b" })]), ..tool };
    assert_eq!(
        lints([tool, described("search_web", "网上搜索"), described("mail", "メールを送信する")]),
        [""; 0] as [&str; 0]
    );
}

#[test]
fn names_and_descriptions() {
    for (tool, expected) in [
        (Tool::new("bare"), "bare missing_description /description"),
        (described("short", "Gets it."), "short short_description /description"),
        (described("short_ja", "検索"), "short_ja short_description /description"),
        (described("long", &"Long. ".repeat(200)), "long long_description /description"),
        (described("a.b", "Reads a file from the disk."), "a.b name_not_portable /name"),
    ] {
        assert_eq!(lints([tool]), [expected]);
    }
}

#[test]
fn tools_that_are_alike() {
    for (one, other, expected) in [
        (["read_file1", "Opens one file."], ["read_file2", "Prints what a path contains."], vec!["names_alike /name"]),
        (["create_note", "Adds a page."], ["note_create", "Makes a memo for later."], vec!["names_alike /name"]),
        (["getUser", "Returns one account."], ["get_users", "Lists all people."], vec!["names_alike /name"]),
        (
            ["look", "Searches the web for pages."],
            ["find", "Searches web pages."],
            vec!["descriptions_alike /description"],
        ),
        (["look", "ウェブを検索します"], ["find", "ウェブを検索する"], vec!["descriptions_alike /description"]),
        (["create_note", "Adds a new page."], ["create_task", "Plans what is to be done."], vec![]),
    ] {
        let lints = lints([described(one[0], one[1]), described(other[0], other[1])]);
        let expected: Vec<String> = expected.iter().map(|lint| format!("{} {lint}", other[0])).collect();
        assert_eq!(lints, expected);
    }
}

#[test]
fn too_many_tools() {
    let count = |tools: usize| {
        let tools = (0..tools).map(|index| described(&format!("tool_{index}"), "Does one of many things."));
        lints(tools).iter().filter(|lint| lint.contains("too_many_tools")).count()
    };
    assert_eq!([count(128), count(129)], [0, 1]);
}

#[test]
fn examples_are_checked() {
    let schema = json!({ "type": "object", "properties": { "x": { "type": "integer", "description": "A number." } } });
    let tool = described("add", "Adds a number.").parameters(schema);
    let tool = Tool { input_examples: Some(vec![json!({ "x": 1 }), json!({ "x": "1" })]), ..tool };
    assert_eq!(lints([tool]), ["add invalid_example /inputExamples/1"]);
}

#[test]
fn parameters() {
    let undescribed = json!({ "type": "object", "properties": { "y": { "type": "string" } } });
    let missing = |path: &str| vec![format!("parameter_without_description {path}/properties/y")];
    let texts = |lints: &[&str]| lints.iter().map(ToString::to_string).collect::<Vec<String>>();
    for (schema, expected) in [
        (json!({ "type": "object", "required": ["y"] }), texts(&["undeclared_required /required"])),
        (json!({ "type": "string" }), texts(&["root_not_object /type"])),
        (json!({ "type": "object", "anyOf": [{}] }), texts(&["unsupported_keyword /anyOf"])),
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": {} } }), texts(&["unsupported_keyword /$ref"])),
        (
            json!({ "properties": { "filter[id]": { "description": "An id." } } }),
            texts(&["parameter_not_portable /properties/filter[id]"]),
        ),
        (undescribed.clone(), missing("")),
        (json!({ "$defs": { "a": undescribed } }), missing("/$defs/a")),
    ] {
        assert_eq!(of_schema(schema.clone()), expected, "{schema}");
    }
    for (schema, expected) in [
        (json!({ "anyOf": [undescribed, { "type": "null" }] }), missing("/anyOf/0")),
        (json!({ "type": "array", "items": undescribed }), missing("/items")),
        (json!({ "type": "array", "prefixItems": [undescribed] }), missing("/prefixItems/0")),
        (json!({ "type": "object", "additionalProperties": undescribed }), missing("/additionalProperties")),
        (json!({ "type": "array" }), texts(&["array_without_items "])),
        (json!({ "type": "string", "pattern": "(?=a)" }), texts(&["unsupported_pattern /pattern"])),
        (json!({ "type": "integer", "default": "no" }), texts(&["invalid_default /default"])),
        (json!({ "type": "string", "enum": ["a", 1] }), texts(&["invalid_enum_value /enum/1"])),
        (json!({ "type": "string", "enum": [] }), texts(&["no_valid_value /enum"])),
        (json!({ "type": "integer", "minimum": 2, "maximum": 1 }), texts(&["no_valid_value /minimum"])),
    ] {
        assert_eq!(of_field(schema.clone()), expected, "{schema}");
    }
}
