//! Local references in schemas point to a schema, before and after the conversion.

use serde_json::{Map, Value};

/// The type of a keyword's value.
enum Holds {
    Schema,
    Map,
    List,
    Nothing,
}

fn holds(keyword: &str) -> Holds {
    match keyword {
        "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => Holds::Map,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Holds::List,
        "items"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema"
        | "additionalItems" => Holds::Schema,
        _ => Holds::Nothing,
    }
}

/// Calls `visit` with every schema in a schema, and its pointer.
pub fn each(schema: &mut Value, place: &str, visit: &mut impl FnMut(&mut Map<String, Value>, &str)) {
    let Value::Object(fields) = schema else { return };
    visit(fields, place);
    for (key, value) in fields {
        let place = format!("{place}/{}", encoded(key));
        match (holds(key), value) {
            (Holds::Schema, value @ Value::Object(_)) => each(value, &place, visit),
            (Holds::Schema | Holds::List, Value::Array(all)) => {
                all.iter_mut().enumerate().for_each(|(index, inner)| each(inner, &format!("{place}/{index}"), visit));
            }
            (Holds::Map, Value::Object(all)) => {
                all.iter_mut().for_each(|(name, inner)| each(inner, &format!("{place}/{}", encoded(name)), visit));
            }
            _ => {}
        }
    }
}

/// A step of a pointer, encoded for the fragment of a URI.
fn encoded(step: &str) -> String {
    let escaped = step.replace('~', "~0").replace('/', "~1");
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"$~-_.".contains(byte);
    escaped
        .bytes()
        .map(|byte| if is_plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") })
        .collect()
}

/// Whether a reference points to a schema in `schema`.
pub fn leads(schema: &Value, reference: &str) -> bool {
    let Some(pointer) = reference.strip_prefix('#') else { return false };
    let mut bytes = Vec::new();
    let mut rest = pointer.as_bytes();
    while let [first, after @ ..] = rest {
        let hexadecimal = after.get(..2).filter(|_| *first == b'%').and_then(|two| str::from_utf8(two).ok());
        match hexadecimal.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    let target = String::from_utf8(bytes).ok().and_then(|pointer| schema.pointer(&pointer));
    target.is_some_and(|target| target.is_object() || target.is_boolean())
}

/// Whether every reference in the written schema points to a schema. A reference that is broken in the given schema may
/// stay if the target does not enforce schemas.
pub fn lead_somewhere(given: &Value, written: &Value, is_enforced: bool) -> Result<(), String> {
    let mut lost = None;
    each(&mut written.clone(), "", &mut |fields, place| {
        let Some(reference) = fields.get("$ref").and_then(Value::as_str) else { return };
        if !leads(written, reference) && (is_enforced || leads(given, reference)) {
            lost = Some(format!("{reference:?} at {place:?} leads nowhere"));
        }
    });
    lost.map_or(Ok(()), Err)
}
