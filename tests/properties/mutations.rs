//! A change of one text in a canonical request shows in the written body, and nothing else changes.

use crate::trips::Trip;
use serde_json::Value;
use toolwire::{Converted, ToolwireError};

const EDITED: &str = "(edited)";

pub fn hold(trip: &Trip, write: impl Fn(Vec<u8>) -> Result<Converted, Box<ToolwireError>>) -> Result<(), String> {
    let canonical: Value = serde_json::from_slice(&trip.addressed).map_err(|error| error.to_string())?;
    let before: Value = serde_json::from_slice(&trip.again.body).map_err(|error| error.to_string())?;
    // the request determines which of its positions is changed
    let places = texts(&canonical);
    let Some(place) = places.get(trip.read.body.len() % places.len().max(1)) else { return Ok(()) };
    let mut edited = canonical;
    if let Some(text) = edited.pointer_mut(place) {
        *text = format!("{} {EDITED}", text.as_str().unwrap_or_default()).into();
    }
    let written = write(edited.to_string().into_bytes()).map_err(|error| format!("edited at {place}: {error}"))?;
    let after: Value = serde_json::from_slice(&written.body).map_err(|error| error.to_string())?;
    let mut differing = Vec::new();
    differences(&before, &after, "", &mut differing);
    let shows = |(_, value): &(String, Value)| value.as_str().is_some_and(|text| text.contains(EDITED));
    match differing.as_slice() {
        [only] if shows(only) => Ok(()),
        others => Err(format!("edited at {place}, which shows as {others:?}\nin {after}\nwhere {before} was")),
    }
}

/// The positions of texts, results and descriptions of tools.
fn texts(request: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for (index, message) in list(&request["messages"]).iter().enumerate() {
        for key in ["content", "value"] {
            let at = format!("/messages/{index}/{key}");
            let is_text = message["role"] != "tool" || message["kind"] == "text";
            if is_text && message[key].as_str().is_some_and(|text| !text.is_empty()) {
                found.push(at.clone());
            }
            for (place, block) in list(&message[key]).iter().enumerate() {
                if block["type"] == "text" && block["text"] != "" && block.get("metadata").is_none() {
                    found.push(format!("{at}/{place}/text"));
                }
            }
        }
    }
    for (index, tool) in list(&request["tools"]).iter().enumerate() {
        if tool.get("description").is_some() {
            found.push(format!("/tools/{index}/description"));
        }
    }
    found
}

fn differences(before: &Value, after: &Value, at: &str, found: &mut Vec<(String, Value)>) {
    match (before, after) {
        (Value::Object(left), Value::Object(right)) if left.keys().eq(right.keys()) => {
            left.iter().for_each(|(key, value)| differences(value, &right[key], &format!("{at}/{key}"), found));
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let both = left.iter().zip(right).enumerate();
            both.for_each(|(index, (left, right))| differences(left, right, &format!("{at}/{index}"), found));
        }
        _ if before == after => {}
        _ => found.push((at.to_owned(), after.clone())),
    }
}
