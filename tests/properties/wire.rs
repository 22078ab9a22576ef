//! The content of each wire format in one structure: tools, turns, settings.

mod interactions;
mod near_openai;

use serde_json::{Map, Value};
use toolwire::Dialect;

#[derive(Default)]
pub struct Wire {
    pub tools: Vec<String>,
    pub native_tools: Vec<String>,
    pub has_native_tools: bool,
    pub has_choice: bool,
    /// The names in the choice.
    pub chosen: Vec<String>,
    pub turns: Vec<Turn>,
    /// Whether each result is a message of its own.
    pub results_are_separate: bool,
    pub in_call_order: bool,
    pub settings: Map<String, Value>,
    pub stops: Vec<Value>,
    /// The reason why the provider refuses the request.
    pub refused: Option<String>,
}

#[derive(Default)]
pub struct Turn {
    pub calls: Vec<Call>,
    pub results: Vec<CallResult>,
    /// The reason why the provider refuses the message.
    pub refused: Option<String>,
}

#[derive(Debug)]
pub struct Call {
    pub id: Option<String>,
    pub name: String,
}

#[derive(Debug)]
pub struct CallResult {
    pub id: Option<String>,
    pub name: Option<String>,
}

pub fn wire_of(dialect: Dialect, body: &Value) -> Wire {
    match dialect.base() {
        Dialect::OpenAI if dialect == Dialect::Mistral => near_openai::mistral(body),
        Dialect::Cohere => near_openai::cohere(body),
        Dialect::OpenAI => openai(body),
        Dialect::OpenAIResponses => responses(body),
        Dialect::Ollama => ollama(body),
        Dialect::Anthropic => anthropic(body),
        Dialect::Bedrock => bedrock(body),
        Dialect::GeminiInteractions => interactions::interactions(body),
        _ => gemini(body),
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn openai(body: &Value) -> Wire {
    let named = |tool: &Value| text(&tool["function"]["name"]).or_else(|| text(&tool["custom"]["name"]));
    let choice = &body["tool_choice"];
    let mut chosen: Vec<String> = named(choice).into_iter().collect();
    chosen.extend(list(&choice["allowed_tools"]["tools"]).iter().filter_map(named));
    let turns = list(&body["messages"]).iter().map(|message| {
        let result = CallResult { id: text(&message["tool_call_id"]), name: None };
        let empty = list(&message["content"]).is_empty() && message["content"].is_array();
        let calls = list(&message["tool_calls"])
            .iter()
            .filter_map(|call| Some(Call { id: text(&call["id"]), name: named(call)? }));
        Turn {
            calls: calls.collect(),
            results: if message["role"] == "tool" { vec![result] } else { Vec::new() },
            refused: empty.then(|| format!("an empty array: {message}")),
        }
    });
    Wire {
        tools: list(&body["tools"]).iter().filter_map(named).collect(),
        has_native_tools: list(&body["tools"]).iter().any(|tool| named(tool).is_none()),
        has_choice: !choice.is_null(),
        chosen,
        turns: turns.collect(),
        results_are_separate: true,
        settings: object(body),
        stops: list(&body["stop"]).to_vec(),
        ..Wire::default()
    }
}

fn anthropic(body: &Value) -> Wire {
    let tools = list(&body["tools"]);
    let is_native = |tool: &&Value| tool.get("type").is_some_and(|kind| kind != "custom");
    let messages = list(&body["messages"]);
    let turns = messages.iter().enumerate().map(|(index, message)| {
        let blocks = list(&message["content"]);
        let of = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
        let is_last = index + 1 == messages.len();
        Turn {
            calls: of("tool_use")
                .filter_map(|call| Some(Call { id: text(&call["id"]), name: text(&call["name"])? }))
                .collect(),
            results: of("tool_result")
                .map(|result| CallResult { id: text(&result["tool_use_id"]), name: None })
                .collect(),
            refused: refused_by_anthropic(message, blocks, is_last),
        }
    });
    Wire {
        tools: tools.iter().filter(|tool| !is_native(tool)).filter_map(|tool| text(&tool["name"])).collect(),
        native_tools: tools.iter().filter(is_native).filter_map(|tool| text(&tool["name"])).collect(),
        has_native_tools: tools.iter().any(|tool| is_native(&tool)),
        has_choice: !body["tool_choice"].is_null(),
        chosen: text(&body["tool_choice"]["name"]).into_iter().collect(),
        turns: turns.collect(),
        settings: object(body),
        stops: list(&body["stop_sequences"]).to_vec(),
        ..Wire::default()
    }
}

fn refused_by_anthropic(message: &Value, blocks: &[Value], is_last: bool) -> Option<String> {
    let texts: Vec<&str> = match message["content"].as_str() {
        Some(text) => vec![text],
        None => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
    };
    let is_result = |block: &Value| block["type"] == "tool_result";
    let late = blocks.iter().skip_while(|block| is_result(block)).any(is_result);
    let last_text = blocks.last().map_or(message["content"].as_str(), |block| block["text"].as_str());
    let trails =
        is_last && message["role"] == "assistant" && last_text.is_some_and(|text| text.ends_with(char::is_whitespace));
    let is_blank = texts.iter().all(|text| text.trim().is_empty()) && texts.len() == blocks.len().max(1);
    let why = if blocks.is_empty() && texts.is_empty() || is_blank || texts.contains(&"") {
        "an empty message or text"
    } else if late {
        "a result after something else"
    } else if trails {
        "white space at the end"
    } else {
        return None;
    };
    Some(format!("{why}: {message}"))
}

fn bedrock(body: &Value) -> Wire {
    let tools = list(&body["toolConfig"]["tools"]);
    let choice = &body["toolConfig"]["toolChoice"];
    let messages = list(&body["messages"]);
    let turns = messages.iter().enumerate().map(|(index, message)| {
        let of = |kind: &'static str| list(&message["content"]).iter().filter_map(move |block| block.get(kind));
        Turn {
            calls: of("toolUse")
                .filter(|call| call["type"] != "server_tool_use")
                .filter_map(|call| Some(Call { id: text(&call["toolUseId"]), name: text(&call["name"])? }))
                .collect(),
            // those of tools that the servers run are in the model's message
            results: of("toolResult")
                .filter(|_| message["role"] == "user")
                .map(|result| CallResult { id: text(&result["toolUseId"]), name: None })
                .collect(),
            refused: refused_by_bedrock(message, index + 1 == messages.len()),
        }
    });
    let config = &body["inferenceConfig"];
    let settings = object(config).into_iter().chain(object(&body["additionalModelRequestFields"]));
    Wire {
        tools: tools.iter().filter_map(|tool| text(&tool["toolSpec"]["name"])).collect(),
        has_native_tools: tools.iter().any(|tool| tool.get("systemTool").is_some()),
        has_choice: !choice.is_null(),
        chosen: text(&choice["tool"]["name"]).into_iter().collect(),
        turns: turns.collect(),
        stops: list(&config["stopSequences"]).to_vec(),
        settings: settings.collect(),
        refused: refused_turns_of_bedrock(body),
        ..Wire::default()
    }
}

/// Turns alternate, the user begins, and calls require tools (WIRE §5.2, §5.5).
fn refused_turns_of_bedrock(body: &Value) -> Option<String> {
    let turns: Vec<&Value> =
        list(&body["messages"]).iter().map(|message| &message["role"]).filter(|role| **role != "system").collect();
    let has_calls = list(&body["messages"]).iter().flat_map(|message| list(&message["content"])).any(|block| {
        block.get("toolResult").is_some() || block.get("toolUse").is_some_and(|call| call["type"] != "server_tool_use")
    });
    let tools = &body["toolConfig"]["tools"];
    if turns.windows(2).any(|pair| pair[0] == pair[1]) {
        Some("two turns of one side".to_owned())
    } else if turns.first().is_some_and(|role| **role != "user") {
        Some("the model begins".to_owned())
    } else if has_calls && list(tools).is_empty() {
        Some("calls without tools".to_owned())
    } else if tools.is_array() && list(tools).is_empty() {
        Some("an empty list of tools".to_owned())
    } else {
        None
    }
}

/// The rules of WIRE §5.5 and §5.9 for a message.
fn refused_by_bedrock(message: &Value, is_last: bool) -> Option<String> {
    let blocks = list(&message["content"]);
    let has = |kind: &str| blocks.iter().any(|block| block.get(kind).is_some());
    let is_blank = |block: &Value| block["text"].as_str().is_some_and(|text| text.trim().is_empty());
    let ends =
        blocks.last().and_then(|block| block["text"].as_str()).is_some_and(|text| text.ends_with(char::is_whitespace));
    let why = if blocks.is_empty() {
        "an empty message"
    } else if blocks.iter().any(is_blank) {
        "a blank text"
    } else if blocks.iter().any(|block| block.as_object().is_none_or(|block| block.len() != 1)) {
        "a block with other than one key"
    } else if message["role"] == "user" && has("document") && !has("text") {
        "a document without a text"
    } else if is_last && message["role"] == "assistant" && ends {
        "white space at the end"
    } else {
        return None;
    };
    Some(format!("{why}: {message}"))
}

fn gemini(body: &Value) -> Wire {
    let declared = list(&body["tools"]).iter().flat_map(|tool| list(&tool["functionDeclarations"]));
    let config = object(&body["generationConfig"]);
    let calling = &body["toolConfig"]["functionCallingConfig"];
    let is_native = |tool: &Value| tool.get("functionDeclarations").is_none();
    let turns = list(&body["contents"]).iter().map(|content| {
        let parts = list(&content["parts"]);
        let calls = parts.iter().filter_map(|part| part.get("functionCall"));
        let results = parts.iter().filter_map(|part| part.get("functionResponse"));
        // an empty content with other keys of Google was given like that
        let was_given = content.as_object().is_some_and(|content| content.len() > 2);
        let empty =
            parts.is_empty() && !was_given || parts.iter().any(|part| *part == serde_json::json!({ "text": "" }));
        Turn {
            calls: calls.filter_map(|call| Some(Call { id: text(&call["id"]), name: text(&call["name"])? })).collect(),
            results: results
                .map(|result| CallResult { id: text(&result["id"]), name: text(&result["name"]) })
                .collect(),
            refused: empty.then(|| format!("an empty content or part: {content}")),
        }
    });
    Wire {
        tools: declared.filter_map(|tool| text(&tool["name"])).collect(),
        has_native_tools: list(&body["tools"]).iter().any(is_native),
        has_choice: !calling.is_null(),
        chosen: list(&calling["allowedFunctionNames"]).iter().filter_map(text).collect(),
        turns: turns.collect(),
        in_call_order: true,
        stops: config.get("stopSequences").map_or(&[][..], list).to_vec(),
        settings: config,
        ..Wire::default()
    }
}

/// Consecutive items of the model are one turn.
fn responses(body: &Value) -> Wire {
    let tools = list(&body["tools"]);
    let is_own = |tool: &&Value| matches!(tool["type"].as_str(), Some("function" | "custom"));
    let choice = &body["tool_choice"];
    let named = |tool: &Value| text(&tool["name"]);
    let mut chosen: Vec<String> = named(choice).into_iter().collect();
    chosen.extend(list(&choice["tools"]).iter().filter_map(named));
    let mut turns: Vec<Turn> = Vec::new();
    let mut goes_on = false;
    for item in list(&body["input"]) {
        let is_said = is_said(item);
        if !is_said || !goes_on {
            turns.push(Turn::default());
        }
        goes_on = is_said;
        let Some(turn) = turns.last_mut() else { continue };
        match item["type"].as_str() {
            Some("function_call" | "custom_tool_call") => {
                let name = text(&item["name"]).unwrap_or_default();
                turn.calls.push(Call { id: text(&item["call_id"]), name });
            }
            Some("function_call_output" | "custom_tool_call_output") => {
                turn.results.push(CallResult { id: text(&item["call_id"]), name: None });
            }
            _ => {}
        }
        turn.refused = turn.refused.take().or_else(|| refused_item(item));
    }
    if !body["instructions"].is_null() || body["input"].is_string() {
        turns.insert(0, Turn::default());
    }
    Wire {
        tools: tools.iter().filter(is_own).filter_map(named).collect(),
        has_native_tools: tools.iter().any(|tool| !is_own(&tool)),
        has_choice: !choice.is_null(),
        chosen,
        turns,
        results_are_separate: true,
        settings: object(body),
        refused: refused_by_responses(body),
        ..Wire::default()
    }
}

fn is_said(item: &Value) -> bool {
    match item["type"].as_str() {
        None | Some("message") => item["role"].is_null() || item["role"] == "assistant",
        Some(kind) => !matches!(kind, "function_call_output" | "custom_tool_call_output"),
    }
}

/// The rules of WIRE §2.3–§2.5 and §2.9 for an item.
fn refused_item(item: &Value) -> Option<String> {
    let parts = if item["output"].is_array() { &item["output"] } else { &item["content"] };
    let is_assistant = item["role"] == "assistant";
    let is_part = |part: &Value| match part["type"].as_str() {
        Some("output_text" | "refusal") => is_assistant,
        Some("input_image") => !is_assistant && (item["role"].is_null() || part["detail"].is_string()),
        Some("input_text" | "input_file") => !is_assistant,
        // native content of the provider
        Some(_) | None => true,
    };
    let is_made = text(&item["id"]).is_some_and(|id| id.contains("_tw_"));
    let why = if parts.is_array() && list(parts).is_empty() {
        "an empty array"
    } else if let Some(part) = list(parts).iter().find(|part| !is_part(part)) {
        return Some(format!("a part that has no place there: {part} in {item}"));
    } else if is_made {
        "an id that OpenAI never gave"
    } else if item["type"] == "reasoning" && !(item["summary"].is_array() && item["encrypted_content"].is_string()) {
        "reasoning without its summary or its state"
    } else {
        return None;
    };
    Some(format!("{why}: {item}"))
}

/// Settings that only Chat has, incomplete tools, and names of schemas (WIRE §2.1, §2.10).
fn refused_by_responses(body: &Value) -> Option<String> {
    const FOREIGN: &[&str] = &[
        "messages",
        "stop",
        "seed",
        "n",
        "max_tokens",
        "max_completion_tokens",
        "response_format",
        "reasoning_effort",
    ];
    let foreign = FOREIGN.iter().find(|key| body.get(*key).is_some());
    let tools = list(&body["tools"]).iter().filter(|tool| tool["type"] == "function");
    let incomplete = tools.clone().find(|tool| tool.get("parameters").is_none() || tool.get("strict").is_none());
    let format = &body["text"]["format"];
    let is_plain = |name: &&str| {
        (1..=64).contains(&name.len())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    if let Some(key) = foreign {
        Some(format!("a field of Chat: {key}"))
    } else if let Some(tool) = incomplete {
        Some(format!("a tool that lacks a key: {tool}"))
    } else if format["type"] == "json_schema" && format["name"].as_str().filter(is_plain).is_none() {
        Some(format!("a schema without a name that is one: {}", format["name"]))
    } else {
        None
    }
}

fn ollama(body: &Value) -> Wire {
    let named = |tool: &Value| text(&tool["function"]["name"]);
    let turns = list(&body["messages"]).iter().map(|message| {
        let calls = list(&message["tool_calls"])
            .iter()
            .filter_map(|call| Some(Call { id: text(&call["id"]), name: named(call)? }));
        let result = CallResult { id: text(&message["tool_call_id"]), name: text(&message["tool_name"]) };
        Turn {
            calls: calls.collect(),
            results: if message["role"] == "tool" { vec![result] } else { Vec::new() },
            refused: refused_by_ollama(message),
        }
    });
    const FIELDS: &[&str] =
        &["model", "messages", "tools", "stream", "think", "format", "options", "logprobs", "top_logprobs"];
    let unknown = object(body).keys().find(|key| !is_field(FIELDS, key)).cloned();
    let settings = object(&body["options"]);
    Wire {
        tools: list(&body["tools"]).iter().filter_map(named).collect(),
        turns: turns.collect(),
        results_are_separate: true,
        in_call_order: true,
        stops: settings.get("stop").map_or(&[][..], list).to_vec(),
        settings: settings.into_iter().chain(object(body)).collect(),
        refused: match (unknown, &body["stream"]) {
            (Some(key), _) => Some(format!("a field that it does not have: {key}")),
            (None, Value::Bool(_)) => None,
            (None, _) => Some("`stream` is absent".to_owned()),
        },
        ..Wire::default()
    }
}

/// Whether the field is one of the server, or a user added it for the server.
fn is_field(fields: &[&str], key: &str) -> bool {
    fields.contains(&key) || matches!(key, "shade" | "y")
}

/// The Go types of the server: text, bytes of images, arguments that are objects (WIRE §8.3–§8.5, §8.9).
fn refused_by_ollama(message: &Value) -> Option<String> {
    const FIELDS: &[&str] = &["role", "content", "thinking", "images", "tool_calls", "tool_name", "tool_call_id"];
    let unknown = object(message).keys().any(|key| !is_field(FIELDS, key));
    let is_image = |image: &Value| image.as_str().is_some_and(|data| !data.starts_with("data:"));
    let why = if unknown {
        "a field that it does not have"
    } else if !message["content"].is_string() {
        "content that is no text"
    } else if !list(&message["images"]).iter().all(is_image) {
        "an image that is no bytes"
    } else if !list(&message["tool_calls"]).iter().all(|call| call["function"]["arguments"].is_object()) {
        "arguments that are no object"
    } else if message["role"] == "tool" && !message["tool_name"].is_string() {
        "a result without the name of its tool"
    } else {
        return None;
    };
    Some(format!("{why}: {message}"))
}
