//! The syntax of ECMAScript's regular expressions with the flag `u`. The engine has found the source valid.

use crate::chars::Chars;

/// A part of a regular expression.
pub enum Part {
    Chars(Chars),
    /// A class with properties of Unicode: its source, which the engine matches against one character.
    Class(String),
    Assertion(Assertion),
    Sequence(Vec<Part>),
    Alternatives(Vec<Part>),
    Repeat {
        part: Box<Part>,
        least: usize,
        most: Option<usize>,
    },
}

/// A condition that consumes no characters.
pub enum Assertion {
    Start,
    End,
    WordBoundary(bool),
    Look(Look),
}

/// What must match (or must not match) behind a place or ahead of it.
pub struct Look {
    pub part: Box<Part>,
    pub behind: bool,
    pub expected: bool,
}

/// Maximum nesting depth of groups.
const MAX_DEPTH: usize = 50;

/// The structure of a regular expression. The error completes the sentence "the pattern …".
pub fn parse(source: &str) -> Result<Part, &'static str> {
    let mut parser = Parser { rest: source, depth: 0 };
    let part = parser.alternatives()?;
    if parser.rest.is_empty() { Ok(part) } else { Err(UNKNOWN) }
}

const UNKNOWN: &str = "uses syntax that is not supported";
const BACKREFERENCE: &str = "uses a backreference, which can't be matched in linear time";
const TOO_DEEP: &str = "has groups nested too deeply. Write it with fewer of them";

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Result<char, &'static str> {
        let letter = self.rest.chars().next().ok_or(UNKNOWN)?;
        self.rest = self.rest.get(letter.len_utf8()..).unwrap_or_default();
        Ok(letter)
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The text up to `end`, which is skipped.
    fn until(&mut self, end: char) -> Result<&'t str, &'static str> {
        let (inside, rest) = self.rest.split_once(end).ok_or(UNKNOWN)?;
        self.rest = rest;
        Ok(inside)
    }

    fn alternatives(&mut self) -> Result<Part, &'static str> {
        let mut all = vec![self.sequence()?];
        while self.take("|") {
            all.push(self.sequence()?);
        }
        Ok(one_set(&all).map_or(Part::Alternatives(all), Part::Chars))
    }

    fn sequence(&mut self) -> Result<Part, &'static str> {
        let mut parts = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let part = self.part()?;
            parts.push(self.repeated(part)?);
        }
        Ok(Part::Sequence(parts))
    }

    fn part(&mut self) -> Result<Part, &'static str> {
        let whole = self.rest;
        Ok(match self.next()? {
            '(' => return self.group(),
            '[' => return self.class(whole),
            '\\' => return self.escape(whole),
            '.' => Part::Chars(Chars::of("\n\r\u{2028}\u{2029}").not()),
            '^' => Part::Assertion(Assertion::Start),
            '$' => Part::Assertion(Assertion::End),
            letter => Part::Chars(one(letter)),
        })
    }

    fn group(&mut self) -> Result<Part, &'static str> {
        const LOOKS: [(&str, bool, bool); 4] =
            [("?=", false, true), ("?!", false, false), ("?<=", true, true), ("?<!", true, false)];
        let look = LOOKS.into_iter().find(|(mark, ..)| self.take(mark));
        if look.is_none() && !self.take("?:") {
            if self.take("?<") {
                self.until('>')?;
            } else if self.rest.starts_with('?') {
                return Err(UNKNOWN);
            }
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        let part = self.alternatives()?;
        self.depth -= 1;
        if !self.take(")") {
            return Err(UNKNOWN);
        }
        Ok(match look {
            None => part,
            Some((_, behind, expected)) => {
                Part::Assertion(Assertion::Look(Look { part: Box::new(part), behind, expected }))
            }
        })
    }

    fn repeated(&mut self, part: Part) -> Result<Part, &'static str> {
        let (least, most) = match self.rest.chars().next() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let (inside, _) = self.rest.split_once('}').ok_or(UNKNOWN)?;
                let (least, most) = inside
                    .get(1..)
                    .and_then(|inside| inside.split_once(','))
                    .unwrap_or((inside.get(1..).unwrap_or_default(), "="));
                // larger numbers than these are refused anyway
                let number = |digits: &str| digits.parse().unwrap_or(usize::MAX);
                self.rest = self.rest.get(inside.len()..).unwrap_or_default();
                match most {
                    "=" => (number(least), Some(number(least))),
                    "" => (number(least), None),
                    most => (number(least), Some(number(most))),
                }
            }
            _ => return Ok(part),
        };
        self.next()?;
        self.take("?");
        Ok(Part::Repeat { part: Box::new(part), least, most })
    }

    fn escape(&mut self, whole: &str) -> Result<Part, &'static str> {
        Ok(match self.next()? {
            'b' => Part::Assertion(Assertion::WordBoundary(true)),
            'B' => Part::Assertion(Assertion::WordBoundary(false)),
            'k' | '1'..='9' => return Err(BACKREFERENCE),
            'p' | 'P' => {
                self.until('}')?;
                Part::Class(self.since(whole))
            }
            letter => Part::Chars(self.escaped(letter)?),
        })
    }

    /// The source between a former rest and the current one.
    fn since(&self, whole: &str) -> String {
        whole.get(..whole.len() - self.rest.len()).unwrap_or_default().to_owned()
    }

    /// The characters of an escape, inside or outside a class.
    fn escaped(&mut self, letter: char) -> Result<Chars, &'static str> {
        let words = || Chars::between("azAZ09__");
        let spaces = || {
            let single = Chars::of("\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}");
            single.or(&Chars::new([(0x2000, 0x200a)]))
        };
        Ok(match letter {
            'd' => Chars::between("09"),
            'D' => Chars::between("09").not(),
            'w' => words(),
            'W' => words().not(),
            's' => spaces(),
            'S' => spaces().not(),
            't' => one('\t'),
            'n' => one('\n'),
            'r' => one('\r'),
            'f' => one('\u{c}'),
            'v' => one('\u{b}'),
            '0' => one('\0'),
            'c' => code(u32::from(self.next()?) % 32),
            'x' => code(self.hex(2)?),
            'u' => code(self.unicode()?),
            letter => one(letter),
        })
    }

    /// A code point, or a pair of surrogates.
    fn unicode(&mut self) -> Result<u32, &'static str> {
        if self.take("{") {
            return u32::from_str_radix(self.until('}')?, 16).map_err(|_| UNKNOWN);
        }
        let first = self.hex(4)?;
        let rest = self.rest;
        if (0xD800..0xDC00).contains(&first) && self.take("\\u") {
            if let Ok(second @ 0xDC00..=0xDFFF) = self.hex(4) {
                return Ok(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
            }
            self.rest = rest;
        }
        Ok(first)
    }

    fn hex(&mut self, digits: usize) -> Result<u32, &'static str> {
        let (digits, rest) = self.rest.split_at_checked(digits).ok_or(UNKNOWN)?;
        self.rest = rest;
        u32::from_str_radix(digits, 16).map_err(|_| UNKNOWN)
    }

    fn class(&mut self, whole: &str) -> Result<Part, &'static str> {
        let negated = self.take("^");
        let (mut chars, mut has_properties) = (Chars::default(), false);
        while !self.take("]") {
            if self.take("\\p") || self.take("\\P") {
                self.until('}')?;
                has_properties = true;
                continue;
            }
            let first = self.class_item()?;
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            match first.lone().filter(|_| is_range) {
                None => chars = chars.or(&first),
                Some(first) => {
                    self.next()?;
                    let last = self.class_item()?.lone().ok_or(UNKNOWN)?;
                    chars = chars.or(&Chars::new([(first, last)]));
                }
            }
        }
        if has_properties {
            return Ok(Part::Class(self.since(whole)));
        }
        Ok(Part::Chars(if negated { chars.not() } else { chars }))
    }

    fn class_item(&mut self) -> Result<Chars, &'static str> {
        match self.next()? {
            '\\' if self.take("b") => Ok(one('\u{8}')),
            '\\' => {
                let letter = self.next()?;
                self.escaped(letter)
            }
            letter => Ok(one(letter)),
        }
    }
}

/// The set of characters that `a|b` means.
fn one_set(alternatives: &[Part]) -> Option<Chars> {
    alternatives.iter().try_fold(Chars::default(), |all, part| match part {
        Part::Sequence(parts) => match parts.as_slice() {
            [Part::Chars(chars)] => Some(all.or(chars)),
            _ => None,
        },
        _ => None,
    })
}

fn one(letter: char) -> Chars {
    code(u32::from(letter))
}

/// A set of one code point, which may be a surrogate. No text contains one.
fn code(point: u32) -> Chars {
    Chars::new([(point, point)])
}
