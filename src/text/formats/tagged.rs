//! Formats with a tag per argument.

use super::{
    After, BASE, Body, Broken, Channels, Flag, Format, Ids, NONE, Nested, PLAIN, Pair, RESPONSES, Results, Role, THINK,
    Tagged, Undeclared, pair,
};

const QWEN: Tagged = Tagged {
    open: "<function=",
    name_end: ">",
    close: "</function>",
    key: "<parameter=",
    key_end: ">",
    value: "",
    value_close: "</parameter>",
    quoted: false,
    pad: "\n",
    newline: "\n",
    flag: Flag::None,
    cdata: false,
};
const INVOKE: Tagged =
    Tagged { open: "<invoke name=", key: "<parameter name=", close: "</invoke>", quoted: true, pad: "", ..QWEN };
const GLM: Tagged = Tagged {
    open: "",
    name_end: "",
    close: "",
    key: "<arg_key>",
    key_end: "</arg_key>",
    value: "<arg_value>",
    value_close: "</arg_value>",
    pad: "",
    ..QWEN
};
const DSML: Tagged = Tagged {
    open: "<｜DSML｜invoke name=",
    close: "</｜DSML｜invoke>",
    key: "<｜DSML｜parameter name=",
    value_close: "</｜DSML｜parameter>",
    flag: Flag::String,
    ..INVOKE
};
static ATEM: Format = Format {
    id: "atem",
    section: pair("<atem:function_calls>\n", "\n</atem:function_calls>"),
    body: Body::Tagged(Tagged {
        open: "<atem:invoke name=",
        close: "</atem:invoke>",
        key: "<atem:parameter name=",
        value_close: "</atem:parameter>",
        ..INVOKE
    }),
    reasoning: &[],
    ..BASE
};

const fn deepseek(id: &'static str, section: Pair, results: Results) -> Format {
    Format { id, section, body: Body::Tagged(DSML), after: After::Dropped, results, ..BASE }
}

pub(super) static ROWS: [Format; 16] = [
    Format {
        id: "qwen3_xml",
        aliases: &["xml_body"],
        call: pair("<tool_call>\n", "\n</tool_call>"),
        body: Body::Tagged(QWEN),
        ..BASE
    },
    Format {
        id: "seed_oss",
        call: pair("<seed:tool_call>\n", "\n</seed:tool_call>"),
        body: Body::Tagged(Tagged { pad: "", ..QWEN }),
        reasoning: &[pair("<seed:think>", "</seed:think>"), THINK],
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "glm45",
        call: pair("<tool_call>", "</tool_call>"),
        body: Body::Tagged(GLM),
        undeclared: Undeclared::Invalid,
        broken: Broken::Invalid,
        results: Results { role: Role::Tool, ..RESPONSES },
        ..BASE
    },
    Format {
        id: "glm47",
        call: pair("<tool_call>", "</tool_call>"),
        separator: "",
        body: Body::Tagged(Tagged { newline: "", ..GLM }),
        broken: Broken::Invalid,
        results: Results { role: Role::Tool, ..RESPONSES },
        ..BASE
    },
    Format {
        id: "hunyuan_v3",
        spellings: &[(":opensource>", ">")],
        section: pair("<tool_calls>\n", "\n</tool_calls>"),
        call: pair("<tool_call>", "</tool_call>"),
        body: Body::Tagged(Tagged { name_end: "<tool_sep>", ..GLM }),
        results: PLAIN,
        ..BASE
    },
    deepseek(
        "deepseek_v32_dsml",
        pair("\n\n<｜DSML｜function_calls>\n", "\n</｜DSML｜function_calls>"),
        Results {
            all: pair("<function_results>\n", "\n</function_results>"),
            each: pair("<result>", "</result>"),
            ..PLAIN
        },
    ),
    deepseek(
        "deepseek_v4_dsml",
        pair("\n\n<｜DSML｜tool_calls>\n", "\n</｜DSML｜tool_calls>"),
        Results { each: pair("<tool_result>", "</tool_result>"), ..RESPONSES },
    ),
    Format {
        id: "gigachat35",
        section: pair("\n\n<｜GCML｜tool_calls>\n", "\n</｜GCML｜tool_calls>"),
        body: Body::Tagged(Tagged {
            open: "<｜GCML｜invoke name=",
            close: "</｜GCML｜invoke>",
            key: "<｜GCML｜parameter name=",
            value_close: "</｜GCML｜parameter>",
            ..DSML
        }),
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "minimax_m2",
        section: pair("<minimax:tool_call>\n", "\n</minimax:tool_call>"),
        body: Body::Tagged(INVOKE),
        after: After::Dropped,
        undeclared: Undeclared::Invalid,
        results: Results { each: pair("<response>", "</response>"), ..PLAIN },
        ..BASE
    },
    Format {
        id: "minimax_m3",
        section: pair("]<]minimax[>[<tool_call>\n", "]<]minimax[>[</tool_call>"),
        body: Body::Nested(Nested { prefix: "]<]minimax[>[", item: "item" }),
        reasoning: &[pair("<mm:think>", "</mm:think>")],
        after: After::Dropped,
        results: Results { each: pair("<response>", "</response>"), ..PLAIN },
        ..BASE
    },
    Format {
        id: "dots",
        section: pair("<dots_function_call>\n", "\n</dots_function_call>"),
        body: Body::Tagged(INVOKE),
        undeclared: Undeclared::Text,
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "step3",
        section: pair("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"),
        call: pair("<｜tool_call_begin｜>function<｜tool_sep｜>", "<｜tool_call_end｜>"),
        separator: "",
        body: Body::Tagged(Tagged {
            open: "<steptml:invoke name=",
            close: "</steptml:invoke>",
            key: "<steptml:parameter name=",
            value_close: "</steptml:parameter>",
            newline: "",
            ..INVOKE
        }),
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "minicpm5",
        spellings: &[
            ("<functionname=", "<function name="),
            ("<functionĠname=", "<function name="),
            ("<paramname=", "<param name="),
            ("<paramĠname=", "<param name="),
        ],
        body: Body::Tagged(Tagged {
            open: "<function name=",
            close: "</function>",
            key: "<param name=",
            value_close: "</param>",
            newline: "",
            cdata: true,
            ..INVOKE
        }),
        undeclared: Undeclared::Text,
        ..BASE
    },
    Format {
        id: "muse_glimmer",
        section: pair("<atem:function_calls>\n", "\n</atem:function_calls>"),
        body: Body::Channels(Channels {
            start: "<|start|>",
            channel: "",
            message: "<|message|>",
            ends: &["<|eom|>", "<|eot|>"],
            reasoning: &["self"],
            text: &["user"],
            namespace: "",
            inner: Some(&ATEM),
        }),
        reasoning: &[],
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "kimi_k3",
        section: pair("<|open|>tools<|sep|>", "<|close|>tools<|sep|>"),
        call: NONE,
        separator: "",
        body: Body::Tagged(Tagged {
            open: "<|open|>call tool=",
            name_end: "<|sep|>",
            close: "<|close|>call<|sep|>",
            key: "<|open|>argument key=",
            key_end: "<|sep|>",
            value_close: "<|close|>argument<|sep|>",
            newline: "",
            flag: Flag::Type,
            ..INVOKE
        }),
        ids: Ids::From(1),
        reasoning: &[pair("<|open|>think<|sep|>", "<|close|>think<|sep|>")],
        wrappers: &["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"],
        after: After::Dropped,
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "cohere_xml",
        section: pair("<cofl:tool_calls>", "</cofl:tool_calls>"),
        separator: "",
        body: Body::Tagged(Tagged {
            open: "<cofl:tool_call id=\"0\" name=",
            close: "</cofl:tool_call>",
            key: "<cofl:value name=",
            value_close: "</cofl:value>",
            newline: "",
            flag: Flag::Type,
            ..INVOKE
        }),
        ids: Ids::From(0),
        reasoning: &[pair("<|START_THINKING|>", "<|END_THINKING|>")],
        wrappers: &["<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"],
        results: PLAIN,
        ..BASE
    },
];
