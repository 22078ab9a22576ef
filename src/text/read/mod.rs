//! Reads text that contains calls, at once or incrementally. Both emit the same events.

mod block;
mod call;
mod detect;
mod digits;
mod event;
mod guess;
mod kinds;
mod lost;
mod markers;
mod messages;
mod names;
mod noise;
mod object;
mod out;
mod place;
mod python;
mod reasoning;
mod salvage;
mod scan;
mod typed;
mod unmarked;
mod verbatim;

pub use detect::detect;
pub use event::{Event, Verbatim};
pub use object::ObjectReader;
pub(super) use object::decoded;

use super::Tool;
use super::formats::{After, Format, Pair, by_id};
use crate::bytes::ByteSet;
use block::{BlockReader, Step};
use call::Standing;
use digits::Digits;
use kinds::Facts;
use markers::is_strong;
use messages::Messages;
use out::Out;
use place::{Following, Place, Surroundings, following};
use scan::{FENCE, Match, Text, compare, longest_first};
use unmarked::Unmarked;

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
    markers: Vec<(&'static str, Marker)>,
    /// The bytes that a marker can begin with.
    first: ByteSet,
    /// What precedes the text that was not processed yet.
    around: Surroundings,
    /// Whether reasoning was opened by the prompt and no text has followed yet.
    fresh: bool,
    /// Whether calls end reasoning that is never closed. Once in a message.
    forgives: bool,
    /// After a call's marker in reasoning: the position up to which the end of the reasoning was searched.
    within: Option<usize>,
    /// For formats whose calls may lack the opening marker.
    unmarked: Option<Unmarked>,
    /// The name in the last header.
    headed: Option<String>,
}

enum ReaderState {
    /// At the beginning of the text, which may be the rest of a marker whose token the prompt has.
    Start,
    Text,
    Reasoning(&'static str),
    /// In a header, which is not part of the text, up to the next marker: whether its own marker was read. Else only a call follows it.
    Header(bool),
    /// At markup that is not part of the text.
    Hidden(&'static Pair),
    Block(Box<BlockReader>),
    Messages(Messages),
}

/// The least length of a marker that hardly occurs in ordinary text.
const STRONG: usize = 4;

/// The maximum length of markup that is not part of the text, and of names in headers.
const HIDDEN: usize = 256;

#[derive(Clone, Copy)]
enum Marker {
    /// Opens calls in this format.
    Block(&'static Format),
    /// Closes calls.
    Close,
    Reasoning(&'static str),
    Header,
    Hidden(&'static Pair),
    LineBreak,
    Dropped,
}

impl Reader {
    /// `prefill` is the end of the prompt, which the model continues. `seed` determines the ids of calls.
    pub fn new(format: &'static Format, tools: Vec<Tool>, prefill: &str, seed: &str) -> Self {
        let format = by_id(format.read_as).unwrap_or(format);
        let kind = kinds::of(format);
        let facts = kind.facts();
        let mut markers: Vec<(&'static str, Marker)> =
            markers::openers(format).into_iter().map(|marker| (marker, Marker::Block(format))).collect();
        for &drift in format.drifts {
            let own = |marker: &str| markers.iter().any(|(known, _)| *known == marker);
            let others: Vec<_> = markers::openers(drift).into_iter().filter(|marker| !own(marker)).collect();
            markers.extend(others.into_iter().map(|marker| (marker, Marker::Block(drift))));
        }
        for Pair { open, close } in format.reasoning {
            markers.push((open.trim(), Marker::Reasoning(close.trim())));
            markers.push((close.trim(), Marker::Dropped));
        }
        let of_text = [format.text.open, format.text.close];
        markers.extend(of_text.iter().chain(format.wrappers).map(|marker| (*marker, Marker::Dropped)));
        markers.extend(markers::closers(format).into_iter().map(|marker| (marker, Marker::Close)));
        markers.push((format.header, Marker::Header));
        markers.push((format.line_break, Marker::LineBreak));
        markers.extend(format.hidden.iter().map(|pair| (pair.open, Marker::Hidden(pair))));
        markers.retain(|(marker, _)| !marker.is_empty());
        longest_first(&mut markers, |(marker, _)| marker.len());
        let mut first = ByteSet::default();
        for (marker, _) in &markers {
            first = marker.bytes().next().map_or(first, |byte| first.with(byte));
        }
        let state = match kind.messages() {
            Some(channels) => ReaderState::Messages(Messages::new(channels)),
            // the prompt may end with the marker of a header
            _ if !format.header.is_empty() => ReaderState::Header(false),
            _ if format.reasoning.iter().any(|pair| pair.label().is_some()) => ReaderState::Start,
            _ => ReaderState::Text,
        };
        let out = Out::new(seed, format.after == After::Dropped);
        let unmarked = Unmarked::of(format, facts.has_head && facts.takes_objects);
        if unmarked.is_some() {
            first = (0..=u8::MAX).filter(u8::is_ascii_alphanumeric).fold(first, ByteSet::with);
        }
        let (text, fresh) = (String::new(), false);
        let mut reader = Self {
            format,
            facts,
            tools: typed::resolved(tools),
            out,
            digits: Digits::default(),
            text,
            state,
            markers,
            first,
            around: Surroundings::default(),
            fresh,
            forgives: true,
            within: None,
            unmarked,
            headed: None,
        };
        let continued = reader.continued(prefill).to_owned();
        let open = format.reasoning.iter().find(|pair| continued.trim_end() == pair.open.trim());
        match open {
            Some(Pair { close, .. }) => {
                reader.state = ReaderState::Reasoning(close.trim());
                reader.fresh = true;
            }
            None => reader.text.push_str(&continued),
        }
        reader
    }

    /// The part of a prompt that belongs to the message: the text after the header of its turn.
    fn continued<'a>(&self, prefill: &'a str) -> &'a str {
        let reasoning = self.format.reasoning.iter().filter_map(|pair| prefill.rfind(pair.open.trim())).max();
        if let Some(at) = reasoning {
            return prefill.get(at..).unwrap_or_default();
        }
        // the prompt may end within the marker: with the token that begins it
        let tokens = self.format.reasoning.iter().filter_map(|pair| pair.label()).map(|(token, _)| token);
        if let Some(token) = tokens.filter(|token| prefill.ends_with(token)).max_by_key(|token| token.len()) {
            return prefill.get(prefill.len() - token.len()..).unwrap_or_default();
        }
        let prompt = prefill.trim_end();
        let begun = markers::openers(self.format)
            .into_iter()
            .filter(|marker| markers::is_strong(marker, 4) && prompt.ends_with(marker));
        if let Some(length) = begun.map(str::len).max() {
            return prefill.get(prompt.len() - length..).unwrap_or_default();
        }
        if let Some(begun) = kinds::of(self.format).continued(self.format, prefill) {
            return begun;
        }
        let end = prefill.rfind(['>', ']', '}']).map_or(0, |at| at + 1);
        let rest = prefill.get(end..).unwrap_or_default();
        let word = rest.trim_start_matches(|one: char| one.is_ascii_lowercase() || one == ':');
        let role = rest.get(..rest.len() - word.len()).unwrap_or_default();
        let role = matches!(role.trim_end_matches(':'), "assistant" | "model" | "ai");
        if role { word.trim_start() } else { rest.trim_start() }
    }

    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Processes the next piece of text.
    pub fn push(&mut self, piece: &str) -> Vec<Event> {
        self.text.push_str(piece);
        self.run(false)
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
        let mut at = 0;
        loop {
            let rest = text.get(at..).unwrap_or_default();
            let (read, more) = self.step(rest, end);
            if let Some(unmarked) = &mut self.unmarked {
                unmarked.pass(rest.get(..read).unwrap_or_default());
            }
            at += read;
            if !more {
                break;
            }
        }
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
            ReaderState::Reasoning(close) => {
                let close = *close;
                self.reasoning(rest, close, end)
            }
            ReaderState::Messages(messages) => (messages.read(text, &self.tools, &mut self.out), false),
            ReaderState::Block(block) => {
                let step = block.step(text, &self.tools, &mut self.out);
                let from = block.from;
                match step {
                    Step::More if end => self.broken(rest, from, rest.len()),
                    Step::More => (0, false),
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
        for pair in self.format.reasoning {
            let Some((_, label)) = pair.label() else { continue };
            let after = rest.get(label.len()..).unwrap_or_default();
            match compare(rest, label, end) {
                Match::No => continue,
                Match::Yes if after.starts_with('\n') => {
                    self.state = ReaderState::Reasoning(pair.close.trim());
                    return (label.len(), true);
                }
                Match::Yes if end || !after.is_empty() => continue,
                Match::Yes | Match::Maybe => {
                    self.state = ReaderState::Start;
                    return (0, false);
                }
            }
        }
        (0, true)
    }

    /// A header is a name before the next marker. Other text after the marker of a header is plain text.
    fn header(&mut self, rest: &str, is_marked: bool, end: bool) -> (usize, bool) {
        let (marker, blanks) = if is_marked { ("<|", " ") } else { (self.format.call.open, "") };
        let is_of_name = |one: char| one.is_alphanumeric() || "_-.:/".contains(one);
        let name = rest.find(|one| !is_of_name(one)).unwrap_or(rest.len());
        let next = rest.get(name..).unwrap_or_default();
        let next = next.trim_start_matches(|one| blanks.contains(one));
        let found = compare(next, marker, end || rest.len() - next.len() > HIDDEN);
        if found == Match::Maybe {
            return (0, false);
        }
        self.state = ReaderState::Text;
        if found == Match::No {
            return (0, true);
        }
        self.headed = rest.get(..name).filter(|name| !name.is_empty()).map(str::to_owned);
        (rest.len() - next.len(), true)
    }

    fn hidden(&mut self, rest: &str, pair: &'static Pair, end: bool) -> (usize, bool) {
        let found = rest.find(pair.close).map(|at| at + pair.close.len());
        if found.is_none() && !end && rest.len() <= HIDDEN {
            return (0, false);
        }
        self.state = ReaderState::Text;
        match found
            .and_then(|size| rest.get(..size))
            .filter(|markup| markup.len() <= HIDDEN && markup.rfind('<') == Some(0))
        {
            Some(markup) => {
                self.out.lose("markup in the text was dropped", markup);
                (markup.len(), true)
            }
            None => {
                self.text(pair.open);
                (pair.open.len(), true)
            }
        }
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
        self.text(text);
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
        self.out.text(text);
        self.around.pass(text);
    }

    fn plain(&mut self, rest: &str, end: bool) -> (usize, bool) {
        let bytes = rest.as_bytes();
        let mut at = 0;
        // what precedes the last marker that is no call
        let (mut around, mut passed) = (None, 0);
        loop {
            at += self.first.before(bytes.get(at..).unwrap_or_default());
            if at == bytes.len() {
                self.text(rest);
                return (at, false);
            }
            let Some(candidate) = rest.get(at..) else {
                // within a character
                at += 1;
                continue;
            };
            let unmarked = self.unmarked.as_ref().map(|unmarked| unmarked.begins(rest, at, &self.tools, end));
            if let Some((Match::Yes, opening)) = unmarked {
                self.text(rest.get(..at).unwrap_or_default());
                self.state = ReaderState::Block(Box::new(BlockReader::unmarked(self.format, opening)));
                return (at, true);
            }
            let mut maybe = unmarked.is_some_and(|(found, _)| found == Match::Maybe);
            let found = self.marker_at(candidate, end, &mut maybe).filter(|_| !maybe);
            if let Some((marker, kind)) = found {
                let around = around.get_or_insert_with(|| self.around.clone());
                around.pass(rest.get(passed..at).unwrap_or_default());
                passed = at;
                let after = candidate.get(marker.len()..).unwrap_or_default();
                match self.meaning(marker, kind, around, after, end) {
                    Match::Yes => {
                        self.text(rest.get(..at).unwrap_or_default());
                        let place = around.clone();
                        return (self.marker(at, marker, kind, &place), true);
                    }
                    Match::Maybe => maybe = true,
                    Match::No => at += marker.len() - 1,
                }
            }
            if maybe {
                self.text(rest.get(..at).unwrap_or_default());
                return (at, false);
            }
            at += 1;
        }
    }

    /// The longest marker at the start of this text. `maybe` becomes true if a longer one may follow.
    fn marker_at(&self, rest: &str, end: bool, maybe: &mut bool) -> Option<(&'static str, Marker)> {
        for &(marker, kind) in &self.markers {
            match compare(rest, marker, end) {
                Match::Maybe => *maybe = true,
                Match::Yes => return Some((marker, kind)),
                Match::No => {}
            }
        }
        None
    }

    /// Whether a marker is markup at this place, and not part of text about markup.
    fn meaning(&self, marker: &str, kind: Marker, around: &Surroundings, after: &str, end: bool) -> Match {
        match around.is_code(after, end) {
            _ if marker.starts_with('\n') => {}
            Match::Yes => return Match::No,
            Match::Maybe => return Match::Maybe,
            Match::No => {}
        }
        match kind {
            Marker::Close if !around.is_after_markup() => return Match::No,
            Marker::LineBreak => return Match::Yes,
            // a quotation mark after the marker, too: text may end with one
            _ if around.place() == Place::Quoted => {
                return match after.chars().next() {
                    None if !end => Match::Maybe,
                    Some('"' | '\'' | '”' | '’' | '»' | '」' | '』') => Match::No,
                    _ => Match::Yes,
                };
            }
            Marker::Dropped if around.place() == Place::Sentence => return is_markup(after, end),
            // without its wrapper, a tag in a sentence is a quotation
            Marker::Block(format) if around.place() == Place::Sentence && markers::is_inner(format, marker) => {
                return Match::No;
            }
            Marker::Block(_) => {}
            _ => return Match::Yes,
        }
        if marker.starts_with(FENCE) && around.is_fenced() {
            return Match::No;
        }
        match around.place() {
            // without its marker, such a call is one only at the beginning
            _ if self.facts.begins_text && !is_strong(marker, STRONG) => {
                return if around.is_beginning() { Match::Yes } else { Match::No };
            }
            _ if !is_strong(marker, STRONG) => return Match::Yes,
            _ => {}
        }
        if marker.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            // a word is a marker only before a bracket
            return match after.trim_start().bytes().next() {
                None if !end => Match::Maybe,
                Some(b'[' | b'{') => Match::Yes,
                _ => Match::No,
            };
        }
        is_markup(after, end)
    }

    fn marker(&mut self, at: usize, marker: &'static str, kind: Marker, around: &Surroundings) -> usize {
        match kind {
            Marker::Block(format) => {
                let is_own = std::ptr::eq(format, self.format);
                let is_strong = is_strong(marker, STRONG) && is_own && !markers::is_inner(format, marker);
                let standing = match (is_strong, around.place()) {
                    (true, Place::Start) => Standing::Certain,
                    (false, Place::Start) | (true, _) => Standing::Possible,
                    (false, _) => Standing::Doubtful,
                };
                let mut block = BlockReader::new(format, standing);
                block.headed = self.headed.take();
                self.state = ReaderState::Block(Box::new(block));
                at
            }
            Marker::Dropped | Marker::Close => {
                self.around.mark();
                at + marker.len()
            }
            Marker::LineBreak => {
                self.text("\n");
                at + marker.len()
            }
            Marker::Header => {
                self.state = ReaderState::Header(true);
                at + marker.len()
            }
            Marker::Hidden(pair) => {
                self.state = ReaderState::Hidden(pair);
                at
            }
            Marker::Reasoning(close) => {
                self.state = ReaderState::Reasoning(close);
                at + marker.len()
            }
        }
    }
}

/// Whether a marker before this text is markup, and not a word of a sentence.
fn is_markup(after: &str, end: bool) -> Match {
    match following(after, end) {
        Following::Call => Match::Yes,
        Following::Sentence => Match::No,
        Following::Unknown => Match::Maybe,
    }
}

/// Reads a whole message.
pub fn read(format: &'static Format, tools: Vec<Tool>, prefill: &str, seed: &str, text: &str) -> Vec<Event> {
    let mut reader = Reader::new(format, tools, prefill, seed);
    let mut events = reader.push(text);
    events.extend(reader.end());
    events
}
