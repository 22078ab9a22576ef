//! Formats that write the tool name outside the arguments, and the arguments as a JSON object.

use super::{
    After, BASE, Body, Channels, Definitions, Encoding, Format, Ids, NAMED_RESPONSE, Named, Results, THINK, Undeclared,
    pair, results,
};

const NAMED: Named = Named {
    before: "",
    separator: "",
    after: "",
    sibling: ["", "", ""],
    id: "",
    id_first: false,
    indexed: false,
    optional: false,
    bare: false,
    lines: false,
};

/// The markers and words of `harmony`, which `beam` shares.
pub(super) const HARMONY: Channels = Channels {
    start: "<|start|>",
    channel: "<|channel|>",
    message: "<|message|>",
    constrain: "<|constrain|>",
    ends: &["<|end|>", "<|call|>", "<|return|>"],
    next: "<|start|>assistant",
    call: "<|channel|>commentary to=functions.%n <|constrain|>json<|message|>%a<|call|>",
    between: "<|start|>assistant",
    close: "",
    reasoning: "analysis",
    text: "commentary",
    answer: "final",
    recipient: "to=",
    role: "assistant",
    namespace: "functions.",
    inner: None,
};

pub(super) static ROWS: [Format; 11] = [
    Format {
        id: "harmony",
        body: Body::Channels(HARMONY),
        separator: "",
        reasoning: &[],
        gap: "",
        definitions: Definitions::TypeScript,
        results: Results {
            between: "",
            encoding: Encoding::Json,
            ..results("<|start|>functions.%n to=assistant<|channel|>commentary<|message|>%r<|end|>")
        },
        ..BASE
    },
    Format {
        id: "mistral_args",
        call: pair("[TOOL_CALLS]", ""),
        separator: "",
        body: Body::Named(Named { separator: "[ARGS]", id: "[CALL_ID]", optional: true, bare: true, ..NAMED }),
        reasoning: &[pair("[THINK]", "[/THINK]"), THINK],
        gap: "",
        wrappers: &["</s>"],
        after: After::Dropped,
        results: Results { between: "", ..results("[TOOL_RESULTS]%r[/TOOL_RESULTS]") },
        ..BASE
    },
    Format {
        id: "kimi_k2",
        section: pair("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
        call: pair("<|tool_call_begin|>", "<|tool_call_end|>"),
        separator: "",
        body: Body::Named(Named { separator: "<|tool_call_argument_begin|>", indexed: true, ..NAMED }),
        ids: Ids::Indexed,
        after: After::Dropped,
        gap: "",
        results: results("## Return of %d\n%r"),
        ..BASE
    },
    Format {
        id: "plamo3",
        section: pair("<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>"),
        call: pair("<|plamo:begin_tool_request:plamo|>", "<|plamo:end_tool_request:plamo|>"),
        separator: "",
        body: Body::Named(Named {
            before: "<|plamo:begin_tool_name:plamo|>",
            separator: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>",
            after: "<|plamo:end_tool_arguments:plamo|>",
            sibling: [
                "<|plamo:begin_tool_name:plamo|>",
                "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:msg|>",
                "",
            ],
            ..NAMED
        }),
        reasoning: &[pair("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>")],
        gap: "",
        ..BASE
    },
    Format {
        id: "deepseek_v3",
        section: pair("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
        call: pair("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
        body: Body::Named(Named {
            before: "function<｜tool▁sep｜>",
            separator: "\n```json\n",
            after: "\n```",
            sibling: ["", "<｜tool▁sep｜>", ""],
            ..NAMED
        }),
        after: After::Dropped,
        gap: "",
        results: Results {
            all: pair("<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>"),
            between: "",
            ..results("<｜tool▁output▁begin｜>%r<｜tool▁output▁end｜>")
        },
        ..BASE
    },
    Format {
        id: "deepseek_v31",
        section: pair("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
        call: pair("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
        separator: "",
        body: Body::Named(Named {
            separator: "<｜tool▁sep｜>",
            sibling: ["function<｜tool▁sep｜>", "\n```json\n", "\n```"],
            ..NAMED
        }),
        after: After::Dropped,
        gap: "",
        results: results("<｜tool▁output▁begin｜>%r<｜tool▁output▁end｜>"),
        ..BASE
    },
    Format {
        id: "functionary_v31",
        call: pair("<function=", "</function>"),
        separator: "",
        body: Body::Named(Named { separator: ">", ..NAMED }),
        gap: "",
        results: NAMED_RESPONSE,
        ..BASE
    },
    Format {
        id: "functionary_v32",
        call: pair(">>>", ""),
        separator: "",
        body: Body::Named(Named { separator: "\n", ..NAMED }),
        text: pair(">>>all\n", ""),
        gap: "",
        wrappers: &["<|eot_id|>"],
        undeclared: Undeclared::Text,
        definitions: Definitions::TypeScript,
        results: NAMED_RESPONSE,
        ..BASE
    },
    // the model's chat template, and `GLM4_0414AgentTemplate` of ms-swift
    Format {
        id: "glm4_0414",
        separator: "<|assistant|>",
        body: Body::Named(Named { separator: "\n", lines: true, ..NAMED }),
        gap: "<|assistant|>",
        alone: true,
        wrappers: &["<|observation|>"],
        after: After::Dropped,
        definitions: Definitions::Json,
        results: Results { between: "", ..results("<|observation|>\n%r") },
        ..BASE
    },
    // the text in Groq's `tool_use_failed` errors
    Format {
        id: "groq_failed_generation",
        call: pair("<function=", "</function>"),
        also: &[pair("```json", "```"), pair("```", "```"), pair("<tool_call>", "</tool_call>")],
        spellings: &[
            ("<function(", "<function="),
            ("></function>", "</function>"),
            (")</function>", "</function>"),
            (")></function>", "</function>"),
            ("]</function>", "</function>"),
        ],
        separator: "",
        body: Body::Named(Named { separator: ">", bare: true, ..NAMED }),
        gap: "",
        wrappers: &["<|python_tag|>", "<|eom_id|>", "<|eot_id|>"],
        ..BASE
    },
    Format {
        id: "solar_open",
        section: pair("<|tool_calls|>", "<|calls|>"),
        call: pair("<|tool_call:begin|>", "<|tool_call:end|>"),
        separator: "",
        body: Body::Named(Named { separator: "<|tool_call:args|>", id: "<|tool_call:name|>", id_first: true, ..NAMED }),
        ids: Ids::Letters { count: 10, lower: true },
        reasoning: &[pair("<|think|>", "<|end|>"), THINK],
        gap: "",
        wrappers: &["<|content|>", "<|begin|>assistant", "<|end|>", "<|flush|>"],
        results: results("<tool_response name=%N id=\"%d\">\n%r\n</tool_response>"),
        ..BASE
    },
];
