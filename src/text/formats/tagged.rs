//! Formats with one tag per argument.

use super::named::HARMONY;
use super::{
    After, BASE, Body, Channels, Definitions, Encoding, Flag, Format, Ids, NAMED_RESPONSE, NONE, Nested, Pair, Results,
    THINK, Tagged, Undeclared, pair, results,
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
    second: "",
    pad: "\n",
    newline: "\n",
    flag: Flag::None,
    cdata: false,
    kind: NONE,
    object: NONE,
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
/// The message of a call in `beam`.
static RFL: Format = Format {
    id: "rfl",
    body: Body::Tagged(Tagged {
        open: "<|start|>assistant to=",
        name_end: "<|channel|>analysis <|constrain|>xml<|message|>",
        close: "<|call|>",
        key: "<rfl:parameter name=\"",
        key_end: "\">",
        value_close: "</rfl:parameter>",
        newline: "",
        ..QWEN
    }),
    reasoning: &[],
    ..BASE
};

/// The tags of `qwen3_xml` without a wrapper.
pub(super) static FUNCTIONS: Format = Format {
    id: "functions",
    spellings: &[("<parameter name=", "<parameter=")],
    body: Body::Tagged(QWEN),
    reasoning: &[],
    ..BASE
};
/// Tags of DeepSeek and MiniMax without a wrapper, and without DeepSeek's token.
pub(super) static INVOKES: Format = Format {
    id: "invokes",
    spellings: &[("<function_calls>", "<tool_calls>"), ("</function_calls>", "</tool_calls>")],
    section: pair("<tool_calls>", "</tool_calls>"),
    body: Body::Tagged(Tagged { flag: Flag::String, ..INVOKE }),
    reasoning: &[],
    ..BASE
};

static BARE_INVOKES: [&Format; 1] = [&INVOKES];

/// The variants of DSML tags with these bars and this space, and the tags that they replace.
macro_rules! dsml {
    ($($bars:literal $word:literal $space:literal),+ => $section:literal) => {
        &[$(
            (concat!("<", $bars, $word, $bars, $space, $section, ">"), concat!("<｜", $word, "｜", $section, ">")),
            (concat!("</", $bars, $word, $bars, $space, $section, ">"), concat!("</｜", $word, "｜", $section, ">")),
            (concat!("<", $bars, $word, $bars, $space, "calls>"), concat!("<｜", $word, "｜", $section, ">")),
            (concat!("</", $bars, $word, $bars, $space, "calls>"), concat!("</｜", $word, "｜", $section, ">")),
            (concat!("<", $bars, $word, $bars, $space, "function_calls>"), concat!("<｜", $word, "｜", $section, ">")),
            (concat!("</", $bars, $word, $bars, $space, "function_calls>"), concat!("</｜", $word, "｜", $section, ">")),
            (concat!("<", $bars, $word, $bars, $space, "invoke name="), concat!("<｜", $word, "｜invoke name=")),
            (concat!("</", $bars, $word, $bars, $space, "invoke>"), concat!("</｜", $word, "｜invoke>")),
            (concat!("<", $bars, $word, $bars, $space, "parameter name="), concat!("<｜", $word, "｜parameter name=")),
            (concat!("</", $bars, $word, $bars, $space, "parameter>"), concat!("</｜", $word, "｜parameter>")),
        )+]
    };
}

const fn deepseek(id: &'static str, section: Pair, body: Tagged, results: Results) -> Format {
    Format {
        id,
        section,
        body: Body::Tagged(body),
        gap: "\n\n",
        after: After::Dropped,
        drifts: &BARE_INVOKES,
        definitions: Definitions::Json,
        results,
        ..BASE
    }
}

pub(super) static ROWS: [Format; 22] = [
    Format {
        id: "qwen3_xml",
        drifts: &[&INVOKES],
        aliases: &["xml_body"],
        spellings: &[("<parameter name=", "<parameter=")],
        call: pair("<tool_call>\n", "\n</tool_call>"),
        body: Body::Tagged(QWEN),
        gap: "\n\n",
        definitions: Definitions::Xml,
        ..BASE
    },
    // the template writes no line breaks
    Format {
        id: "mimo",
        spellings: &[("<parameter name=", "<parameter=")],
        drifts: &[&INVOKES],
        call: pair("<tool_call>", "</tool_call>"),
        separator: "",
        body: Body::Tagged(Tagged { pad: "", newline: "", ..QWEN }),
        ..BASE
    },
    Format {
        id: "seed_oss",
        call: pair("<seed:tool_call>\n", "\n</seed:tool_call>"),
        body: Body::Tagged(Tagged { pad: "", ..QWEN }),
        reasoning: &[pair("<seed:think>", "</seed:think>"), THINK],
        gap: "\n\n",
        definitions: Definitions::Python,
        results: NAMED_RESPONSE,
        ..BASE
    },
    Format {
        id: "glm45",
        drifts: &[&FUNCTIONS],
        call: pair("<tool_call>", "</tool_call>"),
        body: Body::Tagged(GLM),
        undeclared: Undeclared::Invalid,
        ..BASE
    },
    Format {
        id: "glm47",
        drifts: &[&FUNCTIONS],
        call: pair("<tool_call>", "</tool_call>"),
        separator: "",
        body: Body::Tagged(Tagged { newline: "", ..GLM }),
        gap: "",
        ..BASE
    },
    // SGLang's `telechat4_detector.py`, and `Xing4_0AgentTemplate` of ms-swift. Models also write the objects of `hermes_json`
    Format {
        id: "telechat4",
        call: pair("<tool_call>", "</tool_call>"),
        separator: "",
        body: Body::Tagged(Tagged {
            key: "<param_key>",
            key_end: "</param_key>",
            value: "<param_value>",
            value_close: "</param_value>",
            newline: "",
            ..GLM
        }),
        gap: "",
        results: Results { between: "", ..results("<tool_response>%r</tool_response>") },
        ..BASE
    },
    Format {
        id: "iquest_q1",
        call: pair("<iquest_tool_call>", "</iquest_tool_call>"),
        separator: "",
        body: Body::Tagged(Tagged { newline: "", ..GLM }),
        gap: "",
        definitions: Definitions::Json,
        ..BASE
    },
    Format {
        id: "k2_horizon",
        section: pair("<ifm|tool_calls>\n", "\n</ifm|tool_calls>"),
        call: pair("<ifm|tool_call>", "</ifm|tool_call>"),
        body: Body::Tagged(Tagged {
            key: "<ifm|arg_key>",
            key_end: "</ifm|arg_key>",
            kind: pair("<ifm|arg_type>", "</ifm|arg_type>"),
            value: "<ifm|arg_value>",
            value_close: "</ifm|arg_value>",
            ..GLM
        }),
        reasoning: &[
            pair("<ifm|think>", "</ifm|think>"),
            pair("<ifm|think_fast>", "</ifm|think_fast>"),
            pair("<ifm|think_faster>", "</ifm|think_faster>"),
        ],
        definitions: Definitions::Json,
        ..BASE
    },
    Format {
        id: "hunyuan_v4",
        section: pair("<tool_calls>", "</tool_calls>"),
        call: pair("<tool_call>", "</tool_call>"),
        separator: "",
        body: Body::Tagged(Tagged { newline: "", ..GLM }),
        gap: "",
        ..BASE
    },
    Format {
        id: "hunyuan_v3",
        spellings: &[
            ("<tool_calls:opensource>", "<tool_calls>"),
            ("</tool_calls:opensource>", "</tool_calls>"),
            ("<tool_call:opensource>", "<tool_call>"),
            ("</tool_call:opensource>", "</tool_call>"),
            ("<tool_sep:opensource>", "<tool_sep>"),
            ("<arg_key:opensource>", "<arg_key>"),
            ("</arg_key:opensource>", "</arg_key>"),
            ("<arg_value:opensource>", "<arg_value>"),
            ("</arg_value:opensource>", "</arg_value>"),
        ],
        reasoning: &[THINK, pair("<think:opensource>", "</think:opensource>")],
        section: pair("<tool_calls>\n", "\n</tool_calls>"),
        call: pair("<tool_call>", "</tool_call>"),
        body: Body::Tagged(Tagged { name_end: "<tool_sep>", ..GLM }),
        gap: "",
        ..BASE
    },
    Format {
        spellings: dsml!("｜｜" "DSML" "", "｜" "DSML" " " => "function_calls"),
        ..deepseek(
            "deepseek_v32_dsml",
            pair("<｜DSML｜function_calls>\n", "\n</｜DSML｜function_calls>"),
            DSML,
            Results { all: pair("<function_results>\n", "\n</function_results>"), ..results("<result>%r</result>") },
        )
    },
    Format {
        // the space of V4.1, the section of V3.2, bars that are doubled
        spellings: dsml!("｜" "DSML" "", "｜" "DSML" " ", "｜｜" "DSML" "", "｜｜" "DSML" " " => "tool_calls"),
        ..deepseek(
            "deepseek_v4_dsml",
            pair("<｜DSML｜tool_calls>\n", "\n</｜DSML｜tool_calls>"),
            DSML,
            results("<tool_result>%r</tool_result>"),
        )
    },
    Format {
        after: After::Text,
        // the section of V3.2, and the spaces of V4.1
        spellings: dsml!("｜" "GCML" "", "｜" "GCML" " " => "tool_calls"),
        ..deepseek(
            "gigachat35",
            pair("<｜GCML｜tool_calls>\n", "\n</｜GCML｜tool_calls>"),
            Tagged {
                open: "<｜GCML｜invoke name=",
                close: "</｜GCML｜invoke>",
                key: "<｜GCML｜parameter name=",
                value_close: "</｜GCML｜parameter>",
                ..DSML
            },
            NAMED_RESPONSE,
        )
    },
    Format {
        id: "minimax_m2",
        drifts: &[&FUNCTIONS],
        section: pair("<minimax:tool_call>\n", "\n</minimax:tool_call>"),
        body: Body::Tagged(INVOKE),
        wrappers: &["[e~["],
        after: After::Dropped,
        undeclared: Undeclared::Invalid,
        results: results("<response>%r</response>"),
        ..BASE
    },
    Format {
        id: "minimax_m3",
        section: pair("]<]minimax[>[<tool_call>\n", "\n]<]minimax[>[</tool_call>"),
        body: Body::Nested(Nested {
            prefix: "]<]minimax[>[",
            open: "]<]minimax[>[<invoke",
            close: "]<]minimax[>[</invoke>",
            item: "item",
        }),
        reasoning: &[pair("<mm:think>", "</mm:think>")],
        gap: "",
        wrappers: &["[e~["],
        after: After::Dropped,
        results: results("<response>%r</response>"),
        ..BASE
    },
    Format {
        id: "dots",
        section: pair("<dots_function_call>\n", "\n</dots_function_call>"),
        body: Body::Tagged(INVOKE),
        undeclared: Undeclared::Text,
        results: NAMED_RESPONSE,
        ..BASE
    },
    Format {
        id: "step3",
        gap: "",
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
        results: NAMED_RESPONSE,
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
        body: Body::Channels(Channels {
            start: "<|start|>",
            channel: "",
            message: "<|message|>",
            constrain: "",
            ends: &["<|eom|>", "<|eot|>"],
            next: "<|start|>assistant",
            call: " to=%n<|message|>%a",
            between: "<|eom|><|start|>assistant",
            close: "",
            reasoning: "self",
            text: "user",
            answer: "user",
            recipient: "to=",
            role: "assistant",
            namespace: "",
            inner: Some(&ATEM),
        }),
        separator: "",
        reasoning: &[],
        gap: "",
        results: NAMED_RESPONSE,
        ..BASE
    },
    // vLLM and SGLang have a response template for it. A chat template is not public
    Format {
        id: "beam",
        body: Body::Channels(Channels {
            call: " to=%n<|channel|>analysis <|constrain|>xml<|message|>%a",
            between: "<|end|><|start|>assistant",
            close: "<|call|>",
            text: "final",
            namespace: "",
            inner: Some(&RFL),
            ..HARMONY
        }),
        separator: "",
        reasoning: &[],
        gap: "",
        results: NAMED_RESPONSE,
        ..BASE
    },
    Format {
        id: "kimi_k3",
        section: pair("<|open|>tools<|sep|>", "<|close|>tools<|sep|>"),
        separator: "",
        body: Body::Tagged(Tagged {
            open: "<|open|>call tool=",
            name_end: "<|sep|>",
            close: "<|close|>call<|sep|>",
            key: "<|open|>argument key=",
            key_end: "<|sep|>",
            value_close: "<|close|>argument<|sep|>",
            second: "index",
            newline: "",
            flag: Flag::Type,
            object: pair("<|open|>json<|sep|>", "<|close|>json<|sep|>"),
            ..INVOKE
        }),
        reasoning: &[pair("<|open|>think<|sep|>", "<|close|>think<|sep|>")],
        text: pair("<|open|>response<|sep|>", "<|close|>response<|sep|>"),
        gap: "",
        wrappers: &["<|close|>message<|sep|>"],
        after: After::Dropped,
        results: results("<|open|>message role=\"tool\" tool=\"%n\" index=\"%j\"<|sep|>%r<|close|>message<|sep|>"),
        ..BASE
    },
    Format {
        id: "cohere_xml",
        section: pair("<cofl:tool_calls>", "</cofl:tool_calls>"),
        separator: "",
        body: Body::Tagged(Tagged {
            open: "<cofl:tool_call id=",
            close: "</cofl:tool_call>",
            key: "<cofl:value name=",
            value_close: "</cofl:value>",
            second: "name",
            newline: "",
            flag: Flag::Raw,
            ..INVOKE
        }),
        ids: Ids::Position,
        reasoning: &[pair("<|START_THINKING|>", "<|END_THINKING|>")],
        text: pair("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
        gap: "",
        wrappers: &["<|START_TEXT|>", "<|END_TEXT|>"],
        results: Results {
            all: pair("<|START_TOOL_RESULT|>[\n", "\n]<|END_TOOL_RESULT|>"),
            between: ",\n",
            encoding: Encoding::Json,
            ..results("    {\"tool_call_id\": \"%d\", \"results\": {\"0\": %r}, \"is_error\": null}")
        },
        ..BASE
    },
];
