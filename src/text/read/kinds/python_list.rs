//! Lists of calls in Python syntax of which some are damaged.

use super::kind::Piece;
use super::python_calls::Calls;
use crate::text::Tool;
use crate::text::read::next_call::RESUMES;
use crate::text::read::python::{Quotes, word_before};

/// Splits a list into calls. A damaged call extends to the next one of a declared tool. If quotes are missing, a call in it may as well be
/// part of a string: then all that follows must be calls. `is_closed` is whether the end of the list is there.
pub(super) fn split<'a>(body: &'a str, is_closed: bool, tools: &'a [Tool]) -> Vec<Piece<'a>> {
    let inner = body.trim();
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    let text = inner.strip_suffix(']').unwrap_or(inner);
    let mut list = List { start: Calls::new(text, Quotes::Each, tools), is_closed, has_quotes: true };
    list.has_quotes = list.walk(0, &mut |_, _, _| None).is_some();
    let (mut pieces, mut at) = list.calls(0);
    for _ in 0..RESUMES {
        if at == text.len() {
            break;
        }
        let next = if list.has_quotes { list.next(at) } else { list.last(at) }.unwrap_or(text.len());
        pieces.push((text.get(at..next).unwrap_or_default().trim_end_matches([' ', '\n', ',', ';']), None));
        let (more, end) = list.calls(next);
        pieces.extend(more);
        at = end;
    }
    if at < text.len() {
        pieces.push((text.get(at..).unwrap_or_default(), None));
    }
    pieces
}

struct List<'a> {
    start: Calls<'a>,
    is_closed: bool,
    /// Whether all strings have their quotes.
    has_quotes: bool,
}

impl<'a> List<'a> {
    fn at(&self, at: usize) -> Calls<'a> {
        let mut calls = self.start.clone();
        calls.parser.at = at;
        calls
    }

    /// The calls from a position on, and where they end.
    fn calls(&self, at: usize) -> (Vec<Piece<'a>>, usize) {
        let mut calls = self.at(at);
        let mut pieces = Vec::new();
        while !calls.is_over() {
            let from = calls.parser.at;
            let found = calls.call(true);
            let end = calls.parser.at;
            calls.parser.spaces();
            let rest = calls.parser.rest();
            let is_line = calls.parser.text.get(end..calls.parser.at).is_some_and(|blanks| blanks.contains('\n'));
            let is_over =
                rest.is_empty() || is_line || rest.starts_with([',', ';']) || calls.parser.begins_call(calls.parser.at);
            let raw = calls.parser.text.get(from..end).unwrap_or_default();
            // where quotes are missing, a string with an escaped one may have ended too early
            let is_whole = self.has_quotes || !(raw.contains("\\\"") || raw.contains("\\'"));
            if found.is_none() || !is_over || !is_whole {
                return (pieces, from);
            }
            pieces.push((raw, found));
        }
        (pieces, calls.parser.at)
    }

    /// Visits the text outside of strings, with the last character before each. `None` if quotes are missing.
    fn walk(&self, at: usize, visit: &mut dyn FnMut(usize, u8, u8) -> Option<usize>) -> Option<Option<usize>> {
        let mut parser = self.at(at).parser;
        let mut last = b',';
        while let Some(byte) = parser.rest().bytes().next() {
            if matches!(byte, b'"' | b'\'') {
                let begins = matches!(last, b'=' | b',' | b'[' | b'{' | b'(' | b':');
                let is_read = begins && parser.string(true).is_some();
                if !is_read && (self.is_closed || !begins || !parser.is_over()) {
                    return None;
                }
                last = byte;
                continue;
            }
            if let Some(found) = visit(parser.at, last, byte) {
                return Some(Some(found));
            }
            let size = parser.rest().chars().next().map_or(1, char::len_utf8);
            parser.at += size;
            if byte != b' ' {
                last = byte;
            }
        }
        Some(None)
    }

    /// The next call after the one that begins here: the first one outside of its brackets, or in them if they are not closed.
    fn next(&self, from: usize) -> Option<usize> {
        let (mut open, mut is_broken, mut inner) = (Vec::new(), false, None);
        let outer = self.walk(from, &mut |at, last, byte| {
            let is_separated = at > from && matches!(last, b',' | b';' | b')' | b'\n');
            let is_outer = open.is_empty() || is_broken;
            if is_separated && (is_outer || inner.is_none()) && self.start.parser.begins_call(at) {
                inner = inner.or(Some(at));
                if is_outer {
                    return Some(at);
                }
            }
            match byte {
                b'(' | b'[' | b'{' => open.push(byte),
                b')' | b']' | b'}' => {
                    let pair = open.pop().map(|open| (open, byte));
                    is_broken |= pair.is_some_and(|pair| !matches!(pair, (b'(', b')') | (b'[', b']') | (b'{', b'}')));
                }
                _ => {}
            }
            inner.filter(|_| is_broken)
        });
        // where the text is cut off, the first call may be, too
        outer.flatten().or(inner.filter(|_| self.is_closed && !open.is_empty()))
    }

    /// The first call after a position that only calls follow.
    fn last(&self, from: usize) -> Option<usize> {
        let parser = &self.start.parser;
        let text = parser.text.get(from..).filter(|_| self.is_closed)?;
        let names = text.match_indices('(').map(|(at, _)| from + at - word_before(text, at).1.len());
        let mut starts = names.filter(|at| *at > from && parser.begins_call(*at)).take(RESUMES);
        starts.find(|at| self.calls(*at).1 == parser.text.len())
    }
}
