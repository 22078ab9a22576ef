//! A grammar as a JSON Schema: the union of all calls.

use super::template::{TemplatePart, parts};
use super::unique::Names;
use crate::json::{Map, Value, json};
use crate::table::Table;
use crate::text::formats::{Body, by_id};
use crate::text::write::{Arguments, Form, Report};
use crate::text::{Result, TextError, Tool};

pub(super) fn union(
    form: &'static Form,
    tools: &[(usize, &Tool)],
    required: bool,
    parallel: bool,
    report: &mut Report,
) -> Result<Value> {
    let keys = keys(form)?;
    if tools.is_empty() {
        return Err(TextError::new("/toolChoice", "a JSON Schema describes calls, and there is none to describe"));
    }
    let bare = by_id(form.id).is_some_and(|row| matches!(&row.body, Body::Json(json) if json.bare));
    if !bare {
        report.add(
            "/format",
            "the markers of this format have no place in JSON: read the response with format `json`".into(),
        );
    }
    let mut definitions = Definitions::default();
    let mut calls = Vec::new();
    for (index, tool) in tools {
        let mut arguments = Value::Object(tool.parameters.clone());
        if let Value::Object(map) = &mut arguments
            && !map.contains_key("type")
        {
            map.insert("type".to_owned(), "object".into());
        }
        let arguments = definitions.hoisted(&arguments, &tool.name, &format!("/{index}/parameters"), report);
        calls.push(match &keys {
            Some((name, values)) => json!({
                "type": "object",
                "properties": { (*name): { "const": tool.name }, (*values): arguments },
                "required": [name, values],
                "additionalProperties": false,
            }),
            None => json!({
                "type": "object",
                "properties": { (tool.name.as_str()): arguments },
                "required": [tool.name],
                "additionalProperties": false,
            }),
        });
    }
    let call = if calls.len() == 1 { calls.remove(0) } else { json!({ "anyOf": calls }) };
    let mut schema = match (required, parallel) {
        (true, false) => call,
        (true, true) => json!({ "type": "array", "minItems": 1, "items": call }),
        (false, true) => json!({ "type": "array", "items": call }),
        (false, false) => json!({ "type": "array", "maxItems": 1, "items": call }),
    };
    if !required {
        report
            .add("/toolChoice", "text has no place in this schema: a response without calls is an empty array".into());
    }
    if let Value::Object(map) = &mut schema
        && !definitions.all.is_empty()
    {
        map.insert("$defs".to_owned(), Value::Object(definitions.all));
    }
    Ok(schema)
}

/// The keys for name and arguments, or `None` if the tool name is itself the key.
fn keys(form: &'static Form) -> Result<Option<(&'static str, &'static str)>> {
    let list: Vec<TemplatePart> = parts(&form.call).collect();
    let at = |value| list.iter().position(|part| *part == TemplatePart::Value(value));
    let before = |index: usize| match index.checked_sub(1).and_then(|index| list.get(index)) {
        Some(TemplatePart::Fixed(fixed)) => fixed.rsplit('"').nth(1),
        _ => None,
    };
    match (at('N'), at('a')) {
        (Some(name), Some(arguments)) if form.arguments == Arguments::Json => Ok(before(name).zip(before(arguments))),
        _ => {
            Err(TextError::new("/format", "calls in this format are not JSON objects; format `json` has a JSON Schema"))
        }
    }
}

/// The definitions of all tools, under unique names.
#[derive(Default)]
struct Definitions {
    all: Map<String, Value>,
    names: Names,
}

impl Definitions {
    fn hoisted(&mut self, root: &Value, tool: &str, path: &str, report: &mut Report) -> Value {
        let (known, pending) = (Table::new(), Vec::new());
        let mut document = Document { definitions: self, root, tool, path, known, pending, report };
        let schema = document.schema(root);
        while let Some((name, target)) = document.pending.pop() {
            let schema = document.schema(&target);
            document.definitions.all.insert(name, schema);
        }
        schema
    }
}

struct Document<'a> {
    definitions: &'a mut Definitions,
    root: &'a Value,
    tool: &'a str,
    path: &'a str,
    known: Table<String, String>,
    /// The definitions that are read later: name, schema.
    pending: Vec<(String, Value)>,
    report: &'a mut Report,
}

impl Document<'_> {
    fn schema(&mut self, schema: &Value) -> Value {
        match schema {
            Value::Array(items) => items.iter().map(|item| self.schema(item)).collect(),
            Value::Object(map) => Value::Object(
                map.iter()
                    .filter(|(keyword, _)| !matches!(keyword.as_str(), "$defs" | "definitions" | "$schema" | "$id"))
                    .map(|(keyword, value)| {
                        let value = match (keyword.as_str(), value) {
                            ("$ref", Value::String(reference)) => self.reference(reference).into(),
                            ("enum" | "const" | "default" | "examples" | "required", value) => value.clone(),
                            ("properties" | "patternProperties" | "dependentSchemas", Value::Object(map)) => {
                                Value::Object(
                                    map.iter().map(|(key, value)| (key.clone(), self.schema(value))).collect(),
                                )
                            }
                            (_, value) => self.schema(value),
                        };
                        (keyword.clone(), value)
                    })
                    .collect(),
            ),
            other => other.clone(),
        }
    }

    fn reference(&mut self, reference: &str) -> String {
        if let Some(name) = self.known.get(reference) {
            return format!("#/$defs/{name}");
        }
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)).cloned();
        let target = target.unwrap_or_else(|| {
            let message = format!("the reference `{reference}` can't be resolved; any value is accepted");
            self.report.once(self.path, &message);
            json!({})
        });
        let last = reference.rsplit('/').next().filter(|last| !last.is_empty() && *last != "#").unwrap_or(self.tool);
        let name = self.definitions.names.unique(last);
        self.known.insert(reference.to_owned(), name.clone());
        self.pending.push((name.clone(), target));
        format!("#/$defs/{name}")
    }
}
