//! The client of a gateway in its own format: it sends requests, keeps each response unchanged, runs the tools and
//! sends the whole history again.

use super::responses::{FREEFORM, Outcome, Turn};
use super::results::result;
use super::{facts, shape};
use serde_json::{Map, Value, json};
use toolwire::Dialect;

pub const IMAGE: &str = "iVBORw0KGgo=";

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
    match shape(dialect) {
        Dialect::OpenAIResponses | Dialect::GeminiInteractions => "input",
        Dialect::Gemini => "contents",
        _ => "messages",
    }
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub fn is_google(dialect: Dialect) -> bool {
    shape(dialect) == Dialect::Gemini
}

/// The names of the tools: two that are legal everywhere, one with punctuation, one freeform tool (if the format has
/// them), and a long one; then two of the same name in namespaces (if the format has them).
pub fn tools(dialect: Dialect) -> Vec<String> {
    let (punctuated, length) = match shape(dialect) {
        Dialect::Gemini | Dialect::GeminiInteractions => ("files.read:v1", 100),
        Dialect::Canonical | Dialect::Ollama | Dialect::Cohere => ("read a file", 100),
        Dialect::Anthropic => ("read-file", 100),
        _ => ("read-file", 60),
    };
    let long = "long".repeat(length / 4);
    let (crm, shop) = if has_namespaces(dialect) { ("crm/find", "shop/find") } else { ("crm_find", "shop_find") };
    ["get_weather", "now", punctuated, "query", &long, crm, shop].map(str::to_owned).to_vec()
}

/// Whether a message may be an instruction.
pub fn has_instructions(dialect: Dialect) -> bool {
    !matches!(shape(dialect), Dialect::Gemini | Dialect::GeminiInteractions)
}

/// Whether the messages, tools and calls are those of Chat Completions.
pub fn is_chat(dialect: Dialect) -> bool {
    matches!(shape(dialect), Dialect::OpenAI | Dialect::Mistral | Dialect::Cohere | Dialect::Ollama)
}

fn has_namespaces(dialect: Dialect) -> bool {
    matches!(shape(dialect), Dialect::OpenAIResponses | Dialect::Canonical)
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
    match shape(dialect) {
        Dialect::OpenAI if index == FREEFORM => {
            json!({ "type": "custom", "custom": { "name": name, "description": "SQL" } })
        }
        Dialect::OpenAIResponses if index == FREEFORM => {
            json!({ "type": "custom", "name": name, "description": "SQL" })
        }
        _ if is_chat(dialect) => {
            json!({ "type": "function", "function": { "name": name, "description": "T", "parameters": schema } })
        }
        Dialect::OpenAIResponses => {
            json!({ "type": "function", "name": name, "description": "T", "parameters": schema, "strict": false })
        }
        Dialect::Anthropic => json!({ "name": name, "description": "T", "input_schema": schema }),
        Dialect::Bedrock => {
            json!({ "toolSpec": { "name": name, "description": "T", "inputSchema": { "json": schema } } })
        }
        Dialect::Gemini => {
            json!({ "name": name, "description": "T", "parametersJsonSchema": schema })
        }
        Dialect::GeminiInteractions => {
            json!({ "type": "function", "name": name, "description": "T", "parameters": schema })
        }
        _ => json!({ "name": name, "description": "T", "parameters": schema }),
    }
}

/// The settings that turn reasoning on, with a budget if the format has one.
fn thinking(dialect: Dialect) -> Value {
    match shape(dialect) {
        Dialect::OpenAI | Dialect::Mistral => json!({ "reasoning_effort": "high" }),
        Dialect::OpenAIResponses => json!({ "reasoning": { "effort": "high", "summary": "auto" } }),
        Dialect::Anthropic => json!({ "thinking": { "type": "enabled", "budget_tokens": 2000 }, "max_tokens": 9000 }),
        Dialect::Gemini => {
            json!({ "generationConfig": { "thinkingConfig": { "thinkingBudget": 2000, "includeThoughts": true } } })
        }
        Dialect::GeminiInteractions => {
            json!({ "generation_config": { "thinking_level": "high", "thinking_summaries": "auto" } })
        }
        Dialect::Bedrock => {
            let thinking = json!({ "type": "enabled", "budget_tokens": 2000 });
            json!({ "additionalModelRequestFields": { "thinking": thinking }, "inferenceConfig": { "maxTokens": 9000 } })
        }
        Dialect::Cohere => json!({ "thinking": { "type": "enabled", "token_budget": 2000 } }),
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
        let settings = match shape(dialect) {
            Dialect::OpenAIResponses => json!({ "model": "m", "instructions": "Be brief." }),
            Dialect::Anthropic => json!({ "model": "m", "max_tokens": 1000, "system": "Be brief." }),
            Dialect::Gemini => {
                json!({ "model": "m", "systemInstruction": { "parts": [{ "text": "Be brief." }] } })
            }
            Dialect::GeminiInteractions => json!({ "model": "m", "system_instruction": "Be brief." }),
            Dialect::Bedrock => json!({ "modelId": "m", "system": [{ "text": "Be brief." }] }),
            Dialect::Ollama => json!({ "model": "m", "stream": false }),
            _ => json!({ "model": "m" }),
        };
        let mut settings = settings.as_object().cloned().unwrap_or_default();
        if thinks {
            settings.extend(thinking(dialect).as_object().cloned().unwrap_or_default());
        }
        let (key, tools) = match shape(dialect) {
            Dialect::Bedrock => ("toolConfig", json!({ "tools": tools })),
            _ => ("tools", tools.into()),
        };
        settings.insert(key.to_owned(), tools);
        let mut client = Client { dialect, settings, history: Vec::new(), calls: 0, keeps_chunks: false };
        if is_chat(dialect) || dialect == Dialect::Canonical {
            client.history.push(json!({ "role": "system", "content": "Be brief." }));
        }
        client.ask("How is the weather?");
        client
    }

    fn ask(&mut self, text: &str) {
        self.history.push(match shape(self.dialect) {
            Dialect::Gemini => json!({ "role": "user", "parts": [{ "text": text }] }),
            Dialect::Bedrock => json!({ "role": "user", "content": [{ "text": text }] }),
            Dialect::GeminiInteractions => {
                json!({ "type": "user_input", "content": [{ "type": "text", "text": text }] })
            }
            _ => json!({ "role": "user", "content": text }),
        });
    }

    /// Adds an image to the question.
    fn show(&mut self) {
        let url = format!("data:image/png;base64,{IMAGE}");
        let image = match shape(self.dialect) {
            Dialect::OpenAI | Dialect::Cohere => json!({ "type": "image_url", "image_url": { "url": url } }),
            Dialect::Mistral => json!({ "type": "image_url", "image_url": url }),
            Dialect::OpenAIResponses => json!({ "type": "input_image", "image_url": url }),
            Dialect::Anthropic => {
                json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": IMAGE } })
            }
            Dialect::Gemini => json!({ "inlineData": { "mimeType": "image/png", "data": IMAGE } }),
            Dialect::Bedrock => json!({ "image": { "format": "png", "source": { "bytes": IMAGE } } }),
            Dialect::GeminiInteractions => json!({ "type": "image", "mime_type": "image/png", "data": IMAGE }),
            Dialect::Ollama => IMAGE.into(),
            _ => json!({ "type": "image", "mediaType": "image/png", "source": { "type": "base64", "data": IMAGE } }),
        };
        let Some(message) = self.history.last_mut() else { return };
        let kind = if shape(self.dialect) == Dialect::OpenAIResponses { "input_text" } else { "text" };
        match shape(self.dialect) {
            Dialect::Ollama => message["images"] = json!([image]),
            Dialect::Gemini => message["parts"] = json!([image, message["parts"][0]]),
            Dialect::Bedrock | Dialect::GeminiInteractions => {
                message["content"] = json!([image, message["content"][0]]);
            }
            _ => message["content"] = json!([image, { "type": kind, "text": message["content"] }]),
        }
    }

    /// Adds an instruction, in formats that have such messages.
    fn instruct(&mut self) {
        if !has_instructions(self.dialect) {
            return;
        }
        let text = instruction(self.calls);
        self.history.push(match shape(self.dialect) {
            Dialect::OpenAIResponses => json!({ "role": "developer", "content": text }),
            Dialect::Bedrock => json!({ "role": "system", "content": [{ "text": text }] }),
            _ => json!({ "role": "system", "content": text }),
        });
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
        match shape(self.dialect) {
            Dialect::Anthropic | Dialect::Bedrock => {
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
    match shape(dialect) {
        Dialect::OpenAI | Dialect::Mistral => vec![response["choices"][0]["message"].clone()],
        Dialect::Bedrock => vec![response["output"]["message"].clone()],
        Dialect::GeminiInteractions => list(&response["steps"]).to_vec(),
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
    match shape(dialect) {
        _ if is_chat(dialect) => list(&item["tool_calls"])
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
        Dialect::Bedrock => {
            let calls = list(&item["content"]).iter().filter_map(|block| block.get("toolUse"));
            let calls = calls.filter(|call| call["type"] != "server_tool_use");
            calls.map(|call| of(call, "toolUseId", &call["name"], false)).collect()
        }
        Dialect::Gemini => {
            let calls = list(&item["parts"]).iter().filter_map(|part| part.get("functionCall"));
            calls.map(|call| of(call, "id", &call["name"], false)).collect()
        }
        Dialect::GeminiInteractions => match item["type"].as_str() {
            Some("function_call") => vec![of(item, "id", &item["name"], false)],
            _ => Vec::new(),
        },
        _ => {
            let calls = list(&item["toolCalls"]).iter().chain(list(&item["invalidToolCalls"]));
            calls.map(|call| of(call, "id", &full_name(call).into(), false)).collect()
        }
    }
}

/// The client's instruction after this number of calls.
pub fn instruction(calls: usize) -> String {
    format!("Keep rule {calls}.")
}
