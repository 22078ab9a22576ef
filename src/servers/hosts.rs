//! Servers of open models.

use super::Row;
use super::facts::{Asked, Field, Fields, ReasoningField, ServerFacts, TokenLimit};
use crate::format::Dialect::{Anthropic, OpenAI, OpenAIResponses};

/// What they have in common in Chat Completions (`@earendil-works/pi-ai` 1.5.2).
const OPEN: ServerFacts = ServerFacts {
    developer_role: Some(false),
    freeform_tools: Some(false),
    refused: Some(Fields::of(&[Field::Store])),
    ..ServerFacts::NONE
};

/// <https://console.groq.com/docs/openai>; `groq-sdk` 1.6.0 calls these fields unsupported.
pub const GROQ: Row = Row {
    apis: &[
        (OpenAI, Some("https://api.groq.com/openai/v1")),
        (OpenAIResponses, Some("https://api.groq.com/openai/v1")),
    ],
    hosts: &["api.groq.com"],
    key: Some("GROQ_API_KEY"),
    facts: ServerFacts {
        reasoning_field: Some(ReasoningField::Short),
        freeform_tools: Some(false),
        refused: Some(Fields::of(&[
            Field::FrequencyPenalty,
            Field::LogitBias,
            Field::Logprobs,
            Field::Metadata,
            Field::N,
            Field::PresencePenalty,
            Field::Store,
            Field::TopLogprobs,
            Field::Verbosity,
        ])),
        ..ServerFacts::NONE
    },
    ..Row::USUAL
};

/// <https://docs.together.ai/reference/chat-completions>; `together-ai` 0.52.0.
pub const TOGETHER: Row = Row {
    apis: &[(OpenAI, Some("https://api.together.ai/v1")), (OpenAIResponses, Some("https://api.together.ai/v1"))],
    hosts: &["api.together.ai", "api.together.xyz", "api-inference.together.ai"],
    key: Some("TOGETHER_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            token_limit: Some(TokenLimit::Usual),
            strict: Some(false),
            reasoning: Some(Asked::Enabled),
            reasoning_field: Some(ReasoningField::Short),
            top_k: Some(true),
            refused: Some(Fields::of(&[Field::Store, Field::ParallelToolCalls, Field::TopLogprobs])),
            ..OPEN
        },
    )],
    ..Row::USUAL
};

/// <https://docs.fireworks.ai/api-reference/post-chatcompletions>
pub const FIREWORKS: Row = Row {
    apis: &[
        (OpenAI, Some("https://api.fireworks.ai/inference/v1")),
        (OpenAIResponses, Some("https://api.fireworks.ai/inference/v1")),
        (Anthropic, Some("https://api.fireworks.ai/inference")),
    ],
    hosts: &["api.fireworks.ai"],
    key: Some("FIREWORKS_API_KEY"),
    on: &[(OpenAI, ServerFacts { reasoning_field: Some(ReasoningField::Content), top_k: Some(true), ..OPEN })],
    ..Row::USUAL
};

/// <https://inference-docs.cerebras.ai/resources/openai>; `@cerebras/cerebras_cloud_sdk` 1.91.0 has no other fields.
pub const CEREBRAS: Row = Row {
    apis: &[(OpenAI, Some("https://api.cerebras.ai/v1"))],
    hosts: &["api.cerebras.ai"],
    key: Some("CEREBRAS_API_KEY"),
    facts: ServerFacts {
        developer_role: None,
        reasoning_field: Some(ReasoningField::Short),
        refused: Some(Fields::of(&[Field::Store, Field::Metadata, Field::Modalities, Field::Verbosity])),
        ..OPEN
    },
    ..Row::USUAL
};

/// <https://docs.api.nvidia.com/nim/reference/llm-apis>
pub const NVIDIA: Row = Row {
    apis: &[(OpenAI, Some("https://integrate.api.nvidia.com/v1"))],
    hosts: &["integrate.api.nvidia.com"],
    key: Some("NVIDIA_API_KEY"),
    facts: ServerFacts {
        token_limit: Some(TokenLimit::Usual),
        strict: Some(false),
        reasoning: Some(Asked::Never),
        reasoning_field: Some(ReasoningField::Content),
        ..OPEN
    },
    ..Row::USUAL
};

/// <https://huggingface.co/docs/inference-providers/tasks/chat-completion>
pub const HUGGINGFACE: Row = Row {
    apis: &[
        (OpenAI, Some("https://router.huggingface.co/v1")),
        (OpenAIResponses, Some("https://router.huggingface.co/v1")),
    ],
    hosts: &["router.huggingface.co"],
    key: Some("HF_TOKEN"),
    on: &[(OpenAI, OPEN)],
    ..Row::USUAL
};

/// <https://developers.cloudflare.com/ai-gateway/usage/chat-completion/>, Workers AI and AI Gateway: the account is in the URL.
pub const CLOUDFLARE: Row = Row {
    apis: &[(OpenAI, None), (OpenAIResponses, None), (Anthropic, None)],
    hosts: &["gateway.ai.cloudflare.com", "api.cloudflare.com"],
    key: Some("CLOUDFLARE_API_TOKEN"),
    on: &[(OpenAI, ServerFacts { token_limit: Some(TokenLimit::Usual), text_as_string: Some(true), ..OPEN })],
    ..Row::USUAL
};

/// <https://docs.baseten.co/development/model-apis/overview>
pub const BASETEN: Row = Row {
    apis: &[(OpenAI, Some("https://inference.baseten.co/v1"))],
    hosts: &["inference.baseten.co", "api.baseten.co"],
    key: Some("BASETEN_API_KEY"),
    facts: ServerFacts { token_limit: Some(TokenLimit::Usual), ..OPEN },
    ..Row::USUAL
};
