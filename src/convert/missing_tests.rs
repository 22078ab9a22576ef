//! Servers that lack something their family has: nothing of it is sent, and everything is reported.

use super::{Subject, convert_text};
use crate::format::{Format, Limits, Setting, instead};
use crate::run::{AnthropicVersion, Dialect, Options};
use crate::value::Word;
use serde_json::{Map, Value, json};

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": "d", "parameters": { "type": "object", "properties": { "a": {} } } })
}

/// Canonical requests that together have every setting: providers do not accept all of them together.
fn requests() -> [Value; 4] {
    let base = json!({
        "model": "m",
        "messages": [{ "role": "user", "content": "Hi" }],
        "tools": [tool("f"), tool("g")],
        "toolChoice": { "allowed": ["f"] }, "parallelToolCalls": false, "maxTokens": 5000, "stop": ["s"], "seed": 1, "candidateCount": 2,
        "topLogprobs": 2, "presencePenalty": 1, "frequencyPenalty": 1, "verbosity": "low", "stream": true, "userId": "u",
        "responseFormat": { "type": "jsonSchema", "name": "n", "schema": { "type": "object", "properties": { "a": {} } } },
    });
    let with = |given: Value| {
        let mut request = base.clone();
        for (key, value) in given.as_object().into_iter().flatten() {
            request[key] = value.clone();
        }
        request
    };
    [
        // not all formats have allow-lists
        with(json!({ "temperature": 0.5, "topP": 0.5, "topK": 5, "toolChoice": "required" })),
        with(json!({ "reasoning": { "effort": "high", "include": true } })),
        with(json!({ "reasoning": { "budgetTokens": 2048, "include": true } })),
        // tools and JSON exclude each other on Cohere
        json!({ "model": "m", "messages": base["messages"], "responseFormat": base["responseFormat"] }),
    ]
}

fn convert(request: &Value, to: Dialect) -> (Value, Vec<(String, String)>) {
    let options =
        Options { bookkeeping: true, anthropic_version: Some(AnthropicVersion::V20230601), ..Options::default() };
    let body = serde_json::to_vec(request).unwrap();
    let converted = convert_text(body, Subject::Request, Dialect::Canonical, to, options).unwrap();
    let warnings = converted.warnings.iter().map(|warning| (warning.code.name().to_owned(), warning.path.clone()));
    (serde_json::from_slice(&converted.body).unwrap(), warnings.collect())
}

/// The format of `dialect` without these keys.
fn lacking(dialect: Dialect, words: &[Word]) -> Format {
    let format = *dialect.format();
    let missing = [format.limits.missing, words].concat().leak();
    Format { limits: Limits { missing, ..format.limits }, ..format }
}

fn has(body: &Value, path: &[Word]) -> bool {
    let value = path.iter().try_fold(body, |value, word| value.get(word.text()));
    value.is_some()
}

/// Whether a canonical request states the setting, and where.
fn place(request: &Value, setting: Setting) -> Option<String> {
    let parent = if Setting::REASONING.contains(&setting) { "/reasoning" } else { "" };
    let place = format!("{parent}/{}", setting.key().text());
    request.pointer(&place).map(|_| place)
}

fn targets() -> impl Iterator<Item = Dialect> {
    Dialect::ALL.iter().copied().filter(|dialect| dialect.provider().is_some())
}

/// All keys on the paths of settings.
fn keys(format: &Format) -> Vec<Word> {
    format.settings.iter().flat_map(|(_, path, _)| path.iter().copied()).collect()
}

fn check(request: &Value, to: Dialect, missing: &[Word]) {
    let (body, warnings) = instead::with(to, lacking(to, missing), || convert(request, to));
    for (setting, path, _) in to.format().settings {
        if !path.iter().any(|word| missing.contains(word)) {
            continue;
        }
        assert!(!has(&body, path), "{to:?} lacks {missing:?}, but {path:?} is sent: {body}");
        let Some(place) = place(request, *setting) else { continue };
        let is_told = warnings.iter().any(|(_, path)| path.starts_with(&place));
        let is_elsewhere =
            |(other, path, _): &(Setting, &[Word], _)| Setting::REASONING.contains(other) && has(&body, path);
        let is_sent_otherwise = Setting::REASONING.contains(setting) && to.format().settings.iter().any(is_elsewhere);
        assert!(is_told || is_sent_otherwise, "{to:?} lacks {missing:?}, but {place} is not reported: {warnings:?}");
    }
}

#[test]
fn the_requests_have_every_key() {
    for to in targets() {
        let bodies = requests().map(|request| convert(&request, to).0);
        for (setting, path, _) in to.format().settings {
            assert!(
                path.is_empty() || bodies.iter().any(|body| has(body, path)),
                "{to:?}: {setting:?} is not in {bodies:?}"
            );
        }
    }
}

#[test]
fn a_key_that_a_server_lacks_is_not_sent() {
    for to in targets() {
        for word in keys(to.format()) {
            requests().iter().for_each(|request| check(request, to, &[word]));
        }
    }
}

#[test]
fn a_server_may_lack_every_setting() {
    for to in targets() {
        let keys = keys(to.format());
        for request in requests() {
            check(&request, to, &keys);
            let (body, _) = instead::with(to, lacking(to, &keys), || convert(&request, to));
            let left: Vec<&String> = body.as_object().into_iter().flat_map(Map::keys).collect();
            let known = ["messages", "input", "contents", "tools"];
            assert!(left.iter().all(|key| known.contains(&key.as_str())), "{to:?}: {body}");
        }
    }
}

#[test]
fn a_setting_without_a_row_is_reported() {
    for to in targets() {
        for request in requests() {
            let (_, warnings) = convert(&request, to);
            for setting in Setting::ALL.iter().filter(|setting| !to.format().has(**setting)) {
                let Some(place) = place(&request, *setting) else { continue };
                assert!(
                    warnings.iter().any(|(_, path)| path.starts_with(&place)),
                    "{to:?} loses {place}: {warnings:?}"
                );
            }
        }
    }
}

#[test]
fn a_field_of_the_provider_that_a_server_lacks_is_reported() {
    for to in targets() {
        let provider = to.provider().map(|provider| provider.word().text()).unwrap();
        for word in keys(to.format()) {
            if to.format().settings.iter().all(|(_, path, _)| path.first() != Some(&word)) {
                continue;
            }
            let request = json!({ "messages": [{ "role": "user", "content": "Hi" }], "metadata": { provider: { word.text(): { "x": 1 } } } });
            let (body, warnings) = instead::with(to, lacking(to, &[word]), || convert(&request, to));
            assert!(!has(&body, &[word]), "{to:?} lacks {word:?}, but it is sent: {body}");
            let place = format!("/metadata/{provider}/{}", word.text());
            assert!(warnings.iter().any(|(_, path)| path.starts_with(&place)), "{to:?} loses {place}: {warnings:?}");
        }
    }
}

/// What the reader of Chat Completions keeps as a form has another name there.
#[test]
fn a_server_may_lack_deprecated_names() {
    let legacy = json!({ "openai": { "form": { "legacy": true } } });
    let request = json!({
        "messages": [{ "role": "user", "content": "Hi" }],
        "tools": [{ "name": "f", "metadata": legacy }],
        "toolChoice": "auto", "maxTokens": 5, "stream": true,
        "metadata": { "openai": { "form": { "legacy": true, "max_tokens": true } } },
    });
    let to = targets().next().unwrap();
    let deprecated = [Word::max_tokens, Word::functions, Word::function_call];
    let (before, _) = convert(&request, to);
    assert!(deprecated.iter().all(|word| has(&before, &[*word])), "{before}");
    assert!(has(&before, &[Word::stream_options]));
    let missing = [&deprecated[..], &[Word::stream_options]].concat();
    let (body, _) = instead::with(to, lacking(to, &missing), || convert(&request, to));
    assert!(!missing.iter().any(|word| has(&body, &[*word])), "{body}");
    assert!(
        [Word::max_completion_tokens, Word::tools, Word::tool_choice].iter().all(|word| has(&body, &[*word])),
        "{body}"
    );
}
