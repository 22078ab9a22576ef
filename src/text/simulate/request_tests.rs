//! Requests: how tools, calls and results are converted.

use super::Simulated;
use crate::text::Result;
use crate::text::write::Carrier;
use serde_json::{Value, json};

fn request(request: Value, options: &Value) -> Result<Simulated> {
    super::request(request, options, Carrier::Text)
}

fn with_tools() -> Value {
    json!({
        "model": "some-model",
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Hi" },
            {
                "role": "assistant",
                "content": [
                    { "type": "reasoning", "text": "hm", "issuer": "openai" },
                    { "type": "text", "text": "Look:" },
                ],
                "toolCalls": [{ "id": "c1", "name": "get_weather", "arguments": { "city": "Bern" } }],
            },
            { "role": "tool", "toolCallId": "c1", "name": "get_weather", "kind": "text", "value": "rain" },
            {
                "role": "tool",
                "toolCallId": "c2",
                "name": "get_weather",
                "kind": "multimodal",
                "value": [
                    { "type": "text", "text": "map" },
                    { "type": "image", "source": { "type": "url", "url": "https://x/y.png" } },
                ],
            },
        ],
        "tools": [{ "name": "get_weather", "parameters": { "type": "object", "properties": { "city": { "type": "string" } } } }],
        "toolChoice": "required",
        "parallelToolCalls": false,
        "maxTokens": 5,
    })
}

#[test]
fn tools_become_a_prompt_and_the_history_text() {
    let read = request(with_tools(), &json!({ "format": "hermes_json" })).unwrap();
    for gone in ["tools", "toolChoice", "parallelToolCalls"] {
        assert!(read.request.get(gone).is_none(), "{gone}");
    }
    assert_eq!(read.request["maxTokens"], 5);
    let messages = read.request["messages"].as_array().unwrap();
    let system = messages[0]["content"].as_str().unwrap();
    assert!(system.starts_with("Be brief.\n\n") && system.contains("get_weather"), "{system}");
    assert!(messages[2].get("toolCalls").is_none());
    assert_eq!(messages[2]["content"][0]["type"], "reasoning");
    let content = messages[2]["content"][1]["text"].as_str().unwrap();
    assert!(content.starts_with("Look:") && content.contains("<tool_call>") && content.contains("Bern"), "{content}");
    assert!(!content.contains("hm"), "{content}");
    assert_eq!(messages.len(), 4);
    assert_eq!(messages[3]["role"], "user");
    assert!(messages[3]["content"][0]["text"].as_str().unwrap().contains("rain"));
    assert_eq!(messages[3]["content"][1]["type"], "image");
    assert_eq!(read.reading["format"], "hermes_json");
    assert_eq!(read.reading["tools"], with_tools()["tools"]);
}

#[test]
fn the_seed_follows_the_conversation() {
    let seed = |text: &str| {
        let body = json!({ "messages": [{ "role": "user", "content": text }] });
        request(body, &json!({})).unwrap().reading["seed"].clone()
    };
    assert_eq!(seed("a"), seed("a"));
    assert_ne!(seed("a"), seed("b"));
}

#[test]
fn the_prompt_is_placed_as_the_option_states() {
    let texts = |place: &str| {
        let body = json!({
            "messages": [{ "role": "system", "content": "S" }, { "role": "user", "content": "U" }],
            "tools": [{ "name": "f" }],
        });
        let read = request(body, &json!({ "format": "json", "place": place })).unwrap();
        [0, 1].map(|index| read.request["messages"][index]["content"].as_str().unwrap().to_owned())
    };
    let [system, user] = texts("systemStart");
    assert!(system.ends_with("\n\nS") && user == "U");
    let [system, user] = texts("systemEnd");
    assert!(system.starts_with("S\n\n") && user == "U");
    let [system, user] = texts("user");
    assert!(user.ends_with("\n\nU") && system == "S");
}

#[test]
fn the_format_is_that_of_the_model_or_our_own() {
    let format = |model: &str| {
        let body = json!({ "model": model, "messages": [], "tools": [{ "name": "f" }] });
        request(body, &json!({ "format": "auto" })).unwrap().reading["format"].clone()
    };
    assert_eq!(format("Qwen/Qwen2.5-7B-Instruct"), "hermes_json");
    assert_eq!(format("unknown-model"), "json");
}

#[test]
fn requests_that_cannot_be_simulated_are_refused() {
    let refused = |changes: Value, options: Value| {
        let mut body = with_tools();
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        request(body, &options).unwrap_err().path
    };
    let json_format = json!({ "format": "json" });
    let native = json!({ "tools": [{ "name": "f" }, { "type": "native", "provider": "openai", "value": {} }] });
    assert_eq!(refused(native, json_format.clone()), "/tools/1");
    let choice = json!({ "toolChoice": { "provider": "openai", "native": {} } });
    assert_eq!(refused(choice, json_format.clone()), "/toolChoice");
    assert_eq!(refused(json!({ "messages": 5 }), json_format), "/messages");
    assert_eq!(refused(json!({}), json!({ "format": "hermes" })), "/format");
    assert_eq!(refused(json!({}), json!({ "place": "here" })), "/place");
    assert_eq!(refused(json!({}), json!({ "places": "user" })), "/places");
}

#[test]
fn a_response_format_gives_way_to_calls() {
    let body = json!({ "messages": [], "tools": [{ "name": "f" }], "responseFormat": { "type": "json" } });
    let read = request(body, &json!({ "format": "json" })).unwrap();
    assert!(read.request.get("responseFormat").is_none());
    assert_eq!(read.warnings[0].path, "/responseFormat");
    let body = json!({ "messages": [], "responseFormat": { "type": "json" } });
    let read = request(body, &json!({ "format": "json" })).unwrap();
    assert!(read.request.get("responseFormat").is_some() && read.warnings.is_empty());
}

#[test]
fn with_json_enforced_every_response_is_an_object() {
    let mut body = with_tools();
    let choice = |choice: &str, body: &mut Value| body["toolChoice"] = json!(choice);
    choice("auto", &mut body);
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({ "role": "assistant", "content": "Rain." }));
    messages.push(json!({ "role": "user", "content": "Thanks" }));
    let read = super::request(body.clone(), &json!({ "format": "json" }), Carrier::Object).unwrap();
    let messages = &read.request["messages"];
    let prompt = messages[0]["content"].as_str().unwrap();
    assert!(prompt.contains("{\"text\": TEXT, \"calls\": ["), "{prompt}");
    assert!(prompt.contains("{\"text\": \"\", \"calls\": [{\"name\": \"get_weather\""), "{prompt}");
    assert!(prompt.contains("at most one call") && !prompt.contains("```"), "{prompt}");
    let called = "{\"text\": \"Look:\", \"calls\": [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Bern\"}}]}";
    assert_eq!(
        messages[2]["content"],
        json!([
            { "type": "reasoning", "text": "hm", "issuer": "openai" },
            { "type": "text", "text": called },
        ])
    );
    assert_eq!(messages[4]["content"], "{\"text\": \"Rain.\", \"calls\": []}");
    assert_eq!(read.reading["object"], true);
    choice("none", &mut body);
    let read = super::request(body, &json!({ "format": "json" }), Carrier::Object).unwrap();
    assert_eq!(read.request["messages"][4]["content"], "Rain.");
    assert!(read.reading.get("object").is_none());
}

#[test]
fn results_in_another_form_are_errors() {
    let result = json!({ "role": "tool", "toolCallId": "c1", "name": "f", "kind": "text", "value": "x" });
    for key in ["toolCallId", "kind"] {
        let mut other = result.clone();
        other.as_object_mut().unwrap().remove(key);
        let asked = json!({ "messages": [{ "role": "user", "content": "Hi" }, other] });
        let error = request(asked, &json!({ "format": "json" })).unwrap_err();
        assert_eq!(error.path, format!("/messages/1/{key}"));
    }
    request(json!({ "messages": [result] }), &json!({ "format": "json" })).unwrap();
}
