//! How each format is written: templates for calls, results and reasoning.
//!
//! In a template, `%n` is the name of the tool, `%N` the name as JSON, `%a` the arguments, `%d` the call id, `%i` and `%j` the
//! position of the call from 0 and from 1, `%r` a result, `%t` text, and of one argument: `%k` the name, `%v` the value,
//! `%s` whether it is a string, `%w` whether it is raw text or JSON, `%y` its type.

use super::definitions::Definitions;
use crate::text::Result;
use crate::text::formats::{by_id, unknown};

/// How arguments are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    Json,
    /// One element per argument: strings as they are, other values as JSON.
    Tagged(&'static str),
    /// The same, with strings that contain markup in CDATA sections.
    Cdata(&'static str),
    /// Keyword arguments with Python literals.
    Python,
    /// `key:value`, strings between the two halves of the delimiter, other values bare.
    Gemma(&'static str),
    /// `key:value`, all values between delimiters.
    Delimited(&'static str),
    /// One element per value, nested; each tag begins with this prefix.
    Nested(&'static str),
}

/// What an id looks like in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    None,
    /// `functions.NAME:POSITION`
    Kimi,
    /// Letters and digits, this many; lower case only if so stated.
    Letters {
        count: usize,
        lower: bool,
    },
    /// The position of the call.
    Position,
}

/// How a result is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Text,
    Json,
}

/// How results are written.
#[derive(Clone, Copy, Debug)]
pub struct Results {
    pub open: &'static str,
    pub item: &'static str,
    pub between: &'static str,
    pub close: &'static str,
    pub encoding: Encoding,
}

/// The written form of one format.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub id: &'static str,
    pub reasoning: &'static str,
    /// Text before calls.
    pub text: &'static str,
    /// Text that no call follows.
    pub answer: &'static str,
    /// Between text and the calls after it.
    pub gap: &'static str,
    pub open: &'static str,
    pub call: &'static str,
    pub between: &'static str,
    pub close: &'static str,
    pub arguments: Arguments,
    pub ids: Ids,
    /// A response has one call at most.
    pub single: bool,
    /// A response is either text or calls.
    pub alone: bool,
    pub definitions: Definitions,
    pub results: Results,
}

impl Form {
    /// The form of a format id; `auto` is our own format.
    ///
    /// # Errors
    /// An unknown format id.
    pub fn of(id: &str) -> Result<&'static Self> {
        let id = if id == "auto" { "json" } else { id };
        let named = |id: &str| FORMS.iter().find(|form| form.id == id);
        named(id).or_else(|| named(by_id(id)?.id)).ok_or_else(|| unknown(id))
    }

    /// Whether the name stands outside JSON, so that it can't be escaped.
    pub(super) fn has_bare_name(&self) -> bool {
        self.call.contains("%n") || self.ids == Ids::Kimi
    }

    /// What can't be in a bare value: the fixed texts of the templates around it.
    pub(super) fn delimiters(&self) -> impl Iterator<Item = &'static str> {
        let item = match self.arguments {
            Arguments::Tagged(item) | Arguments::Cdata(item) => item,
            Arguments::Gemma(mark) | Arguments::Delimited(mark) | Arguments::Nested(mark) => mark,
            Arguments::Json | Arguments::Python => "",
        };
        [item, self.call, self.close].into_iter().flat_map(super::template::fixed).filter(|part| part.len() > 2)
    }
}

const TOOL_RESPONSE: Results = Results {
    open: "",
    item: "<tool_response>\n%r\n</tool_response>",
    between: "\n",
    close: "",
    encoding: Encoding::Text,
};
const NAMED: Results = Results { item: "<tool_response name=%N>\n%r\n</tool_response>", ..TOOL_RESPONSE };
const IPYTHON: Results = Results { item: "{\"output\": %r}", encoding: Encoding::Json, ..TOOL_RESPONSE };

const fn results(item: &'static str) -> Results {
    Results { item, ..TOOL_RESPONSE }
}

const HERMES: Form = Form {
    id: "hermes_json",
    reasoning: "<think>\n%t\n</think>\n\n",
    text: "%t",
    answer: "%t",
    gap: "\n",
    open: "",
    call: "<tool_call>\n{\"name\": %N, \"arguments\": %a}\n</tool_call>",
    between: "\n",
    close: "",
    arguments: Arguments::Json,
    ids: Ids::None,
    single: false,
    alone: false,
    definitions: Definitions::OpenAi,
    results: TOOL_RESPONSE,
};
/// JSON objects in one array.
const ARRAY: Form = Form { call: "{\"name\": %N, \"arguments\": %a}", between: ", ", results: NAMED, ..HERMES };
const QWEN_XML: Form = Form {
    id: "qwen3_xml",
    gap: "\n\n",
    call: "<tool_call>\n<function=%n>\n%a</function>\n</tool_call>",
    arguments: Arguments::Tagged("<parameter=%k>\n%v\n</parameter>\n"),
    definitions: Definitions::Xml,
    ..HERMES
};
const INVOKE: Form = Form {
    call: "<invoke name=\"%n\">\n%a</invoke>\n",
    between: "",
    arguments: Arguments::Tagged("<parameter name=\"%k\">%v</parameter>\n"),
    ..HERMES
};
const DSML: Form = Form {
    id: "deepseek_v32_dsml",
    gap: "\n\n",
    open: "<｜DSML｜function_calls>\n",
    call: "<｜DSML｜invoke name=\"%n\">\n%a</｜DSML｜invoke>\n",
    between: "",
    close: "</｜DSML｜function_calls>",
    arguments: Arguments::Tagged("<｜DSML｜parameter name=\"%k\" string=\"%s\">%v</｜DSML｜parameter>\n"),
    definitions: Definitions::Json,
    results: Results {
        open: "<function_results>\n",
        item: "<result>%r</result>",
        close: "\n</function_results>",
        ..TOOL_RESPONSE
    },
    ..HERMES
};
const DSML_4: Form = Form {
    id: "deepseek_v4_dsml",
    open: "<｜DSML｜tool_calls>\n",
    close: "</｜DSML｜tool_calls>",
    results: results("<tool_result>%r</tool_result>"),
    ..DSML
};
const GLM_45: Form = Form {
    id: "glm45",
    call: "<tool_call>%n\n%a</tool_call>",
    arguments: Arguments::Tagged("<arg_key>%k</arg_key>\n<arg_value>%v</arg_value>\n"),
    ..HERMES
};
const DEEPSEEK: Form = Form {
    id: "deepseek_v31",
    gap: "",
    open: "<｜tool▁calls▁begin｜>",
    call: "<｜tool▁call▁begin｜>%n<｜tool▁sep｜>%a<｜tool▁call▁end｜>",
    between: "",
    close: "<｜tool▁calls▁end｜>",
    results: results("<｜tool▁output▁begin｜>%r<｜tool▁output▁end｜>"),
    ..HERMES
};
const MISTRAL: Form = Form {
    id: "mistral_json",
    reasoning: "[THINK]%t[/THINK]",
    gap: "",
    open: "[TOOL_CALLS][",
    call: "{\"name\": %N, \"arguments\": %a, \"id\": \"%d\"}",
    between: ", ",
    close: "]",
    ids: Ids::Letters { count: 9, lower: false },
    results: Results {
        item: "[TOOL_RESULTS]{\"content\": %r, \"call_id\": \"%d\"}[/TOOL_RESULTS]",
        between: "",
        encoding: Encoding::Json,
        ..TOOL_RESPONSE
    },
    ..HERMES
};
const MISTRAL_ARGS: Form = Form {
    id: "mistral_args",
    open: "",
    call: "[TOOL_CALLS]%n[ARGS]%a",
    between: "",
    close: "",
    ids: Ids::None,
    results: Results { item: "[TOOL_RESULTS]%r[/TOOL_RESULTS]", between: "", ..TOOL_RESPONSE },
    ..MISTRAL
};
const PYTHONIC: Form = Form {
    id: "pythonic",
    gap: "\n",
    open: "[",
    call: "%n(%a)",
    between: ", ",
    close: "]",
    arguments: Arguments::Python,
    alone: true,
    definitions: Definitions::Json,
    results: IPYTHON,
    ..HERMES
};
const COHERE: Form = Form {
    id: "cohere_action",
    reasoning: "<|START_THINKING|>%t<|END_THINKING|>",
    text: "<|START_RESPONSE|>%t<|END_RESPONSE|>",
    answer: "<|START_RESPONSE|>%t<|END_RESPONSE|>",
    gap: "",
    open: "<|START_ACTION|>[\n",
    call: "    {\"tool_call_id\": \"%d\", \"tool_name\": %N, \"parameters\": %a}",
    between: ",\n",
    close: "\n]<|END_ACTION|>",
    ids: Ids::Position,
    results: Results {
        open: "<|START_TOOL_RESULT|>[\n",
        item: "    {\"tool_call_id\": \"%d\", \"results\": {\"0\": %r}, \"is_error\": null}",
        between: ",\n",
        close: "\n]<|END_TOOL_RESULT|>",
        encoding: Encoding::Json,
    },
    ..HERMES
};
const FUNCTOOLS: Form = Form { id: "phi4mini", gap: "\n", open: "functools[", close: "]", alone: true, ..ARRAY };
const GIGACHAT: Form = Form {
    id: "gigachat3",
    gap: "",
    call: "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": %N, \"arguments\": %a}",
    single: true,
    definitions: Definitions::TypeScript,
    results: NAMED,
    ..HERMES
};

/// Every format.
pub const FORMS: &[Form] = &[
    Form {
        id: "json",
        call: "```json:toolCall\n{\"name\": %N, \"arguments\": %a}\n```",
        definitions: Definitions::Json,
        results: Results {
            item: "```tool_result\n{\"name\": %N, \"result\": %r}\n```",
            encoding: Encoding::Json,
            ..TOOL_RESPONSE
        },
        ..HERMES
    },
    HERMES,
    QWEN_XML,
    Form {
        id: "harmony",
        reasoning: "<|channel|>analysis<|message|>%t<|end|><|start|>assistant",
        text: "<|channel|>commentary<|message|>%t<|end|><|start|>assistant",
        answer: "<|channel|>final<|message|>%t<|end|>",
        gap: "",
        call: "<|channel|>commentary to=functions.%n <|constrain|>json<|message|>%a<|call|>",
        between: "<|start|>assistant",
        definitions: Definitions::TypeScript,
        results: Results {
            item: "<|start|>functions.%n to=assistant<|channel|>commentary<|message|>%r<|end|>",
            between: "",
            encoding: Encoding::Json,
            ..TOOL_RESPONSE
        },
        ..HERMES
    },
    DSML,
    DSML_4,
    Form {
        id: "kimi_k2",
        gap: "",
        open: "<|tool_calls_section_begin|>",
        call: "<|tool_call_begin|>%d<|tool_call_argument_begin|>%a<|tool_call_end|>",
        between: "",
        close: "<|tool_calls_section_end|>",
        ids: Ids::Kimi,
        results: results("## Return of %d\n%r"),
        ..HERMES
    },
    Form {
        id: "kimi_k3",
        reasoning: "<|open|>think<|sep|>%t<|close|>think<|sep|>",
        text: "<|open|>response<|sep|>%t<|close|>response<|sep|>",
        answer: "<|open|>response<|sep|>%t<|close|>response<|sep|>",
        gap: "",
        open: "<|open|>tools<|sep|>",
        call: "<|open|>call tool=\"%n\" index=\"%j\"<|sep|>%a<|close|>call<|sep|>",
        between: "",
        close: "<|close|>tools<|sep|>",
        arguments: Arguments::Tagged("<|open|>argument key=\"%k\" type=\"%y\"<|sep|>%v<|close|>argument<|sep|>"),
        results: results("<|open|>message role=\"tool\" tool=\"%n\" index=\"%j\"<|sep|>%r<|close|>message<|sep|>"),
        ..HERMES
    },
    GLM_45,
    Form {
        id: "glm47",
        gap: "",
        call: "<tool_call>%n%a</tool_call>",
        between: "",
        arguments: Arguments::Tagged("<arg_key>%k</arg_key><arg_value>%v</arg_value>"),
        ..GLM_45
    },
    MISTRAL,
    MISTRAL_ARGS,
    Form {
        id: "gemma4",
        reasoning: "<|channel>thought\n%t\n<channel|>",
        gap: "",
        call: "<|tool_call>call:%n{%a}<tool_call|>",
        between: "",
        arguments: Arguments::Gemma("<|\"|>"),
        results: Results {
            item: "<|tool_response>response:%n{value:%r}<tool_response|>",
            between: "",
            encoding: Encoding::Json,
            ..TOOL_RESPONSE
        },
        ..HERMES
    },
    Form {
        id: "functiongemma",
        gap: "",
        call: "<start_function_call>call:%n{%a}<end_function_call>",
        between: "",
        arguments: Arguments::Delimited("<escape>"),
        results: Results {
            item: "<start_function_response>response:%n{<escape>%r<escape>}<end_function_response>",
            between: "",
            ..TOOL_RESPONSE
        },
        ..HERMES
    },
    Form {
        id: "minimax_m2",
        open: "<minimax:tool_call>\n",
        close: "</minimax:tool_call>",
        results: results("<response>%r</response>"),
        ..INVOKE
    },
    Form {
        id: "minimax_m3",
        gap: "",
        open: "]<]minimax[>[<tool_call>\n",
        call: "]<]minimax[>[<invoke name=\"%n\">%a]<]minimax[>[</invoke>\n",
        between: "",
        close: "]<]minimax[>[</tool_call>",
        arguments: Arguments::Nested("]<]minimax[>["),
        results: results("<response>%r</response>"),
        ..HERMES
    },
    Form {
        id: "minimax_m1",
        open: "<tool_calls>\n",
        call: "{\"name\": %N, \"arguments\": %a}\n",
        between: "",
        close: "</tool_calls>",
        results: NAMED,
        ..HERMES
    },
    Form {
        id: "llama3_json",
        gap: "\n",
        call: "{\"name\": %N, \"parameters\": %a}",
        between: "; ",
        single: true,
        alone: true,
        results: IPYTHON,
        ..HERMES
    },
    PYTHONIC,
    Form {
        id: "llama4_pythonic",
        gap: "",
        open: "<|python_start|>[",
        close: "]<|python_end|>",
        alone: false,
        ..PYTHONIC
    },
    Form {
        id: "olmo3",
        gap: "",
        open: "<function_calls>",
        between: "\n",
        close: "</function_calls>",
        alone: false,
        ..PYTHONIC
    },
    Form {
        id: "lfm2",
        gap: "",
        open: "<|tool_call_start|>[",
        close: "]<|tool_call_end|>",
        alone: false,
        results: results("<|tool_response_start|>%r<|tool_response_end|>"),
        ..PYTHONIC
    },
    Form {
        id: "deepseek_v3",
        call: "<｜tool▁call▁begin｜>function<｜tool▁sep｜>%n\n```json\n%a\n```<｜tool▁call▁end｜>",
        between: "\n",
        results: Results {
            open: "<｜tool▁outputs▁begin｜>",
            between: "",
            close: "<｜tool▁outputs▁end｜>",
            ..DEEPSEEK.results
        },
        ..DEEPSEEK
    },
    DEEPSEEK,
    Form {
        id: "seed_oss",
        reasoning: "<seed:think>%t</seed:think>",
        call: "<seed:tool_call>\n<function=%n>\n%a</function>\n</seed:tool_call>",
        arguments: Arguments::Tagged("<parameter=%k>%v</parameter>\n"),
        definitions: Definitions::Python,
        results: NAMED,
        ..QWEN_XML
    },
    Form { id: "granite3", gap: "", open: "<|tool_call|>[", close: "]", ..ARRAY },
    Form {
        id: "granite_20b_fc",
        gap: "",
        call: "<function_call> {\"name\": %N, \"arguments\": %a}",
        results: NAMED,
        ..HERMES
    },
    COHERE,
    Form {
        id: "cohere_action_v4",
        text: "<|START_TEXT|>%t<|END_TEXT|>",
        answer: "<|START_TEXT|>%t<|END_TEXT|>",
        ..COHERE
    },
    Form {
        id: "command_r_plus",
        text: "%t",
        answer: "%t",
        gap: "\n",
        open: "Action:\n```json\n[\n",
        call: "    {\"tool_name\": %N, \"parameters\": %a}",
        close: "\n]\n```",
        ids: Ids::None,
        definitions: Definitions::Python,
        results: NAMED,
        ..COHERE
    },
    FUNCTOOLS,
    Form { id: "hunyuan_a13b", gap: "", open: "<tool_calls>[", close: "]</tool_calls>", ..ARRAY },
    Form { id: "jamba", open: "<tool_calls>[\n", between: ",\n", close: "\n]</tool_calls>", ..ARRAY },
    Form { id: "apriel", open: "<tool_calls>[", close: "]</tool_calls>", ..ARRAY },
    Form { id: "xlam", open: "```json\n[", close: "]\n```", ..ARRAY },
    Form {
        id: "nemotron_toolcall",
        open: "<TOOLCALL>[",
        close: "]</TOOLCALL>",
        results: Results {
            open: "<TOOL_RESPONSE>[",
            item: "%r",
            between: ", ",
            close: "]</TOOL_RESPONSE>",
            encoding: Encoding::Json,
        },
        ..ARRAY
    },
    Form {
        id: "generic_json",
        gap: "\n",
        open: "[",
        call: "{\"name\": %N, \"parameters\": %a}",
        close: "]",
        alone: true,
        ..ARRAY
    },
    Form {
        id: "apertus",
        gap: "",
        open: "<|tools_prefix|>[",
        call: "{%N: %a}",
        close: "]<|tools_suffix|>",
        definitions: Definitions::TypeScript,
        results: Results { open: "[", item: "%r", between: ", ", close: "]", encoding: Encoding::Json },
        ..ARRAY
    },
    Form {
        id: "hunyuan_v3",
        gap: "",
        open: "<tool_calls>\n",
        call: "<tool_call>%n<tool_sep>\n%a</tool_call>\n",
        between: "",
        close: "</tool_calls>",
        ..GLM_45
    },
    Form {
        id: "minicpm5",
        call: "<function name=\"%n\">%a</function>",
        arguments: Arguments::Cdata("<param name=\"%k\">%v</param>"),
        ..HERMES
    },
    Form {
        id: "internlm2",
        gap: "",
        call: "<|action_start|><|plugin|>\n{\"name\": %N, \"parameters\": %a}<|action_end|>",
        between: "",
        results: NAMED,
        ..HERMES
    },
    Form {
        id: "longcat",
        call: "<longcat_tool_call>\n{\"name\": %N, \"arguments\": %a}\n</longcat_tool_call>",
        results: NAMED,
        ..HERMES
    },
    Form { id: "functionary_v31", gap: "", call: "<function=%n>%a</function>", between: "", results: NAMED, ..HERMES },
    Form {
        id: "functionary_v32",
        text: ">>>all\n%t",
        answer: ">>>all\n%t",
        gap: "",
        call: ">>>%n\n%a",
        between: "",
        definitions: Definitions::TypeScript,
        results: NAMED,
        ..HERMES
    },
    GIGACHAT,
    Form { id: "gigachat31", call: "<|function_call|>{\"name\": %N, \"arguments\": %a}", ..GIGACHAT },
    Form {
        id: "muse_glimmer",
        reasoning: " to=self<|message|>%t<|eom|><|start|>assistant",
        text: " to=user<|message|>%t<|eom|><|start|>assistant",
        answer: " to=user<|message|>%t<|eom|>",
        gap: "",
        call: " to=%n<|message|><atem:function_calls>\n<atem:invoke name=\"%n\">\n%a</atem:invoke>\n</atem:function_calls>",
        between: "<|eom|><|start|>assistant",
        arguments: Arguments::Tagged("<atem:parameter name=\"%k\">%v</atem:parameter>\n"),
        results: NAMED,
        ..HERMES
    },
    Form {
        id: "inkling",
        text: "<|message_model|><|content_text|>%t<|end_message|>",
        answer: "<|message_model|><|content_text|>%t<|end_message|>",
        gap: "",
        call: "<|message_model|>%n<|content_invoke_tool_json|>{\"name\": %N, \"args\": %a}<|end_message|>",
        between: "",
        results: NAMED,
        ..HERMES
    },
    Form { id: "dots", open: "<dots_function_call>\n", close: "</dots_function_call>", results: NAMED, ..INVOKE },
    Form {
        id: "step3",
        gap: "",
        open: "<｜tool_calls_begin｜>",
        call: "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"%n\">%a</steptml:invoke><｜tool_call_end｜>",
        between: "",
        close: "<｜tool_calls_end｜>",
        arguments: Arguments::Tagged("<steptml:parameter name=\"%k\">%v</steptml:parameter>"),
        results: NAMED,
        ..HERMES
    },
    Form {
        id: "solar_open",
        gap: "",
        open: "<|tool_calls|>",
        call: "<|tool_call:begin|>%d<|tool_call:name|>%n<|tool_call:args|>%a<|tool_call:end|>",
        between: "",
        close: "<|calls|>",
        ids: Ids::Letters { count: 10, lower: true },
        results: results("<tool_response name=%N id=\"%d\">\n%r\n</tool_response>"),
        ..HERMES
    },
    Form { id: "groq_failed_generation", gap: "", call: "<function=%n>%a</function>", between: "", ..HERMES },
    Form {
        id: "gigachat35",
        open: "<｜GCML｜tool_calls>\n",
        call: "<｜GCML｜invoke name=\"%n\">\n%a</｜GCML｜invoke>\n",
        close: "</｜GCML｜tool_calls>",
        arguments: Arguments::Tagged("<｜GCML｜parameter name=\"%k\" string=\"%s\">%v</｜GCML｜parameter>\n"),
        results: NAMED,
        ..DSML
    },
    Form {
        id: "cohere_xml",
        open: "<cofl:tool_calls>",
        call: "<cofl:tool_call id=\"%d\" name=\"%n\">%a</cofl:tool_call>",
        between: "",
        close: "</cofl:tool_calls>",
        arguments: Arguments::Tagged("<cofl:value name=\"%k\" type=\"%w\">%v</cofl:value>"),
        ..COHERE
    },
    Form {
        id: "lmstudio",
        call: "[TOOL_REQUEST]{\"name\": %N, \"arguments\": %a}[END_TOOL_REQUEST]",
        results: NAMED,
        ..HERMES
    },
];
