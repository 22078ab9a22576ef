//! Generated conversations.

use super::responses::{Call, FREEFORM, Id, Outcome, Part, Turn};
use crate::generate::{anything, call_id, text};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

pub fn turns() -> impl Strategy<Value = Vec<Turn>> {
    vec(turn(), 3..=7)
}

fn turn() -> impl Strategy<Value = Turn> {
    let question = prop_oneof![3 => Just("Go on.".to_owned()), 1 => words().prop_map(|text| format!("{text}?"))];
    // a response with a refusal has no other parts
    let parts = prop_oneof![9 => vec(part(), 0..5), 1 => words().prop_map(|text| vec![Part::Refusal(text)])];
    let flag = prop::bool::weighted;
    let rare = (flag(0.2), flag(0.1), flag(0.1));
    (parts, vec(outcome(), 1..4), flag(0.7), question, flag(0.2), rare).prop_map(
        |(parts, outcomes, in_order, question, asks_more, (apart, instructs, shows))| {
            let mut turn = Turn { parts, outcomes, in_order, apart, instructs, question: None, shows };
            let lacks_ids = turn.calls().any(|call| matches!(call.id, Id::None));
            for part in &mut turn.parts {
                match part {
                    Part::Call(call) if lacks_ids => call.id = Id::None,
                    _ => {}
                }
            }
            // without unique ids, only the order identifies results
            turn.in_order |= lacks_ids || turn.has_twins();
            turn.question = (asks_more || turn.calls().next().is_none()).then_some(question);
            turn
        },
    )
}

fn words() -> impl Strategy<Value = String> {
    text().prop_map(|text| text.as_str().unwrap_or_default().to_owned())
}

fn state() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9]{8}".prop_map(|text| format!("{text}=="))
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        6 => words().prop_map(Part::Text),
        1 => words().prop_map(Part::Cited),
        4 => (words(), prop::option::of(state())).prop_map(|(text, state)| Part::Reasoning { text, state }),
        1 => state().prop_map(Part::Redacted),
        8 => call().prop_map(Part::Call),
        1 => Just(Part::Native),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let id = prop_oneof![
        6 => Just(Id::Usual),
        2 => Just(Id::None),
        2 => call_id().prop_map(|id| match id.as_str() {
            Some("") | None => Id::None,
            // such ids look like generated ones (Q175)
            Some(id) if id.starts_with("tw_") => Id::Usual,
            Some(id) => Id::Given(id.to_owned()),
        }),
    ];
    let object = vec(("[a-z]{1,4}", anything()), 0..3)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()));
    let arguments = prop_oneof![
        6 => object.clone().prop_map(|object| object.to_string()),
        2 => object.prop_map(|object| format!(" {object:#}")),
        1 => prop::sample::select(vec!["", " ", "{", "{\"x\":", "[1]", "null", "\"text\"", "{\"a\":1}{"]).prop_map(str::to_owned),
    ];
    (0..7_usize, id, arguments, words(), prop::option::of(state())).prop_map(
        |(tool, id, arguments, input, signature)| {
            let arguments = if tool == FREEFORM { json!({ "input": input }).to_string() } else { arguments };
            Call { tool, id, arguments, signature }
        },
    )
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => words().prop_map(Outcome::Text),
        2 => anything().prop_map(Outcome::Json),
        1 => words().prop_map(Outcome::Error),
        1 => Just(Outcome::Image),
        1 => vec(words(), 1..3).prop_map(Outcome::Parts),
    ]
}
