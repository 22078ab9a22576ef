//! Google's models.
//!
//! Thinking: <https://ai.google.dev/gemini-api/docs/thinking>, <https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thinking>.
//! Gemini 4: <https://ai.google.dev/gemini-api/docs/generate-content/latest-model>. Media in results, signatures, JSON beside tools:
//! <https://ai.google.dev/gemini-api/docs/gemini-3>.

use super::facts::{Effort, Efforts, ModelFacts, Off, SettingNames, StructuredOutput, Thinking};
use super::name::Spelling;
use super::{Family, Host, Row, row, rows};
use crate::format::{Provider, Setting};

const LOW_TO_HIGH: Efforts = Efforts::of(&[Effort::Low, Effort::Medium, Effort::High]);
/// "Penalty is not enabled for this model" (<https://github.com/google-gemini/cookbook/issues/1290>, <https://github.com/vercel/ai/issues/8943>).
const PENALTIES: SettingNames = SettingNames::of(&[Setting::PresencePenalty, Setting::FrequencyPenalty]);

/// Gemini 3: levels, and budgets for compatibility. A forced call and JSON exclude each other.
const GEMINI_3: ModelFacts = ModelFacts {
    efforts: Some(LOW_TO_HIGH),
    default_effort: Some(Effort::High),
    thinking: Some(Thinking::Level),
    off: Some(Off::No),
    budget: Some((1, u32::MAX)),
    refused: Some(PENALTIES),
    structured_output: Some(StructuredOutput::WithoutForcedCalls),
    media_in_results: Some(true),
    thought_signatures: Some(true),
    call_ids: Some(true),
    mixed_tools: Some(true),
    context_window: Some(1_048_576),
    max_output: Some(65_536),
    ..ModelFacts::NONE
};
const MINIMAL: ModelFacts = ModelFacts { efforts: Some(LOW_TO_HIGH.and(Efforts::of(&[Effort::Minimal]))), ..GEMINI_3 };

/// Gemini 4: levels only, one candidate.
const GEMINI_4: ModelFacts = ModelFacts {
    default_effort: Some(Effort::Medium),
    budget: None,
    refused: Some(PENALTIES.and(SettingNames::of(&[Setting::CandidateCount]))),
    max_output: Some(1_048_576),
    ..GEMINI_3
};

/// Gemini 2.5: budgets. On Vertex AI, it accepts penalties.
const GEMINI_2_5: ModelFacts = ModelFacts {
    thinking: Some(Thinking::Budget),
    off: Some(Off::ZeroBudget),
    budget: Some((1, 24_576)),
    refused: Some(PENALTIES),
    structured_output: Some(StructuredOutput::WithoutTools),
    media_in_results: Some(false),
    thought_signatures: Some(false),
    call_ids: Some(false),
    mixed_tools: Some(false),
    context_window: Some(1_048_576),
    max_output: Some(65_536),
    ..ModelFacts::NONE
};
const ON_VERTEX: &[(Host, ModelFacts)] =
    &[(Host::Vertex, ModelFacts { refused: Some(SettingNames::NONE), ..ModelFacts::NONE })];

/// Models that do not reason.
const PLAIN: ModelFacts = ModelFacts {
    efforts: Some(Efforts::NONE),
    thinking: Some(Thinking::None),
    off: None,
    budget: None,
    refused: None,
    max_output: Some(8192),
    ..GEMINI_2_5
};

const GEMINI: &[Row] = &[
    row("argon carbon", 400, &GEMINI_4),
    row(
        "hydrogen neon",
        400,
        &ModelFacts { efforts: Some(LOW_TO_HIGH.and(Efforts::of(&[Effort::Xhigh]))), ..GEMINI_4 },
    ),
    rows("flash", (307, 308), &ModelFacts { default_effort: Some(Effort::Medium), ..GEMINI_3 }),
    rows("flash-lite", (300, 305), &MINIMAL),
    rows("flash", (300, 306), &MINIMAL),
    row("pro", 301, &GEMINI_3),
    row("pro", 300, &ModelFacts { efforts: Some(Efforts::of(&[Effort::Low, Effort::High])), ..GEMINI_3 }),
    row("pro", 205, &ModelFacts { off: Some(Off::No), budget: Some((128, 32_768)), ..GEMINI_2_5 }).on(ON_VERTEX),
    row("flash", 205, &GEMINI_2_5).on(ON_VERTEX),
    row("flash-lite", 205, &ModelFacts { budget: Some((512, 24_576)), ..GEMINI_2_5 }).on(ON_VERTEX),
    rows("pro flash flash-lite flash-8b", (100, 200), &PLAIN),
    // images, speech, video, robots: no limits are known
    rows(
        "pro-image flash-image flash-lite-image flash-tts flash-lite-tts transcribe computer-use pro-tts omni-flash nano-banana robotics-er omni",
        (100, 499),
        &ModelFacts::NONE,
    ),
    row("omni-flash", 0, &ModelFacts::NONE),
];

/// Before Gemma 4, there is no system prompt ("Developer instruction is not enabled for models/gemma-3-27b-it").
const GEMMA: &[Row] = &[
    rows(
        "*",
        (400, 499),
        &ModelFacts {
            efforts: Some(Efforts::of(&[Effort::Minimal, Effort::High])),
            thinking: Some(Thinking::Level),
            off: Some(Off::No),
            ..ModelFacts::NONE
        },
    ),
    rows("*", (100, 399), &ModelFacts { system_prompt: Some(false), ..ModelFacts::NONE }),
];

pub const FAMILIES: &[Family] = &[
    Family {
        name: "gemini",
        provider: Provider::Google,
        on: &[],
        spelling: Spelling { ignored: &["preview", "exp", "customtools"], ..Spelling::of("gemini-") },
        rows: GEMINI,
    },
    Family {
        name: "gemma",
        provider: Provider::Google,
        on: &[],
        spelling: Spelling { is_open: false, ..Spelling::of("gemma-") },
        rows: GEMMA,
    },
];
