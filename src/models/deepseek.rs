//! DeepSeek's models: <https://api-docs.deepseek.com/guides/thinking_mode>.

use super::bedrock::ON_BEDROCK;
use super::facts::{Effort, Efforts, ModelFacts, Off, Thinking};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::Provider;

const V4: ModelFacts = ModelFacts {
    efforts: Some(Efforts::of(&[Effort::Low, Effort::High, Effort::Max])),
    thinking: Some(Thinking::Effort),
    off: Some(Off::Disabled),
    prefill: Some(true),
    ..ModelFacts::NONE
};

const ROWS: &[Row] = &[
    row("flash flash-vision", 400, &V4),
    row("pro", 400, &ModelFacts { efforts: Some(Efforts::of(&[Effort::High, Effort::Max])), ..V4 }),
    row("flash", 0, &V4),
    row("chat coder reasoner", 0, &ModelFacts::NONE),
    rows("- exp speciale", (200, 399), &ModelFacts::NONE),
    row("r1", 0, &ModelFacts::NONE),
];

pub const FAMILIES: &[Family] = &[Family {
    name: "deepseek",
    provider: Provider::OpenAI,
    on: ON_BEDROCK,
    spelling: Spelling { is_open: false, ignored: &["exp"], ..Spelling::of("deepseek-") },
    rows: ROWS,
}];
