//! Structural tags of the crate `xgrammar-structural-tag`, and ours for the same model, tools and choice.
//!
//! `xgrammar/compare.py` compares the languages of each pair. `xgrammar/differences.json` names the format of each model.

use serde_json::{Map, Value, json};
use toolwire::text::Tool;
use toolwire::text::grammar::{GrammarOptions, tool_grammar};
use toolwire::text::write::{Form, calls_as_text};
use xgrammar_structural_tag::builders::{ReasoningMode, StructuralTagOptions};
use xgrammar_structural_tag::{Model, ToolChoice, ToolParam, build_structural_tag};

const DIFFERENCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/xgrammar/differences.json");

/// One model and case: the crate's tag, ours, and texts that at least one of them should accept.
struct Pair<'a> {
    model: &'a str,
    format: &'a str,
    case: &'a Value,
    tools: Vec<&'a Value>,
    theirs: Value,
}

/// Prints a line for each pair: those of the golden files in a folder, then those of other tools.
pub fn print(folder: &str) -> Result<(), String> {
    let read = |path: &str| -> Result<Value, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
    };
    let differences = read(DIFFERENCES)?;
    let formats = differences["models"].as_object().ok_or("no models")?;
    let golden = read(&format!("{folder}/cases.json"))?;
    for (model, row) in formats {
        let Some(format) = row["format"].as_str() else { continue };
        let tags = read(&format!("{folder}/{model}.json"))?;
        for case in list(&golden["cases"]) {
            let tools: Vec<&Value> = names(&case["tools"]).map(|name| &golden["tools"][name]).collect();
            let theirs = &tags[case["name"].as_str().unwrap_or_default()];
            // the others are tools of the server
            if !theirs.is_null() && tools.iter().all(|tool| tool["type"] == "function") {
                println!("{}", Pair { model, format, case, tools, theirs: theirs.clone() }.line()?);
            }
        }
        for (case, tools) in others() {
            let theirs = generated(model, &case, &tools)?;
            println!("{}", Pair { model, format, case: &case, tools: tools.iter().collect(), theirs }.line()?);
        }
    }
    Ok(())
}

impl Pair<'_> {
    fn line(&self) -> Result<Value, String> {
        let declared: Vec<Value> = self.tools.iter().map(|tool| declared(tool)).collect();
        let options = json!({
            "syntax": "structuralTag",
            "format": self.format,
            "toolChoice": choice(&self.case["tool_choice"]),
            "parallelToolCalls": self.case["parallel_tool_calls"] != false,
        });
        let tools = Tool::list(&declared.clone().into()).map_err(|error| error.to_string())?;
        let parsed = GrammarOptions::of(&options).map_err(|error| error.to_string())?;
        let ours = tool_grammar(&tools, &parsed).map_err(|error| error.to_string())?.grammar;
        Ok(json!({
            "model": self.model,
            "case": self.case["name"],
            "reasoning": self.case["reasoning"],
            "ours": ours,
            "theirs": self.theirs,
            "texts": texts(&declared, parsed.form),
        }))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn names(value: &Value) -> impl Iterator<Item = &str> {
    list(value).iter().filter_map(Value::as_str)
}

fn declared(tool: &Value) -> Value {
    let function = &tool["function"];
    json!({ "name": function["name"], "parameters": function.get("parameters").unwrap_or(&json!({ "type": "object" })) })
}

/// The choice of Chat Completions as the package's.
fn choice(given: &Value) -> Value {
    match given["type"].as_str() {
        Some("function") => json!({ "name": given["function"]["name"] }),
        Some("allowed_tools") => {
            let allowed = &given["allowed_tools"];
            let names: Vec<&Value> = list(&allowed["tools"]).iter().map(|tool| &tool["function"]["name"]).collect();
            json!({ "allowed": names, "mode": allowed["mode"] })
        }
        _ => given.clone(),
    }
}

/// Text, one call of each tool, two calls, a call after text and one after reasoning, as the format writes them.
fn texts(tools: &[Value], form: &'static Form) -> Vec<String> {
    let call = |tool: &Value| {
        let properties = tool["parameters"]["properties"].as_object().cloned().unwrap_or_default();
        let arguments: Map<String, Value> =
            properties.into_iter().map(|(key, schema)| (key, sample(&schema))).collect();
        json!({ "id": "call00001", "name": tool["name"], "arguments": arguments })
    };
    let mut messages = vec![json!({ "content": "Hi.", "toolCalls": [] })];
    for tool in tools {
        messages.push(json!({ "content": "", "toolCalls": [call(tool)] }));
        messages.push(json!({ "content": "", "toolCalls": [call(tool), call(tool)] }));
        messages.push(json!({ "content": "Hi.", "toolCalls": [call(tool)] }));
    }
    let texts: Vec<String> = messages.iter().map(|message| calls_as_text(message, form).text).collect();
    let reasoning = form.reasoning.replace("%t", "t");
    let after = texts.iter().skip(1).step_by(3).map(|call| format!("{reasoning}{call}"));
    texts.iter().cloned().chain(after).collect()
}

fn sample(schema: &Value) -> Value {
    match (schema["type"].as_str(), &schema["enum"]) {
        (_, Value::Array(values)) => values[0].clone(),
        (Some("integer"), _) => json!(12),
        (Some("number"), _) => json!(1.5),
        (Some("boolean"), _) => json!(true),
        (Some("array"), _) => json!(["x"]),
        (Some("object"), _) => json!({ "a": 1 }),
        _ => json!("x"),
    }
}

/// Cases beyond the golden ones: tools of every type, with all choices.
fn others() -> Vec<(Value, Vec<Value>)> {
    let tool = |name: &str, properties: Value, required: &[&str]| {
        let parameters = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        json!({ "type": "function", "function": { "name": name, "parameters": parameters } })
    };
    let typed = tool(
        "set_alarm",
        json!({
            "hour": { "type": "integer" },
            "label": { "type": "string" },
            "days": { "type": "array", "items": { "type": "string" } },
            "loud": { "type": "boolean" },
            "tone": { "enum": ["low", "high"] },
        }),
        &["hour", "label", "days", "loud", "tone"],
    );
    let optional = tool(
        "note",
        json!({
            "text": { "type": "string" },
            "count": { "type": "integer" },
            "place": {
                "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"],
                "additionalProperties": false,
            },
        }),
        &["text"],
    );
    let none = tool("stop", json!({}), &[]);
    let sets =
        [("typed", vec![typed.clone()]), ("optional", vec![optional.clone()]), ("three", vec![typed, optional, none])];
    let one = |name: &Value| json!({ "type": "function", "function": { "name": name } });
    let mut out = Vec::new();
    for (label, tools) in sets {
        let first = &tools[0]["function"]["name"];
        let allowed = json!({ "type": "allowed_tools", "allowed_tools": { "mode": "auto", "tools": [one(first)] } });
        for (choice, value) in
            [("auto", json!("auto")), ("required", json!("required")), ("one", one(first)), ("allowed", allowed)]
        {
            for parallel in if tools.len() > 1 { &[true, false][..] } else { &[true] } {
                let calls = if *parallel { "many" } else { "single" };
                let case = json!({
                    "name": format!("{label}, {choice}, {calls}"),
                    "tool_choice": value,
                    "parallel_tool_calls": parallel,
                    "reasoning": "auto",
                });
                out.push((case, tools.clone()));
            }
        }
    }
    out
}

/// The crate's tag.
fn generated(model: &str, case: &Value, tools: &[Value]) -> Result<Value, String> {
    let fail = |error: &dyn std::fmt::Display| format!("{model}: {error}");
    let model: Model = model.parse().map_err(|error| fail(&error))?;
    let tools: Vec<ToolParam> = serde_json::from_value(tools.into()).map_err(|error| fail(&error))?;
    let choice: ToolChoice = serde_json::from_value(case["tool_choice"].clone()).map_err(|error| fail(&error))?;
    let options = StructuralTagOptions::default()
        .with_reasoning(ReasoningMode::Auto)
        .with_parallel_tool_calls(case["parallel_tool_calls"] != false);
    let tag = build_structural_tag(model, &tools, choice, options).map_err(|error| fail(&error))?;
    serde_json::to_value(tag).map_err(|error| fail(&error))
}
