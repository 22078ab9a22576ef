//! Numbers whose digits JavaScript would change. For a parameter that takes text, such a number becomes text, as it is written. The call with
//! an integer that a double can't hold is invalid.

use super::event::Event;
use super::names::parameters;
use super::scan::JsonScan;
use super::typed;
use crate::json::{Map, Value};
use crate::text::Tool;
use crate::text::schema;

/// Rewrites the arguments of calls in events.
#[derive(Default)]
pub(super) struct Digits {
    name: String,
    arguments: Scan,
}

impl Digits {
    pub fn rewrite(&mut self, events: Vec<Event>, tools: &[Tool]) -> Vec<Event> {
        if tools.is_empty() {
            return events;
        }
        events.into_iter().filter_map(|event| self.event(event, tools)).collect()
    }

    fn event(&mut self, event: Event, tools: &[Tool]) -> Option<Event> {
        match event {
            Event::CallStart { ref name, .. } => {
                *self = Self { name: name.clone(), arguments: Scan::default() };
                Some(event)
            }
            Event::CallDelta { block, id, text } => {
                let text = self.arguments.read(text, parameters(&self.name, tools));
                (!text.is_empty()).then_some(Event::CallDelta { block, id, text })
            }
            Event::CallEnd { block, id, name, arguments } => {
                let mut scan = Scan::default();
                let arguments = scan.read(arguments, parameters(&name, tools));
                Some(match scan.lost {
                    None => Event::CallEnd { block, id, name, arguments },
                    Some(number) => {
                        let error = format!("the integer {number} has more digits than a number can hold");
                        Event::Invalid { block, id, name, raw: arguments, error }
                    }
                })
            }
            _ => Some(event),
        }
    }
}

/// A position in JSON.
#[derive(Default)]
struct Scan {
    levels: Vec<Level>,
    /// The string that has not ended.
    string: Option<JsonScan>,
    /// The start of a number, whose end is not known.
    number: String,
    /// An integer that a double can't hold.
    lost: Option<String>,
}

/// An object or an array that is open.
enum Level {
    /// The last key as JSON, and whether its value follows.
    Object(String, bool),
    /// The index of the element.
    Array(usize),
}

impl Scan {
    /// Reads more. Returns what is to be emitted of it: a number is held until its end is known.
    fn read(&mut self, text: String, parameters: &Map<String, Value>) -> String {
        let text = if self.number.is_empty() { text } else { [std::mem::take(&mut self.number), text].concat() };
        let bytes = text.as_bytes();
        let mut written = String::new();
        let (mut at, mut copied) = (0, 0);
        while let Some(&byte) = bytes.get(at) {
            if self.string.is_some() || byte == b'"' {
                at = self.string(&text, at);
                continue;
            }
            let start = at;
            at += 1;
            match (byte, self.levels.last_mut()) {
                (b'{', _) => self.levels.push(Level::Object(String::new(), false)),
                (b'[', _) => self.levels.push(Level::Array(0)),
                (b'}' | b']', _) => {
                    self.levels.pop();
                }
                (b':' | b',', Some(Level::Object(_, is_value))) => *is_value = byte == b':',
                (b',', Some(Level::Array(index))) => *index += 1,
                (b'-' | b'0'..=b'9', Some(_)) => {
                    let is_numeric = |byte: &&u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
                    at += bytes.iter().skip(at).take_while(is_numeric).count();
                    let number = text.get(start..at).unwrap_or_default();
                    if at == bytes.len() {
                        self.number = number.to_owned();
                        written.push_str(text.get(copied..start).unwrap_or_default());
                        return written;
                    }
                    if self.is_text(number, parameters) {
                        let before = text.get(copied..start).unwrap_or_default();
                        written.extend([before, "\"", number, "\""]);
                        copied = at;
                    }
                }
                _ => {}
            }
        }
        if copied == 0 {
            return text;
        }
        written.push_str(text.get(copied..).unwrap_or_default());
        written
    }

    /// Reads on in the string at this position. Returns the position after the part that is there.
    fn string(&mut self, text: &str, from: usize) -> usize {
        let key = match self.levels.last_mut() {
            Some(Level::Object(key, false)) => Some(key),
            _ => None,
        };
        let is_start = self.string.is_none();
        let mut at = from;
        let end = self.string.get_or_insert_default().run(text.as_bytes(), &mut at);
        if end.is_some() {
            self.string = None;
        }
        let at = end.unwrap_or(at);
        if let Some(key) = key {
            if is_start {
                key.clear();
            }
            key.push_str(text.get(from..at).unwrap_or_default());
        }
        at
    }

    /// Whether a number here is to be text.
    fn is_text(&mut self, number: &str, parameters: &Map<String, Value>) -> bool {
        let is_exact = is_exact(number);
        if is_exact && is_kept(number) {
            return false;
        }
        let mut types = Vec::new();
        self.schema(parameters).into_iter().for_each(|schema| schema::types(schema, &mut types));
        let takes_text = types.iter().any(|kind| typed::is_string(kind));
        if !is_exact && !takes_text && types.iter().any(|kind| kind.starts_with("int")) {
            self.lost.get_or_insert_with(|| number.to_owned());
        }
        takes_text && (!is_exact || types.iter().all(|kind| typed::is_string(kind)))
    }

    /// The schema of the value at this position.
    fn schema<'a>(&self, parameters: &'a Map<String, Value>) -> Option<&'a Value> {
        let mut levels = self.levels.iter();
        let Level::Object(key, _) = levels.next()? else { return None };
        let decoded = |key: &str| crate::json::from_str::<String>(key).ok();
        levels.try_fold(schema::property(parameters, &decoded(key)?)?, |schema, level| match level {
            Level::Object(key, _) => schema::property(schema.as_object()?, &decoded(key)?),
            Level::Array(index) => schema::item_at(schema, *index),
        })
    }
}

/// The number of digits that a double always holds.
const EXACT: usize = 15;

/// Whether a double holds this number, if it is an integer.
fn is_exact(number: &str) -> bool {
    let digits = number.trim_start_matches('-');
    if digits.len() <= EXACT || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    digits.parse::<u64>().is_ok_and(|value| value < 1 << 63 && value as f64 as u64 == value)
}

/// Whether JavaScript prints this number as it is written.
fn is_kept(number: &str) -> bool {
    let digits = number.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "1"));
    let is_plain = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let is_small = whole == "0" && fraction.starts_with("000000");
    is_plain && digits.len() <= EXACT && !fraction.ends_with('0') && !fraction.is_empty() && !is_small && number != "-0"
}
