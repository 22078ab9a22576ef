//! The text store: a handle is a slice of UTF-8 JSON. This is the backend for bytes and strings.
//!
//! The whole text is validated once, up front, so reading never meets invalid syntax. Values are written by copying slices of the input; strings are
//! decoded only if a conversion looks at them.

pub mod base64;
mod compare;
mod compress;
mod escape;
mod index;
mod made;
mod members;
pub mod number;
mod pieces;
mod pointer;
mod reuse;
mod scan;
mod split;
mod store;
#[cfg(feature = "trace")]
mod trace;
#[cfg(not(feature = "trace"))]
#[path = "trace/off.rs"]
mod trace;

use super::{Backend, Fault, Field, Fields, Items, Keys, Kind, Notice, Value, Word};
use escape::{append_part, compact_into, stringify_into};
pub use escape::{escape_into, unescape_into};
pub use index::plain_string_end;
use index::{ESCAPED, IndexNode, Indexed, PLAIN, index, require_utf8};
use made::{buffer_of, content_range, raw_of};
pub use members::members;
use pieces::{LONG, Piece, long_piece};
pub use pointer::push_pointer_step;
use scan::{container_end, mentions, scalar_end, skip_space, string_end};
pub use scan::{starts_with, string_run_end};
pub use split::split_around;
use std::borrow::Cow;
use std::ops::Range;
#[cfg(not(feature = "trace"))]
use trace::How;
use trace::Trace;
#[cfg(feature = "trace")]
pub use trace::{How, Mapped};

/// Marks positions in the side buffer.
const SIDE: u32 = 1 << 31;
/// In place of a node number: a part of a string, without quotes around it.
const UNQUOTED: u32 = u32::MAX;
/// In place of a node number: a container that was not indexed. Its end is found by scanning.
const UNINDEXED: u32 = u32::MAX - 1;
/// In place of a node number: a made container with holes (see `pieces.rs`).
const SPLIT: u32 = u32::MAX - 4;

/// Initial capacity of the output. Most of a large body is not copied into it.
const FIRST_OUTPUT: usize = 65_536;

/// The position of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
    /// The node number of the value, or one of the constants above.
    node: u32,
}

/// The text to read.
#[derive(Clone)]
pub enum Source {
    /// A string, which its creator guarantees to be UTF-8.
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

/// Contains one JSON text, the values that were made from it, and the text that is being written.
pub struct TextStore {
    source: Vec<u8>,
    /// Whether the text is as `JSON.stringify` prints it, apart from numbers and the order of keys.
    is_compact: bool,
    /// Strings and values that were made: decoded argument texts, ids, joined texts.
    side: Vec<u8>,
    /// The pieces that were left out of values in `side`, in order.
    holes: Vec<Piece>,
    nodes: Vec<IndexNode>,
    /// The span of each handle, by the number in the handle.
    spans: Vec<Span>,
    max_depth: usize,
    notices: Vec<(Notice, String)>,
    out: Vec<u8>,
    /// Pieces of at least this length are left out of `out`.
    long_piece: usize,
    /// The pieces that were left out of `out`, in order.
    pieces: Vec<Piece>,
    /// Where the value under construction starts in `out`; and those around it, outermost first.
    base: usize,
    suspended: Vec<usize>,
    /// Where what was made came from.
    trace: Trace,
}

impl TextStore {
    /// Reads `source` and returns the store and the root value. `max_depth` limits the nesting of everything that is parsed.
    pub fn new(source: Source, max_depth: usize) -> Result<(TextStore, Value), Fault> {
        let mut source = source.into_utf8()?;
        let mut store = TextStore::reused();
        store.max_depth = max_depth;
        store.nodes.reserve(source.len() / 128 + 8);
        let indexed = index(&mut source, &mut store.nodes, max_depth)?;
        store.long_piece = long_piece(&source);
        // an estimate of what is copied for each container and long string
        let copied = FIRST_OUTPUT + store.long_piece / 4 * store.nodes.len();
        store.out.reserve((source.len() + source.len() / 8).min(copied) + 256);
        store.spans.reserve((source.len() / 32).clamp(32, 1024));
        store.source = source;
        let root = store.read(&indexed);
        Ok((store, root))
    }

    /// A store that reads one text after another.
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
            trace: Trace::default(),
        }
    }

    /// Discards everything and reads `source`. Handles issued so far become invalid.
    pub fn reset(&mut self, source: &[u8]) -> Result<Value, Fault> {
        self.source.clear();
        self.source.extend_from_slice(source);
        self.forget_made();
        require_utf8(&self.source)?;
        let indexed = index(&mut self.source, &mut self.nodes, self.max_depth)?;
        Ok(self.read(&indexed))
    }

    /// The root value of an indexed text.
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

    /// Issues a handle for a span.
    #[inline(always)]
    fn issue(&mut self, span: Span, kind: Kind) -> Value {
        issue(&mut self.spans, span, kind)
    }

    /// Discards everything but the text that was read.
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
            trace,
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
        trace.clear();
    }

    /// The text that was read.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The lone surrogates of `original`, the text that was read last: the position of each, and a JSON Pointer to its value.
    pub fn lone_surrogates<'a>(&'a self, original: &'a [u8]) -> impl Iterator<Item = (usize, &'a str)> {
        // a replaced escape differs from the original
        let differs = |position: &usize| self.source.get(*position) != original.get(*position);
        let is_new = move |position: &usize| differs(position) && original.get(position - 2) == Some(&b'\\');
        let positions = (2..original.len()).filter(is_new).map(|position| position - 2);
        // most texts have none and are not scanned
        self.notices.iter().zip(positions).map(|((_, pointer), position)| (position, pointer.as_str()))
    }

    /// The position of a value in the text that was read, if it is there.
    pub fn place(&self, value: Value) -> Option<Range<usize>> {
        let span = self.span(value);
        (span.start & SIDE == 0 && span.node != UNQUOTED).then_some(span.range())
    }

    /// `positions` are relative to `start`.
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

    /// The value's text.
    #[inline(always)]
    fn raw(&self, value: Span) -> &[u8] {
        raw_of(&self.source, &self.side, value)
    }

    /// The text between a string's quotes.
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
        // also scans what follows: a short string is shorter than one step
        if string_run_end(self.buffer(string), range.start) >= range.end {
            return Cow::Borrowed(raw);
        }
        let mut content = Vec::with_capacity(raw.len());
        unescape_into(&mut content, raw);
        Cow::Owned(content)
    }

    /// The value at `position`. `next_node` is the number of the first node at or after it.
    fn value_at(&self, side: u32, position: usize, next_node: &mut u32) -> (Span, Kind) {
        let bytes = if side == 0 { &self.source } else { &self.side };
        let node = *next_node;
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
            Kind::String => return (self.string_at(side, position, next_node), kind),
            Kind::Null | Kind::Boolean | Kind::Number | Kind::Other => scalar_end(bytes, position),
        };
        (Span { start: position as u32 | side, end: end as u32, node }, kind)
    }

    /// The same for a string.
    fn string_at(&self, side: u32, position: usize, next_node: &mut u32) -> Span {
        let bytes = if side == 0 { &self.source } else { &self.side };
        let start = position as u32 | side;
        let (end, node) = match self.nodes.get(*next_node as usize) {
            Some(long) if long.start == start => {
                *next_node += 1;
                (long.end as usize, long.next)
            }
            Some(_) | None => match string_run_end(bytes, position + 1) {
                run_end if bytes.get(run_end) == Some(&b'"') => (run_end + 1, PLAIN),
                run_end => (string_end(bytes, run_end), ESCAPED),
            },
        };
        Span { start, end: end as u32, node }
    }

    /// Calls `visit` with each member (key, value, kind) or element (the value twice, kind) until it returns false.
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
            let key = in_object.then(|| self.string_at(side, position, &mut next_node));
            if let Some(key) = key {
                let colon = skip_space(bytes, key.end as usize);
                position = skip_space(bytes, colon + 1);
            }
            let (value, kind) = self.value_at(side, position, &mut next_node);
            if !visit(key.unwrap_or(value), value, kind) {
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
            // the whole text is known to be valid, so this check is fast
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

    /// Writes a comma, unless this is the first value of a container or follows a key.
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

/// The content of a string with this text between its quotes.
pub fn unescaped(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut content = Vec::with_capacity(raw.len());
    unescape_into(&mut content, raw);
    Cow::Owned(content)
}

/// Lowercases ASCII letters. A function because it has many callers.
#[inline(never)]
pub fn lowercase(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// Whether a text consists of ASCII letters and digits and of `marks` (ASCII), as names and ids do.
#[inline(never)]
pub fn is_plain(text: &str, marks: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.bytes().any(|mark| mark == byte))
}

/// The text with `_` in place of every other character.
pub fn plain(text: &str, marks: &str) -> String {
    // not `contains`, which would add kilobytes
    let is_taken = |character: char| character.is_ascii_alphanumeric() || marks.chars().any(|mark| mark == character);
    text.chars().map(|character| if is_taken(character) { character } else { '_' }).collect()
}

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

/// The kind of a value that starts with this byte.
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
