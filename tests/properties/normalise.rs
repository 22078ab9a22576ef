//! Changes on a round trip that have no warning because the meaning stays the same: the rows of `docs/round-trips.md`.

use crate::messages::{
    bedrock_results_hold_objects, data_is_text, gemini_results_are_objects, reasoning_state_is_the_signature,
    refusals_and_reasoning_are_joined, results_as_text, texts_are_joined, unsigned_reasoning,
};
use serde_json::{Value, json};
use toolwire::{Dialect, Options, Subject, convert_text};

/// One row: its name in the documentation and in the vectors, the dialects that it applies to (with their variants),
/// and its function.
pub struct Row {
    pub name: &'static str,
    dialects: &'static [Dialect],
    /// The row also applies where a variant lacks this field of requests.
    lacking: Option<&'static str>,
    apply: fn(&mut Value, Dialect, &Options),
}

const ALL: &[Dialect] = &[
    Dialect::OpenAI,
    Dialect::OpenAIResponses,
    Dialect::Anthropic,
    Dialect::Bedrock,
    Dialect::Gemini,
    Dialect::Ollama,
];
const OPENAI: &[Dialect] = &[Dialect::OpenAI, Dialect::OpenAIResponses];
const GOOGLE: &[Dialect] = &[Dialect::Gemini];
const NOT_GOOGLE: &[Dialect] = &[Dialect::OpenAI, Dialect::OpenAIResponses, Dialect::Anthropic, Dialect::Ollama];
const NOT_OPENAI: &[Dialect] = &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Gemini, Dialect::Ollama];
const OLLAMA: &[Dialect] = &[Dialect::Ollama];

pub const ROWS: &[Row] = &[
    Row { name: "data-is-text", dialects: ALL, lacking: None, apply: data_is_text },
    Row {
        name: "bedrock-results-hold-objects",
        dialects: &[Dialect::Bedrock],
        lacking: None,
        apply: bedrock_results_hold_objects,
    },
    Row {
        name: "cache-marks-are-cache-points",
        dialects: &[Dialect::Bedrock],
        lacking: None,
        apply: cache_marks_are_cache_points,
    },
    Row { name: "results-as-text", dialects: NOT_GOOGLE, lacking: None, apply: results_as_text },
    Row { name: "gemini-results-are-objects", dialects: GOOGLE, lacking: None, apply: gemini_results_are_objects },
    Row { name: "unsigned-reasoning", dialects: &[Dialect::OpenAI], lacking: None, apply: unsigned_reasoning },
    Row {
        name: "refusals-and-reasoning-are-joined",
        dialects: &[Dialect::OpenAI],
        lacking: None,
        apply: refusals_and_reasoning_are_joined,
    },
    Row {
        name: "reasoning-state-is-the-signature",
        dialects: &[Dialect::OpenAIResponses],
        lacking: None,
        apply: reasoning_state_is_the_signature,
    },
    Row {
        name: "texts-are-joined",
        dialects: &[Dialect::OpenAIResponses, Dialect::Ollama],
        lacking: None,
        apply: texts_are_joined,
    },
    Row {
        name: "choice-without-tools-is-omitted",
        dialects: ALL,
        lacking: None,
        apply: choice_without_tools_is_omitted,
    },
    Row { name: "equivalent-choices", dialects: ALL, lacking: None, apply: equivalent_choices },
    Row {
        name: "parallel-calls-are-the-default",
        dialects: NOT_OPENAI,
        lacking: Some(r#""parallelToolCalls":false"#),
        apply: parallel_calls_are_the_default,
    },
    Row {
        name: "allow-list-of-all-tools-is-the-mode",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Ollama],
        lacking: None,
        apply: allow_list_of_all_tools_is_the_mode,
    },
    Row {
        name: "allow-list-of-one-tool-is-a-named-choice",
        dialects: GOOGLE,
        lacking: None,
        apply: allow_list_of_one_tool_is_a_named_choice,
    },
    Row {
        name: "equal-tools-are-one",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Gemini],
        lacking: None,
        apply: equal_tools_are_one,
    },
    Row {
        name: "choice-of-the-only-tool-is-any",
        dialects: &[Dialect::Bedrock],
        lacking: None,
        apply: choice_of_the_only_tool_is_any,
    },
    Row { name: "no-parameters", dialects: ALL, lacking: None, apply: no_parameters },
    Row { name: "strict-false-is-omitted", dialects: ALL, lacking: None, apply: strict_false_is_omitted },
    Row { name: "strict-is-mode-validated", dialects: GOOGLE, lacking: None, apply: strict_is_mode_validated },
    Row {
        name: "response-format-is-a-bare-schema",
        dialects: NOT_OPENAI,
        lacking: None,
        apply: response_format_is_a_bare_schema,
    },
    Row {
        name: "response-format-text-is-omitted",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Ollama],
        lacking: None,
        apply: response_format_text_is_omitted,
    },
    Row { name: "empty-settings", dialects: ALL, lacking: None, apply: empty_settings },
    Row { name: "defaults-are-omitted", dialects: ALL, lacking: None, apply: defaults_are_omitted },
    Row {
        name: "stream-in-the-path",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Gemini],
        lacking: None,
        apply: stream_in_the_path,
    },
    Row { name: "stream-false-is-the-default", dialects: OLLAMA, lacking: None, apply: stream_false_is_the_default },
    Row { name: "model-in-the-path", dialects: &[Dialect::Anthropic], lacking: None, apply: model_in_the_path },
    Row { name: "effort-is-a-budget", dialects: GOOGLE, lacking: None, apply: effort_is_a_budget },
    Row { name: "no-thinking", dialects: ALL, lacking: None, apply: no_thinking },
    Row {
        name: "ollama-thinking-includes-reasoning",
        dialects: OLLAMA,
        lacking: None,
        apply: ollama_thinking_includes_reasoning,
    },
    Row { name: "adaptive-thinking", dialects: ALL, lacking: None, apply: adaptive_thinking },
    Row { name: "no-description", dialects: GOOGLE, lacking: None, apply: no_description },
    Row { name: "empty-arguments", dialects: OPENAI, lacking: None, apply: empty_arguments },
    Row { name: "default-markers-are-omitted", dialects: ALL, lacking: None, apply: default_markers_are_omitted },
];

#[test]
fn every_row_is_documented_and_has_a_vector() {
    let documentation = std::fs::read_to_string("docs/round-trips.md").unwrap();
    let vectors = std::fs::read_to_string("tests/vectors/round-trips.json").unwrap();
    for Row { name, .. } in ROWS {
        assert!(documentation.contains(&format!("| `{name}` |")), "docs/round-trips.md has no row {name}");
        assert!(vectors.contains(&format!("\"round-trips/{name}\"")), "no vector is called round-trips/{name}");
    }
    assert_eq!(documentation.matches("\n| `").count(), ROWS.len(), "docs/round-trips.md has rows that nothing does");
}

/// The request as a round trip returns it, apart from changes that are reported.
pub fn normalise(request: &Value, to: Dialect, options: &Options) -> Value {
    let mut normal = request.clone();
    let base = to.base();
    let is_lacking = |field: &str| to != base && lacks(to, field);
    for row in ROWS.iter().filter(|row| row.dialects.contains(&base) || row.lacking.is_some_and(is_lacking)) {
        (row.apply)(&mut normal, base, options);
    }
    normal
}

/// Whether the dialect reports that it lacks a field of requests.
fn lacks(to: Dialect, field: &str) -> bool {
    let request = format!(r#"{{"messages":[{{"role":"user","content":"?"}}],"tools":[{{"name":"f"}}],{field}}}"#);
    let written = convert_text(
        request.into_bytes(),
        Subject::Request,
        Dialect::Canonical,
        to,
        Options { bookkeeping: true, ..Options::default() },
    );
    !written.unwrap().warnings.is_empty()
}

pub fn each(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_array_mut().into_iter().flatten()
}

pub fn remove(value: &mut Value, key: &str) {
    value.as_object_mut().and_then(|object| object.shift_remove(key));
}

/// Providers allow parallel calls by default.
fn parallel_calls_are_the_default(request: &mut Value, _: Dialect, _: &Options) {
    if request["parallelToolCalls"] == true || request["toolChoice"] == "none" {
        remove(request, "parallelToolCalls");
    }
}

/// An allow-list of all tools has no effect.
fn allow_list_of_all_tools_is_the_mode(request: &mut Value, to: Dialect, _: &Options) {
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
fn allow_list_of_one_tool_is_a_named_choice(request: &mut Value, _: Dialect, _: &Options) {
    if let (Some([name]), true) =
        (request["toolChoice"]["allowed"].as_array().map(Vec::as_slice), request["toolChoice"]["mode"] == "required")
    {
        request["toolChoice"] = json!({ "name": name });
    }
}

/// The provider of the native tools that the dialect accepts.
fn own_tools(to: Dialect) -> &'static str {
    match to {
        // Chat has no native tools
        Dialect::OpenAI => "none",
        Dialect::OpenAIResponses => "openai",
        Dialect::Ollama => "ollama",
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
fn choice_without_tools_is_omitted(request: &mut Value, to: Dialect, _: &Options) {
    if !sends_tools(request, to) {
        let forces_nothing = request["toolChoice"] == "auto"
            || request["toolChoice"] == "none"
            || request["toolChoice"].get("native").is_some();
        if forces_nothing {
            remove(request, "toolChoice");
        }
        remove(request, "parallelToolCalls");
    }
}

/// The default choice may be written or omitted.
fn equivalent_choices(request: &mut Value, _: Dialect, _: &Options) {
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

/// Of one tool, any is the same as that one.
fn choice_of_the_only_tool_is_any(request: &mut Value, _: Dialect, _: &Options) {
    let functions = request["tools"].as_array().into_iter().flatten().filter(|tool| tool["type"] != "native");
    if let [only] = functions.collect::<Vec<_>>().as_slice()
        && request["toolChoice"]["name"] == only["name"]
        && only["name"].is_string()
    {
        request["toolChoice"] = "required".into();
    }
}

/// A tool that is declared again, in the same way, is declared once.
fn equal_tools_are_one(request: &mut Value, _: Dialect, _: &Options) {
    let Some(tools) = request["tools"].as_array_mut() else { return };
    let mut known: Vec<Value> = Vec::new();
    tools.retain(|tool| {
        let is_new = tool["type"] == "native" || !known.contains(tool);
        known.push(tool.clone());
        is_new
    });
}

/// A tool without parameters gets an object without properties. Google's OpenAPI `parameters` can't hold a description
/// without properties, so it is appended to that of the tool.
fn no_parameters(request: &mut Value, to: Dialect, options: &Options) {
    let is_openapi = GOOGLE.contains(&to) && options.gemini_schema == toolwire::GeminiSchema::OpenApi;
    for tool in each(&mut request["tools"]).filter(|tool| is_openapi && !holds_parameters(&tool["parameters"])) {
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

/// Whether a schema has properties, in one of the places where Google's OpenAPI form can hold them.
fn holds_parameters(schema: &Value) -> bool {
    let is_nothing = |held: &Value| *held == json!({}) || *held == json!([]);
    let held = |key: &str| schema.get(key).is_some_and(|held| !is_nothing(held));
    ["properties", "anyOf", "oneOf", "$ref"].into_iter().any(held) || conjunction(schema).any(holds_parameters)
}

/// The description of a schema, or the first one in its conjunction.
fn description(schema: &Value) -> Option<String> {
    let own = schema["description"].as_str().filter(|own| !own.trim().is_empty());
    own.map(str::to_owned).or_else(|| conjunction(schema).find_map(description))
}

fn conjunction(schema: &Value) -> impl Iterator<Item = &Value> {
    schema["allOf"].as_array().into_iter().flatten()
}

/// A budget that is left to the model is redundant besides an effort, except on Anthropic; there it is redundant where
/// reasoning is included.
fn adaptive_thinking(request: &mut Value, to: Dialect, _: &Options) {
    let Some(reasoning) = request.get_mut("reasoning") else { return };
    let is_adaptive = reasoning["budgetTokens"].as_f64().is_some_and(|budget| budget < 0.0);
    let has_effort = reasoning.get("effort").is_some_and(|effort| effort != "none");
    if to != Dialect::Anthropic && is_adaptive && has_effort {
        remove(reasoning, "budgetTokens");
    }
    if to == Dialect::Anthropic && reasoning["include"] == true && is_adaptive {
        remove(reasoning, "budgetTokens");
    }
}

/// Google requires a description.
fn no_description(request: &mut Value, _: Dialect, _: &Options) {
    each(&mut request["tools"]).filter(|tool| tool["description"] == "").for_each(|tool| remove(tool, "description"));
}

/// Empty arguments become `{}`.
fn empty_arguments(request: &mut Value, _: Dialect, _: &Options) {
    for message in each(&mut request["messages"]) {
        for call in each(&mut message["invalidToolCalls"]) {
            if matches!(call["rawArguments"].as_str().map(str::trim), Some("" | "null")) {
                call["arguments"] = json!({});
                remove(call, "rawArguments");
            }
        }
    }
}

/// `strict: false` is the default.
fn strict_false_is_omitted(request: &mut Value, _: Dialect, _: &Options) {
    let tools = request["tools"].as_array_mut().into_iter().flatten();
    tools.filter(|tool| tool["strict"] == false).for_each(|tool| remove(tool, "strict"));
    if request["responseFormat"]["strict"] == false {
        remove(&mut request["responseFormat"], "strict");
    }
}

/// Google has no strict tools, but a mode for the whole request.
fn strict_is_mode_validated(request: &mut Value, _: Dialect, _: &Options) {
    each(&mut request["tools"]).for_each(|tool| remove(tool, "strict"));
}

/// The schema of a response has no name and no description, and is always enforced.
fn response_format_is_a_bare_schema(request: &mut Value, _: Dialect, _: &Options) {
    if request["responseFormat"]["type"] == "jsonSchema" {
        remove(&mut request["responseFormat"], "name");
        remove(&mut request["responseFormat"], "description");
        request["responseFormat"]["strict"] = true.into();
    }
}

/// Text is the default format of responses.
fn response_format_text_is_omitted(request: &mut Value, _: Dialect, _: &Options) {
    if request["responseFormat"]["type"] == "text" {
        remove(request, "responseFormat");
    }
}

fn empty_settings(request: &mut Value, _: Dialect, _: &Options) {
    if request["stop"] == json!([]) {
        remove(request, "stop");
    }
}

/// A setting with the value that it has without being stated.
fn defaults_are_omitted(request: &mut Value, _: Dialect, _: &Options) {
    let numbers = [
        ("temperature", 1.0),
        ("topP", 1.0),
        ("presencePenalty", 0.0),
        ("frequencyPenalty", 0.0),
        ("candidateCount", 1.0),
        ("topLogprobs", 0.0),
    ];
    for (key, default) in numbers {
        if request[key].as_f64() == Some(default) {
            remove(request, key);
        }
    }
    if request["verbosity"] == "medium" {
        remove(request, "verbosity");
    }
}

fn stream_in_the_path(request: &mut Value, to: Dialect, options: &Options) {
    if to != Dialect::Anthropic || options.platform == Some(toolwire::Platform::Bedrock) {
        remove(request, "stream");
    }
}

/// Ollama streams by default.
fn stream_false_is_the_default(request: &mut Value, _: Dialect, _: &Options) {
    if request["stream"] == false {
        remove(request, "stream");
    }
}

fn model_in_the_path(request: &mut Value, _: Dialect, options: &Options) {
    if options.platform.is_some() {
        remove(request, "model");
    }
}

/// Models before Gemini 3 have budgets instead of efforts; with budget 0 there is no effort. A budget that is left to the
/// model is redundant besides an effort.
fn effort_is_a_budget(request: &mut Value, _: Dialect, _: &Options) {
    let model = request.get("model").and_then(Value::as_str);
    let knows_no_levels = model.is_some_and(|model| model.contains("gemini-2.5"));
    let Some(reasoning) = request.get_mut("reasoning") else { return };
    let budget = match reasoning.get("effort").and_then(Value::as_str) {
        Some("minimal" | "low") => 1024,
        Some("medium") => 8192,
        Some("high" | "xhigh" | "max") => 24576,
        _ => return,
    };
    let given = reasoning.get("budgetTokens").and_then(Value::as_f64);
    let is_free = given.is_none_or(|given| given < 0.0);
    if given == Some(0.0) || is_free && knows_no_levels {
        remove(reasoning, "effort");
    }
    if is_free && knows_no_levels {
        reasoning["budgetTokens"] = budget.into();
    }
}

/// The effort `none` is the budget 0, whatever effort is set besides it (except on Anthropic); without reasoning none
/// is included.
fn no_thinking(request: &mut Value, to: Dialect, _: &Options) {
    let model = request.get("model").and_then(Value::as_str);
    // Bedrock hosts models of all providers
    let [is_google, is_openai] = [GOOGLE, OPENAI].map(|own| own.contains(&to) || to == Dialect::Bedrock);
    let never_thinks = is_google && model.is_some_and(|model| model.contains("gemini-2.0"));
    // these models can't turn reasoning off
    let least = match model {
        Some("gemini-3-pro") if is_google => Some("low"),
        Some("gpt-5") if is_openai => Some("minimal"),
        _ => None,
    };
    // of both, these models of Google take the budget, and those of OpenAI the effort
    let has_budgets_only = model.is_some_and(|model| model.contains("gemini-2."));
    let reasoning = &mut request["reasoning"];
    let budget = reasoning["budgetTokens"].as_f64();
    let is_none = reasoning["effort"] == "none";
    let has_both = to == Dialect::Anthropic || to == Dialect::Bedrock && !has_budgets_only;
    let is_lone = !has_both || reasoning.get("effort").is_none();
    let is_off = budget == Some(0.0) && is_lone || is_none && budget.is_none_or(|budget| budget == 0.0);
    if let Some(least) = least.filter(|_| is_off || is_none) {
        remove(reasoning, "budgetTokens");
        reasoning["effort"] = least.into();
        if reasoning["include"] != true {
            remove(reasoning, "include");
        }
        return;
    }
    if is_off {
        *reasoning = json!({ "effort": "none" });
    }
    if is_none || reasoning["include"] != true || budget == Some(0.0) {
        remove(reasoning, "include");
    }
    if never_thinks && reasoning["effort"] == "none" {
        remove(reasoning, "effort");
    }
    if request["reasoning"].is_null() {
        remove(request, "reasoning");
    }
}

/// What may be cached has a cache point behind it.
fn cache_marks_are_cache_points(request: &mut Value, _: Dialect, _: &Options) {
    points_of_marks(request);
}

fn points_of_marks(value: &mut Value) {
    let fields: Vec<&mut Value> = match value {
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Array(elements) => elements.iter_mut().collect(),
        _ => Vec::new(),
    };
    fields.into_iter().for_each(points_of_marks);
    let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let Some(anthropic) = metadata.get_mut("anthropic").and_then(Value::as_object_mut) else { return };
    if let Some(mut mark) = anthropic.shift_remove("cache_control") {
        mark["type"] = "default".into();
        metadata.entry("bedrock").or_insert_with(|| json!({}))["cachePoint"] = mark;
    }
}

/// Ollama includes reasoning whenever it is on; the model decides how much, unless there is an effort.
fn ollama_thinking_includes_reasoning(request: &mut Value, _: Dialect, _: &Options) {
    let Some(reasoning) = request.get_mut("reasoning") else { return };
    let has = |key: &str| reasoning.get(key).is_some();
    if reasoning["effort"] == "none" || !(has("effort") || has("budgetTokens") || has("include")) {
        return;
    }
    reasoning["include"] = true.into();
    if reasoning.get("effort").is_none() && reasoning.get("budgetTokens").is_none() {
        reasoning["budgetTokens"] = (-1).into();
    }
}

/// Markers of the default case: calls of the model itself, freeform calls, the developer role.
fn default_markers_are_omitted(request: &mut Value, _: Dialect, _: &Options) {
    match request {
        Value::Object(fields) => {
            if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
                metadata.get_mut("anthropic").into_iter().for_each(|own| remove(own, "caller"));
                metadata.get_mut("openai").into_iter().for_each(|own| remove(own, "role"));
            }
            fields.values_mut().for_each(|value| {
                default_markers_are_omitted(
                    value,
                    Dialect::Canonical,
                    &Options { bookkeeping: true, ..Options::default() },
                )
            });
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|value| {
                default_markers_are_omitted(
                    value,
                    Dialect::Canonical,
                    &Options { bookkeeping: true, ..Options::default() },
                )
            });
        }
        _ => {}
    }
}
