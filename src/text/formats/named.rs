//! Formats with the name outside the arguments, which are a JSON object.

use super::{After, BASE, Body, Broken, Channels, Format, Ids, NONE, Named, PLAIN, Results, THINK, Undeclared, pair};

const NAMED: Named = Named { before: "", separator: "", after: "", id: "", id_first: false, indexed: false };

pub(super) static ROWS: [Format; 9] = [
    Format {
        id: "harmony",
        section: NONE,
        body: Body::Channels(Channels {
            start: "<|start|>",
            channel: "<|channel|>",
            message: "<|message|>",
            ends: &["<|end|>", "<|call|>", "<|return|>"],
            reasoning: &["analysis"],
            text: &["commentary", "final"],
            namespace: "functions.",
            inner: None,
        }),
        separator: "<|start|>assistant",
        reasoning: &[],
        results: Results {
            each: pair("<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>", "<|end|>"),
            separator: "",
            quoted: true,
            ..PLAIN
        },
        ..BASE
    },
    Format {
        id: "mistral_args",
        call: pair("[TOOL_CALLS]", ""),
        separator: "",
        body: Body::Named(Named { separator: "[ARGS]", id: "[CALL_ID]", ..NAMED }),
        ids: Ids::Alphanumeric(9),
        reasoning: &[pair("[THINK]", "[/THINK]"), THINK],
        wrappers: &["</s>"],
        after: After::Dropped,
        broken: Broken::Invalid,
        results: Results { each: pair("[TOOL_RESULTS]{id}[TOOL_CONTENT]", "[/TOOL_RESULTS]"), separator: "", ..PLAIN },
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
        broken: Broken::Invalid,
        results: Results { each: pair("## Return of {id}\n", ""), ..PLAIN },
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
            ..NAMED
        }),
        after: After::Dropped,
        broken: Broken::Invalid,
        results: Results {
            all: pair("<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>"),
            each: pair("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
            ..PLAIN
        },
        ..BASE
    },
    Format {
        id: "deepseek_v31",
        section: pair("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
        call: pair("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
        separator: "",
        body: Body::Named(Named { separator: "<｜tool▁sep｜>", ..NAMED }),
        after: After::Dropped,
        broken: Broken::Invalid,
        results: Results {
            each: pair("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"), separator: "", ..PLAIN
        },
        ..BASE
    },
    Format {
        id: "functionary_v31",
        call: pair("<function=", "</function>"),
        separator: "",
        body: Body::Named(Named { separator: ">", ..NAMED }),
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "functionary_v32",
        call: pair(">>>", ""),
        separator: "",
        body: Body::Named(Named { separator: "\n", ..NAMED }),
        wrappers: &[">>>all\n", "<|eot_id|>"],
        undeclared: Undeclared::Text,
        results: PLAIN,
        ..BASE
    },
    // the text of Groq's `tool_use_failed` errors
    Format {
        id: "groq_failed_generation",
        call: pair("<function=", "</function>"),
        also: &[pair("```json", "```"), pair("<tool_call>", "</tool_call>")],
        body: Body::Named(Named { separator: "=", ..NAMED }),
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "solar_open",
        section: pair("<|tool_calls|>", "<|calls|>"),
        call: pair("<|tool_call:begin|>", "<|tool_call:end|>"),
        separator: "",
        body: Body::Named(Named { separator: "<|tool_call:args|>", id: "<|tool_call:name|>", id_first: true, ..NAMED }),
        ids: Ids::Alphanumeric(10),
        results: PLAIN,
        ..BASE
    },
];
