//! A parser for the part of regular expression syntax that the analysis of repetitions requires: repetitions, and the characters they match.

/// A set of characters: one bit per ASCII character, and one for all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters(u128, bool);

impl Letters {
    pub const ALL: Self = Self(u128::MAX, true);

    pub fn one(letter: char) -> Self {
        if letter.is_ascii() { Self(1 << u32::from(letter), false) } else { Self(0, true) }
    }

    fn range(from: char, to: char) -> Self {
        let mut letters = Self(0, !to.is_ascii());
        for code in u32::from(from)..=u32::from(to).min(127) {
            letters.0 |= 1 << code;
        }
        letters
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 || other.1)
    }

    /// Non-ASCII characters are not distinguished, so a complement always contains them.
    fn not(self) -> Self {
        Self(!self.0, true)
    }

    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0 || (self.1 && other.1)
    }
}

/// A part of a regular expression.
#[derive(Debug)]
pub enum RegexPart {
    Letters(Letters),
    /// An assertion, which matches no characters.
    Empty,
    /// A backreference or a lookaround. It may match anything.
    Unknown,
    /// The alternatives of a group, each of them a sequence.
    Group(Vec<Vec<RegexPart>>),
    Repeat {
        part: Box<RegexPart>,
        /// Whether the number of repetitions is practically unlimited.
        many: bool,
    },
}

/// Higher repetition counts are treated as unlimited.
const MANY: u32 = 64;
/// Maximum nesting depth of groups.
const MAX_DEPTH: u32 = 50;

/// Whether groups are nested deeper than the parser looks.
pub fn is_too_deep(source: &str) -> bool {
    let (mut depth, mut is_class, mut is_escaped) = (0_u32, false, false);
    for letter in source.chars() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            '(' if !is_class => depth += 1,
            ')' if !is_class => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

/// The alternatives of a regular expression. `None` if the parser does not support its syntax.
pub fn parse(source: &str) -> Option<Vec<Vec<RegexPart>>> {
    let mut parser = Parser { rest: source, depth: 0 };
    let alternatives = parser.alternatives()?;
    parser.rest.is_empty().then_some(alternatives)
}

struct Parser<'t> {
    rest: &'t str,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = self.rest.get(letter.len_utf8()..)?;
        Some(letter)
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn alternatives(&mut self) -> Option<Vec<Vec<RegexPart>>> {
        let mut all = vec![self.sequence()?];
        while self.take("|") {
            all.push(self.sequence()?);
        }
        Some(all)
    }

    fn sequence(&mut self) -> Option<Vec<RegexPart>> {
        let mut parts = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let part = self.part()?;
            parts.push(self.repeated(part)?);
        }
        Some(parts)
    }

    fn part(&mut self) -> Option<RegexPart> {
        match self.next()? {
            '(' => self.group(),
            '[' => self.class().map(RegexPart::Letters),
            '\\' => self.escape(),
            '.' => Some(RegexPart::Letters(Letters::ALL)),
            '^' | '$' => Some(RegexPart::Empty),
            letter => Some(RegexPart::Letters(Letters::one(letter))),
        }
    }

    fn group(&mut self) -> Option<RegexPart> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let looks = ["?=", "?!", "?<=", "?<!"].iter().any(|mark| self.take(mark));
        if !looks && !self.take("?:") && self.take("?<") {
            while self.next()? != '>' {}
        }
        let alternatives = self.alternatives()?;
        self.depth -= 1;
        if !self.take(")") {
            return None;
        }
        Some(if looks { RegexPart::Empty } else { RegexPart::Group(alternatives) })
    }

    fn repeated(&mut self, part: RegexPart) -> Option<RegexPart> {
        let max = match self.peek() {
            Some('*' | '+') => u32::MAX,
            Some('?') => 1,
            Some('{') => {
                let (inside, _) = self.rest.get(1..)?.split_once('}')?;
                self.rest = self.rest.get(inside.len() + 1..)?;
                let max = inside.split_once(',').map_or(inside, |(_, max)| max);
                max.parse().unwrap_or(u32::MAX)
            }
            _ => return Some(part),
        };
        self.next();
        self.take("?");
        Some(RegexPart::Repeat { part: Box::new(part), many: max > MANY })
    }

    fn escape(&mut self) -> Option<RegexPart> {
        let letters = match self.next()? {
            'b' | 'B' => return Some(RegexPart::Empty),
            'k' | '1'..='9' => return Some(RegexPart::Unknown),
            letter => self.escaped(letter)?,
        };
        Some(RegexPart::Letters(letters))
    }

    /// The characters that an escape matches, inside or outside a class.
    fn escaped(&mut self, letter: char) -> Option<Letters> {
        let digits = Letters::range('0', '9');
        let words = digits.and(Letters::range('a', 'z')).and(Letters::range('A', 'Z')).and(Letters::one('_'));
        let spaces =
            " \t\n\r\u{b}\u{c}\u{a0}".chars().fold(Letters::default(), |all, letter| all.and(Letters::one(letter)));
        Some(match letter {
            'd' => digits,
            'D' => digits.not(),
            'w' => words,
            'W' => words.not(),
            's' => spaces,
            'S' => spaces.not(),
            't' => Letters::one('\t'),
            'n' => Letters::one('\n'),
            'r' => Letters::one('\r'),
            'p' | 'P' => {
                while self.next()? != '}' {}
                Letters::ALL
            }
            'u' => self.code_point()?,
            'x' => self.code(2)?,
            'c' => {
                self.next()?;
                Letters::ALL
            }
            letter => Letters::one(letter),
        })
    }

    fn code_point(&mut self) -> Option<Letters> {
        if !self.take("{") {
            return self.code(4);
        }
        let (inside, rest) = self.rest.split_once('}')?;
        self.rest = rest;
        Some(letters_of(inside))
    }

    fn code(&mut self, digits: usize) -> Option<Letters> {
        let inside = self.rest.get(..digits)?;
        self.rest = self.rest.get(digits..)?;
        Some(letters_of(inside))
    }

    fn class(&mut self) -> Option<Letters> {
        let negated = self.take("^");
        let mut letters = Letters::default();
        loop {
            let first = match self.next()? {
                ']' => break,
                '\\' => {
                    let letter = self.next()?;
                    letters = letters.and(self.escaped(letter)?);
                    if letter.is_ascii_alphanumeric() {
                        continue;
                    }
                    letter
                }
                letter => letter,
            };
            letters = letters.and(Letters::one(first));
            let to_end = self.rest.strip_prefix('-').filter(|rest| !rest.starts_with([']', '\\']));
            if let Some(rest) = to_end {
                self.rest = rest;
                letters = letters.and(Letters::range(first, self.next()?));
            }
        }
        Some(if negated { letters.not() } else { letters })
    }
}

fn letters_of(code: &str) -> Letters {
    u32::from_str_radix(code, 16).ok().and_then(char::from_u32).map_or(Letters(0, true), Letters::one)
}
