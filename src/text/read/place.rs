//! Where a call may begin: what surrounds a marker shows whether the text calls a tool or writes about calls.

use super::scan::{FENCE, Match};
use crate::bytes::ByteSet;
use crate::text::formats::words::CODE_ELEMENTS;

/// The place of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A call may begin here: at the start of a line, or after a sentence or other markup.
    Start,
    /// In a sentence: the text may call a tool, or name the marker.
    Sentence,
    /// After a quotation mark, or after an escape in a string.
    Quoted,
}

/// The number of backticks or tildes that fence a block of code.
const FENCE_LENGTH: usize = 3;
const FENCES: ByteSet = ByteSet::of(b"`~");

/// Begins and ends code within a line.
const CODE_MARK: ByteSet = ByteSet::of(b"`");

/// What precedes the text that was not read yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    line: Line,
    fence: Option<Fence>,
    /// Whether text precedes.
    any: bool,
    /// Whether only whitespace follows a call or other markup.
    marked: bool,
    /// The last characters.
    tail: [u8; TAIL],
}

/// As many characters as the start of an element with code, and a line break, have.
const TAIL: usize = 7;

/// What precedes this position of a text, of which a part was passed.
pub(super) fn around_at<'a>(
    before: &Surroundings,
    around: &'a mut Option<Surroundings>,
    text: &str,
    passed: &mut usize,
    at: usize,
) -> &'a mut Surroundings {
    let around = around.get_or_insert_with(|| before.clone());
    around.pass(text.get(*passed..at).unwrap_or_default());
    *passed = at;
    around
}

/// An open block of code.
#[derive(Clone, Copy, Debug)]
struct Fence {
    of: char,
    length: usize,
    /// Whether text precedes the block, which is then an example. A block at the start of the text may contain the calls.
    is_example: bool,
}

/// The current line up to here.
#[derive(Clone, Debug, Default)]
struct Line {
    /// The number of equal fence characters that the line consists of so far.
    fence: usize,
    /// Whether the line has other characters than blanks and those of lists, quotations and tables.
    begun: bool,
    /// Whether it has characters of lists, quotations and tables.
    item: bool,
    /// Whether it opens a block of code.
    opens: bool,
    /// The number of backticks that opened code, and of those that the line ends with so far.
    code: usize,
    ticks: usize,
    /// Whether the number of quotation marks is odd.
    quote: bool,
    last: Option<char>,
    /// The one before.
    before: Option<char>,
    /// The last character that is not blank.
    solid: Option<char>,
}

impl Line {
    /// More of a line that has begun.
    fn pass(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let plain = CODE_MARK.before(rest);
            if plain > 0 {
                (self.code, self.ticks) = (self.code(), 0);
            }
            let ticks = rest.get(plain..).unwrap_or_default();
            let count = ticks.iter().take_while(|byte| **byte == b'`').count();
            self.ticks += count;
            rest = ticks.get(count..).unwrap_or_default();
        }
        self.quote ^= text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1;
        for one in text.chars().rev().take(2).collect::<Vec<_>>().into_iter().rev() {
            (self.before, self.last) = (self.last, Some(one));
        }
        self.solid = text.trim_end().chars().next_back().or(self.solid);
    }

    /// The number of backticks that opened code which is not closed.
    fn code(&self) -> usize {
        match (self.code, self.ticks) {
            (open, 0) => open,
            (0, ticks) => ticks,
            (open, ticks) if open == ticks => 0,
            (open, _) => open,
        }
    }
}

impl Surroundings {
    /// This text was read, and is no markup.
    pub fn pass(&mut self, text: &str) {
        for byte in text.as_bytes().iter().skip(text.len().saturating_sub(TAIL)) {
            self.tail.rotate_left(1);
            self.tail.iter_mut().next_back().into_iter().for_each(|last| *last = *byte);
        }
        self.marked &= text.trim_ascii_start().is_empty();
        let last = text.bytes().rposition(|byte| byte == b'\n').map_or(0, |at| at + 1);
        let (lines, line) = text.split_at_checked(last).unwrap_or(("", text));
        // of the lines before the last one, only fences matter
        if FENCES.before(lines.as_bytes()) < lines.len() {
            for line in lines.split_inclusive('\n') {
                self.pass_line(line);
                self.line = Line::default();
            }
        } else if !lines.is_empty() {
            self.any |= !lines.trim_ascii_start().is_empty();
            self.line = Line::default();
        }
        self.pass_line(line);
    }

    fn pass_line(&mut self, text: &str) {
        for (at, one) in text.char_indices() {
            if self.line.begun {
                self.line.pass(text.get(at..).unwrap_or_default());
                break;
            }
            self.character(one);
        }
        // the line that opens a block of code is no text
        self.any |= (self.line.begun || self.line.item) && !self.line.opens;
    }

    fn character(&mut self, one: char) {
        let line = &mut self.line;
        let is_fence =
            matches!(one, '`' | '~') && !line.begun && line.last.is_none_or(|last| last == one || last == ' ');
        if one == '`' {
            line.ticks += 1;
        } else {
            // those of a fence open no code in the line
            let code = if line.fence < FENCE_LENGTH { line.code() } else { line.code };
            (line.code, line.ticks) = (code, 0);
        }
        line.fence = if is_fence { line.fence + 1 } else { 0 };
        line.quote ^= one == '"';
        match self.fence {
            Some(fence) if line.opens => self.fence = Some(Fence { length: fence.length.max(line.fence), ..fence }),
            Some(Fence { of, length, .. }) if of == one && line.fence == length => self.fence = None,
            None if line.fence == FENCE_LENGTH => {
                self.fence = Some(Fence { of: one, length: FENCE_LENGTH, is_example: self.any || line.item });
                line.opens = true;
            }
            _ => {}
        }
        (line.before, line.last) = (line.last, Some(one));
        if one.is_whitespace() {
            return;
        }
        line.solid = Some(one);
        if !line.begun && (one.is_ascii_digit() || matches!(one, '-' | '*' | '+' | '>' | '.' | ')')) {
            line.item = true;
        } else {
            line.begun |= !is_fence;
        }
    }

    /// Markup was read: a call may follow it as at the start of a line.
    pub fn mark(&mut self) {
        self.line = Line::default();
        self.marked = true;
        self.tail = [0; TAIL];
    }

    /// Whether only whitespace follows a call or other markup.
    pub fn is_after_markup(&self) -> bool {
        self.marked
    }

    /// Whether the next fence closes a block of code.
    pub fn is_fenced(&self) -> bool {
        self.fence.is_some()
    }

    /// Whether no text precedes.
    pub fn is_beginning(&self) -> bool {
        !self.any
    }

    /// Whether this is in a block of code that is an example, or begins an element with code.
    pub fn is_example(&self) -> bool {
        let tail = self.tail.trim_ascii_end();
        self.fence.is_some_and(|fence| fence.is_example)
            || CODE_ELEMENTS.iter().any(|element| tail.ends_with(element.as_bytes()))
    }

    /// Whether a marker before this text is in code: in a block that is an example, or between backticks in a line.
    pub fn is_code(&self, after: &str, end: bool) -> Match {
        if self.is_example() {
            return Match::Yes;
        }
        match self.line.code() {
            0 => Match::No,
            ticks => closes(after, '`', ticks, end),
        }
    }

    /// Whether a marker before this text is in a quotation that ends in the same line. No markup follows in it.
    pub fn is_quotation(&self, after: &str, end: bool) -> Match {
        if !self.line.quote {
            return Match::No;
        }
        let words = shown(after).split(['<', '[', '{']).next().unwrap_or_default();
        closes(words, '"', 1, end || words.len() < after.len())
    }

    /// Whether a marker before this text is in a string of JSON: the next quotation mark is escaped.
    pub fn is_string(&self, after: &str, end: bool) -> Match {
        if !self.line.quote {
            return Match::No;
        }
        let line = shown(after).split(['\n', '"']).next().unwrap_or_default();
        match after.get(line.len()..).unwrap_or_default().chars().next() {
            None if !end => Match::Maybe,
            Some('"') if line.ends_with('\\') => Match::Yes,
            _ => Match::No,
        }
    }

    /// The place of what follows.
    pub fn place(&self) -> Place {
        let Line { begun, item, before, last, solid, .. } = self.line;
        let is_apart =
            before.is_none_or(|before| before.is_whitespace() || matches!(before, '(' | '[' | '{' | ':' | ','));
        if !begun {
            return if item { Place::Sentence } else { Place::Start };
        }
        match (last, solid) {
            (Some('“' | '‘' | '„' | '«' | '「' | '『'), _) => Place::Quoted,
            // a quotation begins, or text as in JSON ends
            (Some('"' | '\''), _) if is_apart => Place::Quoted,
            // a line break in a string
            (Some('n'), _) if before == Some('\\') => Place::Quoted,
            (Some(last), Some(solid)) if last.is_whitespace() => match solid {
                '.' | '!' | '?' | '…' | '。' | '！' | '？' | '>' | '}' => Place::Start,
                _ => Place::Sentence,
            },
            (Some('(' | '[' | ',' | '/' | '|' | '#' | '='), _) => Place::Sentence,
            _ => Place::Start,
        }
    }
}

/// Marks that end quotations.
const QUOTES: [char; 8] = ['"', '\'', '“', '”', '’', '»', '」', '』'];

/// Whether a marker after a quotation mark is quoted, or in a string: how the text goes on shows it.
pub(super) fn quoted(after: &str, end: bool) -> Match {
    match after.chars().next() {
        None if !end => return Match::Maybe,
        Some(one) if one == '\\' || QUOTES.contains(&one) => return Match::Yes,
        _ => {}
    }
    let line = shown(after).split('\n').next().unwrap_or_default();
    let is_open = line.len() == after.len() && !end;
    let Some((inner, rest)) = line.split_once(QUOTES) else { return if is_open { Match::Maybe } else { Match::No } };
    match rest.chars().next() {
        _ if inner.ends_with('\\') => Match::Yes,
        None if is_open => Match::Maybe,
        Some(one) if !(one.is_whitespace() || ",.:;)]}".contains(one)) => Match::No,
        _ => Match::Yes,
    }
}

/// What follows a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    /// Nothing that shows that the text is about the marker.
    Call,
    /// The rest of a sentence.
    Sentence,
    /// More text is required.
    Unknown,
}

/// The length of the text after a marker in which a backtick ends code, or a quotation mark a quotation.
const CODE: usize = 512;

/// The part of a text after a marker that shows what the marker is.
fn shown(after: &str) -> &str {
    after.get(..after.floor_char_boundary(CODE)).unwrap_or_default()
}

/// Whether so many of these marks end code or a quotation in the same line.
fn closes(after: &str, mark: char, count: usize, end: bool) -> Match {
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

/// Whether a sentence about a marker follows it: punctuation, or words in the same line.
pub(super) fn following(after: &str, end: bool) -> Following {
    let is_blank = |one: char| matches!(one, ' ' | '\t');
    let unknown = if end { Following::Call } else { Following::Unknown };
    let Some(first) = after.chars().next() else { return unknown };
    // the calls may be in a block of code
    if first == '`' && !after.starts_with(FENCE) && (after.len() > 2 || !FENCE.starts_with(after) || end) {
        return Following::Sentence;
    }
    if first == '`' {
        return if after.len() > 2 { Following::Call } else { unknown };
    }
    if matches!(first, ',' | ';' | '”' | '’' | '»' | '」' | '』' | '…' | '?' | '!') {
        return Following::Sentence;
    }
    if !is_blank(first) {
        return Following::Call;
    }
    // two words: a body begins with a bracket, a tag or a name
    let words = after.trim_start_matches(is_blank);
    let second = words.trim_start_matches(|one: char| one.is_alphanumeric() || one == '-' || one == '\'');
    if second.len() == words.len() && !words.is_empty() {
        return Following::Call;
    }
    let third = second.trim_start_matches(is_blank);
    match third.chars().next() {
        None if after.len() < WORDS => unknown,
        None => Following::Call,
        Some(one) if third.len() < second.len() && (one.is_alphanumeric() || matches!(one, '`' | '<' | '"')) => {
            Following::Sentence
        }
        Some(_) => Following::Call,
    }
}
