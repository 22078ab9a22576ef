//! Content blocks.

use super::schema::anything;
use super::text::{base64, text};
use super::{Json, object, one_of};
use proptest::prelude::*;
use serde_json::{Value, json};

const PROVIDERS: &[&str] = &["openai", "anthropic", "google", "ollama", "mistral"];
const MEDIA_TYPES: &[&str] = &[
    "image/png",
    "image/jpeg",
    "IMAGE/JPG",
    "image/gif",
    "image/heic",
    "image/bmp",
    "audio/wav",
    "audio/mpeg",
    "video/mp4",
    "application/pdf",
    "text/plain",
    "text/csv; charset=utf-8",
    "application/octet-stream",
    "image/*",
    "",
];
const URLS: &[&str] = &[
    "https://example.com/a.png",
    "https://example.com/a.pdf",
    "http://example.com/video",
    "gs://bucket/a.png",
    "https://generativelanguage.googleapis.com/v1beta/files/abc",
    "data:image/png;base64,iVBORw0KGgo=",
    "DATA:text/plain,Hello%20there",
    "data:,",
    "",
];

/// Keys that a provider or the user added to a message or a block.
pub fn metadata() -> Json {
    object(vec![
        ("mine", 20, anything()),
        ("anthropic", 30, one_of(&[json!({ "cache_control": { "type": "ephemeral" } }), json!({}), json!({ "x": 1 })])),
        ("openai", 20, one_of(&[json!({ "name": "alice" }), json!({ "role": "developer" }), json!({ "x": null })])),
        ("google", 20, one_of(&[json!({ "shade": 1 }), json!({ "y": [] })])),
        ("ollama", 5, one_of(&[json!({ "shade": 1 }), json!({ "y": [] })])),
        ("mistral", 5, Just(json!({ "prefix": true })).boxed()),
    ])
}

fn with_metadata(block: Json) -> Json {
    (block, prop::option::weighted(0.08, metadata()))
        .prop_map(|(mut block, metadata)| {
            if let (Some(block), Some(metadata)) = (block.as_object_mut(), metadata) {
                block.insert("metadata".to_owned(), metadata);
            }
            block
        })
        .boxed()
}

pub fn text_block() -> Json {
    text().prop_map(|text| json!({ "type": "text", "text": text })).boxed()
}

pub fn media() -> Json {
    let sourced = prop_oneof![
        (base64(), one_of(MEDIA_TYPES))
            .prop_map(|(data, kind)| (json!({ "type": "base64", "data": data }), Some(kind))),
        (one_of(URLS), prop::option::of(one_of(MEDIA_TYPES)))
            .prop_map(|(url, kind)| (json!({ "type": "url", "url": url }), kind)),
        (one_of(&["file-abc", "file_011", ""]), prop::option::of(one_of(MEDIA_TYPES)))
            .prop_map(|(id, kind)| (json!({ "type": "file", "id": id }), kind)),
        (text(), prop::option::of(one_of(&["text/plain", "text/csv"])))
            .prop_map(|(data, kind)| (json!({ "type": "text", "data": data }), kind)),
    ];
    let kinds = one_of(&["image", "image", "document", "audio", "video"]);
    let name = prop::option::weighted(0.2, one_of(&["a.png", "report.pdf", ""]));
    (kinds, sourced, name)
        .prop_map(|(kind, (source, media_type), name)| {
            let mut block = json!({ "type": kind, "source": source });
            if let Some(media_type) = media_type {
                block["mediaType"] = media_type;
            }
            if let Some(name) = name {
                block["name"] = name;
            }
            block
        })
        .boxed()
}

fn reasoning() -> Json {
    let kind = || Just(json!("reasoning")).boxed();
    let readable = object(vec![
        ("type", 100, kind()),
        ("text", 100, text()),
        ("signature", 60, one_of(&["sig==", "c2ln"])),
        ("issuer", 100, one_of(PROVIDERS)),
    ]);
    let redacted = object(vec![
        ("type", 100, kind()),
        ("redacted", 100, one_of(&["cmVkYWN0ZWQ=", ""])),
        ("issuer", 100, one_of(PROVIDERS)),
    ]);
    prop_oneof![5 => readable, 1 => redacted].boxed()
}

/// A native block.
fn native() -> Json {
    one_of(&[
        json!({ "type": "native", "provider": "anthropic", "value": { "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {} } }),
        json!({ "type": "native", "provider": "anthropic", "value": { "type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [] } }),
        json!({ "type": "native", "provider": "google", "value": { "executableCode": { "language": "PYTHON", "code": "1" } } }),
        json!({ "type": "native", "provider": "openai", "value": { "type": "shiny", "shiny": { "x": 1 } } }),
        json!({ "type": "native", "provider": "mistral", "value": { "type": "reference", "reference_ids": [1] } }),
    ])
}

/// The usual blocks of user and system messages.
pub fn prose_block() -> Json {
    with_metadata(
        prop_oneof![
            6 => text_block(),
            3 => media(),
            1 => anything().prop_map(|value| json!({ "type": "data", "value": value })),
            1 => prop_oneof![reasoning(), native(), refusal()],
        ]
        .boxed(),
    )
}

fn refusal() -> Json {
    text().prop_map(|text| json!({ "type": "refusal", "text": text })).boxed()
}

pub fn assistant_block() -> Json {
    with_metadata(
        prop_oneof![6 => text_block(), 3 => reasoning(), 1 => native(), 1 => refusal(), 1 => prose_block()].boxed(),
    )
}

pub fn content(block: Json) -> Json {
    prop_oneof![text(), prop::collection::vec(block, 0..4).prop_map(Value::Array)].boxed()
}
