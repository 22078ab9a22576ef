//! Formats with calls in Python's syntax, or with literals of their own.

use super::{BASE, Body, Format, LABELLED, Literal, NONE, PLAIN, Pythonic, Results, THINK, Undeclared, pair};

const LISTED: Pythonic = Pythonic { list: true, bare: true };

pub(super) static ROWS: [Format; 6] = [
    Format {
        id: "pythonic",
        aliases: &["pythonic_body"],
        section: NONE,
        also: &[pair("<|python_start|>", "<|python_end|>")],
        separator: ", ",
        body: Body::Pythonic(LISTED),
        results: Results { quoted: true, ..PLAIN },
        ..BASE
    },
    Format {
        id: "llama4_pythonic",
        call: NONE,
        section: pair("<|python_start|>", "<|python_end|>"),
        separator: ", ",
        body: Body::Pythonic(LISTED),
        results: Results { quoted: true, ..PLAIN },
        ..BASE
    },
    Format {
        id: "olmo3",
        section: pair("<function_calls>", "</function_calls>"),
        body: Body::Pythonic(Pythonic { list: false, bare: false }),
        results: LABELLED,
        ..BASE
    },
    Format {
        id: "lfm2",
        section: pair("<|tool_call_start|>", "<|tool_call_end|>"),
        separator: ", ",
        body: Body::Pythonic(Pythonic { list: true, bare: false }),
        undeclared: Undeclared::Invalid,
        results: PLAIN,
        ..BASE
    },
    Format {
        id: "gemma4",
        aliases: &["gemma4_body"],
        call: pair("<|tool_call>", "<tool_call|>"),
        separator: "",
        body: Body::Literal(Literal { quote: "<|\"|>" }),
        reasoning: &[pair("<|channel>thought", "<channel|>"), THINK],
        wrappers: &["<|channel>", "<channel|>"],
        results: Results {
            each: pair("<|tool_response>response:{name}{value:<|\"|>", "<|\"|>}<tool_response|>"),
            separator: "",
            ..PLAIN
        },
        ..BASE
    },
    Format {
        id: "functiongemma",
        call: pair("<start_function_call>", "<end_function_call>"),
        separator: "",
        body: Body::Literal(Literal { quote: "<escape>" }),
        results: Results {
            each: pair("<start_function_response>response:{name}{<escape>", "<escape>}<end_function_response>"),
            separator: "",
            ..PLAIN
        },
        ..BASE
    },
];
