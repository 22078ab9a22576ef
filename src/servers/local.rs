//! Servers that run on one's own machines.

use super::Row;
use super::facts::{Asked, ChoiceForm, ChoiceForms, Field, Fields, ReasoningField, ServerFacts, TokenLimit};
use crate::format::Dialect::{Anthropic, OpenAI, OpenAIResponses};
use crate::models::facts::Efforts;

/// What they have in common in Chat Completions: chat templates decide which roles there are.
const LOCAL: ServerFacts = ServerFacts {
    token_limit: Some(TokenLimit::Usual),
    developer_role: Some(false),
    reasoning_field: Some(ReasoningField::Content),
    freeform_tools: Some(false),
    ..ServerFacts::NONE
};

/// All choices but a list of allowed tools.
const NO_LIST: ChoiceForms = ChoiceForms::of(&[ChoiceForm::None, ChoiceForm::Required, ChoiceForm::Named]);

/// <https://docs.vllm.ai/en/latest/features/reasoning_outputs/>: `reasoning`, formerly `reasoning_content`; `chat_template_kwargs`.
pub const VLLM: Row = Row {
    apis: &[
        (OpenAI, Some("http://localhost:8000/v1")),
        (OpenAIResponses, Some("http://localhost:8000/v1")),
        (Anthropic, Some("http://localhost:8000")),
    ],
    key: Some("VLLM_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            reasoning: Some(Asked::Template),
            reasoning_field: Some(ReasoningField::Short),
            tool_choices: Some(NO_LIST),
            top_k: Some(true),
            ..LOCAL
        },
    )],
    ..Row::USUAL
};

/// <https://docs.sglang.ai/advanced_features/separate_reasoning.html>
pub const SGLANG: Row = Row {
    apis: &[(OpenAI, Some("http://localhost:30000/v1")), (OpenAIResponses, Some("http://localhost:30000/v1"))],
    on: &[(
        OpenAI,
        ServerFacts { reasoning: Some(Asked::Template), tool_choices: Some(NO_LIST), top_k: Some(true), ..LOCAL },
    )],
    ..Row::USUAL
};

/// <https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md>: `tool_choice` is a word; `chat_template_kwargs`.
pub const LLAMA_CPP: Row = Row {
    apis: &[
        (OpenAI, Some("http://localhost:8080/v1")),
        (OpenAIResponses, Some("http://localhost:8080/v1")),
        (Anthropic, Some("http://localhost:8080")),
    ],
    key: Some("LLAMA_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            reasoning: Some(Asked::Template),
            efforts: Some(Efforts::NONE),
            tool_choices: Some(ChoiceForms::of(&[ChoiceForm::None, ChoiceForm::Required])),
            top_k: Some(true),
            ..LOCAL
        },
    )],
    ..Row::USUAL
};

/// <https://lmstudio.ai/docs/developer/openai-compat>: `tool_choice` is a word.
pub const LMSTUDIO: Row = Row {
    apis: &[
        (OpenAI, Some("http://localhost:1234/v1")),
        (OpenAIResponses, Some("http://localhost:1234/v1")),
        (Anthropic, Some("http://localhost:1234")),
    ],
    hosts: &[":1234"],
    key: Some("LM_API_TOKEN"),
    on: &[
        (
            OpenAI,
            ServerFacts {
                tool_choices: Some(ChoiceForms::of(&[ChoiceForm::None, ChoiceForm::Required])),
                top_k: Some(true),
                ..LOCAL
            },
        ),
        (
            OpenAIResponses,
            ServerFacts {
                freeform_tools: Some(false),
                tool_choices: Some(ChoiceForms::of(&[ChoiceForm::None, ChoiceForm::Required])),
                ..ServerFacts::NONE
            },
        ),
    ],
    ..Row::USUAL
};

/// <https://docs.ollama.com/api/openai-compatibility>: the fields of requests that it does not list, it ignores.
pub const OLLAMA: Row = Row {
    apis: &[
        (OpenAI, Some("http://localhost:11434/v1")),
        (OpenAIResponses, Some("http://localhost:11434/v1")),
        (Anthropic, Some("http://localhost:11434")),
    ],
    hosts: &[":11434", "ollama.com"],
    key: Some("OLLAMA_API_KEY"),
    on: &[
        (
            OpenAI,
            ServerFacts {
                strict: Some(false),
                reasoning_field: Some(ReasoningField::Short),
                tool_choices: Some(ChoiceForms::NONE),
                refused: Some(Fields::of(&[Field::LogitBias, Field::N, Field::ParallelToolCalls, Field::User])),
                ..LOCAL
            },
        ),
        (OpenAIResponses, ServerFacts { freeform_tools: Some(false), ..ServerFacts::NONE }),
    ],
    ..Row::USUAL
};

/// <https://huggingface.co/docs/text-generation-inference/reference/api_reference>
pub const TGI: Row = Row {
    apis: &[(OpenAI, None)],
    hosts: &["endpoints.huggingface.cloud"],
    key: Some("HF_TOKEN"),
    facts: ServerFacts {
        strict: Some(false),
        reasoning: Some(Asked::Never),
        tool_choices: Some(NO_LIST),
        refused: Some(Fields::of(&[Field::ParallelToolCalls, Field::User])),
        ..LOCAL
    },
    ..Row::USUAL
};
