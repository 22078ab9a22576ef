//! Comparison with serde_json.

use super::{Value, from_str, is_object, is_valid};
use proptest::prelude::*;

/// Texts that are JSON, nearly JSON, or not JSON at all.
fn texts() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\"a\"",
        "\"b\":",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "null",
        "true",
        "false",
        "nul",
        "0",
        "-0",
        "-",
        "1",
        "01",
        "1.5",
        "1.",
        ".5",
        "1e5",
        "1E-7",
        "1e400",
        "-1e-400",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        " ",
        "\n",
        "é",
        "\u{1}",
        "0.1",
        "123456789.123456789",
        "1e21",
        "1e16",
        "1e15",
        "0.00001",
        "0.000012",
        "5e-324",
        "\"\\x\"",
        "\"\t\"",
    ]);
    let loose = prop::collection::vec(word, 0..12).prop_map(|words| words.concat());
    prop_oneof![loose, values().prop_map(|value| value.to_string())]
}

fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        (-1e6..1e6).prop_map(|value: f64| ((value * 100.0).round() / 100.0).into()),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        "\\PC{0,8}|[\u{0}-\u{20}\"\\\\]{0,4}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 14, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::vec(("[a-p]{1,2}", inner), 0..14)
                .prop_map(|fields| serde_json::Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn reads_and_writes_as_serde_json(text in texts()) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        let ours = from_str::<Value>(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}: {:?} {:?}", text, ours, theirs);
        prop_assert_eq!(is_object(&text), ours.as_ref().is_ok_and(Value::is_object), "{}", text);
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            // texts may differ: both round a number halfway between two decimals
            let again: serde_json::Value = serde_json::from_str(&ours.to_string()).unwrap();
            prop_assert_eq!(again, theirs);
            prop_assert!(from_str::<Value>(&ours.to_string()).is_ok_and(|again| again == ours));
        }
        let ignored = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(is_valid(&text), ignored.is_ok(), "{}", text);
    }
}

#[test]
fn depth_is_limited_as_in_serde_json() {
    for depth in [126, 127, 128, 129, 100_000] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(
            from_str::<Value>(&text).is_ok(),
            serde_json::from_str::<serde_json::Value>(&text).is_ok(),
            "{depth}"
        );
    }
}

#[test]
fn pointers() {
    let value: Value = from_str(r#"{"a/b":[{"~":1}],"":2}"#).unwrap();
    assert_eq!(value.pointer("/a~1b/0/~0").and_then(Value::as_u64), Some(1));
    assert_eq!(value.pointer("/").and_then(Value::as_u64), Some(2));
    assert_eq!(value.pointer("/a~1b/00"), None);
    assert_eq!(value.pointer("a"), None);
}
