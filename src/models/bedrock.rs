//! What Amazon Bedrock's Converse accepts for models of several providers.
//!
//! Choices: `SpecificToolChoice` ("Only supported by Anthropic Claude 3 and Amazon Nova models") in the types of `@aws-sdk/client-bedrock-runtime`.
//! Media in results: `ToolResultContentBlock` there ("only supported by Amazon Nova and Anthropic Claude 3 and 4 models").
//! The effort of OpenAI's models: `additionalModelRequestFields.reasoning`, as `@ai-sdk/amazon-bedrock` 5.0.101 sends it.
//! Cache points: <https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html>, which lists models of Anthropic and Amazon.

use super::Host;
use super::facts::{EffortField, ForcedCalls, ModelFacts};

/// Models of neither Anthropic nor Amazon.
const OTHER: ModelFacts = ModelFacts {
    forced_calls: Some(ForcedCalls::Any),
    media_in_results: Some(false),
    cache_marks: Some(false),
    ..ModelFacts::NONE
};

pub const ON_BEDROCK: &[(Host, ModelFacts)] = &[(Host::Bedrock, OTHER)];
pub const OPENAI_ON_BEDROCK: &[(Host, ModelFacts)] =
    &[(Host::Bedrock, ModelFacts { effort_field: Some(EffortField::Reasoning), ..OTHER })];
