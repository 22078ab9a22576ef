//! Moonshot AI's models: <https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model>, <https://platform.moonshot.ai/docs/api/chat>.

use super::facts::{Effort, Efforts, ModelFacts, Off, Thinking};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::Provider;

const K3: ModelFacts = ModelFacts {
    efforts: Some(Efforts::of(&[Effort::Low, Effort::High, Effort::Max])),
    thinking: Some(Thinking::Effort),
    off: Some(Off::No),
    ..ModelFacts::NONE
};
/// Thinking is on or off: there are no efforts.
const K2: ModelFacts =
    ModelFacts { efforts: None, thinking: Some(Thinking::None), off: Some(Off::Disabled), ..ModelFacts::NONE };

const ROWS: &[Row] = &[
    rows("- pro pro-highspeed", (300, 301), &K3),
    row("code code-highspeed", 207, &ModelFacts { off: Some(Off::No), ..K2 }),
    rows("-", (205, 206), &K2),
    rows("- thinking turbo thinking-turbo instruct", (200, 204), &ModelFacts::NONE),
];

pub const FAMILIES: &[Family] =
    &[Family { name: "kimi", provider: Provider::OpenAI, on: &[], spelling: Spelling::of("kimi-k"), rows: ROWS }];
