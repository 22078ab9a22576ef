//! The rows of `docs/round-trips.md` about the content of messages and results.

use crate::normalise::{each, remove};
use serde_json::{Value, json};
use toolwire::{Dialect, ErrorStyle, MissingResults, Options, OrphanResults};

/// Fields of Google of a call, a result and a thought are fields of their step.
pub fn fields_are_of_the_step(request: &mut Value, _: Dialect, _: &Options) {
    open_steps(request);
}

fn open_steps(value: &mut Value) {
    if let Some(Value::Object(own)) = value.get_mut("metadata").and_then(|metadata| metadata.get_mut("google"))
        && let Some(Value::Object(step)) = own.shift_remove("step")
    {
        own.extend(step);
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(open_steps),
        Value::Array(elements) => elements.iter_mut().for_each(open_steps),
        _ => {}
    }
}

/// The system prompt is one text, whose parts are separated by a blank line.
pub fn system_prompt_is_one_text(request: &mut Value, _: Dialect, _: &Options) {
    let mut texts: Vec<&mut Value> = Vec::new();
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "system") {
        let content = &mut message["content"];
        if content.is_string() {
            texts.push(content);
        } else {
            let is_text = |block: &&mut Value| matches!(block["type"].as_str(), Some("text" | "refusal"));
            texts.extend(each(content).filter(is_text).map(|block| &mut block["text"]));
        }
    }
    texts.retain(|text| text.as_str().is_some_and(|text| !text.trim().is_empty()));
    let joined: Vec<String> = texts
        .iter_mut()
        .map(|text| std::mem::replace(*text, "".into()).as_str().unwrap_or_default().to_owned())
        .collect();
    if let Some(first) = texts.first_mut() {
        **first = joined.join("\n\n").into();
    }
}

/// Results hold objects; other data are text with their JSON. In contents, only Bedrock has objects.
pub fn results_hold_objects(request: &mut Value, to: Dialect, _: &Options) {
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "tool") {
        if message["kind"] == "data" && !message["value"].is_object() {
            message["value"] = message["value"].to_string().into();
            message["kind"] = if is_error(message) { "error" } else { "text" }.into();
            remove(message, "isError");
        }
        if message["kind"] == "multimodal" && to == Dialect::Bedrock {
            each(&mut message["value"]).filter(|block| !block["value"].is_object()).for_each(text_of_data);
            if let Some([only]) = message["value"].as_array().map(Vec::as_slice)
                && only["type"] == "data"
            {
                message["value"] = only["value"].clone();
                message["kind"] = "data".into();
            }
        }
    }
}

/// A data block becomes a text block with its JSON.
pub fn data_is_text(request: &mut Value, to: Dialect, _: &Options) {
    for message in each(&mut request["messages"]) {
        if to == Dialect::Bedrock && message["role"] == "tool" {
            continue;
        }
        let key = if message["role"] == "tool" { "value" } else { "content" };
        let is_result = message["role"] == "tool" && message["kind"] != "multimodal";
        let is_alone = to == Dialect::Gemini && message["role"] == "tool" && only_data(&message["value"]).is_some();
        if !is_result && !is_alone {
            each(&mut message[key]).for_each(text_of_data);
        }
    }
}

/// The position of the only block with content, if it is a data block.
fn only_data(blocks: &Value) -> Option<usize> {
    let has_content = |block: &Value| matches!(block["type"].as_str(), Some("text" | "refusal" | "data"));
    let blocks = blocks.as_array()?;
    let mut places = blocks.iter().enumerate().filter(|(_, block)| has_content(block));
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
        (ErrorStyle::Json, None) if value["error"].is_string() => value.to_string().into(),
        (ErrorStyle::Json, _) => json!({ "error": value }).to_string().into(),
        (ErrorStyle::Prefix, Some(text)) => format!("Execution Error: {text}").into(),
        (ErrorStyle::Prefix, None) => format!("Execution Error: {value}").into(),
    }
}

fn is_error(message: &Value) -> bool {
    message["kind"] == "error" || message["isError"] == true
}

/// Joins the texts of a result's blocks; media stay unchanged.
fn joined(message: &mut Value, write: impl Fn(String) -> Value) {
    let blocks = message["value"].as_array().cloned().unwrap_or_default();
    let is_text = |block: &&Value| matches!(block["type"].as_str(), Some("text" | "refusal"));
    let text: String = blocks.iter().filter(is_text).filter_map(|block| block["text"].as_str()).collect();
    let mut kept = vec![json!({ "type": "text", "text": write(text) })];
    // media keep their positions, so that warnings about them have the same path
    kept.resize(blocks.len().max(1), json!({ "type": "text", "text": "" }));
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| !is_text(block)) {
        if index == 0 {
            kept.push(kept[0].clone());
        }
        kept[index] = block.clone();
    }
    message["value"] = kept.into();
}

/// Results are texts; OpenAI has no error flag.
pub fn results_as_text(request: &mut Value, to: Dialect, options: &Options) {
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "tool") {
        let fails = is_error(message);
        let as_text = to != Dialect::Anthropic && fails;
        match message["kind"].as_str() {
            Some("multimodal") if as_text => {
                joined(message, |text| error_text(&text.into(), options));
                remove(message, "isError");
            }
            Some("multimodal") => {}
            _ => {
                let value = message["value"].clone();
                let plain = if message["kind"] == "data" { value.to_string().into() } else { value.clone() };
                message["value"] = if as_text { error_text(&value, options) } else { plain };
                message["kind"] = if fails && !as_text { "error" } else { "text" }.into();
                remove(message, "isError");
            }
        }
    }
}

/// The content of an object with only the key `boxed`, or of an error with a type; and whether it is an error.
fn opened(value: &Value, boxed: &str) -> (Value, bool) {
    if value["error"].is_string() && value["error_type"].is_string() {
        return (value.clone(), true);
    }
    match value.as_object().filter(|object| object.len() == 1).and_then(|object| object.iter().next()) {
        Some((key, inner)) if key == boxed && !inner.is_object() => (inner.clone(), false),
        Some((key, inner)) if key == "error" => (inner.clone(), true),
        _ => (value.clone(), false),
    }
}

/// Results are objects: `{output}`, `{error}`, or the data itself.
pub fn gemini_results_are_objects(request: &mut Value, _: Dialect, options: &Options) {
    let boxed = if options.gemini_result_key == toolwire::GeminiResultKey::Result { "result" } else { "output" };
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "tool") {
        references_are_text(message);
        let data = if message["kind"] == "multimodal" { only_data(&message["value"]) } else { None };
        if let Some(place) = data {
            let value = &message["value"][place]["value"];
            let stays = !is_error(message) || value["error"].is_string();
            let (value, fails) = if stays { opened(value, boxed) } else { (value.clone(), true) };
            let text = if value.is_string() { value.clone() } else { Value::Null };
            message["value"][place] = if text.is_null() {
                json!({ "type": "data", "value": value })
            } else {
                json!({ "type": "text", "text": text })
            };
            set_error(message, fails);
            continue;
        }
        if message["kind"] == "multimodal" {
            joined(message, Value::from);
            continue;
        }
        // an object that describes an error is sent unchanged
        if message["kind"] == "data" && (!is_error(message) || message["value"]["error"].is_string()) {
            let (value, fails) = opened(&message["value"], boxed);
            message["value"] = value;
            set_error(message, fails);
        }
        if message["kind"] == "data" && message["value"].is_string() {
            message["kind"] = if is_error(message) { "error" } else { "text" }.into();
            remove(message, "isError");
        }
    }
}

fn set_error(message: &mut Value, fails: bool) {
    if fails {
        message["isError"] = true.into();
    } else {
        remove(message, "isError");
    }
}

/// Data with a `$ref` to a name that no media of the same result have are sent as JSON text.
fn references_are_text(message: &mut Value) {
    let blocks = message["value"].as_array().filter(|_| message["kind"] == "multimodal");
    let names: Vec<Value> = blocks.into_iter().flatten().filter_map(|block| block.get("name").cloned()).collect();
    if message["kind"] == "data" && has_reference(&message["value"], &names) {
        message["value"] = message["value"].to_string().into();
    } else if message["kind"] == "multimodal" {
        for block in each(&mut message["value"]).filter(|block| block["type"] == "data") {
            if has_reference(&block["value"], &names) {
                block["value"] = block["value"].to_string().into();
            }
        }
    }
}

fn has_reference(value: &Value, names: &[Value]) -> bool {
    match value {
        Value::Object(fields) => {
            fields.iter().any(|(key, field)| key == "$ref" && !names.contains(field) || has_reference(field, names))
        }
        Value::Array(items) => items.iter().any(|item| has_reference(item, names)),
        _ => false,
    }
}

/// Anthropic's reasoning without a signature comes from a compatible server without signatures: it returns as
/// `reasoning_content`.
pub fn unsigned_reasoning(request: &mut Value, _: Dialect, _: &Options) {
    for message in each(&mut request["messages"]).filter(|message| message["role"] == "assistant") {
        for block in each(&mut message["content"]) {
            let is_unsigned = block.get("signature").is_none() && block.get("redacted").is_none();
            if block["type"] == "reasoning"
                && block["issuer"] == "anthropic"
                && block["text"].is_string()
                && is_unsigned
            {
                block["issuer"] = "openai".into();
            }
        }
    }
}

/// A message of the assistant has one refusal and one text of reasoning, besides its content.
pub fn refusals_and_reasoning_are_joined(request: &mut Value, _: Dialect, _: &Options) {
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

/// The state of reasoning is one field of its item, with or without a text.
pub fn reasoning_state_is_the_signature(request: &mut Value, _: Dialect, _: &Options) {
    for message in each(&mut request["messages"]) {
        for block in each(&mut message["content"]).filter(|block| block["issuer"] == "openai") {
            if let Some(state) = block.as_object_mut().and_then(|block| block.shift_remove("redacted")) {
                block["signature"] = state;
            }
        }
    }
}

/// Signed reasoning always has a text, which may be empty.
pub fn empty_reasoning_is_none(request: &mut Value, _: Dialect, _: &Options) {
    for message in each(&mut request["messages"]) {
        let signed = each(&mut message["content"])
            .filter(|block| block["type"] == "reasoning" && block.get("signature").is_some());
        for block in signed.filter(|block| block["text"] == "") {
            remove(block, "text");
        }
    }
}

fn calls_of(message: &Value) -> impl Iterator<Item = &Value> {
    ["toolCalls", "invalidToolCalls"].into_iter().flat_map(|key| message[key].as_array().into_iter().flatten())
}

/// The texts of the assistant are joined: on Responses up to the next item, on Ollama all texts and all reasoning.
pub fn texts_are_joined(request: &mut Value, to: Dialect, options: &Options) {
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    let drops = options.missing_results == Some(MissingResults::Drop);
    let drops_late = options.orphan_results == Some(OrphanResults::Drop);
    let assistants = each(&mut request["messages"]).enumerate().filter(|(_, message)| message["role"] == "assistant");
    for (index, message) in assistants {
        let after = messages.get(index + 1..).unwrap_or_default();
        // the calls of the last message may still be running
        let drops = drops && !after.is_empty();
        // consecutive messages of the assistant are one turn
        let turn = after.iter().take_while(|message| message["role"] == "assistant").count();
        let has_result = |id: &Value| {
            let calls_again = |message: &Value| calls_of(message).any(|call| call["id"] == *id);
            let is_over = |place: usize, message: &Value| drops_late && place >= turn && message["role"] == "assistant";
            let mut ours = after
                .iter()
                .enumerate()
                .take_while(|(place, message)| !calls_again(message) && !is_over(*place, message));
            ours.any(|(_, message)| message["toolCallId"] == *id)
        };
        let ids = calls_of(message).map(|call| call["id"].clone());
        let calls: Vec<Value> = ids.filter(|id| !drops || has_result(id)).collect();
        let is_item = |block: &Value| match block["type"].as_str() {
            Some("toolCall") => calls.contains(&block["id"]),
            Some("reasoning") => {
                block["issuer"] == "openai" && (block.get("signature").is_some() || block.get("redacted").is_some())
            }
            _ => false,
        };
        join_between(message, |block| to == Dialect::OpenAIResponses && is_item(block));
        join(message, |block| {
            to == Dialect::Ollama
                && block["type"] == "reasoning"
                && block["issuer"] == "ollama"
                && block.get("text").is_some()
        });
    }
    for message in each(&mut request["messages"]).filter(|message| message["kind"] == "multimodal") {
        if to == Dialect::Ollama {
            joined(message, Value::from);
        }
    }
}

/// Whether a text begins an item of its own: its metadata record how the item was written.
fn starts_item(block: &Value) -> bool {
    block["metadata"]["openai"]["responsesForm"].get("content").is_some()
}

/// Joins texts and refusals, as text, up to a block for which `ends` holds.
fn join_between(message: &mut Value, ends: impl Fn(&Value) -> bool) {
    let mut text = String::new();
    let mut first: Option<usize> = None;
    let Some(blocks) = message["content"].as_array_mut() else { return };
    for index in 0..=blocks.len() {
        let is_end = blocks.get(index).is_none_or(|block| ends(block) || starts_item(block));
        if let Some(place) = first.filter(|_| is_end) {
            blocks[place]["type"] = "text".into();
            blocks[place]["text"] = std::mem::take(&mut text).into();
            first = None;
        }
        let Some(block) = blocks.get_mut(index).filter(|block| block["type"] == "text" || block["type"] == "refusal")
        else {
            continue;
        };
        text.push_str(block["text"].as_str().unwrap_or_default());
        block["text"] = "".into();
        first = first.or(Some(index));
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
