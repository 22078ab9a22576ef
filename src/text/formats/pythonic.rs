//! Formats that write calls in Python syntax, or with their own kind of literals.

use super::{
    BASE, Body, Definitions, Encoding, Format, Literal, OUTPUT, Pythonic, Results, THINK, Undeclared, pair, results,
};

const LISTED: Pythonic = Pythonic { list: true, bare: true };

const BARE: Format = Format {
    id: "pythonic",
    aliases: &["pythonic_body"],
    also: &[pair("<|python_start|>", "<|python_end|>")],
    separator: ", ",
    body: Body::Pythonic(LISTED),
    alone: true,
    definitions: Definitions::Json,
    results: OUTPUT,
    ..BASE
};
/// Like [`BARE`], but between markers.
const MARKED: Format = Format { aliases: &[], also: &[], gap: "", alone: false, ..BARE };

pub(super) static ROWS: [Format; 6] = [
    BARE,
    Format { id: "llama4_pythonic", section: pair("<|python_start|>", "<|python_end|>"), ..MARKED },
    Format {
        id: "olmo3",
        section: pair("<function_calls>", "</function_calls>"),
        separator: "\n",
        body: Body::Pythonic(Pythonic { list: false, bare: false }),
        ..MARKED
    },
    Format {
        id: "lfm2",
        section: pair("<|tool_call_start|>", "<|tool_call_end|>"),
        body: Body::Pythonic(Pythonic { list: true, bare: false }),
        undeclared: Undeclared::Invalid,
        results: results("<|tool_response_start|>%r<|tool_response_end|>"),
        ..MARKED
    },
    Format {
        id: "gemma4",
        aliases: &["gemma4_body"],
        call: pair("<|tool_call>", "<tool_call|>"),
        separator: "",
        body: Body::Literal(Literal { open: "call:", quote: "<|\"|>", quotes_all: false }),
        reasoning: &[pair("<|channel>thought\n", "\n<channel|>"), THINK],
        gap: "",
        wrappers: &["<|channel>", "<channel|>"],
        results: Results {
            between: "",
            encoding: Encoding::Json,
            ..results("<|tool_response>response:%n{value:%r}<tool_response|>")
        },
        ..BASE
    },
    Format {
        id: "functiongemma",
        call: pair("<start_function_call>", "<end_function_call>"),
        separator: "",
        body: Body::Literal(Literal { open: "call:", quote: "<escape>", quotes_all: true }),
        gap: "",
        results: Results {
            between: "",
            ..results("<start_function_response>response:%n{<escape>%r<escape>}<end_function_response>")
        },
        ..BASE
    },
];
