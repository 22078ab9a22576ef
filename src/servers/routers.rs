//! Servers that pass requests on to others.

use super::Row;
use super::facts::{Asked, ReasoningField, ServerFacts};
use crate::format::Dialect::{Anthropic, OpenAI, OpenAIResponses};

/// What they have in common in Chat Completions.
const ROUTER: ServerFacts = ServerFacts {
    reasoning: Some(Asked::Object),
    reasoning_field: Some(ReasoningField::Short),
    freeform_tools: Some(false),
    cache_marks: Some(true),
    ..ServerFacts::NONE
};

/// <https://openrouter.ai/docs/use-cases/reasoning-tokens>, <https://openrouter.ai/docs/features/prompt-caching>. Only some models have a role
/// `developer` there (`@earendil-works/pi-ai` 1.5.2).
pub const OPENROUTER: Row = Row {
    apis: &[
        (OpenAI, Some("https://openrouter.ai/api/v1")),
        (OpenAIResponses, Some("https://openrouter.ai/api/v1")),
        (Anthropic, Some("https://openrouter.ai/api")),
    ],
    hosts: &["openrouter.ai"],
    key: Some("OPENROUTER_API_KEY"),
    on: &[(OpenAI, ServerFacts { developer_role: Some(false), top_k: Some(true), ..ROUTER })],
    ..Row::USUAL
};

/// <https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions/reasoning>
pub const VERCEL: Row = Row {
    apis: &[
        (OpenAI, Some("https://ai-gateway.vercel.sh/v1")),
        (OpenAIResponses, Some("https://ai-gateway.vercel.sh/v1")),
        (Anthropic, Some("https://ai-gateway.vercel.sh")),
    ],
    hosts: &["ai-gateway.vercel.sh"],
    key: Some("AI_GATEWAY_API_KEY"),
    on: &[(OpenAI, ROUTER)],
    ..Row::USUAL
};

/// <https://docs.litellm.ai/docs/reasoning_content>, <https://docs.litellm.ai/docs/completion/prompt_caching>
pub const LITELLM: Row = Row {
    apis: &[(OpenAI, None), (OpenAIResponses, None), (Anthropic, None)],
    hosts: &[],
    key: Some("LITELLM_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            reasoning_field: Some(ReasoningField::Content),
            freeform_tools: Some(false),
            cache_marks: Some(true),
            ..ServerFacts::NONE
        },
    )],
    ..Row::USUAL
};
