//! Servers of those who make the models.

use super::Row;
use super::facts::{Asked, ChoiceForm, ChoiceForms, Field, Fields, ReasoningField, Replayed, ServerFacts, TokenLimit};
use crate::format::Dialect::{Anthropic, OpenAI, OpenAIResponses};
use crate::models::Effort;
use crate::models::facts::Efforts;

/// What servers of open models have in common in Chat Completions.
const OPEN: ServerFacts = ServerFacts {
    developer_role: Some(false),
    reasoning_field: Some(ReasoningField::Content),
    freeform_tools: Some(false),
    refused: Some(Fields::of(&[Field::Store])),
    ..ServerFacts::NONE
};

/// <https://docs.x.ai/docs/api-reference>; `@ai-sdk/xai` 3 to 5 send `reasoning_effort` in Chat Completions, and `status` in each item of reasoning.
pub const XAI: Row = Row {
    apis: &[(OpenAI, Some("https://api.x.ai/v1")), (OpenAIResponses, Some("https://api.x.ai/v1"))],
    hosts: &["api.x.ai"],
    key: Some("XAI_API_KEY"),
    facts: ServerFacts { freeform_tools: Some(false), ..ServerFacts::NONE },
    on: &[(OpenAI, OPEN), (OpenAIResponses, ServerFacts { reasoning_status: Some(true), ..ServerFacts::NONE })],
};

/// <https://api-docs.deepseek.com/guides/thinking_mode>: thinking is on by default, the requests of the conversation contain `reasoning_content`. Strict
/// tools exist below `/beta` only. Contents that are arrays: https://github.com/moeru-ai/airi/pull/1222.
pub const DEEPSEEK: Row = Row {
    apis: &[
        (OpenAI, Some("https://api.deepseek.com")),
        (OpenAIResponses, Some("https://api.deepseek.com")),
        (Anthropic, Some("https://api.deepseek.com/anthropic")),
    ],
    hosts: &["api.deepseek.com"],
    key: Some("DEEPSEEK_API_KEY"),
    facts: ServerFacts {
        efforts: Some(Efforts::of(&[Effort::Low, Effort::High, Effort::Max])),
        freeform_tools: Some(false),
        ..ServerFacts::NONE
    },
    on: &[(
        OpenAI,
        ServerFacts {
            token_limit: Some(TokenLimit::Usual),
            strict: Some(false),
            json_schema: Some(false),
            reasoning: Some(Asked::Thinking),
            replay: Some(Replayed::Always),
            text_as_string: Some(true),
            ..OPEN
        },
    )],
};

/// <https://platform.kimi.ai/docs>; `@earendil-works/pi-ai` 1.5.2. Calls must come back with `reasoning_content`
/// (https://www.librechat.ai/llms.mdx/docs/configuration/librechat_yaml/ai_endpoints/moonshot).
pub const MOONSHOT: Row = Row {
    apis: &[(OpenAI, Some("https://api.moonshot.ai/v1")), (Anthropic, Some("https://api.moonshot.ai/anthropic"))],
    hosts: &["api.moonshot.ai", "api.moonshot.cn", "api.kimi.com"],
    key: Some("MOONSHOT_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            token_limit: Some(TokenLimit::Usual),
            strict: Some(false),
            reasoning: Some(Asked::Thinking),
            replay: Some(Replayed::Always),
            ..OPEN
        },
    )],
    ..Row::USUAL
};

/// <https://docs.z.ai/api-reference/llm/chat-completion>: `tool_choice` is `"auto"` only; `tool_stream` for arguments in pieces. Refused settings:
/// https://java.agentscope.io/v2/en/integration/model/glm.
pub const ZAI: Row = Row {
    apis: &[(OpenAI, Some("https://api.z.ai/api/paas/v4")), (Anthropic, Some("https://api.z.ai/api/anthropic"))],
    hosts: &["api.z.ai", "open.bigmodel.cn"],
    key: Some("ZAI_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            token_limit: Some(TokenLimit::Usual),
            json_schema: Some(false),
            reasoning: Some(Asked::Thinking),
            tool_choices: Some(ChoiceForms::NONE),
            tool_stream: Some(true),
            refused: Some(Fields::of(&[Field::Store, Field::FrequencyPenalty, Field::PresencePenalty])),
            ..OPEN
        },
    )],
    ..Row::USUAL
};

/// <https://www.alibabacloud.com/help/en/model-studio/qwen-api-via-openai-chat-completions>: `enable_thinking`, `thinking_budget`; a choice is "auto",
/// "none" or a function.
pub const QWEN: Row = Row {
    apis: &[
        (OpenAI, Some("https://dashscope-intl.aliyuncs.com/compatible-mode/v1")),
        (OpenAIResponses, Some("https://dashscope-intl.aliyuncs.com/compatible-mode/v1")),
        (Anthropic, Some("https://dashscope-intl.aliyuncs.com/apps/anthropic")),
    ],
    hosts: &[
        "dashscope.aliyuncs.com",
        "dashscope-intl.aliyuncs.com",
        "dashscope-us.aliyuncs.com",
        "maas.aliyuncs.com",
        "portal.qwen.ai",
    ],
    key: Some("DASHSCOPE_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            reasoning: Some(Asked::Switch),
            top_k: Some(true),
            tool_choices: Some(ChoiceForms::of(&[ChoiceForm::None, ChoiceForm::Named])),
            ..OPEN
        },
    )],
    ..Row::USUAL
};

/// <https://platform.minimax.io/docs/api-reference/text-openai-api>; refused settings: https://java.agentscope.io/v2/en/integration/model/minimax.
pub const MINIMAX: Row = Row {
    apis: &[(OpenAI, Some("https://api.minimax.io/v1")), (Anthropic, Some("https://api.minimax.io/anthropic"))],
    hosts: &["api.minimax.io", "api.minimaxi.com"],
    key: Some("MINIMAX_API_KEY"),
    on: &[(
        OpenAI,
        ServerFacts {
            strict: Some(false),
            json_schema: Some(false),
            reasoning: Some(Asked::Adaptive),
            efforts: Some(Efforts::NONE),
            tool_choices: Some(ChoiceForms::NONE),
            refused: Some(Fields::of(&[
                Field::Store,
                Field::FrequencyPenalty,
                Field::PresencePenalty,
                Field::ParallelToolCalls,
                Field::Seed,
            ])),
            ..OPEN
        },
    )],
    ..Row::USUAL
};
