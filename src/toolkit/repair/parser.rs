//! The state of a repair: the position in the text, and the JSON written so far.

use super::guide::Guide;
use super::{MAX_REPAIRS, Repair};
use crate::json::quoted;

/// Maximum nesting depth of values.
pub const MAX_DEPTH: usize = 100;
/// Maximum lookahead for deciding what a quote or a comma means.
const AHEAD: usize = 160;

/// The changes after which a string could also end elsewhere.
pub const INNER_QUOTE: &str = "a quote inside of a string was escaped";
pub const MISSING_QUOTE: &str = "a missing quote was added";

/// The context of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    Nothing,
    Array,
    Object,
}

/// The outcome of reading a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Value,
    /// The text ended before anything that can be kept.
    Nothing,
}

/// The value is nested too deeply.
pub struct TooDeep;

pub struct Parser<'t, 's> {
    pub text: &'t str,
    pub place: usize,
    pub output: String,
    pub changes: Vec<Repair>,
    pub truncated: bool,
    pub is_cut: bool,
    pub guide: Guide<'s>,
    pub depth: usize,
    /// The number of open parentheses.
    pub rounds: usize,
    /// Where the values start: after the opening of a code fence.
    pub start: usize,
    /// The number of open brackets that are missing in the text.
    pub implied: usize,
    /// The number of times that an unclosed string was split.
    pub splits: usize,
    /// The object that is being read, and the names of its fields so far.
    pub object: Guide<'s>,
    pub names: Vec<String>,
    /// Whether an object has a field that its schema does not declare, or has it twice.
    pub is_doubtful: bool,
    /// Whether only a field that the schema declares, and that was not read yet, can be the next one.
    pub is_strict: bool,
}

pub fn is_quote(letter: char) -> bool {
    if letter.is_ascii() {
        return matches!(letter, '"' | '\'' | '`');
    }
    matches!(letter, '"' | '\'' | '`' | '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' | '\u{b4}')
}

pub fn is_space(letter: char) -> bool {
    if letter.is_ascii() {
        return matches!(letter, ' ' | '\n' | '\r' | '\t' | '\u{b}' | '\u{c}');
    }
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}' | '\u{180e}')
}

/// A text without whitespace at its start.
pub fn past_space(text: &str) -> &str {
    let plain = text.bytes().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(text.len());
    let rest = text.get(plain..).unwrap_or("");
    match rest.bytes().next() {
        Some(0x80.. | 0xb | 0xc) => past(rest, is_space),
        _ => rest,
    }
}

/// A text without the characters at its start that are of a kind. One function for all kinds is less code than those of the standard
/// library, and is faster on ASCII.
pub fn past(text: &str, is: fn(char) -> bool) -> &str {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(byte @ 0..0x80) = bytes.get(end)
        && is(char::from(*byte))
    {
        end += 1;
    }
    let rest = text.get(end..).unwrap_or("");
    if bytes.get(end).is_some_and(u8::is_ascii) { rest } else { rest.trim_start_matches(is) }
}

/// Whether a character can be part of a name without quotes.
pub fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$')
}

/// The position of the first quote of any kind.
fn find_quote(text: &str) -> Option<usize> {
    let start = text.bytes().position(|byte| matches!(byte, b'"' | b'\'' | b'`' | 0x80..))?;
    let rest = text.get(start..).unwrap_or("");
    if rest.is_char_boundary(1) { Some(start) } else { rest.find(is_quote).map(|end| start + end) }
}

impl<'t, 's> Parser<'t, 's> {
    pub fn new(text: &'t str, guide: Guide<'s>) -> Self {
        Self {
            text,
            place: 0,
            output: String::with_capacity(text.len()),
            changes: Vec::new(),
            truncated: false,
            is_cut: false,
            guide,
            depth: 0,
            rounds: 0,
            start: 0,
            implied: 0,
            splits: 0,
            object: Guide::default(),
            names: Vec::new(),
            is_doubtful: false,
            is_strict: false,
        }
    }

    #[inline(always)]
    pub fn rest(&self) -> &'t str {
        self.text.get(self.place..).unwrap_or("")
    }

    #[inline(always)]
    pub fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    #[inline(always)]
    pub fn peek(&self) -> Option<char> {
        match self.byte()? {
            byte @ 0..0x80 => Some(char::from(byte)),
            _ => self.rest().chars().next(),
        }
    }

    pub fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.place += letter.len_utf8();
        Some(letter)
    }

    pub fn take(&mut self, text: &str) -> bool {
        let found = self.byte() == text.bytes().next() && self.rest().starts_with(text);
        if found {
            self.place += text.len();
        }
        found
    }

    pub fn change(&mut self, kind: &'static str, offset: usize, message: &'static str) {
        if self.changes.len() < MAX_REPAIRS {
            self.changes.push(Repair { kind, offset, message });
        }
    }

    /// Records that the text ends before the value does.
    pub fn ends_early(&mut self, is_cut: bool) {
        if !self.truncated {
            self.change("closed", self.text.len(), "the text ends too early");
        }
        self.truncated = true;
        self.is_cut |= is_cut;
    }

    /// Skips whitespace and comments. `#` starts a comment unless a value may start here.
    pub fn skip(&mut self, at_value: bool) {
        loop {
            let bytes = self.text.as_bytes().get(self.place..).unwrap_or_default();
            let spaces = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
            self.place += spaces;
            if !matches!(bytes.get(spaces), Some(b'/' | b'#' | 0x80..|0xb| 0xc)) {
                return;
            }
            let rest = self.rest();
            let trimmed = past_space(rest);
            self.place += rest.len() - trimmed.len();
            let start = self.place;
            let length = if trimmed.starts_with("//") || (trimmed.starts_with('#') && !at_value) {
                trimmed.find('\n').unwrap_or_else(|| self.comment_end(start))
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                return;
            };
            self.place += length;
            self.change("comment", start, "a comment was removed");
        }
    }

    /// The end of a comment that has no line break after it: a bracket, or the next field.
    fn comment_end(&self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or("");
        let ends = |(place, letter): &(usize, char)| match letter {
            '}' | ']' => true,
            ',' => self.is_field(start + place + 1),
            _ => false,
        };
        rest.char_indices().find(ends).map_or(rest.len(), |(place, _)| place)
    }

    /// The lookahead text at an offset.
    pub fn ahead(&self, from: usize) -> &'t str {
        let rest = self.text.get(from..).unwrap_or("");
        if rest.len() <= AHEAD {
            return rest;
        }
        let mut end = AHEAD;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        rest.get(..end).unwrap_or("")
    }

    /// Whether a field starts at an offset: a name, quoted or not, and a colon.
    pub fn is_field(&self, from: usize) -> bool {
        let ahead = past_space(self.ahead(from));
        let Some(first) = ahead.chars().next() else { return false };
        if is_quote(first) {
            let inside = ahead.get(first.len_utf8()..).unwrap_or("");
            let Some(end) = find_quote(inside) else { return false };
            let after = past(inside.get(end..).unwrap_or(""), is_quote);
            let is_name = |byte: u8| !matches!(byte, b',' | b'{' | b'}' | b'\n');
            return past_space(after).starts_with(':')
                && inside.bytes().take(end).all(is_name)
                && self.may_have(inside.get(..end).unwrap_or(""));
        }
        let name = past(ahead, is_name);
        let name_length = ahead.len() - name.len();
        let after = past_space(past(name, is_quote));
        name_length > 0
            && after.starts_with(':')
            && !after.starts_with("://")
            && self.may_have(ahead.get(..name_length).unwrap_or(""))
    }

    /// Whether a field of this name can be the next one.
    pub fn may_have(&self, name: &str) -> bool {
        !self.is_strict || !self.is_unexpected(name)
    }

    pub fn is_unexpected(&self, name: &str) -> bool {
        self.object.declares() && (self.object.lacks(name) || self.names.iter().any(|known| known == name))
    }

    /// Consumes characters that are plain string content with any kind of quotes.
    pub fn take_plain(&mut self) -> &'t str {
        let rest = self.rest();
        let is_special = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b',' | b':' | 0x80..);
        let length = rest.bytes().position(is_special).unwrap_or(rest.len());
        self.place += length;
        rest.get(..length).unwrap_or("")
    }

    pub fn write_text(&mut self, text: &str) {
        self.output.push_str(&quoted(text));
    }
}
