//! The metaschemas that schemas may refer to.

use crate::json::{Map, Value};
use std::sync::OnceLock;

static KNOWN: OnceLock<Map<String, Value>> = OnceLock::new();

/// The metaschema with a URI. The URI must not have a fragment.
pub fn find(uri: &str) -> Option<&'static Value> {
    KNOWN.get_or_init(read).get(uri)
}

fn read() -> Map<String, Value> {
    let mut known = Map::new();
    for text in [include_str!("draft2020-12.json"), include_str!("draft-07.json")] {
        if let Ok(Value::Object(schemas)) = crate::json::from_str(text) {
            known.extend(schemas);
        }
    }
    known
}
