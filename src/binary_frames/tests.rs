//! The cases that `aws-smithy-eventstream` publishes as `test_data`, built from what they contain.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::{Header, Message, begin, length, seal};

const ALL: &[(&str, u8, &[u8])] = &[
    ("true", 0, &[]),
    ("false", 1, &[]),
    ("byte", 2, &[50]),
    ("short", 3, &[0x4e, 0x20]),
    ("int", 4, &[0, 7, 0xa1, 0x20]),
    ("long", 5, &[0, 0, 0, 0x0b, 0xa4, 0x3b, 0x74, 0]),
    ("bytes", 6, b"\x00\x0asome bytes"),
    ("str", 7, b"\x00\x08some str"),
    ("time", 8, &[0, 0, 0, 1, 0x2a, 5, 0xf2, 0]),
    ("uuid", 9, &[0xb7, 0x9b, 0xc9, 0x14, 0xde, 0x21, 0x4e, 0x13, 0xb8, 0xb2, 0xbc, 0x47, 0xe8, 0x5b, 0x7f, 0x0b]),
];

/// A message with headers as bytes; `seal` makes its checksums right.
fn message(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; 12];
    bytes[4..8].copy_from_slice(&u32::try_from(headers.len()).unwrap().to_be_bytes());
    bytes.extend([headers, payload].concat());
    seal(&mut bytes, 0);
    bytes
}

fn all_headers() -> Vec<u8> {
    let one = |(name, kind, value): &(&str, u8, &[u8])| {
        [&[u8::try_from(name.len()).unwrap()], name.as_bytes(), &[*kind], value].concat()
    };
    ALL.iter().flat_map(one).collect()
}

fn has_invalid_headers(headers: &[u8]) -> bool {
    Message::read(&message(headers, b"some payload")).unwrap().headers().any(|header| header.is_err())
}

#[test]
fn published_messages() {
    let bare = message(b"", b"another test payload");
    assert_eq!(bare[..12], [0, 0, 0, 0x24, 0, 0, 0, 0, 0x51, 0x63, 0x56, 0xad]);
    assert_eq!(bare[32..], [0x8d, 0xf8, 0x0e, 0x65]);
    let empty = message(b"\x0bsome-header\x03\x01\xf4", b"");
    assert_eq!((empty.len(), &empty[8..12], &empty[27..]), (31, &b"\x17\x2d\xc2\xab"[..], &b"\x93\x3c\x5c\xad"[..]));
    let whole = message(&all_headers(), b"some payload");
    assert_eq!((whole.len(), &whole[8..12], &whole[146..]), (150, &b"\x8b\xb4\x95\xfb"[..], &b"\x01\xa0\x58\x60"[..]));
}

#[test]
fn all_types_of_headers() {
    let bytes = message(&all_headers(), b"some payload");
    assert_eq!(length(&bytes), Ok(Some(150)));
    let read = Message::read(&bytes).unwrap();
    let headers: Vec<_> = read.headers().map(Result::unwrap).collect();
    let uuid = ALL[9].2.try_into().unwrap();
    let expected = [
        ("true", Header::Bool(true)),
        ("false", Header::Bool(false)),
        ("byte", Header::Byte(50)),
        ("short", Header::Short(20_000)),
        ("int", Header::Int(500_000)),
        ("long", Header::Long(50_000_000_000)),
        ("bytes", Header::Bytes(b"some bytes")),
        ("str", Header::Text("some str")),
        ("time", Header::Time(5_000_000_000)),
        ("uuid", Header::Uuid(uuid)),
    ];
    assert_eq!((headers.as_slice(), read.payload), (&expected[..], &b"some payload"[..]));
}

#[test]
fn wrong_checksums() {
    let right = message(&all_headers(), b"some payload");
    for at in 0..right.len() {
        let mut wrong = right.clone();
        wrong[at] ^= 1;
        let is_refused = length(&wrong).is_err() || Message::read(&wrong).is_err();
        assert!(is_refused, "byte {at}");
    }
}

#[test]
fn wrong_headers() {
    let all = all_headers();
    assert!(!has_invalid_headers(&all));
    let with = |at: usize, byte: u8| {
        let mut headers = all.clone();
        headers[at] = byte;
        headers
    };
    let text = all.windows(3).position(|found| found == b"str").unwrap() + 3;
    for (what, headers) in [
        ("the length of a name", with(0, 0xff)),
        ("no name", with(0, 0)),
        ("an unknown type", with(5, 10)),
        ("the length of a text", with(text + 1, 0xff)),
        ("a text that is cut off", all[..text + 2].to_vec()),
        ("a text that is not UTF-8", with(text + 4, 0xff)),
        ("a name that is not UTF-8", with(1, 0xff)),
    ] {
        assert!(has_invalid_headers(&headers), "{what}");
    }
}

/// Only the prelude decides, so that nothing is allocated for lengths that can't be.
#[test]
fn wrong_lengths() {
    let prelude = |total: u32, headers: u32| {
        let mut bytes = [total.to_be_bytes(), headers.to_be_bytes()].concat();
        bytes.extend(super::checksum(&bytes).to_be_bytes());
        length(&bytes)
    };
    assert_eq!(prelude(16, 0), Ok(Some(16)));
    assert_eq!(prelude(u32::MAX, 0), Ok(Some(u32::MAX as usize)));
    for (total, headers) in [(15, 0), (16, 1), (0, 0), (100, 85), (1 << 20, (128 << 10) + 1), (u32::MAX, u32::MAX)] {
        assert!(prelude(total, headers).is_err(), "{total} {headers}");
    }
    assert_eq!(length(&[0, 0, 0, 16, 0, 0, 0, 0, 1, 2, 3]), Ok(None));
}

#[test]
fn written_messages_are_read() {
    let mut bytes = b"before".to_vec();
    begin(&mut bytes, &[(":event-type", "metadata"), (":message-type", "event")]);
    bytes.extend_from_slice(b"{}");
    seal(&mut bytes, 6);
    let message = Message::read(&bytes[6..]).unwrap();
    let headers: Vec<_> = message.headers().map(Result::unwrap).collect();
    assert_eq!(headers, [(":event-type", Header::Text("metadata")), (":message-type", Header::Text("event"))]);
    assert_eq!((length(&bytes[6..]), message.payload), (Ok(Some(bytes.len() - 6)), &b"{}"[..]));
}
