//! Messages of all roles in any order: mostly calls with their results; some results are missing, repeated, late or
//! without a call.

use super::content::{assistant_block, content, media, metadata, prose_block, text_block};
use super::schema::{anything, plain_object};
use super::text::{call_id, invalid_arguments, text, tool_name};
use super::{Json, one_of};
use proptest::prelude::*;
use serde_json::{Value, json};

pub fn messages() -> Json {
    let turn = prop_oneof![
        3 => prose("user").prop_map(|message| vec![message]),
        1 => prose("system").prop_map(|message| vec![message]),
        2 => assistant_message().prop_map(|message| vec![message]),
        4 => exchange(),
        1 => (call_id(), tool_name(), outcome()).prop_map(|(id, name, outcome)| vec![result(id, name, outcome)]),
    ];
    let opening = prop_oneof![
        3 => (prop::option::of(prose("system")), prose("user"))
            .prop_map(|(system, user)| system.into_iter().chain([user]).collect::<Vec<_>>()),
        1 => Just(Vec::new()),
    ];
    (opening, prop::collection::vec(turn, 0..4))
        .prop_map(|(opening, turns)| {
            let mut messages: Vec<Value> = opening.into_iter().chain(turns.into_iter().flatten()).collect();
            if messages.is_empty() {
                messages.push(json!({ "role": "user", "content": "Hi" }));
            }
            Value::Array(messages)
        })
        .boxed()
}

fn message(role: &'static str, content: Value, metadata: Option<Value>) -> Value {
    let mut message = json!({ "role": role, "content": content });
    if let Some(metadata) = metadata {
        message["metadata"] = metadata;
    }
    message
}

fn prose(role: &'static str) -> Json {
    (content(prose_block()), prop::option::weighted(0.06, metadata()))
        .prop_map(move |(content, metadata)| message(role, content, metadata))
        .boxed()
}

/// A message of the assistant without calls.
fn assistant_message() -> Json {
    (content(assistant_block()), prop::option::weighted(0.06, metadata()))
        .prop_map(|(content, metadata)| message("assistant", content, metadata))
        .boxed()
}

/// A call and its results: usually one, sometimes none or several.
#[derive(Clone, Debug)]
struct CallWithResults {
    call: Value,
    is_valid: bool,
    /// The position of its `toolCall` block in the content, if it has one.
    mark: Option<prop::sample::Index>,
    /// The outcomes, each with a sort key.
    outcomes: Vec<(Value, u8)>,
}

fn call_with_results() -> impl Strategy<Value = CallWithResults> {
    let arguments = prop_oneof![
        6 => plain_object().prop_map(|arguments| (json!({ "arguments": arguments }), true)),
        1 => invalid_arguments().prop_map(|raw| (json!({ "rawArguments": raw, "error": "no JSON object" }), false)),
    ];
    let outcomes = prop_oneof![
        6 => prop::collection::vec((outcome(), any::<u8>()), 1),
        1 => prop::collection::vec((outcome(), any::<u8>()), 0..3),
    ];
    let signature = prop::option::weighted(
        0.1,
        one_of(&[
            json!({ "thoughtSignature": "c2ln" }),
            json!({ "rawArguments": "{ \"x\": 1 }" }),
            json!({ "anthropic": { "caller": { "type": "direct" } } }),
            json!({ "openai": { "custom": {} } }),
        ]),
    );
    let mark = prop::option::weighted(0.3, any::<prop::sample::Index>());
    (call_id(), tool_name(), arguments, signature, mark, outcomes).prop_map(
        |(id, name, (mut call, is_valid), metadata, mark, outcomes)| {
            call["id"] = id;
            call["name"] = name;
            if let Some(metadata) = metadata {
                call["metadata"] = metadata;
            }
            CallWithResults { call, is_valid, mark, outcomes }
        },
    )
}

fn exchange() -> impl Strategy<Value = Vec<Value>> {
    let content = content(assistant_block());
    let calls = prop_oneof![3 => prop::collection::vec(call_with_results(), 1), 2 => prop::collection::vec(call_with_results(), 1..4)];
    let between = prop::option::weighted(
        0.1,
        (prop_oneof![prose("user"), prose("system"), assistant_message()], any::<prop::sample::Index>()),
    );
    (content, calls, between).prop_map(|(content, calls, between)| {
        let mut messages = vec![with_calls(content, &calls)];
        let mut results: Vec<(u8, Value)> = Vec::new();
        for CallWithResults { call, outcomes, .. } in &calls {
            let sorted = outcomes
                .iter()
                .map(|(outcome, order)| (*order, result(call["id"].clone(), call["name"].clone(), outcome.clone())));
            results.extend(sorted);
        }
        // mostly in the order of the calls
        results.sort_by_key(|(order, _)| order.saturating_sub(200));
        messages.extend(results.into_iter().map(|(_, result)| result));
        if let Some((message, index)) = between {
            messages.insert(1 + index.index(messages.len()), message);
        }
        messages
    })
}

fn with_calls(content: Value, calls: &[CallWithResults]) -> Value {
    let mut message = message("assistant", content, None);
    if let Some(blocks) = message["content"].as_array_mut() {
        for CallWithResults { call, mark, .. } in calls {
            if let Some(index) = mark {
                let place = index.index(blocks.len() + 1);
                blocks.insert(place, json!({ "type": "toolCall", "id": call["id"] }));
            }
        }
    }
    let of = |valid: bool| -> Vec<Value> {
        calls
            .iter()
            .filter(|call_with_results| call_with_results.is_valid == valid)
            .map(|call_with_results| call_with_results.call.clone())
            .collect()
    };
    for (key, calls) in [("toolCalls", of(true)), ("invalidToolCalls", of(false))] {
        if !calls.is_empty() {
            message[key] = Value::Array(calls);
        }
    }
    message
}

fn result(id: Value, name: Value, outcome: Value) -> Value {
    let mut message = json!({ "role": "tool", "toolCallId": id, "name": name });
    if let (Some(message), Value::Object(outcome)) = (message.as_object_mut(), outcome) {
        message.extend(outcome);
    }
    message
}

/// The kind and value of a result.
fn outcome() -> Json {
    let part = prop_oneof![
        4 => text_block(),
        2 => media(),
        1 => prop_oneof![2 => anything(), 1 => stated_error()].prop_map(|value| json!({ "type": "data", "value": value })),
        1 => assistant_block(),
    ];
    let flag = prop::option::weighted(0.3, any::<bool>());
    let data = prop_oneof![2 => anything(), 2 => plain_object(), 1 => stated_error()];
    prop_oneof![
        4 => text().prop_map(|value| json!({ "kind": "text", "value": value })),
        1 => text().prop_map(|value| json!({ "kind": "error", "value": value })),
        3 => (data, flag.clone()).prop_map(|(value, flag)| flagged(json!({ "kind": "data", "value": value }), flag)),
        2 => (prop::collection::vec(part, 0..4), flag)
            .prop_map(|(blocks, flag)| flagged(json!({ "kind": "multimodal", "value": blocks }), flag)),
    ]
    .boxed()
}

/// An object that describes an error, with or without its type.
fn stated_error() -> Json {
    let kind = prop::option::of(prop_oneof![3 => text().prop_map(Value::from), 1 => Just(json!(5))]);
    (text(), kind, any::<bool>())
        .prop_map(|(error, kind, more)| {
            let mut object = json!({ "error": error });
            if let Some(kind) = kind {
                object["error_type"] = kind;
            }
            if more {
                object["retry_after_seconds"] = 2.into();
            }
            object
        })
        .boxed()
}

fn flagged(mut outcome: Value, flag: Option<bool>) -> Value {
    if let Some(flag) = flag {
        outcome["isError"] = flag.into();
    }
    outcome
}
