//! The providers' own servers, and others that serve their models as they do.

use super::Row;
use super::facts::{Asked, Field, Fields, ServerFacts};
use crate::format::Dialect::{Anthropic, OpenAI, OpenAIResponses};

/// <https://developers.openai.com/api/reference>
pub const OPENAI: Row = Row {
    apis: &[(OpenAI, Some("https://api.openai.com/v1")), (OpenAIResponses, Some("https://api.openai.com/v1"))],
    hosts: &["api.openai.com"],
    key: Some("OPENAI_API_KEY"),
    ..Row::USUAL
};

/// <https://learn.microsoft.com/en-us/azure/foundry/openai/api-version-lifecycle>: `/openai/v1` below the resource's own host.
pub const AZURE: Row = Row {
    apis: &[(OpenAI, None), (OpenAIResponses, None), (Anthropic, None)],
    hosts: &["openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"],
    key: Some("AZURE_OPENAI_API_KEY"),
    ..Row::USUAL
};

/// `@earendil-works/pi-ai` 1.5.2. Chat Completions is for the models of other vendors there.
pub const GITHUB_COPILOT: Row = Row {
    apis: &[
        (OpenAI, Some("https://api.githubcopilot.com")),
        (OpenAIResponses, Some("https://api.githubcopilot.com")),
        (Anthropic, Some("https://api.githubcopilot.com")),
    ],
    hosts: &["githubcopilot.com"],
    key: Some("COPILOT_GITHUB_TOKEN"),
    on: &[(
        OpenAI,
        ServerFacts {
            developer_role: Some(false),
            reasoning: Some(Asked::Never),
            freeform_tools: Some(false),
            refused: Some(Fields::of(&[Field::Store])),
            ..ServerFacts::NONE
        },
    )],
    ..Row::USUAL
};
