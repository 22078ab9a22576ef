//! The limits of the providers, checked on converted requests: names, ids, turns, ranges (WIRE §1, §3, §4).

use crate::wire::{Wire, wire_of};
use serde_json::Value;
use std::collections::HashSet;
use toolwire::Dialect;

/// The limits of a provider. A range is a key with its least and its greatest value.
struct Limits {
    name: fn(&str) -> bool,
    id: fn(&str) -> bool,
    takes_twins: bool,
    ranges: &'static [(&'static str, f64, f64)],
    most_stops: usize,
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '-'
}

const OPENAI: Limits = Limits {
    name: |name| (1..=64).contains(&name.len()) && name.chars().all(is_plain),
    id: |id| (1..=40).contains(&id.chars().count()),
    takes_twins: true,
    ranges: &[
        ("max_completion_tokens", 0.0, f64::INFINITY),
        ("temperature", 0.0, 2.0),
        ("top_p", 0.0, 1.0),
        ("presence_penalty", -2.0, 2.0),
        ("frequency_penalty", -2.0, 2.0),
        ("n", 1.0, 128.0),
        ("top_logprobs", 0.0, 20.0),
    ],
    most_stops: 4,
};

/// WIRE §6.3, §6.10.
const MISTRAL: Limits = Limits {
    id: |id| id.len() == 9 && id.chars().all(|character| character.is_ascii_alphanumeric()),
    ranges: &[
        ("max_tokens", 0.0, f64::INFINITY),
        ("temperature", 0.0, 1.5),
        ("top_p", 0.0, 1.0),
        ("presence_penalty", -2.0, 2.0),
        ("frequency_penalty", -2.0, 2.0),
        ("n", 1.0, f64::INFINITY),
        ("random_seed", 0.0, f64::INFINITY),
    ],
    most_stops: usize::MAX,
    ..OPENAI
};

/// WIRE §7.10. Names and ids are not limited.
const COHERE: Limits = Limits {
    name: |_| true,
    id: |_| true,
    takes_twins: true,
    ranges: &[
        ("max_tokens", 0.0, f64::INFINITY),
        ("temperature", 0.0, f64::INFINITY),
        ("p", 0.01, 0.99),
        ("k", 0.0, 500.0),
        ("presence_penalty", 0.0, 1.0),
        ("frequency_penalty", 0.0, 1.0),
        ("seed", 0.0, f64::INFINITY),
    ],
    most_stops: 5,
};

const RESPONSES: Limits = Limits {
    id: |id| (1..=64).contains(&id.chars().count()),
    ranges: &[
        ("max_output_tokens", 16.0, f64::INFINITY),
        ("temperature", 0.0, 2.0),
        ("top_p", 0.0, 1.0),
        ("top_logprobs", 0.0, 20.0),
    ],
    most_stops: 0,
    ..OPENAI
};

/// The server runs on the user's own machine and accepts most values.
const OLLAMA: Limits = Limits {
    name: |_| true,
    id: |id| !id.is_empty(),
    takes_twins: true,
    ranges: &[("num_predict", 1.0, f64::INFINITY), ("top_p", 0.0, 1.0), ("top_logprobs", 0.0, 20.0)],
    most_stops: usize::MAX,
};

const ANTHROPIC: Limits = Limits {
    name: |name| (1..=128).contains(&name.len()) && name.chars().all(is_plain),
    id: |id| !id.is_empty() && id.chars().all(is_plain),
    takes_twins: false,
    ranges: &[
        ("max_tokens", 0.0, f64::INFINITY),
        ("temperature", 0.0, 1.0),
        ("top_p", 0.0, 1.0),
        ("top_k", 0.0, f64::INFINITY),
    ],
    most_stops: usize::MAX,
};

const BEDROCK: Limits = Limits {
    name: |name| (1..=64).contains(&name.len()) && name.chars().all(is_plain),
    id: |id| {
        (1..=64).contains(&id.len()) && id.chars().all(|character| is_plain(character) || ".:".contains(character))
    },
    takes_twins: false,
    ranges: &[
        ("maxTokens", 1.0, f64::INFINITY),
        ("temperature", 0.0, 1.0),
        ("topP", 0.0, 1.0),
        ("top_k", 0.0, f64::INFINITY),
    ],
    most_stops: 2500,
};

const GEMINI: Limits = Limits {
    name: |name| {
        let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        starts && name.len() <= 128 && name.chars().all(|character| is_plain(character) || ".:".contains(character))
    },
    id: |id| !id.is_empty(),
    takes_twins: false,
    ranges: &[
        ("maxOutputTokens", 1.0, 2_147_483_647.0),
        ("temperature", 0.0, 2.0),
        ("topP", 0.0, 1.0),
        ("topK", 1.0, 2_147_483_647.0),
        ("candidateCount", 1.0, 8.0),
        ("seed", -2_147_483_648.0, 2_147_483_647.0),
        ("presencePenalty", -2.0, 1.99),
        ("frequencyPenalty", -2.0, 1.99),
        ("logprobs", 0.0, 20.0),
    ],
    most_stops: 5,
};

/// WIRE §15.1. The ranges are those of the Gemini API.
const INTERACTIONS: Limits = Limits {
    ranges: &[
        ("max_output_tokens", 1.0, 2_147_483_647.0),
        ("temperature", 0.0, 2.0),
        ("top_p", 0.0, 1.0),
        ("seed", -2_147_483_648.0, 2_147_483_647.0),
    ],
    ..GEMINI
};

pub fn hold(to: Dialect, body: &[u8]) -> Result<(), String> {
    let limits = match if to == Dialect::Mistral { to } else { to.base() } {
        Dialect::Mistral => &MISTRAL,
        Dialect::OpenAI => &OPENAI,
        Dialect::OpenAIResponses => &RESPONSES,
        Dialect::Cohere => &COHERE,
        Dialect::Ollama => &OLLAMA,
        Dialect::Anthropic => &ANTHROPIC,
        Dialect::Bedrock => &BEDROCK,
        Dialect::Gemini => &GEMINI,
        Dialect::GeminiInteractions => &INTERACTIONS,
        _ => return Ok(()),
    };
    let body: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let wire = wire_of(to, &body);
    let found = names(limits, &wire)
        .and_then(|()| ids(limits, &wire))
        .and_then(|()| turns(&wire))
        .and_then(|()| settings(limits, &wire))
        .and_then(|()| wire.refused.map_or(Ok(()), Err))
        .and_then(|()| if to.base() == Dialect::Anthropic { thinking(&body) } else { Ok(()) });
    found.map_err(|reason| format!("{reason}\nin {body}"))
}

fn names(limits: &Limits, wire: &Wire) -> Result<(), String> {
    let of_calls = wire.turns.iter().flat_map(|turn| turn.calls.iter().map(|call| call.name.as_str()));
    let of_results = wire.turns.iter().flat_map(|turn| turn.results.iter().filter_map(|result| result.name.as_deref()));
    let named = wire.tools.iter().map(String::as_str).chain(of_calls).chain(of_results);
    if let Some(name) = named.into_iter().find(|name| !(limits.name)(name)) {
        return Err(format!("the name {name:?} is refused"));
    }
    let distinct: HashSet<&String> = wire.tools.iter().collect();
    if !limits.takes_twins && distinct.len() < wire.tools.len() {
        return Err("two tools of one name".to_owned());
    }
    match wire.chosen.iter().find(|name| !wire.tools.contains(name) && !wire.native_tools.contains(name)) {
        Some(name) => Err(format!("the choice names {name:?}, which is no tool")),
        None if wire.has_choice && wire.tools.is_empty() && !wire.has_native_tools => {
            Err("a choice without tools".to_owned())
        }
        None => Ok(()),
    }
}

fn ids(limits: &Limits, wire: &Wire) -> Result<(), String> {
    let mut seen = HashSet::new();
    for id in wire.turns.iter().flat_map(|turn| turn.calls.iter().filter_map(|call| call.id.as_ref())) {
        if !(limits.id)(id) {
            return Err(format!("the id {id:?} is refused"));
        }
        if !seen.insert(id) {
            return Err(format!("the id {id:?} stands twice"));
        }
    }
    Ok(())
}

/// Every call has exactly one result, directly after its turn, and there are no other results.
fn turns(wire: &Wire) -> Result<(), String> {
    if wire.turns.is_empty() {
        return Err("a conversation without messages".to_owned());
    }
    let mut open: Vec<(Option<String>, String)> = Vec::new();
    for turn in &wire.turns {
        if let Some(why) = &turn.refused {
            return Err(why.clone());
        }
        for result in &turn.results {
            let matches_call = |(id, name): &(Option<String>, String)| match (&result.id, &result.name) {
                (Some(wanted), _) => id.as_ref() == Some(wanted),
                (None, Some(wanted)) => id.is_none() && name == wanted,
                (None, None) => false,
            };
            match open.iter().position(matches_call) {
                None => return Err(format!("a result without a call: {result:?}")),
                Some(index) if index > 0 && wire.in_call_order => {
                    return Err("results in another order than their calls".to_owned());
                }
                Some(index) => open.remove(index),
            };
        }
        let is_answer = !turn.results.is_empty() && turn.calls.is_empty();
        let may_wait = is_answer && wire.results_are_separate;
        if !open.is_empty() && !may_wait {
            return Err(format!("calls without a result: {open:?}"));
        }
        open.extend(turn.calls.iter().map(|call| (call.id.clone(), call.name.clone())));
    }
    Ok(())
}

fn settings(limits: &Limits, wire: &Wire) -> Result<(), String> {
    for (key, least, most) in limits.ranges {
        let number = wire.settings.get(*key).and_then(Value::as_f64);
        if number.is_some_and(|number| !(*least..=*most).contains(&number)) {
            return Err(format!("{key} is out of range"));
        }
    }
    if wire.stops.len() > limits.most_stops || wire.stops.iter().any(|stop| stop.as_str().is_none_or(str::is_empty)) {
        return Err("these stop sequences are refused".to_owned());
    }
    Ok(())
}

fn thinking(body: &Value) -> Result<(), String> {
    let Some(budget) = body["thinking"]["budget_tokens"].as_f64() else { return Ok(()) };
    let fits = budget >= 1024.0 && body["max_tokens"].as_f64().is_some_and(|most| most > budget);
    if fits { Ok(()) } else { Err("a budget out of range".to_owned()) }
}
