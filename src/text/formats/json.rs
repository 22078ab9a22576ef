//! Formats that write calls as JSON objects with name and arguments.

use super::tagged::FUNCTIONS;
use super::{
    After, BASE, Body, Definitions, Encoding, Format, Ids, Json, NAMED_RESPONSE, NONE, OUTPUT, Results, THINK,
    Undeclared, pair, results,
};

const OBJECT: Json =
    Json { list: NONE, name: "name", arguments: "arguments", id: "", id_first: false, bare: false, exact: false };
const LIST: Json = Json { list: pair("[", "]"), ..OBJECT };
const HERMES: Format = Format {
    id: "hermes_json",
    aliases: &["granite4"],
    drifts: &[&FUNCTIONS],
    call: pair("<tool_call>\n", "\n</tool_call>"),
    body: Body::Json(OBJECT),
    ..BASE
};
/// All calls in one array.
const ARRAY: Format = Format { separator: ", ", body: Body::Json(LIST), results: NAMED_RESPONSE, ..BASE };
const COHERE: Format = Format {
    id: "cohere_action",
    call: pair("<|START_ACTION|>", "<|END_ACTION|>"),
    separator: ",\n    ",
    body: Body::Json(Json {
        list: pair("[\n    ", "\n]"),
        name: "tool_name",
        arguments: "parameters",
        id: "tool_call_id",
        id_first: true,
        ..OBJECT
    }),
    ids: Ids::Position,
    reasoning: &[pair("<|START_THINKING|>", "<|END_THINKING|>")],
    text: pair("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
    gap: "",
    wrappers: &["<|START_TEXT|>", "<|END_TEXT|>", "<|END_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<co>"],
    // citations: the sources of the preceding words
    hidden: &[pair("</co:", ">")],
    results: Results {
        all: pair("<|START_TOOL_RESULT|>[\n", "\n]<|END_TOOL_RESULT|>"),
        item: "    {\"tool_call_id\": \"%d\", \"results\": {\"0\": %r}, \"is_error\": null}",
        between: ",\n",
        encoding: Encoding::Json,
    },
    ..BASE
};
const GENERIC: Format = Format {
    id: "json",
    call: pair("```json:toolCall\n", "\n```"),
    also: &[pair("```json", "```"), pair("```tool_call", "```"), pair("```", "```")],
    body: Body::Json(Json { bare: true, ..OBJECT }),
    definitions: Definitions::Json,
    results: Results { encoding: Encoding::Json, ..results("```tool_result\n{\"name\": %N, \"result\": %r}\n```") },
    ..BASE
};
const GIGACHAT: Format = Format {
    id: "gigachat3",
    call: pair("<|message_sep|>\n\nfunction call<|role_sep|>\n", ""),
    also: &[pair("<|function_call|>", ""), pair("function call<|role_sep|>", "")],
    body: Body::Json(OBJECT),
    parallel: false,
    gap: "",
    wrappers: &["</s>", "<|message_sep|>"],
    definitions: Definitions::TypeScript,
    results: NAMED_RESPONSE,
    ..BASE
};

pub(super) static ROWS: [Format; 25] = [
    // the generic format of toolwire, for models that were not trained on any format
    GENERIC,
    HERMES,
    Format {
        id: "ernie45",
        aliases: &[],
        text: pair("<response>\n", "\n</response>\n"),
        wrappers: &["<response>", "</response>"],
        also: &[pair("<tool_call><0x0A>", "<0x0A></tool_call>")],
        line_break: "<0x0A>",
        ..HERMES
    },
    Format {
        id: "longcat",
        aliases: &[],
        call: pair("<longcat_tool_call>\n", "\n</longcat_tool_call>"),
        results: NAMED_RESPONSE,
        ..HERMES
    },
    // the format that LM Studio uses for models without a format of their own
    Format {
        id: "lmstudio",
        aliases: &[],
        call: pair("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
        results: NAMED_RESPONSE,
        ..HERMES
    },
    Format {
        id: "llama3_json",
        call: NONE,
        separator: "; ",
        also: &[pair("<|python_tag|>", "")],
        body: Body::Json(Json { arguments: "parameters", bare: true, ..OBJECT }),
        parallel: false,
        alone: true,
        wrappers: &["<|eom_id|>", "<|eot_id|>"],
        results: OUTPUT,
        ..BASE
    },
    Format {
        id: "mistral_json",
        read_as: "mistral_args",
        aliases: &["mistral_any"],
        call: pair("[TOOL_CALLS]", ""),
        body: Body::Json(Json { id: "id", ..LIST }),
        ids: Ids::Letters { count: 9, lower: false },
        reasoning: &[pair("[THINK]", "[/THINK]"), THINK],
        gap: "",
        wrappers: &["</s>"],
        after: After::Dropped,
        results: Results {
            between: "",
            encoding: Encoding::Json,
            ..results("[TOOL_RESULTS]{\"content\": %r, \"call_id\": \"%d\"}[/TOOL_RESULTS]")
        },
        ..ARRAY
    },
    Format {
        id: "granite3",
        call: pair("<|tool_call|>", ""),
        also: &[pair("<tool_call>", "</tool_call>")],
        body: Body::Json(Json { exact: true, ..LIST }),
        gap: "",
        ..ARRAY
    },
    Format {
        id: "granite_20b_fc",
        call: pair("<function_call> ", ""),
        body: Body::Json(Json { exact: true, ..OBJECT }),
        gap: "",
        results: NAMED_RESPONSE,
        ..BASE
    },
    COHERE,
    Format {
        id: "cohere_action_v4",
        text: pair("<|START_TEXT|>", "<|END_TEXT|>"),
        wrappers: &["<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|END_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<co>"],
        ..COHERE
    },
    Format {
        id: "command_r_plus",
        call: pair("Action:\n```json\n", "\n```"),
        also: &[pair("Action: ```json", "```"), pair("Action:```json", "```"), pair("Action:\n```", "```")],
        separator: ",\n    ",
        body: Body::Json(Json { list: pair("[\n    ", "\n]"), name: "tool_name", arguments: "parameters", ..OBJECT }),
        wrappers: &["<|END_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>"],
        definitions: Definitions::Python,
        ..ARRAY
    },
    Format { id: "phi4mini", aliases: &["firefunction_v2"], call: pair("functools", ""), alone: true, ..ARRAY },
    Format {
        id: "internlm2",
        call: pair("<|action_start|><|plugin|>\n", "<|action_end|>"),
        also: &[pair("<|action_start|> <|plugin|>", "<|action_end|>")],
        body: Body::Json(Json { arguments: "parameters", ..OBJECT }),
        separator: "",
        gap: "",
        results: NAMED_RESPONSE,
        ..BASE
    },
    Format {
        id: "jamba",
        call: pair("<tool_calls>", "</tool_calls>"),
        separator: ",\n",
        body: Body::Json(Json { list: pair("[\n", "\n]"), ..OBJECT }),
        ..ARRAY
    },
    Format {
        id: "apriel",
        call: pair("<tool_calls>", "</tool_calls>"),
        body: Body::Json(Json { id: "id", ..LIST }),
        reasoning: &[THINK, pair("<|begin_assistant|>", "[BEGIN FINAL RESPONSE]")],
        wrappers: &["[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]", "<|end|>"],
        ..ARRAY
    },
    Format {
        id: "hunyuan_a13b",
        call: pair("<tool_calls>", "</tool_calls>"),
        gap: "",
        wrappers: &["助手：", "<answer>", "</answer>"],
        after: After::Dropped,
        ..ARRAY
    },
    Format {
        id: "xlam",
        call: pair("```json\n", "\n```"),
        also: &[pair("[TOOL_CALLS]", ""), pair("<tool_call>", "</tool_call>"), pair("```", "```")],
        body: Body::Json(Json { bare: true, ..LIST }),
        ..ARRAY
    },
    Format {
        id: "nemotron_toolcall",
        call: pair("<TOOLCALL>", "</TOOLCALL>"),
        results: Results {
            all: pair("<TOOL_RESPONSE>[", "]</TOOL_RESPONSE>"),
            item: "%r",
            between: ", ",
            encoding: Encoding::Json,
        },
        ..ARRAY
    },
    Format {
        id: "generic_json",
        aliases: &["generic_json_body"],
        call: NONE,
        separator: ", ",
        also: &[
            pair("```json:toolCall", "```"),
            pair("```json", "```"),
            pair("```tool_call", "```"),
            pair("```", "```"),
        ],
        body: Body::Json(Json { arguments: "parameters", bare: true, ..LIST }),
        alone: true,
        definitions: Definitions::OpenAi,
        results: NAMED_RESPONSE,
        ..GENERIC
    },
    Format {
        id: "apertus",
        call: pair("<|tools_prefix|>", "<|tools_suffix|>"),
        body: Body::Json(Json { name: "", ..LIST }),
        reasoning: &[pair("<|inner_prefix|>", "<|inner_suffix|>"), THINK],
        gap: "",
        definitions: Definitions::TypeScript,
        results: Results { all: pair("[", "]"), item: "%r", between: ", ", encoding: Encoding::Json },
        ..ARRAY
    },
    GIGACHAT,
    Format {
        id: "gigachat31",
        call: pair("<|function_call|>", ""),
        also: &[pair("function call<|role_sep|>", "")],
        ..GIGACHAT
    },
    Format {
        id: "inkling",
        header: "<|message_model|>",
        call: pair("<|content_invoke_tool_json|>", "<|end_message|>"),
        body: Body::Json(Json { arguments: "args", ..OBJECT }),
        separator: "",
        reasoning: &[pair("<|content_thinking|>", "<|end_message|>")],
        text: pair("<|content_text|>", "<|end_message|>"),
        gap: "",
        results: NAMED_RESPONSE,
        ..BASE
    },
    Format {
        id: "minimax_m1",
        section: pair("<tool_calls>\n", "</tool_calls>"),
        call: pair("", "\n"),
        separator: "",
        body: Body::Json(OBJECT),
        undeclared: Undeclared::Call,
        results: NAMED_RESPONSE,
        ..BASE
    },
];
