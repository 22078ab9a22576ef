//! Meta's models, of which others run the servers. On Amazon Bedrock, no call can be required: <https://github.com/langchain-ai/langchain-aws/issues/620>
//! ("llama models support the auto tool choice").

use super::facts::{Efforts, ForcedCalls, ModelFacts, Thinking};
use super::name::Spelling;
use super::{Family, Host, Row, rows};
use crate::format::Provider;

const ON_BEDROCK: ModelFacts = ModelFacts {
    efforts: Some(Efforts::NONE),
    thinking: Some(Thinking::None),
    forced_calls: Some(ForcedCalls::No),
    media_in_results: Some(false),
    cache_marks: Some(false),
    ..ModelFacts::NONE
};

const ROWS: &[Row] = &[rows("*", (300, 499), &ModelFacts::NONE)];

pub const FAMILIES: &[Family] = &[Family {
    name: "llama",
    provider: Provider::Bedrock,
    on: &[(Host::Bedrock, ON_BEDROCK)],
    spelling: Spelling { minor_apart: true, is_open: false, ..Spelling::of("llama") },
    rows: ROWS,
}];
