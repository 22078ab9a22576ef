//! The text formats of chat templates, by the markers in them, and of the parsers of mlx-lm.
//!
//! Sources: llama.cpp's `models/templates`, vLLM's `examples/tool_chat_template_*.jinja` and parsers, and `tool_parsers` of mlx-lm 0.32.2.

use super::{Format, by_id};

/// Markers with the format of the templates that contain all of them. The first match wins, so formats with more markers come first.
const TEMPLATES: &[(&[&str], &str)] = &[
    (&["｜DSML｜", "function_calls>"], "deepseek_v32_dsml"),
    (&["｜DSML｜", "tool_calls>"], "deepseek_v4_dsml"),
    (&["<｜tool▁calls▁begin｜>", "```json"], "deepseek_v3"),
    (&["<｜tool▁calls▁begin｜>"], "deepseek_v31"),
    (&["<|tool_calls_section_begin|>"], "kimi_k2"),
    (&["<|open|>", "<|sep|>"], "kimi_k3"),
    (&["<atem:function_calls>"], "muse_glimmer"),
    (&["<|channel|>", "<rfl:parameter"], "beam"),
    (&["<|channel|>", "commentary", "functions"], "harmony"),
    (&["<minimax:tool_call>"], "minimax_m2"),
    (&["minimax[>["], "minimax_m3"),
    (&["<seed:tool_call>"], "seed_oss"),
    (&["<longcat_tool_call>"], "longcat"),
    (&["<|tool_call>", "<tool_call|>"], "gemma4"),
    (&["<start_function_call>"], "functiongemma"),
    (&["<|tool_call_start|>"], "lfm2"),
    (&["<|tool_list_start|>"], "lfm2"),
    (&["<|tool_call:begin|>"], "solar_open"),
    (&["<|START_ACTION|>"], "cohere_action"),
    (&["<|START_OF_TURN_TOKEN|>", "Action:"], "command_r_plus"),
    (&["<TOOLCALL>"], "nemotron_toolcall"),
    (&["<|tools_prefix|>"], "apertus"),
    (&["<steptml:"], "step3"),
    (&["<|content_invoke_tool_json|>"], "inkling"),
    (&["[TOOL_CALLS]", "[ARGS]"], "mistral_args"),
    (&["[TOOL_CALLS]"], "mistral_json"),
    (&["<|action_start|>"], "internlm2"),
    (&["functools["], "phi4mini"),
    (&["<|start_of_role|>", "<|tool_call|>"], "granite3"),
    (&[">>>all"], "functionary_v32"),
    (&["<tool_sep", "<arg_key"], "hunyuan_v3"),
    (&["<tool_calls", "<tool_call", "<arg_key"], "hunyuan_v4"),
    (&["<ifm|tool_calls>", "<ifm|arg_key>"], "k2_horizon"),
    (&["<iquest_tool_call>"], "iquest_q1"),
    (&["<|plamo:begin_tool_requests:plamo|>"], "plamo3"),
    (&["<|assistant|>{{ meta", "<|observation|>"], "glm4_0414"),
    (&["<|{{ item['role'] }}|>{{ item['metadata'] }}\n"], "glm4_0414"),
    (&["<tool_call>", "<param_key>"], "telechat4"),
    (&["\n<arg_key>"], "glm45"),
    (&["<arg_key>"], "glm47"),
    (&["<function name=\"", "<param name=\""], "minicpm5"),
    (&["<tool_call>\n<function="], "qwen3_xml"),
    (&["<tool_call><function="], "mimo"),
    (&["<tool_calls>\n{"], "minimax_m1"),
    (&["<available_tools>", "<tool_calls>"], "apriel"),
    (&["<tool_call>", "<response>"], "ernie45"),
    (&["<tool_call>"], "hermes_json"),
    (&["<function="], "functionary_v31"),
    (&["<|start_header_id|>", "\"parameters\": dictionary"], "llama3_json"),
];

/// Names of `tool_parser_type` with their formats.
const MLX: &[(&str, &str)] = &[
    ("function_gemma", "functiongemma"),
    ("gemma4", "gemma4"),
    ("glm47", "glm47"),
    ("json_tools", "hermes_json"),
    ("kimi_k2", "kimi_k2"),
    ("kimi_k3", "kimi_k3"),
    ("laguna", "glm45"),
    ("longcat", "longcat"),
    ("minicpm5", "minicpm5"),
    ("minimax_m2", "minimax_m2"),
    ("mistral", "mistral_args"),
    ("muse_spark", "muse_glimmer"),
    ("pythonic", "lfm2"),
    ("qwen3_coder", "qwen3_xml"),
];

/// The format that a chat template (Jinja) writes calls in. `None` if none of its markers is known.
pub fn of_template(template: &str) -> Option<&'static Format> {
    // line breaks are mostly written as escapes
    let template = template.replace("\\n", "\n").replace("\\\"", "\"");
    let (_, id) = TEMPLATES.iter().find(|(markers, _)| markers.iter().all(|marker| template.contains(marker)))?;
    by_id(id)
}

/// The format of a parser of mlx-lm, which a tokenizer configuration names as `tool_parser_type`.
pub fn of_mlx_parser(name: &str) -> Option<&'static Format> {
    MLX.iter().find(|(known, _)| *known == name).and_then(|(_, id)| by_id(id))
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::{MLX, TEMPLATES, by_id, of_mlx_parser, of_template};

    fn format_of(template: &str) -> Option<&'static str> {
        of_template(template).map(|format| format.id)
    }

    #[test]
    fn every_row_has_a_format_and_is_reached() {
        for (markers, id) in TEMPLATES {
            assert!(by_id(id).is_some(), "{id}");
            let template = format!("{{{{ '{}' }}}}", markers.join("' + name + '"));
            assert_eq!(format_of(&template), Some(*id), "{markers:?}");
        }
        for (name, id) in MLX {
            assert_eq!(of_mlx_parser(name).map(|format| format.id), Some(*id), "{name}");
        }
        assert!(format_of("{{ messages }}").is_none() && of_mlx_parser("other").is_none());
    }

    #[test]
    fn formats_that_share_markers_differ_in_others_and_in_line_breaks() {
        for (template, id) in [
            (r#"{{ '<tool_call>\n' + call | tojson }}"#, "hermes_json"),
            (r#"{{ '<tool_call>\n<function=' + call.name + '>\n' }}"#, "qwen3_xml"),
            (r#"{{ '<tool_call><function=' + call.name + '>' }}"#, "mimo"),
            (r#"{{ '<tool_call>' + call.name }}{{ '\n<arg_key>' }}"#, "glm45"),
            (r#"{{ '<tool_call>' + call.name }}{{ '<arg_key>' }}"#, "glm47"),
            (r#"{{ "<function name=\"" + call.name + "\"><param name=\"" }}"#, "minicpm5"),
            (r#"{{ '[TOOL_CALLS]' + call.name + '[ARGS]' }}"#, "mistral_args"),
        ] {
            assert_eq!(format_of(template), Some(id), "{template}");
        }
    }
}
