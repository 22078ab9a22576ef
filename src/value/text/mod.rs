//! The text store: a handle is a slice of UTF-8 JSON. This is the wire path (bytes and strings).
//!
//! The whole text is validated once, up front, so reading never meets bad syntax. Values are written by splicing slices
//! of what was read; strings are decoded only when a conversion looks into them.

pub mod base64;
mod compare;
mod compress;
mod escape;
mod index;
mod made;
pub mod number;
pub mod percent;
mod pieces;
mod pointer;
mod reuse;
mod scan;
mod split;
mod store;

use super::{Backend, Fault, Field, Fields, Items, Keys, Kind, Notice, Value, Word};
pub use escape::unescape_into;
use escape::{append_part, compact_into, escape_into, stringify_into};
pub use index::plain_string_end;
use index::{ESCAPED, Indexed, Node, PLAIN, index, require_utf8};
use made::{buffer_of, content_range, raw_of};
use pieces::{LONG, Piece, long_piece};
pub use pointer::push_pointer_step;
use scan::{container_end, mentions, scalar_end, skip_space, string_end};
pub use scan::{starts_with, string_run_end};
pub use split::split_around;
use std::borrow::Cow;
use std::ops::Range;

/// Marks positions in the side buffer.
const SIDE: u32 = 1 << 31;
/// In the place of a container's number: a part of a string, without quotes around it.
const UNQUOTED: u32 = u32::MAX;
/// In the place of the number of a container that has none: where its elements end is looked for.
const UNINDEXED: u32 = u32::MAX - 1;
/// The same of a made container with pieces that stand elsewhere.
const SPLIT: u32 = u32::MAX - 4;

/// Room for what is written, at first: a large body is mostly passed on piece by piece.
const FIRST_OUTPUT: usize = 65_536;

/// Where a value stands.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
    /// The number of the container that the value is, if it is one.
    node: u32,
}

/// What is to be read.
#[derive(Clone)]
pub enum Source {
    /// Of a string: whoever made it took care that it is UTF-8.
    String(Vec<u8>),
    Bytes(Vec<u8>),
}

impl Source {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Source::String(bytes) | Source::Bytes(bytes) => bytes,
        }
    }

    fn into_utf8(self) -> Result<Vec<u8>, Fault> {
        match self {
            Source::String(text) => Ok(text),
            Source::Bytes(bytes) => require_utf8(&bytes).map(|()| bytes),
        }
    }
}

/// Keeps one JSON text, what was made beside it, and the text being written.
pub struct TextStore {
    source: Vec<u8>,
    /// Whether it is written as JSON.stringify would write it, but for its numbers and the order of its keys.
    is_compact: bool,
    /// Strings and values that were made: decoded argument texts, ids, joined texts.
    side: Vec<u8>,
    /// What is left out of values in `side`, in order.
    holes: Vec<Piece>,
    nodes: Vec<Node>,
    /// What handles stand for, by their numbers.
    spans: Vec<Span>,
    max_depth: usize,
    notices: Vec<(Notice, String)>,
    out: Vec<u8>,
    /// Pieces of so many bytes are left out of it.
    long_piece: usize,
    /// What is left out of `out`, in order.
    pieces: Vec<Piece>,
    /// Where the value under construction starts in `out`, and those around it, outermost first.
    base: usize,
    suspended: Vec<usize>,
}

impl TextStore {
    /// Reads `source`; gives the store and its root value. `max_depth` limits the nesting of everything that is parsed.
    pub fn new(source: Source, max_depth: usize) -> Result<(TextStore, Value), Fault> {
        let mut source = source.into_utf8()?;
        let mut store = TextStore::reused();
        store.max_depth = max_depth;
        store.nodes.reserve(source.len() / 128 + 8);
        let indexed = index(&mut source, &mut store.nodes, max_depth)?;
        store.long_piece = long_piece(&source);
        // an estimate: each container and long string brings about so much that is not left out
        let copied = FIRST_OUTPUT + store.long_piece / 4 * store.nodes.len();
        store.out.reserve((source.len() + source.len() / 8).min(copied) + 256);
        store.spans.reserve((source.len() / 32).clamp(32, 1024));
        store.source = source;
        let root = store.read(&indexed);
        Ok((store, root))
    }

    /// A store for one text after another.
    pub fn empty(max_depth: usize) -> TextStore {
        TextStore {
            source: Vec::new(),
            is_compact: false,
            side: Vec::new(),
            holes: Vec::new(),
            nodes: Vec::new(),
            spans: Vec::new(),
            max_depth,
            notices: Vec::new(),
            out: Vec::new(),
            long_piece: LONG,
            pieces: Vec::new(),
            base: 0,
            suspended: Vec::new(),
        }
    }

    /// Forgets everything and reads `source`; handles given so far are void.
    pub fn reset(&mut self, source: &[u8]) -> Result<Value, Fault> {
        self.source.clear();
        self.source.extend_from_slice(source);
        self.forget_made();
        require_utf8(&self.source)?;
        let indexed = index(&mut self.source, &mut self.nodes, self.max_depth)?;
        Ok(self.read(&indexed))
    }

    /// The root of what was indexed.
    fn read(&mut self, indexed: &Indexed) -> Value {
        let root = Span { start: indexed.start as u32, end: indexed.end as u32, node: indexed.node };
        self.is_compact = indexed.is_compact;
        self.note_surrogates(root, &indexed.lone_surrogates, 0);
        self.issue(root, self.kind_at(root))
    }

    #[inline(always)]
    fn span(&self, value: Value) -> Span {
        span_of(&self.spans, value)
    }

    /// A handle to what stands there.
    #[inline(always)]
    fn issue(&mut self, span: Span, kind: Kind) -> Value {
        issue(&mut self.spans, span, kind)
    }

    /// All but the text itself.
    fn forget_made(&mut self) {
        let TextStore {
            source: _,
            is_compact: _,
            side,
            holes,
            nodes,
            spans,
            max_depth: _,
            notices,
            out,
            long_piece: _,
            pieces,
            base,
            suspended,
        } = self;
        side.clear();
        holes.clear();
        nodes.clear();
        spans.clear();
        notices.clear();
        out.clear();
        pieces.clear();
        *base = 0;
        suspended.clear();
    }

    /// The text that was read.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// Where halves of surrogate pairs stood in `original`, the text that was read last: in which places and in which values.
    pub fn lone_surrogates<'a>(&'a self, original: &'a [u8]) -> impl Iterator<Item = (usize, &'a str)> {
        // others were put in their place
        let differs = |position: &usize| self.source.get(*position) != original.get(*position);
        let is_new = move |position: &usize| differs(position) && original.get(position - 2) == Some(&b'\\');
        let positions = (2..original.len()).filter(is_new).map(|position| position - 2);
        // most texts have none: then they are not looked through
        self.notices.iter().zip(positions).map(|((_, pointer), position)| (position, pointer.as_str()))
    }

    /// Where a value stands in the text that was read, if it does.
    pub fn place(&self, value: Value) -> Option<Range<usize>> {
        let span = self.span(value);
        (span.start & SIDE == 0 && span.node != UNQUOTED).then_some(span.range())
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
        // what follows is looked at as well: a short string is shorter than what is looked at in one step
        if string_run_end(self.buffer(string), range.start) >= range.end {
            return Cow::Borrowed(raw);
        }
        let mut content = Vec::with_capacity(raw.len());
        unescape_into(&mut content, raw);
        Cow::Owned(content)
    }

    /// The value at `position`; `next_node` is the number of the first container at or after it.
    fn value_at(&self, side: u32, position: usize, next_node: &mut u32) -> (Span, Kind) {
        let bytes = if side == 0 { &self.source } else { &self.side };
        let mut node = *next_node;
        let kind = kind_of(bytes.get(position));
        let end = match kind {
            Kind::Object | Kind::Array if node == UNINDEXED => container_end(bytes, position),
            Kind::Object | Kind::Array => match self.nodes.get(node as usize) {
                Some(container) => {
                    *next_node = container.next;
                    container.end as usize
                }
                None => bytes.len(),
            },
            Kind::String => match self.nodes.get(node as usize) {
                Some(long) if long.start == position as u32 | side => {
                    *next_node += 1;
                    node = long.next;
                    long.end as usize
                }
                Some(_) | None => {
                    let run_end = string_run_end(bytes, position + 1);
                    let is_plain = bytes.get(run_end) == Some(&b'"');
                    node = if is_plain { PLAIN } else { ESCAPED };
                    if is_plain { run_end + 1 } else { string_end(bytes, run_end) }
                }
            },
            Kind::Null | Kind::Boolean | Kind::Number | Kind::Other => scalar_end(bytes, position),
        };
        (Span { start: position as u32 | side, end: end as u32, node }, kind)
    }

    /// Calls `visit` with each member (key, value, kind) or element (itself twice, kind) until it says stop.
    fn each(&self, container: Span, mut visit: impl FnMut(Span, Span, Kind) -> bool) {
        let side = container.start & SIDE;
        let bytes = self.buffer(container);
        let mut position = (container.start & !SIDE) as usize;
        let in_object = bytes.get(position) == Some(&b'{');
        let mut next_node = if container.node == UNINDEXED { UNINDEXED } else { container.node + 1 };
        loop {
            position = skip_space(bytes, position + 1);
            if matches!(bytes.get(position), None | Some(b'}' | b']')) {
                return;
            }
            let (key, mut kind) = self.value_at(side, position, &mut next_node);
            let mut value = key;
            if in_object {
                let colon = skip_space(bytes, key.end as usize);
                (value, kind) = self.value_at(side, skip_space(bytes, colon + 1), &mut next_node);
            }
            if !visit(key, value, kind) {
                return;
            }
            position = skip_space(bytes, value.end as usize);
            if bytes.get(position) != Some(&b',') {
                return;
            }
        }
    }

    #[inline(always)]
    fn kind_at(&self, value: Span) -> Kind {
        if value.node == UNQUOTED {
            return Kind::String;
        }
        kind_of(self.buffer(value).get((value.start & !SIDE) as usize))
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
        if !self.is_separated() {
            self.out.push(b',');
        }
    }

    #[inline(always)]
    fn is_separated(&self) -> bool {
        self.out.len() == self.base || matches!(self.out.last(), Some(b'{' | b'[' | b':'))
    }
}

/// What a string says that stands like this between its quotes.
pub fn unescaped(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut content = Vec::with_capacity(raw.len());
    unescape_into(&mut content, raw);
    Cow::Owned(content)
}

/// ASCII letters as small ones. In one place, as many want it.
#[inline(never)]
pub fn lowercase(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// Whether a text is made of letters and digits of ASCII, and of `marks` of ASCII: what names and ids are made of.
#[inline(never)]
pub fn is_plain(text: &str, marks: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.bytes().any(|mark| mark == byte))
}

/// The same text with `_` for every other character.
pub fn plain(text: &str, marks: &str) -> String {
    // not `contains`: that is kilobytes
    let is_taken = |character: char| character.is_ascii_alphanumeric() || marks.chars().any(|mark| mark == character);
    text.chars().map(|character| if is_taken(character) { character } else { '_' }).collect()
}

/// The text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut json = vec![b'"'];
    escape_into(&mut json, text.as_bytes());
    json.push(b'"');
    String::from_utf8_lossy(&json).into_owned()
}

#[inline(always)]
fn span_of(spans: &[Span], value: Value) -> Span {
    spans.get(value.number() as usize).copied().unwrap_or_default()
}

#[inline(always)]
fn issue(spans: &mut Vec<Span>, span: Span, kind: Kind) -> Value {
    spans.push(span);
    Value::of(spans.len() as u32 - 1, kind)
}

/// What a value is that begins like this.
#[inline(always)]
fn kind_of(first: Option<&u8>) -> Kind {
    match first {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b'"') => Kind::String,
        Some(b't' | b'f') => Kind::Boolean,
        Some(b'n') | None => Kind::Null,
        Some(_) => Kind::Number,
    }
}

#[cfg(test)]
mod tests;
