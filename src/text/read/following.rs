//! How a text goes on after a marker shows whether the marker is quoted, in code, or named in a sentence.

use super::scan::{FENCE, Match};

/// Marks that end quotations.
pub(super) const QUOTES: [char; 8] = ['"', '\'', '“', '”', '’', '»', '」', '』'];

/// Whether a quotation ends in the line of this text.
pub(super) fn quoted(after: &str, end: bool) -> Match {
    match after.chars().next() {
        None if !end => return Match::Maybe,
        Some(one) if one == '\\' || QUOTES.contains(&one) => return Match::Yes,
        _ => {}
    }
    let line = shown(after).split('\n').next().unwrap_or_default();
    let is_open = line.len() == after.len() && !end;
    let mut is_first = true;
    for (at, mark) in line.match_indices(QUOTES) {
        let (inner, rest) = (line.get(..at).unwrap_or_default(), line.get(at + mark.len()..).unwrap_or_default());
        // the first one, or one after the end of a call
        if is_first || inner.ends_with(['>', ']', '}', ')', '`']) {
            match rest.chars().next() {
                _ if is_first && inner.ends_with('\\') => return Match::Yes,
                None if is_open => return Match::Maybe,
                Some(one) if !(one.is_whitespace() || ",.:;)]}".contains(one)) => {}
                _ => return Match::Yes,
            }
        }
        is_first = false;
    }
    if is_open { Match::Maybe } else { Match::No }
}

/// The length of the text after a marker in which a backtick ends code, or a quotation mark a quotation.
const CODE: usize = 512;

/// The part of a text after a marker that shows what the marker is.
pub(super) fn shown(after: &str) -> &str {
    after.get(..after.floor_char_boundary(CODE)).unwrap_or_default()
}

/// Whether so many of these marks end code or a quotation in the same line.
pub(super) fn closes(after: &str, mark: char, count: usize, end: bool) -> Match {
    let line = shown(after).split('\n').next().unwrap_or_default();
    let is_open = line.len() == after.len() && !end;
    let mut rest = line;
    while let Some(at) = rest.find(mark) {
        let marks = rest.get(at..).unwrap_or_default();
        let after = marks.trim_start_matches(mark);
        // more of them may follow
        if after.is_empty() && is_open {
            return Match::Maybe;
        }
        if marks.len() - after.len() == count {
            return Match::Yes;
        }
        rest = after;
    }
    if is_open { Match::Maybe } else { Match::No }
}

/// The length of the text after a marker that shows whether it is a sentence.
const WORDS: usize = 64;

/// Whether a marker before this text is markup, and not a word of a sentence: neither punctuation follows, nor words in the same line.
pub(super) fn is_markup(after: &str, end: bool) -> Match {
    let is_blank = |one: char| matches!(one, ' ' | '\t');
    let unknown = if end { Match::Yes } else { Match::Maybe };
    let Some(first) = after.chars().next() else { return unknown };
    // the calls may be in a block of code
    if first == '`' && !after.starts_with(FENCE) && (after.len() > 2 || !FENCE.starts_with(after) || end) {
        return Match::No;
    }
    if first == '`' {
        return if after.len() > 2 { Match::Yes } else { unknown };
    }
    if matches!(first, ',' | ';' | '”' | '’' | '»' | '」' | '』' | '…' | '?' | '!') {
        return Match::No;
    }
    let ends_clause = |rest: &str| match rest.chars().nth(1) {
        None if !end => Match::Maybe,
        Some(one) if !one.is_whitespace() => Match::No,
        _ => Match::Yes,
    };
    if first == '.' {
        return ends_clause(after).not();
    }
    let blanks = after.strip_prefix(':').unwrap_or(after);
    if blanks.is_empty() {
        return unknown;
    }
    if !blanks.starts_with(is_blank) {
        return Match::Yes;
    }
    // two words: a body begins with a bracket, a tag or a name
    let words = blanks.trim_start_matches(is_blank);
    let second = words.trim_start_matches(|one: char| one.is_alphanumeric() || one == '-' || one == '\'');
    if second.len() == words.len() && !words.is_empty() {
        return Match::Yes;
    }
    let third = second.trim_start_matches(is_blank);
    match third.chars().next() {
        None if after.len() < WORDS => unknown,
        None => Match::Yes,
        Some(one) if third.len() < second.len() && (one.is_alphanumeric() || matches!(one, '`' | '<' | '"')) => {
            Match::No
        }
        // a word at the end of a clause
        Some(',' | ';' | '.' | '!' | '?') => ends_clause(third).not(),
        Some(_) => Match::Yes,
    }
}
