//! Parses JSON text.

use super::{Map, Number, Value, number, plain};
use crate::escapes::{byte_of, code_point};
use std::fmt;

/// Why a text is not JSON, and the position.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    message: &'static str,
    line: usize,
    column: usize,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)?;
        if self.line == 0 { Ok(()) } else { write!(f, " at line {} column {}", self.line, self.column) }
    }
}

type Result<T> = std::result::Result<T, Error>;

/// A type that a JSON text can be parsed as.
pub trait FromJson: Sized {
    fn from_json(value: Value) -> Option<Self>;
}

impl FromJson for Value {
    fn from_json(value: Value) -> Option<Self> {
        Some(value)
    }
}

impl FromJson for String {
    fn from_json(value: Value) -> Option<Self> {
        if let Value::String(text) = value { Some(text) } else { None }
    }
}

impl FromJson for Number {
    fn from_json(value: Value) -> Option<Self> {
        if let Value::Number(number) = value { Some(number) } else { None }
    }
}

impl FromJson for Map<String, Value> {
    fn from_json(value: Value) -> Option<Self> {
        if let Value::Object(fields) = value { Some(fields) } else { None }
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: Value) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::from_json(value).map(Some) }
    }
}

/// Parses a text as a single JSON value.
///
/// # Errors
/// If it is not JSON, or if the value has another type.
pub fn from_str<T: FromJson>(text: &str) -> Result<T> {
    let value = Reader { text, at: 0, depth: 0, keeps: true, strict: true }.document()?;
    T::from_json(value).ok_or(Error { message: "the value has another type", line: 0, column: 0 })
}

/// Whether a text is JSON. Numbers of any size and strings with lone surrogates are valid.
#[cfg(any(feature = "toolkit", test))]
pub fn is_valid(text: &str) -> bool {
    Reader { text, at: 0, depth: 0, keeps: false, strict: false }.document().is_ok()
}

/// Whether a text is a JSON object that [`from_str`] parses.
#[cfg(any(feature = "text", test))]
pub fn is_object(text: &str) -> bool {
    let value = Reader { text, at: 0, depth: 0, keeps: false, strict: true }.document();
    value.is_ok_and(|value| matches!(value, Value::Object(_)))
}

/// Deeper values are rejected.
const MAX_DEPTH: usize = 127;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// Whether the value is needed.
    keeps: bool,
    /// Whether numbers and strings that have no value are errors.
    strict: bool,
}

impl<'t> Reader<'t> {
    fn document(mut self) -> Result<Value> {
        let value = self.value()?;
        if self.next().is_some() { self.fail("trailing characters") } else { Ok(value) }
    }

    fn fail<T>(&self, message: &'static str) -> Result<T> {
        let before = self.text.as_bytes().get(..self.at).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        Err(Error { message, line, column })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space.
    fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn value(&mut self) -> Result<Value> {
        match self.next() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) => self.fail("expected value"),
            None => self.fail("EOF while parsing a value"),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value>) -> Result<Value> {
        if self.depth >= MAX_DEPTH {
            return self.fail("recursion limit exceeded");
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.at += 1;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Value> {
        let mut items = Vec::new();
        if self.next() == Some(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            let item = self.value()?;
            if self.keeps {
                items.push(item);
            }
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b']') => return Ok(Value::Array(items)),
                Some(_) => return self.fail("expected `,` or `]`"),
                None => return self.fail("EOF while parsing a list"),
            }
            if self.next() == Some(b']') {
                return self.fail("trailing comma");
            }
        }
    }

    fn object(&mut self) -> Result<Value> {
        let mut fields = Map::new();
        if self.next() == Some(b'}') {
            return Ok(Value::Object(fields));
        }
        loop {
            match self.next() {
                Some(b'"') => {}
                Some(b'}') => return self.fail("trailing comma"),
                Some(_) => return self.fail("key must be a string"),
                None => return self.fail("EOF while parsing an object"),
            }
            let key = self.string()?;
            match self.next() {
                Some(b':') => self.at += 1,
                Some(_) => return self.fail("expected `:`"),
                None => return self.fail("EOF while parsing an object"),
            }
            let value = self.value()?;
            if self.keeps {
                fields.insert(key, value);
            }
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b'}') => return Ok(Value::Object(fields)),
                Some(_) => return self.fail("expected `,` or `}`"),
                None => return self.fail("EOF while parsing an object"),
            }
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value> {
        if !self.text.as_bytes().get(self.at..).unwrap_or_default().starts_with(word.as_bytes()) {
            return self.fail("expected ident");
        }
        self.at += word.len();
        Ok(value)
    }

    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { self.fail("invalid number") } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Value> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        let first = self.at;
        self.digits()?;
        if self.at > first + 1 && self.text.as_bytes().get(first) == Some(&b'0') {
            return self.fail("invalid number");
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        if !self.strict {
            return Ok(Value::Null);
        }
        match number::parse(self.text.get(start..self.at).unwrap_or_default()) {
            Some(number) => Ok(Value::Number(number)),
            None => self.fail("number out of range"),
        }
    }

    /// The string that begins here, without its quotes.
    fn string(&mut self) -> Result<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            self.at += plain(self.text.as_bytes().get(start..).unwrap_or_default());
            if self.keeps {
                text.push_str(self.text.get(start..self.at).unwrap_or_default());
            }
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    let letter = self.escape()?;
                    if self.keeps {
                        text.push(letter);
                    }
                }
                Some(_) => return self.fail("control character (\\u0000-\\u001F) found while parsing a string"),
                None => return self.fail("EOF while parsing a string"),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        self.at += 1;
        let letter = match self.byte() {
            Some(b'u') => return self.unicode(),
            Some(letter) => byte_of(letter),
            None => return self.fail("EOF while parsing a string"),
        };
        if letter == 0 {
            return self.fail("invalid escape");
        }
        self.at += 1;
        Ok(letter.into())
    }

    /// A character as one escape, or as two. The backslash of the first is before this position.
    fn unicode(&mut self) -> Result<char> {
        let Some((code, length)) = code_point(self.text.as_bytes(), self.at - 1) else {
            return self.fail("invalid escape");
        };
        self.at += length - 1;
        match char::from_u32(code) {
            None if self.strict => self.fail("lone leading surrogate in hex escape"),
            letter => Ok(letter.unwrap_or('?')),
        }
    }
}
