//! Generated responses, as streams of each format.

use super::{framed, outcome};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use toolwire::Dialect;

/// A part of a response.
#[derive(Clone, Debug)]
pub enum Part {
    Text(Vec<String>),
    Reasoning {
        issuer: &'static str,
        pieces: Vec<String>,
        signature: Option<String>,
    },
    /// Calls whose fragments are interleaved, or that follow one another.
    Calls {
        calls: Vec<Call>,
        in_turns: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    pub arguments: Value,
    /// The arguments as text, in fragments.
    pub pieces: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Response {
    pub parts: Vec<Part>,
    pub is_cut_short: bool,
    pub usage: Option<(u32, u32, u32)>,
    pub usage_comes_late: bool,
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z ]{1,12}",
        1 => Just("\u{e9}\u{1f680}\u{2028}".to_owned()),
        1 => Just("\n\n\"\\{[]}data: [DONE]\r\n".to_owned()),
        1 => "\\PC{1,8}",
        1 => Just("\u{0}\u{1}\u{7f}\u{10ffff}".to_owned()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!(0.5)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec(("[a-z]{1,5}", inner), 0..3).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A text in fragments, some of them empty.
fn in_pieces(text: &str, mut cuts: Vec<prop::sample::Index>) -> Vec<String> {
    let mut ends: Vec<usize> = cuts
        .drain(..)
        .map(|cut| (0..=cut.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap())
        .collect();
    ends.push(text.len());
    ends.sort_unstable();
    let mut start = 0;
    ends.into_iter()
        .map(|end| {
            let piece = text[start..end].to_owned();
            start = end;
            piece
        })
        .collect()
}

fn call() -> impl Strategy<Value = Call> {
    let arguments = vec(("[a-z]{1,5}", value()), 0..4).prop_map(|members| Value::Object(members.into_iter().collect()));
    ("[a-z_]{1,10}", arguments, any::<bool>(), vec(any::<prop::sample::Index>(), 0..6)).prop_map(
        |(name, arguments, is_pretty, cuts)| {
            let text = match (is_pretty, &arguments) {
                (true, arguments) => serde_json::to_string_pretty(arguments).unwrap(),
                (false, arguments) => arguments.to_string(),
            };
            Call { name, arguments, pieces: in_pieces(&text, cuts) }
        },
    )
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        3 => vec(text(), 1..4).prop_map(Part::Text),
        1 => (prop::sample::select(vec!["openai", "anthropic", "google"]), vec(text(), 1..3), prop::option::of("[a-z]{4}"))
            .prop_map(|(issuer, pieces, signature)| Part::Reasoning { issuer, pieces, signature }),
        3 => (vec(call(), 1..4), any::<bool>()).prop_map(|(calls, in_turns)| Part::Calls { calls, in_turns }),
    ]
}

pub fn response() -> impl Strategy<Value = Response> {
    let usage = prop::option::of((0..100_u32, 0..1000_u32, 0..1000_u32));
    (vec(part(), 0..5), prop::bool::weighted(0.2), usage, any::<bool>()).prop_map(
        |(parts, is_cut_short, usage, usage_comes_late)| Response { parts, is_cut_short, usage, usage_comes_late },
    )
}

impl Response {
    pub fn text(&self) -> String {
        let pieces = self.parts.iter().flat_map(|part| match part {
            Part::Text(pieces) => pieces.as_slice(),
            Part::Reasoning { .. } | Part::Calls { .. } => &[],
        });
        pieces.map(String::as_str).collect()
    }

    /// Id, name and arguments of each call, as in a whole response.
    pub fn calls(&self) -> Vec<Value> {
        let calls = self.parts.iter().flat_map(|part| match part {
            Part::Calls { calls, .. } => calls.as_slice(),
            Part::Text(_) | Part::Reasoning { .. } => &[],
        });
        calls.enumerate().map(|(number, call)| json!([format!("call{number}"), call.name, call.arguments])).collect()
    }

    pub fn finish(&self) -> &'static str {
        match self.calls().is_empty() {
            _ if self.is_cut_short => "length",
            true => "stop",
            false => "tool_calls",
        }
    }

    /// Token counts: cached, input in total, and output.
    pub fn usage(&self) -> Option<Value> {
        self.usage.map(|(cached, rest, output)| {
            let mut usage = json!({"input": cached + rest, "output": output, "total": cached + rest + output});
            if cached > 0 {
                usage["cached"] = json!(cached);
            }
            usage
        })
    }

    pub fn events(&self) -> Vec<Value> {
        let mut events = vec![json!({"type": "start", "id": "answer", "model": "m"})];
        let (mut block, mut number) = (0, 0);
        for part in &self.parts {
            match part {
                Part::Text(pieces) => {
                    events.extend(pieces.iter().map(|text| json!({"type": "textDelta", "block": block, "text": text})));
                    block += 1;
                }
                Part::Reasoning { issuer, pieces, signature } => {
                    let delta =
                        |text| json!({"type": "reasoningDelta", "block": block, "text": text, "issuer": issuer});
                    events.extend(pieces.iter().map(delta));
                    let mut end = json!({"type": "reasoningEnd", "block": block, "issuer": issuer});
                    // only these two have signatures
                    if let Some(signature) = signature.as_ref().filter(|_| *issuer != "openai") {
                        end["signature"] = json!(signature);
                    }
                    events.push(end);
                    block += 1;
                }
                Part::Calls { calls, in_turns } => {
                    events.extend(call_events(calls, *in_turns, block, number));
                    block += calls.len();
                    number += calls.len();
                }
            }
        }
        let usage = self.usage().map(|usage| json!({"type": "usage", "usage": usage}));
        let finish = json!({"type": "finish", "finishReason": self.finish()});
        if self.usage_comes_late {
            events.extend([Some(finish), usage].into_iter().flatten());
        } else {
            events.extend([usage, Some(finish)].into_iter().flatten());
        }
        events
    }

    /// The response as a stream of the format, if the format has streams.
    pub fn bytes(&self, dialect: Dialect) -> Vec<u8> {
        let canonical = framed(Dialect::Canonical, &self.events());
        if dialect == Dialect::Canonical {
            return canonical;
        }
        let written = outcome((Dialect::Canonical, dialect), [canonical.as_slice()]);
        assert_eq!(written.error, None);
        written.delivered.into_bytes()
    }
}

fn call_events(calls: &[Call], in_turns: bool, block: usize, number: usize) -> Vec<Value> {
    let step = |index: usize, (kind, rest): (&str, Value)| {
        let mut event = json!({"type": kind, "block": block + index});
        event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        event
    };
    let mut queues: Vec<std::collections::VecDeque<Value>> = calls
        .iter()
        .enumerate()
        .map(|(index, call)| {
            let id = format!("call{}", number + index);
            let start = step(index, ("toolCallStart", json!({"id": id, "name": call.name})));
            let deltas = call.pieces.iter().map(|text| step(index, ("toolCallDelta", json!({"id": id, "text": text}))));
            let whole = json!({"id": id, "name": call.name, "arguments": call.arguments});
            let end = step(index, ("toolCallEnd", json!({"call": whole})));
            std::iter::once(start).chain(deltas).chain([end]).collect()
        })
        .collect();
    if !in_turns {
        return queues.into_iter().flatten().collect();
    }
    let mut events = Vec::new();
    while queues.iter().any(|queue| !queue.is_empty()) {
        events.extend(queues.iter_mut().filter_map(std::collections::VecDeque::pop_front));
    }
    events
}
