//! Tool definitions in all notations. Required properties come first.

use super::node::JsonValue;
use super::sample::{own_properties, properties, resolved, type_of};
use crate::json::{Map, Value, json};
use crate::text::Tool;
use crate::text::formats::Definitions;
use std::cell::Cell;

/// The definitions, including their brackets.
#[must_use]
pub fn definitions(tools: &[Tool], notation: Definitions) -> String {
    let each = |write: fn(&Tool) -> String, between: &str| tools.iter().map(write).collect::<Vec<_>>().join(between);
    match notation {
        Definitions::Json => format!("<tools>\n{}\n</tools>", each(|tool| line(tool, false), "\n")),
        Definitions::OpenAi => format!("<tools>\n{}\n</tools>", each(|tool| line(tool, true), "\n")),
        Definitions::TypeScript => format!("namespace functions {{\n\n{}\n\n}}", each(typescript, "\n\n")),
        Definitions::Python => each(python, "\n\n"),
        Definitions::Xml => format!("<tools>\n{}\n</tools>", each(xml, "\n")),
        Definitions::List => each(list, "\n"),
    }
}

fn line(tool: &Tool, wrapped: bool) -> String {
    let mut entries = Map::new();
    entries.insert("name".into(), json!(tool.name));
    if let Some(description) = &tool.description {
        entries.insert("description".into(), json!(description));
    }
    let parameters = ordered(&Value::Object(tool.parameters.clone()));
    let empty = json!({ "type": "object", "properties": {} });
    entries.insert("parameters".into(), if tool.parameters.is_empty() { empty } else { parameters });
    let definition = Value::Object(entries);
    let shown = if wrapped { json!({ "type": "function", "function": definition }) } else { definition };
    JsonValue::from(&shown).json()
}

/// The schema with required properties first, at every level.
fn ordered(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => Value::Array(items.iter().map(ordered).collect()),
        Value::Object(entries) => {
            let each = entries.iter().map(|(key, value)| match key.as_str() {
                "properties" if value.is_object() => {
                    let list = own_properties(schema).into_iter();
                    (
                        key.clone(),
                        Value::Object(list.map(|(name, schema, _)| (name.clone(), ordered(schema))).collect()),
                    )
                }
                "const" | "default" | "enum" | "examples" => (key.clone(), value.clone()),
                _ => (key.clone(), ordered(value)),
            });
            Value::Object(each.collect())
        }
        other => other.clone(),
    }
}

fn description_of(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The text on a single line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    ["anyOf", "oneOf"].iter().find_map(|key| schema.get(key).and_then(Value::as_array))
}

/// The type names, if `type` lists several.
fn type_names(schema: &Value) -> Option<Vec<&str>> {
    schema.get("type").and_then(Value::as_array).map(|types| types.iter().filter_map(Value::as_str).collect())
}

fn is_name(key: &str) -> bool {
    !key.starts_with(|c: char| c.is_ascii_digit())
        && !key.is_empty()
        && key.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The spelling of types in a notation.
struct Types {
    names: fn(&str) -> &str,
    array: fn(&str) -> String,
    literals: fn(&[String]) -> String,
    object: fn(&[(String, bool, String)]) -> String,
}

const TYPESCRIPT: Types = Types {
    names: |name| match name {
        "integer" | "number" => "number",
        "array" => "any[]",
        "string" | "boolean" | "null" | "object" => name,
        _ => "any",
    },
    array: |item| if item.contains(' ') { format!("({item})[]") } else { format!("{item}[]") },
    literals: |values| values.join(" | "),
    object: |entries| {
        let fields = entries.iter().map(|(name, required, of)| {
            let name = if is_name(name) { name.clone() } else { Value::from(name.as_str()).to_string() };
            format!("{name}{}: {of}", if *required { "" } else { "?" })
        });
        format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
    },
};
const PYTHON: Types = Types {
    names: |name| match name {
        "integer" => "int",
        "number" => "float",
        "string" => "str",
        "boolean" => "bool",
        "array" => "list",
        "object" => "dict",
        "null" => "None",
        _ => "Any",
    },
    array: |item| format!("list[{item}]"),
    literals: |values| format!("Literal[{}]", values.join(", ")),
    object: |entries| {
        let fields = entries.iter().map(|(name, required, of)| {
            format!(
                "{}: {}",
                Value::from(name.as_str()),
                if *required { of.clone() } else { format!("NotRequired[{of}]") }
            )
        });
        format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
    },
};
const PLAIN: Types = Types {
    names: |name| name,
    array: |item| format!("array of {item}"),
    literals: |values| format!("one of {}", values.join(", ")),
    object: |entries| {
        let fields = entries
            .iter()
            .map(|(name, required, of)| format!("{name}: {of}{}", if *required { " (required)" } else { "" }));
        format!("object {{ {} }}", fields.collect::<Vec<_>>().join(", "))
    },
};

/// The parameters of a tool while their types are written.
struct Document<'a> {
    root: &'a Value,
    /// The number of types that may still be written in full.
    left: Cell<usize>,
}

impl<'a> Document<'a> {
    fn new(root: &'a Value) -> Self {
        Self { root, left: Cell::new(TYPES) }
    }

    /// Counts a type.
    fn is_exhausted(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left == 0
    }
}

impl Types {
    fn of(&self, document: &Document, schema: &Value, depth: usize) -> String {
        let root = document.root;
        let schema = resolved(root, schema);
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return (self.literals)(&values.iter().map(|value| JsonValue::from(value).json()).collect::<Vec<_>>());
        }
        if let Some(value) = schema.get("const") {
            return (self.literals)(&[JsonValue::from(value).json()]);
        }
        if document.is_exhausted() || depth == 0 {
            return (self.names)(type_of(schema)).to_owned();
        }
        if let Some(list) = alternatives(schema) {
            return list.iter().map(|item| self.of(document, item, depth - 1)).collect::<Vec<_>>().join(" | ");
        }
        if let Some(names) = type_names(schema) {
            return names.into_iter().map(self.names).collect::<Vec<_>>().join(" | ");
        }
        match (type_of(schema), schema.get("items")) {
            ("array", Some(items)) => (self.array)(&self.of(document, items, depth - 1)),
            ("object", _) if schema.get("properties").is_some() => {
                let entries = properties(root, schema).into_iter();
                let entries =
                    entries.map(|(name, of, required)| (name.clone(), required, self.of(document, of, depth - 1)));
                (self.object)(&entries.collect::<Vec<_>>())
            }
            ("string", _) if schema.get("type").is_none() => (self.names)("any").to_owned(),
            (name, _) => (self.names)(name).to_owned(),
        }
    }
}

/// Maximum depth of types, because schemas may be recursive, and maximum number of those of a tool, because such schemas may branch.
const DEPTH: usize = 5;
const TYPES: usize = 500;

fn typescript(tool: &Tool) -> String {
    let root = Value::Object(tool.parameters.clone());
    let mut out = comment("", tool.description.as_deref());
    let document = Document::new(&root);
    let list = properties(&root, &root);
    if list.is_empty() {
        return format!("{out}type {} = () => any;", tool.name);
    }
    out.push_str(&format!("type {} = (_: {{\n", tool.name));
    for (name, schema, required) in list {
        out.push_str(&comment("  ", description_of(schema)));
        let key = if is_name(name) { name.clone() } else { Value::from(name.as_str()).to_string() };
        let mark = if required { "" } else { "?" };
        out.push_str(&format!("  {key}{mark}: {},\n", TYPESCRIPT.of(&document, schema, DEPTH)));
    }
    out + "}) => any;"
}

fn comment(indent: &str, text: Option<&str>) -> String {
    text.map(|text| text.lines().map(|line| format!("{indent}// {line}\n")).collect()).unwrap_or_default()
}

fn python(tool: &Tool) -> String {
    let root = Value::Object(tool.parameters.clone());
    let document = Document::new(&root);
    let list = properties(&root, &root);
    let parameters = list.iter().map(|(name, schema, required)| {
        let default = if *required { "" } else { " = None" };
        format!("{name}: {}{default}", PYTHON.of(&document, schema, DEPTH))
    });
    let mut out = format!("def {}({}):\n    \"\"\"", tool.name, parameters.collect::<Vec<_>>().join(", "));
    out.push_str(&tool.description.as_deref().unwrap_or_default().replace("\"\"\"", "'''"));
    let described: Vec<_> =
        list.iter().filter_map(|(name, schema, _)| Some((*name, description_of(schema)?))).collect();
    if !described.is_empty() {
        out.push_str("\n\n    Args:");
        for (name, text) in described {
            out.push_str(&format!("\n        {name}: {}", flat(text).replace("\"\"\"", "'''")));
        }
        out.push_str("\n    ");
    }
    out + "\"\"\""
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn xml(tool: &Tool) -> String {
    let root = Value::Object(tool.parameters.clone());
    let mut out = format!("<function>\n<name>{}</name>\n", escaped(&tool.name));
    let described = |text: Option<&str>| {
        text.map(|text| format!("<description>{}</description>\n", escaped(text))).unwrap_or_default()
    };
    out.push_str(&described(tool.description.as_deref()));
    out.push_str("<parameters>\n");
    let document = Document::new(&root);
    let list = properties(&root, &root);
    for (name, schema, _) in &list {
        let of = escaped(&PLAIN.of(&document, schema, DEPTH));
        out.push_str(&format!("<parameter>\n<name>{}</name>\n<type>{of}</type>\n", escaped(name)));
        out.push_str(&described(description_of(schema)));
        out.push_str("</parameter>\n");
    }
    let required: Vec<&String> = list.iter().filter(|(_, _, required)| *required).map(|(name, ..)| *name).collect();
    if !required.is_empty() {
        out.push_str(&format!("<required>{}</required>\n", escaped(&JsonValue::from(&json!(required)).json())));
    }
    out + "</parameters>\n</function>"
}

fn list(tool: &Tool) -> String {
    let root = Value::Object(tool.parameters.clone());
    let mut out = format!("- {}", tool.name);
    if let Some(text) = tool.description.as_deref() {
        out.push_str(&format!(": {}", flat(text)));
    }
    let document = Document::new(&root);
    for (name, schema, required) in properties(&root, &root) {
        let mark = if required { " (required)" } else { "" };
        out.push_str(&format!("\n  - {name}: {}{mark}", PLAIN.of(&document, schema, DEPTH)));
        if let Some(text) = description_of(schema) {
            out.push_str(&format!(". {}", flat(text)));
        }
    }
    out
}
