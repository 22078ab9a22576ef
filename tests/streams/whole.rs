//! A streamed response and the same response whole agree on their finish reason, their tokens, and calls that can't be
//! run. This also holds for irregular streams: finish reasons before the end, calls without a name, arguments that are
//! cut off.

use super::generated::{Response, response};
use super::responses::cases;
use super::{Either, dialects, framed};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use toolwire::{Dialect, ErrorCode, Options, StreamReader, Subject, convert_text};

/// An irregularity in one event of a stream.
#[derive(Clone, Debug)]
enum Oddity {
    /// The event has a finish reason, whether or not it is the last.
    Reason(usize),
    /// A call in the event has no name: it is empty, null or omitted.
    Nameless(usize),
    /// A call's arguments are cut off.
    CutArguments,
    /// A call in the event has another index.
    OtherPlace,
}

fn oddities() -> impl Strategy<Value = Vec<(Index, Oddity)>> {
    let oddity = prop_oneof![
        4 => (0..8_usize).prop_map(Oddity::Reason),
        2 => (0..3_usize).prop_map(Oddity::Nameless),
        1 => Just(Oddity::CutArguments),
        1 => Just(Oddity::OtherPlace),
    ];
    vec((any::<Index>(), oddity), 0..4)
}

/// The finish reasons of each format.
fn reason(dialect: Dialect, number: usize) -> &'static str {
    let reasons: &[&str] = match dialect.base() {
        Dialect::Gemini => {
            &["STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", "FINISH_REASON_UNSPECIFIED", "NEW_REASON"]
        }
        Dialect::Anthropic => {
            &["end_turn", "tool_use", "max_tokens", "refusal", "pause_turn", "stop_sequence", "new_reason"]
        }
        Dialect::Bedrock => &[
            "end_turn",
            "tool_use",
            "max_tokens",
            "guardrail_intervened",
            "malformed_tool_use",
            "stop_sequence",
            "new_reason",
        ],
        Dialect::Cohere => &["COMPLETE", "TOOL_CALL", "MAX_TOKENS", "STOP_SEQUENCE", "TIMEOUT", "NEW_REASON"],
        Dialect::GeminiInteractions => {
            &["completed", "requires_action", "incomplete", "budget_exceeded", "requires_continuation", "new_reason"]
        }
        _ => &["stop", "tool_calls", "length", "content_filter", "function_call", "new_reason"],
    };
    reasons[number % reasons.len()]
}

/// The first value of this key at any depth.
fn find<'a>(value: &'a mut Value, key: &str) -> Option<&'a mut Value> {
    match value {
        Value::Object(members) => {
            if members.contains_key(key) {
                return members.get_mut(key);
            }
            members.values_mut().find_map(|value| find(value, key))
        }
        Value::Array(elements) => elements.iter_mut().find_map(|element| find(element, key)),
        _ => None,
    }
}

/// The object in the event that has the name of a call.
fn call_in(dialect: Dialect, event: &mut Value) -> Option<&mut Value> {
    match dialect.base() {
        Dialect::OpenAI | Dialect::Cohere => find(event, "function"),
        Dialect::Bedrock => find(event, "toolUse"),
        Dialect::GeminiInteractions => find(event, "step").filter(|step| step["type"] == "function_call"),
        Dialect::Anthropic => find(event, "content_block").filter(|block| block["type"] == "tool_use"),
        Dialect::Gemini => find(event, "functionCall"),
        Dialect::Ollama => find(event, "function"),
        // items are repeated in several events with equal fields
        _ => None,
    }
}

fn give_reason(dialect: Dialect, event: &mut Value, number: usize) {
    let reason = json!(reason(dialect, number));
    match dialect.base() {
        Dialect::OpenAI => {
            if let Some(slot) = find(event, "finish_reason") {
                *slot = reason;
            }
        }
        Dialect::Gemini => {
            if let Some(candidate) = event.get_mut("candidates").and_then(|candidates| candidates.get_mut(0)) {
                candidate["finishReason"] = reason;
            }
        }
        Dialect::Bedrock if event.get("messageStop").is_some() => event["messageStop"]["stopReason"] = reason,
        Dialect::Cohere if event["type"] == "message-end" => event["delta"]["finish_reason"] = reason,
        Dialect::GeminiInteractions if event["event_type"] == "interaction.completed" => {
            event["interaction"]["status"] = reason;
        }
        Dialect::Anthropic if event["type"] == "message_delta" => event["delta"]["stop_reason"] = reason,
        Dialect::Ollama if event["done"] == true => event["done_reason"] = reason,
        _ => {}
    }
}

fn make_odd(dialect: Dialect, event: &mut Value, oddity: &Oddity) {
    match oddity {
        Oddity::Reason(number) => give_reason(dialect, event, *number),
        Oddity::Nameless(how) => {
            let Some(call) = call_in(dialect, event).and_then(Value::as_object_mut) else { return };
            if call.contains_key("name") {
                match how {
                    0 => call.insert("name".to_owned(), json!("")),
                    1 => call.insert("name".to_owned(), Value::Null),
                    _ => call.remove("name"),
                };
            }
        }
        Oddity::CutArguments if dialect.base() != Dialect::OpenAIResponses => {
            for key in ["arguments", "partial_json", "input"] {
                if let Some(text) = find(event, key).filter(|value| value.is_string()) {
                    *text = json!("{\"cut");
                }
            }
        }
        Oddity::CutArguments => {}
        Oddity::OtherPlace => {
            if dialect.base() == Dialect::OpenAI
                && let Some(index) = find(event, "tool_calls").and_then(|calls| find(calls, "index"))
            {
                *index = json!(7);
            }
        }
    }
}

fn events(dialect: Dialect, bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    let lines = text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    let events: Vec<Value> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(!events.is_empty(), "{}: {text}", dialect.name());
    events
}

/// The response as a stream of the format, with irregularities.
fn odd_stream(dialect: Dialect, response: &Response, oddities: &[(Index, Oddity)]) -> Vec<u8> {
    let mut events = events(dialect, &response.bytes(dialect));
    for (place, oddity) in oddities {
        let place = place.index(events.len());
        make_odd(dialect, &mut events[place], oddity);
    }
    framed(dialect, &events)
}

/// The id of a call. A generated one has no prefix where the target accepts letters and digits only.
fn id(call: &Value) -> &str {
    let id = call["id"].as_str().unwrap();
    id.strip_prefix("tw_").unwrap_or(id)
}

/// The finish reason of a response, its tokens and its calls. A whole response wraps arguments that are not an object
/// for targets that require objects; a stream has already sent them.
fn summary(response: &Value) -> Value {
    let (mut calls, mut invalid) = (Vec::new(), Vec::new());
    for call in response["toolCalls"].as_array().unwrap() {
        let (id, name, arguments) = (id(call), &call["name"], &call["arguments"]);
        match arguments.get("rawArguments") {
            Some(raw) => invalid.push(json!([id, name, raw])),
            None => calls.push(json!([id, name, arguments])),
        }
    }
    for call in response["invalidToolCalls"].as_array().unwrap() {
        let raw = &call["rawArguments"];
        let inner: Option<Value> = serde_json::from_str(raw.as_str().unwrap()).ok();
        let wrapped = inner.as_ref().and_then(|inner| inner.get("rawArguments"));
        // white space of arguments is lost where a format on the way has them as an object
        let arguments = wrapped.or(inner.as_ref().filter(|inner| inner.is_object())).unwrap_or(raw);
        invalid.push(json!([id(call), call["name"], arguments]));
    }
    json!({"finish": response["finishReason"], "usage": counts(&response["usage"]), "calls": calls, "invalid": invalid})
}

fn counts(usage: &Value) -> Vec<&Value> {
    ["input", "output", "total", "cached", "cacheWrite", "reasoning"].iter().map(|key| &usage[*key]).collect()
}

/// The same of the events of a stream.
fn summary_of_events(events: &[Value]) -> Value {
    let ends: Vec<&Value> =
        events.iter().filter(|event| event["type"] == "toolCallEnd").map(|event| &event["call"]).collect();
    let (invalid, valid): (Vec<&Value>, Vec<&Value>) =
        ends.into_iter().partition(|call| call.get("rawArguments").is_some());
    let finishes: Vec<&Value> = events.iter().filter(|event| event["type"] == "finish").collect();
    assert_eq!(finishes.len(), 1, "a stream has one finish: {events:?}");
    assert_eq!(events.last().map(|event| &event["type"]), Some(&json!("finish")), "the finish is the last event");
    let usage = events.iter().rfind(|event| event["type"] == "usage").map(|event| &event["usage"]);
    summary(&json!({
        "finishReason": finishes[0]["finishReason"], "usage": usage, "toolCalls": valid, "invalidToolCalls": invalid,
    }))
}

fn options() -> Options {
    Options { bookkeeping: true, include_usage: Some(true), ..Options::default() }
}

/// The events of a stream and the response at its end, or none if the stream returns an error.
fn read(dialect: Dialect, bytes: &[u8]) -> Option<(Vec<Value>, Value)> {
    let mut reader = StreamReader::new(dialect, options()).unwrap();
    let mut events: Vec<Value> = serde_json::from_slice(&reader.push(bytes).ok()?).unwrap();
    let last: Vec<Value> = serde_json::from_slice(&reader.end().ok()?).unwrap();
    events.extend(last);
    let whole = reader.finish().unwrap();
    Some((events, serde_json::from_slice(&whole).unwrap()))
}

/// The response converted whole to another format, and read back.
/// None for a response that failed, if those of the format can't state that.
fn through_whole(to: Dialect, response: &Value) -> Option<Value> {
    let convert = |body: Vec<u8>, from, to| convert_text(body, Subject::Response, from, to, options());
    let written = match convert(response.to_string().into_bytes(), Dialect::Canonical, to) {
        Err(error) if error.code == ErrorCode::ResponseFailed => return None,
        written => written.unwrap().body,
    };
    Some(serde_json::from_slice(&convert(written, to, Dialect::Canonical).unwrap().body).unwrap())
}

/// The stream converted to another format, and read back.
fn through_stream((from, to): (Dialect, Dialect), bytes: &[u8]) -> Value {
    let mut converter = Either::new(from, to, options());
    let mut written = converter.push(bytes).unwrap();
    written.extend(converter.end().unwrap());
    read(to, &written).unwrap().1
}

fn sorted(mut summary: Value) -> Value {
    // formats differ in the order of calls that begin before others end
    for key in ["calls", "invalid"] {
        summary[key].as_array_mut().unwrap().sort_by_key(Value::to_string);
    }
    summary
}

proptest! {
    // 48 unless PROPTEST_CASES is set
    #![proptest_config(cases(48))]

    #[test]
    fn a_stream_agrees_with_the_whole_response(response in response(), oddities in oddities()) {
        for from in dialects().filter(|from| *from != Dialect::Canonical) {
            let bytes = odd_stream(from, &response, &oddities);
            let Some((events, whole)) = read(from, &bytes) else { continue };
            let shown = String::from_utf8_lossy(&bytes);
            prop_assert_eq!(sorted(summary_of_events(&events)), sorted(summary(&whole)), "{}: {}", from.name(), shown);
            // a stream without an end emits an error event, which whole responses have no place for
            if events.iter().any(|event| event["type"] == "error") {
                continue;
            }
            for to in dialects().filter(|to| *to != Dialect::Canonical && *to != from) {
                let streamed = summary(&through_stream((from, to), &bytes));
                let Some(converted) = through_whole(to, &whole) else {
                    prop_assert_eq!(&streamed["finish"], "error", "{} to {}: {}", from.name(), to.name(), shown);
                    continue;
                };
                prop_assert_eq!(
                    sorted(streamed), sorted(summary(&converted)), "{} to {}: {}", from.name(), to.name(), shown
                );
            }
        }
    }
}
