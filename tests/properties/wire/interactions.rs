//! The requests of Gemini Interactions.

use super::{Call, CallResult, Turn, Wire, list, object, text};
use serde_json::Value;

/// The rules of WIRE §15.1 to §15.6. Consecutive steps of the model are one turn.
pub fn interactions(body: &Value) -> Wire {
    let config = object(&body["generation_config"]);
    let choice = &body["generation_config"]["tool_choice"];
    let is_function = |tool: &&Value| tool["type"] == "function";
    let tools = list(&body["tools"]);
    Wire {
        tools: tools.iter().filter(is_function).filter_map(|tool| text(&tool["name"])).collect(),
        has_native_tools: tools.iter().any(|tool| !is_function(&tool)),
        has_choice: !choice.is_null(),
        chosen: list(&choice["allowed_tools"]["tools"]).iter().filter_map(text).collect(),
        turns: turns(body),
        results_are_separate: true,
        stops: list(&body["generation_config"]["stop_sequences"]).to_vec(),
        settings: config,
        refused: refused(body),
        ..Wire::default()
    }
}

fn turns(body: &Value) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut goes_on = false;
    for step in list(&body["input"]) {
        let is_said = !matches!(step["type"].as_str(), Some("user_input" | "function_result"));
        if !is_said || !goes_on {
            turns.push(Turn::default());
        }
        goes_on = is_said;
        let Some(turn) = turns.last_mut() else { continue };
        match step["type"].as_str() {
            Some("function_call") => {
                turn.calls.push(Call { id: text(&step["id"]), name: text(&step["name"]).unwrap_or_default() });
            }
            Some("function_result") => {
                turn.results.push(CallResult { id: text(&step["call_id"]), name: text(&step["name"]) });
            }
            _ => {}
        }
        turn.refused = turn.refused.take().or_else(|| refused_step(step));
    }
    if body["system_instruction"].is_string() || body["input"].is_string() {
        turns.insert(0, Turn::default());
    }
    turns
}

fn refused_step(step: &Value) -> Option<String> {
    const CONTENTS: &[&str] = &["text", "image", "audio", "video", "document"];
    let contents = if step["type"] == "function_result" { &step["result"] } else { &step["content"] };
    let is_content = |content: &Value| {
        let is_medium = content["data"].is_string() || content["uri"].is_string();
        content["type"].as_str().is_some_and(|kind| CONTENTS.contains(&kind))
            && (if content["type"] == "text" { content["text"].is_string() } else { is_medium })
    };
    let summary = list(&step["summary"]);
    // an empty step with other keys of Google was given like that
    let was_given = step.as_object().is_some_and(|step| step.len() > 2);
    let why = if !step["type"].is_string() {
        "a step without a type"
    } else if step["type"] == "user_input" && list(contents).is_empty() && !was_given {
        "an empty step"
    } else if !list(contents).iter().all(is_content) {
        "a content that it does not have"
    } else if step["type"] == "function_call" && !(step["id"].is_string() && step["arguments"].is_object()) {
        "a call without its id or without arguments that are an object"
    } else if step["type"] == "function_result" && !step["call_id"].is_string() {
        "a result without the id of its call"
    } else if step["type"] == "thought" && summary.is_empty() && !step["signature"].is_string() {
        "a thought without a summary and a signature"
    } else {
        return None;
    };
    Some(format!("{why}: {step}"))
}

/// Fields of `generateContent`, and words that are none of the choice and of thinking.
fn refused(body: &Value) -> Option<String> {
    const FOREIGN: &[&str] = &[
        "contents",
        "systemInstruction",
        "generationConfig",
        "toolConfig",
        "safetySettings",
        "messages",
        "parallel_tool_calls",
    ];
    let foreign = FOREIGN.iter().find(|key| body.get(*key).is_some());
    let choice = &body["generation_config"]["tool_choice"];
    let is_word = matches!(choice.as_str(), Some("auto" | "any" | "none" | "validated"));
    let level = &body["generation_config"]["thinking_level"];
    let is_level = matches!(level.as_str(), None | Some("minimal" | "low" | "medium" | "high"));
    if let Some(key) = foreign {
        Some(format!("a field that it does not have: {key}"))
    } else if !(choice.is_null() || is_word || choice["allowed_tools"]["tools"].is_array()) {
        Some(format!("a choice that it does not have: {choice}"))
    } else if !is_level {
        Some(format!("a level that it does not have: {level}"))
    } else {
        None
    }
}
