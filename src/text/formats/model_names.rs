//! Model names, as servers spell them.

use super::models::MODELS;
use super::{Format, by_id};
use crate::letters::lowercase;

/// The format that a model was trained on, by model name. `None` if it is unknown.
///
/// Servers write names with and without hyphens (`llama3.1`, `Llama-3.1`), and dots as hyphens or as `p` (`llama3-1`, `llama-v3p1`).
pub fn of_model(name: &str) -> Option<&'static Format> {
    let name = lowercase(name).replace([' ', '_'], "-").replace("llama-v3p", "llama-3.");
    let (_, id) = MODELS.iter().find(|(pattern, _)| contains(&name, pattern))?;
    by_id(id)
}

/// Whether a name contains the pattern as whole words.
fn contains(name: &str, pattern: &str) -> bool {
    name.char_indices().any(|(at, _)| {
        let before = name.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(char::is_alphabetic) && name.get(at..).is_some_and(|rest| begins(rest, pattern))
    })
}

/// Whether a version of at most two digits, and not a parameter count, is at the start and at least this one.
fn is_version(name: &str, least: &str) -> bool {
    let name = name.trim_start_matches('-');
    let digits = name.len() - name.trim_start_matches(|one: char| one.is_ascii_digit()).len();
    let (version, rest) = name.split_at_checked(digits).unwrap_or_default();
    let is_size = rest.strip_prefix('b').is_some_and(|after| !after.starts_with(char::is_alphabetic));
    let number = |text: &str| text.parse::<u32>().ok();
    digits <= 2 && !is_size && number(version).zip(number(least)).is_some_and(|(version, least)| version >= least)
}

fn begins(name: &str, pattern: &str) -> bool {
    if let Some(pattern) = pattern.strip_suffix('+') {
        let stem = pattern.trim_end_matches(|one: char| one.is_ascii_digit());
        let least = pattern.get(stem.len()..).unwrap_or_default();
        return after(name, stem).is_some_and(|rest| is_version(rest, least));
    }
    let Some(rest) = after(name, pattern) else { return false };
    // a whole word; a version number, not the start of a longer number or of a parameter count
    let is_size = rest.strip_prefix('b').is_some_and(|after| !after.starts_with(char::is_alphabetic));
    if pattern.ends_with(|last: char| last.is_ascii_digit()) {
        // years and months are the beginning of dates
        let is_date = pattern.ends_with("-25");
        return !is_size && (is_date || !rest.starts_with(|next: char| next.is_ascii_digit()));
    }
    !rest.starts_with(char::is_alphabetic)
}

/// The text after a pattern at the start of a name.
fn after<'a>(name: &'a str, pattern: &str) -> Option<&'a str> {
    let mut rest = name;
    for (index, wanted) in pattern.chars().filter(|&one| one != '-').enumerate() {
        let next = if index == 0 || wanted == '.' {
            rest
        } else {
            let next = rest.trim_start_matches('-');
            // a dot between an owner and a name
            if wanted.is_alphabetic() { next.strip_prefix('.').unwrap_or(next) } else { next }
        };
        let fits = |one: char| one == wanted || (wanted == '.' && matches!(one, '-' | 'p'));
        rest = next.strip_prefix(fits)?;
    }
    Some(rest)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
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

    /// A pattern that includes newer versions does so for the next minor and major ones, unless they have a pattern of their own.
    #[test]
    fn newer_versions_have_the_format_of_their_family() {
        let mut count = 0;
        for (pattern, id) in MODELS {
            let Some(version) = pattern.strip_suffix('+') else { continue };
            let stem = version.trim_end_matches(|one: char| one.is_ascii_digit());
            let least: u32 = version.trim_start_matches(stem).parse().unwrap();
            for name in
                [version.to_owned(), format!("{stem}{}", least + 1), format!("org/{stem}{}-20B-Instruct", least + 5)]
            {
                assert_eq!(of_model(&name).map(|format| format.id), Some(*id), "{name}");
                count += 1;
            }
        }
        assert!(count >= 30, "{count} names");
    }

    /// Model tags of Ollama, ids of Hugging Face, names of GGUF files, slugs of OpenRouter, ids of cloud providers.
    #[test]
    fn names_are_read_as_servers_spell_them() {
        let names: &[(&str, &[&str])] = &[
            ("ernie45", &["baidu/ERNIE-4.5-21B-A3B-PT"]),
            (
                "hermes_json",
                &[
                    "NousResearch/Hermes-3-Llama-3.1-8B",
                    "@hf/nousresearch/hermes-2-pro-mistral-7b",
                    "nousresearch/hermes-4-70b",
                    "qwen3:8b",
                    "qwen/qwen3-235b-a22b:free",
                    "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
                    "qwen2.5-coder:7b-instruct-q4_K_M",
                    "Qwen/QwQ-32B-AWQ",
                    "ibm-granite/granite-4.0-h-small",
                    "granite4:tiny-h",
                    "accounts/fireworks/models/qwen2p5-72b-instruct",
                    "DeepHermes-3-Llama-3-8B-Preview",
                    "Qwen/Qwen3-Next-80B-A3B-Instruct",
                    "Qwen/Qwen3-VL-8B-Instruct",
                    "qwen3-max",
                    "qwen-3-235b-a22b-instruct-2507",
                    "Qwen_Qwen3-30B-A3B-Q4_K_M.gguf",
                    "@cf/qwen/qwen3-30b-a3b-fp8",
                    "qwen.qwen3-32b-v1:0",
                    "NousResearch_Hermes-4-14B-Q4_K_M.gguf",
                    "LGAI-EXAONE/EXAONE-4.0.1-32B",
                    "HuggingFaceTB/SmolLM3-3B",
                    "speakleash/Bielik-11B-v2.6-Instruct",
                    "RekaAI/reka-flash-3",
                    "@cf/ibm-granite/granite-4.0-h-micro",
                    "granite-4.0-h-tiny-UD-Q4_K_XL.gguf",
                ],
            ),
            (
                "qwen3_xml",
                &[
                    "Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8",
                    "qwen3-coder:480b-cloud",
                    "nvidia/nemotron-3-nano-30b-a3b:free",
                    "Qwen/Qwen3.5-397B-A17B",
                    "qwen3.5:27b",
                    "qwen/qwen3.5-plus-02-15",
                    "accounts/fireworks/models/qwen3p5-397b-a17b",
                    "Qwen/Qwen3-Coder-Next",
                    "qwen-3-coder-480b",
                    "nemotron-3-nano:30b",
                    "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-BF16",
                    "stepfun/step-3.5-flash:free",
                    "stepfun-ai/Step-3.7",
                    "stepfun-ai/Step-5",
                    "Qwen/Qwen3.7-35B-A3B",
                    "Qwen/Qwen3.8-35B-A3B",
                    "qwen/qwen3.10-plus",
                    "Qwen/Qwen4-32B",
                    "ibm-granite/granite-4.2-h-small",
                    "IQuestLab/IQuest-Coder-V1-40B-Instruct",
                    "Nanbeige/Nanbeige4.1-3B",
                ],
            ),
            ("mimo", &["XiaomiMiMo/MiMo-V2-Flash"]),
            (
                "llama3_json",
                &[
                    "meta-llama/Llama-3.1-8B-Instruct",
                    "Meta-Llama-3.1-8B-Instruct-Q8_0.gguf",
                    "llama3.2:3b",
                    "meta.llama3-1-8b-instruct-v1:0",
                    "accounts/fireworks/models/llama-v3p1-8b-instruct",
                    "meta-llama/llama-3.3-70b-instruct:free",
                    "llama-3.1-8b-instant",
                    "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
                    "llama3.1-8b",
                    "accounts/fireworks/models/llama-v3p3-70b-instruct",
                    "nvidia/Llama-3.1-Nemotron-70B-Instruct-HF",
                    "llama-3.3-70b-versatile",
                ],
            ),
            (
                "llama4_pythonic",
                &[
                    "meta-llama/Llama-4-Scout-17B-16E-Instruct",
                    "us.meta.llama4-scout-17b-instruct-v1:0",
                    "llama4:scout",
                    "meta/llama-4-maverick-17b-128e-instruct-maas",
                ],
            ),
            (
                "mistral_json",
                &[
                    "mistralai/Mistral-7B-Instruct-v0.3",
                    "mistral:7b",
                    "mistralai/mistral-nemo",
                    "mixtral:8x7b",
                    "mistralai/Mistral-Small-24B-Instruct-2501",
                    "@cf/mistralai/mistral-small-3.1-24b-instruct",
                    "mistral.mistral-large-2402-v1:0",
                    "mistralai/Ministral-8B-Instruct-2410",
                    "ministral-8b-2410",
                    "mistral-large-2411",
                    "open-mistral-nemo",
                ],
            ),
            (
                "mistral_args",
                &[
                    "mistral-small3.2:24b",
                    "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
                    "mistralai/devstral-small",
                    "magistral:24b",
                    "mistralai/Ministral-3-14B-Reasoning-2512",
                    "mistral-large-2512",
                    "mistral-medium-2508",
                    "mistralai/mistral-medium-3.1",
                    "Devstral-2-123B-Instruct-2512",
                    "devstral2:123b",
                    "mistralai_Magistral-Small-2509-Q4_K_M.gguf",
                    "mistral.magistral-small-2509",
                    "mistral.ministral-3-8b-instruct",
                    "ministral-8b-2512",
                    "mistralai/Mistral-Small-4-119B-2603",
                    "mistralai/Voxtral-Mini-3B-2507",
                ],
            ),
            (
                "deepseek_v3",
                &[
                    "deepseek-ai/DeepSeek-V3-0324",
                    "deepseek/deepseek-chat-v3-0324:free",
                    "deepseek-r1:14b",
                    "DeepSeek-R1-0528-Qwen3-8B-UD-Q4_K_XL.gguf",
                    "us.deepseek.r1-v1:0",
                    "deepseek-ai/DeepSeek-R1-Distill-Llama-70B",
                    "accounts/fireworks/models/deepseek-v3",
                ],
            ),
            (
                "deepseek_v31",
                &[
                    "deepseek-ai/DeepSeek-V3.1",
                    "deepseek/deepseek-chat-v3.1",
                    "deepseek-ai/DeepSeek-V3.1-Terminus",
                    "deepseek-v3.1:671b-cloud",
                    "accounts/fireworks/models/deepseek-v3p1",
                    "deepseek.v3-v1:0",
                    "deepseek-ai/deepseek-v3.1-maas",
                    "deepseek-ai/DeepSeek-V3.2-Exp",
                    "tool_chat_template_deepseekv31.jinja",
                ],
            ),
            (
                "deepseek_v32_dsml",
                &[
                    "deepseek-chat",
                    "deepseek-ai/DeepSeek-V3.2-Speciale",
                    "accounts/fireworks/models/deepseek-v3p2",
                    "deepseek.v3.2",
                    "deepseekv32",
                ],
            ),
            (
                "harmony",
                &[
                    "gpt-oss:20b",
                    "openai/gpt-oss-120b",
                    "openai/gpt-oss-safeguard-20b",
                    "openai_gpt-oss-20b-MXFP4.gguf",
                    "openai.gpt-oss-120b-1:0",
                    "gpt-oss:120b-cloud",
                ],
            ),
            ("beam", &["reflection/Beam-1.0-501B-A23B-NVFP4"]),
            ("telechat4", &["TeleChat4", "XingChen-AGI/Xing4.0-29B-A4B"]),
            (
                "kimi_k2",
                &[
                    "moonshotai/Kimi-K2-Instruct-0905",
                    "moonshotai/kimi-k2-thinking",
                    "moonshotai/Kimi-K2.5",
                    "accounts/fireworks/models/kimi-k2p5",
                    "moonshot.kimi-k2-thinking",
                    "kimi-k2-thinking:cloud",
                ],
            ),
            (
                "glm45",
                &[
                    "zai-org/GLM-4.5-Air",
                    "z-ai/glm-4.6",
                    "z-ai/glm-4.5-air:free",
                    "zai-org_GLM-4.5-Air-Q4_K_M.gguf",
                    "accounts/fireworks/models/glm-4p6",
                    "zai-org/GLM-4.6V",
                    "XHToken/Spark-X2.5-4B",
                ],
            ),
            ("glm47", &["zai-org/GLM-4.7-Flash", "zai-glm-4.7", "zai-org/GLM-5.1", "z-ai/glm-5"]),
            (
                "pythonic",
                &[
                    "gemma3:12b",
                    "google/gemma-3-27b-it",
                    "gemma3n:e4b",
                    "google.gemma-3-27b-it",
                    "Team-ACE/ToolACE-2-Llama-3.1-8B",
                ],
            ),
            ("gemma4", &["gemma-4-E4B-it-UD-Q4_K_XL.gguf", "gemma4:26b", "google/gemma-4-31b-it:free"]),
            ("functiongemma", &["google/functiongemma-270m-it", "functiongemma:270m"]),
            (
                "minimax_m2",
                &[
                    "MiniMaxAI/MiniMax-M2.5",
                    "minimax-m2.1:cloud",
                    "minimax.minimax-m2",
                    "accounts/fireworks/models/minimax-m2p5",
                ],
            ),
            (
                "granite3",
                &["granite3.3:8b", "ibm-granite/granite-3.3-8b-instruct", "granite3.1-moe:3b", "granite3-dense:8b"],
            ),
            (
                "cohere_action",
                &[
                    "CohereLabs/c4ai-command-r7b-12-2024",
                    "command-r7b:7b",
                    "CohereLabs/command-a-03-2025",
                    "CohereLabs/command-a-reasoning-08-2025",
                    "c4ai-command-a-03-2025",
                ],
            ),
            (
                "command_r_plus",
                &[
                    "command-r-plus:104b",
                    "command-r:35b",
                    "command-r-08-2024",
                    "cohere.command-r-plus-v1:0",
                    "CohereForAI/c4ai-command-r-v01",
                ],
            ),
            (
                "nemotron_toolcall",
                &[
                    "nvidia/NVIDIA-Nemotron-Nano-9B-v2",
                    "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5",
                    "nvidia/Llama-3.1-Nemotron-Nano-8B-v1",
                    "nvidia.nemotron-nano-12b-v2",
                ],
            ),
            ("lfm2", &["LiquidAI/LFM2-1.2B-GGUF", "lfm2.5-8b-a1b", "LiquidAI/LFM2.5-1.2B-Thinking"]),
            ("olmo3", &["allenai/Olmo-3-7B-Instruct", "olmo-3:7b-instruct"]),
            ("xlam", &["Salesforce/Llama-xLAM-2-8b-fc-r", "Salesforce/xLAM-2-3b-fc-r"]),
            ("deepseek_v4_dsml", &["deepseek-ai/DeepSeek-V4-Flash", "deepseek/deepseek-v4.1"]),
            ("kimi_k3", &["moonshotai/Kimi-K3"]),
            ("phi4mini", &["microsoft/Phi-4-mini-instruct", "phi4-mini:3.8b"]),
            ("jamba", &["ai21labs/AI21-Jamba2-3B", "ai21.jamba-1-5-large-v1:0"]),
            ("gigachat3", &["ai-sage/GigaChat3-10B-A1.8B"]),
            ("gigachat31", &["ai-sage/GigaChat3.1-702B-A36B"]),
            ("internlm2", &["internlm/internlm2_5-7b-chat"]),
            ("longcat", &["meituan-longcat/LongCat-Flash-Chat"]),
            ("solar_open", &["upstage/Solar-Open-100B"]),
            ("apriel", &["ServiceNow-AI/Apriel-1.6-15b-Thinker"]),
            ("hunyuan_a13b", &["tencent/Hunyuan-A13B-Instruct"]),
            ("hunyuan_v3", &["tencent/Hy3-preview"]),
            ("dots", &["rednote-hilab/dots.llm1.inst"]),
            (
                "glm4_0414",
                &[
                    "GLM-4-0414",
                    "zai-org/GLM-4-32B-0414",
                    "THUDM/GLM-4-9B-0414",
                    "glm-4-9b-0414",
                    "zai/glm-4-32b-0414-128k",
                    "THUDM/GLM-Z1-9B-0414",
                    "GLM-Z1-Rumination-32B-0414-Q4_K_M.gguf",
                    "zai-org/glm-4-9b-chat-hf",
                ],
            ),
            ("step3", &["stepfun-ai/step3"]),
            ("seed_oss", &["ByteDance-Seed/Seed-OSS-36B-Instruct"]),
            ("apertus", &["swiss-ai/Apertus-8B-Instruct-2509"]),
            ("minicpm5", &["openbmb/MiniCPM5-1B"]),
            ("functionary_v32", &["meetkai/functionary-medium-v3.2"]),
            (
                "",
                &[
                    "claude-sonnet-4-5",
                    "gpt-5-nano",
                    "gemini-2.5-flash",
                    "x-ai/grok-4",
                    "bling-3b",
                    "granite-3b-code-instruct",
                    "sailing-30b",
                    "llama2:7b",
                    "phi3",
                    "northwind-7b",
                    "embeddinggemma:300m",
                    "meta-llama/Llama-Guard-4-12B",
                    "llama3:8b",
                    "Meta-Llama-3-8B-Instruct",
                    "gemma-2-9b-it",
                    "phi-4",
                    "deepseek-coder-v2",
                    "MiniMax-Text-01",
                    "glm4:9b",
                    "mistrallite",
                    "qwen2:7b",
                ],
            ),
        ];
        for (id, names) in names {
            for name in *names {
                assert_eq!(of_model(name).map_or("", |format| format.id), *id, "{name}");
            }
        }
    }
}
