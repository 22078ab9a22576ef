#![allow(clippy::unwrap_used)]
use super::*;

fn read(text: &str) -> (TextStore, Value) {
    TextStore::new(Source::String(text.as_bytes().to_vec()), 128).unwrap()
}

fn fault(text: &[u8]) -> Fault {
    match TextStore::new(Source::Bytes(text.to_vec()), 128) {
        Ok(_) => Fault::TooLarge,
        Err(fault) => fault,
    }
}

#[test]
fn members_and_elements_come_in_order_and_containers_are_skipped() {
    let (mut store, root) = read(r#" { "role" : "user", "x":[{"a":[1,2]},{}], "y\n": {"b":{}} , "id":-1.50e3} "#);
    let fields = store.fields(root, &mut Vec::new()).unwrap();
    let raws: Vec<_> =
        fields.iter().map(|f| String::from_utf8_lossy(store.raw(store.span(f.value))).into_owned()).collect();
    assert_eq!(raws, [r#""user""#, r#"[{"a":[1,2]},{}]"#, r#"{"b":{}}"#, "-1.50e3"]);
    assert_eq!(store.text(fields[2].key), "y\n");
    assert_eq!(fields[0].word, Word::role);
    assert_eq!(fields[1].word, Word::Unknown);
    let items = store.items(fields[1].value).unwrap();
    assert_eq!(store.raw(store.span(items[1])), b"{}");
    assert_eq!(store.number(fields[3].value), -1500.0);
}

#[test]
fn long_strings_are_found_at_every_position() {
    let plain = "p".repeat(100);
    let escaped = format!("{}\\n\\\"\\u00e9", "e".repeat(100));
    let text =
        format!(r#"{{"{plain}":{{"a":["{escaped}","{plain}",{{"{escaped}":"x"}},"{plain}"]}},"b":"{escaped}"}}"#);
    let quoted = quoted(&text);
    let (mut store, root) = read(&quoted);
    let parsed = store.parse(root).unwrap();
    let unescaped = format!("{}\n\"\u{e9}", "e".repeat(100));
    for (mut store, root) in [read(&text), (store, parsed)] {
        let fields = store.fields(root, &mut Vec::new()).unwrap();
        assert_eq!(store.text(fields[0].key), plain);
        assert_eq!(store.text(fields[1].value), unescaped);
        let inner = store.fields(fields[0].value, &mut Vec::new()).unwrap();
        let items = store.items(inner[0].value).unwrap();
        assert_eq!(
            [0, 1, 3].map(|index| store.text(items[index]).into_owned()),
            [&unescaped, &plain, &plain].map(String::clone)
        );
        let last = store.fields(items[2], &mut Vec::new()).unwrap();
        assert_eq!((store.text(last[0].key), store.text(last[0].value)), (unescaped.as_str().into(), "x".into()));
    }
}

/// Nodes of the text that was read and of made values are in the same list.
#[test]
fn built_values_and_read_values_have_separate_positions() {
    let text = r#"{"made":"[[]]","type":"function_call","name":"f"}"#;
    for length in 0..text.len() {
        let (mut store, root) = read(text);
        let made = store.fields(root, &mut Vec::new()).unwrap()[0].value;
        store.string(&"x".repeat(length));
        store.parse(made).unwrap();
        let fields = store.fields(root, &mut Vec::new()).unwrap();
        let texts: Vec<_> = fields.iter().map(|field| store.text(field.value).into_owned()).collect();
        assert_eq!(texts, ["[[]]", "function_call", "f"], "behind {length} characters");
    }
}

#[test]
fn of_a_key_that_stands_twice_the_last_value_counts() {
    let (mut store, root) = read(r#"{"a":1,"role":2,"\u0061":3}"#);
    let mut duplicates = Vec::new();
    let fields = store.fields(root, &mut duplicates).unwrap();
    assert_eq!((fields.len(), duplicates.len()), (2, 1));
    assert_eq!(store.number(fields[0].value), 3.0);
    let many: String = (0..2000).map(|i| format!("\"k{}\":{i},", i % 1000)).collect();
    let (mut store, root) = read(&format!("{{{many}\"end\":0}}"));
    duplicates.clear();
    assert_eq!(store.fields(root, &mut duplicates).unwrap().len(), 1001);
    assert_eq!(duplicates.len(), 1000);
}

#[test]
fn bad_text_is_refused_with_its_offset() {
    let cases: &[(&str, usize)] = &[
        ("", 0),
        ("{", 1),
        (r#"{"a":1"#, 6),
        ("[1,]", 3),
        ("[1 2]", 3),
        ("{a:1}", 1),
        (r#"{"a" 1}"#, 5),
        ("01", 0),
        ("1.", 2),
        ("1e+", 3),
        ("-", 1),
        ("tru", 0),
        ("\"a\nb\"", 2),
        (r#""\x""#, 1),
        (r#""\u12g4""#, 1),
        ("\"abc", 4),
        ("1 2", 2),
        ("[1}", 2),
        ("nul", 0),
        ("NaN", 0),
    ];
    for (text, expected) in cases {
        match fault(text.as_bytes()) {
            Fault::Syntax { offset, .. } => assert_eq!(offset, *expected, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    assert!(matches!(fault(b"\"\xff\""), Fault::Syntax { message: "invalid UTF-8", offset: 1 }));
    assert_eq!(fault("[".repeat(10_000_000).as_bytes()), Fault::Depth { limit: 128 });
    read(&("[".repeat(128) + &"]".repeat(128)));
}

#[test]
fn byte_order_marks_are_accepted_and_lone_surrogates_are_replaced_and_reported() {
    let (mut store, root) = read("\u{feff}{\"a\":[\"x\\ud83d\\ude00\",\"\\ud800!\"],\"b\":{\"\\udc00\":1}}");
    assert_eq!(
        store.take_notices(),
        [(Notice::LoneSurrogate, "/a/1".to_owned()), (Notice::LoneSurrogate, "/b/\u{fffd}".to_owned())]
    );
    let fields = store.fields(root, &mut Vec::new()).unwrap();
    let items = store.items(fields[0].value).unwrap();
    assert_eq!((store.text(items[0]), store.text(items[1])), ("x😀".into(), "\u{fffd}!".into()));
}

#[test]
fn read_values_are_written_verbatim() {
    let (mut store, root) = read(r#"{"n":[9007199254740993,1.0,1e400,-0],"s":"\u00e9\/"}"#);
    let fields = store.fields(root, &mut Vec::new()).unwrap();
    store.begin_object();
    store.key_of(fields[0].key);
    store.put(fields[0].value);
    store.key(Word::content);
    store.begin_array();
    store.put(fields[1].value);
    store.put_text("a\"\u{1}\n");
    store.put_number(1.5);
    store.put_number(3.0);
    store.put_boolean(true);
    store.put_null();
    store.end_array();
    store.end_object();
    let out = String::from_utf8(store.into_output()).unwrap();
    assert_eq!(out, r#"{"n":[9007199254740993,1.0,1e400,-0],"content":["\u00e9\/","a\"\u0001\n",1.5,3,true,null]}"#);
}

#[test]
fn argument_text_is_parsed_and_printed_again() {
    let (mut store, root) = read(r#"["{\"a\": [1, {\"b\":\"\\u0041\\n\"}]}", "{\"a\":1", " {} "]"#);
    let items = store.items(root).unwrap();
    let parsed = store.parse(items[0]).unwrap();
    let printed = store.stringify(parsed).unwrap();
    assert_eq!(store.text(printed), r#"{"a":[1,{"b":"A\n"}]}"#);
    assert!(store.is_raw_form(items[0], parsed));
    let again = store.parse(printed).unwrap();
    assert!(store.same(parsed, again));
    assert!(!store.is_raw_form(printed, again));
    assert!(matches!(store.parse(items[1]), Err(Fault::Syntax { offset: 6, .. })));
    assert!(store.parse(items[2]).is_ok());
}

#[test]
fn raw_text_is_kept_if_javascript_would_print_it_differently() {
    for (raw, kept) in [
        (r#"{"a":1}"#, false),
        (r#"{"a":1.5,"b":[-2,"x"]}"#, false),
        ("{}", false),
        (r#"{"a":1.0}"#, true),
        (r#"{"a":1e3}"#, true),
        (r#"{"a":9007199254740993}"#, true),
        (r#"{"1":1}"#, true),
        (r#"{"a":1,"a":2}"#, true),
        (r#"{ "a":1}"#, true),
        (r#"{"a":"\u00e9"}"#, true),
        (r#"{"a":"\/"}"#, true),
        (r#"{"a":-0}"#, true),
        (r#"{"a":"\n"}"#, false),
    ] {
        let (mut store, root) = read(&serde_json::to_string(raw).unwrap());
        let parsed = store.parse(root).unwrap();
        assert_eq!(store.is_raw_form(root, parsed), kept, "{raw}");
    }
}

#[test]
fn values_built_beside_the_output_can_be_read() {
    let (mut store, _) = read("null");
    store.begin_object();
    store.start();
    store.begin_object();
    store.key(Word::id);
    store.put_text("x");
    store.end_object();
    let made = store.finish();
    let fields = store.fields(made, &mut Vec::new()).unwrap();
    assert_eq!(store.text(fields[0].value), "x");
    let joined = store.string("é\"");
    let joined = store.join(&[fields[0].value, joined]);
    assert_eq!(store.text(joined), "xé\"");
    store.key(Word::metadata);
    store.put(made);
    store.end_object();
    assert_eq!(store.into_output(), br#"{"metadata":{"id":"x"}}"#);
}

#[test]
fn long_pieces_are_inserted_into_every_kind_of_output() {
    let long = "long ".repeat(100);
    let (mut store, root) = read(&format!(r#"["{long}",{{"{long}":[1]}},[ ]]"#));
    let items = store.items(root).unwrap();
    let tail = store.tail(items[0], 5);
    store.begin_array();
    store.put(items[1]);
    store.start();
    store.begin_object();
    store.key(Word::content);
    store.start();
    store.begin_array();
    store.put(items[0]);
    store.put(tail);
    store.end_array();
    let inner = store.finish();
    store.put(inner);
    store.key(Word::text);
    store.put_text("short");
    store.end_object();
    let made = store.finish();
    store.put(made);
    // both passed on and read
    assert!(!store.has_no_elements(inner).unwrap());
    let mut json = Vec::new();
    store.append_json(made, &mut json).unwrap();
    let written = format!(r#"{{"content":["{long}","{}"],"text":"short"}}"#, &long[5..]);
    assert_eq!(String::from_utf8(json).unwrap(), written);
    let fields = store.fields(made, &mut Vec::new()).unwrap();
    let parts = store.items(fields[0].value).unwrap();
    assert_eq!(store.text(parts[1]), long[5..]);
    let printed = store.stringify(inner).unwrap();
    let parsed = store.parse(printed).unwrap();
    assert!(store.same(inner, parsed));
    store.put(inner);
    // an array that consists of a single piece
    let alone = [items[1], items[0], items[2]].map(|item| {
        store.start();
        store.put(item);
        store.finish()
    });
    assert_eq!(alone.map(Value::kind), [Kind::Object, Kind::String, Kind::Array]);
    assert_eq!(store.text(alone[1]), long);
    assert_eq!(
        alone.map(|value| value.kind() != Kind::String && store.has_no_elements(value).unwrap()),
        [false, false, true]
    );
    store.end_array();
    let expected = format!(r#"[{{"{long}":[1]}},{written},["{long}","{}"]]"#, &long[5..]);
    assert_eq!(store.output_length(), expected.len());
    assert_eq!(String::from_utf8(store.into_output()).unwrap(), expected);
}

/// Texts of many lengths around one and two steps, mixed from these parts.
fn mixtures(parts: &[&str]) -> impl Iterator<Item = String> {
    let mut state = 1_u64;
    (0..20_000).map(move |number| {
        let mut text = String::new();
        while text.len() < number % 70 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // one part is more frequent than the others, a different one each time
            let choice = (state >> 33) as usize % (parts.len() + number % 7);
            text.push_str(parts.get(choice).unwrap_or(&parts[number % parts.len()]));
        }
        text
    })
}

#[test]
fn content_is_escaped_and_read_like_other_values() {
    for content in mixtures(&[
        "a",
        "plain text of more than one step ",
        "\"",
        "\\",
        "\n",
        "\t",
        "\u{1}",
        "\u{1f}",
        "\u{7f}",
        "é",
        "🙂",
        "n",
    ]) {
        let json = quoted(&content);
        assert_eq!(json, serde_json::to_string(&content).unwrap());
        let mut read = Vec::new();
        unescape_into(&mut read, &json.as_bytes()[1..json.len() - 1]);
        assert_eq!(String::from_utf8(read).unwrap(), content);
    }
    for raw in mixtures(&[
        "a",
        "plain text of more than one step ",
        r#"\""#,
        r"\\",
        r"\/",
        r"\n",
        r"\u0041",
        r"\ud83d\ude42",
        "é",
        r"\b\f\r\t",
    ]) {
        let mut read = b"before".to_vec();
        unescape_into(&mut read, raw.as_bytes());
        let content: String = serde_json::from_str(&format!("\"{raw}\"")).unwrap();
        assert_eq!(String::from_utf8(read).unwrap(), format!("before{content}"));
    }
}

#[test]
fn white_space_in_a_value_does_not_change_its_quoted_text() {
    let tokens = ["{", r#""a""#, ":", "[", "1", ",", r#""\n\"""#, "]", ",", r#""b""#, ":", "{", "}", "}"];
    for place in 0..=tokens.len() {
        let text = [&tokens[..place], &[" "], &tokens[place..]].concat().concat();
        let (mut store, root) = read(&text);
        store.put_stringified(root).unwrap();
        assert_eq!(store.into_output(), quoted(&tokens.concat()).into_bytes(), "{text}");
    }
}

#[test]
fn escapes_are_printed_as_javascript_prints_them() {
    for (raw, printed) in [
        (r#""plain""#, r#""plain""#),
        (r#""a\n\"b\\c\t""#, r#""a\n\"b\\c\t""#),
        (r#""a\/b\\""#, r#""a/b\\""#),
        (r#""\n\u00e9 and much more than sixteen bytes\u0001\n""#, r#""\né and much more than sixteen bytes\u0001\n""#),
    ] {
        let (mut store, root) = read(raw);
        let text = store.stringify(root).unwrap();
        assert_eq!(store.text(text), printed);
        let array = format!("[ {raw}]");
        let (mut store, root) = read(&array);
        store.put_stringified(root).unwrap();
        assert_eq!(store.into_output(), quoted(&format!("[{printed}]")).into_bytes());
    }
}
