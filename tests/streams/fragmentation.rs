//! The outcome of a stream does not depend on how its bytes are split.

use super::generated::{Response, response};
use super::{dialects, outcome, sent};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use toolwire::Dialect;

/// Splits the bytes at these positions.
fn pieces<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    ends.push(bytes.len());
    ends.sort_unstable();
    let mut start = 0;
    ends.into_iter()
        .map(|end| {
            let piece = &bytes[start..end];
            start = end;
            piece
        })
        .collect()
}

/// An error that no provider would put into its stream.
#[derive(Clone, Debug)]
enum Damage {
    Remove(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    End(prop::sample::Index),
    Repeat(prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = || any::<prop::sample::Index>();
    let bytes = prop_oneof![
        vec(any::<u8>(), 1..4),
        prop::sample::select(vec![
            "\r",
            "\n",
            "\n\n",
            "\r\n\r\n",
            "{",
            "}",
            "]",
            "\"",
            "\\",
            ":",
            "null",
            "data: ",
            "event: x\n",
            ": x\n"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop_oneof![
        (at(), 1..20_usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        (at(), bytes).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        at().prop_map(Damage::End),
        (at(), 1..200_usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        match self {
            Damage::Remove(at, count) => {
                let at = at.index(length + 1);
                bytes.drain(at..length.min(at + count));
            }
            Damage::Insert(at, more) => {
                let at = at.index(length + 1);
                bytes.splice(at..at, more.iter().copied());
            }
            Damage::End(at) => bytes.truncate(at.index(length + 1)),
            Damage::Repeat(at, count) => {
                let at = at.index(length + 1);
                let again = bytes[at..length.min(at + count)].to_vec();
                bytes.splice(at..at, again);
            }
        }
    }
}

/// A stream of Google's as an array of JSON, as servers send it without `alt=sse`.
fn as_array(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let events: Vec<&str> = text.split("\n\n").filter_map(|event| event.strip_prefix("data: ")).collect();
    format!("[{}\n]", events.join("\n,\r\n")).into_bytes()
}

fn with_other_ends_of_lines(bytes: &[u8], end: &str) -> Vec<u8> {
    String::from_utf8(bytes.to_vec()).unwrap().replace('\n', end).into_bytes()
}

fn sources(response: &Response) -> Vec<(Dialect, Vec<u8>)> {
    let mut sources: Vec<_> = dialects().map(|dialect| (dialect, response.bytes(dialect))).collect();
    sources.push((Dialect::Bedrock, sent(Dialect::Bedrock, response.bytes(Dialect::Bedrock))));
    sources.push((Dialect::Gemini, as_array(&response.bytes(Dialect::Gemini))));
    sources.push((Dialect::Anthropic, with_other_ends_of_lines(&response.bytes(Dialect::Anthropic), "\r\n")));
    sources
}

/// The target for a source: a different one for each number.
fn target(number: usize) -> Dialect {
    dialects().cycle().nth(number).unwrap()
}

proptest! {
    // 40 unless PROPTEST_CASES is set
    #![proptest_config(super::responses::cases(40))]

    #[test]
    fn any_pieces_give_the_same(response in response(), cuts in vec(vec(any::<prop::sample::Index>(), 0..12), 2), turn in 0..dialects().count()) {
        for (index, (from, bytes)) in sources(&response).into_iter().enumerate() {
            for to in [target(index + turn), target(index + turn + 2)] {
                let whole = outcome((from, to), [bytes.as_slice()]);
                prop_assert_eq!(&whole.error, &None);
                for cuts in &cuts {
                    let pieces = pieces(&bytes, cuts);
                    prop_assert_eq!(&outcome((from, to), pieces), &whole, "{} to {}", from.name(), to.name());
                }
            }
        }
    }

    #[test]
    fn any_pieces_of_a_damaged_stream_give_the_same(
        response in response(),
        damages in vec(damage(), 1..4),
        cuts in vec(any::<prop::sample::Index>(), 0..12),
        turn in 0..dialects().count(),
    ) {
        for (index, (from, mut bytes)) in sources(&response).into_iter().enumerate() {
            damages.iter().for_each(|damage| damage.apply(&mut bytes));
            let to = target(index + turn);
            let whole = outcome((from, to), [bytes.as_slice()]);
            prop_assert!(whole.error.iter().all(|error| error.stream.is_some()), "{:?}", whole.error);
            let single = outcome((from, to), bytes.chunks(1));
            prop_assert_eq!(&single, &whole, "{} to {}, by single bytes", from.name(), to.name());
            let pieces = pieces(&bytes, &cuts);
            prop_assert_eq!(&outcome((from, to), pieces), &whole, "{} to {}", from.name(), to.name());
        }
    }

    #[test]
    fn any_bytes_are_an_error_or_a_response(bytes in vec(any::<u8>(), 0..200), start in prop::sample::select(vec!["", "data: ", "[", "{", "\u{feff}"])) {
        let bytes = [start.as_bytes(), &bytes].concat();
        for from in dialects() {
            let whole = outcome((from, Dialect::OpenAI), [bytes.as_slice()]);
            prop_assert!(whole.error.is_some());
            prop_assert_eq!(&outcome((from, Dialect::OpenAI), bytes.chunks(1)), &whole);
        }
    }
}

/// Splits short streams at every position.
#[test]
fn short_streams_split_at_every_position() {
    use super::generated::{Call, Part};
    let pieces = vec!["{\"a\":\"\u{1f680}".to_owned(), "\"}".to_owned()];
    let call = Call { name: "f".to_owned(), arguments: json!({"a": "\u{1f680}"}), pieces };
    let response = Response {
        parts: vec![Part::Text(vec!["\u{e9}".to_owned()]), Part::Calls { calls: vec![call], in_turns: false }],
        is_cut_short: false,
        usage: None,
        usage_comes_late: false,
    };
    for (from, bytes) in sources(&response) {
        for (index, to) in dialects().enumerate() {
            let whole = outcome((from, to), [bytes.as_slice()]);
            assert_eq!(whole.error, None);
            assert_eq!(outcome((from, to), bytes.chunks(1)), whole);
            // each position is checked for one of the targets
            for at in (index + 1..bytes.len()).step_by(dialects().count()) {
                let (first, second) = bytes.split_at(at);
                assert_eq!(outcome((from, to), [first, second]), whole, "{} to {} at {at}", from.name(), to.name());
            }
        }
    }
}
