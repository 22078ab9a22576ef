//! The rows of `docs/round-trips.md` about tools and their choice.

use crate::normalise::{GOOGLE, each, remove};
use serde_json::{Value, json};
use toolwire::{Dialect, Options};

/// Providers allow parallel calls by default.
pub fn parallel_calls_are_the_default(request: &mut Value, _: Dialect, _: &Options) {
    if request["parallelToolCalls"] == true || request["toolChoice"] == "none" {
        remove(request, "parallelToolCalls");
    }
}

/// An allow-list of all tools has no effect.
pub fn allow_list_of_all_tools_is_the_mode(request: &mut Value, to: Dialect, _: &Options) {
    let Some(allowed) = request["toolChoice"]["allowed"].as_array() else { return };
    let names = |tool: &Value| tool.get("name").or_else(|| tool["value"].get("name")).cloned().unwrap_or_default();
    let tools = request["tools"].as_array().into_iter().flatten();
    if tools
        .filter(|tool| tool["type"] != "native" || tool["provider"] == own_tools(to))
        .all(|tool| allowed.contains(&names(tool)))
    {
        request["toolChoice"] =
            if request["toolChoice"]["mode"] == "required" { "required".into() } else { Value::Null };
    }
    if request["toolChoice"].is_null() {
        remove(request, "toolChoice");
    }
}

/// An allow-list of one tool with mode `required` becomes a choice by name.
pub fn allow_list_of_one_tool_is_a_named_choice(request: &mut Value, _: Dialect, _: &Options) {
    if let (Some([name]), true) =
        (request["toolChoice"]["allowed"].as_array().map(Vec::as_slice), request["toolChoice"]["mode"] == "required")
    {
        request["toolChoice"] = json!({ "name": name });
    }
}

/// The provider of the native tools that the dialect accepts.
fn own_tools(to: Dialect) -> &'static str {
    match to {
        // Chat has no native tools, and Interactions other ones than those that are generated for Google
        Dialect::OpenAI | Dialect::GeminiInteractions => "none",
        Dialect::OpenAIResponses => "openai",
        Dialect::Ollama => "ollama",
        Dialect::Cohere => "cohere",
        Dialect::Anthropic => "anthropic",
        Dialect::Bedrock => "bedrock",
        _ => "google",
    }
}

fn sends_tools(request: &Value, to: Dialect) -> bool {
    let own = own_tools(to);
    request["tools"].as_array().into_iter().flatten().any(|tool| tool["type"] != "native" || tool["provider"] == own)
}

/// Without tools, parallel control and choices that force no call have no effect.
pub fn choice_without_tools_is_omitted(request: &mut Value, to: Dialect, _: &Options) {
    if !sends_tools(request, to) {
        let forces_nothing = request["toolChoice"] == "auto"
            || request["toolChoice"] == "none"
            || request["toolChoice"].get("native").is_some()
            || request["toolChoice"]["allowed"] == json!([]) && request["toolChoice"]["mode"] != "required";
        if forces_nothing {
            remove(request, "toolChoice");
        }
        remove(request, "parallelToolCalls");
    }
}

/// The default choice may be written or omitted.
pub fn equivalent_choices(request: &mut Value, _: Dialect, _: &Options) {
    if request["toolChoice"] == "auto" {
        remove(request, "toolChoice");
    }
    let choice = &mut request["toolChoice"];
    if choice.get("allowed").is_some() && choice.get("mode").is_none() {
        choice["mode"] = "auto".into();
    }
    if choice["allowed"] == json!([]) && choice["mode"] == "auto" {
        *choice = "none".into();
    }
    if choice.is_null() {
        remove(request, "toolChoice");
    }
}

/// Of the tools of one name, any is the same as that one.
pub fn choice_of_the_only_tool_is_any(request: &mut Value, _: Dialect, _: &Options) {
    let chosen = request["toolChoice"]["name"].clone();
    let functions = request["tools"].as_array().into_iter().flatten().filter(|tool| tool["type"] != "native");
    let names: Vec<&Value> = functions.map(|tool| &tool["name"]).collect();
    if chosen.is_string() && !names.is_empty() && names.iter().all(|name| **name == chosen) {
        request["toolChoice"] = "required".into();
    }
}

/// A tool that is declared again, in the same way, is declared once. `strict: false` is the default.
pub fn equal_tools_are_one(request: &mut Value, _: Dialect, _: &Options) {
    let Some(tools) = request["tools"].as_array_mut() else { return };
    let mut known: Vec<Value> = Vec::new();
    tools.retain(|tool| {
        let mut usual = tool.clone();
        if usual["strict"] == false {
            remove(&mut usual, "strict");
        }
        let is_new = tool["type"] == "native" || !known.contains(&usual);
        known.push(usual);
        is_new
    });
}

/// A tool without parameters gets an object without properties. Google's OpenAPI `parameters` can't hold a description
/// without properties, so it is appended to that of the tool.
pub fn no_parameters(request: &mut Value, to: Dialect, options: &Options) {
    let is_openapi = GOOGLE.contains(&to) && options.gemini_schema == toolwire::GeminiSchema::OpenApi;
    for tool in each(&mut request["tools"])
        .filter(|tool| is_openapi && !holds_parameters(&tool["parameters"], &tool["parameters"]))
    {
        if let Some(note) = description(&tool["parameters"]) {
            let own = tool["description"].as_str().filter(|own| !own.trim().is_empty());
            tool["description"] = own.map_or_else(|| note.clone(), |own| format!("{own}\n\n{note}")).into();
        }
    }
    for tool in each(&mut request["tools"]) {
        let none = tool["parameters"] == json!({}) || tool["parameters"] == json!({ "type": "object" });
        if tool["parameters"].is_null() || none {
            tool["parameters"] = json!({ "type": "object", "properties": {} });
        }
    }
}

/// Whether a schema has properties, in one of the places where Google's OpenAPI form can hold them. `whole` contains it.
fn holds_parameters(schema: &Value, whole: &Value) -> bool {
    let is_nothing = |held: &Value| *held == json!({}) || *held == json!([]);
    let held = |key: &str| schema.get(key).is_some_and(|held| !is_nothing(held));
    let target = || whole.pointer(schema["$ref"].as_str()?.strip_prefix('#')?)?.as_object();
    let leads_to_nothing = || target().is_some_and(|target| target.values().all(is_nothing));
    ["properties", "anyOf", "oneOf"].into_iter().any(held)
        || held("$ref") && !leads_to_nothing()
        || conjunction(schema).any(|part| holds_parameters(part, whole))
}

/// The description of a schema, or the first one in its conjunction.
fn description(schema: &Value) -> Option<String> {
    let own = schema["description"].as_str().filter(|own| !own.trim().is_empty());
    own.map(str::to_owned).or_else(|| conjunction(schema).find_map(description))
}

fn conjunction(schema: &Value) -> impl Iterator<Item = &Value> {
    schema["allOf"].as_array().into_iter().flatten()
}

/// Google requires a description.
pub fn no_description(request: &mut Value, _: Dialect, _: &Options) {
    each(&mut request["tools"]).filter(|tool| tool["description"] == "").for_each(|tool| remove(tool, "description"));
}

/// `strict: false` is the default.
pub fn strict_false_is_omitted(request: &mut Value, _: Dialect, _: &Options) {
    let tools = request["tools"].as_array_mut().into_iter().flatten();
    tools.filter(|tool| tool["strict"] == false).for_each(|tool| remove(tool, "strict"));
    if request["responseFormat"]["strict"] == false {
        remove(&mut request["responseFormat"], "strict");
    }
}

/// Google has no strict tools, but a mode for the whole request.
pub fn strict_is_mode_validated(request: &mut Value, _: Dialect, _: &Options) {
    each(&mut request["tools"]).for_each(|tool| remove(tool, "strict"));
}
