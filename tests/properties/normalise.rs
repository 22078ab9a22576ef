//! What a way to a dialect and back changes without a warning, as it means the same there: the rows of `docs/round-trips.md`.

use serde_json::{Value, json};
use toolwire::{Dialect, ErrorStyle, Options};

/// One row: its name in the documentation and in the vectors, the dialects that it is about, and what it does.
pub struct Row {
    pub name: &'static str,
    dialects: &'static [Dialect],
    apply: fn(&mut Value, Dialect, &Options),
}

const ALL: &[Dialect] = &[Dialect::OpenAI, Dialect::Anthropic, Dialect::Gemini, Dialect::VertexAI];
const GOOGLE: &[Dialect] = &[Dialect::Gemini, Dialect::VertexAI];
const NOT_OPENAI: &[Dialect] = &[Dialect::Anthropic, Dialect::Gemini, Dialect::VertexAI];

pub const ROWS: &[Row] = &[
    Row { name: "data-is-text", dialects: ALL, apply: data_is_text },
    Row { name: "results-as-text", dialects: &[Dialect::OpenAI, Dialect::Anthropic], apply: results_as_text },
    Row { name: "results-in-objects", dialects: GOOGLE, apply: results_in_objects },
    Row { name: "fields-are-one", dialects: &[Dialect::OpenAI], apply: fields_are_one },
    Row { name: "nothing-chosen-of-nothing", dialects: ALL, apply: nothing_chosen_of_nothing },
    Row { name: "usual-choice", dialects: ALL, apply: usual_choice },
    Row { name: "parallel-is-usual", dialects: NOT_OPENAI, apply: parallel_is_usual },
    Row { name: "all-allowed", dialects: &[Dialect::Anthropic], apply: all_allowed },
    Row { name: "one-allowed", dialects: GOOGLE, apply: one_allowed },
    Row { name: "no-parameters", dialects: ALL, apply: no_parameters },
    Row { name: "not-strict", dialects: ALL, apply: not_strict },
    Row { name: "strict-is-validated", dialects: GOOGLE, apply: strict_is_validated },
    Row { name: "format-labels", dialects: NOT_OPENAI, apply: format_labels },
    Row { name: "plain-text-is-usual", dialects: &[Dialect::Anthropic], apply: plain_text_is_usual },
    Row { name: "empty-settings", dialects: ALL, apply: empty_settings },
    Row { name: "one-candidate", dialects: &[Dialect::Anthropic], apply: one_candidate },
    Row { name: "stream-in-the-path", dialects: NOT_OPENAI, apply: stream_in_the_path },
    Row { name: "model-in-the-path", dialects: &[Dialect::Anthropic], apply: model_in_the_path },
    Row { name: "no-thinking", dialects: ALL, apply: no_thinking },
    Row { name: "adaptive-thinking", dialects: &[Dialect::Anthropic], apply: adaptive_thinking },
    Row { name: "no-description", dialects: GOOGLE, apply: no_description },
    Row { name: "empty-arguments", dialects: &[Dialect::OpenAI], apply: empty_arguments },
    Row { name: "usual-marks", dialects: ALL, apply: usual_marks },
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

/// The request as it comes back, but for what is told in warnings.
pub fn normalise(request: &Value, to: Dialect, options: &Options) -> Value {
    let mut normal = request.clone();
    for row in ROWS.iter().filter(|row| row.dialects.contains(&to)) {
        (row.apply)(&mut normal, to, options);
    }
    normal
}

fn each(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_array_mut().into_iter().flatten()
}

fn remove(value: &mut Value, key: &str) {
    value.as_object_mut().and_then(|object| object.shift_remove(key));
}

/// A block of data is a text that is JSON.
fn data_is_text(request: &mut Value, to: Dialect, _: &Options) {
    for message in each(&mut request["messages"]) {
        let key = if message["role"] == "tool" { "value" } else { "content" };
        let is_result = message["role"] == "tool" && message["kind"] != "multimodal";
        let is_alone = GOOGLE.contains(&to) && message["role"] == "tool" && only_data(&message["value"]).is_some();
        if !is_result && !is_alone {
            each(&mut message[key]).for_each(text_of_data);
        }
    }
}

/// The place of the one block that says something, if it is data.
fn only_data(blocks: &Value) -> Option<usize> {
    let said = |block: &Value| matches!(block["type"].as_str(), Some("text" | "refusal" | "data"));
    let blocks = blocks.as_array()?;
    let mut places = blocks.iter().enumerate().filter(|(_, block)| said(block));
    let (place, only) = places.next()?;
    (only["type"] == "data" && places.next().is_none()).then_some(place)
}

fn text_of_data(block: &mut Value) {
    if block["type"] == "data" {
        block["text"] = block["value"].to_string().into();
        block["type"] = "text".into();
    }
}

fn error_text(value: &Value, options: &Options) -> Value {
    match (options.error_style, value.as_str()) {
        (ErrorStyle::Json, _) => json!({ "error": value }).to_string().into(),
        (ErrorStyle::Prefix, Some(text)) => format!("Execution Error: {text}").into(),
        (ErrorStyle::Prefix, None) => format!("Execution Error: {value}").into(),
    }
}

fn is_error(message: &Value) -> bool {
    message["kind"] == "error" || message["isError"] == true
}

/// The texts of a result's blocks become one; its media stay.
fn joined(message: &mut Value, said: impl Fn(String) -> Value) {
    let blocks = message["value"].as_array().cloned().unwrap_or_default();
    let is_said = |block: &&Value| matches!(block["type"].as_str(), Some("text" | "refusal"));
    let text: String = blocks.iter().filter(is_said).filter_map(|block| block["text"].as_str()).collect();
    let mut kept = vec![json!({ "type": "text", "text": said(text) })];
    // in their places, so that what is told of them is told there
    kept.resize(blocks.len().max(1), json!({ "type": "text", "text": "" }));
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| !is_said(block)) {
        if index == 0 {
            kept.push(kept[0].clone());
        }
        kept[index] = block.clone();
    }
    message["value"] = kept.into();
}

/// Results are texts; OpenAI has no error flag.
fn results_as_text(request: &mut Value, to: Dialect, options: &Options) {
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "tool") {
        let fails = is_error(message);
        let tells = to == Dialect::OpenAI && fails;
        match message["kind"].as_str() {
            Some("multimodal") if tells => {
                joined(message, |text| error_text(&text.into(), options));
                remove(message, "isError");
            }
            Some("multimodal") => {}
            _ => {
                let value = message["value"].clone();
                let plain = if message["kind"] == "data" { value.to_string().into() } else { value.clone() };
                message["value"] = if tells { error_text(&value, options) } else { plain };
                message["kind"] = if fails && !tells { "error" } else { "text" }.into();
                remove(message, "isError");
            }
        }
    }
}

/// What an object says that holds one key only, and whether it is an error.
fn opened(value: &Value, boxed: &str) -> (Value, bool) {
    match value.as_object().filter(|object| object.len() == 1).and_then(|object| object.iter().next()) {
        Some((key, inner)) if key == boxed && !inner.is_object() => (inner.clone(), false),
        Some((key, inner)) if key == "error" => (inner.clone(), true),
        _ => (value.clone(), false),
    }
}

/// Results are objects: `{output}` or `{error}`, or the data themselves.
fn results_in_objects(request: &mut Value, _: Dialect, options: &Options) {
    let boxed = if options.gemini_result_key == toolwire::GeminiResultKey::Result { "result" } else { "output" };
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "tool") {
        let data = if message["kind"] == "multimodal" { only_data(&message["value"]) } else { None };
        if let Some(place) = data {
            let value = &message["value"][place]["value"];
            let (value, fails) = if is_error(message) { (value.clone(), true) } else { opened(value, boxed) };
            let text = if value.is_string() { value.clone() } else { Value::Null };
            message["value"][place] = if text.is_null() {
                json!({ "type": "data", "value": value })
            } else {
                json!({ "type": "text", "text": text })
            };
            if fails {
                message["isError"] = true.into();
            }
            continue;
        }
        if message["kind"] == "multimodal" {
            joined(message, Value::from);
            continue;
        }
        if message["kind"] == "data" && !is_error(message) {
            let (value, fails) = opened(&message["value"], boxed);
            message["value"] = value;
            if fails {
                message["isError"] = true.into();
            }
        }
        if message["kind"] == "data" && message["value"].is_string() {
            message["kind"] = if is_error(message) { "error" } else { "text" }.into();
            remove(message, "isError");
        }
    }
}

/// An assistant's message has one refusal and one text of reasoning, beside its content.
fn fields_are_one(request: &mut Value, _: Dialect, _: &Options) {
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "assistant") {
        join(message, |block| block["type"] == "refusal");
        join(message, |block| {
            block["type"] == "reasoning"
                && block["issuer"] == "openai"
                && block.get("text").is_some()
                && block.get("signature").is_none()
        });
    }
}

fn join(message: &mut Value, is_one: impl Fn(&Value) -> bool) {
    let mut text = String::new();
    let mut last = None;
    for block in each(&mut message["content"]).filter(|block| is_one(block)) {
        text.push_str(block["text"].as_str().unwrap_or_default());
        block["text"] = "".into();
        last = Some(block);
    }
    if let Some(block) = last {
        block["text"] = text.into();
    }
}

/// Several calls at once are what providers do unasked.
fn parallel_is_usual(request: &mut Value, _: Dialect, _: &Options) {
    if request["parallelToolCalls"] == true || request["toolChoice"] == "none" {
        remove(request, "parallelToolCalls");
    }
}

/// Where all tools are allowed, that says nothing.
fn all_allowed(request: &mut Value, _: Dialect, _: &Options) {
    let Some(allowed) = request["toolChoice"]["allowed"].as_array() else { return };
    let names = |tool: &Value| tool.get("name").or_else(|| tool["value"].get("name")).cloned().unwrap_or_default();
    let tools = request["tools"].as_array().into_iter().flatten();
    if tools
        .filter(|tool| tool["type"] != "native" || tool["provider"] == "anthropic")
        .all(|tool| allowed.contains(&names(tool)))
    {
        request["toolChoice"] =
            if request["toolChoice"]["mode"] == "required" { "required".into() } else { Value::Null };
    }
    if request["toolChoice"].is_null() {
        remove(request, "toolChoice");
    }
}

/// One tool that is allowed, and demanded, is named.
fn one_allowed(request: &mut Value, _: Dialect, _: &Options) {
    if let (Some([name]), true) =
        (request["toolChoice"]["allowed"].as_array().map(Vec::as_slice), request["toolChoice"]["mode"] == "required")
    {
        request["toolChoice"] = json!({ "name": name });
    }
}

fn sends_tools(request: &Value, to: Dialect) -> bool {
    let own = match to {
        // Chat has no tools of its own
        Dialect::OpenAI => "none",
        Dialect::Anthropic => "anthropic",
        _ => "google",
    };
    request["tools"].as_array().into_iter().flatten().any(|tool| tool["type"] != "native" || tool["provider"] == own)
}

/// Without tools a choice that forces nothing, and parallel control, say nothing.
fn nothing_chosen_of_nothing(request: &mut Value, to: Dialect, _: &Options) {
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

/// The usual choice may be written or not.
fn usual_choice(request: &mut Value, _: Dialect, _: &Options) {
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

/// A tool without parameters has an object of none.
fn no_parameters(request: &mut Value, _: Dialect, _: &Options) {
    for tool in each(&mut request["tools"]) {
        let none = tool["parameters"] == json!({}) || tool["parameters"] == json!({ "type": "object" });
        if tool["parameters"].is_null() || none {
            tool["parameters"] = json!({ "type": "object", "properties": {} });
        }
    }
}

/// Only Anthropic knows thinking as the model sees fit; it is kept as its own.
fn adaptive_thinking(request: &mut Value, _: Dialect, _: &Options) {
    if request["reasoning"]["budgetTokens"].as_f64().is_some_and(|budget| budget < 0.0) {
        remove(&mut request["reasoning"], "budgetTokens");
    }
    if request["reasoning"].is_null() {
        remove(request, "reasoning");
    }
}

/// Google demands a description.
fn no_description(request: &mut Value, _: Dialect, _: &Options) {
    each(&mut request["tools"]).filter(|tool| tool["description"] == "").for_each(|tool| remove(tool, "description"));
}

/// Arguments of nothing are none.
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

/// `strict: false` is as good as nothing.
fn not_strict(request: &mut Value, _: Dialect, _: &Options) {
    let tools = request["tools"].as_array_mut().into_iter().flatten();
    tools.filter(|tool| tool["strict"] == false).for_each(|tool| remove(tool, "strict"));
    if request["responseFormat"]["strict"] == false {
        remove(&mut request["responseFormat"], "strict");
    }
}

/// Google has no strict tools, but a mode for the whole request.
fn strict_is_validated(request: &mut Value, _: Dialect, _: &Options) {
    each(&mut request["tools"]).for_each(|tool| remove(tool, "strict"));
}

/// An answer's schema has no name and no description, and is always enforced.
fn format_labels(request: &mut Value, _: Dialect, _: &Options) {
    if request["responseFormat"]["type"] == "jsonSchema" {
        remove(&mut request["responseFormat"], "name");
        remove(&mut request["responseFormat"], "description");
        request["responseFormat"]["strict"] = true.into();
    }
}

/// Text is what answers are.
fn plain_text_is_usual(request: &mut Value, _: Dialect, _: &Options) {
    if request["responseFormat"]["type"] == "text" {
        remove(request, "responseFormat");
    }
}

fn empty_settings(request: &mut Value, _: Dialect, _: &Options) {
    if request["stop"] == json!([]) {
        remove(request, "stop");
    }
}

fn one_candidate(request: &mut Value, _: Dialect, _: &Options) {
    if request["candidateCount"].as_f64() == Some(1.0) {
        remove(request, "candidateCount");
    }
}

fn stream_in_the_path(request: &mut Value, to: Dialect, options: &Options) {
    if to != Dialect::Anthropic || options.platform == Some(toolwire::Platform::Bedrock) {
        remove(request, "stream");
    }
}

fn model_in_the_path(request: &mut Value, _: Dialect, options: &Options) {
    if options.platform.is_some() {
        remove(request, "model");
    }
}

/// No effort is no budget; and where nothing is thought nothing is shown of it.
fn no_thinking(request: &mut Value, _: Dialect, _: &Options) {
    let reasoning = &mut request["reasoning"];
    let no_budget = reasoning["budgetTokens"].as_f64() == Some(0.0) && reasoning.get("effort").is_none();
    if no_budget || reasoning["effort"] == "none" {
        *reasoning = json!({ "effort": "none" });
    }
    if reasoning["include"] != true || reasoning["budgetTokens"].as_f64() == Some(0.0) {
        remove(reasoning, "include");
    }
    if request["reasoning"].is_null() {
        remove(request, "reasoning");
    }
}

/// What marks the usual case: calls of the model itself, freeform calls, the role of a developer.
fn usual_marks(request: &mut Value, _: Dialect, _: &Options) {
    match request {
        Value::Object(fields) => {
            if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
                metadata.get_mut("anthropic").into_iter().for_each(|own| remove(own, "caller"));
                metadata.get_mut("openai").into_iter().for_each(|own| remove(own, "role"));
            }
            fields.values_mut().for_each(|value| usual_marks(value, Dialect::Canonical, &Options::default()));
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|value| usual_marks(value, Dialect::Canonical, &Options::default()));
        }
        _ => {}
    }
}
