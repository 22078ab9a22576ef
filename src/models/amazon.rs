//! Amazon's models. Cache points, but not for tools: <https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html>. Choices and media in
//! results: `SpecificToolChoice` and `ToolResultContentBlock` in the types of `@aws-sdk/client-bedrock-runtime`. Limits:
//! <https://docs.aws.amazon.com/nova/latest/userguide/what-is-nova.html>. Extended thinking, and what can't be sent at the effort "high":
//! <https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html>, <https://github.com/UKGovernmentBEIS/inspect_ai/issues/3767>,
//! <https://github.com/maximhq/bifrost/pull/1116>.

use super::facts::{Effort, EffortField, Efforts, ForcedCalls, ModelFacts, Off, SettingNames, Thinking};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::{Provider, Setting};

const NOVA_2: ModelFacts = ModelFacts {
    efforts: Some(Efforts::of(&[Effort::Low, Effort::Medium, Effort::High])),
    thinking: Some(Thinking::Effort),
    off: Some(Off::Disabled),
    effort_field: Some(EffortField::ReasoningConfig),
    refused_with_reasoning: Some(SettingNames::of(&[Setting::MaxTokens, Setting::Temperature, Setting::TopP])),
    refused_from_effort: Some(Effort::High),
    forced_calls: Some(ForcedCalls::Yes),
    media_in_results: Some(true),
    cache_marks: Some(true),
    cache_marks_in_tools: Some(false),
    max_output: Some(64_000),
    ..ModelFacts::NONE
};
const NOVA: ModelFacts = ModelFacts {
    efforts: Some(Efforts::NONE),
    thinking: Some(Thinking::None),
    off: None,
    effort_field: None,
    refused_with_reasoning: None,
    refused_from_effort: None,
    max_output: Some(10_000),
    ..NOVA_2
};

const ROWS: &[Row] = &[rows("lite pro omni", (200, 299), &NOVA_2), row("micro lite pro premier", 0, &NOVA)];

pub const FAMILIES: &[Family] = &[Family {
    name: "nova",
    provider: Provider::Bedrock,
    on: &[],
    spelling: Spelling { is_open: false, ..Spelling::of("nova-") },
    rows: ROWS,
}];
