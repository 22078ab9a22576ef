//! Responses of models and outcomes of tools, independent of the format.

use serde_json::{Value, json};
use std::collections::HashSet;

/// One part of a response. Providers omit parts that their format lacks.
#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    /// A text with citations.
    Cited(String),
    Reasoning {
        text: String,
        state: Option<String>,
    },
    Redacted(String),
    Call(Call),
    /// A native block: a search that the provider ran itself.
    Native,
    Refusal(String),
}

#[derive(Clone, Debug)]
pub struct Call {
    /// The index of the tool.
    pub tool: usize,
    pub id: Id,
    /// The text of the arguments, for formats that have text. Formats that have objects omit arguments that are not
    /// one.
    pub arguments: String,
    /// Google's signature of the call.
    pub signature: Option<String>,
}

#[derive(Clone, Debug)]
pub enum Id {
    /// An id as the provider generates it.
    Usual,
    /// No id, if the provider's format allows that.
    None,
    /// An id of another server or gateway that uses the provider's format.
    Given(String),
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Text(String),
    Json(Value),
    Error(String),
    Image,
    Parts(Vec<String>),
}

/// The response to a request, and the messages that the client adds to the next request.
#[derive(Clone, Debug)]
pub struct Turn {
    pub parts: Vec<Part>,
    /// The outcomes of the calls, in order; the list repeats for further calls.
    pub outcomes: Vec<Outcome>,
    /// Whether the results are in the order of the calls.
    pub in_order: bool,
    /// Whether each result has a message of its own.
    pub apart: bool,
    /// Whether the client adds an instruction.
    pub instructs: bool,
    /// The next question of the user.
    pub question: Option<String>,
    /// Whether the user adds an image.
    pub shows: bool,
}

impl Turn {
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts.iter().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
    }

    pub fn has_empty_text(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Text(text) | Part::Cited(text) | Part::Refusal(text) if text.is_empty()))
    }

    /// Opaque state that only its provider can read.
    pub fn states(&self) -> impl Iterator<Item = &String> {
        self.parts.iter().filter_map(|part| match part {
            Part::Reasoning { state, .. } => state.as_ref(),
            Part::Redacted(data) => Some(data),
            Part::Call(call) => call.signature.as_ref(),
            Part::Text(_) | Part::Cited(_) | Part::Native | Part::Refusal(_) => None,
        })
    }

    /// Whether the response contains the same id twice.
    pub fn has_twins(&self) -> bool {
        let mut seen = HashSet::new();
        self.calls().any(|call| matches!(&call.id, Id::Given(id) if !seen.insert(id)))
    }

    pub fn gives_no_ids(&self) -> bool {
        !self.calls().any(|call| matches!(call.id, Id::Given(_)))
    }
}

pub const FREEFORM: usize = 3;

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn thought(text: &str, state: Option<&str>) -> Part {
    Part::Reasoning { text: text.to_owned(), state: state.map(str::to_owned) }
}

fn call(tool: usize, arguments: &str) -> Part {
    called(tool, Id::Usual, arguments, None)
}

fn called(tool: usize, id: Id, arguments: &str, signature: Option<&str>) -> Part {
    let signature = signature.map(str::to_owned);
    Part::Call(Call { tool, id, arguments: arguments.to_owned(), signature })
}

fn given(id: &str) -> Id {
    Id::Given(id.to_owned())
}

fn turn(parts: Vec<Part>, outcomes: Vec<Outcome>) -> Turn {
    Turn { parts, outcomes, in_order: true, apart: false, instructs: false, question: None, shows: false }
}

fn plain(text: &str) -> Outcome {
    Outcome::Text(text.to_owned())
}

/// Conversations with known pitfalls.
pub fn written() -> Vec<(&'static str, Vec<Turn>)> {
    let sunny = || vec![plain("Sunny")];
    let instructs = |turn: Turn| Turn { instructs: true, ..turn };
    let asks = |turn: Turn, question: &str| Turn { question: Some(question.to_owned()), ..turn };
    vec![
        (
            "words and calls",
            vec![
                turn(vec![text("Looking."), call(0, r#"{"city":"Paris"}"#)], sunny()),
                turn(
                    vec![call(0, r#"{"city":"Rome"}"#), call(1, "{}")],
                    vec![plain("Rain"), Outcome::Json(json!({"n": [1, {"x": "é"}]}))],
                ),
                asks(turn(vec![text("Rain in Rome.")], vec![]), "And in Oslo?"),
                turn(
                    vec![text("Again."), call(0, r#"{"city":"Oslo","deep":{"list":[1,2.5,null,"🌦"],"e":{}}}"#)],
                    vec![Outcome::Error("no such city".to_owned())],
                ),
                asks(turn(vec![text("I do not know.")], vec![]), "Thanks."),
            ],
        ),
        (
            "reasoning",
            vec![
                turn(
                    vec![
                        thought("Where? Paris.", Some("c2lnbmF0dXJlMQ==")),
                        called(0, Id::Usual, r#"{"city":"Paris"}"#, Some("c2lnQ2FsbA==")),
                    ],
                    sunny(),
                ),
                turn(
                    vec![
                        thought("And Rome.", Some("c2lnMg==")),
                        text("One more."),
                        called(0, Id::Usual, r#"{"city":"Rome"}"#, Some("c2ln")),
                        call(1, "{}"),
                    ],
                    sunny(),
                ),
                turn(
                    vec![Part::Redacted("cmVkYWN0ZWQ=".to_owned()), called(1, Id::Usual, "{}", Some("c2lnMw=="))],
                    sunny(),
                ),
                asks(
                    turn(vec![thought("Done.", Some("c2lnNA==")), text("Sunny in both.")], vec![]),
                    "Thanks. And Oslo?",
                ),
                turn(
                    vec![
                        thought("Oslo.", Some("c2lnNQ==")),
                        called(0, Id::Usual, r#"{"city":"Oslo"}"#, Some("c2lnNg==")),
                    ],
                    sunny(),
                ),
                asks(turn(vec![thought("", Some("c2lnNw==")), text("Sunny, too.")], vec![]), "Thanks."),
            ],
        ),
        (
            "reasoning that nobody signs",
            vec![
                turn(vec![thought("Hm.", None), call(0, r#"{"city":"Paris"}"#)], sunny()),
                turn(vec![thought("Hm, hm.", None), text("So."), call(1, "{}")], sunny()),
                asks(turn(vec![thought("Fine.", None), text("Sunny.")], vec![]), "Thanks."),
            ],
        ),
        (
            "calls without ids",
            vec![
                turn(vec![called(0, Id::None, r#"{"city":"Paris"}"#, None)], sunny()),
                turn(
                    vec![
                        called(0, Id::None, r#"{"city":"Paris"}"#, None),
                        called(0, Id::None, r#"{"city":"Paris"}"#, None),
                    ],
                    vec![plain("Sun"), plain("Rain")],
                ),
                turn(vec![called(1, Id::None, "{}", None), called(0, Id::None, "{}", None)], sunny()),
                turn(vec![called(1, Id::None, "{}", None), called(0, Id::None, "{}", None)], sunny()),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "the same ids in every response",
            vec![
                turn(vec![called(0, given("call_0"), r#"{"city":"Paris"}"#, None)], sunny()),
                turn(
                    vec![
                        called(0, given("call_0"), r#"{"city":"Rome"}"#, None),
                        called(1, given("call_1"), "{}", None),
                    ],
                    sunny(),
                ),
                turn(
                    vec![called(1, given("call_0"), "{}", None), called(0, given("call_0"), "{}", None)],
                    vec![plain("one"), plain("two")],
                ),
                turn(vec![called(0, given("call_0"), r#"{"city":"Oslo"}"#, None)], sunny()),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "ids that others refuse",
            vec![
                turn(vec![called(0, given("functions.get_weather:0"), r#"{"city":"Paris"}"#, None)], sunny()),
                turn(
                    vec![
                        called(0, given(&"i".repeat(70)), "{}", None),
                        called(1, given("functions.get_weather:0"), "{}", None),
                    ],
                    sunny(),
                ),
                turn(
                    vec![called(0, given("é b"), "{}", None), called(0, given("functions.get_weather:1"), "{}", None)],
                    sunny(),
                ),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "arguments of all kinds",
            vec![
                turn(vec![call(0, ""), call(1, " { \"x\" : 1 } ")], sunny()),
                turn(vec![call(0, "{\"city\":"), call(0, "[1]"), call(1, "null")], sunny()),
                turn(vec![call(0, r#"{"city":"\u00e9\n\"","n":12345678901234567890,"f":1.0,"z":-0.0}"#)], sunny()),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "names that others refuse",
            vec![
                turn(vec![call(2, r#"{"path":"a"}"#), call(4, "{}")], sunny()),
                turn(vec![call(4, r#"{"path":"b"}"#)], sunny()),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "tools in namespaces",
            vec![
                turn(vec![call(5, r#"{"id":1}"#), call(6, r#"{"id":2}"#), call(0, "{}")], sunny()),
                Turn { in_order: false, ..turn(vec![call(6, "{}"), call(5, "{}")], sunny()) },
                turn(vec![text("More."), call(6, "{}")], vec![Outcome::Error("none".to_owned())]),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "instructions on the way",
            vec![
                asks(instructs(turn(vec![call(0, "{}"), call(1, "{}")], sunny())), "And?"),
                instructs(turn(vec![text("So."), call(1, "{}")], sunny())),
                Turn { in_order: false, ..instructs(turn(vec![call(0, "{}"), call(1, "{}")], sunny())) },
                turn(vec![call(0, "{}")], sunny()),
                asks(instructs(turn(vec![text("Hm.")], vec![])), "Go on."),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "pictures, sources and results one by one",
            vec![
                Turn {
                    apart: true,
                    ..turn(vec![call(0, "{}"), call(1, "{}")], vec![Outcome::Image, Outcome::Error("no".to_owned())])
                },
                Turn { shows: true, ..asks(turn(vec![Part::Cited("It rains.".to_owned())], vec![]), "And here?") },
                Turn {
                    apart: true,
                    in_order: false,
                    ..turn(vec![call(1, "{}"), call(1, "{}"), call(0, "{}")], sunny())
                },
                Turn { shows: true, ..asks(turn(vec![call(0, "{}")], sunny()), "Look.") },
                turn(vec![text("Then:"), Part::Cited("Sun.".to_owned()), call(0, "{}")], vec![Outcome::Image]),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "freeform tools",
            vec![
                turn(vec![call(FREEFORM, r#"{"input":"SELECT 1;\n-- \"é\""}"#)], sunny()),
                turn(vec![text("More."), call(FREEFORM, r#"{"input":""}"#), call(0, r#"{"city":"Rome"}"#)], sunny()),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
        (
            "what only its provider knows",
            vec![
                turn(vec![text("Searching."), Part::Native, call(0, r#"{"city":"Paris"}"#)], sunny()),
                turn(vec![Part::Native, text("Found.")], vec![]),
            ]
            .into_iter()
            .map(|turn| asks(turn, "Go on."))
            .collect(),
        ),
        (
            "refusals and empty responses",
            vec![
                turn(vec![call(0, "{}")], sunny()),
                asks(turn(vec![Part::Refusal("I can't.".to_owned())], vec![]), "Please."),
                asks(turn(vec![text("")], vec![]), "Hello?"),
                asks(turn(vec![], vec![]), "Hello?"),
                turn(vec![text(" "), call(0, "{}")], sunny()),
                asks(turn(vec![text("Here.")], vec![]), "Thanks."),
            ],
        ),
        (
            "words between calls",
            vec![
                turn(
                    vec![
                        thought("A.", Some("YQ==")),
                        text("First."),
                        called(0, Id::Usual, "{}", Some("Yg==")),
                        thought("B.", Some("Yw==")),
                        text("Second."),
                        call(1, "{}"),
                        text("Third."),
                    ],
                    sunny(),
                ),
                asks(turn(vec![text("Done.\n")], vec![]), "Thanks."),
            ],
        ),
        (
            "results of all kinds",
            vec![
                Turn {
                    in_order: false,
                    ..turn(
                        vec![call(0, r#"{"n":1}"#), call(1, r#"{"n":2}"#), call(0, r#"{"n":3}"#)],
                        vec![Outcome::Image, plain("two"), Outcome::Error("three".to_owned())],
                    )
                },
                turn(
                    vec![call(0, r#"{"n":4}"#), call(1, "{}")],
                    vec![Outcome::Parts(vec!["a".to_owned(), "b".to_owned()]), Outcome::Json(json!([1, 2]))],
                ),
                Turn { in_order: false, ..turn(vec![call(0, "{}"), call(0, "{}")], vec![plain(""), Outcome::Image]) },
                asks(turn(vec![call(0, "{}")], vec![Outcome::Image]), "Look."),
                asks(turn(vec![text("Done.")], vec![]), "Thanks."),
            ],
        ),
    ]
}
