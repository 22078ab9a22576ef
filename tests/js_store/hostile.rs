//! Objects of the caller whose code throws, returns wrong values, calls back into the store or does not end.

use super::{adopted, elements, js, json, members, refusal, store};
use std::cell::RefCell;
use std::rc::Rc;
use toolwire::value::js::JsStore;
use toolwire::value::{Backend, Fault, Word};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn what_the_callers_code_throws_is_refused_in_its_words() {
    for (thrown, words) in [
        ("new Error('no entry')", "no entry"),
        ("'a string'", "a string"),
        ("undefined", "undefined"),
        ("Symbol('x')", "Symbol(x)"),
        ("{message: 42}", "42"),
        ("{toString() { throw 1 }}", "something was thrown that cannot be shown"),
        ("{get message() { throw 1 }}", "something was thrown that cannot be shown"),
    ] {
        let throwing = format!("() => {{ throw {thrown} }}");
        let (mut store, object) = adopted(&format!("({{a: 1, get b() {{ return ({throwing})() }}}})"));
        assert_eq!(refusal(store.fields(object, &mut Vec::new())), words);
        let (mut store, array) = adopted(&format!("[1, {{toJSON: {throwing}}}]"));
        assert_eq!(refusal(store.items(array)), words);
        assert_eq!(refusal(store.stringify(array)), words);
        assert_eq!(refusal(store.adopt(&js(&format!("({{toJSON: {throwing}}})")))), words);
        let proxied = format!("new Proxy({{}}, {{ownKeys: {throwing}}})");
        let (mut store, proxy) = adopted(&proxied);
        assert_eq!(refusal(store.fields(proxy, &mut Vec::new())), words);
    }
    let (mut store, object) = adopted("({get a() { throw 'é'.repeat(1e6) }})");
    assert_eq!(refusal(store.fields(object, &mut Vec::new())).chars().count(), 300);
}

#[wasm_bindgen_test]
fn proxies_are_read_through_their_traps() {
    let (mut store, object) = adopted("new Proxy({role: 'user', n: 1}, {get: (t, k) => k === 'n' ? 2 : t[k]})");
    assert_eq!(members(&mut store, object), ["role='user'", "n=2"]);
    let (mut store, array) = adopted("new Proxy([1, 2], {})");
    assert_eq!(elements(&mut store, array), ["1", "2"]);
    let (mut store, odd) = adopted("new Proxy([1, 2], {get: (t, k) => k === 'length' ? '1.9' : t[k]})");
    assert_eq!(elements(&mut store, odd), ["1"]);
    let (mut store, endless) = adopted("new Proxy([], {get: (t, k) => k === 'length' ? 1e300 : t[k]})");
    assert_eq!(store.items(endless), Err(Fault::TooLarge));
    let (mut store, holes) = adopted("new Array(4294967295)");
    assert_eq!(store.items(holes), Err(Fault::TooLarge));
}

#[wasm_bindgen_test]
fn revoked_proxies_are_refused_wherever_they_are_met() {
    let revoked = "(() => { const {proxy, revoke} = Proxy.revocable({}, {}); revoke(); return proxy })()";
    assert!(refusal(store().adopt(&js(revoked))).contains("revoked"));
    let (mut store, object) = adopted(&format!("({{a: {revoked}}})"));
    assert!(refusal(store.fields(object, &mut Vec::new())).contains("revoked"));
    assert!(refusal(store.stringify(object)).contains("revoked"));
    // A proxy that the getter of another member revokes before it is read.
    let (mut store, late) = adopted(
        "(() => { const {proxy, revoke} = Proxy.revocable({}, {}); return {proxy, get then() { revoke(); return 1 }} })()",
    );
    let proxy = store.fields(late, &mut Vec::new()).unwrap()[0].value;
    assert!(refusal(store.fields(proxy, &mut Vec::new())).contains("revoked"));
    assert!(refusal(store.stringify(proxy)).contains("revoked"));
    store.start();
    store.put(proxy);
    let put = store.finish();
    assert!(refusal(store.stringify(put)).contains("revoked"));
}

#[wasm_bindgen_test]
fn cycles_are_read_by_level_and_refused_as_text() {
    let (mut store, object) = adopted("(() => { const o = {id: 'x'}; o.value = o; return o })()");
    let inner = store.fields(object, &mut Vec::new()).unwrap()[1].value;
    assert_eq!(members(&mut store, inner), ["id='x'", "value=Object"]);
    assert!(refusal(store.stringify(object)).contains("circular"));
    let (mut store, big) = adopted("({a: [10n]})");
    assert!(refusal(store.stringify(big)).contains("BigInt"));
}

#[wasm_bindgen_test]
fn a_refusal_says_where() {
    let places = [
        ("({a: {b: 1}, 'c/~': [1, {d: 10n}]})", "/c~1~0/1/d"),
        ("(() => { const o = {a: [{}]}; o.a[0].b = o.a; return o })()", "/a/0/b"),
        ("(() => { const o = {}; o.self = o; return o })()", "/self"),
        ("({a: {b: 1}, get c() { throw 1 }})", ""),
    ];
    for (text, place) in places {
        let (mut store, object) = adopted(text);
        let Err(Fault::Refused { below, .. }) = store.stringify(object) else { panic!("not refused: {text}") };
        assert_eq!(below, place, "{text}");
    }
    let (mut store, object) = adopted("({a: 1, get b() { throw 1 }})");
    let Err(Fault::Refused { below, .. }) = store.fields(object, &mut Vec::new()) else { panic!("not refused") };
    assert_eq!(below, "/b");
}

#[wasm_bindgen_test]
fn a_getter_may_convert_meanwhile() {
    let inner_saw = Rc::new(RefCell::new(Vec::new()));
    let log = inner_saw.clone();
    let convert = Closure::<dyn Fn(JsValue) -> JsValue>::new(move |value: JsValue| {
        let mut store = JsStore::new(128);
        let value = store.adopt(&value).unwrap();
        let seen = members(&mut store, value);
        log.borrow_mut().extend(seen);
        store.start();
        store.begin_object();
        store.key(Word::text);
        store.put(value);
        let text = store.stringify(value).unwrap();
        store.key(Word::result);
        store.put(text);
        store.end_object();
        let built = store.finish();
        // The store is left inside an unfinished array, with an error that no one has fetched.
        store.begin_array();
        store.key(Word::text);
        let _ = store.parse(text);
        store.release(built)
    });
    let make = js_sys::Function::new_with_args(
        "convert",
        "return {role: 'user', get content() { return convert({name: 'n', n: 1, get id() { return convert({input: 1}).result }}) }, id: 'last'}",
    );
    let input = make.call1(&JsValue::UNDEFINED, convert.as_ref()).unwrap();
    let mut store = store();
    let object = store.adopt(&input).unwrap();
    store.start();
    store.begin_object();
    store.key(Word::content);
    let fields = store.fields(object, &mut Vec::new()).unwrap();
    let words: Vec<_> = fields.iter().map(|field| field.word).collect();
    assert_eq!(words, [Word::role, Word::content, Word::id]);
    store.put(fields[1].value);
    store.end_object();
    let built = store.finish();
    assert_eq!(
        json(&store.release(built)),
        r#"{"content":{"text":{"name":"n","n":1,"id":"{\"input\":1}"},"result":"{\"name\":\"n\",\"n\":1,\"id\":\"{\\\"input\\\":1}\"}"}}"#
    );
    assert_eq!(store.text(fields[2].value), "last");
    assert!(inner_saw.borrow().starts_with(&["input=1".to_owned()]));
}

#[wasm_bindgen_test]
fn stores_may_be_dropped_in_any_order() {
    let mut first = store();
    let mut second = store();
    let one = first.string("one");
    let two = second.string("two");
    drop(first);
    assert_eq!(second.text(two), "two");
    let mut third = store();
    let three = third.string("three");
    assert_eq!((second.text(two).as_ref(), third.text(three).as_ref()), ("two", "three"));
    let _ = one;
}

#[wasm_bindgen_test]
fn deep_nesting_is_a_fault_and_no_trap() {
    let mut store = JsStore::new(128);
    let too_deep = Fault::Depth { limit: 128 };
    let nested = |depth: usize| format!("{}1{}", "[{\"[\":".repeat(depth / 2), "}]".repeat(depth / 2));
    let text = store.string(&nested(128));
    let parsed = store.parse(text).unwrap();
    assert!(store.stringify(parsed).is_ok());
    for text in [nested(130), nested(100_000)] {
        let text = store.string(&text);
        assert_eq!(store.parse(text), Err(too_deep.clone()));
    }
    for text in ["[".repeat(10_000_000), "{\"a\":".repeat(200)] {
        let text = store.string(&text);
        assert!(matches!(store.parse(text), Err(Fault::Syntax { .. } | Fault::Depth { .. })));
    }
    // A text is not deep if it is wide only, or if its brackets are inside strings.
    for text in [format!("[{}0]", "[[]],".repeat(1000)), format!("[\"\\\"{}\"]", "[{".repeat(1000))] {
        let text = store.string(&text);
        assert!(store.parse(text).is_ok());
    }
    let deep = js("(() => { let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a })()");
    let deep = store.adopt(&deep).unwrap();
    assert_eq!(store.stringify(deep), Err(too_deep));
    let inner = store.items(deep).unwrap()[0];
    assert!(store.is_raw_form(text, deep));
    assert!(!store.same(deep, inner));
    assert!(store.same(deep, deep));
}

#[wasm_bindgen_test]
fn memory_may_grow_between_calls() {
    let (mut store, object) = adopted("({role: 'user', content: 'words and more words that are no short string'})");
    let mut kept = Vec::new();
    for _ in 0..20 {
        kept.push(vec![1u8; 1 << 20]);
        assert_eq!(members(&mut store, object)[0], "role='user'");
        let string = store.string("words and more words that are no short string");
        assert_eq!(store.text(string).len(), 45);
    }
    assert_eq!(kept.len(), 20);
}
