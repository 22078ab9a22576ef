//! Where a call may begin: what surrounds a marker shows whether the text calls a tool or writes about calls.

use super::following::{QUOTES, closes, quoted, shown};
use super::recent::Recent;
use super::scan::{Match, first_of, lines};

use crate::bytes::ByteSet;
use crate::text::formats::words::ELEMENTS;

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

/// The number of blanks that begin a line of code, after an empty line. A tab counts as many.
const INDENT: usize = 4;

/// Begin and end code and quotations within a line.
const MARKS: ByteSet = ByteSet::of(b"`\"");

/// What precedes the text that was not read yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    line: Line,
    before: Before,
    fence: Option<Fence>,
    /// What ends the element or comment that this is in.
    element: Option<&'static str>,
    /// Whether it began before this line.
    in_element: bool,
    /// Whether text precedes.
    any: bool,
    /// Whether only whitespace follows a call or other markup.
    marked: bool,
    /// The last characters.
    tail: [u8; TAIL],
    recent: Recent,
    /// Whether a marker around calls is text, since the last markup.
    shows_call: bool,
}

/// As many characters as the start of an element, and a backtick before it, have.
const TAIL: usize = 7;

/// What precedes a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Text,
    /// Text, and an empty line.
    Blank,
    /// Indented code.
    Code,
}

/// What precedes a position of a text, of which a part was passed.
#[derive(Default)]
pub(super) struct Ahead {
    around: Option<Surroundings>,
    passed: usize,
}

impl Ahead {
    /// What precedes this position, which is not before the last one.
    pub fn at(&mut self, before: &Surroundings, text: &str, at: usize) -> &mut Surroundings {
        let around = self.around.get_or_insert_with(|| before.clone());
        around.pass(text.get(self.passed..at).unwrap_or_default());
        self.passed = at;
        around
    }

    /// What precedes the end of this text.
    pub fn end(mut self, before: &Surroundings, text: &str) -> Surroundings {
        std::mem::take(self.at(before, text, text.len()))
    }
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
    /// Whether the line has other characters than blanks and those of lists and quotations.
    begun: bool,
    /// Whether it has characters of lists and quotations.
    item: bool,
    /// Whether it begins with what precedes an item of a list, a quotation or a title.
    bullet: bool,
    /// The columns of the blanks that it begins with.
    indent: usize,
    /// The first character that is not blank.
    lead: Option<char>,
    /// Whether an example precedes, in this line or in the one that this one continues.
    shown: bool,
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
            let plain = MARKS.before(rest);
            let mark = rest.get(plain).copied();
            if plain > 0 || mark == Some(b'"') {
                (self.code, self.ticks) = (self.code(), 0);
            }
            self.ticks += usize::from(mark == Some(b'`'));
            self.quote ^= mark == Some(b'"');
            rest = rest.get(plain + 1..).unwrap_or_default();
        }
        for one in text.chars().rev().take(2).collect::<Vec<_>>().into_iter().rev() {
            (self.before, self.last) = (self.last, Some(one));
        }
        self.solid = text.trim_end().chars().next_back().or(self.solid);
    }

    /// Whether it is code, by its blanks.
    fn is_indented(&self, before: Before) -> bool {
        match before {
            Before::Text => false,
            Before::Blank => self.indent == INDENT,
            Before::Code => self.indent >= INDENT,
        }
    }

    /// Whether what follows is shown, and not said: it begins indented code, a title, a quotation, an item of a list or a cell of a table.
    fn shows(&self, before: Before) -> bool {
        let is_cell = self.lead == Some('|') && self.solid == Some('|') && self.last != Some('|');
        let is_line = self.lead.is_none() && self.is_indented(before);
        let is_continued = self.shown && (self.lead.is_some() || self.indent > 0);
        is_continued || is_cell || is_line || (self.bullet && !self.begun)
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
        self.marked &= text.trim_ascii_start().is_empty();
        self.recent.pass(text);
        for line in lines(text) {
            self.elements(line);
            self.pass_line(line);
            if line.ends_with('\n') {
                self.end_line();
                continue;
            }
            for byte in line.as_bytes().iter().skip(line.len().saturating_sub(TAIL)) {
                self.tail.rotate_left(1);
                self.tail.iter_mut().next_back().into_iter().for_each(|last| *last = *byte);
            }
        }
    }

    /// Elements and comments begin or end in this part of a line, also where it continues what was read.
    fn elements(&mut self, line: &str) {
        let start = line.get(..line.floor_char_boundary(TAIL)).unwrap_or_default();
        let may_continue = self.element.is_some() || self.tail.contains(&b'<');
        let seam = if may_continue { [&String::from_utf8_lossy(&self.tail), start].concat() } else { String::new() };
        for mut rest in [&*seam, line] {
            loop {
                let found = match self.element {
                    Some(close) => rest.find(close).map(|at| (at, close)),
                    None => first_of(rest, &ELEMENTS.map(|element| element.open)),
                };
                let Some((at, found)) = found else { break };
                let is_named = rest.get(..at).is_some_and(|before| before.ends_with('`'));
                let pair = ELEMENTS.iter().find(|element| element.open == found && !is_named);
                self.element = pair.map(|element| element.close);
                rest = rest.get(at + found.len()..).unwrap_or_default();
            }
        }
    }

    fn end_line(&mut self) {
        let is_blank = self.line.lead.is_none();
        self.before = match self.before {
            Before::Code if is_blank => Before::Code,
            _ if is_blank && self.any => Before::Blank,
            before if self.line.is_indented(before) => Before::Code,
            _ => Before::Text,
        };
        // in a line of text, an element ends with it
        if is_blank || !(self.in_element || self.line.lead == Some('<')) {
            self.element = None;
        }
        self.in_element = self.element.is_some();
        self.line = Line { shown: self.line.shown && !is_blank, ..Line::default() };
        self.tail = [b'\n'; TAIL];
    }

    fn pass_line(&mut self, text: &str) {
        for (at, one) in text.char_indices() {
            if self.line.begun {
                // of a line that ends, only its start matters
                self.line.pass(text.get(at..).filter(|rest| !rest.ends_with('\n')).unwrap_or_default());
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
        let before = (line.before, line.last);
        (line.before, line.last) = (line.last, Some(one));
        if one.is_whitespace() {
            line.bullet |= match before {
                (_, Some('-' | '*' | '+' | '•' | '#' | '>')) => true,
                (Some(digit), Some('.' | ')')) => digit.is_ascii_digit(),
                _ => false,
            };
            let columns = if one == '\t' { INDENT } else { 1 };
            line.indent += if line.lead.is_none() { columns } else { 0 };
            return;
        }
        line.shown &= line.lead.is_some() || line.indent > 0;
        line.lead = line.lead.or(Some(one));
        line.solid = Some(one);
        if !line.begun && (one.is_ascii_digit() || matches!(one, '-' | '*' | '+' | '•' | '#' | '>' | '.' | ')')) {
            line.item = true;
        } else {
            line.begun |= !is_fence;
        }
    }

    /// Markup was read: a call may follow it as at the start of a line.
    pub fn mark(&mut self) {
        self.line = Line::default();
        self.before = Before::Text;
        self.marked = true;
        self.tail = [0; TAIL];
        self.recent = Recent::default();
        self.shows_call = false;
    }

    /// A marker that is text follows, and this after it. If it is in an example, begins a quotation, or `is_inner` in a sentence, all that
    /// belongs to it is text.
    pub fn show(&mut self, is_inner: bool, after: &str) {
        let is_in_sentence = match self.place() {
            Place::Start => false,
            Place::Sentence => is_inner,
            Place::Quoted => !after.starts_with(QUOTES),
        };
        self.line.shown |= is_in_sentence || self.is_example();
    }

    /// The text before this is part of a marker that is text. All that follows in the line is text, too.
    pub fn show_line(&mut self) {
        self.line.shown = true;
    }

    /// The word before this, if there is nothing else in its line.
    pub fn word(&self) -> Option<&str> {
        self.recent.word()
    }

    /// The end of the text that begins with this and has no blanks, and whether it begins the line or follows words.
    pub fn word_from(&self, start: &str) -> Option<(&str, bool)> {
        let (word, is_apart) = self.recent.word_from(start)?;
        Some((word, is_apart && !self.line.bullet && !self.line.is_indented(self.before)))
    }

    /// Whether the line here is no sentence, item of a list or example.
    pub fn begins_text(&self) -> bool {
        self.place() == Place::Start && !self.line.item && !self.recent.in_sentence() && !self.is_example()
    }

    /// Text follows, which may show a marker around calls.
    pub fn show_call(&mut self, is_shown: bool) {
        self.shows_call |= is_shown;
    }

    /// Whether a marker precedes in this line that is text.
    pub fn is_shown(&self) -> bool {
        self.line.shown
    }

    /// Whether a line begins here, or follows markup or a tag.
    pub fn begins_line(&self) -> bool {
        let Line { begun, item, lead, solid, .. } = self.line;
        (!begun && !item) || (lead == Some('<') && solid == Some('>'))
    }

    /// Whether only whitespace follows a call or other markup.
    pub fn is_after_markup(&self) -> bool {
        self.marked
    }

    /// Whether this marker may close a call whose opening marker is missing: what ends arguments or a tag precedes, text without a blank, or one
    /// of the tags in a call. An element of XML has its own opening tag.
    pub fn may_close(&self, marker: &str, tags: &[&str]) -> bool {
        let recent = self.recent.text();
        let is_joined = self.line.last.is_some_and(|last| !last.is_whitespace());
        let is_end = is_joined || recent.trim_end().ends_with(['}', ']', ')', '>']);
        let has_tag = || tags.iter().any(|tag| recent.contains(tag));
        let name = marker.strip_prefix("</").and_then(|tag| tag.strip_suffix('>'));
        let is_element = name.is_some_and(|name| {
            let open = format!("<{name}>");
            !tags.contains(&&*open) && recent.contains(&open)
        });
        !self.shows_call && self.begins_text() && (is_end || has_tag()) && !is_element
    }

    /// The end of the text before this.
    pub fn recent(&self) -> &str {
        self.recent.text()
    }

    /// Whether the next fence closes a block of code.
    pub fn is_fenced(&self) -> bool {
        self.fence.is_some()
    }

    /// Whether no text precedes.
    pub fn is_beginning(&self) -> bool {
        !self.any
    }

    /// Whether this is an example: in a block of code, a comment, a table or the like, or after what opens emphasis or a parenthesis.
    pub fn is_example(&self) -> bool {
        self.fence.is_some_and(|fence| fence.is_example)
            || self.element.is_some()
            || self.line.shows(self.before)
            || matches!(self.line.last, Some('(' | '“' | '‘' | '„' | '«' | '「' | '『'))
            || self.is_emphasised()
    }

    /// Whether emphasis begins: before its characters, there is no word.
    fn is_emphasised(&self) -> bool {
        let is_mark = |byte: &u8| matches!(byte, b'*' | b'_');
        let size = self.tail.iter().rev().take_while(|byte| is_mark(byte)).count();
        let before = self.tail.iter().rev().nth(size).copied().unwrap_or_default();
        size > 0 && (before == 0 || before.is_ascii_whitespace() || matches!(before, b'(' | b'['))
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

    /// Whether a marker before this text follows a quotation mark and is quoted, or in a string: how the text goes on shows it.
    pub fn is_quoted(&self, after: &str, end: bool) -> Match {
        if self.place() == Place::Quoted { quoted(after, end) } else { Match::No }
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
