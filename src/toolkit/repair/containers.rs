//! Objects and arrays, and their equivalents in other notations: tuples and sets.

use super::parser::{Inside, MAX_DEPTH, Parser, TooDeep, Written, is_quote, past, past_space};

type Parsed = Result<Written, TooDeep>;

impl Parser<'_, '_> {
    /// Reads one value.
    pub fn value(&mut self, inside: Inside) -> Parsed {
        self.skip(true);
        let Some(first) = self.peek() else { return Ok(Written::Nothing) };
        match first {
            '{' => self.nested(Self::object),
            '[' | '(' => self.nested(Self::array),
            letter if is_quote(letter) => {
                self.string(inside);
                Ok(Written::Value)
            }
            _ => self.plain(inside),
        }
    }

    pub fn nested(&mut self, read: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return Err(TooDeep);
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }

    fn object(&mut self) -> Parsed {
        let start = self.place;
        self.next();
        if self.skip_inner_fence() {
            return self.value(Inside::Nothing);
        }
        if self.is_doubled() {
            self.skip(false);
            self.change("bracket", start, "braces were doubled");
            let written = self.nested(Self::object)?;
            self.skip(false);
            self.take("}");
            return Ok(written);
        }
        if self.is_set() {
            self.change("bracket", start, "a set became an array");
            return self.items('}');
        }
        self.fields(true)
    }

    /// Skips the start of a code fence directly inside brackets. The value in the fence is the intended one.
    fn skip_inner_fence(&mut self) -> bool {
        let ahead = self.ahead(self.place);
        let Some(inside) = past_space(ahead).strip_prefix("```") else { return false };
        let inside = past(inside, |letter| letter.is_alphanumeric() || letter == '_');
        self.change("extracted", self.place, "the value was in a fence");
        self.place += ahead.len() - inside.len();
        true
    }

    /// Whether the object starts with doubled braces, which models copy from prompt templates.
    fn is_doubled(&self) -> bool {
        past_space(self.ahead(self.place)).starts_with('{')
    }

    /// Whether the braces contain values without names. Requires that the first item is clearly a value.
    fn is_set(&self) -> bool {
        let ahead = past_space(self.ahead(self.place));
        let Some(first) = ahead.chars().next() else { return false };
        let after = if is_quote(first) {
            let inside = ahead.get(first.len_utf8()..).unwrap_or("");
            let Some(end) = inside.find(first) else { return false };
            inside.get(end + first.len_utf8()..).unwrap_or("")
        } else if first.is_ascii_digit() || first == '-' {
            past(ahead, |letter| letter.is_ascii_digit() || matches!(letter, '.' | '-'))
        } else {
            return false;
        };
        let after = past_space(after);
        // `{"a", "b": 1}` is a malformed object.
        let second = after.strip_prefix(',').map(past_space);
        second.is_some_and(|second| !second.is_empty() && !second.starts_with(['}', ',']))
            && !self.is_field(
                self.text.len() - self.rest().len() + (self.ahead(self.place).len() - second.unwrap_or("").len()),
            )
    }

    /// The fields of an object. `braced` is whether the opening brace is present.
    pub fn fields(&mut self, braced: bool) -> Parsed {
        let guide = self.guide;
        let outer = (std::mem::replace(&mut self.object, guide), std::mem::take(&mut self.names));
        self.output.push('{');
        let mut first = true;
        loop {
            self.separators(first);
            let start = self.place;
            match self.peek() {
                None => {
                    if braced {
                        let cut = self.text.trim_end().ends_with(',');
                        self.ends_early(cut);
                    }
                    break;
                }
                Some('}') => {
                    self.next();
                    break;
                }
                // The end of the enclosing array, or its next item.
                Some(']' | '{') if self.depth > 1 => {
                    self.change("bracket", start, "a closing brace was added");
                    break;
                }
                Some(']' | ')' | ':' | '{') => {
                    self.next();
                    self.change("removed", start, "a misplaced character was removed");
                    continue;
                }
                // The end of the enclosing code fence.
                Some('`') if self.rest().starts_with("```") => {
                    self.ends_early(false);
                    break;
                }
                Some(_) => {}
            }
            let kept = self.output.len();
            if !first {
                self.output.push(',');
            }
            match self.field()? {
                Written::Value => first = false,
                Written::Nothing => self.output.truncate(kept),
            }
            self.guide = guide;
        }
        self.output.push('}');
        (self.object, self.names) = outer;
        Ok(Written::Value)
    }

    /// A name and its value. `Nothing` if the text ends before the value.
    fn field(&mut self) -> Parsed {
        let start = self.place;
        let Some(name) = self.name() else {
            self.ends_early(true);
            self.change("dropped", start, "a field without a value was dropped");
            return Ok(Written::Nothing);
        };
        self.is_doubtful |= self.is_unexpected(&name);
        self.guide = self.guide.field(&name);
        self.write_text(&name);
        self.names.push(name);
        self.output.push(':');
        self.skip(false);
        let colon = self.place;
        if !(self.take(":") || self.take("=>") || self.take("=")) {
            self.change("colon", colon, "a colon was added");
        }
        self.skip(true);
        match self.peek() {
            Some(',' | '}' | ']') => {
                self.change("null", self.place, "a missing value became null");
                self.output.push_str("null");
                Ok(Written::Value)
            }
            _ => {
                let written = self.value(Inside::Object)?;
                if written == Written::Nothing {
                    self.ends_early(true);
                    self.change("dropped", start, "a field without a value was dropped");
                }
                Ok(written)
            }
        }
    }

    /// Adds the fields after an object that was closed too early: `{"a": 1}, "b": 2}`.
    pub fn more_fields(&mut self) -> Parsed {
        let closed = self.text.trim_end().ends_with('}');
        let comma = self.place;
        self.skip(false);
        let follows = closed && self.output.ends_with('}') && self.take(",") && {
            let after = past_space(self.ahead(self.place));
            self.is_field(self.place) || (after.starts_with(is_quote) && !after.contains(['{', '[']))
        };
        if !follows {
            self.place = comma;
            return Ok(Written::Nothing);
        }
        self.change("bracket", comma, "a closing brace was moved to the end");
        let object = std::mem::take(&mut self.output);
        self.nested(|this| this.fields(true))?;
        let more = std::mem::replace(&mut self.output, object);
        self.output.pop();
        if !self.output.ends_with('{') && more.len() > 2 {
            self.output.push(',');
        }
        self.output.push_str(more.get(1..).unwrap_or("}"));
        Ok(Written::Value)
    }

    fn array(&mut self) -> Parsed {
        let start = self.place;
        if self.next() == Some('(') {
            self.change("bracket", start, "a tuple became an array");
            self.rounds += 1;
            let written = self.items(')');
            self.rounds -= 1;
            return written;
        }
        if self.skip_inner_fence() {
            return self.value(Inside::Nothing);
        }
        self.items(']')
    }

    fn items(&mut self, end: char) -> Parsed {
        let guide = self.guide;
        self.output.push('[');
        let mut index = 0;
        loop {
            self.separators(index == 0);
            let start = self.place;
            match self.peek() {
                None => {
                    let cut = self.text.trim_end().ends_with(',');
                    self.ends_early(cut);
                    break;
                }
                Some(letter) if letter == end => {
                    self.next();
                    break;
                }
                // The end of the enclosing object.
                Some('}') if self.depth > 1 => {
                    self.change("bracket", start, "a closing bracket was added");
                    break;
                }
                Some(']' | '}' | ')' | ':') => {
                    self.next();
                    self.change("removed", start, "a misplaced character was removed");
                    continue;
                }
                Some('`') if self.rest().starts_with("```") => {
                    self.ends_early(false);
                    break;
                }
                Some(_) => {}
            }
            let kept = self.output.len();
            if self.peek().is_some_and(is_quote) && self.is_field(start) {
                if self.pair(index)? == Written::Value {
                    index += 1;
                }
                continue;
            }
            if index > 0 {
                self.output.push(',');
            }
            self.guide = guide.item(index);
            match self.value(Inside::Array)? {
                Written::Value => index += 1,
                Written::Nothing => {
                    self.output.truncate(kept);
                    self.ends_early(true);
                }
            }
            self.guide = guide;
        }
        self.output.push(']');
        Ok(Written::Value)
    }

    /// A field in an array: `["a": 1]`.
    fn pair(&mut self, index: usize) -> Parsed {
        let guide = self.guide;
        self.change("bracket", self.place, "braces were added");
        let kept = self.output.len();
        if index > 0 {
            self.output.push(',');
        }
        self.output.push('{');
        self.guide = guide.item(index);
        let written = self.nested(Self::field)?;
        self.guide = guide;
        match written {
            Written::Value => self.output.push('}'),
            Written::Nothing => self.output.truncate(kept),
        }
        Ok(written)
    }

    fn is_ellipsis(&self) -> bool {
        ["...", "…"].iter().any(|ellipsis| self.rest().starts_with(ellipsis))
    }

    /// Skips separators: one comma, or none before the first part.
    fn separators(&mut self, first: bool) {
        let mut commas = 0;
        let start = self.place;
        loop {
            self.skip(false);
            if self.take(",") || (commas == 0 && !first && self.take(";")) {
                commas += 1;
            } else if matches!(self.byte(), Some(b'.' | 0x80..)) && self.is_ellipsis() {
                let place = self.place;
                self.place += 3;
                self.change("removed", place, "an ellipsis was removed");
                commas = 1;
            } else {
                break;
            }
        }
        let at_end = matches!(self.peek(), None | Some('}' | ']' | ')'));
        match commas {
            0 if !first && !at_end => self.change("comma", start, "a comma was added"),
            0 => {}
            1 if !first && !at_end => {}
            _ if self.peek().is_none() && commas == 1 => {}
            _ => self.change("comma", start, "a comma was removed"),
        }
    }
}
