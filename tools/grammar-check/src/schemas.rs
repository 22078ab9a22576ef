//! Generated schemas, values that they accept, and mistakes in such values.

use crate::random::Random;
use serde_json::{Map, Value, json};

const KEYS: [&str; 10] = ["city", "days", "mode", "filter", "items", "name", "limit", "ratio", "tag_list", "note"];
const WORDS: [&str; 6] = ["metric", "imperial", "fast", "slow", "a b", "x-1"];

pub fn parameters(random: &mut Random) -> Value {
    let mut schema = object(random, 0);
    if random.chance(20) {
        // a tree whose children have the same schema
        let node = json!({ "type": "object", "properties": { "label": { "type": "string" }, "children": { "type": "array", "items": { "$ref": "#/$defs/node" } } }, "required": ["label"], "additionalProperties": false });
        schema["$defs"] = json!({ "node": node });
        schema["properties"]["tree"] = json!({ "$ref": "#/$defs/node" });
    }
    schema
}

fn object(random: &mut Random, depth: usize) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for _ in 0..=random.below(4) {
        let key = *random.pick(&KEYS);
        properties.insert(key.to_owned(), property(random, depth));
        if random.chance(50) && !required.contains(&json!(key)) {
            required.push(json!(key));
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    match random.below(4) {
        0 => {}
        1 => schema["additionalProperties"] = json!({ "type": "integer" }),
        _ => schema["additionalProperties"] = json!(false),
    }
    schema
}

fn open(mut schema: Value) -> Value {
    if let Some(map) = schema.as_object_mut() {
        map.shift_remove("additionalProperties");
    }
    schema
}

fn property(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth < 2 { 17 } else { 11 };
    match random.below(kinds) {
        0 | 1 => json!({ "type": "string", "description": "words" }),
        2 => json!({ "type": "string", "enum": WORDS[..=random.below(WORDS.len())] }),
        3 => json!({ "type": "string", "minLength": random.below(3), "maxLength": 3 + random.below(20) }),
        4 => {
            json!({ "type": "string", "pattern": *random.pick(&["^[a-z]{2,5}$", "^\\d{3}-\\d{4}$", "x", "^(?:on|off)$"]) })
        }
        5 => json!({ "type": "string", "format": *random.pick(&["date", "uuid", "ipv4", "email"]) }),
        6 => {
            let least = random.below(300) as i64 - 150;
            json!({ "type": "integer", "minimum": least, "maximum": least + random.below(400) as i64 })
        }
        7 => json!({ "type": "integer" }),
        8 => json!({ "type": "number", "minimum": 0, "exclusiveMaximum": 1 + random.below(50) }),
        9 => json!({ "type": "boolean" }),
        10 => json!({ "const": *random.pick(&[json!(7), json!("fixed"), json!(true), Value::Null]) }),
        11 => json!({ "type": ["string", "null"] }),
        12 => json!({ "anyOf": [property(random, 2), { "type": "integer", "minimum": 0 }] }),
        13 => {
            json!({ "type": "array", "items": property(random, depth + 1), "minItems": random.below(2), "maxItems": 2 + random.below(3) })
        }
        14 => {
            json!({ "type": "array", "prefixItems": [property(random, 2), property(random, 2)], "items": false, "minItems": random.below(3) })
        }
        15 => {
            json!({ "allOf": [open(object(random, 2)), { "type": "object", "properties": { "extra": { "type": "boolean" } }, "required": ["extra"] }] })
        }
        _ => object(random, depth + 1),
    }
}

/// A value that a schema accepts, in most cases.
pub fn value(random: &mut Random, root: &Value, schema: &Value, depth: usize) -> Value {
    if let Some(to) = schema["$ref"].as_str() {
        return value(random, root, root.pointer(&to[1..]).unwrap(), depth);
    }
    if let Some(one) = schema.get("const") {
        return one.clone();
    }
    if let Some(list) = schema["enum"].as_array() {
        return random.pick(list).clone();
    }
    if let Some(list) = schema["anyOf"].as_array() {
        let branch = random.pick(list);
        return value(random, root, branch, depth);
    }
    if let Some(list) = schema["allOf"].as_array() {
        let parts: Vec<Value> = list.iter().map(|part| value(random, root, part, depth)).collect();
        let mut whole: Map<String, Value> =
            parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect();
        if let Some(last) = whole.shift_remove("zzz") {
            whole.insert("zzz".to_owned(), last);
        }
        return Value::Object(whole);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => random.pick(kinds).as_str().unwrap(),
        kind => kind.as_str().unwrap_or("string"),
    };
    match kind {
        "null" => Value::Null,
        "boolean" => json!(random.chance(50)),
        "integer" => {
            let least = schema["minimum"].as_i64().unwrap_or(-20);
            let most = schema["maximum"].as_i64().unwrap_or(least + 100_000);
            json!(least + random.below((most - least + 1) as usize) as i64)
        }
        "number" => {
            let most = schema["exclusiveMaximum"].as_i64().unwrap_or(100) as usize;
            let whole = random.below(most) as f64;
            random.pick(&[json!(whole + 0.5), json!(whole as i64)]).clone()
        }
        "string" => json!(string(random, schema)),
        "array" => array(random, root, schema, depth),
        _ => filled(random, root, schema, depth),
    }
}

fn string(random: &mut Random, schema: &Value) -> String {
    match (schema["pattern"].as_str(), schema["format"].as_str()) {
        (Some("^[a-z]{2,5}$"), _) => (*random.pick(&["ab", "hello"])).to_owned(),
        (Some("^\\d{3}-\\d{4}$"), _) => "555-0199".to_owned(),
        (Some("x"), _) => (*random.pick(&["x", "a\"x\n", "<x>"])).to_owned(),
        (Some(_), _) => (*random.pick(&["on", "off"])).to_owned(),
        (_, Some("date")) => "2026-02-28".to_owned(),
        (_, Some("uuid")) => "123e4567-e89b-12d3-a456-426614174000".to_owned(),
        (_, Some("ipv4")) => "192.168.0.1".to_owned(),
        (_, Some(_)) => "name@example.com".to_owned(),
        _ => {
            let least = schema["minLength"].as_u64().unwrap_or(0) as usize;
            let most = schema["maxLength"].as_u64().unwrap_or(30) as usize;
            let length = least + random.below(most - least + 1);
            let letters = ['a', 'Z', '7', ' ', '"', '\\', '\n', 'é', '😀', '<', '{', ']', ',', '/', '\t', '｜'];
            (0..length).map(|_| *random.pick(&letters)).collect()
        }
    }
}

fn array(random: &mut Random, root: &Value, schema: &Value, depth: usize) -> Value {
    let prefix = schema["prefixItems"].as_array().cloned().unwrap_or_default();
    let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
    let most = schema["maxItems"].as_u64().map_or(least + 2, |most| most as usize);
    let most = if schema["items"] == false { prefix.len() } else { most };
    let length = if depth > 3 { least } else { least + random.below(most - least + 1) };
    (0..length).map(|index| value(random, root, prefix.get(index).unwrap_or(&schema["items"]), depth + 1)).collect()
}

fn filled(random: &mut Random, root: &Value, schema: &Value, depth: usize) -> Value {
    let mut out = Map::new();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        if required.contains(&json!(key)) || (depth < 4 && random.chance(60)) {
            out.insert(key.clone(), value(random, root, property, depth + 1));
        }
    }
    if schema["additionalProperties"] != false && random.chance(30) {
        out.insert("zzz".to_owned(), json!(random.below(90)));
    }
    Value::Object(out)
}

/// The value with one change.
pub fn mutant(random: &mut Random, value: &Value) -> Value {
    let mut copy = value.clone();
    let mut at = &mut copy;
    loop {
        let inner = match at {
            Value::Object(map) => map.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if inner == 0 || random.chance(25) {
            break;
        }
        let index = random.below(inner);
        at = match at {
            Value::Object(map) => map.values_mut().nth(index).unwrap(),
            Value::Array(items) => &mut items[index],
            _ => break,
        };
    }
    *at = match (at.take(), random.below(4)) {
        (Value::Object(mut map), 0) if !map.is_empty() => {
            let key = map.keys().nth(random.below(map.len())).unwrap().clone();
            map.shift_remove(&key);
            Value::Object(map)
        }
        (Value::Object(mut map), 1 | 2) => {
            map.insert((*random.pick(&["zz", "cit", "cityy"])).to_owned(), json!("undeclared"));
            Value::Object(map)
        }
        (Value::Array(mut items), 0..=2) => {
            let item = items.first().cloned().unwrap_or(json!(1));
            items.extend(std::iter::repeat_n(item, 6));
            Value::Array(items)
        }
        (Value::Number(number), 0..=2) => {
            let number = number.as_f64().unwrap();
            random.pick(&[json!(number + 0.5), json!(number as i64 + 1000), json!(number as i64 - 1000)]).clone()
        }
        (Value::String(text), 0..=2) => {
            random.pick(&[json!(""), json!(format!("{text}{}", "y".repeat(40))), json!(format!("{text}é"))]).clone()
        }
        (old, _) => {
            let others =
                [json!("wrong"), json!(123_456), json!(false), Value::Null, json!([]), json!({}), json!(["a", 1])];
            let other = random.pick(&others).clone();
            if other == old { json!({ "q": [] }) } else { other }
        }
    };
    copy
}
