//! The content of a canonical request as a list of facts. Requests with equal content have equal facts, however they
//! are written.

use serde_json::{Map, Value, json};

/// One fact of a request, and its position.
#[derive(Clone, Debug)]
pub struct Fact {
    pub kind: String,
    pub value: Value,
    pub at: String,
}

impl Fact {
    pub fn key(&self) -> String {
        format!("{}: {}", self.kind, self.value)
    }
}

pub struct Facts(Vec<Fact>);

/// The facts of the messages in order, then those of the rest of the request.
pub fn facts_of(request: &Value) -> Vec<Fact> {
    let mut facts = Facts(Vec::new());
    for (index, message) in list(&request["messages"]).iter().enumerate() {
        facts.message(message, &format!("/messages/{index}"));
    }
    for (index, tool) in list(&request["tools"]).iter().enumerate() {
        facts.tool(tool, &format!("/tools/{index}"));
    }
    let others = request.as_object().into_iter().flatten();
    for (key, value) in others.filter(|(key, _)| !matches!(key.as_str(), "messages" | "tools" | "metadata")) {
        match value.as_object().filter(|_| key == "reasoning" || key == "responseFormat") {
            Some(fields) => fields.iter().for_each(|(name, value)| match name.as_str() {
                "schema" => facts.schema("responseFormat.schema", value, format!("/{key}/{name}")),
                _ => facts.add(&format!("{key}.{name}"), value.clone(), format!("/{key}/{name}")),
            }),
            None => facts.add(key, value.clone(), format!("/{key}")),
        }
    }
    facts.metadata(request, "");
    facts.0
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// An object reduced to these keys.
fn only(value: &Value, keys: &[&str]) -> Value {
    let kept = keys.iter().filter_map(|key| Some(((*key).to_owned(), value.get(*key)?.clone())));
    Value::Object(kept.collect::<Map<_, _>>())
}

/// Identifies media; `docs/format.md` describes them. Inline media may be written in several ways.
fn media(source: &Value) -> Value {
    let is_inline = matches!(source["type"].as_str(), Some("base64" | "text"));
    let is_data = source["url"].as_str().is_some_and(|url| url.to_ascii_lowercase().starts_with("data:"));
    if is_inline || is_data { "inline".into() } else { only(source, &["url", "id"]) }
}

impl Facts {
    fn add(&mut self, kind: &str, value: Value, at: String) {
        self.0.push(Fact { kind: kind.to_owned(), value, at });
    }

    fn message(&mut self, message: &Value, at: &str) {
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            self.add("result", message["name"].clone(), at.to_owned());
            let is_error = message["kind"] == "error" || message["isError"] == true;
            if is_error {
                self.add("result is an error", Value::Null, at.to_owned());
            }
            match message["kind"].as_str() {
                Some("multimodal") => {
                    self.blocks("result", list(&message["value"]), &format!("{at}/value"), &mut Vec::new());
                    // most formats have a separate place for media
                    let start = self.0.iter().rposition(|fact| fact.kind == "result").unwrap_or_default();
                    self.0[start..].sort_by_key(|fact| fact.kind == "result media");
                }
                Some("data") => self.add("result data", message["value"].clone(), format!("{at}/value")),
                _ => self.text("result text", &message["value"], format!("{at}/value")),
            }
            return self.metadata(message, at);
        }
        let mut calls: Vec<(&Value, String)> = Vec::new();
        for key in ["toolCalls", "invalidToolCalls"] {
            let found = list(&message[key]).iter().enumerate();
            calls.extend(found.map(|(index, call)| (call, format!("{at}/{key}/{index}"))));
        }
        match message["content"].as_array() {
            Some(blocks) => self.blocks(role, blocks, &format!("{at}/content"), &mut calls),
            None => self.text(&format!("{role} text"), &message["content"], format!("{at}/content")),
        }
        for (call, at) in calls {
            self.call(call, &at);
        }
        self.metadata(message, at);
    }

    /// Adds a text, unless it is empty.
    fn text(&mut self, kind: &str, text: &Value, at: String) {
        if text != "" {
            self.add(kind, text.clone(), at);
        }
    }

    fn call(&mut self, call: &Value, at: &str) {
        self.add("call", only(call, &["name", "arguments", "rawArguments"]), at.to_owned());
        self.metadata(call, at);
    }

    fn blocks(&mut self, role: &str, blocks: &[Value], at: &str, calls: &mut Vec<(&Value, String)>) {
        for (index, block) in blocks.iter().enumerate() {
            let at = format!("{at}/{index}");
            match block["type"].as_str() {
                Some("toolCall") => {
                    if let Some(place) = calls.iter().position(|(call, _)| call["id"] == block["id"]) {
                        let (call, at) = calls.remove(place);
                        self.call(call, &at);
                    }
                }
                Some(kind @ ("text" | "refusal")) => self.text(&format!("{role} {kind}"), &block["text"], at.clone()),
                Some("data") => self.add(&format!("{role} data"), block["value"].clone(), at.clone()),
                Some("native") => self.add("native", only(block, &["provider", "value"]), at.clone()),
                Some("reasoning") if block["text"] == "" && block.get("signature").is_none() => {}
                Some("reasoning") => {
                    self.add("reasoning", only(block, &["text", "signature", "redacted", "issuer"]), at.clone());
                }
                _ => self.add(&format!("{role} media"), media(&block["source"]), at.clone()),
            }
            self.metadata(block, &at);
        }
    }

    /// Adds the names of a schema's properties; other tests check the rest of schemas.
    fn schema(&mut self, kind: &str, schema: &Value, at: String) {
        let is_joined = ["allOf", "anyOf", "oneOf", "$ref"].iter().any(|key| schema.get(*key).is_some());
        let mut names: Vec<&String> =
            schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
        names.sort();
        if !is_joined {
            self.add(kind, json!(names), at);
        }
    }

    fn tool(&mut self, tool: &Value, at: &str) {
        if tool["type"] == "native" {
            self.add("native tool", only(tool, &["provider", "value"]), at.to_owned());
        } else {
            self.add("tool", json!([tool["name"], tool["description"]]), at.to_owned());
            self.schema("tool parameters", &tool["parameters"], format!("{at}/parameters"));
            if tool["strict"] == true {
                self.add("tool strict", true.into(), format!("{at}/strict"));
            }
        }
        self.metadata(tool, at);
    }

    /// Adds the providers' metadata; the user's own keys are never sent.
    fn metadata(&mut self, bearer: &Value, at: &str) {
        for provider in ["openai", "anthropic", "google", "ollama", "mistral"] {
            let fields = bearer["metadata"][provider].as_object().into_iter().flatten();
            let is_kept = |key: &str| !matches!(key, "form" | "responsesForm" | "continues");
            // the name of a tool is a fact already; a mark of the last message is a form elsewhere
            let is_known =
                |key: &str| at.starts_with("/tools") && key == "name" || provider == "mistral" && key == "prefix";
            for (key, value) in fields.filter(|(key, _)| is_kept(key) && !is_known(key)) {
                let is_empty = value.is_null() || *value == "" || *value == json!([]) || *value == json!({});
                if !is_empty {
                    self.add(&format!("{provider}.{key}"), value.clone(), format!("{at}/metadata/{provider}"));
                }
            }
        }
    }
}
