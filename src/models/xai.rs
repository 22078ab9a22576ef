//! xAI's models: <https://docs.x.ai/docs/guides/reasoning> ("presencePenalty, frequencyPenalty and stop are not supported by reasoning models").

use super::facts::{Effort, Efforts, ModelFacts, Off, SettingNames, Thinking, ToolsApi};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::{Provider, Setting};

const LOW_TO_HIGH: Efforts = Efforts::of(&[Effort::Low, Effort::Medium, Effort::High]);

const REASONING: ModelFacts = ModelFacts {
    efforts: Some(LOW_TO_HIGH.and(Efforts::of(&[Effort::Xhigh]))),
    thinking: Some(Thinking::Effort),
    off: Some(Off::No),
    refused: Some(SettingNames::of(&[Setting::PresencePenalty, Setting::FrequencyPenalty, Setting::Stop])),
    ..ModelFacts::NONE
};
/// Models that reason, but accept no effort.
const UNCONTROLLED: ModelFacts = ModelFacts { efforts: None, thinking: Some(Thinking::None), ..REASONING };
const PLAIN: ModelFacts =
    ModelFacts { efforts: Some(Efforts::NONE), thinking: Some(Thinking::None), ..ModelFacts::NONE };

const ROWS: &[Row] = &[
    rows("-", (450, 470), &REASONING),
    row(
        "-",
        430,
        &ModelFacts {
            efforts: Some(LOW_TO_HIGH.and(Efforts::of(&[Effort::None, Effort::Xhigh]))),
            off: Some(Off::None),
            ..REASONING
        },
    ),
    row("- reasoning", 420, &UNCONTROLLED),
    row("multi-agent", 420, &ModelFacts { tools_api: Some(ToolsApi::Responses), ..UNCONTROLLED }),
    row("non-reasoning", 420, &PLAIN),
    rows("- build", (0, 400), &ModelFacts::NONE),
    rows("code-fast", (0, 100), &UNCONTROLLED),
];

pub const FAMILIES: &[Family] = &[Family {
    name: "grok",
    provider: Provider::OpenAI,
    on: &[],
    spelling: Spelling {
        is_decimal: true,
        ignored: &["beta", "experimental", "gv2", "preview"],
        ..Spelling::of("grok-")
    },
    rows: ROWS,
}];
