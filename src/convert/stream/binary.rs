//! Streams of AWS: messages with headers that state what they are, and JSON as payload (`crate::binary_frames`). Those of Converse are named by
//! their type; those of `invoke-with-response-stream` are chunks that contain the event of another format (WIRE §3.11, §5.8).

use super::frames::{Failure, Frame, Visit, Window};
use crate::binary_frames::{Header, Message, length};
use crate::value::text::{base64, members, quoted};

pub struct BinaryMessages {
    /// Whether events are objects with their type as the key.
    is_keyed: bool,
    /// Whether there was any message.
    has_begun: bool,
    /// The JSON text of the current event.
    data: Vec<u8>,
}

/// What the headers of a message state.
#[derive(Default)]
struct Headers<'a> {
    message: &'a str,
    event: &'a str,
    exception: &'a str,
    code: &'a str,
    text: &'a str,
}

impl BinaryMessages {
    pub fn new(is_keyed: bool) -> BinaryMessages {
        BinaryMessages { is_keyed, has_begun: false, data: Vec::new() }
    }

    /// Reads the buffer. Returns the number of bytes consumed.
    pub fn read(&mut self, piece: &Window, visit: &mut dyn Visit) -> (usize, Result<(), (Failure, usize)>) {
        let Window { buffer, start, limit, ended } = *piece;
        let mut position = 0;
        loop {
            let rest = buffer.get(position..).unwrap_or_default();
            let refuse = |what| (0, Err((Failure::NoEvents { what }, position)));
            let total = match length(rest) {
                Ok(Some(total)) => total,
                Ok(None) => break,
                Err(what) => return refuse(what),
            };
            if total > limit {
                return (0, Err((Failure::TooLong { limit }, position)));
            }
            let Some(bytes) = rest.get(..total) else { break };
            match Message::read(bytes).and_then(|message| self.dispatch(&message, start + position as u64, visit)) {
                Ok(true) => position += total,
                Ok(false) => return (position + total, Ok(())),
                Err(what) => return refuse(what),
            }
        }
        if ended && position < buffer.len() {
            if !self.has_begun {
                return (0, Err((Failure::NoEvents { what: "its first message is cut off" }, 0)));
            }
            let offset = start + position as u64;
            visit.event(Frame { name: b"", data: b"{", framing: None, offset, is_bare: false, is_last: true });
            return (buffer.len(), Ok(()));
        }
        (position, Ok(()))
    }

    /// Passes the event of a message to `visit`.
    fn dispatch(&mut self, message: &Message, offset: u64, visit: &mut dyn Visit) -> Result<bool, &'static str> {
        let headers = Headers::read(message)?;
        self.has_begun = true;
        let mut name = headers.event;
        match headers.message {
            "event" if headers.event == "initial-response" => return Ok(true),
            "event" if headers.event == "chunk" => {
                self.data = chunk(message.payload).ok_or("a chunk without bytes")?;
                name = "";
            }
            "event" => self.keyed(headers.event, message.payload),
            "exception" if self.is_keyed => self.keyed(headers.exception, &object(message.payload)),
            "exception" => self.error(headers.exception, &object(message.payload)),
            "error" => self.error(headers.code, format!("{{\"message\":{}}}", quoted(headers.text)).as_bytes()),
            _ => return Err("a message of an unknown type"),
        }
        let kind = members(&self.data).find(|(key, _)| *key == b"type").and_then(|(_, place)| self.data.get(place));
        let kind = kind.and_then(|kind| kind.strip_prefix(b"\"")?.strip_suffix(b"\"")).unwrap_or_default();
        let name = if name.is_empty() { kind } else { name.as_bytes() };
        Ok(visit.event(Frame { name, data: &self.data, framing: None, offset, is_bare: false, is_last: false }))
    }

    /// `{"name": payload}`.
    fn keyed(&mut self, name: &str, payload: &[u8]) {
        let payload = if payload.is_empty() { b"{}" } else { payload };
        self.set(&[b"{", quoted(name).as_bytes(), b":", payload, b"}"]);
    }

    /// An error that is none of the exceptions of the format: its body as a response would have it.
    fn error(&mut self, code: &str, object: &[u8]) {
        let mut code = code.to_owned();
        if let Some(first) = code.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let code = quoted(&code);
        let rest = object.trim_ascii().strip_prefix(b"{").unwrap_or_default();
        let comma: &[u8] = if rest.trim_ascii_start().starts_with(b"}") { b"" } else { b"," };
        if self.is_keyed {
            self.set(&[b"{\"__type\":", code.as_bytes(), comma, rest]);
        } else {
            self.set(&[b"{\"type\":\"error\",\"error\":{\"type\":", code.as_bytes(), comma, rest, b"}"]);
        }
    }

    fn set(&mut self, parts: &[&[u8]]) {
        self.data.clear();
        for part in parts {
            self.data.extend_from_slice(part);
        }
    }
}

impl<'a> Headers<'a> {
    fn read(message: &Message<'a>) -> Result<Headers<'a>, &'static str> {
        let mut headers = Headers { message: "event", ..Headers::default() };
        for header in message.headers() {
            let (name, Header::Text(text)) = header? else { continue };
            match name {
                ":message-type" => headers.message = text,
                ":event-type" => headers.event = text,
                ":exception-type" => headers.exception = text,
                ":error-code" => headers.code = text,
                ":error-message" => headers.text = text,
                _ => {}
            }
        }
        Ok(headers)
    }
}

/// The event in a chunk: `{"bytes": "base64"}`.
fn chunk(payload: &[u8]) -> Option<Vec<u8>> {
    let (_, place) = members(payload).find(|(key, _)| *key == b"bytes")?;
    let text = payload.get(place)?.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    base64::decode(std::str::from_utf8(text).ok()?)
}

/// The payload of an exception. A text is its message.
fn object(payload: &[u8]) -> Vec<u8> {
    if payload.trim_ascii().starts_with(b"{") {
        return payload.to_vec();
    }
    [b"{\"message\":", quoted(&String::from_utf8_lossy(payload)).as_bytes(), b"}"].concat()
}
