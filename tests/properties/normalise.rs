//! Changes on a round trip that have no warning because the meaning stays the same: the rows of `docs/round-trips.md`.

use crate::messages::{
    data_is_text, empty_reasoning_is_none, fields_are_of_the_step, gemini_results_are_objects,
    reasoning_state_is_the_signature, refusals_and_reasoning_are_joined, results_as_text, results_hold_objects,
    system_prompt_is_one_text, texts_are_joined, unsigned_reasoning,
};
use crate::settings::{
    adaptive_thinking, defaults_are_omitted, effort_is_a_budget, empty_settings, model_in_the_path, no_thinking,
    ollama_thinking_includes_reasoning, response_format_is_a_bare_schema, response_format_text_is_omitted,
    stream_false_is_the_default, stream_in_the_path,
};
use crate::tools::{
    allow_list_of_all_tools_is_the_mode, allow_list_of_one_tool_is_a_named_choice, choice_of_the_only_tool_is_any,
    choice_without_tools_is_omitted, equal_tools_are_one, equivalent_choices, no_description, no_parameters,
    parallel_calls_are_the_default, strict_false_is_omitted, strict_is_mode_validated,
};
use serde_json::{Value, json};
use toolwire::{Dialect, Options, Subject, convert_text};

/// One row: its name in the documentation and in the vectors, the dialects that it applies to (with their variants),
/// and its function.
pub struct Row {
    pub name: &'static str,
    dialects: &'static [Dialect],
    /// The row also applies where a variant lacks this field of requests.
    lacking: Option<&'static str>,
    apply: fn(&mut Value, Dialect, &Options),
}

const ALL: &[Dialect] = &[
    Dialect::OpenAI,
    Dialect::OpenAIResponses,
    Dialect::Anthropic,
    Dialect::Bedrock,
    Dialect::Gemini,
    Dialect::Ollama,
    Dialect::Cohere,
    Dialect::GeminiInteractions,
];
pub const OPENAI: &[Dialect] = &[Dialect::OpenAI, Dialect::OpenAIResponses];
/// Those with arguments in a text.
const TEXT_ARGUMENTS: &[Dialect] = &[Dialect::OpenAI, Dialect::OpenAIResponses, Dialect::Cohere];
pub const GOOGLE: &[Dialect] = &[Dialect::Gemini];
const NOT_GOOGLE: &[Dialect] =
    &[Dialect::OpenAI, Dialect::OpenAIResponses, Dialect::Anthropic, Dialect::Ollama, Dialect::Cohere];
const NOT_OPENAI: &[Dialect] = &[
    Dialect::Anthropic,
    Dialect::Bedrock,
    Dialect::Gemini,
    Dialect::GeminiInteractions,
    Dialect::Ollama,
    Dialect::Cohere,
];
const OLLAMA: &[Dialect] = &[Dialect::Ollama];

pub const ROWS: &[Row] = &[
    Row { name: "data-is-text", dialects: ALL, lacking: None, apply: data_is_text },
    Row {
        name: "results-hold-objects",
        dialects: &[Dialect::Bedrock, Dialect::GeminiInteractions],
        lacking: None,
        apply: results_hold_objects,
    },
    Row {
        name: "cache-marks-are-cache-points",
        dialects: &[Dialect::Bedrock],
        lacking: None,
        apply: cache_marks_are_cache_points,
    },
    Row {
        name: "system-prompt-is-one-text",
        dialects: &[Dialect::GeminiInteractions],
        lacking: None,
        apply: system_prompt_is_one_text,
    },
    Row {
        name: "fields-are-of-the-step",
        dialects: &[Dialect::GeminiInteractions],
        lacking: None,
        apply: fields_are_of_the_step,
    },
    Row { name: "results-as-text", dialects: NOT_GOOGLE, lacking: None, apply: results_as_text },
    Row { name: "gemini-results-are-objects", dialects: GOOGLE, lacking: None, apply: gemini_results_are_objects },
    Row { name: "unsigned-reasoning", dialects: &[Dialect::OpenAI], lacking: None, apply: unsigned_reasoning },
    Row {
        name: "refusals-and-reasoning-are-joined",
        dialects: &[Dialect::OpenAI],
        lacking: None,
        apply: refusals_and_reasoning_are_joined,
    },
    Row {
        name: "reasoning-state-is-the-signature",
        dialects: &[Dialect::OpenAIResponses],
        lacking: None,
        apply: reasoning_state_is_the_signature,
    },
    Row {
        name: "empty-reasoning-is-none",
        dialects: &[Dialect::Bedrock],
        lacking: None,
        apply: empty_reasoning_is_none,
    },
    Row {
        name: "texts-are-joined",
        dialects: &[Dialect::OpenAIResponses, Dialect::Ollama],
        lacking: None,
        apply: texts_are_joined,
    },
    Row {
        name: "choice-without-tools-is-omitted",
        dialects: ALL,
        lacking: None,
        apply: choice_without_tools_is_omitted,
    },
    Row { name: "equivalent-choices", dialects: ALL, lacking: None, apply: equivalent_choices },
    Row {
        name: "parallel-calls-are-the-default",
        dialects: NOT_OPENAI,
        lacking: Some(r#""parallelToolCalls":false"#),
        apply: parallel_calls_are_the_default,
    },
    Row {
        name: "allow-list-of-all-tools-is-the-mode",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Cohere, Dialect::Ollama, Dialect::Mistral],
        lacking: None,
        apply: allow_list_of_all_tools_is_the_mode,
    },
    Row {
        name: "allow-list-of-one-tool-is-a-named-choice",
        dialects: &[Dialect::Gemini, Dialect::GeminiInteractions],
        lacking: None,
        apply: allow_list_of_one_tool_is_a_named_choice,
    },
    Row {
        name: "equal-tools-are-one",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Gemini, Dialect::GeminiInteractions],
        lacking: None,
        apply: equal_tools_are_one,
    },
    Row {
        name: "choice-of-the-only-tool-is-any",
        dialects: &[Dialect::Bedrock, Dialect::Cohere],
        lacking: None,
        apply: choice_of_the_only_tool_is_any,
    },
    Row { name: "no-parameters", dialects: ALL, lacking: None, apply: no_parameters },
    Row { name: "strict-false-is-omitted", dialects: ALL, lacking: None, apply: strict_false_is_omitted },
    Row { name: "strict-is-mode-validated", dialects: GOOGLE, lacking: None, apply: strict_is_mode_validated },
    Row {
        name: "response-format-is-a-bare-schema",
        dialects: NOT_OPENAI,
        lacking: None,
        apply: response_format_is_a_bare_schema,
    },
    Row {
        name: "response-format-text-is-omitted",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Ollama],
        lacking: None,
        apply: response_format_text_is_omitted,
    },
    Row { name: "empty-settings", dialects: ALL, lacking: None, apply: empty_settings },
    Row { name: "defaults-are-omitted", dialects: ALL, lacking: None, apply: defaults_are_omitted },
    Row {
        name: "stream-in-the-path",
        dialects: &[Dialect::Anthropic, Dialect::Bedrock, Dialect::Gemini],
        lacking: None,
        apply: stream_in_the_path,
    },
    Row { name: "stream-false-is-the-default", dialects: OLLAMA, lacking: None, apply: stream_false_is_the_default },
    Row { name: "model-in-the-path", dialects: &[Dialect::Anthropic], lacking: None, apply: model_in_the_path },
    Row { name: "effort-is-a-budget", dialects: GOOGLE, lacking: None, apply: effort_is_a_budget },
    Row { name: "no-thinking", dialects: ALL, lacking: None, apply: no_thinking },
    Row {
        name: "ollama-thinking-includes-reasoning",
        dialects: OLLAMA,
        lacking: None,
        apply: ollama_thinking_includes_reasoning,
    },
    Row { name: "adaptive-thinking", dialects: ALL, lacking: None, apply: adaptive_thinking },
    Row { name: "no-description", dialects: GOOGLE, lacking: None, apply: no_description },
    Row { name: "empty-arguments", dialects: TEXT_ARGUMENTS, lacking: None, apply: empty_arguments },
    Row { name: "default-markers-are-omitted", dialects: ALL, lacking: None, apply: default_markers_are_omitted },
];

#[test]
fn every_row_is_documented_and_has_a_vector() {
    let documentation = std::fs::read_to_string("docs/round-trips.md").unwrap();
    let vectors = std::fs::read_to_string("tests/vectors/round-trips.json").unwrap();
    for Row { name, .. } in ROWS {
        assert!(documentation.contains(&format!("| `{name}` |")), "docs/round-trips.md has no row {name}");
        assert!(vectors.contains(&format!("\"round-trips/{name}\"")), "no vector is called round-trips/{name}");
    }
    assert_eq!(documentation.matches("\n| `").count(), ROWS.len(), "docs/round-trips.md has rows that nothing does");
}

/// Rows about fields of Chat for what Mistral has in chunks of the content.
const NOT_IN_CHUNKS: &[&str] = &["unsigned-reasoning", "refusals-and-reasoning-are-joined"];

/// The request as a round trip returns it, apart from changes that are reported.
pub fn normalise(request: &Value, to: Dialect, options: &Options) -> Value {
    let mut normal = request.clone();
    let base = to.base();
    let is_lacking = |field: &str| to != base && lacks(to, field);
    let has_row = |row: &&Row| {
        let is_listed = row.dialects.contains(&base) || row.dialects.contains(&to);
        is_listed && !(to == Dialect::Mistral && NOT_IN_CHUNKS.contains(&row.name))
            || row.lacking.is_some_and(is_lacking)
    };
    for row in ROWS.iter().filter(has_row) {
        (row.apply)(&mut normal, base, options);
    }
    normal
}

/// Whether the dialect reports that it lacks a field of requests.
fn lacks(to: Dialect, field: &str) -> bool {
    let request = format!(r#"{{"messages":[{{"role":"user","content":"?"}}],"tools":[{{"name":"f"}}],{field}}}"#);
    let written = convert_text(
        request.into_bytes(),
        Subject::Request,
        Dialect::Canonical,
        to,
        Options { bookkeeping: true, ..Options::default() },
    );
    !written.unwrap().warnings.is_empty()
}

pub fn each(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_array_mut().into_iter().flatten()
}

pub fn remove(value: &mut Value, key: &str) {
    value.as_object_mut().and_then(|object| object.shift_remove(key));
}

/// Empty arguments become `{}`.
fn empty_arguments(request: &mut Value, _: Dialect, _: &Options) {
    for message in each(&mut request["messages"]) {
        for call in each(&mut message["invalidToolCalls"]) {
            if matches!(call["rawArguments"].as_str().map(str::trim), Some("" | "null")) {
                call["arguments"] = json!({});
                remove(call, "rawArguments");
            }
        }
    }
}

/// What may be cached has a cache point behind it.
fn cache_marks_are_cache_points(request: &mut Value, _: Dialect, _: &Options) {
    points_of_marks(request);
}

fn points_of_marks(value: &mut Value) {
    let fields: Vec<&mut Value> = match value {
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Array(elements) => elements.iter_mut().collect(),
        _ => Vec::new(),
    };
    fields.into_iter().for_each(points_of_marks);
    let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let Some(anthropic) = metadata.get_mut("anthropic").and_then(Value::as_object_mut) else { return };
    if let Some(mut mark) = anthropic.shift_remove("cache_control") {
        mark["type"] = "default".into();
        metadata.entry("bedrock").or_insert_with(|| json!({}))["cachePoint"] = mark;
    }
}

/// Markers of the default case: calls of the model itself, freeform calls, the developer role.
fn default_markers_are_omitted(request: &mut Value, _: Dialect, _: &Options) {
    match request {
        Value::Object(fields) => {
            if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
                metadata.get_mut("anthropic").into_iter().for_each(|own| remove(own, "caller"));
                metadata.get_mut("openai").into_iter().for_each(|own| remove(own, "role"));
            }
            fields.values_mut().for_each(|value| {
                default_markers_are_omitted(
                    value,
                    Dialect::Canonical,
                    &Options { bookkeeping: true, ..Options::default() },
                )
            });
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|value| {
                default_markers_are_omitted(
                    value,
                    Dialect::Canonical,
                    &Options { bookkeeping: true, ..Options::default() },
                )
            });
        }
        _ => {}
    }
}
