//! `TEXT_CALLS=FILE cargo test --no-default-features --features text --test text_recorded -- --nocapture`: recorded texts, whole and split.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::{Value, json};
use toolwire::text::{Tool, formats, read};

#[derive(Debug, PartialEq)]
struct Got {
    text: String,
    reasoning: String,
    calls: Vec<Value>,
    invalid: Vec<Value>,
}

fn got(events: &[read::Event]) -> Got {
    let mut got = Got { text: String::new(), reasoning: String::new(), calls: vec![], invalid: vec![] };
    let mut deltas = String::new();
    for event in events {
        match event {
            read::Event::Text { text, .. } => got.text.push_str(text),
            read::Event::Reasoning { text, .. } => got.reasoning.push_str(text),
            read::Event::CallStart { .. } => deltas.clear(),
            read::Event::CallDelta { text, .. } => deltas.push_str(text),
            read::Event::CallEnd { id, name, arguments, .. } => {
                assert_eq!(&deltas, arguments, "deltas");
                got.calls.push(
                    json!({"name": name, "arguments": serde_json::from_str::<Value>(arguments).unwrap(), "id": id}),
                );
            }
            read::Event::Invalid { name, raw, .. } => got.invalid.push(json!({"name": name, "raw": raw})),
            _ => {}
        }
    }
    got
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|o| same(v, o)))
        }
        _ => a == b,
    }
}

#[test]
fn recorded_texts() {
    let Ok(file) = std::env::var("TEXT_CALLS") else { return };
    let lines = std::fs::read_to_string(file).unwrap();
    let (mut pass, mut all) = (0, 0);
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        all += 1;
        let id = case["format"].as_str().unwrap();
        let Some(format) = formats::by_id(id) else {
            println!("no format {id}");
            continue;
        };
        let text = case["text"].as_str().unwrap();
        let prefill = case["options"]["generation_prompt"].as_str().unwrap_or_default();
        let tools = || Tool::list(&case["tools"]).unwrap_or_default();
        let whole = read::read(format, tools(), prefill, "s", text);
        let result = got(&whole);
        for (at, _) in text.char_indices() {
            let mut reader = read::Reader::new(format, tools(), prefill, "s");
            let mut events = reader.push(&text[..at]);
            events.extend(reader.push(&text[at..]));
            events.extend(reader.end());
            if got(&events) != result {
                println!("SPLIT {} at {at}: {:?} {:?}", case["id"], got(&events), result);
                break;
            }
        }
        let mut reader = read::Reader::new(format, tools(), prefill, "s");
        let mut events = Vec::new();
        for one in text.chars() {
            events.extend(reader.push(&one.to_string()));
        }
        events.extend(reader.end());
        if got(&events) != result {
            println!("CHARS {}: {:?} {:?}", case["id"], got(&events), result);
        }
        let expected = &case["expected"];
        let wanted = expected["calls"].as_array().unwrap();
        let valid: Vec<&Value> = wanted.iter().filter(|c| c.get("arguments").is_some()).collect();
        let calls = valid.len() == result.calls.len()
            && valid.iter().zip(&result.calls).all(|(w, g)| {
                w["name"] == g["name"]
                    && same(&w["arguments"], &g["arguments"])
                    && w.get("id").is_none_or(|id| *id == g["id"])
            });
        let content = expected["content"].as_str().unwrap_or_default().trim();
        let kept = content == result.text.trim()
            || result.invalid.iter().any(|i| {
                content.replace(char::is_whitespace, "")
                    == format!("{}{}", result.text, i["raw"].as_str().unwrap()).replace(char::is_whitespace, "")
            })
            || (!result.invalid.is_empty() && content.starts_with(result.text.trim()));
        let kept = kept || case["options"]["reasoning"] == "keep_in_content" && content.ends_with(result.text.trim());
        let reasoning =
            expected.get("reasoning").is_none_or(|r| r.as_str().unwrap_or_default().trim() == result.reasoning.trim());
        if calls && kept && reasoning {
            pass += 1
        } else {
            println!(
                "FAIL {} {:.300}\n   want {} \n   got  {:?}\n",
                case["id"],
                case["text"].to_string(),
                expected,
                result
            );
        }
    }
    println!("{pass} of {all}");
}
