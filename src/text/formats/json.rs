//! Formats whose calls are JSON objects with name and arguments.

use super::{
    After, BASE, Body, Broken, Format, Ids, Json, LABELLED, NONE, PLAIN, RESPONSES, Results, Role, THINK, Undeclared,
    pair,
};

const OBJECT: Json = Json { list: false, name: "name", arguments: "arguments", id: "", bare: false };
const LIST: Json = Json { list: true, ..OBJECT };
const HERMES: Format = Format {
    id: "hermes_json",
    aliases: &["granite4", "ernie45"],
    call: pair("<tool_call>\n", "\n</tool_call>"),
    body: Body::Json(OBJECT),
    ..BASE
};

pub(super) static ROWS: [Format; 22] = [
    // toolwire's own format, for models that were not trained on any
    Format {
        id: "json",
        aliases: &["generic_json", "generic_json_body"],
        call: pair("```json:toolCall\n", "\n```"),
        also: &[pair("```json", "```"), pair("```tool_call", "```"), pair("```", "```")],
        body: Body::Json(Json { bare: true, ..OBJECT }),
        results: LABELLED,
        ..BASE
    },
    HERMES,
    Format { id: "longcat", aliases: &[], call: pair("<longcat_tool_call>\n", "\n</longcat_tool_call>"), ..HERMES },
    // what LM Studio teaches models without a format of their own
    Format {
        id: "lmstudio",
        aliases: &[],
        call: pair("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
        results: LABELLED,
        ..HERMES
    },
    Format {
        id: "llama3_json",
        call: NONE,
        separator: "; ",
        also: &[pair("<|python_tag|>", "")],
        body: Body::Json(Json { arguments: "parameters", bare: true, ..OBJECT }),
        parallel: false,
        results: Results { quoted: true, ..PLAIN },
        wrappers: &["<|eom_id|>", "<|eot_id|>"],
        ..BASE
    },
    Format {
        id: "mistral_json",
        aliases: &["mistral_any"],
        call: pair("[TOOL_CALLS]", ""),
        body: Body::Json(Json { id: "id", ..LIST }),
        ids: Ids::Alphanumeric(9),
        reasoning: &[pair("[THINK]", "[/THINK]"), THINK],
        wrappers: &["</s>"],
        after: After::Dropped,
        broken: Broken::Invalid,
        results: Results {
            each: pair("[TOOL_RESULTS]{\"content\": ", ", \"call_id\": \"{id}\"}[/TOOL_RESULTS]"),
            separator: "",
            quoted: true,
            ..PLAIN
        },
        ..BASE
    },
    Format {
        id: "granite3",
        call: pair("<|tool_call|>", ""),
        also: &[pair("<tool_call>", "</tool_call>")],
        body: Body::Json(LIST),
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "granite_20b_fc",
        call: pair("<function_call> ", ""),
        body: Body::Json(OBJECT),
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "cohere_action",
        aliases: &["cohere_action_v4"],
        call: pair("<|START_ACTION|>", "<|END_ACTION|>"),
        body: Body::Json(Json {
            list: true,
            name: "tool_name",
            arguments: "parameters",
            id: "tool_call_id",
            bare: false,
        }),
        ids: Ids::From(0),
        reasoning: &[pair("<|START_THINKING|>", "<|END_THINKING|>")],
        wrappers: &[
            "<|START_RESPONSE|>",
            "<|END_RESPONSE|>",
            "<|START_TEXT|>",
            "<|END_TEXT|>",
            "<|END_OF_TURN_TOKEN|>",
            "<|CHATBOT_TOKEN|>",
        ],
        results: Results {
            role: Role::System,
            all: pair("<|START_TOOL_RESULT|>[", "]<|END_TOOL_RESULT|>"),
            each: pair("{\"tool_call_id\": \"{id}\", \"results\": {\"0\": ", "}, \"is_error\": null}"),
            separator: ", ",
            quoted: true,
        },
        ..BASE
    },
    Format {
        id: "command_r_plus",
        call: pair("Action:\n```json\n", "\n```"),
        body: Body::Json(Json { list: true, name: "tool_name", arguments: "parameters", id: "", bare: false }),
        wrappers: &["<|END_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>"],
        results: LABELLED,
        ..BASE
    },
    Format {
        id: "phi4mini",
        aliases: &["firefunction_v2"],
        call: pair("functools", ""),
        body: Body::Json(LIST),
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "internlm2",
        call: pair("<|action_start|><|plugin|>\n", "<|action_end|>"),
        also: &[pair("<|action_start|> <|plugin|>", "<|action_end|>")],
        body: Body::Json(Json { arguments: "parameters", ..OBJECT }),
        separator: "",
        results: PLAIN,
        ..BASE
    },
    Format { id: "jamba", call: pair("<tool_calls>", "</tool_calls>"), body: Body::Json(LIST), results: PLAIN, ..BASE },
    Format {
        id: "apriel",
        call: pair("<tool_calls>", "</tool_calls>"),
        body: Body::Json(Json { id: "id", ..LIST }),
        reasoning: &[pair("<|begin_assistant|>", "[BEGIN FINAL RESPONSE]"), THINK],
        wrappers: &["[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]", "<|end|>"],
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "hunyuan_a13b",
        call: pair("<tool_calls>", "</tool_calls>"),
        body: Body::Json(LIST),
        wrappers: &["助手："],
        after: After::Dropped,
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "xlam",
        call: NONE,
        also: &[
            pair("```json", "```"),
            pair("[TOOL_CALLS]", ""),
            pair("<tool_call>", "</tool_call>"),
            pair("```", "```"),
        ],
        body: Body::Json(Json { bare: true, ..LIST }),
        results: LABELLED,
        ..BASE
    },
    Format {
        id: "nemotron_toolcall",
        call: pair("<TOOLCALL>", "</TOOLCALL>"),
        body: Body::Json(LIST),
        results: Results {
            all: pair("<TOOL_RESPONSE>[", "]</TOOL_RESPONSE>"),
            each: NONE,
            separator: ", ",
            quoted: true,
            ..RESPONSES
        },
        ..BASE
    },
    Format {
        id: "apertus",
        call: pair("<|tools_prefix|>", "<|tools_suffix|>"),
        body: Body::Json(Json { name: "", ..LIST }),
        reasoning: &[pair("<|inner_prefix|>", "<|inner_suffix|>"), THINK],
        results: Results { all: pair("[", "]"), separator: ", ", quoted: true, ..PLAIN },
        ..BASE
    },
    Format {
        id: "gigachat3",
        call: pair("<|message_sep|>\n\nfunction call<|role_sep|>\n", ""),
        also: &[pair("<|function_call|>", ""), pair("function call<|role_sep|>", "")],
        body: Body::Json(OBJECT),
        parallel: false,
        wrappers: &["</s>", "<|message_sep|>"],
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "gigachat31",
        call: pair("<|function_call|>", ""),
        also: &[pair("function call<|role_sep|>", "")],
        body: Body::Json(OBJECT),
        parallel: false,
        wrappers: &["</s>", "<|message_sep|>"],
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "inkling",
        header: &["<|message_model|>"],
        section: NONE,
        call: pair("<|content_invoke_tool_json|>", "<|end_message|>"),
        body: Body::Json(Json { arguments: "args", ..OBJECT }),
        separator: "<|message_model|>",
        reasoning: &[],
        wrappers: &["<|content_text|>", "<|end_message|>"],
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "minimax_m1",
        call: pair("<tool_calls>\n", "\n</tool_calls>"),
        body: Body::Json(OBJECT),
        undeclared: Undeclared::Call,
        results: PLAIN,
        ..BASE
    },
];
