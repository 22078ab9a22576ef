//! OpenAI's models.
//!
//! Efforts and settings: <https://developers.openai.com/api/docs/guides/reasoning>,
//! <https://developers.openai.com/api/docs/guides/deployment-checklist>, and the API's errors ("Supported values are: …", "Unsupported parameter: …").
//! Dates of retirement: the comments of `ChatModel` in the package `openai`.

use super::bedrock::OPENAI_ON_BEDROCK;
use super::date::Date;
use super::facts::{Effort, Efforts, ModelFacts, Off, SettingNames, Thinking, ToolsApi};
use super::name::Spelling;
use super::{Family, Row, row, rows};
use crate::format::{Provider, Setting};

const LOW_TO_HIGH: Efforts = Efforts::of(&[Effort::Low, Effort::Medium, Effort::High]);
const LOW_TO_XHIGH: Efforts = LOW_TO_HIGH.and(Efforts::of(&[Effort::Xhigh]));
const LOW_TO_MAX: Efforts = LOW_TO_XHIGH.and(Efforts::of(&[Effort::Max]));
const NONE: Efforts = Efforts::of(&[Effort::None]);

/// Models that reason. Penalties and stop sequences are refused at any effort; temperature, `top_p` and logprobs unless the effort is "none"
/// (deployment checklist).
const REASONING: ModelFacts = ModelFacts {
    thinking: Some(Thinking::Effort),
    default_effort: Some(Effort::Medium),
    off: Some(Off::No),
    refused: Some(SettingNames::of(&[Setting::PresencePenalty, Setting::FrequencyPenalty, Setting::Stop])),
    refused_with_reasoning: Some(SettingNames::of(&[Setting::Temperature, Setting::TopP, Setting::TopLogprobs])),
    max_output: Some(128_000),
    ..ModelFacts::NONE
};

/// GPT-5.4 and later refuse tools with an effort in Chat Completions: "Function tools with reasoning_effort are not supported for gpt-5.6-terra in
/// /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."
/// (<https://github.com/openai/openai-openapi/issues/541>, <https://github.com/BerriAI/litellm/pull/34569>)
const RESPONSES_IF_REASONING: ModelFacts = ModelFacts {
    efforts: Some(LOW_TO_XHIGH.and(NONE)),
    off: Some(Off::None),
    tools_api: Some(ToolsApi::ResponsesIfReasoning),
    ..REASONING
};
/// GPT-5.6 and the models of GPT-6 whose reasoning can be turned off. All from GPT-5.6 on have marks of what may be cached
/// (<https://developers.openai.com/api/docs/guides/prompt-caching>).
const NONE_TO_MAX: ModelFacts =
    ModelFacts { efforts: Some(LOW_TO_MAX.and(NONE)), cache_marks: Some(true), ..RESPONSES_IF_REASONING };
/// Those that always reason: no effort lets tools through (<https://github.com/genkit-ai/genkit/pull/6303>).
const ALWAYS_TO_MAX: ModelFacts = ModelFacts {
    efforts: Some(LOW_TO_MAX),
    tools_api: Some(ToolsApi::Responses),
    cache_marks: Some(true),
    ..REASONING
};

/// Models that only Responses has: `/v1/responses` is the endpoint of their pages (<https://developers.openai.com/api/docs/models>).
const RESPONSES: ModelFacts = ModelFacts { tools_api: Some(ToolsApi::Responses), ..REASONING };
const PRO: ModelFacts =
    ModelFacts { efforts: Some(Efforts::of(&[Effort::Medium, Effort::High, Effort::Xhigh])), ..RESPONSES };

/// GPT-5.1 and GPT-5.2 do not reason unless they are asked to.
const NONE_BY_DEFAULT: ModelFacts =
    ModelFacts { off: Some(Off::None), default_effort: Some(Effort::None), ..REASONING };
/// The models of ChatGPT choose by themselves: "Unsupported value: 'low' … Supported values are: 'medium'".
const CHAT: ModelFacts =
    ModelFacts { efforts: Some(Efforts::of(&[Effort::Medium])), max_output: Some(16_384), ..REASONING };

/// Models that do not reason.
const PLAIN: ModelFacts =
    ModelFacts { efforts: Some(Efforts::NONE), thinking: Some(Thinking::None), ..ModelFacts::NONE };

const fn retires(facts: ModelFacts, date: u32) -> ModelFacts {
    ModelFacts { retires: Some(Date(date)), ..facts }
}

const fn efforts(facts: ModelFacts, efforts: Efforts) -> ModelFacts {
    ModelFacts { efforts: Some(efforts), ..facts }
}

const GPT: &[Row] = &[
    row("sol astra astra-law", 602, &ALWAYS_TO_MAX),
    row("sol", 601, &ALWAYS_TO_MAX),
    row("terra", 601, &NONE_TO_MAX),
    row("sol luna", 600, &NONE_TO_MAX),
    row("astra astra-law cyber rosalind", 600, &ALWAYS_TO_MAX),
    row("- sol terra luna", 506, &NONE_TO_MAX),
    row("cyber", 506, &ALWAYS_TO_MAX),
    row("-", 505, &RESPONSES_IF_REASONING),
    row("- mini", 504, &ModelFacts { default_effort: Some(Effort::None), ..RESPONSES_IF_REASONING }),
    row("nano", 504, &retires(ModelFacts { default_effort: Some(Effort::None), ..RESPONSES_IF_REASONING }, 20_270_401)),
    rows("pro", (502, 505), &PRO),
    row("codex", 503, &ModelFacts { efforts: Some(LOW_TO_XHIGH.and(NONE)), off: Some(Off::None), ..RESPONSES }),
    row("codex-spark", 503, &ModelFacts { max_output: Some(32_000), ..efforts(RESPONSES, LOW_TO_XHIGH) }),
    row("codex", 502, &efforts(RESPONSES, LOW_TO_XHIGH)),
    row("codex-max", 501, &efforts(RESPONSES, LOW_TO_XHIGH)),
    rows("codex codex-mini", (500, 501), &efforts(RESPONSES, LOW_TO_HIGH)),
    rows("chat", (501, 503), &CHAT),
    rows("- mini", (502, 503), &efforts(NONE_BY_DEFAULT, LOW_TO_XHIGH.and(NONE))),
    row("- mini", 501, &retires(efforts(NONE_BY_DEFAULT, LOW_TO_HIGH.and(NONE)), 20_270_401)),
    row(
        "pro",
        500,
        &ModelFacts {
            efforts: Some(Efforts::of(&[Effort::High])),
            default_effort: Some(Effort::High),
            max_output: Some(272_000),
            ..RESPONSES
        },
    ),
    row("- mini nano", 500, &retires(efforts(REASONING, LOW_TO_HIGH.and(Efforts::of(&[Effort::Minimal]))), 20_261_211)),
    row("chat", 500, &ModelFacts { max_output: Some(16_384), ..retires(PLAIN, 20_260_723) }),
    row("search-api", 500, &PLAIN),
    row(
        "o-search o-mini-search",
        400,
        &ModelFacts { refused: Some(SettingNames::of(&[Setting::Temperature])), ..retires(PLAIN, 20_260_723) },
    ),
    rows("- mini", (401, 401), &ModelFacts { max_output: Some(32_768), ..retires(PLAIN, 20_270_114) }),
    row("nano", 401, &ModelFacts { max_output: Some(32_768), ..retires(PLAIN, 20_261_023) }),
    row("o o-mini", 400, &ModelFacts { max_output: Some(16_384), ..retires(PLAIN, 20_270_114) }),
    row("o-audio o-mini-audio", 400, &ModelFacts { max_output: Some(16_384), ..retires(PLAIN, 20_260_507) }),
    rows(
        "- turbo turbo-16k 32k vision",
        (305, 400),
        &ModelFacts { max_output: Some(4096), ..retires(PLAIN, 20_261_023) },
    ),
    // Azure's spelling of 3.5
    row("turbo turbo-16k", 3500, &ModelFacts { max_output: Some(4096), ..PLAIN }),
    // names without a version, of which too little is known
    rows("audio audio-mini", (0, 199), &ModelFacts { max_output: Some(16_384), ..PLAIN }),
    row("chat rosalind-research", 0, &ModelFacts::NONE),
    row("daybreak-blue daybreak-red", 0, &ModelFacts { tools_api: Some(ToolsApi::Responses), ..ModelFacts::NONE }),
];

/// The o series refuses the control of parallel calls ("Unsupported parameter: 'parallel_tool_calls' is not supported with this model").
const O_SERIES: ModelFacts =
    ModelFacts { efforts: Some(LOW_TO_HIGH), parallel_calls: Some(false), max_output: Some(100_000), ..REASONING };
const O_RESPONSES: ModelFacts = ModelFacts { tools_api: Some(ToolsApi::Responses), ..O_SERIES };

const O: &[Row] = &[
    row("mini", 400, &retires(O_SERIES, 20_261_023)),
    row("mini-deep-research", 400, &O_RESPONSES),
    row("-", 300, &retires(O_SERIES, 20_261_211)),
    row("mini", 300, &retires(O_SERIES, 20_261_023)),
    row("pro deep-research", 300, &O_RESPONSES),
    row("-", 100, &retires(O_SERIES, 20_261_023)),
    row("pro", 100, &O_RESPONSES),
    row(
        "mini",
        100,
        &ModelFacts {
            thinking: Some(Thinking::None),
            efforts: None,
            max_output: Some(65_536),
            ..retires(O_SERIES, 20_251_027)
        },
    ),
];

/// Names that are not written like those of a family.
const OTHERS: &[Row] = &[
    row("chat daybreak-blue daybreak-red", 0, &ModelFacts::NONE),
    row("codex-mini", 0, &retires(efforts(RESPONSES, LOW_TO_HIGH), 20_260_212)),
    row(
        "computer-use",
        0,
        &ModelFacts { max_output: Some(1024), tools_api: Some(ToolsApi::Responses), ..ModelFacts::NONE },
    ),
    row("chatgpt-o", 400, &retires(PLAIN, 20_260_217)),
];

pub const FAMILIES: &[Family] = &[
    Family {
        name: "gpt",
        provider: Provider::OpenAI,
        on: OPENAI_ON_BEDROCK,
        spelling: Spelling::of("gpt-"),
        rows: GPT,
    },
    Family { name: "o", provider: Provider::OpenAI, on: OPENAI_ON_BEDROCK, spelling: Spelling::of("o"), rows: O },
];

/// Names that do not begin alike.
pub const UNLIKE: &[Family] = &[Family {
    name: "openai",
    provider: Provider::OpenAI,
    on: OPENAI_ON_BEDROCK,
    spelling: Spelling { is_open: false, ..Spelling::of("") },
    rows: OTHERS,
}];
