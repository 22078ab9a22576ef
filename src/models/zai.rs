//! Z.AI's models: <https://docs.z.ai/guides/capabilities/thinking-mode>.

use super::facts::{Effort, Efforts, ModelFacts, Off, Thinking};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::Provider;

const GLM_5_3: ModelFacts = ModelFacts {
    efforts: Some(Efforts::of(&[Effort::Low, Effort::High, Effort::Max])),
    thinking: Some(Thinking::Effort),
    off: Some(Off::No),
    ..ModelFacts::NONE
};

const ROWS: &[Row] = &[
    row("- flash highspeed", 503, &GLM_5_3),
    row(
        "- highspeed",
        502,
        &ModelFacts {
            efforts: Some(Efforts::of(&[Effort::None, Effort::High, Effort::Max])),
            off: Some(Off::None),
            ..GLM_5_3
        },
    ),
    rows("- turbo code v-turbo v air airx x flash 32b-128k", (400, 501), &ModelFacts::NONE),
];

pub const FAMILIES: &[Family] =
    &[Family { name: "glm", provider: Provider::OpenAI, on: &[], spelling: Spelling::of("glm-"), rows: ROWS }];
