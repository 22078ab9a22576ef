//! Amazon Bedrock's Converse (WIRE §5).

use super::{Asks, Endpoint, Endpoints, Format, Framing, Limits, ModelName, Opaque, Setting, Values};
use crate::value::Word;

pub static FORMAT: Format = Format {
    endpoints: Endpoints::one(Endpoint {
        whole: "/model/{model}/converse",
        streamed: "/model/{model}/converse-stream",
        model: ModelName::Segment,
    }),
    framing: Framing { binary: true, ..Framing::EVENTS },
    tools: &[Word::toolConfig, Word::tools],
    arguments: &[Word::toolUse, Word::input],
    id_key: None,
    settings: &[
        (Setting::Model, &[Word::modelId], Values::Own),
        (Setting::ToolChoice, &[Word::toolConfig, Word::toolChoice], Values::Own),
        (Setting::MaxTokens, &[Word::inferenceConfig, Word::maxTokens], Values::Clamped(1.0, f64::INFINITY)),
        (Setting::Temperature, &[Word::inferenceConfig, Word::temperature], Values::Clamped(0.0, 1.0)),
        (Setting::TopP, &[Word::inferenceConfig, Word::topP], Values::Clamped(0.0, 1.0)),
        (Setting::Stop, &[Word::inferenceConfig, Word::stopSequences], Values::Texts { most: 2500, blank: true }),
        // what the models of Anthropic take
        (Setting::TopK, &[Word::additionalModelRequestFields, Word::top_k], Values::Only(0.0, f64::INFINITY)),
        (
            Setting::BudgetTokens,
            &[Word::additionalModelRequestFields, Word::thinking, Word::budget_tokens],
            Values::Own,
        ),
        (Setting::IncludeReasoning, &[Word::additionalModelRequestFields, Word::thinking, Word::display], Values::Own),
        (Setting::Effort, &[Word::outputConfig, Word::effort], Values::Own),
        (Setting::ResponseFormat, &[Word::outputConfig, Word::textFormat], Values::Own),
        // in the path
        (Setting::Stream, &[], Values::Own),
    ],
    asks: Asks::ByThinking,
    opaque: Opaque::Base64,
    hosts_models: true,
    cache_mark: Some(Word::cachePoint),
    bookkeeping: &[
        Word::metrics,
        Word::trace,
        Word::performanceConfig,
        Word::serviceTier,
        Word::cacheDetails,
        // the same counts once more, of Claude's models
        Word::cacheReadInputTokenCount,
        Word::cacheWriteInputTokenCount,
        Word::sdk_metadata,
        Word::r#type,
    ],
    limits: Limits {
        missing: &[Word::parallel_tool_calls],
        shortest_id: 1,
        longest_id: 64,
        id_marks: Some("_.:-"),
        longest_name: 64,
        names_are_unique: true,
        ..Limits::NONE
    },
    ..Format::USUAL
};
