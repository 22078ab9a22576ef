//! Texts, names, ids and numbers: the usual ones, and those that some target refuses.

use super::{Json, one_of};
use proptest::prelude::*;
use serde_json::Value;

/// Characters that are prone to errors in escaping, cutting and comparing.
const ODD: &[&str] = &[
    "",
    " ",
    "\n",
    "\t \n",
    "\u{0}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{200b}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{fffd}",
    "\u{10ffff}",
    "👩‍👩‍👧",
    "é",
    "e\u{301}",
    "\"",
    "\\",
    "\\u0000",
    "/",
    "</script>",
    "null",
    "{}",
    "[]",
    "{\"error\":\"x\"}",
    "{\"a\":1}",
    "Execution Error: x",
    "See the next message.",
    "data:image/png;base64,iVBORw0KGgo=",
];

pub fn text() -> Json {
    prop_oneof![
        6 => "[a-zA-Z ,.!?]{1,24}".prop_map(Value::from),
        2 => one_of(ODD),
        1 => prop::collection::vec(any::<char>(), 0..12).prop_map(|characters| characters.into_iter().collect::<String>().into()),
        1 => ("[a-z]{1,6}", prop::sample::select(ODD)).prop_map(|(text, odd)| format!("{text}{odd}").into()),
    ]
    .boxed()
}

/// Few names, so that calls, results, choices and tools refer to each other.
pub fn tool_name() -> Json {
    let long = "x".repeat(70);
    let longest = "y".repeat(140);
    prop_oneof![
        12 => one_of(&["get_weather", "search", "f", "find-it"]),
        2 => one_of(&["get weather", "get.weather", "ns:find", "1st", "naïve", "-x", "wetter🌦", "get_weather_"]),
        1 => one_of(&[long, longest]),
    ]
    .boxed()
}

pub fn call_id() -> Json {
    prop_oneof![
        8 => "call_[a-z0-9]{6}".prop_map(Value::from),
        4 => one_of(&["c1", "c2"]),
        1 => one_of(&["", "a b", "é", "functions.f:0", "tw_0", "tw_abcdefghijk", "toolu_01AbCd"]),
        1 => one_of(&["i".repeat(41), "j".repeat(300)]),
    ]
    .boxed()
}

/// Any number that JSON libraries write exactly.
pub fn number() -> Json {
    prop_oneof![
        4 => (-3i64..200).prop_map(Value::from),
        1 => one_of(&[i64::MIN, i64::MAX, 1 << 53, (1 << 53) + 1, 2_147_483_648]),
        2 => one_of(&[0.5, -0.5, 1.0, 1.99, 2.0, -0.0, 1e-7, 1e21, 1.5e300]),
    ]
    .boxed()
}

/// Texts of arguments that are not a JSON object.
pub fn invalid_arguments() -> Json {
    one_of(&["", " ", "{", "{\"x\":", "[1]", "null", "\"text\"", "1e999", "{\"a\":1}{", "hello\u{0}"])
}

pub fn base64() -> Json {
    one_of(&["", "AA==", "iVBORw0KGgo=", "JVBERi0xLjQK", "SGVsbG8=", "not base64!"])
}
