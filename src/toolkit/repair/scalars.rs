//! Numbers, literals, and unquoted text.

use super::parser::{Inside, Parser, TooDeep, Written, is_quote, is_space, past, past_space};
use crate::json::is_valid;
use crate::number::EXACT_DIGITS;

/// Literals of JSON and of other languages, with their JSON equivalents.
const LITERALS: [(&str, &str); 15] = [
    ("true", "true"),
    ("false", "false"),
    ("null", "null"),
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("TRUE", "true"),
    ("FALSE", "false"),
    ("NULL", "null"),
    ("Null", "null"),
    ("undefined", "null"),
    ("NaN", "null"),
    ("Infinity", "null"),
    ("-Infinity", "null"),
    ("+Infinity", "null"),
];

impl Parser<'_, '_> {
    /// Reads a value without quotes or brackets.
    pub fn plain(&mut self, inside: Inside) -> Result<Written, TooDeep> {
        let start = self.place;
        if let Some(called) = self.called() {
            self.place += called;
            self.change("removed", start, "a function call was replaced by its argument");
            self.rounds += 1;
            let written = self.nested(|this| this.value(Inside::Array));
            self.rounds -= 1;
            let written = written?;
            self.skip(false);
            self.take(")");
            return Ok(written);
        }
        let mut end = self.plain_end(inside);
        while end == self.place {
            // No value can start here.
            let place = self.place;
            if self.next().is_none() {
                return Ok(Written::Nothing);
            }
            self.change("removed", place, "a misplaced character was removed");
            self.skip(true);
            if self.peek().is_some_and(|first| "{[(".contains(first) || is_quote(first)) {
                return self.nested(|this| this.value(inside));
            }
            end = self.plain_end(inside);
        }
        let start = self.place;
        let text = self.text.get(start..end).unwrap_or("").trim_end_matches(is_space);
        self.place = start + text.len();
        if text.is_empty() {
            return Ok(Written::Nothing);
        }
        let at_end = self.place == self.text.len() && self.depth > self.implied;
        Ok(self.scalar(text, start, at_end))
    }

    /// The length of a name and a parenthesis, as in `ObjectId("1")`.
    pub fn called(&self) -> Option<usize> {
        let ahead = self.ahead(self.place);
        let after = past(ahead, |letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'));
        let length = ahead.len() - after.len();
        (length > 0 && !ahead.starts_with(|first: char| first.is_ascii_digit()) && after.starts_with('('))
            .then_some(length + 1)
    }

    /// The end of unquoted text.
    fn plain_end(&self, inside: Inside) -> usize {
        let mut place = self.place;
        let mut open = 0_usize;
        // all that ends it is ASCII
        for byte in self.rest().bytes() {
            let after = place + 1;
            let ends = match char::from(byte) {
                '{' | '[' if place > self.place => {
                    open += 1;
                    false
                }
                '}' | ']' if open > 0 => {
                    open -= 1;
                    false
                }
                '}' | ']' | '\n' => true,
                ')' => self.rounds > 0,
                ',' => inside != Inside::Object || self.ends_at_comma(place),
                '/' => place > self.place && ["/*", "// "].iter().any(|mark| self.ahead(place).starts_with(mark)),
                '#' => place > self.place && self.text.get(..place).is_some_and(|before| before.ends_with(' ')),
                ' ' => self.ends_number(place) && (inside == Inside::Array || self.is_field(after)),
                '"' => match inside {
                    Inside::Array => !past_space(self.ahead(after)).starts_with([',', ']']),
                    _ => self.is_field(place),
                },
                _ => false,
            };
            if ends {
                return place;
            }
            place = after;
        }
        self.text.len()
    }

    /// Whether a comma ends unquoted text in an object.
    fn ends_at_comma(&self, comma: usize) -> bool {
        let after = past_space(self.ahead(comma + 1));
        let is_quoted = after.starts_with(is_quote);
        !self.is_grouped(comma)
            && (is_quoted || self.ends_number(comma) || self.is_field(comma + 1) || self.is_closed(comma + 1))
    }

    /// Whether a comma separates groups of digits: `1,234`.
    fn is_grouped(&self, comma: usize) -> bool {
        let before = self.text.get(self.place..comma).unwrap_or("");
        let after = self.ahead(comma + 1);
        let digits = after.len() - past(after, |letter| letter.is_ascii_digit()).len();
        !before.is_empty() && before.bytes().all(|byte| byte.is_ascii_digit() || byte == b',') && digits == 3
    }

    /// Whether only the end of the object follows.
    fn is_closed(&self, from: usize) -> bool {
        let after = past_space(self.ahead(from));
        after.is_empty() || after.starts_with(['}', ']', ',', '/', '#'])
    }

    /// Whether the text before a space is a number or a literal.
    fn ends_number(&self, space: usize) -> bool {
        let text = self.text.get(self.place..space).unwrap_or("");
        is_number(text) || LITERALS.iter().any(|(word, _)| *word == text)
    }

    fn scalar(&mut self, text: &str, start: usize, at_end: bool) -> Written {
        if is_number(text) {
            if self.guide.wants_only_text() && loses_digits(text) {
                self.change(DIGITS, start, "a number became text, which keeps its digits");
                self.write_text(text);
            } else {
                self.output.push_str(text);
            }
            if at_end {
                self.ends_early(true);
            }
            return Written::Value;
        }
        let unquoted = text.trim_end_matches(is_quote);
        if let Some((word, json)) = LITERALS.iter().find(|(word, _)| *word == unquoted) {
            if word != json || unquoted != text {
                self.change("literal", start, "a literal was replaced");
            }
            let is_text = self.guide.wants_text() && (word.contains("nfinity") || *word == "NaN");
            self.output.push_str(&if is_text { format!("\"{word}\"") } else { (*json).to_string() });
            return Written::Value;
        }
        if at_end && let Some(written) = self.cut_scalar(text, start) {
            return written;
        }
        match self.number(text) {
            Some(number) => {
                self.change("number", start, "a number was rewritten");
                self.output.push_str(&number);
            }
            None => {
                self.change("quote", start, "text was put into quotes");
                let text = without_unbalanced(text);
                self.write_text(text);
                if at_end {
                    self.ends_early(true);
                }
            }
        }
        Written::Value
    }

    /// Reads a literal or a number at the end of the text, where it may be truncated.
    fn cut_scalar(&mut self, text: &str, start: usize) -> Option<Written> {
        let mut begun = LITERALS.iter().take(6).filter(|(word, _)| word.starts_with(text)).map(|(_, json)| *json);
        if let Some(json) = begun.next().filter(|json| begun.all(|other| other == *json)) {
            self.ends_early(true);
            self.change("literal", start, "a literal that was cut off was completed");
            self.output.push_str(json);
            return Some(Written::Value);
        }
        let digits = text.trim_end_matches(['.', 'e', 'E', '+', '-']);
        let is_cut = digits.len() < text.len() && (digits.is_empty() || is_number(digits));
        is_cut.then(|| {
            self.ends_early(true);
            self.change("dropped", start, "a number that was cut off was dropped");
            Written::Nothing
        })
    }

    /// Converts a number in a notation that JSON does not support.
    fn number(&self, text: &str) -> Option<String> {
        let positive = text.strip_prefix('+').unwrap_or(text);
        let (sign, digits) = positive.strip_prefix('-').map_or(("", positive), |digits| ("-", digits));
        if !digits.contains(|digit: char| digit.is_ascii_digit()) {
            return None;
        }
        let mut number = digits.to_string();
        if number.starts_with('.') {
            number.insert(0, '0');
        }
        if let Some(whole) = number.strip_suffix('.') {
            number = format!("{whole}.0");
        }
        let is_grouped =
            number.contains('_') || (number.len() > 1 && number.starts_with('0') && !number.starts_with("0."));
        if is_grouped && self.guide.wants_number() {
            let plain = number.replace('_', "");
            let plain = plain.trim_start_matches('0');
            number = if plain.is_empty() || !plain.starts_with(|first: char| first.is_ascii_digit()) {
                format!("0{plain}")
            } else {
                plain.to_string()
            };
        }
        let number = format!("{sign}{number}");
        is_number(&number).then_some(number)
    }
}

/// The kind of the change that makes a number text.
pub const DIGITS: &str = "digits";

/// Whether a text may contain a number that loses digits.
pub fn may_lose_digits(text: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+');
    let mut runs = text.as_bytes().split(|byte| !is_part(byte));
    runs.any(|run| std::str::from_utf8(run).is_ok_and(loses_digits))
}

/// Whether a number as a double is written with other digits, as 1.10 is.
fn loses_digits(number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let is_rounded = digits > EXACT_DIGITS;
    is_rounded || number.contains(['e', 'E']) || (number.contains('.') && number.ends_with('0') && digits > 1)
}

/// Whether a text is a JSON number.
pub fn is_number(text: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    text.starts_with(|first| first == '-' || is_digit(first)) && text.ends_with(is_digit) && is_valid(text)
}

/// Removes a quote at the end of a text that has no counterpart at its start.
fn without_unbalanced(text: &str) -> &str {
    let inner = text.strip_suffix(is_quote).unwrap_or(text);
    if inner.contains(is_quote) { text } else { inner }
}
