//! Mistral's models: <https://docs.mistral.ai/capabilities/reasoning>. Only some of them have a `reasoning_effort`.

use super::bedrock::ON_BEDROCK;
use super::facts::{Effort, Efforts, ModelFacts, Off, Thinking};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::Provider;

/// Reasoning is on or off.
const HIGH: ModelFacts = ModelFacts {
    efforts: Some(Efforts::of(&[Effort::None, Effort::High])),
    thinking: Some(Thinking::Effort),
    off: Some(Off::None),
    ..ModelFacts::NONE
};
const PLAIN: ModelFacts =
    ModelFacts { efforts: Some(Efforts::NONE), thinking: Some(Thinking::None), ..ModelFacts::NONE };

// `-latest` is not always the newest: its rows come first
const MISTRAL: &[Row] = &[
    row(
        "large",
        400,
        &ModelFacts {
            efforts: Some(Efforts::of(&[Effort::Low, Effort::Medium, Effort::High])),
            off: Some(Off::No),
            ..HIGH
        },
    ),
    rows("large", (300, 300), &PLAIN),
    // by month: 2512
    rows("large medium small", (230_000, 259_999), &PLAIN),
    rows("medium", (305, 305), &HIGH),
    row("medium", 260_400, &HIGH),
    row("small", 260_300, &HIGH),
    row("medium small", 0, &HIGH),
    row("medium", 300, &PLAIN),
];

const MAGISTRAL: &[Row] = &[row("medium small", 0, &HIGH)];

const WITH_MONTHS: Spelling =
    Spelling { minor_apart: true, has_months: true, version_first: false, is_open: false, ..Spelling::of("") };

pub const FAMILIES: &[Family] = &[
    Family {
        name: "mistral",
        provider: Provider::OpenAI,
        on: ON_BEDROCK,
        spelling: Spelling { prefix: "mistral-", ..WITH_MONTHS },
        rows: MISTRAL,
    },
    Family {
        name: "magistral",
        provider: Provider::OpenAI,
        on: ON_BEDROCK,
        spelling: Spelling { prefix: "magistral-", ..WITH_MONTHS },
        rows: MAGISTRAL,
    },
];
