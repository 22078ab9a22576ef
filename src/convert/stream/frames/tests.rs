//! Every stream here must give the same frames, however it is split into pieces.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use super::{Failure, Frame, Frames, Visit};
use crate::binary_frames::{begin, seal};

impl<F: FnMut(Frame) -> bool> Visit for F {
    fn event(&mut self, frame: Frame) -> bool {
        self(frame)
    }
}

/// Name, data, offset, and whether it was bare or cut off.
type Seen = (String, Vec<u8>, u64, bool, bool);
type Split = (Vec<Seen>, Option<(Failure, u64)>);

fn seen(frame: &Frame) -> Seen {
    let name = String::from_utf8_lossy(frame.name).into_owned();
    (name, frame.data.to_vec(), frame.offset, frame.is_bare, frame.is_last)
}

fn read(pieces: &[&[u8]], limit: usize) -> Split {
    let mut frames = Frames::new(limit, true);
    let mut found = Vec::new();
    for piece in pieces {
        let mut visit = |frame: Frame| {
            found.push(seen(&frame));
            true
        };
        if let Err(failure) = frames.push(piece, &mut visit) {
            return (found, Some(failure));
        }
    }
    let outcome = frames.finish(&mut |frame: Frame| {
        found.push(seen(&frame));
        true
    });
    (found, outcome.err())
}

/// The result for the whole stream, for single bytes, and for a split at each position. All must be equal.
fn all(bytes: &[u8], limit: usize) -> Split {
    let whole = read(&[bytes], limit);
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(&single, limit), whole, "by single bytes: {}", String::from_utf8_lossy(bytes));
    for at in 1..bytes.len() {
        let (first, second) = bytes.split_at(at);
        assert_eq!(read(&[first, second], limit), whole, "split at {at}: {}", String::from_utf8_lossy(bytes));
        assert_eq!(read(&[first, b"", second], limit), whole, "split at {at}, with nothing between");
    }
    whole
}

/// The data of all frames, none of which may fail.
fn data(bytes: &[u8]) -> Vec<String> {
    let (frames, failure) = all(bytes, 1000);
    assert_eq!(failure, None);
    frames.into_iter().map(|frame| String::from_utf8(frame.1).unwrap()).collect()
}

fn failure(bytes: &[u8], limit: usize) -> (Failure, u64, usize) {
    let (frames, failure) = all(bytes, limit);
    let (failure, offset) = failure.unwrap();
    (failure, offset, frames.len())
}

#[test]
fn lines_end_with_cr_lf_or_both() {
    for end in ["\n", "\r", "\r\n"] {
        let text = ["data: a", "", "data:b", "", "", ": c", "", "data: d", "data: e", "", ""].join(end);
        assert_eq!(data(text.as_bytes()), ["a", "b", "d\ne"], "{end:?}");
    }
    assert_eq!(data(b"data: a\r\r\ndata: b\n\r\ndata: c\r\n\rdata: d\n\n"), ["a", "b", "c", "d"]);
}

#[test]
fn one_space_after_the_colon_is_skipped() {
    assert_eq!(data(b"data:a\n\ndata: b\n\ndata:  c \n\ndata:\td\n\n"), ["a", "b", " c ", "\td"]);
}

#[test]
fn lines_of_data_are_joined() {
    assert_eq!(data(b"data: a\ndata\ndata:\ndata: b\n\n"), ["a\n\n\nb"]);
    assert_eq!(data(b"data\n\ndata:\n\ndata: \n\ndata: x\n\n"), ["x"]);
    assert_eq!(data(b"data:\ndata: x\n\n"), ["\nx"]);
}

#[test]
fn other_fields_are_ignored() {
    let (frames, failure) =
        all(b"retry: 1\nid: 2\n\nevent: a\nevent: b\ndata: x\nid\n: y\n\nevent: c\n\ndata: z\n\n", 1000);
    assert_eq!(failure, None);
    let found: Vec<_> =
        frames.iter().map(|(name, data, offset, ..)| (name.as_str(), data.as_slice(), *offset)).collect();
    assert_eq!(found, [("b", &b"x"[..], 16), ("", b"z", 60)]);
}

#[test]
fn a_byte_order_mark_is_skipped_only_at_the_start_of_a_stream() {
    let (frames, failure) = all(b"\xef\xbb\xbfdata: a\n\n", 1000);
    assert_eq!((frames[0].2, failure), (3, None));
    assert!(matches!(self::failure(b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n", 1000), (Failure::NoEvents { .. }, 3, 0)));
    assert!(matches!(self::failure(b"\n\xef\xbb\xbfdata: a\n\n", 1000), (Failure::NoEvents { .. }, 1, 0)));
    assert!(matches!(self::failure(b"\xef\xbb", 1000), (Failure::NoEvents { .. }, 0, 0)));
    assert_eq!(all(b"\xef\xbb\xbf", 1000), (Vec::new(), None));
}

#[test]
fn invalid_utf_8_is_unchanged() {
    let (frames, failure) = all(b"data: \xff\xfe\x00\n\ndata: \xf0\x9f\n\n", 1000);
    assert_eq!(failure, None);
    assert_eq!([frames[0].1.as_slice(), &frames[1].1], [&b"\xff\xfe\x00"[..], b"\xf0\x9f"]);
}

#[test]
fn an_event_without_its_end_is_the_last() {
    let (frames, _) = all(b"data: a\n\nevent: e\ndata: b", 1000);
    assert_eq!(
        frames,
        [(String::new(), b"a".to_vec(), 0, false, false), ("e".to_owned(), b"b".to_vec(), 9, false, true)]
    );
    let (frames, _) = all(b"[{}, {\"a\":", 1000);
    assert_eq!(frames[1], (String::new(), b"{\"a\":".to_vec(), 5, false, true));
}

#[test]
fn lines_that_are_not_fields_are_refused() {
    for bytes in [&b"<html>\n"[..], b"\x00\x01\x02", b"hello", b"not a field: x\n", b"data x\n"] {
        assert!(matches!(failure(bytes, 1000), (Failure::NoEvents { .. }, 0, 0)), "{}", String::from_utf8_lossy(bytes));
    }
    assert!(matches!(failure(b"data: a\n\nid: 1\n<b>\n", 1000), (Failure::NoEvents { .. }, 15, 1)));
    assert_eq!(data(b"data: a\n\nwhatever\nx-y_2: z\ndata: b\n\n"), ["a", "b"]);
}

#[test]
fn an_array_is_read_by_its_elements() {
    let text = "\u{feff} [ {\"a\":[1,{\"b\":\"]}\\\"[{\\\\\"}]}\r\n,\t{ } ,{\"c\":\n\"\u{e9}\"}\n]\n ";
    let (frames, failure) = all(text.as_bytes(), 1000);
    assert_eq!(failure, None);
    let found: Vec<_> = frames.iter().map(|frame| (String::from_utf8_lossy(&frame.1), frame.3)).collect();
    assert_eq!(
        found,
        [
            ("{\"a\":[1,{\"b\":\"]}\\\"[{\\\\\"}]}".into(), false),
            ("{ }".into(), false),
            ("{\"c\":\n\"\u{e9}\"}".into(), false)
        ]
    );
    assert!(frames.iter().all(|frame| text.as_bytes()[frame.2 as usize] == b'{'));
}

#[test]
fn objects_by_themselves_are_bare() {
    let (frames, failure) = all(b"\n{\"a\":1}\n{\"b\":2}", 1000);
    assert_eq!(failure, None);
    let found: Vec<_> = frames.iter().map(|frame| (frame.2, frame.3)).collect();
    assert_eq!(found, [(1, true), (9, true)]);
}

#[test]
fn an_array_of_other_values_is_refused() {
    let cases: [(&[u8], u64, usize); 8] = [
        (b"[1]", 1, 0),
        (b"[,{}]", 1, 0),
        (b"[{}{}]", 3, 1),
        (b"[{},,{}]", 4, 1),
        (b"[{},]", 4, 1),
        (b"[{}]]", 4, 1),
        (b"[{}]{}", 4, 1),
        (b"[[{}]]", 1, 0),
    ];
    for (bytes, offset, before) in cases {
        assert!(matches!(failure(bytes, 1000), (Failure::Syntax { .. }, at, count) if (at, count) == (offset, before)));
    }
}

#[test]
fn incomplete_events_are_limited_in_length() {
    let too_long = |bytes: &[u8]| matches!(failure(bytes, 10), (Failure::TooLong { limit: 10 }, 12, 1));
    assert!(too_long(b"data: abcd\n\ndata: abcde\n\n"));
    assert!(too_long(b"data: abcd\n\ndata: abcde"));
    assert!(too_long(b"data: abcd\n\nid: 1\ndata:\n\n"));
    assert!(too_long(b"data: abcd\n\n:1234567890"));
    assert_eq!(all(b"data: abcd\r\n\r\n:123456789\r\n\r\ndata:abcde\n\n", 10).1, None);
    assert!(matches!(failure(b"[{\"a\":1},\n  {\"abcde\":1}]", 10), (Failure::TooLong { limit: 10 }, 12, 1)));
    assert_eq!(all(b"[{\"abc\":1}            ,{\"abc\":2}]", 10).1, None);
}

#[test]
fn no_visits_after_the_visitor_stops() {
    for bytes in [&b"data: a\n\ndata: b\n\ndata: c\n\n"[..], b"[{},{},{}]"] {
        let mut count = 0;
        let outcome = Frames::new(1000, true).push(bytes, &mut |_: Frame| {
            count += 1;
            count < 2
        });
        assert_eq!((outcome, count), (Ok(()), 2));
    }
}

#[test]
fn pieces_of_a_byte_and_of_a_megabyte() {
    let event = |size: usize| format!("data: {{\"text\":\"{}\"}}\n\n", "x".repeat(size));
    let long = event(1 << 20);
    let single: Vec<&[u8]> = long.as_bytes().chunks(1).collect();
    assert_eq!(read(&single, 2 << 20).0[0].1.len(), long.len() - "data: \n\n".len());
    let many = event(80).repeat(10_000);
    assert!(many.len() > 900_000);
    assert_eq!(read(&[many.as_bytes()], 1000).0.len(), 10_000);
    let array = format!("[{}]", ["{\"a\":[\"}\"]}"; 80_000].join(","));
    assert_eq!(read(&[array.as_bytes()], 1000).0.len(), 80_000);
    let single: Vec<&[u8]> = array.as_bytes().chunks(1).collect();
    assert_eq!(read(&single, 1000).0.len(), 80_000);
}

#[test]
fn read_bytes_are_discarded() {
    for (before, event) in
        [("", "data: {\"text\":\"hello\"}\r\n\r\n: comment\n\n"), ("[{}", ",{\"text\":\"hello\"}\n\n\n")]
    {
        let mut frames = Frames::new(1000, true);
        frames.push(before.as_bytes(), &mut |_: Frame| true).unwrap();
        for _ in 0..10_000 {
            frames.push(event.as_bytes(), &mut |_: Frame| true).unwrap();
        }
        assert!(frames.buffer.len() < 2 && frames.buffer.capacity() < 200, "{} kept", frames.buffer.capacity());
    }
}

/// A binary message with these headers.
fn message(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    begin(&mut bytes, headers);
    bytes.extend_from_slice(payload.as_bytes());
    seal(&mut bytes, 0);
    bytes
}

fn event(kind: &str, payload: &str) -> Vec<u8> {
    message(&[(":event-type", kind), (":content-type", "application/json"), (":message-type", "event")], payload)
}

#[test]
fn binary_messages() {
    let exception = [(":exception-type", "throttlingException"), (":message-type", "exception")];
    let error = [(":error-code", "internalFailure"), (":error-message", "A \"fault\""), (":message-type", "error")];
    let stream = [
        event("initial-response", "{}"),
        event("messageStart", "{\"role\":\"assistant\"}"),
        event("metadata", ""),
        event("chunk", "{\"bytes\":\"eyJ0eXBlIjoicGluZyJ9\",\"p\":\"abc\"}"),
        message(&exception, "{\"message\":\"Slow down\"}"),
        message(&exception, "Slow down"),
        message(&error, ""),
    ];
    let expected = [
        "{\"messageStart\":{\"role\":\"assistant\"}}",
        "{\"metadata\":{}}",
        "{\"type\":\"ping\"}",
        "{\"throttlingException\":{\"message\":\"Slow down\"}}",
        "{\"throttlingException\":{\"message\":\"Slow down\"}}",
        "{\"__type\":\"InternalFailure\",\"message\":\"A \\\"fault\\\"\"}",
    ];
    assert_eq!(data(&stream.concat()), expected);
    let (frames, _) = all(&stream.concat(), 1000);
    let names: Vec<&str> = frames.iter().map(|frame| frame.0.as_str()).collect();
    assert_eq!(names, ["messageStart", "metadata", "ping", "", "", ""]);
    assert_eq!(frames[0].2, stream[0].len() as u64);
}

#[test]
fn binary_messages_that_are_no_messages() {
    let good = event("messageStart", "{}");
    let with = |at: usize| {
        let mut bad = good.clone();
        bad[at] ^= 1;
        [good.clone(), bad].concat()
    };
    let place = good.len() as u64;
    for at in [3, 9, 20, good.len() - 1] {
        assert!(matches!(failure(&with(at), 1000), (Failure::NoEvents { .. }, at, 1) if at == place), "byte {at}");
    }
    let unknown = message(&[(":message-type", "ping")], "{}");
    assert!(matches!(failure(&unknown, 1000), (Failure::NoEvents { .. }, 0, 0)));
    assert!(matches!(failure(&event("chunk", "{\"bytes\":7}"), 1000), (Failure::NoEvents { .. }, 0, 0)));
    // the lengths are enough
    let long = event("messageStart", &" ".repeat(1000));
    assert!(matches!(failure(&long[..12], 1000), (Failure::TooLong { limit: 1000 }, 0, 0)));
    assert!(matches!(failure(&good[..20], 1000), (Failure::NoEvents { .. }, 0, 0)));
    // cut off after the first message
    let (frames, failure) = all(&[good.clone(), good[..20].to_vec()].concat(), 1000);
    assert_eq!((frames.len(), frames[1].4, failure), (2, true, None));
}

#[test]
fn json_after_events_is_an_event() {
    let error = "{\n  \"error\": {\n    \"message\": \"a } b\"\n  }\n}";
    for (between, end) in [("", ""), ("", "\n"), ("\n", "\n\n"), ("  ", "\r\n")] {
        let bytes = format!("data: {{\"a\":1}}\n\n{between}{error}{end}");
        assert_eq!(data(bytes.as_bytes()), ["{\"a\":1}", error], "{bytes:?}");
    }
    assert_eq!(data(b"data: a\r\n\r\n[{\"b\":1},\n{\"c\":1}]\n"), ["a", "{\"b\":1}", "{\"c\":1}"]);
    // an error in both forms
    let [event, plain] = ["data: {\"error\":1}\n\n", "{\"error\":1}"];
    assert_eq!(data([event, plain].concat().as_bytes()), [plain]);
    assert_eq!(data([event, "{\"error\":2}"].concat().as_bytes()), [plain, "{\"error\":2}"]);
    // without the blank line after an event
    assert_eq!(data(b"data: a\n{\"b\":1}"), ["a", "{\"b\":1}"]);
    let (frames, _) = all(b"data: a\n\n{\"b\":", 1000);
    assert_eq!(
        frames.iter().map(|(.., is_bare, is_last)| (*is_bare, *is_last)).collect::<Vec<_>>(),
        [(false, false), (false, true)]
    );
}
