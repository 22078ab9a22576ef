//! Reads one message: text, reasoning and blocks of calls.

mod plain;

use super::block::BlockReader;
use super::call::{Opening, Origin, Standing};
use super::closed::ClosedStep;
use super::digits::Digits;
use super::event::{Event, Verbatim};
use super::header::{Header, header};
use super::hidden::{Hidden, hidden};
use super::kinds::{self, Facts};
use super::messages::Messages;
use super::out::{BlockKind, Out};
use super::part::Step;
use super::place::{Ahead, Surroundings};
use super::prompt::continued;
use super::ranges::Ranges;
use super::reasoning::{Label, Reasoning, ReasoningStep, labelled};
use super::scan::{Match, Text};
use super::state::ReaderState;
use super::text_markers::TextMarkers;
use super::turn_end::TurnEnd;
use super::unmarked::Unmarked;
use super::{lost, salvage};
use crate::bytes::ByteSet;
use crate::text::Tool;
use crate::text::formats::{After, Format, Pair, by_id};
use crate::text::schema;

/// Reads one message incrementally.
pub struct Reader {
    format: &'static Format,
    facts: Facts,
    tools: Vec<Tool>,
    out: Out,
    digits: Digits,
    /// Text that was not processed yet.
    text: String,
    state: ReaderState,
    markers: TextMarkers,
    /// The bytes that a marker can begin with.
    first: ByteSet,
    /// What precedes the text that was not processed yet.
    around: Surroundings,
    turn_end: TurnEnd,
    /// Whether calls end reasoning that is never closed. Once in a message.
    is_lenient: bool,
    /// For formats whose calls may lack the opening marker.
    unmarked: Option<Unmarked>,
    /// The name in the last header.
    headed: Option<String>,
}

impl Reader {
    /// `prefill` is the end of the prompt, which the model continues. `seed` determines the ids of calls.
    pub fn new(format: &'static Format, tools: Vec<Tool>, prefill: &str, seed: &str) -> Self {
        let format = by_id(format.read_as).unwrap_or(format);
        let kind = kinds::of(format);
        let facts = kind.facts();
        let markers = TextMarkers::of(format, !tools.is_empty());
        let mut first = markers.starts();
        let state = match kind.messages() {
            Some(channels) => ReaderState::Messages(Box::new(Messages::new(channels))),
            // the prompt may end with the marker of a header
            _ if !format.header.is_empty() => ReaderState::Header(false),
            _ if format.reasoning.iter().any(|pair| pair.label().is_some()) => ReaderState::Start,
            _ => ReaderState::Text,
        };
        // the markers of messages end the turn, too
        let turn_end = if let ReaderState::Messages(_) = state { TurnEnd::default() } else { TurnEnd::of(&markers) };
        let out = Out::new(seed, format.after == After::Dropped);
        let unmarked = Unmarked::of(format, &facts);
        if let Some(unmarked) = &unmarked {
            first = unmarked.starts(first, &tools);
        }
        let mut reader = Self {
            format,
            facts,
            tools: schema::resolved(tools),
            out,
            digits: Digits::default(),
            text: String::new(),
            state,
            markers,
            first,
            around: Surroundings::default(),
            turn_end,
            is_lenient: true,
            unmarked,
            headed: None,
        };
        let continued = continued(format, prefill).to_owned();
        let open = format.reasoning.iter().find(|pair| continued.trim_end() == pair.opener());
        match open {
            Some(pair) => reader.state = ReaderState::Reasoning(Reasoning::new(pair, true, true)),
            None => reader.text.push_str(&continued),
        }
        reader
    }

    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Another call of the conversation has this id.
    pub fn reserve(&mut self, id: &str) {
        self.out.reserve(id);
    }

    /// Processes the next piece of text.
    pub fn push(&mut self, piece: &str) -> Vec<Event> {
        self.text.push_str(piece);
        self.run(false)
    }

    /// Reads a message that is complete.
    fn whole(&mut self, text: String) -> Vec<Event> {
        if self.text.is_empty() {
            self.text = text;
        } else {
            self.text.push_str(&text);
        }
        let mut events = self.run(false);
        events.extend(self.end());
        events
    }

    /// The text has ended.
    pub fn end(&mut self) -> Vec<Event> {
        let mut events = self.run(true);
        self.out.close();
        self.out.report();
        events.append(&mut self.events());
        events
    }

    fn run(&mut self, end: bool) -> Vec<Event> {
        let text = std::mem::take(&mut self.text);
        self.out.ranges.iter_mut().for_each(|ranges| ranges.reads(&text));
        let length = if end { self.turn_end.without(&text) } else { self.turn_end.before(&text) };
        let mut at = 0;
        loop {
            let rest = text.get(at..length).unwrap_or_default();
            let (read, more) = self.step(rest, end);
            if let Some(unmarked) = &mut self.unmarked {
                unmarked.pass(rest.get(..read).unwrap_or_default());
            }
            at += read;
            if !more {
                break;
            }
        }
        self.out.ranges.iter_mut().for_each(|ranges| ranges.passes(at));
        self.turn_end.pass(text.get(..at).unwrap_or_default());
        self.text = text;
        self.text.drain(..at);
        self.events()
    }

    /// The events so far.
    fn events(&mut self) -> Vec<Event> {
        self.digits.rewrite(std::mem::take(&mut self.out.events), &self.tools)
    }

    /// Returns the number of bytes that were read, and whether to continue.
    fn step(&mut self, rest: &str, end: bool) -> (usize, bool) {
        let text = Text { text: rest, end };
        match &mut self.state {
            ReaderState::Start => self.start(rest, end),
            ReaderState::Text => self.plain(rest, end),
            ReaderState::Header(is_marked) => {
                let is_marked = *is_marked;
                self.header(rest, is_marked, end)
            }
            ReaderState::Hidden(pair) => {
                let pair = *pair;
                self.hidden(rest, pair, end)
            }
            ReaderState::Reasoning(reasoning) => {
                let begins = |at| {
                    let unmarked = match &self.unmarked {
                        Some(_) if at == rest.len() && !end => Match::Maybe,
                        Some(unmarked) => unmarked.begins(rest, at, &self.tools, end).0,
                        None => Match::No,
                    };
                    unmarked.or(|| self.markers.opens_line(text.from(at), &self.tools, end))
                };
                let step = reasoning.step(text, &self.markers, &begins, &mut self.out);
                self.reasoning(step, rest)
            }
            ReaderState::Closed(closed) => {
                let step = closed.step(text, self.format, &self.tools);
                self.closed(step, rest)
            }
            ReaderState::Messages(messages) => (messages.read(text, &self.tools, &mut self.out), false),
            ReaderState::Block(block) => {
                let mut step = block.step(text, &self.tools, &mut self.out);
                if let Step::Unread(unread) = &step {
                    let is_read = has_other_notation(block, unread.body(text), &self.tools, &mut self.out);
                    step = block.settle(unread, is_read, text, &self.tools, &mut self.out);
                }
                let from = block.from;
                match step {
                    Step::More if end => self.broken(rest, from, rest.len()),
                    Step::More | Step::Unread(_) => (0, false),
                    Step::Called(at) => (at, true),
                    Step::Done(at) => {
                        self.state = ReaderState::Text;
                        self.around.mark();
                        (at, true)
                    }
                    Step::Broken(at) => self.broken(rest, from, at),
                }
            }
        }
    }

    /// A line that is the rest of a reasoning marker begins reasoning.
    fn start(&mut self, rest: &str, end: bool) -> (usize, bool) {
        self.state = ReaderState::Text;
        match labelled(self.format.reasoning, Text { text: rest, end }) {
            Label::None => (0, true),
            Label::More => {
                self.state = ReaderState::Start;
                (0, false)
            }
            Label::Opens(pair, size) => {
                self.state = self.begin_reasoning(pair);
                (size, true)
            }
        }
    }

    fn begin_reasoning(&self, pair: &'static Pair) -> ReaderState {
        ReaderState::Reasoning(Reasoning::new(pair, false, self.is_lenient))
    }

    fn reasoning(&mut self, step: ReasoningStep, rest: &str) -> (usize, bool) {
        let read = match step {
            ReasoningStep::More(at) => return (at, false),
            ReasoningStep::Marker(at) => return (at, true),
            ReasoningStep::Unclosed if !self.ends_with_call(rest) => {
                self.out.reasoning(rest);
                return (rest.len(), false);
            }
            ReasoningStep::Unclosed => {
                self.out.close();
                self.is_lenient = false;
                0
            }
            ReasoningStep::None => 0,
            ReasoningStep::Done(at) => {
                self.around.mark();
                at
            }
        };
        self.state = ReaderState::Text;
        (read, true)
    }

    /// Whether a call is the last part of a text. If the model continues after the call, it only considers the call. Without a marker, there
    /// must be no other text.
    fn ends_with_call(&self, text: &str) -> bool {
        let is_declared = |name: &str| self.tools.is_empty() || self.tools.iter().any(|tool| tool.name == name);
        let mut reader = Self { is_lenient: false, ..Self::new(self.format, self.tools.clone(), "", "") };
        let events = reader.whole(text.to_owned());
        let is_blank = |event: &&Event| matches!(event, Event::Text { text, .. } if text.trim().is_empty());
        let is_call = |event: &Event| matches!(event, Event::CallEnd { name, .. } if is_declared(name));
        let last = events.iter().rev().find(|event| !is_blank(event)).is_some_and(is_call);
        let is_marked = self.markers.calls(true).any(|marker| text.starts_with(marker));
        let has_text = || events.iter().any(|event| matches!(event, Event::Text { .. }) && !is_blank(&event));
        last && (is_marked || !has_text())
    }

    /// Which pieces can be emitted before they are pushed. They must be pushed with the next piece.
    pub fn verbatim(&self) -> Verbatim {
        let emits = |kind| self.text.is_empty() && self.out.continues(kind);
        match &self.state {
            ReaderState::Text if emits(BlockKind::Text) => Verbatim::Text,
            ReaderState::Reasoning(reasoning) if reasoning.is_begun() && emits(BlockKind::Reasoning) => Verbatim::Text,
            ReaderState::Block(block) => block.verbatim(self.text.len()),
            _ => Verbatim::None,
        }
    }

    /// The characters that a marker can begin with, for a class of a regular expression.
    pub fn marker_starts(&self) -> String {
        // reasoning may end at a line that begins a call
        let has_lines = !self.format.reasoning.is_empty()
            && (self.unmarked.is_some() || self.markers.calls(false).next().is_some());
        let is_start = |byte: u8| self.first.has(byte) || self.turn_end.starts(byte) || (has_lines && byte == b'\n');
        let starts = (0..0x80).filter(|byte| is_start(*byte)).map(|byte| format!("\\x{byte:02x}"));
        let others = if self.first.has(0x80) { "\\x80-\\uffff" } else { "" };
        starts.chain([others.to_owned()]).collect()
    }

    /// Text after the marker of a header that is none is plain text.
    fn header(&mut self, rest: &str, is_marked: bool, end: bool) -> (usize, bool) {
        let text = Text { text: rest, end };
        let found = header(text, is_marked, self.format.call.open, &self.markers, &self.tools);
        if matches!(found, Header::More) {
            return (0, false);
        }
        self.state = ReaderState::Text;
        match found {
            Header::Cut(name) => {
                lost::cut(self.origin(), Some(name.to_owned()), rest, &mut self.out);
                (rest.len(), false)
            }
            Header::Read(size, name) => {
                self.headed = Some(name).filter(|name| !name.is_empty()).map(str::to_owned);
                (size, true)
            }
            Header::More | Header::Text => (0, true),
        }
    }

    fn closed(&mut self, step: ClosedStep, rest: &str) -> (usize, bool) {
        match step {
            ClosedStep::More => (0, false),
            ClosedStep::Calls(standing) => {
                self.state = ReaderState::Block(Box::new(BlockReader::closed(self.format, standing)));
                (0, true)
            }
            ClosedStep::Text(end) => {
                self.state = ReaderState::Text;
                self.text(rest.get(..end).unwrap_or_default());
                (end, true)
            }
            // its bracket is text, and no other one is searched for its end
            ClosedStep::Open => {
                self.unmarked.iter_mut().for_each(Unmarked::close);
                self.state = ReaderState::Text;
                (0, true)
            }
        }
    }

    fn hidden(&mut self, rest: &str, pair: &'static Pair, end: bool) -> (usize, bool) {
        let found = hidden(Text { text: rest, end }, pair);
        if matches!(found, Hidden::More) {
            return (0, false);
        }
        self.state = ReaderState::Text;
        if let Hidden::Markup(size) = found {
            self.out.lose("markup in the text was dropped", rest.get(..size).unwrap_or_default());
            return (size, true);
        }
        self.text(pair.open);
        (pair.open.len(), true)
    }

    /// The supposed block is plain text.
    fn broken(&mut self, rest: &str, from: usize, at: usize) -> (usize, bool) {
        self.state = ReaderState::Text;
        let at = if at > from {
            at
        } else {
            from + rest.get(from..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
        };
        let text = rest.get(from..at).unwrap_or_default();
        let text = text.get(..self.next_call(text)).unwrap_or_default();
        let is_shown = self.tools.is_empty() || !self.around.begins_text();
        self.text(text);
        self.around.show_call(is_shown);
        (from + text.len(), true)
    }

    /// The length of the text before a call that is marked. What looked like a call without a marker may precede one.
    fn next_call(&self, text: &str) -> usize {
        let marker = self.format.call.open;
        let may_follow = self.facts.has_head && !marker.is_empty() && !text.starts_with(marker);
        text.find(marker).filter(|_| may_follow).unwrap_or(text.len())
    }

    /// Emits text.
    fn text(&mut self, text: &str) {
        self.rest(text, Ahead::default());
    }

    /// Emits text, of which a part was passed.
    fn rest(&mut self, text: &str, ahead: Ahead) {
        self.out.text(text);
        self.around = ahead.end(&self.around, text);
    }

    /// That of a call after its marker.
    fn origin(&self) -> Origin {
        kinds::origin(self.format, Standing::Certain, Opening::Marked)
    }
}

/// Emits the calls of a text that has another notation than that of its block. Returns false if there are none.
fn has_other_notation(block: &BlockReader, body: &str, tools: &[Tool], out: &mut Out) -> bool {
    let origin = kinds::origin(block.format(), block.standing, Opening::Marked);
    let read = |drift| read_calls(drift, tools.to_vec(), "", "", body.to_owned());
    salvage::calls(origin, body, tools, out) || salvage::drifted_calls(origin, &read, tools, out)
}

/// Reads a whole message.
pub fn read(format: &'static Format, tools: Vec<Tool>, prefill: &str, seed: &str, text: &str) -> Vec<Event> {
    Reader::new(format, tools, prefill, seed).whole(text.to_owned())
}

/// Reads a whole message. Arguments are in the ends of their calls only.
pub fn read_calls(format: &'static Format, tools: Vec<Tool>, prefill: &str, seed: &str, text: String) -> Vec<Event> {
    let mut reader = Reader::new(format, tools, prefill, seed);
    reader.out.has_deltas = false;
    reader.whole(text)
}

/// Reads a whole message like [`read_calls`]. Its text, and long arguments that are strings, are ranges of it, in UTF-16 code units. It has
/// `length` of these.
pub fn read_ranges(
    format: &'static Format,
    tools: Vec<Tool>,
    prefill: &str,
    seed: &str,
    text: String,
    length: usize,
) -> (Vec<Event>, Ranges) {
    let mut reader = Reader::new(format, tools, prefill, seed);
    reader.out.has_deltas = false;
    // all other characters have more bytes than code units
    let is_ascii = length == text.len();
    if reader.text.is_empty() {
        reader.out.ranges = Some(Ranges::new(is_ascii));
    }
    let other = (!is_ascii).then(|| text.clone());
    let events = reader.whole(text);
    let mut ranges = reader.out.ranges.unwrap_or_default();
    other.iter().for_each(|text| ranges.count_units(text));
    (events, ranges)
}
