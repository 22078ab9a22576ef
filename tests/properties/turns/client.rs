//! The client of a gateway in its own format: it sends requests, keeps each response unchanged, runs the tools and
//! sends the whole history again.

use super::facts;
use super::responses::{FREEFORM, Outcome, Turn};
use serde_json::{Map, Value, json};
use toolwire::Dialect;

const IMAGE: &str = "iVBORw0KGgo=";

#[derive(Clone)]
pub struct Client {
    dialect: Dialect,
    settings: Map<String, Value>,
    history: Vec<Value>,
    pub calls: usize,
    /// Whether each chunk of a stream is kept as a content of its own, if chunks are contents.
    pub keeps_chunks: bool,
}

/// A call that the client has received.
#[derive(Clone, Debug)]
pub struct ReceivedCall {
    pub id: Value,
    pub name: String,
    pub is_freeform: bool,
    /// The number of the call in the conversation. Its result contains it, so that results can be told apart.
    pub number: usize,
}

/// The key of the messages in a request.
pub fn list_key(dialect: Dialect) -> &'static str {
    match dialect.base() {
        Dialect::OpenAIResponses => "input",
        Dialect::Gemini => "contents",
        _ => "messages",
    }
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub fn is_google(dialect: Dialect) -> bool {
    dialect.base() == Dialect::Gemini
}

/// The names of the tools: two that are legal everywhere, one with punctuation, one freeform tool (if the format has
/// them), and a long one; then two of the same name in namespaces (if the format has them).
pub fn tools(dialect: Dialect) -> Vec<String> {
    let (punctuated, length) = match dialect.base() {
        Dialect::Gemini => ("files.read:v1", 100),
        Dialect::Canonical | Dialect::Ollama => ("read a file", 100),
        Dialect::Anthropic => ("read-file", 100),
        _ => ("read-file", 60),
    };
    let long = "long".repeat(length / 4);
    let (crm, shop) = if has_namespaces(dialect) { ("crm/find", "shop/find") } else { ("crm_find", "shop_find") };
    ["get_weather", "now", punctuated, "query", &long, crm, shop].map(str::to_owned).to_vec()
}

fn has_namespaces(dialect: Dialect) -> bool {
    matches!(dialect.base(), Dialect::OpenAIResponses | Dialect::Canonical)
}

/// The full name of a call with its namespace (OpenAI Responses, canonical format): `crm/find`.
pub fn full_name(call: &Value) -> String {
    let name = call["name"].as_str().unwrap_or_default();
    let namespace = call["namespace"].as_str().or(call["metadata"]["openai"]["item"]["namespace"].as_str());
    namespace.map_or(name.to_owned(), |namespace| format!("{namespace}/{name}"))
}

/// A tool definition, or the namespace that contains it.
fn entry(dialect: Dialect, index: usize, name: &str) -> Value {
    let Some((namespace, name)) = name.split_once('/') else { return tool(dialect, index, name) };
    let tools = [tool(Dialect::OpenAIResponses, index, name)];
    let entry = json!({ "type": "namespace", "name": namespace, "description": "N", "tools": tools });
    if dialect == Dialect::Canonical {
        json!({ "type": "native", "provider": "openai", "value": entry })
    } else {
        entry
    }
}

fn tool(dialect: Dialect, index: usize, name: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    match dialect.base() {
        Dialect::OpenAI if index == FREEFORM => {
            json!({ "type": "custom", "custom": { "name": name, "description": "SQL" } })
        }
        Dialect::OpenAIResponses if index == FREEFORM => {
            json!({ "type": "custom", "name": name, "description": "SQL" })
        }
        Dialect::OpenAI | Dialect::Ollama => {
            json!({ "type": "function", "function": { "name": name, "description": "T", "parameters": schema } })
        }
        Dialect::OpenAIResponses => {
            json!({ "type": "function", "name": name, "description": "T", "parameters": schema, "strict": false })
        }
        Dialect::Anthropic => json!({ "name": name, "description": "T", "input_schema": schema }),
        Dialect::Gemini => {
            json!({ "name": name, "description": "T", "parametersJsonSchema": schema })
        }
        _ => json!({ "name": name, "description": "T", "parameters": schema }),
    }
}

/// The settings that turn reasoning on, with a budget if the format has one.
fn thinking(dialect: Dialect) -> Value {
    match dialect.base() {
        Dialect::OpenAI => json!({ "reasoning_effort": "high" }),
        Dialect::OpenAIResponses => json!({ "reasoning": { "effort": "high", "summary": "auto" } }),
        Dialect::Anthropic => json!({ "thinking": { "type": "enabled", "budget_tokens": 2000 }, "max_tokens": 9000 }),
        Dialect::Gemini => {
            json!({ "generationConfig": { "thinkingConfig": { "thinkingBudget": 2000, "includeThoughts": true } } })
        }
        Dialect::Ollama => json!({ "think": true }),
        _ => json!({ "reasoning": { "budgetTokens": 2000, "include": true } }),
    }
}

impl Client {
    pub fn new(dialect: Dialect, thinks: bool) -> Client {
        let named = tools(dialect);
        let mut tools: Vec<Value> = named.iter().enumerate().map(|(index, name)| entry(dialect, index, name)).collect();
        if is_google(dialect) {
            tools = vec![json!({ "functionDeclarations": tools })];
        }
        let settings = match dialect.base() {
            Dialect::OpenAIResponses => json!({ "model": "m", "instructions": "Be brief." }),
            Dialect::Anthropic => json!({ "model": "m", "max_tokens": 1000, "system": "Be brief." }),
            Dialect::Gemini => {
                json!({ "model": "m", "systemInstruction": { "parts": [{ "text": "Be brief." }] } })
            }
            Dialect::Ollama => json!({ "model": "m", "stream": false }),
            _ => json!({ "model": "m" }),
        };
        let mut settings = settings.as_object().cloned().unwrap_or_default();
        if thinks {
            settings.extend(thinking(dialect).as_object().cloned().unwrap_or_default());
        }
        settings.insert("tools".to_owned(), tools.into());
        let mut client = Client { dialect, settings, history: Vec::new(), calls: 0, keeps_chunks: false };
        if matches!(dialect.base(), Dialect::OpenAI | Dialect::Ollama | Dialect::Canonical) {
            client.history.push(json!({ "role": "system", "content": "Be brief." }));
        }
        client.ask("How is the weather?");
        client
    }

    fn ask(&mut self, text: &str) {
        self.history.push(if is_google(self.dialect) {
            json!({ "role": "user", "parts": [{ "text": text }] })
        } else {
            json!({ "role": "user", "content": text })
        });
    }

    /// Adds an image to the question.
    fn show(&mut self) {
        let url = format!("data:image/png;base64,{IMAGE}");
        let image = match self.dialect.base() {
            Dialect::OpenAI => json!({ "type": "image_url", "image_url": { "url": url } }),
            Dialect::OpenAIResponses => json!({ "type": "input_image", "image_url": url }),
            Dialect::Anthropic => {
                json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": IMAGE } })
            }
            Dialect::Gemini => json!({ "inlineData": { "mimeType": "image/png", "data": IMAGE } }),
            Dialect::Ollama => IMAGE.into(),
            _ => json!({ "type": "image", "mediaType": "image/png", "source": { "type": "base64", "data": IMAGE } }),
        };
        let Some(message) = self.history.last_mut() else { return };
        let kind = if self.dialect.base() == Dialect::OpenAIResponses { "input_text" } else { "text" };
        match self.dialect.base() {
            Dialect::Ollama => message["images"] = json!([image]),
            Dialect::Gemini => message["parts"] = json!([image, message["parts"][0]]),
            _ => message["content"] = json!([image, { "type": kind, "text": message["content"] }]),
        }
    }

    /// Adds an instruction, in formats that have such messages.
    fn instruct(&mut self) {
        let role = match self.dialect.base() {
            Dialect::Gemini => return,
            Dialect::OpenAIResponses => "developer",
            _ => "system",
        };
        self.history.push(json!({ "role": role, "content": instruction(self.calls) }));
    }

    pub fn request(&self) -> Vec<u8> {
        let mut body = self.settings.clone();
        body.insert(list_key(self.dialect).to_owned(), self.history.clone().into());
        Value::Object(body).to_string().into_bytes()
    }

    /// Keeps a response like the clients of the format, and returns its calls.
    pub fn keep(&mut self, response: &Value) -> Vec<ReceivedCall> {
        let kept = match response["chunks"].as_array().filter(|_| self.keeps_chunks) {
            Some(chunks) => chunks.clone(),
            None => kept(self.dialect, response),
        };
        let mut waiting: Vec<ReceivedCall> = kept.iter().flat_map(|item| received_calls(self.dialect, item)).collect();
        let mut calls = Vec::new();
        // calls are matched one by one, because an id may occur twice
        for id in facts::calls(self.dialect, &kept) {
            let next = waiting.iter().position(|call| call.id == id);
            calls.extend(next.map(|next| waiting.remove(next)));
        }
        calls.append(&mut waiting);
        for call in &mut calls {
            call.number = self.calls;
            self.calls += 1;
        }
        self.history.extend(kept);
        calls
    }

    /// Appends the client's messages of a turn: results and the next question.
    pub fn append_turn(&mut self, calls: &[ReceivedCall], turn: &Turn) {
        let mut results: Vec<(&ReceivedCall, &Outcome)> = calls.iter().zip(turn.outcomes.iter().cycle()).collect();
        if !turn.in_order {
            results.reverse();
        }
        // some clients put the instruction before the results
        if turn.instructs && !turn.in_order {
            self.instruct();
        }
        if !results.is_empty() {
            results.chunks(if turn.apart { 1 } else { results.len() }).for_each(|results| self.response(results));
        }
        if turn.instructs && turn.in_order {
            self.instruct();
        }
        if let Some(question) = &turn.question {
            self.ask(question);
            if turn.shows {
                self.show();
            }
        }
    }

    /// Appends results in the given order.
    fn response(&mut self, results: &[(&ReceivedCall, &Outcome)]) {
        let parts = results.iter().map(|(call, outcome)| result(self.dialect, call, outcome));
        match self.dialect.base() {
            Dialect::Anthropic => {
                let blocks: Vec<Value> = parts.collect();
                self.history.push(json!({ "role": "user", "content": blocks }));
            }
            Dialect::Gemini => {
                let parts: Vec<Value> = parts.collect();
                self.history.push(json!({ "role": "user", "parts": parts }));
            }
            _ => self.history.extend(parts.collect::<Vec<_>>()),
        }
    }
}

/// The messages that a client of the format appends to its history.
pub fn kept(dialect: Dialect, response: &Value) -> Vec<Value> {
    match dialect.base() {
        Dialect::OpenAI => vec![response["choices"][0]["message"].clone()],
        Dialect::OpenAIResponses => list(&response["output"]).to_vec(),
        Dialect::Anthropic => vec![json!({ "role": "assistant", "content": response["content"] })],
        Dialect::Gemini => {
            let content = &response["candidates"][0]["content"];
            // Google's SDKs drop contents without text or other parts
            let is_empty = list(&content["parts"]).iter().all(|part| *part == json!({ "text": "" }));
            if is_empty { Vec::new() } else { vec![content.clone()] }
        }
        _ => vec![response["message"].clone()],
    }
}

fn received_calls(dialect: Dialect, item: &Value) -> Vec<ReceivedCall> {
    let of = |call: &Value, id: &str, name: &Value, is_freeform: bool| ReceivedCall {
        id: call[id].clone(),
        name: name.as_str().unwrap_or_default().to_owned(),
        is_freeform,
        number: 0,
    };
    match dialect.base() {
        Dialect::OpenAI | Dialect::Ollama => list(&item["tool_calls"])
            .iter()
            .map(|call| {
                let is_freeform = call["type"] == "custom";
                let what = if is_freeform { &call["custom"] } else { &call["function"] };
                of(call, "id", &what["name"], is_freeform)
            })
            .collect(),
        Dialect::OpenAIResponses => match item["type"].as_str() {
            Some("function_call") => vec![of(item, "call_id", &full_name(item).into(), false)],
            Some("custom_tool_call") => vec![of(item, "call_id", &item["name"], true)],
            _ => Vec::new(),
        },
        Dialect::Anthropic => {
            let calls = list(&item["content"]).iter().filter(|block| block["type"] == "tool_use");
            calls.map(|call| of(call, "id", &call["name"], false)).collect()
        }
        Dialect::Gemini => {
            let calls = list(&item["parts"]).iter().filter_map(|part| part.get("functionCall"));
            calls.map(|call| of(call, "id", &call["name"], false)).collect()
        }
        _ => {
            let calls = list(&item["toolCalls"]).iter().chain(list(&item["invalidToolCalls"]));
            calls.map(|call| of(call, "id", &full_name(call).into(), false)).collect()
        }
    }
}

fn result(dialect: Dialect, call: &ReceivedCall, outcome: &Outcome) -> Value {
    match dialect.base() {
        Dialect::OpenAI => {
            let content = match outcome {
                Outcome::Parts(texts) => parts(texts, "text", call),
                other => plain(other, call).into(),
            };
            json!({ "role": "tool", "tool_call_id": call.id, "content": content })
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
    let marked = texts.iter().cloned().chain([mark(call.number)]);
    marked.map(|text| json!({ "type": kind, "text": text })).collect()
}

/// The client's instruction after this number of calls.
pub fn instruction(calls: usize) -> String {
    format!("Keep rule {calls}.")
}

/// A text that identifies the result of a call.
pub fn mark(number: usize) -> String {
    format!("(of call {number})")
}
