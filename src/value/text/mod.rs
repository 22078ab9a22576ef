//! The text store: a handle is a slice of UTF-8 JSON. This is the wire path (bytes and strings).
//!
//! The whole text is validated once, up front, so reading never meets bad syntax. Values are written by splicing slices
//! of what was read; strings are decoded only when a conversion looks into them.

mod alike;
mod compare;
mod escape;
mod index;
pub mod number;
mod pointer;
mod scan;
mod side;

use super::{Fault, Field, Fields, Items, Kind, Notice, Store, Value, Word};
use escape::{compact_into, escape_into, stringify_into, unescape_into};
use index::{Indexed, Node, index};
pub use pointer::push_pointer_step;
use scan::{container_end, mentions, scalar_end, skip_space, string_end, string_run_end};
use side::{buffer_of, content_range, raw_of};
use std::borrow::Cow;
use std::collections::HashMap;

/// Marks positions in the side buffer.
const SIDE: u32 = 1 << 31;
/// In the place of a container's number: a part of a string, without quotes around it.
const BARE: u32 = u32::MAX;
/// In the place of a container's number: a string that stands as it is, without escapes.
const PLAIN: u32 = u32::MAX - 2;
/// In the place of the number of a container that has none: where its elements end is looked for.
const UNNUMBERED: u32 = u32::MAX - 1;

/// Where a value stands.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
    /// The number of the container that the value is, if it is one.
    node: u32,
}

/// Keeps one JSON text, what was made beside it, and the text being written.
pub struct TextStore {
    source: Vec<u8>,
    /// Strings and values that were made: decoded argument texts, ids, joined texts.
    side: Vec<u8>,
    nodes: Vec<Node>,
    /// What handles stand for, by their numbers.
    spans: Vec<Span>,
    max_depth: usize,
    notices: Vec<(Notice, String)>,
    out: Vec<u8>,
    /// Where the value under construction starts in `out`, and those around it, outermost first.
    base: usize,
    suspended: Vec<usize>,
}

impl TextStore {
    /// Reads `source`; gives the store and its root value. `max_depth` limits the nesting of everything that is parsed.
    pub fn new(mut source: Vec<u8>, max_depth: usize) -> Result<(TextStore, Value), Fault> {
        let mut nodes = Vec::with_capacity(source.len() / 128 + 8);
        let indexed = index(&mut source, &mut nodes, max_depth)?;
        let out = Vec::with_capacity(source.len() + source.len() / 8 + 256);
        let spans = Vec::with_capacity(source.len() / 32 + 16);
        let mut store = TextStore { source, nodes, spans, out, ..TextStore::empty(max_depth) };
        let root = store.read(&indexed);
        Ok((store, root))
    }

    /// A store for one text after another.
    pub fn empty(max_depth: usize) -> TextStore {
        TextStore {
            source: Vec::new(),
            side: Vec::new(),
            nodes: Vec::new(),
            spans: Vec::new(),
            max_depth,
            notices: Vec::new(),
            out: Vec::new(),
            base: 0,
            suspended: Vec::new(),
        }
    }

    /// Forgets everything and reads `source`; handles given so far are void.
    pub fn reset(&mut self, source: &[u8]) -> Result<Value, Fault> {
        self.source.clear();
        self.source.extend_from_slice(source);
        self.forget_made();
        let indexed = index(&mut self.source, &mut self.nodes, self.max_depth)?;
        Ok(self.read(&indexed))
    }

    /// The root of what was indexed.
    fn read(&mut self, indexed: &Indexed) -> Value {
        let root = Span { start: indexed.start as u32, end: indexed.end as u32, node: indexed.node };
        self.note_surrogates(root, &indexed.lone_surrogates, 0);
        self.issue(root)
    }

    #[inline(always)]
    fn span(&self, value: Value) -> Span {
        span_of(&self.spans, value)
    }

    /// A handle to what stands there.
    #[inline(always)]
    fn issue(&mut self, span: Span) -> Value {
        issue(&mut self.spans, span)
    }

    /// All but the text itself.
    fn forget_made(&mut self) {
        self.side.clear();
        self.nodes.clear();
        self.spans.clear();
        self.notices.clear();
        self.out.clear();
        self.base = 0;
        self.suspended.clear();
    }

    /// The text that was written.
    pub fn into_output(self) -> Vec<u8> {
        self.out
    }

    /// `positions` count from `start`.
    fn note_surrogates(&mut self, root: Span, positions: &[usize], start: usize) {
        for position in positions {
            let pointer = self.pointer_to(root, start + position);
            self.notices.push((Notice::LoneSurrogate, pointer));
        }
    }

    #[inline(always)]
    fn buffer(&self, value: Span) -> &[u8] {
        buffer_of(&self.source, &self.side, value)
    }

    /// The value's text as it stands.
    #[inline(always)]
    fn raw(&self, value: Span) -> &[u8] {
        raw_of(&self.source, &self.side, value)
    }

    /// What stands between a string's quotes.
    #[inline(always)]
    fn raw_content(&self, string: Span) -> &[u8] {
        self.buffer(string).get(content_range(string)).unwrap_or_default()
    }

    fn content(&self, string: Span) -> Cow<'_, [u8]> {
        let raw = self.raw_content(string);
        if string.node == PLAIN {
            return Cow::Borrowed(raw);
        }
        let range = content_range(string);
        // what follows is looked at as well: a key is shorter than what is looked at in one step
        if string_run_end(self.buffer(string), range.start) >= range.end {
            return Cow::Borrowed(raw);
        }
        let mut content = Vec::with_capacity(raw.len());
        unescape_into(&mut content, raw);
        Cow::Owned(content)
    }

    /// The value at `position` and where it ends; `next_node` is the number of the first container at or after it.
    fn value_at(&self, side: u32, position: usize, next_node: &mut u32) -> (Span, usize) {
        let bytes = if side == 0 { &self.source } else { &self.side };
        let mut node = *next_node;
        let end = match bytes.get(position) {
            Some(b'{' | b'[') if node == UNNUMBERED => container_end(bytes, position),
            Some(b'{' | b'[') => match self.nodes.get(node as usize) {
                Some(container) => {
                    *next_node = container.next;
                    container.end as usize
                }
                None => bytes.len(),
            },
            Some(b'"') => {
                let run_end = string_run_end(bytes, position + 1);
                if bytes.get(run_end) == Some(&b'"') {
                    node = PLAIN;
                    run_end + 1
                } else {
                    string_end(bytes, run_end)
                }
            }
            _ => scalar_end(bytes, position),
        };
        (Span { start: position as u32 | side, end: end as u32, node }, end)
    }

    /// Calls `visit` with each member (key, value) or element (itself twice) until it says stop.
    fn each(&self, container: Span, mut visit: impl FnMut(Span, Span) -> bool) {
        let side = container.start & SIDE;
        let bytes = self.buffer(container);
        let mut position = (container.start & !SIDE) as usize;
        let in_object = bytes.get(position) == Some(&b'{');
        let mut next_node = if container.node == UNNUMBERED { UNNUMBERED } else { container.node + 1 };
        loop {
            position = skip_space(bytes, position + 1);
            if matches!(bytes.get(position), None | Some(b'}' | b']')) {
                return;
            }
            let (key, mut end) = self.value_at(side, position, &mut next_node);
            let mut value = key;
            if in_object {
                let colon = skip_space(bytes, end);
                (value, end) = self.value_at(side, skip_space(bytes, colon + 1), &mut next_node);
            }
            if !visit(key, value) {
                return;
            }
            position = skip_space(bytes, end);
            if bytes.get(position) != Some(&b',') {
                return;
            }
        }
    }

    #[inline(always)]
    fn kind_at(&self, value: Span) -> Kind {
        if value.node == BARE {
            return Kind::String;
        }
        match self.buffer(value).get((value.start & !SIDE) as usize) {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    fn text_at(&self, string: Span) -> Cow<'_, str> {
        match self.content(string) {
            // the whole text was found valid: this takes the quick way
            Cow::Borrowed(content) => match std::str::from_utf8(content) {
                Ok(content) => Cow::Borrowed(content),
                Err(_) => String::from_utf8_lossy(content),
            },
            Cow::Owned(content) => Cow::Owned(match String::from_utf8(content) {
                Ok(content) => content,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            }),
        }
    }

    fn number_at(&self, number: Span) -> f64 {
        number::read(self.raw(number))
    }

    /// A comma, unless a value or key starts here.
    #[inline(always)]
    fn separate(&mut self) {
        let starts = self.out.len() == self.base || matches!(self.out.last(), Some(b'{' | b'[' | b':'));
        if !starts {
            self.out.push(b',');
        }
    }
}

/// The text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut json = vec![b'"'];
    escape_into(&mut json, text.as_bytes());
    json.push(b'"');
    String::from_utf8(json).unwrap_or_default()
}

#[inline(always)]
fn span_of(spans: &[Span], value: Value) -> Span {
    spans.get(value.number() as usize).copied().unwrap_or_default()
}

#[inline(always)]
fn issue(spans: &mut Vec<Span>, span: Span) -> Value {
    spans.push(span);
    Value::of(spans.len() as u32 - 1)
}

/// Objects with more members than this look keys up in a table, so that many keys can't make reading quadratic.
const MANY_MEMBERS: usize = 24;

impl Store for TextStore {
    fn kind(&self, value: Value) -> Kind {
        self.kind_at(self.span(value))
    }

    fn fields(&mut self, object: Value, duplicates: &mut Vec<Value>) -> Result<Fields, Fault> {
        let object = self.span(object);
        if self.kind_at(object) != Kind::Object {
            return Ok(Fields::new());
        }
        // taken out, as what is read is borrowed meanwhile
        let mut spans = std::mem::take(&mut self.spans);
        let mut fields = Fields::with_capacity(12);
        let mut by_key: Option<HashMap<Cow<'_, [u8]>, usize>> = None;
        // most keys differ from those before already by this
        let mut seen = 0_u64;
        self.each(object, |key, value| {
            let content = self.content(key);
            let word = Word::of(&content);
            let bit = 1 << (word as u32 % u64::BITS);
            let may_stand_twice = seen & bit != 0;
            seen |= bit;
            let content_of = |field: &Field| self.content(span_of(&spans, field.key));
            let earlier = if !may_stand_twice {
                None
            } else if fields.len() < MANY_MEMBERS {
                fields
                    .iter()
                    .position(|field| field.word == word && (word != Word::Unknown || content_of(field) == content))
            } else {
                let known = |(index, field): (usize, &Field)| (content_of(field), index);
                let by_key = by_key.get_or_insert_with(|| fields.iter().enumerate().map(known).collect());
                by_key.get(&content).copied()
            };
            let [key, value] = [key, value].map(|span| issue(&mut spans, span));
            match earlier.and_then(|index| fields.get_mut(index)) {
                Some(field) => {
                    duplicates.push(key);
                    field.value = value;
                }
                None => {
                    if let Some(by_key) = &mut by_key {
                        by_key.insert(content, fields.len());
                    }
                    fields.push(Field { word, key, value });
                }
            }
            true
        });
        self.spans = spans;
        Ok(fields)
    }

    fn items(&mut self, array: Value) -> Result<Items, Fault> {
        let array = self.span(array);
        if self.kind_at(array) != Kind::Array {
            return Ok(Items::new());
        }
        let first = self.spans.len() as u32;
        let mut spans = std::mem::take(&mut self.spans);
        self.each(array, |item, _| {
            spans.push(item);
            true
        });
        self.spans = spans;
        Ok((first..self.spans.len() as u32).map(Value::of).collect())
    }

    fn text(&self, string: Value) -> Cow<'_, str> {
        self.text_at(self.span(string))
    }

    fn word(&self, string: Value) -> Word {
        let string = self.span(string);
        if self.kind_at(string) == Kind::String { Word::of(&self.content(string)) } else { Word::Unknown }
    }

    fn is_empty(&self, string: Value) -> bool {
        self.raw_content(self.span(string)).is_empty()
    }

    fn holds_nothing(&mut self, container: Value) -> Result<bool, Fault> {
        let bytes = self.raw(self.span(container));
        Ok(skip_space(bytes, 1) + 1 >= bytes.len())
    }

    fn head(&self, string: Value, length: usize) -> Cow<'_, str> {
        let raw = self.raw_content(self.span(string));
        let mut head = raw.get(..length).unwrap_or(raw);
        if string_run_end(head, 0) < head.len() {
            return self.text(string);
        }
        // not in the middle of a character
        while raw.get(head.len()).is_some_and(|byte| byte & 0xc0 == 0x80) {
            head = head.split_last().map_or(head, |(_, rest)| rest);
        }
        String::from_utf8_lossy(head)
    }

    fn number(&self, number: Value) -> f64 {
        self.number_at(self.span(number))
    }

    fn boolean(&self, boolean: Value) -> bool {
        self.raw(self.span(boolean)).first() == Some(&b't')
    }

    fn string(&mut self, content: &str) -> Value {
        let start = self.side.len();
        self.side.push(b'"');
        escape_into(&mut self.side, content.as_bytes());
        self.side.push(b'"');
        self.issue(self.side_ref(start))
    }

    fn tail(&mut self, string: Value, length: usize) -> Value {
        let text = self.span(string);
        let range = content_range(text);
        let head = self.buffer(text).get(range.start..range.start + length);
        if head.is_none_or(|head| string_run_end(head, 0) < length) {
            let rest = self.text(string).get(length..).unwrap_or_default().to_owned();
            return self.string(&rest);
        }
        let start = text.start & SIDE | (range.start + length) as u32;
        self.issue(Span { start, end: range.end as u32, node: BARE })
    }

    fn join(&mut self, strings: &[Value]) -> Value {
        let start = self.side.len();
        self.side.push(b'"');
        for string in strings {
            let string = self.span(*string);
            let range = content_range(string);
            if string.start & SIDE == 0 {
                self.side.extend_from_slice(self.source.get(range).unwrap_or_default());
            } else if range.end <= self.side.len() {
                self.side.extend_from_within(range);
            }
        }
        self.side.push(b'"');
        self.issue(self.side_ref(start))
    }

    fn parse(&mut self, string: Value) -> Result<Value, Fault> {
        let start = self.side.len();
        let string = self.span(string);
        let raw = content_range(string);
        if string.start & SIDE == 0 {
            unescape_into(&mut self.side, self.source.get(raw).unwrap_or_default());
        } else {
            let raw = self.side.get(raw).unwrap_or_default().to_vec();
            unescape_into(&mut self.side, &raw);
        }
        let nodes = self.nodes.len();
        match self.index_side(start) {
            Ok((value, indexed)) => {
                self.note_surrogates(value, &indexed.lone_surrogates, start);
                Ok(self.issue(value))
            }
            Err(fault) => {
                self.side.truncate(start);
                self.nodes.truncate(nodes);
                Err(fault)
            }
        }
    }

    fn stringify(&mut self, value: Value) -> Result<Value, Fault> {
        let value = self.span(value);
        let mut text = Vec::new();
        stringify_into(&mut text, self.raw(value), value.node == BARE);
        let kept = self.keep(&text);
        Ok(self.issue(kept))
    }

    fn is_raw_form(&mut self, raw: Value, parsed: Value) -> bool {
        let (raw, parsed) = (self.span(raw), self.span(parsed));
        let content = self.content(raw);
        let mut compact = Vec::with_capacity(content.len());
        compact_into(&mut compact, self.raw(parsed), false);
        compact != *content || !compare::reprints_alike(self, parsed)
    }

    fn same(&mut self, left: Value, right: Value) -> bool {
        compare::same(self, self.span(left), self.span(right))
    }

    fn mentions(&mut self, value: Value, words: &[Word]) -> bool {
        mentions(self.raw(self.span(value)), words)
    }

    fn take_notices(&mut self) -> Vec<(Notice, String)> {
        std::mem::take(&mut self.notices)
    }

    fn begin_object(&mut self) {
        self.separate();
        self.out.push(b'{');
    }

    fn end_object(&mut self) {
        self.out.push(b'}');
    }

    fn begin_array(&mut self) {
        self.separate();
        self.out.push(b'[');
    }

    fn end_array(&mut self) {
        self.out.push(b']');
    }

    fn key(&mut self, word: Word) {
        self.put_word(word);
        self.out.push(b':');
    }

    fn key_of(&mut self, key: Value) {
        self.put(key);
        self.out.push(b':');
    }

    fn put(&mut self, value: Value) {
        let value = self.span(value);
        self.separate();
        let raw = raw_of(&self.source, &self.side, value);
        if value.node == BARE {
            self.out.push(b'"');
            self.out.extend_from_slice(raw);
            self.out.push(b'"');
        } else {
            self.out.extend_from_slice(raw);
        }
    }

    fn put_stringified(&mut self, value: Value) -> Result<(), Fault> {
        let value = self.span(value);
        self.separate();
        stringify_into(&mut self.out, raw_of(&self.source, &self.side, value), value.node == BARE);
        Ok(())
    }

    fn put_text(&mut self, content: &str) {
        self.separate();
        self.out.push(b'"');
        escape_into(&mut self.out, content.as_bytes());
        self.out.push(b'"');
    }

    fn put_word(&mut self, word: Word) {
        self.separate();
        self.out.extend_from_slice(word.quoted().as_bytes());
    }

    fn put_number(&mut self, number: f64) {
        self.separate();
        number::put(&mut self.out, number);
    }

    fn put_boolean(&mut self, boolean: bool) {
        self.separate();
        self.out.extend_from_slice(if boolean { b"true" } else { b"false" });
    }

    fn put_null(&mut self) {
        self.separate();
        self.out.extend_from_slice(b"null");
    }

    fn start(&mut self) {
        self.suspended.push(self.base);
        self.base = self.out.len();
    }

    fn finish(&mut self) -> Value {
        let start = self.side.len();
        self.side.extend_from_slice(self.out.get(self.base..).unwrap_or_default());
        self.out.truncate(self.base);
        self.base = self.suspended.pop().unwrap_or_default();
        // what was written is valid; deeper than the limit it can still be passed on, only not read again
        let made = self.made(start).unwrap_or_else(|_| self.side_ref(start));
        self.issue(made)
    }

    fn append_json(&mut self, value: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        let value = self.span(value);
        let quote: &[u8] = if value.node == BARE { b"\"" } else { b"" };
        into.extend_from_slice(quote);
        into.extend_from_slice(self.raw(value));
        into.extend_from_slice(quote);
        Ok(())
    }

    fn append_content(&mut self, string: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        into.extend_from_slice(self.raw_content(self.span(string)));
        Ok(())
    }

    fn import(&mut self, json: &[u8]) -> Result<Value, Fault> {
        let start = self.side.len();
        self.side.extend_from_slice(json);
        let made = self.made(start)?;
        Ok(self.issue(made))
    }
}

#[cfg(test)]
mod tests;
