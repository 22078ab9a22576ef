//! AWS's binary messages, which tests compare as lines of JSON.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use serde_json::{Value, json};
use toolwire::binary_frames::{Header, Message, begin, length, seal};

/// A message with these headers.
pub fn message(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    begin(&mut bytes, headers);
    bytes.extend_from_slice(payload.as_bytes());
    seal(&mut bytes, 0);
    bytes
}

/// The message of an event or exception, each an object with its name as the only key. None for other values.
pub fn event(event: &Value) -> Option<Vec<u8>> {
    let mut fields = event.as_object()?.iter();
    let ((name, payload), None) = (fields.next()?, fields.next()) else { return None };
    let is_exception = name.ends_with("Exception");
    let (header, kind) = if is_exception { (":exception-type", "exception") } else { (":event-type", "event") };
    let headers = [(header, name.as_str()), (":content-type", "application/json"), (":message-type", kind)];
    Some(message(&headers, &payload.to_string()))
}

/// Each message as a line of JSON: an object with the name of the event as its key, or the body of an error.
pub fn lines(mut bytes: &[u8]) -> Result<String, String> {
    let mut text = String::new();
    while !bytes.is_empty() {
        let total = length(bytes)?.filter(|total| *total <= bytes.len()).ok_or("a message is cut off")?;
        let message = Message::read(&bytes[..total])?;
        let (mut name, mut kind) = (String::new(), String::new());
        for header in message.headers() {
            match header? {
                (":event-type" | ":exception-type", Header::Text(text)) => text.clone_into(&mut name),
                (":message-type", Header::Text(text)) => text.clone_into(&mut kind),
                (":content-type", Header::Text("application/json")) => {}
                other => return Err(format!("{other:?}")),
            }
        }
        let payload: Value = serde_json::from_slice(message.payload).map_err(|error| error.to_string())?;
        let is_body = name.is_empty() || payload["__type"] == name.as_str() && kind == "exception";
        let event = if is_body { payload } else { json!({ name: payload }) };
        text.push_str(&format!("{event}\n"));
        bytes = &bytes[total..];
    }
    Ok(text)
}
