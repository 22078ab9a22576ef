//! The canonical stream events that reading text can emit.

use super::scan::string_end;
use crate::json::{Value, json, push_escaped};

/// An event of a canonical stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Text {
        block: u32,
        text: String,
    },
    Reasoning {
        block: u32,
        text: String,
    },
    ReasoningEnd {
        block: u32,
    },
    CallStart {
        block: u32,
        id: String,
        name: String,
    },
    /// A fragment of the arguments. Always JSON, in every format.
    CallDelta {
        block: u32,
        id: String,
        text: String,
    },
    /// The call is complete. Its arguments are a JSON object.
    CallEnd {
        block: u32,
        id: String,
        name: String,
        arguments: String,
    },
    /// Text that resembles a call but can't be parsed as one.
    Invalid {
        block: u32,
        id: String,
        name: String,
        raw: String,
        error: String,
    },
    /// Text of the model was dropped: the reason, and its beginning.
    Dropped {
        reason: &'static str,
        text: String,
    },
}

/// Which pieces, if they came next, would be emitted as one more delta like the last event, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbatim {
    None,
    /// Those without a character that a marker can begin with.
    Text,
    /// Those that belong to a string of JSON: no quote ends it, no escape is incomplete, and there is no `<`.
    Json,
    /// Those without `<` that do not end with a line break. They are emitted as in a JSON string.
    Value,
}

impl Event {
    /// The event as canonical JSON.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Text { block, text } => json!({ "type": "textDelta", "block": block, "text": text }),
            Self::Reasoning { block, text } => json!({ "type": "reasoningDelta", "block": block, "text": text }),
            Self::ReasoningEnd { block } => json!({ "type": "reasoningEnd", "block": block }),
            Self::CallStart { block, id, name } => {
                json!({ "type": "toolCallStart", "block": block, "id": id, "name": name })
            }
            Self::CallDelta { block, id, text } => {
                json!({ "type": "toolCallDelta", "block": block, "id": id, "text": text })
            }
            Self::CallEnd { block, id, name, arguments } => {
                json!({ "type": "toolCallEnd", "block": block, "call": call(id, name, arguments) })
            }
            Self::Invalid { block, id, name, raw, error } => {
                let call = json!({ "id": id, "name": name, "rawArguments": raw, "error": error });
                json!({ "type": "toolCallEnd", "block": block, "call": call })
            }
            // not an event of a canonical stream: becomes a warning
            Self::Dropped { reason, text } => json!({ "type": "dropped", "message": format!("{reason}: `{text}`") }),
        }
    }
}

impl Event {
    /// The event as canonical JSON text. The arguments of calls are not parsed for it.
    pub fn to_text(&self) -> String {
        let Self::CallEnd { block, .. } = self else { return self.to_json().to_string() };
        let mut text = [r#"{"type":"toolCallEnd","block":"#, &block.to_string(), r#","call":"#].concat();
        self.push_call(&mut text);
        text.push('}');
        text
    }

    /// Appends the call that ends with this event, as canonical JSON text.
    pub fn push_call(&self, out: &mut String) {
        match self {
            Self::CallEnd { id, name, arguments, .. } if !long_number(arguments) => {
                out.reserve(id.len() + name.len() + arguments.len() + 64);
                out.push_str(r#"{"id":""#);
                push_escaped(out, id);
                out.push_str(r#"","name":""#);
                push_escaped(out, name);
                out.push_str(r#"","arguments":"#);
                out.push_str(arguments);
                out.push('}');
            }
            _ => out.push_str(&self.to_json().get("call").map(Value::to_string).unwrap_or_default()),
        }
    }
}

/// A canonical call. Includes the original text of its arguments if parsing would lose digits of numbers.
fn call(id: &str, name: &str, arguments: &str) -> Value {
    let value: Value = crate::json::from_str(arguments).unwrap_or_default();
    let mut call = json!({ "id": id, "name": name, "arguments": value });
    if long_number(arguments)
        && let Some(fields) = call.as_object_mut()
    {
        fields.insert("metadata".to_owned(), json!({ "rawArguments": arguments }));
    }
    call
}

/// The number of digits, with a point, that a double always holds.
const DIGITS: usize = 15;

/// Whether a text has more digits and points in a row than a double can safely hold.
pub(super) fn has_long_number(text: &str) -> bool {
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let count = |(before, after): (&[u8], &[u8])| {
        let after = after.iter().take(DIGITS + 1).take_while(is_part).count();
        if after == 0 { 0 } else { after + before.iter().rev().take(DIGITS).take_while(is_part).count() }
    };
    // it has at least one of every sixteenth byte
    let mut places = (DIGITS..text.len()).step_by(DIGITS + 1);
    places.any(|at| text.as_bytes().split_at_checked(at).map_or(0, count) > DIGITS)
}

/// Whether a number outside of strings has more digits than a double can safely hold.
fn long_number(json: &str) -> bool {
    if !has_long_number(json) {
        return false;
    }
    let mut rest = json.as_bytes();
    let mut digits = 0;
    while let [byte, more @ ..] = rest {
        rest = more;
        digits = if byte.is_ascii_digit() || (digits > 0 && *byte == b'.') { digits + 1 } else { 0 };
        if digits > DIGITS {
            return true;
        }
        if *byte == b'"' {
            rest = rest.get(string_end(rest)..).unwrap_or_default();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Event, Value};

    fn ended(arguments: &str) -> Event {
        Event::CallEnd { block: 1, id: "a\"1".to_owned(), name: "f\n".to_owned(), arguments: arguments.to_owned() }
    }

    #[test]
    fn the_text_of_an_event_is_its_json() {
        let events = [
            ended(r#"{ "a": [1, "é\n"], "b": {} }"#),
            ended(r#"{"a":12345678901234567890}"#),
            Event::ReasoningEnd { block: 0 },
            Event::Invalid { block: 0, id: "1".into(), name: "f".into(), raw: "{".into(), error: "cut off".into() },
        ];
        for event in events {
            let read: Value = crate::json::from_str(&event.to_text()).unwrap();
            assert_eq!(read, event.to_json());
        }
    }
}
