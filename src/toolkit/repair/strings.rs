//! Strings: any kind of quotes, missing quotes, and unescaped quotes inside strings.

use super::parser::{INNER_QUOTE, Inside, MISSING_QUOTE, Parser, is_name, is_quote, is_space, past, past_space};
use crate::escapes::code_point;

/// Maximum number of times that an unclosed string is split. Each time, the rest of the text is read again.
const MAX_SPLITS: usize = 8;

/// How a string is quoted, which determines how it ends.
#[derive(Clone, Copy)]
struct Quotes {
    open: char,
    /// Whether quotes are doubled: `""text""`.
    doubled: bool,
}

impl Quotes {
    fn closes(self, letter: char) -> bool {
        match self.open {
            '"' => letter == '"',
            '\'' => letter == '\'',
            '\u{201c}' | '\u{201d}' => matches!(letter, '\u{201c}' | '\u{201d}'),
            _ => matches!(letter, '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{b4}'),
        }
    }
}

impl Parser<'_, '_> {
    /// Reads a string as a value.
    pub fn string(&mut self, inside: Inside) {
        let start = self.place;
        let mut text = self.quoted(inside);
        loop {
            let end = self.place;
            self.skip(false);
            if !self.take("+") {
                self.place = end;
                break;
            }
            self.skip(false);
            if !self.peek().is_some_and(is_quote) {
                break;
            }
            self.change("joined", end, "strings were joined");
            text.push_str(&self.quoted(inside));
        }
        if self.guide.wants_container() && text.trim_start().starts_with(['{', '[']) {
            let options = super::Hints::default();
            if let Ok(repaired) = super::repair(&text, &options)
                && repaired.others.is_empty()
                && !repaired.truncated
            {
                self.change("unescaped", start, "text that contains JSON was read as that JSON");
                self.output.push_str(&repaired.text);
                return;
            }
        }
        self.write_text(&text);
    }

    /// Reads the content of a string. The opening quote is next.
    fn quoted(&mut self, inside: Inside) -> String {
        let start = self.place;
        let quotes = self.open();
        let mut text = String::new();
        let mut inner = false;
        loop {
            text.push_str(self.take_plain());
            let place = self.place;
            let Some(letter) = self.next() else { break };
            if letter == '\\' {
                self.escape(&mut text);
            } else if quotes.closes(letter) {
                let is_open = self.is_strict && is_open_json(&text);
                if !is_open && self.is_end(quotes, inside) {
                    if quotes.doubled {
                        self.next();
                    }
                    return text;
                }
                self.is_doubtful |= self.is_strict && !is_open && self.repeats_field();
                let missed = if inner || is_open { None } else { self.missed_end(&text, place, inside) };
                if let Some(end) = missed {
                    text.truncate(end);
                    return text;
                }
                inner = true;
                self.change("quote", place, INNER_QUOTE);
                text.push(letter);
            } else if matches!(letter, ',' | '\n')
                && inside == Inside::Object
                && !(self.is_strict && is_open_json(&text))
                && self.begins_field(quotes)
            {
                // `"b, "c": 1`: the closing quote is missing.
                self.change("quote", place, MISSING_QUOTE);
                self.place = place;
                return text;
            } else {
                if letter < ' ' {
                    self.change("escaped", place, "a control character was escaped");
                }
                text.push(letter);
            }
        }
        self.unclosed(start, text, inside)
    }

    fn open(&mut self) -> Quotes {
        let start = self.place;
        let open = self.next().unwrap_or('"');
        if open != '"' {
            self.change("quote", start, "quotes were replaced");
        }
        let mut after = self.ahead(self.place).chars();
        let doubled = matches!(open, '"' | '\'')
            && after.next() == Some(open)
            && after.next().is_some_and(|letter| !is_space(letter) && letter != open && !",:}]".contains(letter))
            && self.ahead(self.place + 1).contains(if open == '"' { "\"\"" } else { "''" });
        if doubled {
            self.next();
            self.change("quote", start, "doubled quotes were removed");
        }
        Quotes { open, doubled }
    }

    /// The content of a string that is not closed. After a comma, text that looks like a field is a field, and brackets at
    /// the end belong to the enclosing containers.
    fn unclosed(&mut self, start: usize, mut text: String, inside: Inside) -> String {
        if inside == Inside::Object && self.splits < MAX_SPLITS {
            self.splits += 1;
            let rest = self.text.get(start..).unwrap_or("");
            let comma = rest.match_indices(',').map(|(place, _)| start + place).find(|place| self.is_field(place + 1));
            let raw = comma.and_then(|comma| self.text.get(start..comma)).filter(|raw| !raw.contains('\\'));
            if let (Some(comma), Some(raw)) = (comma, raw) {
                self.change("quote", comma, MISSING_QUOTE);
                self.place = comma;
                return past(raw, is_quote).to_string();
            }
        }
        let closers: &[char] = &['}', ']'];
        let trimmed = text.trim_end_matches(|letter| closers.contains(&letter) || is_space(letter));
        let cut = text.get(trimmed.len()..).unwrap_or("");
        if self.depth > 0 && cut.contains(closers) && !trimmed.is_empty() {
            let brackets = cut.trim_start().len();
            self.place = self.text.len() - brackets;
            text.truncate(trimmed.len());
            self.change("quote", start, MISSING_QUOTE);
        } else {
            self.ends_early(true);
        }
        text
    }

    /// Whether the last quote ends the string, judging by what follows.
    fn is_end(&self, quotes: Quotes, inside: Inside) -> bool {
        if quotes.doubled {
            return self.peek() == Some(quotes.open);
        }
        let after = self.ahead(self.place);
        let trimmed = past_space(after);
        let place = self.place + (after.len() - trimmed.len());
        let Some(next) = trimmed.chars().next() else { return true };
        let next_place = place + next.len_utf8();
        match next {
            '}' | ']' => self.is_after_closer(place),
            ')' => self.rounds > 0,
            ':' => inside != Inside::Object,
            '+' => past_space(trimmed.get(1..).unwrap_or("")).starts_with(is_quote),
            ';' => inside == Inside::Nothing || trimmed.len() == 1,
            ',' => self.is_after_comma(next_place, inside),
            '/' => trimmed.starts_with("//") || trimmed.starts_with("/*"),
            '#' => trimmed.len() < after.len(),
            '`' if trimmed.starts_with("```") => true,
            letter if is_quote(letter) => match inside {
                Inside::Object => self.is_field(place),
                _ => !trimmed.get(letter.len_utf8()..).unwrap_or("").starts_with([' ', ',']),
            },
            _ => match inside {
                Inside::Object => trimmed.len() < after.len() && self.is_plain_field(trimmed),
                Inside::Array => after.starts_with(['\n', '\r']) || ends_item(trimmed),
                Inside::Nothing => !self.text.trim_end().ends_with(|last| quotes.closes(last)),
            },
        }
    }

    /// Whether an unquoted name and a colon are next.
    fn is_plain_field(&self, ahead: &str) -> bool {
        let after = past(ahead, is_name);
        after.len() < ahead.len()
            && past_space(after).starts_with(':')
            && !after.starts_with("://")
            && self.may_have(ahead.get(..ahead.len() - after.len()).unwrap_or(""))
    }

    /// Whether closing brackets and valid content after them can follow a quote.
    fn is_after_closer(&self, place: usize) -> bool {
        let ahead = self.ahead(place);
        let after = past(ahead, |letter| is_space(letter) || matches!(letter, '}' | ']' | ')'));
        let Some(next) = after.chars().next() else { return true };
        let closers = ahead.get(..ahead.len() - after.len()).unwrap_or("").matches(['}', ']', ')']).count();
        let after_place = place + ahead.len() - after.len();
        match next {
            ',' => self.is_after_comma(after_place + 1, Inside::Object),
            _ if closers >= self.depth && !(self.is_strict && after.contains(is_quote)) => true,
            _ if after.starts_with("```") => true,
            letter if is_quote(letter) => self.is_field(after_place),
            letter => ";/#`<".contains(letter) || self.is_plain_field(after),
        }
    }

    /// Whether the text after a comma can be the next part.
    fn is_after_comma(&self, place: usize, inside: Inside) -> bool {
        let after = past_space(self.ahead(place));
        let Some(next) = after.chars().next() else { return true };
        match inside {
            Inside::Object => {
                matches!(next, '}' | ']' | ',' | '/' | '#' | '.' | '{' | '[')
                    || self.is_field(place)
                    || (is_quote(next) && !self.is_strict)
            }
            _ => !next.is_alphabetic() || is_literal(after) || !after.contains(is_quote),
        }
    }

    /// Where a string should have ended, if the last quote opens the next string: `["a, "b"]`, or `{"a": "b, c: "d"}`.
    fn missed_end(&mut self, text: &str, place: usize, inside: Inside) -> Option<usize> {
        let trimmed = text.trim_end_matches(is_space);
        let end = match inside {
            Inside::Array => trimmed.strip_suffix(',')?.len(),
            Inside::Object => {
                let comma = trimmed.strip_suffix(':')?.rfind(',')?;
                let name = trimmed.get(comma + 1..trimmed.len() - 1)?.trim();
                let is_name = name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'));
                (is_name && !name.is_empty() && self.may_have(name)).then_some(comma)?
            }
            Inside::Nothing => return None,
        };
        if end == 0 {
            return None;
        }
        self.change("quote", place, MISSING_QUOTE);
        self.place = if inside == Inside::Array { place } else { self.text.get(..place)?.rfind(',')? };
        Some(end)
    }

    /// Whether a field follows that was read before.
    fn repeats_field(&self) -> bool {
        let Some(after) = past_space(self.ahead(self.place)).strip_prefix(',') else { return false };
        let name = past_space(after).strip_prefix('"').and_then(|after| after.split_once('"'));
        name.is_some_and(|(name, _)| self.names.iter().any(|known| known == name))
    }

    /// Whether the next field starts after a comma or a line break inside a string.
    fn begins_field(&self, quotes: Quotes) -> bool {
        let after = self.ahead(self.place);
        let trimmed = past_space(after);
        let quoted = trimmed.starts_with(|letter: char| quotes.closes(letter));
        quoted && self.is_field(self.place + (after.len() - trimmed.len()))
    }

    /// Reads an escape, after the backslash.
    fn escape(&mut self, text: &mut String) {
        let start = self.place - 1;
        let Some(letter) = self.next() else {
            self.change("dropped", start, "an escape that was cut off was dropped");
            return;
        };
        match letter {
            '"' | '\\' | '/' => text.push(letter),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            'u' => self.code_unit(text, start),
            letter if is_quote(letter) => {
                self.change("escaped", start, "an escape that JSON does not have was replaced");
                text.push(letter);
            }
            letter => {
                self.change("escaped", start, "a backslash was escaped");
                text.push('\\');
                text.push(letter);
            }
        }
    }

    /// Reads `\uXXXX`, or a surrogate pair of two of them.
    fn code_unit(&mut self, text: &mut String, start: usize) {
        let Some((code, length)) = code_point(self.text.as_bytes(), start) else {
            let rest = self.rest();
            if rest.len() < 4 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                self.place = self.text.len();
                self.change("dropped", start, "an escape that was cut off was dropped");
            } else {
                self.change("escaped", start, "a backslash was escaped");
                text.push_str("\\u");
            }
            return;
        };
        self.place = start + length;
        if let Some(letter) = char::from_u32(code) {
            text.push(letter);
            return;
        }
        let after = self.rest();
        let cut = after.strip_prefix("\\u").unwrap_or(after);
        if after.len() < 6 && cut.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            self.place = self.text.len();
            self.change("dropped", start, "half of a letter at the end was dropped");
        } else {
            self.change("escaped", start, "half of a letter was replaced");
            text.push('\u{fffd}');
        }
    }

    /// Reads the name of a field. `None` if the text ends within the name or directly after it.
    pub fn name(&mut self) -> Option<String> {
        let start = self.place;
        let name = if self.peek().is_some_and(is_quote) { self.quoted_name()? } else { self.plain_name() };
        let end = self.place;
        self.skip(false);
        self.peek()?;
        self.place = end;
        if self.place == start {
            self.next();
        }
        Some(name)
    }

    fn quoted_name(&mut self) -> Option<String> {
        let quotes = self.open();
        let mut name = String::new();
        let mut colon = None;
        loop {
            name.push_str(self.take_plain());
            let place = self.place;
            let letter = self.next();
            match letter {
                None => {
                    let (place, length) = colon?;
                    return Some(self.cut_name(name, place, length));
                }
                Some('\\') => self.escape(&mut name),
                Some(letter) if quotes.closes(letter) => {
                    if quotes.doubled {
                        self.next();
                    }
                    let follows = past_space(self.ahead(self.place)).starts_with([':', '=']);
                    return match colon.filter(|_| !follows) {
                        // `{"a: 1, "b": 2}`: the quote belongs to the next name.
                        Some((place, length)) => Some(self.cut_name(name, place, length)),
                        None => Some(name),
                    };
                }
                Some(letter) => {
                    if letter == ':' && colon.is_none() {
                        colon = Some((place, name.len()));
                    }
                    if letter == '\n' && colon.is_some() && self.is_field(self.place) {
                        let (place, length) = colon?;
                        return Some(self.cut_name(name, place, length));
                    }
                    name.push(letter);
                }
            }
        }
    }

    /// A name without its closing quote, up to the colon.
    fn cut_name(&mut self, mut name: String, place: usize, length: usize) -> String {
        self.change("quote", place, MISSING_QUOTE);
        self.place = place;
        name.truncate(length);
        name.trim_end().to_string()
    }

    fn plain_name(&mut self) -> String {
        let start = self.place;
        let rest = self.rest();
        let end = rest.find(ends_name).unwrap_or(rest.len());
        self.place += end;
        self.change("key", start, "a name was put into quotes");
        rest.get(..end).unwrap_or("").trim_matches(is_quote).to_string()
    }
}

/// Whether a text is JSON whose brackets are not all closed.
fn is_open_json(text: &str) -> bool {
    let count = |brackets: [char; 2]| text.matches(brackets).count();
    text.trim_start().starts_with(['{', '[']) && count(['{', '[']) > count(['}', ']'])
}

fn is_literal(text: &str) -> bool {
    ["true", "false", "null", "True", "False", "None", "NaN"].iter().any(|word| text.starts_with(word))
}

/// Whether another array item follows a quote with the comma missing: a number, or text up to a bracket.
fn ends_item(after: &str) -> bool {
    let number = past(after, |letter| letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    if number.len() < after.len() {
        return past_space(number).starts_with([',', ']']) || number.is_empty();
    }
    let inside = after.split(is_quote).next().unwrap_or("");
    inside.contains(']') && inside.len() < after.len()
}

fn ends_name(letter: char) -> bool {
    is_space(letter) || matches!(letter, ':' | '=' | ',' | '{' | '}' | '[' | ']' | '(' | ')')
}
