//! Converts values in Python syntax to JSON.

use super::fields::is_ambiguous;
use super::names::declared;
use crate::json::{Value, quoted};
use crate::text::Tool;

/// Maximum nesting depth of values.
const DEPTH: usize = 100;

/// Parses a text that is exactly one value.
pub(super) fn value(text: &str) -> Option<String> {
    let mut parser = Parser::new(text, Quotes::Any, &[]);
    let json = parser.value(0)?;
    parser.spaces();
    (parser.at == text.len()).then_some(json)
}

/// Where a quote ends a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Where a value can end.
    Any,
    /// Where an argument can end, so that a string may contain code.
    Argument,
    /// Everywhere: where a value can't end, the string is damaged.
    Each,
}

#[derive(Clone)]
pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub at: usize,
    quotes: Quotes,
    tools: &'a [Tool],
    /// The tool whose arguments are read.
    pub tool: Option<&'a Tool>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, quotes: Quotes, tools: &'a [Tool]) -> Self {
        Self { text, at: 0, quotes, tools, tool: None }
    }

    pub fn is_over(&self) -> bool {
        self.at == self.text.len()
    }

    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub fn spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    pub fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let size = rest.find(|one| !in_word(one)).unwrap_or(rest.len());
        self.at += size;
        rest.get(..size).unwrap_or_default()
    }

    pub fn keyword(&mut self) -> Option<&'a str> {
        let key = self.word();
        self.spaces();
        (!key.is_empty() && self.take("=")).then_some(key)
    }

    /// A string without quotes: up to the next argument, or the end of the call.
    pub fn bare(&mut self) -> Option<String> {
        let rest = self.rest();
        let ends = |(at, one): &(usize, char)| {
            let next = rest.get(at + 1..).unwrap_or_default();
            *one == ')'
                || (*one == ',' && Parser { text: next.trim_start(), at: 0, ..self.clone() }.keyword().is_some())
        };
        let (end, _) = rest.char_indices().find(ends)?;
        let text = rest.get(..end)?.trim();
        // the comma before another argument may be missing
        let begins_argument = || text.match_indices('=').any(|(at, _)| self.is_key(word_before(text, at).1));
        let is_plain = !text.is_empty() && !text.contains(['"', '\'', '(', '[', '{', '\n']) && !begins_argument();
        self.at += end;
        is_plain.then(|| quoted(text))
    }

    fn pairs(&mut self, close: &str, depth: usize, key: impl Fn(&mut Self) -> Option<String>) -> Option<String> {
        let pair = |parser: &mut Self| Some(format!("{}:{}", key(parser)?, parser.value(depth)?));
        self.sequence(close, pair).map(|pairs| format!("{{{pairs}}}")).filter(|object| !is_ambiguous(object))
    }

    fn items(&mut self, close: &str, depth: usize) -> Option<String> {
        self.sequence(close, |parser| parser.value(depth)).map(|items| format!("[{items}]"))
    }

    /// Elements up to a closing bracket, with commas between them.
    fn sequence(&mut self, close: &str, element: impl Fn(&mut Self) -> Option<String>) -> Option<String> {
        let mut json = String::new();
        loop {
            self.spaces();
            if self.take(close) {
                return Some(json);
            }
            if !json.is_empty() {
                json.push(',');
            }
            json.push_str(&element(self)?);
            self.spaces();
            if !self.take(",") && !self.rest().starts_with(close) {
                return None;
            }
        }
    }

    pub fn value(&mut self, depth: usize) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        self.spaces();
        match self.rest().bytes().next()? {
            b'{' => {
                self.at += 1;
                self.braces(depth + 1)
            }
            b'[' => {
                self.at += 1;
                self.items("]", depth + 1)
            }
            b'(' => {
                self.at += 1;
                self.items(")", depth + 1)
            }
            b'"' | b'\'' => self.string(depth > 0).map(|text| quoted(&text)),
            _ => self.scalar(),
        }
    }

    /// A dict, or a set, which becomes an array.
    fn braces(&mut self, depth: usize) -> Option<String> {
        let start = self.at;
        let pairs = self.pairs("}", depth, |parser| {
            // a container can't be a key
            let key = match parser.rest().bytes().next()? {
                b'"' | b'\'' => parser.string(true)?,
                _ => parser.scalar()?,
            };
            parser.spaces();
            parser.take(":").then(|| quoted(&key))
        });
        pairs.or_else(|| {
            self.at = start;
            self.items("}", depth)
        })
    }

    fn scalar(&mut self) -> Option<String> {
        let rest = self.rest();
        let size = rest.find([',', ')', ']', '}', ':', '\n']).unwrap_or(rest.len());
        let word = rest.get(..size)?.trim_end();
        self.at += word.len();
        match word {
            "True" | "true" => Some("true".to_owned()),
            "False" | "false" => Some("false".to_owned()),
            "None" | "null" => Some("null".to_owned()),
            _ => {
                let number = word.strip_prefix('+').unwrap_or(word).replace('_', "");
                let (sign, digits) = number.strip_prefix('-').map_or(("", &*number), |digits| ("-", digits));
                let rest = digits.trim_start_matches('0');
                let digits = if rest.starts_with(|one: char| one.is_ascii_digit()) { rest } else { digits };
                let number = format!("{sign}{digits}");
                crate::json::from_str::<crate::json::Number>(&number).is_ok().then_some(number)
            }
        }
    }

    /// A string. Quotes that can't be its end are part of it, unless they may begin another one: then it is not known which quote is
    /// missing. `is_nested` is whether the string is part of another value.
    pub fn string(&mut self, is_nested: bool) -> Option<String> {
        let mut text = String::new();
        while self.literal(is_nested, &mut text)? {}
        Some(text)
    }

    /// One literal of a string. Returns whether another one is added to it.
    fn literal(&mut self, is_nested: bool, text: &mut String) -> Option<bool> {
        let rest = self.rest();
        let quote = rest.get(..1)?;
        let quote = if rest.starts_with("\"\"\"") || rest.starts_with("'''") { rest.get(..3)? } else { quote };
        self.at += quote.len();
        // after the last escape
        let (start, mut plain, mut has_quotes) = (self.at, self.at, false);
        loop {
            let end = self.at;
            if self.take(quote) {
                let next = self.rest().trim_start();
                let more = next.strip_prefix('+').map(str::trim_start).filter(|more| more.starts_with(['"', '\'']));
                if let Some(more) = more.filter(|_| self.quotes == Quotes::Any) {
                    self.at = self.text.len() - more.len();
                    return Some(true);
                }
                if quote.len() > 1 || next.is_empty() || self.ends_string(next) {
                    return if has_quotes && self.has_others(start, end) { None } else { Some(false) };
                }
                has_quotes = true;
                if self.quotes == Quotes::Each
                    || self.begins_string(self.text.get(plain..end).unwrap_or_default(), quote, is_nested)
                {
                    return None;
                }
                text.push_str(quote);
                continue;
            }
            let one = self.rest().chars().next()?;
            self.at += one.len_utf8();
            if one == '\\' {
                self.escape(text)?;
                plain = self.at;
            } else {
                text.push(one);
            }
        }
    }

    /// Whether the text after a quote shows that the string has ended.
    fn ends_string(&self, next: &str) -> bool {
        if self.quotes != Quotes::Argument {
            return next.starts_with([',', ')', ']', '}', ':']);
        }
        let after = next.get(1..).unwrap_or_default().trim_start();
        let key = after.trim_start_matches(|one: char| one.is_alphanumeric() || one == '_');
        next.starts_with(',') && key.len() < after.len() && key.trim_start().starts_with('=')
            || next.starts_with(')') && (after.is_empty() || after.starts_with([',', ';']))
    }

    /// Whether the quote after this part of a string may begin another one.
    fn begins_string(&self, before: &str, quote: &str, is_nested: bool) -> bool {
        let before = before.trim_end();
        let begins = before.ends_with(['"', '\'']) || is_nested && before.ends_with([',', '[', '{', ':']);
        // what it begins has an end, too
        let after = self.rest().split_once(quote).map(|(_, after)| after.trim_start());
        begins && after.is_some_and(|after| after.starts_with([',', ')', ']', '}', ':']))
    }

    /// Whether a part of the text seems to have another argument of the call, or another call. Without declared tools, code looks the same.
    fn has_others(&self, from: usize, to: usize) -> bool {
        if self.tools.is_empty() {
            return false;
        }
        let part = self.text.get(from..to).unwrap_or_default();
        let is_key = |(at, _)| {
            let (head, key) = word_before(part, at);
            head.trim_end().ends_with([',', '"', '\'']) && self.is_key(key)
        };
        // a call that does not end in the string
        let open = part.rfind('(').filter(|at| part.rfind(')') < Some(*at));
        let opens_call = open.is_some_and(|at| self.is_tool(word_before(part, at).1));
        opens_call || part.match_indices('=').any(is_key) || self.calls_after(from, to).next().is_some()
    }

    /// Whether a call of a declared tool begins at this position.
    pub fn begins_call(&self, at: usize) -> bool {
        let mut parser = Self { at, ..self.clone() };
        let name = parser.word();
        parser.take("(") && self.is_tool(name)
    }

    /// Where calls begin after a closing bracket, a quote with a blank or the end of a line, within a part of the text.
    pub fn calls_after(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let part = self.text.get(from..to).unwrap_or_default();
        let ends =
            part.match_indices([')', '"', '\'', '\n']).map(|(at, end)| (part.get(at + 1..).unwrap_or_default(), end));
        let ends = ends.filter(|(after, end)| matches!(*end, ")" | "\n") || after.starts_with(' '));
        let starts = ends.map(move |(after, _)| to - after.trim_start_matches([' ', '\n', ',', ';']).len());
        starts.filter(|at| self.begins_call(*at))
    }

    /// Whether a word may be the key of another argument.
    fn is_key(&self, word: &str) -> bool {
        let parameters = self.tool.and_then(|tool| tool.parameters.get("properties")).and_then(Value::as_object);
        !word.is_empty() && parameters.is_none_or(|parameters| parameters.contains_key(word))
    }

    /// Whether a word may be the name of a call.
    fn is_tool(&self, word: &str) -> bool {
        let known = || declared(word, self.tools);
        !word.is_empty() && (self.tools.is_empty() || self.tools.iter().any(|tool| tool.name == known()))
    }

    fn escape(&mut self, text: &mut String) -> Option<()> {
        let one = self.rest().chars().next()?;
        self.at += one.len_utf8();
        let digits = match one {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            'n' => return push(text, "\n"),
            't' => return push(text, "\t"),
            'r' => return push(text, "\r"),
            'b' => return push(text, "\u{8}"),
            'f' => return push(text, "\u{c}"),
            '\n' => return Some(()),
            '\\' | '\'' | '"' => return push(text, one.encode_utf8(&mut [0; 4])),
            _ => return push(text, &format!("\\{one}")),
        };
        let code = u32::from_str_radix(self.rest().get(..digits)?, 16).ok()?;
        self.at += digits;
        text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
        Some(())
    }
}

/// The word before a position, without blanks around it, and the text before the word.
pub(super) fn word_before(text: &str, at: usize) -> (&str, &str) {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let head = before.trim_end_matches(in_word);
    (head, before.get(head.len()..).unwrap_or_default())
}

fn in_word(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '.' | '-')
}

fn push(text: &mut String, more: &str) -> Option<()> {
    text.push_str(more);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, value};

    #[test]
    fn nesting_has_a_limit() {
        for open in ["{", "[", "(", "{1:", "{{1:"] {
            assert_eq!(value(&open.repeat(100_000)), None, "{open}");
        }
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(value(&nested(DEPTH)), Some(nested(DEPTH)));
        assert_eq!(value(&["\"a\"+".repeat(100_000), "'b'".to_owned()].concat()).map_or(0, |json| json.len()), 100_003);
    }
}
