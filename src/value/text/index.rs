//! A single pass over a JSON text. Validates everything and records where each object, array and long string ends, so that later reads can skip a
//! value in one step.

use super::scan::{compact_run_end, skip_space, string_run_end};
use crate::escapes::{byte_of, low_surrogate, unit};
use crate::value::Fault;

/// The position of an object, an array or a long string. Nodes are numbered in document order.
#[derive(Clone, Copy, Debug)]
pub struct IndexNode {
    /// For values in the side buffer, the store sets the top bit.
    pub start: u32,
    /// Position after the closing bracket or quote.
    pub end: u32,
    /// Number of the first node after this one and its content; for a string, [`PLAIN`] or [`ESCAPED`]. While a container is open, the number of its
    /// parent.
    pub next: u32,
}

/// Shorter strings (in bytes) get no node: scanning them is as fast as a look-up.
const LONG: usize = 64;
/// In place of the next node's number: a string without escapes.
pub const PLAIN: u32 = u32::MAX - 2;
/// In place of the next node's number: a string with escapes.
pub const ESCAPED: u32 = u32::MAX - 3;

/// The results of the pass.
pub struct Indexed {
    pub start: usize,
    pub end: usize,
    /// Number of the root, if it is a container.
    pub node: u32,
    /// Positions of `\uXXXX` escapes that are lone surrogates, which were replaced by `\ufffd`.
    pub lone_surrogates: Vec<usize>,
    /// Whether the text is as `JSON.stringify` prints it, apart from numbers and the order of keys.
    pub is_compact: bool,
}

/// The last position that a handle can address.
pub const MAX_LENGTH: usize = 1 << 30;

struct Pass<'a> {
    bytes: &'a [u8],
    nodes: &'a mut Vec<IndexNode>,
    /// Number of the innermost open container, or [`OUTSIDE`].
    inside: u32,
    depth: usize,
    max_depth: usize,
    lone_surrogates: Vec<usize>,
    /// So far, there is no white space, and all escapes are those of `JSON.stringify`.
    is_compact: bool,
}

impl<'a> Pass<'a> {
    fn over(bytes: &'a [u8], nodes: &'a mut Vec<IndexNode>, max_depth: usize) -> Pass<'a> {
        Pass { bytes, nodes, inside: OUTSIDE, depth: 0, max_depth, lone_surrogates: Vec::new(), is_compact: true }
    }
}

/// In place of a container's number: not inside a container.
const OUTSIDE: u32 = u32::MAX;

/// Fails unless the bytes, which come from outside, are valid UTF-8.
pub fn require_utf8(bytes: &[u8]) -> Result<(), Fault> {
    simdutf8::compat::from_utf8(bytes)
        .map(|_| ())
        .map_err(|error| Fault::Syntax { message: "invalid UTF-8", offset: error.valid_up_to() })
}

/// Validates UTF-8 text as one JSON value and appends its containers to `nodes`.
pub fn index(bytes: &mut [u8], nodes: &mut Vec<IndexNode>, max_depth: usize) -> Result<Indexed, Fault> {
    if bytes.len() > MAX_LENGTH {
        return Err(Fault::TooLarge);
    }
    let byte_order_mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let node = nodes.len() as u32;
    let mut pass = Pass::over(bytes, nodes, max_depth);
    let start = skip_space(pass.bytes, byte_order_mark);
    let end = pass.document(start)?;
    let Pass { lone_surrogates, is_compact, .. } = pass;
    for position in &lone_surrogates {
        if let Some(digits) = bytes.get_mut(position + 2..position + 6) {
            digits.copy_from_slice(b"fffd");
        }
    }
    Ok(Indexed { start, end, node, lone_surrogates, is_compact })
}

/// Position after the string that starts at `from`, if it is valid, not empty, and without lone surrogates.
pub fn plain_string_end(bytes: &[u8], from: usize) -> Option<usize> {
    if bytes.get(from) != Some(&b'"') {
        return None;
    }
    let nodes = &mut Vec::new();
    let mut pass = Pass::over(bytes, nodes, 0);
    let end = pass.string(from + 1).ok()?;
    let content = bytes.get(from + 1..end - 1)?;
    let is_plain = !content.is_empty()
        && pass.lone_surrogates.is_empty()
        && (content.is_ascii() || simdutf8::basic::from_utf8(content).is_ok());
    is_plain.then_some(end)
}

fn syntax<T>(message: &'static str, offset: usize) -> Result<T, Fault> {
    Err(Fault::Syntax { message, offset })
}

impl Pass<'_> {
    #[inline(always)]
    fn at(&self, position: usize) -> u8 {
        self.bytes.get(position).copied().unwrap_or(0)
    }

    /// Reads the root value and checks that nothing follows it. Open containers are a chain of nodes, so deep input can't overflow the call stack.
    fn document(&mut self, start: usize) -> Result<usize, Fault> {
        let mut position = start;
        loop {
            position = match self.at(position) {
                opening @ (b'{' | b'[') => {
                    self.open(position)?;
                    position = self.next(position + 1);
                    let closing = if opening == b'{' { b'}' } else { b']' };
                    if self.at(position) == closing {
                        self.close(position + 1);
                        position + 1
                    } else {
                        if opening == b'{' {
                            position = self.member_key(position)?;
                        }
                        continue;
                    }
                }
                b'"' => self.string(position + 1)?,
                b'-' | b'0'..=b'9' => self.number(position)?,
                b't' => self.literal(position, b"true")?,
                b'f' => self.literal(position, b"false")?,
                b'n' => self.literal(position, b"null")?,
                _ if position >= self.bytes.len() => {
                    return syntax("the text ends where a value is expected", position);
                }
                _ => return syntax("expected a value", position),
            };
            match self.after_value(position)? {
                Next::Value(next) => position = next,
                Next::End(end) => return Ok(end),
            }
        }
    }

    /// Closes the containers that end here. Returns where the next value starts.
    fn after_value(&mut self, mut position: usize) -> Result<Next, Fault> {
        loop {
            let Some(parent) = self.nodes.get(self.inside as usize) else {
                let rest = skip_space(self.bytes, position);
                return if rest == self.bytes.len() {
                    Ok(Next::End(position))
                } else {
                    syntax("text after the end of the value", rest)
                };
            };
            let in_object = self.at(parent.start as usize) == b'{';
            position = self.next(position);
            match self.at(position) {
                b',' => {
                    position = self.next(position + 1);
                    return Ok(Next::Value(if in_object { self.member_key(position)? } else { position }));
                }
                b'}' if in_object => position += 1,
                b']' if !in_object => position += 1,
                _ if position >= self.bytes.len() => {
                    return syntax("the text ends inside an object or array", position);
                }
                _ if in_object => return syntax("expected ',' or '}'", position),
                _ => return syntax("expected ',' or ']'", position),
            }
            self.close(position);
        }
    }

    /// Position of the next token, at or after `from`.
    #[inline(always)]
    fn next(&mut self, from: usize) -> usize {
        let position = skip_space(self.bytes, from);
        self.is_compact &= position == from;
        position
    }

    #[inline(always)]
    fn open(&mut self, start: usize) -> Result<(), Fault> {
        if self.depth >= self.max_depth {
            return Err(Fault::Depth { limit: self.max_depth });
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.inside, self.nodes.len() as u32);
        self.nodes.push(IndexNode { start: start as u32, end: 0, next: outer });
        Ok(())
    }

    fn close(&mut self, end: usize) {
        let next = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(self.inside as usize) {
            self.depth -= 1;
            self.inside = std::mem::replace(&mut node.next, next);
            node.end = end as u32;
        }
    }

    /// Reads a key and its colon. Returns the position of the value.
    #[inline(always)]
    fn member_key(&mut self, position: usize) -> Result<usize, Fault> {
        if self.at(position) != b'"' {
            return syntax("expected a key in double quotes", position);
        }
        let colon = self.string(position + 1)?;
        let colon = self.next(colon);
        if self.at(colon) != b':' {
            return syntax("expected ':'", colon);
        }
        Ok(self.next(colon + 1))
    }

    #[inline(always)]
    fn string(&mut self, from: usize) -> Result<usize, Fault> {
        let run_end = string_run_end(self.bytes, from);
        let (end, next) =
            if self.at(run_end) == b'"' { (run_end + 1, PLAIN) } else { (self.escaped_string(run_end)?, ESCAPED) };
        if end - from > LONG {
            self.nodes.push(IndexNode { start: from as u32 - 1, end: end as u32, next });
        }
        Ok(end)
    }

    /// The end of a string whose content before `position` is plain.
    fn escaped_string(&mut self, mut position: usize) -> Result<usize, Fault> {
        position = compact_run_end(self.bytes, position);
        while self.at(position) != b'"' {
            position = compact_run_end(self.bytes, self.escape(position)?);
        }
        Ok(position + 1)
    }

    /// Validates the escape at `position`, which is not one of the short ones that `JSON.stringify` writes. Returns the position after it. Records a
    /// lone surrogate, which is replaced later.
    fn escape(&mut self, position: usize) -> Result<usize, Fault> {
        self.is_compact = false;
        match (self.bytes.get(position), self.at(position + 1)) {
            (Some(b'\\'), letter) if byte_of(letter) != 0 => Ok(position + 2),
            (Some(b'\\'), b'u') => {
                let Some(unit) = unit(self.bytes, position + 2) else {
                    return syntax("\\u needs four hexadecimal digits", position);
                };
                match unit {
                    0xd800..=0xdbff if low_surrogate(self.bytes, position + 6).is_some() => Ok(position + 12),
                    0xd800..=0xdfff => {
                        self.lone_surrogates.push(position);
                        Ok(position + 6)
                    }
                    _ => Ok(position + 6),
                }
            }
            (Some(b'\\'), _) => syntax("unknown escape in a string", position),
            (Some(_), _) => syntax("a control character in a string must be escaped", position),
            (None, _) => syntax("the text ends inside a string", position),
        }
    }

    fn digits(&self, from: usize) -> usize {
        let mut position = from;
        while self.at(position).is_ascii_digit() {
            position += 1;
        }
        position
    }

    fn number(&self, start: usize) -> Result<usize, Fault> {
        let first = if self.at(start) == b'-' { start + 1 } else { start };
        let mut position = self.digits(first);
        if position == first {
            return syntax("expected a digit", position);
        }
        if self.at(first) == b'0' && position > first + 1 {
            return syntax("a number must not start with 0", first);
        }
        if self.at(position) == b'.' {
            let end = self.digits(position + 1);
            if end == position + 1 {
                return syntax("expected a digit after the decimal point", end);
            }
            position = end;
        }
        if matches!(self.at(position), b'e' | b'E') {
            let sign = usize::from(matches!(self.at(position + 1), b'+' | b'-'));
            let end = self.digits(position + 1 + sign);
            if end == position + 1 + sign {
                return syntax("expected a digit in the exponent", end);
            }
            position = end;
        }
        Ok(position)
    }

    fn literal(&self, start: usize, word: &'static [u8]) -> Result<usize, Fault> {
        if self.bytes.get(start..).is_some_and(|rest| rest.starts_with(word)) {
            Ok(start + word.len())
        } else {
            syntax("expected a value", start)
        }
    }
}

enum Next {
    Value(usize),
    End(usize),
}
