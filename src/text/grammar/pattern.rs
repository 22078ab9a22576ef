//! The JSON Schema keywords `pattern` and `format` as grammars.

use super::rule::{Expression, any_number, or, repeat, seq, text};
use crate::chars::Chars;

/// Larger repetition counts are not expanded.
const MOST: u64 = 1_000;

/// Maximum depth of nested groups.
const DEPTH: usize = 32;

/// The strings that contain a match of a pattern. `encode` writes each set of characters. `None` if the pattern uses features that
/// a grammar can't express: backreferences, lookaround, word boundaries, or anchors inside the pattern.
pub(super) fn pattern(pattern: &str, encode: fn(&Chars) -> Expression) -> Option<Expression> {
    let mut parser = Parser { rest: pattern, encode, depth: 0 };
    let mut branches = Vec::new();
    loop {
        let begins = parser.take("^");
        let (body, ends) = parser.sequence(true)?;
        let padding = |fixed: bool| if fixed { seq([]) } else { any_number(encode(&Chars::any())) };
        branches.push(seq([padding(begins), body, padding(ends)]));
        if !parser.take("|") {
            return parser.rest.is_empty().then(|| or(branches));
        }
    }
}

/// The pattern of a `format`, for formats that a regular expression can describe.
pub(super) fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$",
        "time" => {
            "^(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"
        }
        "date-time" => {
            "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"
        }
        "uuid" => "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
        "ipv4" => {
            "^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$"
        }
        _ => return None,
    })
}

/// Characters verbatim, without escapes.
pub(super) fn raw(chars: &Chars) -> Expression {
    chars.single().map_or_else(|| Expression::Chars(chars.clone()), text)
}

/// Characters inside a JSON string.
pub(super) fn in_json(chars: &Chars) -> Expression {
    let controls = Chars::new([(0, 0x1f)]);
    let plain = chars.without(&controls.or(&Chars::of("\"\\")));
    let mut parts = Vec::new();
    if !plain.is_empty() {
        parts.push(raw(&plain));
    }
    let escapes = ['"', '\\', '\n', '\r', '\t', '\u{8}', '\u{c}'].into_iter().zip("\"\\nrtbf".chars());
    let letters: String = escapes.filter(|(c, _)| chars.has(*c)).map(|(_, letter)| letter).collect();
    if !letters.is_empty() {
        parts.push(seq([text("\\"), raw(&Chars::of(&letters))]));
    }
    if controls.without(chars).is_empty() {
        parts.push(seq([
            text("\\u00"),
            Expression::Chars(Chars::of("01")),
            Expression::Chars(Chars::between("09afAF")),
        ]));
    } else {
        let others = chars.and(&controls).without(&Chars::of("\n\r\t\u{8}\u{c}"));
        let all = others.ranges().iter().flat_map(|&(from, to)| from..=to);
        parts.extend(all.map(|code| text(format!("\\u{code:04x}"))));
    }
    or(parts)
}

struct Parser<'a> {
    rest: &'a str,
    encode: fn(&Chars) -> Expression,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    /// Parses up to `|`, `)` or the end. At the top level, also returns whether the sequence ends with `$`.
    fn sequence(&mut self, outside: bool) -> Option<(Expression, bool)> {
        let mut parts = Vec::new();
        loop {
            if self.rest.is_empty() || self.rest.starts_with(['|', ')']) {
                return Some((seq(parts), false));
            }
            if outside && self.take("$") {
                let ends = self.rest.is_empty() || self.rest.starts_with('|');
                return ends.then(|| (seq(parts), true));
            }
            let atom = self.atom()?;
            parts.push(self.quantified(atom)?);
        }
    }

    fn atom(&mut self) -> Option<Expression> {
        match self.next()? {
            '(' => self.group(),
            '[' => self.class(),
            '.' => Some((self.encode)(&Chars::of("\n\r\u{2028}\u{2029}").not())),
            '\\' => self.escape().map(|chars| (self.encode)(&chars)),
            '^' | '$' | '*' | '+' | '?' | '{' | '}' | ']' => None,
            c => Some((self.encode)(&Chars::of(c.encode_utf8(&mut [0; 4])))),
        }
    }

    fn group(&mut self) -> Option<Expression> {
        if self.take("?<") {
            let name = self.rest.find('>')?;
            let plain = self.rest.get(..name)?.chars().all(|c| c.is_alphanumeric() || c == '_');
            self.rest = self.rest.get(name + 1..).filter(|_| plain)?;
        } else if !self.take("?:") && self.rest.starts_with('?') {
            return None;
        }
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let mut branches = vec![self.sequence(false)?.0];
        while self.take("|") {
            branches.push(self.sequence(false)?.0);
        }
        self.depth -= 1;
        self.take(")").then(|| or(branches))
    }

    fn quantified(&mut self, atom: Expression) -> Option<Expression> {
        let (least, most) = match self.rest.chars().next() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.counted(atom),
            _ => return Some(atom),
        };
        self.next()?;
        self.take("?");
        Some(repeat(atom, least, most))
    }

    fn counted(&mut self, atom: Expression) -> Option<Expression> {
        let (inside, rest) = self.rest.strip_prefix('{')?.split_once('}')?;
        let (least, most) = match inside.split_once(',') {
            None => (inside.parse().ok()?, Some(inside.parse().ok()?)),
            Some((least, "")) => (least.parse().ok()?, None),
            Some((least, most)) => (least.parse().ok()?, Some(most.parse().ok()?)),
        };
        self.rest = rest;
        self.take("?");
        let fits = least <= MOST && most.is_none_or(|most| most <= MOST && most >= least);
        fits.then(|| repeat(atom, least, most))
    }

    fn class(&mut self) -> Option<Expression> {
        let negated = self.take("^");
        let mut chars = Chars::default();
        while !self.take("]") {
            let from = self.class_item()?;
            let range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            let Some(first) = from.single().filter(|_| range) else {
                chars = chars.or(&from);
                continue;
            };
            self.next()?;
            let last = self.class_item()?.single()?;
            if last < first {
                return None;
            }
            chars = chars.or(&Chars::new([(u32::from(first), u32::from(last))]));
        }
        let chars = if negated { chars.not() } else { chars };
        (!chars.is_empty()).then(|| (self.encode)(&chars))
    }

    fn class_item(&mut self) -> Option<Chars> {
        match self.next()? {
            '\\' if self.take("b") => Some(Chars::of("\u{8}")),
            '\\' if self.take("-") => Some(Chars::of("-")),
            '\\' => self.escape(),
            c => Some(Chars::of(c.encode_utf8(&mut [0; 4]))),
        }
    }

    /// Parses the rest of an escape, after the backslash.
    fn escape(&mut self) -> Option<Chars> {
        let word = || Chars::between("azAZ09__");
        let space = || Chars::of("\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}");
        let space = || space().or(&Chars::new([(0x2000, 0x200a)]));
        let c = match self.next()? {
            'd' => return Some(Chars::between("09")),
            'D' => return Some(Chars::between("09").not()),
            'w' => return Some(word()),
            'W' => return Some(word().not()),
            's' => return Some(space()),
            'S' => return Some(space().not()),
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            '0' if !self.rest.starts_with(|c: char| c.is_ascii_digit()) => '\0',
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            c if c.is_ascii_alphanumeric() => return None,
            c => c,
        };
        Some(Chars::of(c.encode_utf8(&mut [0; 4])))
    }

    fn hex(&mut self, digits: usize) -> Option<char> {
        let (code, rest) = if digits == 4 && self.rest.starts_with('{') {
            self.rest.strip_prefix('{')?.split_once('}')?
        } else {
            self.rest.split_at_checked(digits)?
        };
        self.rest = rest;
        char::from_u32(u32::from_str_radix(code, 16).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::{in_json, of_format, pattern, raw};
    use crate::text::grammar::matcher::accepts;
    use crate::text::grammar::rule::Rules;

    fn matches(source: &str, text: &str) -> bool {
        accepts(&Rules::starting(pattern(source, raw).unwrap()), text)
    }

    #[test]
    fn patterns_match_anywhere_unless_anchored() {
        for (source, yes, no) in [
            ("^a+$", "aaa", "ab"),
            ("b", "abc", "ac"),
            ("^x|y$", "xa", "ax"),
            ("^[a-c\\-]{2,3}$", "a-c", "abcd"),
            ("^(?:ab|c)\\.\\d$", "ab.7", "abx7"),
            ("^[^\\s]+$", "a😀", "a b"),
            ("^\\u0041\\x42\\u{43}$", "ABC", "abc"),
            ("^a{2}b{0,1}?$", "aab", "aabb"),
        ] {
            assert!(matches(source, yes), "{source} {yes}");
            assert!(!matches(source, no), "{source} {no}");
        }
    }

    #[test]
    fn schemas_that_a_grammar_cannot_express_are_not_patterns() {
        for source in ["(?=a)b", "(a)\\1", "\\bword\\b", "a(^b)", "[b-a]", "(", "a**", "\\p{L}", "a{3,2}", "a{9999}"] {
            assert_eq!(pattern(source, raw), None, "{source}");
        }
    }

    #[test]
    fn characters_are_escaped_in_json() {
        let rules = Rules::starting(pattern("^[^a]$", in_json).unwrap());
        for (text, yes) in [("b", true), ("a", false), ("\\\"", true), ("\"", false), ("\\n", true), ("\\u001f", true)]
        {
            assert_eq!(accepts(&rules, text), yes, "{text}");
        }
    }

    #[test]
    fn formats_are_patterns() {
        for (format, yes, no) in [
            ("date", "2026-02-28", "2026-13-01"),
            ("time", "07:30:00Z", "24:00:00Z"),
            ("date-time", "2026-02-28T07:30:00.5+01:00", "2026-02-28 07:30"),
            ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"),
            ("ipv4", "192.168.0.1", "192.168.0.256"),
        ] {
            let source = of_format(format).unwrap();
            assert!(matches(source, yes) && !matches(source, no), "{format}");
        }
    }
}
