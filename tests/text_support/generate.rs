//! Generated messages: any JSON, any Unicode, text in which markers are likely.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};
use toolwire::text::Tool;
use toolwire::text::formats::{self, Format};

/// A message with calls, the tools that it calls, and the expected result of reading.
#[derive(Clone, Debug)]
pub struct Message {
    pub value: Value,
    pub tools: Vec<Tool>,
    pub text: String,
    pub reasoning: String,
    pub calls: Vec<Value>,
}

pub fn texts() -> impl Strategy<Value = String> {
    let mut markers: Vec<&str> = formats::all().flat_map(Format::markers).collect();
    markers.extend(["{", "}", "[", "]", "\"", "'", "\\", "\n", "<", ">", "&", "</", "null", "12", "true", " ", ","]);
    let part = prop_oneof![
        2 => prop::sample::select(markers).prop_map(str::to_owned),
        1 => any::<String>(),
        3 => "[a-z ]{1,8}",
        1 => "[0-9.]{1,4}",
    ];
    prop_oneof![
        2 => "[a-zA-Z0-9 .,é日😀]{0,12}",
        1 => prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat()),
    ]
}

fn keys() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[a-z_]{1,8}", 1 => texts()]
}

pub fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        // those that a double holds: the call with another one is invalid
        (-(1_i64 << 53)..=1 << 53).prop_map(Value::from),
        (-1000..1000_i32).prop_map(|number| json!(f64::from(number) / 8.0)),
        texts().prop_map(Value::from),
        texts().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), 0..3_usize).prop_map(|(item, count)| Value::from(vec![item; count])),
            prop::collection::btree_map(keys(), inner, 0..3)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>()))
        ]
    })
}

fn schema_of(value: &Value) -> Value {
    match value {
        Value::Null => json!({ "type": "null" }),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(number) if number.is_f64() => json!({ "type": "number" }),
        Value::Number(_) => json!({ "type": "integer" }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Array(items) => match items.first() {
            Some(item) => json!({ "type": "array", "items": schema_of(item) }),
            None => json!({ "type": "array" }),
        },
        Value::Object(fields) => {
            let properties: Map<String, Value> =
                fields.iter().map(|(key, value)| (key.clone(), schema_of(value))).collect();
            json!({ "type": "object", "properties": properties })
        }
    }
}

type Call = (String, Vec<(String, Value)>);

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let arguments = prop::collection::vec((keys(), values()), 0..4);
    prop::collection::vec(("[a-zA-Z_][a-zA-Z0-9_-]{0,12}", arguments), 1..3)
}

pub fn messages() -> impl Strategy<Value = Message> {
    let passages = (prop_oneof![Just(String::new()), texts()], prop_oneof![Just(String::new()), texts()]);
    (calls(), passages).prop_map(|(calls, (text, reasoning))| {
        let mut names = std::collections::HashSet::new();
        let calls: Vec<Call> = calls.into_iter().filter(|(name, _)| names.insert(name.to_lowercase())).collect();
        let objects: Vec<(String, Value)> =
            calls.into_iter().map(|(name, fields)| (name, Value::Object(fields.into_iter().collect()))).collect();
        let definitions: Vec<Value> =
            objects.iter().map(|(name, object)| json!({ "name": name, "parameters": schema_of(object) })).collect();
        let list: Vec<Value> =
            objects.iter().map(|(name, object)| json!({ "id": "", "name": name, "arguments": object })).collect();
        let mut content = Vec::new();
        for (kind, passage) in [("reasoning", &reasoning), ("text", &text)] {
            if !passage.is_empty() {
                content.push(json!({ "type": kind, "text": passage }));
            }
        }
        Message {
            value: json!({ "role": "assistant", "content": content, "toolCalls": list }),
            tools: Tool::list(&Value::Array(definitions)).unwrap(),
            text,
            reasoning,
            calls: objects.into_iter().map(|(name, object)| json!([name, object])).collect(),
        }
    })
}

pub fn results() -> impl Strategy<Value = Vec<Value>> {
    let kind = prop::sample::select(vec!["text", "data", "error"]);
    let result = (kind, texts(), values()).prop_map(|(kind, text, value)| {
        let value = if kind == "data" { value } else { Value::from(text) };
        json!({ "toolCallId": "c1", "name": "f", "kind": kind, "value": value })
    });
    prop::collection::vec(result, 1..3)
}

/// Damage to a text by models, by servers and by the end of the output.
#[derive(Clone, Debug)]
pub struct Damage {
    cuts: Vec<(Index, Index)>,
    inserted: Vec<(Index, Index)>,
    end: Option<Index>,
}

pub fn damaged() -> impl Strategy<Value = Damage> {
    let pairs = || prop::collection::vec((any::<Index>(), any::<Index>()), 0..3);
    (pairs(), pairs(), prop::option::of(any::<Index>())).prop_map(|(cuts, inserted, end)| Damage {
        cuts,
        inserted,
        end,
    })
}

impl Damage {
    /// Removes or inserts markers, and may cut the text off.
    pub fn apply(&self, text: &str, format: &Format) -> String {
        let mut markers = format.markers();
        markers.extend(["{", "}", "\"", "\n", "x", "[", "]", "```"]);
        let mut text = text.to_owned();
        for (at, which) in &self.cuts {
            let marker = *which.get(&markers);
            let places: Vec<usize> = text.match_indices(marker).map(|(at, _)| at).collect();
            if !places.is_empty() {
                let from = *at.get(&places);
                text.replace_range(from..from + marker.len(), "");
            }
        }
        for (at, which) in &self.inserted {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let marker = *which.get(&markers);
            text.insert_str(*at.get(&places), marker);
        }
        if let Some(end) = self.end {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            text.truncate(*end.get(&places));
        }
        text
    }
}
