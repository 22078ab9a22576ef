//! What each wire format says, told alike: tools, turns, settings.

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
    pub results_stand_alone: bool,
    pub in_call_order: bool,
    pub settings: Map<String, Value>,
    pub stops: Vec<Value>,
}

#[derive(Default)]
pub struct Turn {
    pub calls: Vec<Call>,
    pub results: Vec<Answer>,
    /// Why the provider takes no such message.
    pub refused: Option<String>,
}

#[derive(Debug)]
pub struct Call {
    pub id: Option<String>,
    pub name: String,
}

#[derive(Debug)]
pub struct Answer {
    pub id: Option<String>,
    pub name: Option<String>,
}

pub fn wire_of(dialect: Dialect, body: &Value) -> Wire {
    match dialect {
        Dialect::OpenAI => openai(body),
        Dialect::Anthropic => anthropic(body),
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
        let result = Answer { id: text(&message["tool_call_id"]), name: None };
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
        results_stand_alone: true,
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
            results: of("tool_result").map(|result| Answer { id: text(&result["tool_use_id"]), name: None }).collect(),
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

fn gemini(body: &Value) -> Wire {
    let declared = list(&body["tools"]).iter().flat_map(|tool| list(&tool["functionDeclarations"]));
    let config = object(&body["generationConfig"]);
    let calling = &body["toolConfig"]["functionCallingConfig"];
    let is_native = |tool: &Value| tool.get("functionDeclarations").is_none();
    let turns = list(&body["contents"]).iter().map(|content| {
        let parts = list(&content["parts"]);
        let calls = parts.iter().filter_map(|part| part.get("functionCall"));
        let results = parts.iter().filter_map(|part| part.get("functionResponse"));
        // what Google's own fields stand beside came so
        let came_so = content.as_object().is_some_and(|content| content.len() > 2);
        let empty = parts.is_empty() && !came_so || parts.iter().any(|part| *part == serde_json::json!({ "text": "" }));
        Turn {
            calls: calls.filter_map(|call| Some(Call { id: text(&call["id"]), name: text(&call["name"])? })).collect(),
            results: results.map(|result| Answer { id: text(&result["id"]), name: text(&result["name"]) }).collect(),
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
