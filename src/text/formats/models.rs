//! The names of models, as servers spell them, and the formats that they were trained on.

use super::{Format, by_id};
use crate::letters::lowercase;

/// Patterns in lower case and the format of a model whose name contains one: the first that matches counts, so special ones come first.
const MODELS: &[(&str, &str)] = &[
    ("qwen3-coder", "qwen3_xml"),
    ("qwen3coder", "qwen3_xml"),
    ("qwen3.5", "qwen3_xml"),
    ("qwen3.6", "qwen3_xml"),
    ("qwen3-next-coder", "qwen3_xml"),
    ("nemotron-3", "qwen3_xml"),
    ("nemotron3", "qwen3_xml"),
    ("step-3.5", "qwen3_xml"),
    ("step3.5", "qwen3_xml"),
    ("mimo-v2", "qwen3_xml"),
    ("nanbeige", "qwen3_xml"),
    ("deepseek-v4", "deepseek_v4_dsml"),
    ("deepseek-v3.2", "deepseek_v32_dsml"),
    ("deepseek-v3.1", "deepseek_v31"),
    ("deepseek-v3", "deepseek_v3"),
    ("deepseek-r1", "deepseek_v3"),
    ("deepseek-chat", "deepseek_v32_dsml"),
    ("deepseek-reasoner", "deepseek_v32_dsml"),
    ("gpt-oss", "harmony"),
    ("llm-jp-4", "harmony"),
    ("kimi-k3", "kimi_k3"),
    ("kimi-k2", "kimi_k2"),
    ("glm-4.7", "glm47"),
    ("glm-5", "glm47"),
    ("ling-3", "glm47"),
    ("spark-2.5", "glm47"),
    ("spark2.5", "glm47"),
    ("laguna", "glm45"),
    ("glm-4.5", "glm45"),
    ("glm-4.6", "glm45"),
    ("ministral-3", "mistral_args"),
    ("mistral-small-3.2", "mistral_args"),
    ("mistral-small-2506", "mistral_args"),
    ("magistral", "mistral_args"),
    ("devstral", "mistral_args"),
    ("mistral-large-3", "mistral_args"),
    ("mistral-medium-3", "mistral_args"),
    ("voxtral", "mistral_args"),
    ("mistral", "mistral_json"),
    ("mixtral", "mistral_json"),
    ("codestral", "mistral_json"),
    ("pixtral", "mistral_json"),
    ("functiongemma", "functiongemma"),
    ("gemma-4", "gemma4"),
    ("gemma4", "gemma4"),
    ("gemma-3", "pythonic"),
    ("gemma3", "pythonic"),
    ("minimax-m3", "minimax_m3"),
    ("minimax-m2", "minimax_m2"),
    ("minimax-m1", "minimax_m1"),
    ("functionary-small-v3.1", "functionary_v31"),
    ("functionary-medium-v3.1", "functionary_v31"),
    ("functionary", "functionary_v32"),
    ("firefunction", "phi4mini"),
    ("xlam", "xlam"),
    ("toolace", "pythonic"),
    ("hermes", "hermes_json"),
    ("nemotron-nano", "nemotron_toolcall"),
    ("llama-4", "llama4_pythonic"),
    ("llama4", "llama4_pythonic"),
    ("llama-3.1", "llama3_json"),
    ("llama-3.2", "llama3_json"),
    ("llama-3.3", "llama3_json"),
    ("llama3.1", "llama3_json"),
    ("llama3.2", "llama3_json"),
    ("llama3.3", "llama3_json"),
    ("olmo-3", "olmo3"),
    ("olmo3", "olmo3"),
    ("lfm2", "lfm2"),
    ("seed-oss", "seed_oss"),
    ("granite-20b-functioncalling", "granite_20b_fc"),
    ("granite-3", "granite3"),
    ("granite3", "granite3"),
    ("granite-4", "hermes_json"),
    ("granite4", "hermes_json"),
    ("command-r-plus", "command_r_plus"),
    ("command-r7b", "cohere_action"),
    ("command-a", "cohere_action"),
    ("c4ai-command-r", "command_r_plus"),
    ("north", "cohere_action"),
    ("phi-4-mini", "phi4mini"),
    ("phi4-mini", "phi4mini"),
    ("hunyuan-a13b", "hunyuan_a13b"),
    ("hy3", "hunyuan_v3"),
    ("hunyuan-v3", "hunyuan_v3"),
    ("minicpm5", "minicpm5"),
    ("minicpm-5", "minicpm5"),
    ("apertus", "apertus"),
    ("jamba", "jamba"),
    ("ernie-4.5", "hermes_json"),
    ("internlm2", "internlm2"),
    ("internlm3", "internlm2"),
    ("longcat", "longcat"),
    ("gigachat3.5", "gigachat35"),
    ("gigachat3.1", "gigachat31"),
    ("gigachat", "gigachat3"),
    ("apriel", "apriel"),
    ("muse-glimmer", "muse_glimmer"),
    ("inkling", "inkling"),
    ("dots.llm", "dots"),
    ("dots-", "dots"),
    ("step3", "step3"),
    ("step-3", "step3"),
    ("solar-open", "solar_open"),
    ("qwen2.5", "hermes_json"),
    ("qwen3", "hermes_json"),
    ("qwen-2.5", "hermes_json"),
    ("qwq", "hermes_json"),
    ("mimo-vl", "hermes_json"),
    ("reka", "hermes_json"),
    ("exaone-4", "hermes_json"),
];

/// The format that a model was trained on, by its name, or `None` if that is unknown.
pub fn of_model(name: &str) -> Option<&'static Format> {
    let name = lowercase(name).replace([' ', '_'], "-");
    let (_, id) = MODELS.iter().find(|(pattern, _)| name.contains(pattern))?;
    by_id(id)
}

pub(super) fn of_format(id: &'static str) -> impl Iterator<Item = &'static str> {
    MODELS.iter().filter(move |(_, format)| *format == id).map(|(pattern, _)| *pattern)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{MODELS, by_id, of_model};

    #[test]
    fn every_pattern_has_a_format_and_is_reached() {
        for (pattern, id) in MODELS {
            assert!(by_id(id).is_some(), "{id}");
            assert_eq!(of_model(pattern).map(|format| format.id), Some(*id), "{pattern}");
        }
        assert!(of_model("some-model").is_none());
    }
}
