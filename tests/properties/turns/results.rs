//! The results of the client's tools.

use super::client::{IMAGE, ReceivedCall};
use super::responses::Outcome;
use super::shape;
use serde_json::{Value, json};
use toolwire::Dialect;

pub fn result(dialect: Dialect, call: &ReceivedCall, outcome: &Outcome) -> Value {
    match shape(dialect) {
        Dialect::OpenAI => {
            let content = match outcome {
                Outcome::Parts(texts) => parts(texts, "text", call),
                other => plain(other, call).into(),
            };
            json!({ "role": "tool", "tool_call_id": call.id, "content": content })
        }
        Dialect::Mistral => {
            let content = match outcome {
                Outcome::Parts(texts) => parts(texts, "text", call),
                other => plain(other, call).into(),
            };
            json!({ "role": "tool", "tool_call_id": call.id, "name": call.name, "content": content })
        }
        Dialect::Cohere => {
            let content = match outcome {
                Outcome::Parts(texts) => parts(texts, "text", call),
                Outcome::Json(value) if value.is_object() => {
                    json!([{ "type": "document", "document": { "data": value } }])
                }
                other => plain(other, call).into(),
            };
            json!({ "role": "tool", "tool_call_id": call.id, "content": content })
        }
        Dialect::Bedrock => {
            let content = match outcome {
                Outcome::Parts(texts) => texts_of(texts, call).map(|text| json!({ "text": text })).collect(),
                Outcome::Image => json!([{ "image": { "format": "png", "source": { "bytes": IMAGE } } }]),
                Outcome::Json(value) if value.is_object() => json!([{ "json": value }]),
                other => json!([{ "text": plain(other, call) }]),
            };
            let status = if matches!(outcome, Outcome::Error(_)) { "error" } else { "success" };
            json!({ "toolResult": { "toolUseId": call.id, "content": content, "status": status } })
        }
        Dialect::GeminiInteractions => {
            let output = match outcome {
                Outcome::Parts(texts) => parts(texts, "text", call),
                Outcome::Image => json!([{ "type": "image", "mime_type": "image/png", "data": IMAGE }]),
                Outcome::Json(value) if value.is_object() => value.clone(),
                other => plain(other, call).into(),
            };
            let mut result =
                json!({ "type": "function_result", "call_id": call.id, "name": call.name, "result": output });
            if matches!(outcome, Outcome::Error(_)) {
                result["is_error"] = true.into();
            }
            result
        }
        Dialect::OpenAIResponses => {
            let output = match outcome {
                Outcome::Parts(texts) => parts(texts, "input_text", call),
                Outcome::Image => {
                    json!([{ "type": "input_image", "image_url": format!("data:image/png;base64,{IMAGE}") }])
                }
                other => plain(other, call).into(),
            };
            let kind = if call.is_freeform { "custom_tool_call_output" } else { "function_call_output" };
            json!({ "type": kind, "call_id": call.id, "output": output })
        }
        Dialect::Anthropic => {
            let content = match outcome {
                Outcome::Parts(texts) => parts(texts, "text", call),
                Outcome::Image => {
                    json!([{ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": IMAGE } }])
                }
                other => plain(other, call).into(),
            };
            let mut result = json!({ "type": "tool_result", "tool_use_id": call.id, "content": content });
            if matches!(outcome, Outcome::Error(_)) {
                result["is_error"] = true.into();
            }
            result
        }
        Dialect::Gemini => {
            let response = match outcome {
                Outcome::Json(value) if value.is_object() => value.clone(),
                Outcome::Json(value) => json!({ "output": value }),
                Outcome::Error(_) => json!({ "error": plain(outcome, call) }),
                other => json!({ "output": plain(other, call) }),
            };
            let mut result = json!({ "name": call.name, "response": response });
            if !call.id.is_null() {
                result["id"] = call.id.clone();
            }
            if matches!(outcome, Outcome::Image) {
                result["parts"] = json!([{ "inlineData": { "mimeType": "image/png", "data": IMAGE } }]);
            }
            json!({ "functionResponse": result })
        }
        Dialect::Ollama => {
            let mut result = json!({ "role": "tool", "content": plain(outcome, call), "tool_name": call.name });
            if !call.id.is_null() {
                result["tool_call_id"] = call.id.clone();
            }
            if matches!(outcome, Outcome::Image) {
                result["images"] = json!([IMAGE]);
            }
            result
        }
        _ => {
            let (kind, value) = match outcome {
                Outcome::Text(_) => ("text", plain(outcome, call).into()),
                Outcome::Json(value) => ("data", value.clone()),
                Outcome::Error(_) => ("error", plain(outcome, call).into()),
                Outcome::Image => {
                    let source = json!({ "type": "base64", "data": IMAGE });
                    ("multimodal", json!([{ "type": "image", "mediaType": "image/png", "source": source }]))
                }
                Outcome::Parts(texts) => ("multimodal", parts(texts, "text", call)),
            };
            let name = call.name.rsplit('/').next();
            json!({ "role": "tool", "toolCallId": call.id, "name": name, "kind": kind, "value": value })
        }
    }
}

/// The outcome as one text, with the mark of its call.
fn plain(outcome: &Outcome, call: &ReceivedCall) -> String {
    match outcome {
        Outcome::Text(text) | Outcome::Error(text) if text.is_empty() => String::new(),
        Outcome::Text(text) | Outcome::Error(text) => format!("{text} {}", mark(call.number)),
        Outcome::Json(value) => value.to_string(),
        Outcome::Image => "an image".to_owned(),
        Outcome::Parts(texts) => format!("{} {}", texts.concat(), mark(call.number)),
    }
}

fn parts(texts: &[String], kind: &str, call: &ReceivedCall) -> Value {
    texts_of(texts, call).map(|text| json!({ "type": kind, "text": text })).collect()
}

/// The texts of a result, and the mark of its call.
fn texts_of<'a>(texts: &'a [String], call: &ReceivedCall) -> impl Iterator<Item = String> + 'a {
    texts.iter().cloned().chain([mark(call.number)])
}

/// A text that identifies the result of a call.
pub fn mark(number: usize) -> String {
    format!("(of call {number})")
}
