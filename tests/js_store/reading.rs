//! Reading the caller's values.

use super::{adopted, elements, js, json, members};
use toolwire::value::{Backend, Fault, Kind, Word};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn plain_objects_are_read_in_their_order() {
    let (mut store, object) = adopted("({role: 'user', other_key: 1.5, content: null, n: true, tools: [], meta: {}})");
    let fields = store.fields(object, &mut Vec::new()).unwrap();
    let words: Vec<_> = fields.iter().map(|field| field.word).collect();
    assert_eq!(words, [Word::role, Word::Unknown, Word::content, Word::n, Word::tools, Word::Unknown]);
    assert_eq!(
        members(&mut store, object),
        ["role='user'", "other_key=1.5", "content=null", "n=true", "tools=Array", "meta=Object"]
    );
    assert_eq!(store.word(fields[0].value), Word::user);
    assert_eq!(store.word(fields[0].key), Word::role);
}

#[wasm_bindgen_test]
fn reading_is_total() {
    let (mut store, number) = adopted("7");
    assert_eq!((store.text(number).as_ref(), store.word(number), store.is_empty(number)), ("", Word::Unknown, true));
    assert!(store.fields(number, &mut Vec::new()).unwrap().is_empty());
    assert!(store.items(number).unwrap().is_empty());
    let text = store.string("x");
    assert_eq!((store.number(text), store.boolean(text), store.is_empty(text)), (0.0, false, false));
    assert!(matches!(store.parse(number), Err(Fault::Syntax { .. })));
}

#[wasm_bindgen_test]
fn what_json_cannot_express_is_left_out_of_objects_and_null_in_arrays() {
    let values = "undefined, () => 1, Symbol('s'), NaN, -Infinity, 10n";
    let (mut store, array) = adopted(&format!("[{values}]"));
    assert_eq!(elements(&mut store, array), ["null", "null", "null", "null", "null", "Other"]);
    let (mut store, object) = adopted(
        "({a: undefined, b: () => 1, c: Symbol('s'), d: NaN, e: Infinity, f: 10n, [Symbol('key')]: 1, g: 'last'})",
    );
    assert_eq!(members(&mut store, object), ["d=null", "e=null", "f=Other", "g='last'"]);
}

#[wasm_bindgen_test]
fn roots_that_json_cannot_express_are_other() {
    for root in ["undefined", "() => 1", "Symbol('s')", "10n"] {
        let (mut store, value) = adopted(root);
        assert_eq!(value.kind(), Kind::Other, "{root}");
        assert!(matches!(store.stringify(value), Err(Fault::Refused { .. })), "{root}");
    }
    for root in ["NaN", "Infinity", "null"] {
        let (_, value) = adopted(root);
        assert_eq!(value.kind(), Kind::Null, "{root}");
    }
}

#[wasm_bindgen_test]
fn dates_and_to_json_are_called_with_the_key() {
    let (mut store, object) = adopted(
        "({date: new Date(0), own: {toJSON(key) { return 'key ' + key }}, gone: {toJSON() {}},
           list: [{toJSON(key) { return typeof key + key }}], fn: Object.assign(() => 1, {toJSON: () => 5})})",
    );
    assert_eq!(members(&mut store, object), ["date='1970-01-01T00:00:00.000Z'", "own='key own'", "list=Array", "fn=5"]);
    let list = store.fields(object, &mut Vec::new()).unwrap()[2].value;
    assert_eq!(elements(&mut store, list), ["'string0'"]);
    let (store, root) = adopted("({toJSON(key) { return '<' + key + '>' }})");
    assert_eq!(store.text(root), "<>");
    let (_, invalid) = adopted("new Date(NaN)");
    assert_eq!(invalid.kind(), Kind::Null);
}

#[wasm_bindgen_test]
fn a_big_int_with_to_json_is_what_that_gives() {
    let _ = js("BigInt.prototype.toJSON = function () { return String(this) }");
    let (mut store, array) = adopted("[10n]");
    let _ = js("delete BigInt.prototype.toJSON");
    assert_eq!(elements(&mut store, array), ["Other"], "reading happened after it was gone");
    let _ = js("BigInt.prototype.toJSON = function () { return String(this) }");
    let seen = elements(&mut store, array);
    let _ = js("delete BigInt.prototype.toJSON");
    assert_eq!(seen, ["'10'"]);
}

#[wasm_bindgen_test]
fn boxed_primitives_are_unboxed() {
    let (mut store, array) =
        adopted("[new Number(3), new String('s'), new Boolean(false), Object(10n), new Number(NaN)]");
    assert_eq!(elements(&mut store, array), ["3", "'s'", "false", "Other", "null"]);
    let (mut store, posing) = adopted(
        "[{[Symbol.toStringTag]: 'Number', a: 1}, new (class { get [Symbol.toStringTag]() { return 'String' } })]",
    );
    assert_eq!(elements(&mut store, posing), ["Object", "Object"]);
    let (mut store, foreign) =
        adopted("process.getBuiltinModule('vm').runInNewContext(\"[new String('s'), new Date(0), [1]]\")");
    assert_eq!(elements(&mut store, foreign), ["'s'", "'1970-01-01T00:00:00.000Z'", "Array"]);
}

#[wasm_bindgen_test]
fn maps_and_sets_are_empty_objects() {
    let (mut store, array) =
        adopted("[new Map([['a', 1]]), new Set([1]), new ArrayBuffer(3), new Uint8Array([7, 8]), Buffer.from('A')]");
    let items = store.items(array).unwrap();
    let seen: Vec<_> = items.iter().map(|item| members(&mut store, *item)).collect();
    assert!(seen.iter().take(3).all(Vec::is_empty));
    assert_eq!(seen[3], ["0=7", "1=8"]);
    assert_eq!(seen[4], ["type='Buffer'", "data=Array"]);
}

#[wasm_bindgen_test]
fn class_instances_are_their_own_enumerable_properties() {
    let (mut store, object) = adopted(
        "(() => {
           class Base { constructor() { this.role = 'user' } get computed() { return 1 } method() {} }
           class Message extends Base { content = 'hi'; #hidden = 1; static s = 2 }
           const message = new Message();
           Object.defineProperty(message, 'unseen', {value: 1, enumerable: false});
           Object.defineProperty(message, 'id', {get: () => 'got', enumerable: true});
           return message;
         })()",
    );
    assert_eq!(members(&mut store, object), ["role='user'", "content='hi'", "id='got'"]);
    let (mut store, bare) = adopted("Object.assign(Object.create(null), {a: 1})");
    assert_eq!(members(&mut store, bare), ["a=1"]);
}

#[wasm_bindgen_test]
fn sparse_arrays_have_null_in_their_holes() {
    let (mut store, array) = adopted("(() => { const a = [1, , 3]; a.length = 4; a.extra = 5; return a })()");
    assert_eq!(elements(&mut store, array), ["1", "null", "3", "null"]);
}

#[wasm_bindgen_test]
fn own_proto_keys_are_data() {
    let (mut store, object) = adopted(r#"JSON.parse('{"__proto__":{"polluted":1},"id":"x"}')"#);
    assert_eq!(members(&mut store, object), ["__proto__=Object", "id='x'"]);
    let fields = store.fields(object, &mut Vec::new()).unwrap();
    store.start();
    store.begin_object();
    for field in &fields {
        store.key_of(field.key);
        store.put(field.value);
    }
    store.end_object();
    let copy = store.finish();
    let copy = store.release(copy);
    assert_eq!(json(&copy), r#"{"__proto__":{"polluted":1},"id":"x"}"#);
    assert!(js_sys::Reflect::get(&copy, &"polluted".into()).unwrap().is_undefined());
    let text = store.string(r#"{"__proto__":{"polluted":1}}"#);
    let parsed = store.parse(text).unwrap();
    assert_eq!(members(&mut store, parsed), ["__proto__=Object"]);
    let (mut store, literal) = adopted("({__proto__: {inherited: 1}, own: 2})");
    assert_eq!(members(&mut store, literal), ["own=2"]);
}

#[wasm_bindgen_test]
fn large_containers_come_whole() {
    let (mut store, array) = adopted("Array.from({length: 100000}, (_, i) => i % 3 ? i : 'text')");
    let items = store.items(array).unwrap();
    assert_eq!(items.len(), 100_000);
    for (i, item) in items.iter().enumerate() {
        let kind = if i % 3 == 0 { Kind::String } else { Kind::Number };
        assert_eq!(item.kind(), kind);
        if kind == Kind::Number {
            assert_eq!(store.number(*item), i as f64);
        }
    }
    let (mut store, object) = adopted("Object.fromEntries(Array.from({length: 5000}, (_, i) => ['key' + i, i]))");
    let fields = store.fields(object, &mut Vec::new()).unwrap();
    assert_eq!(fields.len(), 5000);
    for (i, field) in fields.iter().enumerate() {
        assert_eq!((store.text(field.key).into_owned(), store.number(field.value)), (format!("key{i}"), i as f64));
    }
}

#[wasm_bindgen_test]
fn the_input_is_not_changed() {
    let (mut store, object) = adopted(
        "(o => { for (const v of Object.values(o)) Object.freeze(v); return Object.freeze(o) })({a: {b: 1}, c: [1, 2]})",
    );
    for field in store.fields(object, &mut Vec::new()).unwrap() {
        let _ = store.fields(field.value, &mut Vec::new()).unwrap();
        let _ = store.items(field.value).unwrap();
        assert!(store.stringify(field.value).is_ok());
    }
    assert_eq!(json(&store.release(object)), r#"{"a":{"b":1},"c":[1,2]}"#);
}
