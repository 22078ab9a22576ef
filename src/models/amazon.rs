//! Amazon's models. Cache points, but not for tools: <https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html>. Choices and media in
//! results: `SpecificToolChoice` and `ToolResultContentBlock` in the types of `@aws-sdk/client-bedrock-runtime`. Limits:
//! <https://docs.aws.amazon.com/nova/latest/userguide/what-is-nova.html>.

use super::facts::{Efforts, ForcedCalls, ModelFacts, Thinking};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::Provider;

const NOVA_2: ModelFacts = ModelFacts {
    forced_calls: Some(ForcedCalls::Yes),
    media_in_results: Some(true),
    cache_marks: Some(true),
    cache_marks_in_tools: Some(false),
    max_output: Some(64_000),
    ..ModelFacts::NONE
};
const NOVA: ModelFacts =
    ModelFacts { efforts: Some(Efforts::NONE), thinking: Some(Thinking::None), max_output: Some(10_000), ..NOVA_2 };

const ROWS: &[Row] = &[rows("lite pro omni", (200, 299), &NOVA_2), row("micro lite pro premier", 0, &NOVA)];

pub const FAMILIES: &[Family] = &[Family {
    name: "nova",
    provider: Provider::Bedrock,
    on: &[],
    spelling: Spelling { is_open: false, ..Spelling::of("nova-") },
    rows: ROWS,
}];
