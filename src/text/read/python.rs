//! Converts values in Python syntax to JSON.

use crate::json::quoted;

/// Maximum nesting depth of values.
const DEPTH: usize = 100;

/// Parses a text that is exactly one value.
pub(super) fn value(text: &str) -> Option<String> {
    let mut parser = Parser::new(text, false);
    let json = parser.value(0)?;
    parser.spaces();
    (parser.at == text.len()).then_some(json)
}

pub(super) struct Parser<'a> {
    text: &'a str,
    pub at: usize,
    /// Whether strings may contain unescaped quotes: a string ends only where its argument can end.
    loose: bool,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, loose: bool) -> Self {
        Self { text, at: 0, loose }
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
        let size =
            rest.find(|one: char| !(one.is_alphanumeric() || matches!(one, '_' | '.' | '-'))).unwrap_or(rest.len());
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
            *one == ')' || (*one == ',' && Parser::new(next.trim_start(), self.loose).keyword().is_some())
        };
        let (end, _) = rest.char_indices().find(ends)?;
        let text = rest.get(..end)?.trim();
        let is_plain = !text.is_empty() && !text.contains(['"', '\'', '(', '[', '{', '\n']);
        self.at += end;
        is_plain.then(|| quoted(text))
    }

    fn pairs(&mut self, close: &str, depth: usize, key: impl Fn(&mut Self) -> Option<String>) -> Option<String> {
        let pair = |parser: &mut Self| Some(format!("{}:{}", key(parser)?, parser.value(depth)?));
        self.sequence(close, pair).map(|pairs| format!("{{{pairs}}}"))
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
            b'"' | b'\'' => self.string().map(|text| quoted(&text)),
            _ => self.scalar(),
        }
    }

    /// A dict, or a set, which becomes an array.
    fn braces(&mut self, depth: usize) -> Option<String> {
        let start = self.at;
        let pairs = self.pairs("}", depth, |parser| {
            // a container can't be a key
            let key = match parser.rest().bytes().next()? {
                b'"' | b'\'' => parser.string()?,
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

    /// A string. Quotes that can't be its end are part of it.
    fn string(&mut self) -> Option<String> {
        let rest = self.rest();
        let quote = rest.get(..1)?;
        let quote = if rest.starts_with("\"\"\"") || rest.starts_with("'''") { rest.get(..3)? } else { quote };
        self.at += quote.len();
        let mut text = String::new();
        loop {
            if self.take(quote) {
                let next = self.rest().trim_start();
                let more = next.strip_prefix('+').map(str::trim_start).filter(|more| more.starts_with(['"', '\'']));
                if let Some(more) = more.filter(|_| !self.loose) {
                    self.at = self.text.len() - more.len();
                    text.push_str(&self.string()?);
                    return Some(text);
                }
                if quote.len() > 1 || next.is_empty() || self.ends_string(next) {
                    return Some(text);
                }
                text.push_str(quote);
                continue;
            }
            let one = self.rest().chars().next()?;
            self.at += one.len_utf8();
            if one == '\\' { self.escape(&mut text)? } else { text.push(one) }
        }
    }

    /// Whether the text after a quote shows that the string has ended.
    fn ends_string(&self, next: &str) -> bool {
        if !self.loose {
            return next.starts_with([',', ')', ']', '}', ':']);
        }
        let after = next.get(1..).unwrap_or_default().trim_start();
        let key = after.trim_start_matches(|one: char| one.is_alphanumeric() || one == '_');
        next.starts_with(',') && key.len() < after.len() && key.trim_start().starts_with('=')
            || next.starts_with(')') && (after.is_empty() || after.starts_with([',', ';']))
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
    }
}
