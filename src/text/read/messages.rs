//! Messages with a header: role, recipient and channel (gpt-oss), or only a recipient (Muse Glimmer).

use super::block::{BlockReader, CUT_MARKER};
use super::call::{Opening, Standing};
use super::event::Event;
use super::fields::fault;
use super::following::is_markup;
use super::guess::UNKNOWN;
use super::kinds::origin;
use super::message_header::{MARK, MARK_END, WORDS};
use super::names::{declared, may_be_empty};
use super::out::Out;
use super::part::Step;
use super::place::{Place, Surroundings};
use super::salvage;
use super::scan::{JsonScan, Match, Quotes, Text, compare, compare_any, first_of, overlap};
use crate::text::Tool;
use crate::text::formats::{Channels, Format};
use crate::text_errors::{BROKEN_HEADER, CUT, UNDECLARED};

/// The maximum length of a header.
const HEADER: usize = 1024;
/// The maximum length of whitespace between two messages.
const BLANK: usize = 64;

fn start(text: Text<'_>, end: usize) -> &str {
    text.text.get(..end).unwrap_or_default()
}

pub(super) struct Messages {
    format: &'static Channels,
    channel: Option<Channel>,
    /// Whether there is text where a header should be. It ends at the next marker.
    stray: bool,
    /// Whether the start of a message was read, so that any role can follow.
    started: bool,
    begun: Option<(u32, String, String)>,
    arguments: String,
    /// Whether the arguments so far end inside a JSON string.
    quotes: Quotes,
    /// What precedes the text that was not read yet, in text and reasoning.
    around: Surroundings,
    /// Whether text and reasoning were emitted before. Further messages of the same channel start on a new line.
    emitted: [bool; 2],
}

#[derive(Clone, PartialEq, Eq)]
enum Channel {
    Text,
    Reasoning,
    Call,
    /// Calls in the inner format, with the name in the header.
    Inner(String),
    /// A call of a tool with this name that can't run, with the error.
    Invalid(String, &'static str),
    /// A result that the model made up.
    Result,
}

impl Messages {
    pub fn new(format: &'static Channels) -> Self {
        Self {
            format,
            channel: None,
            stray: false,
            started: false,
            begun: None,
            arguments: String::new(),
            quotes: Quotes::default(),
            around: Surroundings::default(),
            emitted: [false; 2],
        }
    }

    /// Returns the number of bytes that were read.
    pub fn read(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> usize {
        let mut at = 0;
        loop {
            let rest = Text { text: text.from(at), end: text.end };
            let read = match self.channel.clone() {
                None if self.stray => Some(self.text(rest, tools, out)),
                None => self.header(rest, tools, out),
                Some(channel) => self.message(&channel, rest, tools, out),
            };
            let Some(read) = read else { return at };
            at += read.0;
            if !read.1 {
                return at;
            }
        }
    }

    /// Reads text without a header, up to the next marker: some servers remove the markers.
    fn text(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> (usize, bool) {
        let mut from = 0;
        while let Some(skip) = text.from(from).find(MARK) {
            let at = from + skip;
            let found = self.is_markup(text, from, at);
            if found != Match::No {
                out.text(start(text, at));
                self.stray = found == Match::Maybe;
                if !self.stray {
                    let header = self.recipient_before(text.from(at)).map(|(word, _)| word.to_owned());
                    self.is_unread(&header.unwrap_or_default(), "", tools);
                    self.around.mark();
                }
                return (at, !self.stray);
            }
            from = at + MARK.len();
            self.around.pass(MARK);
        }
        let held = if text.end { 0 } else { overlap(text.from(from), MARK) };
        let stop = text.text.len() - held;
        self.around.pass(text.text.get(from..stop).unwrap_or_default());
        out.text(start(text, stop));
        (stop, false)
    }

    /// Whether a marker here is neither code nor quoted nor a word of a sentence. The text before it, from a position on, was not passed.
    fn is_markup(&mut self, text: Text, from: usize, at: usize) -> Match {
        self.around.pass(text.text.get(from..at).unwrap_or_default());
        let rest = text.from(at);
        let name = rest.get(..rest.floor_char_boundary(WORDS)).unwrap_or_default();
        let Some(marker) = name.find(MARK_END).and_then(|end| name.get(..end + MARK_END.len())) else {
            return if text.end || name.len() < rest.len() { Match::Yes } else { Match::Maybe };
        };
        let after = text.from(at + marker.len());
        let is_shown = self.around.is_shown();
        let recipient = self.recipient_before(rest).filter(|_| self.stray);
        let is_headed = recipient.is_some();
        if recipient.is_some_and(|(_, is_apart)| !is_apart) {
            self.around.show_line();
            return Match::No;
        }
        let begins =
            if marker == self.format.start { self.format.is_before_header(after, text.end) } else { Match::Yes };
        let found = match (self.around.is_code(after, text.end), self.around.place()) {
            // without a header, there is nothing that it could begin
            _ if self.stray && marker == self.format.message && !is_headed => Match::No,
            _ if begins != Match::Yes => begins,
            (Match::No, Place::Start) => Match::Yes,
            (Match::No, Place::Quoted) => self.around.is_quoted(after, text.end).not(),
            (Match::No, Place::Sentence) => is_markup(after, text.end),
            (found, _) => found.not(),
        };
        if found != Match::No {
            return found;
        }
        self.around.show(false, after);
        // the next message may follow in the line
        if is_shown { self.is_before_next(text, at, marker) } else { Match::No }
    }

    /// The recipient that ends the text before a marker of its header, and whether it begins the line or follows words.
    fn recipient_before(&self, rest: &str) -> Option<(&str, bool)> {
        let Channels { channel, message, constrain, recipient, .. } = *self.format;
        let continues = |marker: &str| !marker.is_empty() && rest.starts_with(marker);
        self.around.word_from(recipient).filter(|_| [channel, message, constrain].into_iter().any(continues))
    }

    /// Reads up to the end of a header. Only words that can be part of one are no text.
    fn header(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Option<(usize, bool)> {
        let format = self.format;
        let mut at = 0;
        loop {
            let rest = text.from(at);
            let found = rest.find(MARK);
            let held = overlap(rest, MARK);
            let words = rest.get(..found.unwrap_or(rest.len() - held)).unwrap_or_default();
            let is_over = found.is_some() || (text.end && !self.started);
            // after a marker, other words are part of a header if it is complete
            let fits = if (at == 0 && !self.started) || (found.is_none() && text.end) {
                self.format.is_header(words, is_over)
            } else {
                words.len() <= WORDS && !words.contains('\n')
            };
            if !fits || at > HEADER {
                self.stray = !self.is_unread(start(text, at), words, tools);
                self.started = false;
                return Some((at, true));
            }
            at += found.unwrap_or(words.len());
            let rest = text.from(at);
            if found.is_none() {
                return text.end.then(|| (self.cut(text, at, tools, out), false));
            }
            let markers = [&[format.message, format.start], format.ends].concat();
            let after = rest.strip_prefix(format.start).filter(|_| !format.start.is_empty());
            let begins = after.map_or(Match::Yes, |after| self.format.is_before_header(after, text.end));
            match compare_any(rest, &markers, text.end) {
                (Match::Yes, size) if begins == Match::No => {
                    out.text(format.start);
                    self.stray = true;
                    return Some((at + size, true));
                }
                (Match::Maybe, _) => return None,
                _ if begins == Match::Maybe => return None,
                (Match::Yes, size) if rest.starts_with(format.message) => {
                    self.open(start(text, at), tools, out);
                    return Some((at + size, true));
                }
                (Match::Yes, size) => {
                    self.breaks_off(start(text, at), start(text, at), tools, out);
                    self.started = rest.starts_with(format.start);
                    return Some((at + size, true));
                }
                (Match::No, _) => {}
            }
            let name = rest.get(MARK.len()..).unwrap_or_default();
            let length = name.find(|one: char| !(one.is_alphanumeric() || one == '_')).unwrap_or(name.len());
            let after = name.get(length..).unwrap_or_default();
            if !text.end && length <= WORDS && MARK_END.starts_with(after) && after.len() < 2 {
                return None;
            }
            let size = MARK.len() + length + MARK_END.len();
            let marker = rest.get(..size).filter(|_| after.starts_with(MARK_END));
            if text.end && marker.is_none() && self.format.begins_marker(rest) {
                return Some((self.cut(text, at, tools, out), false));
            }
            let is_known = |marker: &str| format.channel == marker || format.constrain == marker;
            if !marker.is_some_and(is_known) {
                if self.is_unread(start(text, at), "", tools) {
                    self.started = false;
                    return Some((at, true));
                }
                // a marker of another format
                let marker = marker.unwrap_or(MARK);
                out.text(marker);
                self.stray = true;
                return Some((at + marker.len(), true));
            }
            at += size;
        }
    }

    /// The text ends within a header, which has this length without the rest of a marker. If it has the recipient of a call, the call is
    /// invalid. Returns the length of the text.
    fn cut(&mut self, text: Text, length: usize, tools: &[Tool], out: &mut Out) -> usize {
        let header = text.text.get(..length).unwrap_or_default();
        if self.breaks_off(header, text.text, tools, out) {
            return text.text.len();
        }
        // words of headers are an answer, too
        if !self.started && !header.is_empty() && !header.contains(MARK) {
            out.text(text.text);
        } else {
            out.lose(CUT_MARKER, text.from(length));
        }
        text.text.len()
    }

    /// Whether a header that breaks off has the recipient of a call, which is invalid then.
    fn breaks_off(&self, header: &str, raw: &str, tools: &[Tool], out: &mut Out) -> bool {
        let of_model = [self.format.role, self.format.reasoning, self.format.text, self.format.answer];
        let is_begun = |name: &str| !name.is_empty() && of_model.iter().any(|known| known.starts_with(name));
        let Some(name) = self.format.recipient(header).filter(|name| !is_begun(name) && !self.format.is_result(header))
        else {
            return false;
        };
        let name = self.tool(name, tools);
        let name = if self.format.namespace.starts_with(&name) { UNKNOWN.to_owned() } else { name };
        let (block, id) = out.start(&name, None);
        out.events.push(Event::Invalid { block, id, name, raw: raw.to_owned(), error: CUT.to_owned() });
        true
    }

    /// Whether a broken header names a declared tool, so that it begins an invalid call, up to the end of the message.
    fn is_unread(&mut self, header: &str, words: &str, tools: &[Tool]) -> bool {
        let Some(name) = self.addressed(header, words, tools) else { return false };
        self.arguments.push_str(header);
        self.channel = Some(Channel::Invalid(name, BROKEN_HEADER));
        true
    }

    /// The declared tool that a broken header names: before these words, or in their first line.
    fn addressed(&self, header: &str, words: &str, tools: &[Tool]) -> Option<String> {
        let line = words.get(..words.floor_char_boundary(WORDS)).and_then(|words| words.lines().next());
        let whole = [header, line.unwrap_or_default()].concat();
        let is_marked = self.started || !header.is_empty();
        // without a marker, only words of a header may precede
        let is_first = |word: &&str| word.starts_with(self.format.recipient) || !self.format.is_header(word, true);
        let named = if is_marked { Some(&*whole) } else { whole.split_whitespace().find(is_first) };
        let name = self.format.recipient(named?)?;
        let name = self.tool(name, tools);
        (tools.iter().any(|tool| tool.name == name) && !self.format.is_result(&whole)).then_some(name)
    }

    /// The tool that a recipient names. The marker between the name and the channel may be missing.
    fn tool(&self, recipient: &str, tools: &[Tool]) -> String {
        let Channels { namespace, reasoning, text, answer, .. } = *self.format;
        let name = recipient.strip_prefix(namespace).unwrap_or(recipient);
        let joined = [reasoning, text, answer].into_iter().filter_map(|channel| name.strip_suffix(channel));
        let mut names = std::iter::once(name).chain(joined).map(|name| declared(name, tools));
        names.find(|name| tools.iter().any(|tool| tool.name == *name)).unwrap_or_else(|| declared(name, tools))
    }

    fn open(&mut self, header: &str, tools: &[Tool], out: &mut Out) {
        let format = self.format;
        self.started = false;
        if self.format.is_result(header) {
            self.channel = Some(Channel::Result);
            return;
        }
        if let Some(name) = self.format.recipient(header).filter(|name| !name.is_empty() && *name != format.role) {
            if name == format.reasoning {
                return self.speak(Channel::Reasoning, out);
            }
            if name == format.text || name == format.answer {
                return self.speak(Channel::Text, out);
            }
            if format.inner.is_some() {
                self.channel = Some(Channel::Inner(name.to_owned()));
                return;
            }
            let known = name.starts_with(format.namespace) || tools.iter().any(|tool| tool.name == name);
            if !known {
                self.channel = Some(Channel::Invalid(name.to_owned(), UNDECLARED));
                return;
            }
            let name = declared(name.strip_prefix(format.namespace).unwrap_or(name), tools);
            let (block, id) = out.start(&name, None);
            self.begun = Some((block, id, name));
            self.channel = Some(Channel::Call);
            return;
        }
        let reasoning = header.contains(format.reasoning);
        self.speak(if reasoning { Channel::Reasoning } else { Channel::Text }, out);
    }

    /// Starts a message. If it is not the first of its channel, it begins on a new line.
    fn speak(&mut self, channel: Channel, out: &mut Out) {
        let reasoning = channel == Channel::Reasoning;
        self.channel = Some(channel);
        let [has_text, has_reasoning] = &mut self.emitted;
        let has_any = if reasoning { has_reasoning } else { has_text };
        if std::mem::replace(has_any, true) {
            if reasoning { out.reasoning("\n") } else { out.text("\n") }
        }
    }

    fn message(&mut self, channel: &Channel, text: Text, tools: &[Tool], out: &mut Out) -> Option<(usize, bool)> {
        let format = self.format;
        let (found, stop) = self.ending(channel, text);
        let piece = text.text.get(..stop).unwrap_or_default();
        match channel {
            Channel::Text => out.text(piece),
            Channel::Reasoning => out.reasoning(piece),
            Channel::Call | Channel::Inner(_) | Channel::Invalid(..) => self.more(channel, piece, out),
            Channel::Result => out.lose("a tool result that the model made up was dropped", piece),
        }
        if found.is_none() && text.end && stop < text.text.len() {
            out.lose(CUT_MARKER, text.from(stop));
        }
        let over = match found {
            Some((at, end)) if end == format.start => Some(at),
            Some((at, end)) => Some(at + end.len()),
            None => None,
        };
        if over.is_some() || text.end {
            let is_closed = found.is_some_and(|(_, end)| end != format.start);
            self.close(channel, is_closed, tools, out);
        }
        Some(over.map_or((stop, false), |at| (at, true)))
    }

    /// The marker that ends the message, and the position up to which the text belongs to the message.
    fn ending(&mut self, channel: &Channel, text: Text) -> (Option<(usize, &'static str)>, usize) {
        let format = self.format;
        let ends = [format.ends, &[format.start]].concat();
        let is_said = matches!(channel, Channel::Text | Channel::Reasoning);
        let mut from = 0;
        while let Some((skip, end)) = first_of(text.from(from), &ends) {
            let at = from + skip;
            self.quotes.read(text.text.get(from..at).unwrap_or_default());
            let is_end = match is_said {
                true => self.is_markup(text, from, at),
                false if *channel == Channel::Call && self.quotes.inside() => self.is_ending(text, at, end),
                false => Match::Yes,
            };
            match is_end {
                Match::Yes => return (Some((at, end)), at),
                Match::Maybe => return (None, at),
                Match::No => {
                    from = at + end.len();
                    self.quotes.read(end);
                    self.around.pass(end);
                }
            }
        }
        let held = ends.iter().map(|end| overlap(text.from(from), end)).max().unwrap_or(0);
        // a single character at the end of the text is hardly a marker
        let held = if text.end && held < MARK.len() { 0 } else { held };
        let stop = text.text.floor_char_boundary(text.text.len() - held);
        let rest = text.text.get(from..stop).unwrap_or_default();
        self.quotes.read(rest);
        if is_said {
            self.around.pass(rest);
        }
        (None, stop)
    }

    /// Whether a marker inside a JSON string ends the message nevertheless: the text ends there, or another message follows.
    fn is_ending(&self, text: Text, at: usize, end: &str) -> Match {
        let is_last = end != self.format.start && text.end && text.solid(at + end.len()) == text.text.len();
        if is_last { Match::Yes } else { self.is_before_next(text, at, end) }
    }

    /// Whether another message follows a marker, or begins with it.
    fn is_before_next(&self, text: Text, at: usize, end: &str) -> Match {
        let format = self.format;
        if end == format.start {
            return compare(text.from(at), format.next, text.end);
        }
        let next = text.solid(at + end.len());
        let begins: Vec<_> = [format.start, format.channel].into_iter().filter(|marker| !marker.is_empty()).collect();
        match compare_any(text.from(next), &begins, text.end).0 {
            _ if next - at - end.len() > BLANK => Match::No,
            _ if next == text.text.len() && !text.end => Match::Maybe,
            found => found,
        }
    }

    fn more(&mut self, channel: &Channel, piece: &str, out: &mut Out) {
        self.arguments.push_str(piece);
        if let (Some((block, id, _)), Channel::Call) = (&self.begun, channel) {
            out.delta(*block, id, piece);
        }
    }

    /// Completes a message. `is_closed` is whether its marker ends it, and not the end of the text.
    fn close(&mut self, channel: &Channel, is_closed: bool, tools: &[Tool], out: &mut Out) {
        self.channel = None;
        self.around = Surroundings::default();
        self.quotes = Quotes::default();
        let arguments = std::mem::take(&mut self.arguments);
        if let Channel::Invalid(name, error) = channel {
            let (block, id) = out.start(name, None);
            out.events.push(Event::Invalid {
                block,
                id,
                name: name.clone(),
                raw: arguments,
                error: (*error).to_owned(),
            });
            return;
        }
        if let (Channel::Inner(name), Some(format)) = (channel, self.format.inner) {
            return read_inner(format, &self.inner(name, arguments, is_closed, tools), tools, out);
        }
        let Some((block, id, name)) = self.begun.take() else { return };
        if arguments.trim().is_empty() && !is_closed && !may_be_empty(&name, tools) {
            // without its marker, nothing would be no arguments
            let raw = [self.format.message, &arguments].concat();
            out.events.push(Event::Invalid { block, id, name, raw, error: CUT.to_owned() });
            return;
        }
        let trimmed = if arguments.trim().is_empty() { "{}" } else { arguments.trim() };
        if arguments.trim().is_empty() {
            out.delta(block, &id, trimmed);
        }
        out.events.push(match fault(trimmed) {
            None => Event::CallEnd { block, id, name, arguments: trimmed.to_owned() },
            Some(error) => {
                let is_cut = !is_closed && JsonScan::default().run(trimmed.as_bytes(), &mut 0).is_none();
                let error = if is_cut { CUT } else { error }.to_owned();
                Event::Invalid { block, id, name, raw: arguments, error }
            }
        });
    }

    /// The calls of a message as the inner format writes them. The last marker may be missing after a value, or without any.
    fn inner(&self, name: &str, calls: String, is_closed: bool, tools: &[Tool]) -> String {
        let Some(tags) = self.format.message_tags() else { return calls };
        let is_blank = calls.trim().is_empty();
        let is_whole = calls.trim_end().ends_with(tags.value_close) || (is_blank && may_be_empty(name, tools));
        let close = if is_closed || is_whole { tags.close } else { "" };
        [tags.open, name, tags.name_end, &calls, close].concat()
    }
}

/// Reads the calls of a message in the inner format.
fn read_inner(format: &'static Format, text: &str, tools: &[Tool], out: &mut Out) {
    let (mut block, mut rest) = (BlockReader::new(format, Standing::Certain), text);
    loop {
        let text = Text { text: rest, end: true };
        let mut step = block.step(text, tools, out);
        if let Step::Unread(unread) = &step {
            let origin = origin(format, Standing::Certain, Opening::Marked);
            let is_read = salvage::calls(origin, unread.body(text), tools, out);
            step = block.settle(unread, is_read, text, tools, out);
        }
        match step {
            Step::Called(at) => rest = rest.get(at..).unwrap_or_default(),
            Step::Done(at) => return out.text(rest.get(at..).unwrap_or_default()),
            Step::More | Step::Broken(_) | Step::Unread(_) => return out.text(rest),
        }
    }
}
