//! The state of one call that is being read: its name, its arguments as JSON, and what was emitted of them.

use super::block::{Standing, Text};
use super::event::Event;
use super::out::Out;
use super::scan::{JsonScan, Match, begins_call, compare, space};
use super::unmarked::Opening;
use super::{guess, json_call, literal, python, tagged_call};
use crate::json::{Map, Value};
use crate::table::Table;
use crate::text::Tool;
use crate::text::formats::{Body, Format, Undeclared};

pub(super) enum Progress {
    More,
    Done(usize),
    Broken,
    /// The input ends before the call does.
    Cut,
}

/// The maximum length of a name together with its markers.
pub(super) const HEAD: usize = 512;

pub(super) enum CallState {
    Json(json_call::Fields),
    /// JSON arguments that follow the name.
    Arguments(JsonScan, usize),
    /// After arguments that start here, of a call without an opening marker: only a closing marker shows that it is one.
    Unclosed(usize),
    Name,
    Tagged(tagged_call::Tags),
    /// A body that is parsed once it is complete.
    Whole(Whole),
}

#[derive(Default)]
pub(super) struct Whole {
    depth: usize,
    quote: Option<u8>,
    inside: bool,
    escaped: bool,
    /// The last byte outside of strings that is no whitespace.
    last: u8,
}

impl Whole {
    /// Whether this byte belongs to a string, in Python syntax. Quotes that can't be its end do. `None` if that depends on further text.
    /// `seen` is the position up to which whitespace was skipped.
    fn string(&mut self, text: Text, at: usize, seen: &mut usize) -> Option<bool> {
        let bytes = text.text.as_bytes();
        let byte = bytes.get(at).copied()?;
        let Some(open) = self.quote else {
            self.quote = matches!(byte, b'"' | b'\'').then_some(byte);
            return Some(self.quote.is_some());
        };
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == open {
            *seen = text.solid((*seen).max(at + 1));
            match bytes.get(*seen) {
                None if !text.end => return None,
                None | Some(b',' | b')' | b']' | b'}' | b':') => self.quote = None,
                Some(_) => {}
            }
        }
        Some(true)
    }
}

pub(super) struct CallReader {
    pub format: &'static Format,
    /// The start of the call in the input, and the position up to which it was read.
    pub from: usize,
    pub at: usize,
    pub state: CallState,
    pub name: Option<String>,
    /// The name in a header before the call.
    pub headed: Option<String>,
    pub id: Option<String>,
    pub arguments: String,
    /// The argument names so far, for formats with strict parameters.
    pub keys: Table<String, ()>,
    /// The length of the arguments that were emitted.
    pub sent: usize,
    pub begun: Option<(u32, String)>,
    undeclared: bool,
    /// Whether the text can't be anything but a call, whatever its name.
    certain: bool,
    pub opening: Opening,
    pub standing: Standing,
    /// The position up to which a search has already looked.
    pub seen: usize,
    /// The position up to which no other call begins in the arguments.
    pub whole: usize,
}

/// Whether another call begins within JSON that has not ended.
pub(super) enum Seam {
    /// Not before this position.
    NotBefore(usize),
    /// The first call ends here. Another one follows its closing marker, which ends at the second position.
    At(usize, usize),
}

static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);

impl CallReader {
    pub fn new(format: &'static Format, from: usize, json: bool) -> Self {
        let state = match &format.body {
            _ if json => CallState::Json(json_call::Fields::default()),
            Body::Json(_) => CallState::Json(json_call::Fields::default()),
            Body::Tagged(_) => CallState::Tagged(tagged_call::Tags::Head),
            Body::Named(_) => CallState::Name,
            _ => CallState::Whole(Whole::default()),
        };
        Self {
            format,
            from,
            at: from,
            state,
            name: None,
            headed: None,
            id: None,
            arguments: String::new(),
            keys: Table::new(),
            sent: 0,
            begun: None,
            undeclared: false,
            certain: false,
            opening: Opening::Marked,
            standing: Standing::Certain,
            seen: from,
            whole: from,
        }
    }

    /// Where a closing marker and the opening marker of another call cut the JSON of this one off. `to` is the position up to which the
    /// JSON was scanned.
    pub(super) fn seam(&mut self, text: Text, to: usize) -> Seam {
        let (open, close) = (self.format.call.open.trim(), self.format.call.close.trim());
        if open.is_empty() || !close.starts_with('<') {
            return Seam::NotBefore(to);
        }
        let bytes = text.text.as_bytes();
        while self.whole < to {
            let Some(skip) = bytes.get(self.whole..to).and_then(|bytes| bytes.iter().position(|byte| *byte == b'<'))
            else {
                self.whole = to;
                break;
            };
            self.whole += skip;
            let next = match compare(text.from(self.whole), close, text.end) {
                Match::Maybe => return Seam::NotBefore(self.whole),
                Match::Yes => text.solid(self.whole + close.len()),
                Match::No => {
                    self.whole += 1;
                    continue;
                }
            };
            let rest = text.from(next);
            match compare(rest, open, text.end) {
                Match::Yes => return Seam::At(self.whole, self.whole + close.len()),
                Match::Maybe => return Seam::NotBefore(self.whole),
                Match::No if rest.is_empty() && !text.end => return Seam::NotBefore(self.whole),
                Match::No => self.whole += 1,
            }
        }
        Seam::NotBefore(to)
    }

    /// The call is cut off at this position, and reading continues at the other one.
    pub(super) fn cut_at(&mut self, text: Text, (end, next): (usize, usize), out: &mut Out) -> Progress {
        self.flush(out);
        self.fail(text.text.get(self.from..end).unwrap_or_default(), super::lost::CUT, out);
        self.at = next;
        Progress::Done(next)
    }

    pub fn started(&self) -> bool {
        self.begun.is_some() || self.undeclared
    }

    pub fn step(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let progress = match &mut self.state {
            CallState::Json(_) => json_call::step(self, text, tools, out),
            CallState::Tagged(_) => tagged_call::step(self, text, tools, out),
            CallState::Name => self.named(text, tools, out),
            CallState::Arguments(..) => self.object(text, tools, out),
            CallState::Unclosed(from) => {
                let from = *from;
                self.unclosed(text, from, tools, out)
            }
            CallState::Whole(_) => self.whole(text, tools, out),
        };
        self.flush(out);
        progress
    }

    /// Finds `needle` after the current position, without searching any input twice.
    pub fn find(&mut self, text: Text, needle: &str) -> Option<usize> {
        self.seen = self.seen.max(self.at);
        while !text.text.is_char_boundary(self.seen) {
            self.seen += 1;
        }
        let found = text.from(self.seen).find(needle);
        match found {
            Some(at) => Some(self.seen + at),
            None => {
                self.seen = self.seen.max(text.text.len().saturating_sub(needle.len().saturating_sub(1)));
                None
            }
        }
    }

    /// Finds a marker or one of its variants like [`find`](Self::find). Returns its position and its length.
    pub fn find_any(&mut self, text: Text, marker: &'static str) -> Option<(usize, usize)> {
        let start = self.seen;
        let mut nearest: Option<(usize, usize)> = None;
        let mut seen = usize::MAX;
        for spelling in self.format.spellings_of(marker) {
            self.seen = start;
            if let Some(at) = self.find(text, spelling).filter(|at| nearest.is_none_or(|(other, _)| *at < other)) {
                nearest = Some((at, spelling.len()));
            }
            seen = seen.min(self.seen);
        }
        self.seen = seen;
        nearest
    }

    /// Starts the call once its name is known. Returns false if it is not a call.
    pub fn begin(&mut self, name: &str, tools: &[Tool], out: &mut Out) -> bool {
        let name = declared(name, tools);
        // an object alone could be anything
        let known = (tools.is_empty() && self.opening != Opening::Object) || tools.iter().any(|tool| tool.name == name);
        let bare = match self.state {
            CallState::Json(_) => json_call::spelling(self).bare,
            _ => matches!(self.format.body, Body::Pythonic(_)),
        };
        match self.format.undeclared {
            _ if known => {}
            Undeclared::Text if !self.certain => return false,
            Undeclared::Text | Undeclared::Invalid => self.undeclared = true,
            Undeclared::Call if (bare || self.is_in_sentence()) && !self.certain => return false,
            Undeclared::Call => {}
        }
        if !self.undeclared {
            self.begun = Some(out.start(&name, self.id.as_deref()));
        }
        self.name = Some(name);
        true
    }

    /// Whether a marker in a sentence opens the call.
    fn is_in_sentence(&self) -> bool {
        self.standing != Standing::Certain && self.opening == Opening::Marked
    }

    pub fn flush(&mut self, out: &mut Out) {
        if let Some((block, id)) = &self.begun
            && let Some(text) = self.arguments.get(self.sent..)
            && !text.is_empty()
        {
            out.events.push(Event::CallDelta { block: *block, id: id.clone(), text: text.to_owned() });
            self.sent = self.arguments.len();
        }
    }

    /// Completes the call.
    pub fn finish(&mut self, text: Text, out: &mut Out) -> bool {
        self.flush(out);
        let raw = text.text.get(self.from..self.at).unwrap_or_default();
        if self.undeclared {
            self.fail(raw, "no tool of this name was declared", out);
            return true;
        }
        if !crate::json::is_object(&self.arguments) {
            self.fail(raw, "the arguments are not a JSON object", out);
            return true;
        }
        let Some((block, id)) = self.begun.take() else { return false };
        self.sent = 0;
        let name = self.name.clone().unwrap_or_default();
        out.events.push(Event::CallEnd { block, id, name, arguments: std::mem::take(&mut self.arguments) });
        true
    }

    /// Emits an invalid call in place of the call that was started.
    pub fn fail(&mut self, raw: &str, error: &str, out: &mut Out) {
        let name = self.name.clone().unwrap_or_default();
        let (block, id) = self.begun.take().unwrap_or_else(|| out.start(&name, self.id.as_deref()));
        let json = matches!(self.state, CallState::Json(_) | CallState::Arguments(..));
        let raw = if !json {
            raw
        } else if !self.arguments.is_empty() {
            &self.arguments
        } else {
            guess::arguments(raw).unwrap_or(raw)
        };
        let raw = raw.to_owned();
        out.events.push(Event::Invalid { block, id, name, raw, error: error.to_owned() });
    }

    pub fn parameters<'a>(&self, tools: &'a [Tool]) -> &'a Map<String, Value> {
        let name = self.name.as_deref().unwrap_or_default();
        tools.iter().find(|tool| tool.name == name).map_or(&*EMPTY, |tool| &tool.parameters)
    }

    /// The start of the call, up to the maximum length of a head, and whether nothing follows that could change how it is read.
    pub(super) fn window<'a>(&self, text: Text<'a>) -> (&'a str, bool) {
        let mut stop = text.text.len().min(self.from + HEAD + 1);
        while !text.text.is_char_boundary(stop) {
            stop -= 1;
        }
        (text.text.get(self.from..stop).unwrap_or_default(), text.end || stop < text.text.len())
    }

    /// Reads calls whose body is parsed once it is complete.
    fn whole(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        match self.shape(text) {
            Match::Yes => {}
            Match::No => return Progress::Broken,
            Match::Maybe => return Progress::More,
        }
        // at the end of the text, complete calls between markers need no closing bracket
        let is_section = matches!(self.format.body, Body::Pythonic(_)) && !self.format.section.open.is_empty();
        let end = match self.whole_end(text) {
            Some(end) => end,
            None if !text.end => return Progress::More,
            None if is_section => text.text.len(),
            None => return Progress::Cut,
        };
        let body = text.text.get(self.from..end).unwrap_or_default();
        self.at = end;
        let calls = match &self.format.body {
            Body::Pythonic(_) => python::calls(body.trim().trim_start_matches('[').trim_end_matches(']'), tools),
            Body::Literal(literal) => self.literal(body, literal.quote, tools),
            Body::Nested(nested) => self.nested(body, nested.prefix, nested.item, tools),
            _ => None,
        };
        let Some(calls) = calls else { return Progress::Broken };
        if Self::emit(self.format, self.standing, calls, tools, out) { Progress::Done(end) } else { Progress::Broken }
    }

    /// Emits calls that are known in full: names, and arguments as JSON. Returns false if they are no calls.
    pub fn emit(
        format: &'static Format,
        standing: Standing,
        calls: Vec<(String, String)>,
        tools: &[Tool],
        out: &mut Out,
    ) -> bool {
        let is_declared = |name: &str| tools.iter().any(|tool| tool.name == declared(name, tools));
        // beside the call of a declared tool, the others are calls too
        let certain = calls.iter().any(|(name, _)| is_declared(name));
        !calls.is_empty()
            && calls.into_iter().all(|(name, arguments)| {
                let json = matches!(format.body, Body::Named(_));
                let mut call = CallReader { certain, standing, ..CallReader::new(format, 0, json) };
                let raw = format!("{name}({arguments})");
                call.at = raw.len();
                call.arguments = arguments;
                call.begin(&name, tools, out) && call.finish(Text { text: &raw, end: true }, out)
            })
    }

    fn literal(&self, body: &str, quote: &str, tools: &[Tool]) -> Option<Vec<(String, String)>> {
        let (head, _) = body.split_once('{')?;
        let head_name = head.trim();
        let name = declared(head_name.strip_prefix("call:").unwrap_or(head_name).trim(), tools);
        let parameters = tools.iter().find(|tool| tool.name == name).map_or(&*EMPTY, |tool| &tool.parameters);
        let arguments = literal::pairs(body.get(head.len()..)?, quote, parameters)?;
        Some(vec![(name, arguments)])
    }

    fn nested(&self, body: &str, prefix: &str, item: &str, tools: &[Tool]) -> Option<Vec<(String, String)>> {
        let inner = body.strip_suffix("</invoke>")?.strip_suffix(prefix)?;
        let (head, _) = inner.split_once('>').filter(|_| inner.starts_with(prefix))?;
        let head_end = inner.find("\">").or(Some(head.len()))?;
        let name = inner.get(..head_end)?.rsplit("name=").next()?.trim_matches('"').to_owned();
        let name = declared(&name, tools);
        let parameters = tools.iter().find(|tool| tool.name == name).map_or(&*EMPTY, |tool| &tool.parameters);
        let arguments = literal::nested(inner.get(head_end..)?, prefix, item, parameters)?;
        Some(vec![(name, arguments)])
    }

    /// Whether the start looks like a call. Text that does not is not held back until its brackets are closed.
    fn shape(&self, text: Text) -> Match {
        let (start, end) = self.window(text);
        match &self.format.body {
            Body::Literal(_) => {
                let name = start.strip_prefix("call:").unwrap_or(start).trim_start();
                begins_call(name, &['_', '.', '-', ':', '/'], '{', end)
            }
            Body::Pythonic(python) if python.list => {
                let inner = start.strip_prefix('[').unwrap_or(start).trim_start();
                begins_call(inner, &['_', '.', '-'], '(', end)
            }
            _ => Match::Yes,
        }
    }

    fn whole_end(&mut self, text: Text) -> Option<usize> {
        match &self.format.body {
            Body::Nested(nested) => {
                let close = format!("{}</invoke>", nested.prefix);
                self.find(text, &close).map(|at| at + close.len())
            }
            Body::Pythonic(python) if !python.list => {
                let close = self.format.section.close;
                self.unquoted(text, close)
            }
            Body::Literal(literal) => self.literal_end(text, literal.quote),
            _ => self.balanced(text),
        }
    }

    /// The position of a marker outside of strings. If there is none, that of any, or else the end of the text.
    fn unquoted(&mut self, text: Text, marker: &str) -> Option<usize> {
        let CallState::Whole(whole) = &mut self.state else { return None };
        while let Some(&byte) = text.text.as_bytes().get(self.at) {
            let is_string = whole.string(text, self.at, &mut self.seen)?;
            if !is_string && marker.as_bytes().first() == Some(&byte) {
                match compare(text.from(self.at), marker, text.end) {
                    Match::Yes => return Some(self.at),
                    Match::Maybe => return None,
                    Match::No => {}
                }
            }
            self.at += 1;
        }
        let any = || text.from(self.from).find(marker).map_or(text.text.len(), |at| self.from + at);
        text.end.then(any)
    }

    /// The position after the closing bracket, or of the call's closing marker outside of strings. Strings are delimited by `quote`, or as
    /// in Python where a value begins.
    fn literal_end(&mut self, text: Text, quote: &str) -> Option<usize> {
        let CallState::Whole(whole) = &mut self.state else { return None };
        let close = self.format.call.close.trim();
        while let Some(&byte) = text.text.as_bytes().get(self.at) {
            let begins_value = matches!(whole.last, b':' | b',' | b'[' | b'{');
            if whole.quote.is_some() || (!whole.inside && begins_value && matches!(byte, b'"' | b'\'')) {
                match compare(text.from(self.at), close, text.end) {
                    Match::Yes => return Some(self.at),
                    Match::Maybe => return None,
                    Match::No => {}
                }
                whole.string(text, self.at, &mut self.seen)?;
                whole.last = byte;
                self.at += 1;
                continue;
            }
            let marker = |marker: &str| {
                let begins = marker.as_bytes().first() == Some(&byte);
                if begins { compare(text.from(self.at), marker, text.end) } else { Match::No }
            };
            match (marker(quote), marker(close)) {
                (Match::Yes, _) => {
                    // a marker after a value ends a string whose opening marker is missing
                    whole.inside = !whole.inside && begins_value;
                    whole.last = b'"';
                    self.at += quote.len();
                    continue;
                }
                (_, Match::Yes) if !whole.inside => return Some(self.at),
                (Match::Maybe, _) | (_, Match::Maybe) => return None,
                _ => {}
            }
            self.at += 1;
            match byte {
                _ if whole.inside => continue,
                b'{' | b'[' | b'(' => whole.depth += 1,
                b'}' | b']' | b')' => {
                    whole.depth = whole.depth.saturating_sub(1);
                    if whole.depth == 0 {
                        return Some(self.at);
                    }
                }
                _ => {}
            }
            if !space(byte) {
                whole.last = byte;
            }
        }
        None
    }

    /// The position after the closing bracket. Strings are delimited as in Python.
    fn balanced(&mut self, text: Text) -> Option<usize> {
        let CallState::Whole(whole) = &mut self.state else { return None };
        while let Some(&byte) = text.text.as_bytes().get(self.at) {
            let is_string = whole.string(text, self.at, &mut self.seen)?;
            self.at += 1;
            match byte {
                _ if is_string => {}
                b'{' | b'[' | b'(' => whole.depth += 1,
                b'}' | b']' | b')' => {
                    whole.depth = whole.depth.saturating_sub(1);
                    if whole.depth == 0 {
                        return Some(self.at);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// The declared name of a tool, without prefixes and control tokens that models add.
pub(super) fn declared(name: &str, tools: &[Tool]) -> String {
    let name = name.trim();
    let known = |name: &str| tools.iter().any(|tool| tool.name == name);
    let cut = name.split("<|").next().unwrap_or(name).trim();
    let short = cut.strip_prefix("functions.").unwrap_or(cut);
    if known(name) || tools.is_empty() {
        return if tools.is_empty() && !cut.is_empty() { short.to_owned() } else { name.to_owned() };
    }
    if known(cut) || !known(short) && !tools.iter().any(|tool| tool.name.eq_ignore_ascii_case(short)) {
        // namespaces precede the name, which may contain their separators itself
        let parts = cut.match_indices(['.', ':', '/']).filter_map(|(at, one)| cut.get(at + one.len()..));
        let own = if known(cut) { None } else { parts.into_iter().find(|part| known(part)) };
        return own.unwrap_or(cut).to_owned();
    }
    let mut same = tools.iter().filter(|tool| tool.name.eq_ignore_ascii_case(short));
    match (same.next(), same.next()) {
        (Some(one), None) => one.name.clone(),
        _ => short.to_owned(),
    }
}
