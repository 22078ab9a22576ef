//! Where a call may begin: what surrounds a marker shows whether the text calls a tool or writes about calls.

use super::scan::{FENCE, Match};
use crate::bytes::ByteSet;

/// The place of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A call may begin here: at the start of a line, or after a sentence or other markup.
    Start,
    /// In a sentence: the text may call a tool, or name the marker.
    Sentence,
    /// After a quotation mark.
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
}

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
    /// Whether the number of backticks is odd, so that this is code.
    code: bool,
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
        while let Some((_, after)) = rest.split_at_checked(CODE_MARK.before(rest) + 1) {
            self.code = !self.code;
            rest = after;
        }
        for one in text.chars().rev().take(2).collect::<Vec<_>>().into_iter().rev() {
            (self.before, self.last) = (self.last, Some(one));
        }
        self.solid = text.trim_end().chars().next_back().or(self.solid);
    }
}

impl Surroundings {
    /// This text was read, and is no markup.
    pub fn pass(&mut self, text: &str) {
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
        let is_fence = matches!(one, '`' | '~')
            && !line.begun
            && !line.item
            && line.last.is_none_or(|last| last == one || last == ' ');
        line.fence = if is_fence { line.fence + 1 } else { 0 };
        line.code ^= one == '`' && !is_fence;
        match self.fence {
            Some(fence) if line.opens => self.fence = Some(Fence { length: fence.length.max(line.fence), ..fence }),
            Some(Fence { of, length, .. }) if of == one && line.fence == length => self.fence = None,
            None if line.fence == FENCE_LENGTH => {
                self.fence = Some(Fence { of: one, length: FENCE_LENGTH, is_example: self.any });
                line.opens = true;
            }
            _ => {}
        }
        (line.before, line.last) = (line.last, Some(one));
        if one.is_whitespace() {
            return;
        }
        line.solid = Some(one);
        if !line.begun && (one.is_ascii_digit() || matches!(one, '-' | '*' | '+' | '>' | '|' | '#' | '.' | ')')) {
            line.item = true;
        } else {
            line.begun |= !is_fence;
        }
    }

    /// Markup was read: a call may follow it as at the start of a line.
    pub fn mark(&mut self) {
        self.line = Line::default();
        self.marked = true;
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

    /// Whether a marker before this text is in code: in a block that is an example, or between backticks in a line.
    pub fn is_code(&self, after: &str, end: bool) -> Match {
        if self.fence.is_some_and(|fence| fence.is_example) {
            return Match::Yes;
        }
        if !self.line.code {
            return Match::No;
        }
        match after.char_indices().find(|(at, one)| matches!(one, '`' | '\n') || *at > CODE) {
            Some((_, '`')) => Match::Yes,
            None if !end => Match::Maybe,
            _ => Match::No,
        }
    }

    /// The place of what follows.
    pub fn place(&self) -> Place {
        let Line { begun, item, before, last, solid, .. } = self.line;
        let is_apart = before.is_none_or(|before| before.is_whitespace() || matches!(before, '(' | '['));
        if !begun {
            return if item { Place::Sentence } else { Place::Start };
        }
        match (last, solid) {
            (Some('“' | '‘' | '„' | '«' | '「' | '『'), _) => Place::Quoted,
            // a quotation begins, or text as in JSON ends
            (Some('"' | '\''), _) if is_apart => Place::Quoted,
            (Some(last), Some(solid)) if last.is_whitespace() => match solid {
                '.' | '!' | '?' | '…' | '。' | '！' | '？' | '>' | '}' => Place::Start,
                _ => Place::Sentence,
            },
            (Some('(' | '[' | ',' | '/' | '|' | '='), _) => Place::Sentence,
            _ => Place::Start,
        }
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

/// The length of the text after a marker in which a backtick ends code.
const CODE: usize = 256;

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
