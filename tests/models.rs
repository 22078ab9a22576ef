//! The table of models: which names are of which family, and which are of none.

use serde_json::{Value, json};
use std::error::Error;
use toolwire::{Dialect, Platform, Server, model_facts};

/// Names that must not be limited: other models, fine-tunes, deployments, tags of local models.
const OF_NO_FAMILY: &[&str] = &[
    "gpt-oss-120b",
    "gpt-oss-20b",
    "openai/gpt-oss-120b",
    "gpt-oss:20b",
    "openai.gpt-oss-120b-1:0",
    "gpt-oss-safeguard-20b",
    "accounts/fireworks/models/gpt-oss-120b",
    "gpt-realtime",
    "gpt-realtime-2",
    "gpt-4o-realtime-preview",
    "gpt-4o-mini-realtime-preview-2024-12-17",
    "gpt-image-1",
    "gpt-image-2.5-flare",
    "gpt-4o-transcribe",
    "gpt-4o-mini-tts",
    "ft:gpt-4o-mini-2024-07-18:acme::7p4lURel",
    "ft:gpt-5:acme:triage:AbC123",
    "openai/ft:gpt-4.1:acme::1",
    "ft:o4-mini-2025-04-16:acme::Bz9",
    "gpt-5-prod",
    "gpt-5.6-staging",
    "my-gpt-5",
    "contoso-gpt-6-sol",
    "gpt-6-sol-eu-prod",
    "gpt-4o-team-a",
    "chat-prod",
    "prod",
    "gpt5",
    "gpt-neo-2.7b",
    "gpt-j-6b",
    "gpt2",
    "gpt4all",
    "gpt-x",
    "opus",
    "olmo-3-7b",
    "o-series",
    "o200k",
    "o3-prod-eu",
    "openchat-3.5",
    "claude",
    "claude-proxy-eu-prod",
    "not-claude-opus-5",
    "anthropic/proxy",
    "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6",
    "gemini",
    "my-gemini-2.5-pro",
    "gemini-embedding-001",
    "gemini-2.5-flash-native-audio-preview-12-2025",
    "gemma3:27b",
    "projects/p/locations/us-central1/endpoints/1234567890",
    "tunedModels/triage-abc",
    "codellama-70b",
    "tinyllama-1.1b",
    "qwen3:8b",
    "Qwen/Qwen3-32B-AWQ",
    "mistral:7b",
    "mistral-nemo",
    "deepseek-r1:14b",
    "deepseek-coder-v2:16b",
    "kimi-latest",
    "command-a-03-2025",
    "nova",
    "nova-sonic",
    "phi-4",
    "m",
    "",
];

#[test]
fn names_of_no_family_have_no_limits() {
    let limited: Vec<&&str> =
        OF_NO_FAMILY.iter().filter(|name| model_facts(name, Dialect::OpenAI, None).is_some()).collect();
    assert!(OF_NO_FAMILY.len() >= 60);
    assert_eq!(limited, Vec::<&&str>::new());
}

/// The facts of a name as JSON; null for a name of no family.
fn facts(name: &str) -> Result<Value, Box<dyn Error>> {
    Ok(match model_facts(name, Dialect::OpenAI, None) {
        Some(found) => serde_json::to_value(found)?,
        None => Value::Null,
    })
}

#[test]
fn hosts_prefixes_and_suffixes_are_stripped() -> Result<(), Box<dyn Error>> {
    let spellings: &[(&str, &[&str])] = &[
        (
            "claude-opus-4-6",
            &[
                "claude-opus-4.6",
                "Claude-Opus-4-6",
                "anthropic/claude-opus-4.6",
                "openrouter/anthropic/claude-opus-4.6:extended",
                "claude-opus-4-6-20260205",
                "claude-opus-4-6@default",
                "publishers/anthropic/models/claude-opus-4-6@20260205",
                "anthropic.claude-opus-4-6-v1",
                "us.anthropic.claude-opus-4-6-v1:0",
                "global.anthropic.claude-opus-4-6-v1",
                "bedrock/eu.anthropic.claude-opus-4-6-v1",
                "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-6-v1:0",
                "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-6-v1",
                "claude-opus-4-6[1m]",
            ],
        ),
        ("claude-sonnet-3-7", &["claude-3-7-sonnet-latest", "claude-3.7-sonnet", "claude-3-7-sonnet-20250219"]),
        ("claude-haiku-3", &["claude-3-haiku-20240307", "anthropic.claude-3-haiku-20240307-v1:0"]),
        ("gpt-5", &["gpt-5-2025-08-07", "openai/gpt-5", "azure/eu/gpt-5", "openai/gpt-5:online"]),
        ("gpt-5.6-sol", &["azure/us/gpt-5.6-sol", "us.openai.gpt-5.6-sol"]),
        ("gpt-4o", &["gpt-4o-2024-11-20"]),
        ("o3-mini", &["o3-mini-2025-01-31"]),
        (
            "gemini-2.5-pro",
            &["models/gemini-2.5-pro", "google/gemini-2.5-pro", "gemini-2.5-pro-preview-05-06", "gemini-2.5-pro-001"],
        ),
        ("gemini-3.8-flash", &["gemini-flash-latest", "publishers/google/models/gemini-3.8-flash"]),
        ("grok-4.20-reasoning", &["xai/grok-4.20-beta-0309-reasoning", "grok-4.20-experimental-beta-0304"]),
    ];
    for (name, others) in spellings {
        let own = facts(name)?;
        assert!(own.is_object(), "{name}");
        for other in *others {
            assert_eq!(facts(other)?, own, "{other}");
        }
    }
    Ok(())
}

#[test]
fn an_unknown_model_is_the_newest_of_its_family() -> Result<(), Box<dyn Error>> {
    for (unknown, newest) in [
        ("claude-opus-6", "claude-opus-5-5"),
        ("claude-opus-5-9-20270101", "claude-opus-5-5"),
        ("claude-sonnet-7-1", "claude-sonnet-5-5"),
        ("claude-haiku-6", "claude-haiku-5-5"),
        ("claude-nova-6", "claude-opus-5-5"),
        ("gpt-7", "gpt-6.1-sol"),
        ("gpt-7-luna", "gpt-6-luna"),
        ("gpt-5.6-nova", "gpt-5.6"),
        ("gpt-8-quark", "gpt-6.1-sol"),
        ("o5-mini", "o4-mini"),
        ("gemini-5-neon", "gemini-4-neon"),
        ("gemini-5-krypton", "gemini-4-argon"),
        ("gemini-4-flash", "gemini-3.8-flash"),
        ("grok-5", "grok-4.7"),
    ] {
        let mut expected = facts(newest)?;
        assert_eq!(expected["known"], json!(true), "{newest}");
        expected["known"] = json!(false);
        assert_eq!(facts(unknown)?, expected, "{unknown}");
    }
    Ok(())
}

#[test]
fn a_host_may_refuse_more() {
    let strict =
        |name, platform| model_facts(name, Dialect::Anthropic, platform).and_then(|found| found.facts.strict_tools);
    assert_eq!(strict("claude-opus-4-7", None), Some(true));
    assert_eq!(strict("us.anthropic.claude-opus-4-7", Some(Platform::Bedrock)), Some(false));
    let refused = |dialect| model_facts("gemini-2.5-flash", dialect, None).and_then(|found| found.facts.refused);
    assert!(refused(Dialect::Gemini).is_some_and(|settings| !settings.is_empty()));
    assert!(refused(Dialect::VertexAI).is_some_and(|settings| settings.is_empty()));
}

#[test]
fn facts_are_plain_json() -> Result<(), Box<dyn Error>> {
    let expected = json!({
        "family": "claude", "known": true, "efforts": ["low", "medium", "high", "xhigh", "max"], "defaultEffort": "high",
        "thinking": "adaptive", "off": "betweenTools", "offUpTo": "high", "refused": ["temperature", "topP", "topK"], "prefill": false,
        "forcedCalls": false, "strictTools": true, "structuredOutput": true, "midSystem": true, "mediaInResults": true,
        "contextWindow": 1_000_000, "maxOutput": 128_000, "cacheMarks": true
    });
    assert_eq!(facts("claude-sonnet-5-5")?, expected);
    assert_eq!(facts("claude-sonnet-4-5")?["retires"], json!("2026-11-30"));
    Ok(())
}

#[test]
fn a_server_limits_what_its_models_accept() {
    let on = |server: Server| {
        let found = model_facts("openai/gpt-5.1", Dialect::OpenAI, None).unwrap().on(&server.facts(Dialect::OpenAI));
        (found.facts.strict_tools, found.facts.efforts.map(|efforts| efforts.is_empty()))
    };
    assert_eq!(on(Server::OpenAI), (None, Some(false)));
    assert_eq!(on(Server::Nvidia), (Some(false), Some(true)));
}
