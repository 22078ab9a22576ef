//! Anthropic's models.
//!
//! Thinking and effort: <https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking>,
//! <https://platform.claude.com/docs/en/build-with-claude/extended-thinking>, <https://platform.claude.com/docs/en/build-with-claude/effort>.
//! What the 5.5 generation refuses: <https://platform.claude.com/docs/en/models/opus-5-5/migration-guide>,
//! <https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide>, <https://platform.claude.com/docs/en/models/haiku-5-5/migration-guide>.
//! Limits: <https://platform.claude.com/docs/en/about-claude/models/overview>.
//! Dates of retirement: `DEPRECATED_MODELS` in the package `@anthropic-ai/sdk`.

use super::date::Date;
use super::facts::{Effort, Efforts, ForcedCalls, ModelFacts, Off, SettingNames, StructuredOutput, Thinking};
use super::name::Spelling;
use super::{Family, Host, Row, row, rows};
use crate::format::{Provider, Setting};

const LOW_TO_HIGH: Efforts = Efforts::of(&[Effort::Low, Effort::Medium, Effort::High]);
const LOW_TO_MAX: Efforts = LOW_TO_HIGH.and(Efforts::of(&[Effort::Xhigh, Effort::Max]));
const SAMPLING: SettingNames = SettingNames::of(&[Setting::Temperature, Setting::TopP, Setting::TopK]);

const LIKE_OTHERS: ModelFacts =
    ModelFacts { cache_marks: Some(true), media_in_results: Some(true), ..ModelFacts::NONE };

/// From 4.7 on, a budget, sampling other than the usual, and a conversation that ends with the assistant are errors.
const ADAPTIVE: ModelFacts = ModelFacts {
    efforts: Some(LOW_TO_MAX),
    default_effort: Some(Effort::High),
    thinking: Some(Thinking::Adaptive),
    off: Some(Off::Disabled),
    refused: Some(SAMPLING),
    prefill: Some(false),
    forced_calls: Some(ForcedCalls::Yes),
    strict_tools: Some(true),
    structured_output: Some(StructuredOutput::Yes),
    mid_system: Some(true),
    context_window: Some(1_000_000),
    max_output: Some(128_000),
    ..LIKE_OTHERS
};
/// Thinking can be turned off "at effort high or below" (<https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5>).
const OFF_UP_TO_HIGH: ModelFacts = ModelFacts { off_up_to: Some(Effort::High), ..ADAPTIVE };
/// Thinking can't be turned off.
const ALWAYS: ModelFacts = ModelFacts { off: Some(Off::No), ..ADAPTIVE };
/// Nor can a call be required: "`tool_choice: {"type": "any"}` or a named tool returns a 400".
const UNFORCED: ModelFacts = ModelFacts { forced_calls: Some(ForcedCalls::No), ..ALWAYS };

/// 4.6: budgets still work, but prefill does not (<https://platform.claude.com/docs/en/about-claude/models/migration-guide>). Forced calls beside
/// adaptive thinking were answered (<https://github.com/vercel/ai/tree/main/packages/anthropic/src/__fixtures__>).
const BOTH: ModelFacts = ModelFacts {
    efforts: Some(LOW_TO_HIGH.and(Efforts::of(&[Effort::Max]))),
    thinking: Some(Thinking::AdaptiveOrBudget),
    budget: Some((1024, 128_000)),
    refused: None,
    refused_with_reasoning: Some(SAMPLING),
    one_of_sampling: Some(true),
    mid_system: Some(false),
    ..ADAPTIVE
};

/// Claude 3.7 to 4.5: thinking has a budget, and excludes forced calls.
const BUDGET: ModelFacts = ModelFacts {
    thinking: Some(Thinking::Budget),
    off: Some(Off::Disabled),
    budget: Some((1024, 64_000)),
    refused_with_reasoning: Some(SAMPLING),
    one_of_sampling: Some(true),
    prefill: Some(true),
    forced_calls: Some(ForcedCalls::WithoutThinking),
    strict_tools: Some(true),
    structured_output: Some(StructuredOutput::Yes),
    mid_system: Some(false),
    context_window: Some(200_000),
    max_output: Some(64_000),
    ..LIKE_OTHERS
};
/// Without strict tools and structured outputs (<https://platform.claude.com/docs/en/build-with-claude/structured-outputs>).
const LOOSE: ModelFacts = ModelFacts {
    strict_tools: Some(false),
    structured_output: Some(StructuredOutput::No),
    one_of_sampling: None,
    ..BUDGET
};
const SMALL: ModelFacts = ModelFacts { budget: Some((1024, 32_000)), max_output: Some(32_000), ..LOOSE };

/// Models that do not reason.
const PLAIN: ModelFacts = ModelFacts {
    efforts: Some(Efforts::NONE),
    thinking: Some(Thinking::None),
    off: None,
    budget: None,
    refused_with_reasoning: None,
    forced_calls: Some(ForcedCalls::Yes),
    max_output: Some(8192),
    ..LOOSE
};

// On Amazon Bedrock, models refuse what they accept elsewhere: "tools.0.custom.strict: Extra inputs are not permitted"
// (<https://github.com/BerriAI/litellm/issues/33193>, <https://github.com/lobehub/lobehub/issues/19876>), "output_config.format: Extra inputs are not
// permitted" (<https://github.com/anthropics/anthropic-sdk-python/issues/1759>, <https://github.com/anomalyco/models.dev/pull/1765>).
const NO_STRICT: ModelFacts = ModelFacts { strict_tools: Some(false), ..ModelFacts::NONE };
const NO_STRICT_NO_FORMAT: ModelFacts = ModelFacts { structured_output: Some(StructuredOutput::No), ..NO_STRICT };
/// Sonnet 4.6 writes at most 64,000 tokens there.
const SHORTER: ModelFacts = ModelFacts { max_output: Some(64_000), ..ModelFacts::NONE };

const ROWS: &[Row] = &[
    row("opus", 505, &ModelFacts { default_effort: Some(Effort::Medium), ..UNFORCED })
        .on(&[(Host::Bedrock, NO_STRICT)]),
    row("sonnet", 505, &ModelFacts { off: Some(Off::BetweenTools), off_up_to: Some(Effort::High), ..UNFORCED }),
    row("haiku", 505, &OFF_UP_TO_HIGH),
    row("fable mythos", 502, &UNFORCED),
    row("fable mythos", 501, &UNFORCED).on(&[(Host::Bedrock, NO_STRICT)]),
    row("fable mythos", 500, &ALWAYS),
    row("opus", 500, &OFF_UP_TO_HIGH),
    row("sonnet", 500, &ADAPTIVE).on(&[(Host::Bedrock, NO_STRICT_NO_FORMAT)]),
    row("opus", 408, &ADAPTIVE).on(&[(Host::Bedrock, NO_STRICT_NO_FORMAT)]),
    row("opus", 407, &ModelFacts { mid_system: Some(false), ..ADAPTIVE }).on(&[(Host::Bedrock, NO_STRICT_NO_FORMAT)]),
    // budgets are deprecated for it, as for Opus 4.6 (`MODELS_TO_WARN_WITH_THINKING_ENABLED` in the SDK)
    row(
        "mythos-preview",
        0,
        &ModelFacts {
            thinking: Some(Thinking::AdaptiveOrBudget),
            budget: Some((1024, 128_000)),
            mid_system: Some(false),
            ..ALWAYS
        },
    ),
    row("opus", 406, &BOTH),
    row("sonnet", 406, &BOTH).on(&[(Host::Vertex, SHORTER), (Host::Bedrock, SHORTER)]),
    // the only one of its generation with an effort
    row("opus", 405, &ModelFacts { efforts: Some(LOW_TO_HIGH), retires: Some(Date(20_270_122)), ..BUDGET }),
    row("sonnet", 405, &ModelFacts { retires: Some(Date(20_261_130)), ..BUDGET }),
    row("haiku", 405, &BUDGET),
    row("opus", 401, &ModelFacts { budget: Some((1024, 32_000)), max_output: Some(32_000), ..BUDGET }),
    row("opus", 400, &SMALL),
    rows("sonnet", (307, 400), &LOOSE),
    row("sonnet haiku", 305, &PLAIN),
    row("opus sonnet haiku", 300, &ModelFacts { max_output: Some(4096), ..PLAIN }),
    rows("- instant", (100, 201), &ModelFacts { max_output: Some(4096), ..PLAIN }),
];

pub const FAMILIES: &[Family] = &[Family {
    name: "claude",
    provider: Provider::Anthropic,
    on: &[],
    spelling: Spelling { minor_apart: true, version_first: false, ignored: &[], ..Spelling::of("claude-") },
    rows: ROWS,
}];
