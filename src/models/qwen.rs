//! Alibaba's models: <https://help.aliyun.com/zh/model-studio/deep-thinking>. Thinking is turned on and off by fields of its own, so no limit of settings
//! is known.

use super::facts::ModelFacts;
use super::name::Spelling;
use super::{Family, Row, rows};
use crate::format::Provider;

const ROWS: &[Row] =
    &[rows("- max plus flash omni-flash coder coder-plus coder-flash vl-plus", (100, 399), &ModelFacts::NONE)];

pub const FAMILIES: &[Family] = &[Family {
    name: "qwen",
    provider: Provider::OpenAI,
    on: &[],
    spelling: Spelling { is_open: false, ..Spelling::of("qwen") },
    rows: ROWS,
}];
