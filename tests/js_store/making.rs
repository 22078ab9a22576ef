//! Creating values, and passing strings and bytes.

use super::{adopted, js, json, members, store};
use toolwire::value::js::transport::{bytes_from, bytes_to_array, bytes_to_string, string_to_bytes};
use toolwire::value::{Backend, Fault, Kind, Word};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn strings_of_every_kind_cross() {
    let long = "ä".repeat(10_000) + &"𝄞x".repeat(1000);
    for text in ["", "a", "ascii that is a little longer than short", "é", "日本語", "a𝄞", "\u{feff}bom", "x\0y", &long]
    {
        let mut store = store();
        let string = store.string(text);
        assert_eq!(store.text(string), text);
        assert_eq!(store.release(string), JsValue::from_str(text));
        assert_eq!(store.is_empty(string), text.is_empty());
        store.start();
        store.put_text(text);
        let put = store.finish();
        assert_eq!(store.text(put), text);
        assert_eq!(put.kind(), Kind::String);
    }
    let (store, lone) = adopted(r"'a\ud800b\udc00'");
    assert_eq!(store.text(lone), "a\u{fffd}b\u{fffd}");
    let (store, lone) = adopted(r"'\ud800'.repeat(1000)");
    assert_eq!(store.text(lone), "\u{fffd}".repeat(1000));
}

#[wasm_bindgen_test]
fn words_resolve_and_join_joins() {
    let mut store = store();
    for word in Word::ALL {
        let string = store.string(word.text());
        assert_eq!(store.word(string), *word);
    }
    let other = store.string("constructor");
    assert_eq!(store.word(other), Word::Unknown);
    let parts = [store.string("a"), store.string(""), store.string("日本")];
    let joined = store.join(&parts);
    assert_eq!(store.text(joined), "a日本");
    let nothing = store.join(&[]);
    assert!(store.is_empty(nothing));
}

#[wasm_bindgen_test]
fn values_are_built_in_order_and_beside_one_another() {
    let mut store = store();
    let input = js("({deep: {er: [1]}})");
    let shared = store.adopt(&input).unwrap();
    store.start();
    store.begin_object();
    store.key(Word::role);
    store.put_word(Word::user);
    store.key(Word::content);
    // A second value is started while a key waits for its value.
    store.start();
    store.begin_array();
    store.put_number(1.5);
    store.put_number(f64::NAN);
    store.put_boolean(true);
    store.put_null();
    store.start();
    store.put_text("alone");
    let alone = store.finish();
    store.begin_object();
    store.end_object();
    store.put(alone);
    store.end_array();
    let list = store.finish();
    store.put(list);
    store.key(Word::metadata);
    store.put(shared);
    store.key(Word::args);
    store.begin_object();
    store.key(Word::parts);
    store.begin_array();
    store.begin_array();
    store.end_array();
    store.end_array();
    store.end_object();
    store.end_object();
    let built = store.finish();
    assert_eq!((built.kind(), list.kind(), alone.kind()), (Kind::Object, Kind::Array, Kind::String));
    let built = store.release(built);
    assert_eq!(
        json(&built),
        r#"{"role":"user","content":[1.5,null,true,null,{},"alone"],"metadata":{"deep":{"er":[1]}},"args":{"parts":[[]]}}"#
    );
    let passed = js_sys::Reflect::get(&built, &"metadata".into()).unwrap();
    assert!(js_sys::Object::is(&passed, &input), "passed by reference");
    store.start();
    let nothing = store.finish();
    assert_eq!(nothing.kind(), Kind::Null);
}

#[wasm_bindgen_test]
fn text_is_parsed_and_made_by_the_engine() {
    let mut store = store();
    let text = store.string(r#"{"a": [1, "x", null], "b": 1.0}"#);
    let parsed = store.parse(text).unwrap();
    assert_eq!(members(&mut store, parsed), ["a=Array", "b=1"]);
    let made = store.stringify(parsed).unwrap();
    assert_eq!(store.text(made), r#"{"a":[1,"x",null],"b":1}"#);
    assert!(store.is_raw_form(text, parsed));
    assert!(!store.is_raw_form(made, parsed));
    for (text, kind) in [("1", Kind::Number), ("1e400", Kind::Null), ("true", Kind::Boolean), ("\"\"", Kind::String)] {
        let text = store.string(text);
        let parsed = store.parse(text).unwrap();
        assert_eq!(parsed.kind(), kind);
    }
    assert!(store.take_notices().is_empty());
}

#[wasm_bindgen_test]
fn broken_text_gives_the_place_where_the_engine_tells_it() {
    let mut store = store();
    for (text, at) in [("{\"a\":1", 6), ("", 0), ("{\"é日𝄞\": 1 x}", 16), ("[1,]", 3)] {
        let string = store.string(text);
        match store.parse(string) {
            Err(Fault::Syntax { message: "not valid JSON", offset }) => {
                assert!(offset == at || offset == 0, "{text}: {offset}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[wasm_bindgen_test]
fn same_means_the_same_json() {
    let same = |left: &str, right: &str| {
        let mut store = store();
        let left = store.adopt(&js(&format!("({left})"))).unwrap();
        let right = store.adopt(&js(&format!("({right})"))).unwrap();
        (store.same(left, right), store.same(right, left))
    };
    for (left, right) in [
        ("{a: 1, b: [1, {c: 'x'}]}", "{b: [1, {c: 'x'}], a: 1}"),
        ("[-0, NaN, undefined]", "[0, null, null]"),
        ("{a: undefined, b: 1}", "{b: 1, c: () => 1}"),
        ("{d: new Date(0), s: new String('x')}", "{s: 'x', d: '1970-01-01T00:00:00.000Z'}"),
        ("new Map([[1, 2]])", "{}"),
        ("JSON.parse('{\"__proto__\": 1}')", "JSON.parse('{\"__proto__\": 1}')"),
    ] {
        assert_eq!(same(left, right), (true, true), "{left} {right}");
    }
    for (left, right) in [
        ("{a: 1}", "{a: 1, b: 2}"),
        ("{a: 1}", "{b: 1}"),
        ("{a: null}", "{}"),
        ("[]", "{}"),
        ("[1]", "[1, 2]"),
        ("'1'", "1"),
        ("null", "{}"),
        ("{toString: 1}", "{valueOf: 1}"),
        ("{x: 1}", "Object.assign(Object.create({x: 1}), {y: 2})"),
        ("JSON.parse('{\"__proto__\": {}}')", "{}"),
        ("{get a() { throw 1 }}", "{a: 1}"),
    ] {
        assert_eq!(same(left, right), (false, false), "{left} {right}");
    }
    // Values that contain themselves twice: they must return a result, and quickly.
    let twisted = "(() => { const o = {}; o.a = o; o.b = o; return o })()";
    assert_eq!(same(twisted, twisted), (false, false));
}

#[wasm_bindgen_test]
fn strings_and_bytes_are_carried() {
    let mixed = "ascii words, then é 日本 𝄞𝄞 a b\u{feff}".repeat(50) + "𝄞";
    let late = format!("\u{feff}{}日", "x".repeat(1001));
    for text in
        ["", "a", "plain ascii that is longer than short", "é", "日本語", &"日本語x".repeat(10_000), &mixed, &late]
    {
        let value = JsValue::from_str(text);
        assert_eq!(string_to_bytes(&value).unwrap(), text.as_bytes());
        assert_eq!(bytes_to_string(text.as_bytes()), value);
        let array = bytes_to_array(text.as_bytes());
        assert_eq!(bytes_from(&array).unwrap(), text.as_bytes());
    }
    assert_eq!(bytes_from(&js("Buffer.from('abc').subarray(1)")).unwrap(), b"bc");
    assert_eq!(
        bytes_from(&js("process.getBuiltinModule('vm').runInNewContext('new Uint8Array([1, 2])')")).unwrap(),
        [1, 2]
    );
    assert_eq!(bytes_from(&js("new (class extends Uint8Array { get length() { return 1e9 } })(2)")).unwrap(), [0, 0]);
    for buffer in [
        "new Uint8Array([1, 2]).buffer",
        "process.getBuiltinModule('vm').runInNewContext('new Uint8Array([1, 2]).buffer')",
    ] {
        assert_eq!(bytes_from(&js(buffer)).unwrap(), [1, 2], "{buffer}");
    }
    for other in [
        "'text'",
        "[1, 2]",
        "new Uint16Array(2)",
        "new DataView(new ArrayBuffer(2))",
        "null",
        "undefined",
        "new Proxy(new Uint8Array(2), {})",
        "({ [Symbol.toStringTag]: 'ArrayBuffer' })",
        "new Proxy({}, { get() { throw new Error('no') } })",
        "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()",
    ] {
        assert!(bytes_from(&js(other)).is_none(), "{other}");
    }
    for other in ["1", "null", "undefined", "new String('x')", "Symbol()", "10n"] {
        assert!(string_to_bytes(&js(other)).is_none(), "{other}");
    }
}

#[wasm_bindgen_test]
fn what_is_built_may_be_long() {
    let mut store = store();
    store.start();
    store.begin_array();
    for index in 0..3000 {
        store.begin_object();
        store.key(Word::id);
        store.put_text(&"é".repeat(index % 9));
        store.key(Word::n);
        store.put_number(f64::from(index as u32) + 0.5);
        store.end_object();
    }
    store.end_array();
    let list = store.finish();
    let items = store.items(list).unwrap();
    assert_eq!(items.len(), 3000);
    assert_eq!(members(&mut store, items[0]), ["id=''", "n=0.5"]);
    assert_eq!(members(&mut store, items[2999]), ["id='éé'", "n=2999.5"]);
}

#[wasm_bindgen_test]
fn wide_text_becomes_the_same_string() {
    for text in [
        "日本語のテキスト",
        "é",
        "ж, and more",
        "𝄞",
        "\u{ffff}\u{800}\u{7ff}\u{80}",
        "中文 and English by turns; ",
        "한국어\n",
    ] {
        for repeats in [1, 9, 100, 1001] {
            for start in ["", "a", "ab", "é", "abcdefgh"] {
                let text = start.to_owned() + &text.repeat(repeats);
                assert_eq!(bytes_to_string(text.as_bytes()), JsValue::from_str(&text), "{start} {repeats}");
            }
        }
    }
}
