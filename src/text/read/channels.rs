//! Messages with a header: role, recipient and channel (gpt-oss), or only a recipient (Muse Glimmer).

use super::block::{Block, Step, Text};
use super::call;
use super::event::Event;
use super::out::Out;
use super::scan::{first_of, overlap};
use crate::json::{Map, Value};
use crate::text::Tool;
use crate::text::formats::Channels;

/// The maximum length of a header. Text without a header is read in pieces of this size.
const HEADER: usize = 1024;

pub(super) struct Messages {
    format: &'static Channels,
    kind: Option<Kind>,
    begun: Option<(u32, String, String)>,
    arguments: String,
    /// Whether text and reasoning were emitted before. Further messages of the same kind start on a new line.
    said: [bool; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Reasoning,
    Call,
    /// Calls in the inner format.
    Inner,
    /// The message of a tool, or a call of a tool that the caller did not declare.
    Dropped,
}

impl Messages {
    pub fn new(format: &'static Channels) -> Self {
        Self { format, kind: None, begun: None, arguments: String::new(), said: [false; 2] }
    }

    /// Returns the number of bytes that were read.
    pub fn read(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> usize {
        let mut at = 0;
        loop {
            let rest = Text { text: text.from(at), end: text.end };
            let read = match self.kind {
                None => self.header(rest, tools, out),
                Some(kind) => self.message(kind, rest, tools, out),
            };
            let Some(read) = read else { return at };
            at += read.0;
            if !read.1 {
                return at;
            }
        }
    }

    fn header(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Option<(usize, bool)> {
        let mut window = text.text.len().min(HEADER);
        while !text.text.is_char_boundary(window) {
            window -= 1;
        }
        let seen = text.text.get(..window).unwrap_or_default();
        let Some(end) = seen.find(self.format.message) else {
            if text.text.len() <= HEADER && !text.end {
                return None;
            }
            // not a header: some servers strip the markers
            let shown = self.format.ends.iter().fold(seen.to_owned(), |shown, end| shown.replace(end, ""));
            let header = shown.contains(self.format.start)
                || (!self.format.channel.is_empty() && shown.contains(self.format.channel));
            if !header {
                out.text(&shown);
            }
            return Some((window, window < text.text.len()));
        };
        let header = text.text.get(..end).unwrap_or_default();
        self.open(header, tools, out);
        Some((end + self.format.message.len(), true))
    }

    fn open(&mut self, header: &str, tools: &[Tool], out: &mut Out) {
        let format = self.format;
        let (before, own) = header.rsplit_once(format.start).unwrap_or(("", header));
        let stray = format.ends.iter().fold(before.to_owned(), |text, end| text.replace(end, ""));
        if !stray.contains("<|") {
            out.text(&stray);
        }
        let recipient = own.rsplit("to=").next().filter(|_| own.contains("to=")).map(|rest| {
            let cut = rest.find(|one: char| one.is_whitespace() || one == '<').unwrap_or(rest.len());
            rest.get(..cut).unwrap_or_default()
        });
        let role = own.split([' ', '<']).next().unwrap_or_default();
        if let Some(name) = recipient.filter(|name| !name.is_empty() && *name != "assistant") {
            if name == format.reasoning {
                return self.speak(Kind::Reasoning, out);
            }
            if name == format.text || name == format.answer {
                return self.speak(Kind::Text, out);
            }
            if format.inner.is_some() {
                self.kind = Some(Kind::Inner);
                return;
            }
            let known = name.starts_with(format.namespace) || tools.iter().any(|tool| tool.name == name);
            if !known {
                self.kind = Some(Kind::Dropped);
                return;
            }
            let name = call::declared(name.strip_prefix(format.namespace).unwrap_or(name), tools);
            let (block, id) = out.start(&name, None);
            self.begun = Some((block, id, name));
            self.kind = Some(Kind::Call);
            return;
        }
        if role.starts_with(format.namespace) && !format.namespace.is_empty() {
            self.kind = Some(Kind::Dropped);
            return;
        }
        let reasoning = own.contains(format.reasoning);
        self.speak(if reasoning { Kind::Reasoning } else { Kind::Text }, out);
    }

    /// Starts a message. If it is not the first of its kind, it begins on a new line.
    fn speak(&mut self, kind: Kind, out: &mut Out) {
        self.kind = Some(kind);
        let reasoning = kind == Kind::Reasoning;
        let [said_text, said_reasoning] = &mut self.said;
        let said = if reasoning { said_reasoning } else { said_text };
        if std::mem::replace(said, true) {
            if reasoning { out.reasoning("\n") } else { out.text("\n") }
        }
    }

    fn message(&mut self, kind: Kind, text: Text, tools: &[Tool], out: &mut Out) -> Option<(usize, bool)> {
        let format = self.format;
        let ends = format.ends.iter().chain(std::iter::once(&format.start)).copied();
        let found = first_of(text.text, ends.clone());
        let held = if text.end { 0 } else { ends.map(|end| overlap(text.text, end)).max().unwrap_or(0) };
        let mut stop = found.map_or(text.text.len() - held, |(at, _)| at);
        while !text.text.is_char_boundary(stop) {
            stop -= 1;
        }
        let piece = text.text.get(..stop).unwrap_or_default();
        match kind {
            Kind::Text => out.text(piece),
            Kind::Reasoning => out.reasoning(piece),
            Kind::Call | Kind::Inner => self.more(kind, piece, out),
            Kind::Dropped => {}
        }
        let over = match found {
            Some((at, end)) if end == format.start => Some(at),
            Some((at, end)) => Some(at + end.len()),
            None => None,
        };
        if over.is_some() || text.end {
            self.close(kind, tools, out);
        }
        Some(over.map_or((stop, false), |at| (at, true)))
    }

    fn more(&mut self, kind: Kind, piece: &str, out: &mut Out) {
        self.arguments.push_str(piece);
        if let (Some((block, id, _)), Kind::Call, false) = (&self.begun, kind, piece.is_empty()) {
            out.events.push(Event::CallDelta { block: *block, id: id.clone(), text: piece.to_owned() });
        }
    }

    fn close(&mut self, kind: Kind, tools: &[Tool], out: &mut Out) {
        self.kind = None;
        let arguments = std::mem::take(&mut self.arguments);
        if kind == Kind::Inner
            && let Some(format) = self.format.inner
        {
            let (mut block, mut rest) = (Block::new(format), arguments.as_str());
            loop {
                match block.step(Text { text: rest, end: true }, tools, out) {
                    Step::Called(at) => rest = rest.get(at..).unwrap_or_default(),
                    Step::Done(_) => break,
                    Step::More | Step::Broken(_) => {
                        out.text(rest);
                        break;
                    }
                }
            }
        }
        let Some((block, id, name)) = self.begun.take() else { return };
        let trimmed = if arguments.trim().is_empty() { "{}" } else { arguments.trim() };
        out.events.push(match crate::json::from_str::<Map<String, Value>>(trimmed) {
            Ok(_) => Event::CallEnd { block, id, name, arguments: trimmed.to_owned() },
            Err(_) => {
                let error = "the arguments are not a JSON object".to_owned();
                Event::Invalid { block, id, name, raw: arguments, error }
            }
        });
    }
}
