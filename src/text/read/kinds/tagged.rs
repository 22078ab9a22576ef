//! Calls with one tag per argument.

use super::kind::{Facts, Kind, Spot};
use super::tagged_value::{Argument, Read, Tags, open};
use super::tags::{attribute, following, named, skip, written};
use crate::bytes::ByteSet;
use crate::json::Value;
use crate::text::Tool;
use crate::text::formats::words::NAME_ATTRIBUTE;
use crate::text::formats::{Flag, Tagged};
use crate::text::read::call::{Call, CallBody, HEAD, Opening, Progress, Standing};
use crate::text::read::event::Verbatim;
use crate::text::read::names::declared;
use crate::text::read::out::Out;
use crate::text::read::scan::{JsonScan, Match, Text, compare, compare_marker, compare_markers};
use crate::text::read::typed;
use crate::text::schema;

impl Kind for Tagged {
    fn facts(&'static self) -> Facts {
        Facts {
            openers: [self.open, ""],
            open: self.open,
            name: if self.second == "name" { NAME_ATTRIBUTE } else { "" },
            close: self.close,
            value_close: self.value_close,
            parts: [self.key, self.value],
            after: [self.close, ""],
            is_sectioned: true,
            heads: if self.open.is_empty() { [self.name_end, self.key, ""] } else { [""; 3] },
            has_bare_name: self.open.is_empty(),
            ..Facts::default()
        }
    }

    fn start(&'static self, call: &mut Call) -> Box<dyn CallBody> {
        Box::new(TaggedBody { spelling: self, tags: Tags::of(call.format, self), state: State::Head, is_copied: false })
    }

    fn opener(&'static self, spot: Spot) -> &'static str {
        if spot.is_certain { self.open } else { "" }
    }

    fn starts(&'static self, rest: &str, _spot: Spot) -> bool {
        self.open.is_empty() && !rest.starts_with('<')
    }
}

enum State {
    Head,
    Parts,
    Value(Argument),
    Object(JsonScan, usize),
}

struct TaggedBody {
    spelling: &'static Tagged,
    tags: Tags,
    state: State,
    /// Whether the text has the arguments as an object.
    is_copied: bool,
}

impl CallBody for TaggedBody {
    fn step(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        loop {
            let progress = match &mut self.state {
                State::Head => self.head(call, text, tools, out),
                State::Parts => self.parts(call, text, tools, out),
                State::Value(argument) => match argument.step(call, self.spelling, text, (tools, out)) {
                    Read::Done(at) => self.go(call, at, State::Parts),
                    Read::More => Some(Progress::More),
                    Read::Cut(at) => {
                        call.at = at;
                        Some(Progress::Broken)
                    }
                },
                State::Object(..) => self.object(call, text),
            };
            match progress {
                None => {}
                Some(Progress::More) if text.end => return Progress::Cut,
                Some(progress) => return progress,
            }
        }
    }

    fn verbatim(&self, call: &Call, length: usize) -> Verbatim {
        let is_sent = call.sent == call.arguments.len();
        match &self.state {
            State::Value(argument) if is_sent && argument.is_sent(length) => Verbatim::Value,
            _ => Verbatim::None,
        }
    }
}

/// Names have none of these.
const BRACKETS: ByteSet = ByteSet::of(b"<>");
/// End a name whose tag is not closed.
const NAME_ENDS: ByteSet = ByteSet::of(b"\n<");

impl TaggedBody {
    fn go(&mut self, call: &mut Call, at: usize, state: State) -> Option<Progress> {
        (call.at, call.seen) = (at, at);
        self.state = state;
        None
    }

    fn head(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Option<Progress> {
        let spelling = self.spelling;
        if spelling.open.is_empty() {
            return self.bare_head(call, text, tools, out);
        }
        let (_, size) = compare_marker(call.format, text.from(call.from), spelling.open, text.end);
        let start = call.from + size;
        call.at = call.at.max(start);
        let Some(end) = call.find(text, spelling.name_end) else { return Some(Progress::More) };
        let inner = text.text.get(start..end).unwrap_or_default();
        let (inner, closed) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
        let mut next = end + spelling.name_end.len();
        let name = if spelling.second == "name" {
            call.id = Some(attribute(inner).to_owned()).filter(|id| !id.is_empty());
            named(inner, spelling.second).unwrap_or_default().to_owned()
        } else if spelling.quoted {
            written(spelling, attribute(inner)).into_owned()
        } else {
            let name = inner.get(..NAME_ENDS.before(inner.as_bytes())).unwrap_or_default().trim();
            if name.len() < inner.trim().len() {
                next = start + inner.find(name).unwrap_or(0) + name.len();
            }
            name.trim_matches('"').to_owned()
        };
        // a sentence may name the tag
        if call.origin.standing != Standing::Certain {
            match is_followed(call, spelling, text, next) {
                Match::Yes => {}
                Match::Maybe => return Some(Progress::More),
                Match::No => return Some(Progress::Broken),
            }
        }
        // in strict formats, any deviation means that the text is not a call
        if spelling.cdata {
            call.name = Some(declared(&name, tools));
        } else if name.is_empty() || !call.begin(&name, tools, out) {
            return Some(Progress::Broken);
        }
        self.go(call, next, State::Parts);
        if closed {
            return Some(self.done(call, next, text, tools, out));
        }
        None
    }

    /// Reads a name without a tag of its own: up to the first tag or line break.
    fn bare_head(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Option<Progress> {
        let spelling = self.spelling;
        let rest = text.from(call.from);
        let end = rest.find(['<', '\n', '\\']);
        let Some(end) = end else {
            return Some(if rest.len() > 300 { Progress::Broken } else { Progress::More });
        };
        let headed = call.headed.clone().filter(|_| call.origin.opening == Opening::Head);
        let name = headed.as_deref().unwrap_or(rest.get(..end).unwrap_or_default().trim());
        let plain =
            !name.is_empty() && !name.contains(|one: char| one.is_whitespace() || matches!(one, '{' | '"' | '>'));
        let mut next = call.from + end;
        if plain && !spelling.name_end.is_empty() {
            let at = text.solid(next);
            match compare_marker(call.format, text.from(at), spelling.name_end, text.end) {
                (Match::Yes, size) => next = at + size,
                (Match::Maybe, _) => return Some(Progress::More),
                (Match::No, _) => {}
            }
        }
        // a name by itself is a call only if its tag is closed or arguments follow
        let at = skip(text, next);
        let after = text.from(at);
        if !text.end && (after.is_empty() || after == "\\") {
            return Some(Progress::More);
        }
        let mut found = Match::No;
        for marker in [spelling.key, call.format.call.closer()] {
            match compare_marker(call.format, after, marker, text.end).0 {
                Match::Yes => found = Match::Yes,
                Match::Maybe if found == Match::No => found = Match::Maybe,
                _ => {}
            }
        }
        match found {
            Match::Maybe => return Some(Progress::More),
            Match::No => return self.joined_head(call, text, (name.to_owned(), at), tools, out),
            Match::Yes => {}
        }
        if !plain || !call.begin(name, tools, out) {
            return Some(Progress::Broken);
        }
        self.go(call, next, State::Parts)
    }

    /// Reads a head whose opening tag of the first key is missing: the name of a declared tool, then the key, up to this position.
    fn joined_head(
        &mut self,
        call: &mut Call,
        text: Text,
        (joined, at): (String, usize),
        tools: &[Tool],
        out: &mut Out,
    ) -> Option<Progress> {
        let spelling = self.spelling;
        let mut value = at;
        for tag in [spelling.key_end, spelling.value] {
            value = skip(text, value);
            match compare(text.from(value), tag, text.end) {
                Match::Yes if !tag.is_empty() => value += tag.len(),
                Match::Maybe => return Some(Progress::More),
                _ => return Some(Progress::Broken),
            }
        }
        let names =
            tools.iter().map(|tool| &tool.name).filter(|name| joined.len() > name.len() && joined.starts_with(*name));
        let Some(name) = names.max_by_key(|name| name.len()) else { return Some(Progress::Broken) };
        let start = text.from(call.from).find(name.as_str()).unwrap_or(0) + call.from + name.len();
        if !call.begin(name, tools, out) {
            return Some(Progress::Broken);
        }
        (call.at, call.seen) = (start, start);
        self.key(call, text, (start, 0), tools, out)
    }

    fn parts(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Option<Progress> {
        let spelling = self.spelling;
        let at = skip(text, call.at);
        let rest = text.from(at);
        if rest.is_empty() || (rest == "\\" && !text.end) {
            return Some(Progress::More);
        }
        let format = call.format;
        let mut best = Match::No;
        for marker in following(format, spelling).into_iter().filter(|marker| !marker.is_empty()) {
            match compare_marker(format, rest, marker, text.end) {
                (Match::Yes, size) if marker == spelling.key => return self.key(call, text, (at, size), tools, out),
                (Match::Yes, size) if marker == spelling.close => {
                    return Some(self.done(call, at + size, text, tools, out));
                }
                (Match::Yes, _) => return Some(self.done(call, at, text, tools, out)),
                (Match::Maybe, _) => best = Match::Maybe,
                (Match::No, _) => {}
            }
        }
        if !spelling.object.open.is_empty() && call.arguments.is_empty() {
            match compare(rest, spelling.object.open, text.end) {
                Match::Yes => return self.raw(call, text, at),
                Match::Maybe => best = Match::Maybe,
                Match::No => {}
            }
        }
        match best {
            Match::Maybe => Some(Progress::More),
            _ if rest.starts_with('{') && call.arguments.is_empty() => {
                self.go(call, at, State::Object(JsonScan::default(), at))
            }
            _ if spelling.cdata => Some(Progress::Broken),
            _ => self.stray(call, text, at, out),
        }
    }

    /// Drops words between arguments, and closing tags of values that are already closed.
    fn stray(&mut self, call: &mut Call, text: Text, at: usize, out: &mut Out) -> Option<Progress> {
        let spelling = self.spelling;
        let format = call.format;
        let next = match compare_marker(format, text.from(at), spelling.value_close, text.end) {
            (Match::Yes, size) => at + size,
            (Match::Maybe, _) => return Some(Progress::More),
            (Match::No, _) if text.from(at).starts_with('<') => return Some(Progress::Broken),
            (Match::No, _) => call.find(text, "<").unwrap_or(text.text.len()),
        };
        let after = text.solid(next);
        match compare_markers(format, text.from(after), &following(format, spelling), text.end).0 {
            _ if after == text.text.len() => Some(Progress::More),
            Match::Maybe => Some(Progress::More),
            Match::No => Some(Progress::Broken),
            // text in place of the arguments
            Match::Yes if call.arguments.is_empty() && !text.from(after).starts_with(spelling.key) => {
                Some(Progress::Broken)
            }
            Match::Yes => {
                out.lose(
                    "text between the arguments of a call was dropped",
                    text.text.get(at..next).unwrap_or_default(),
                );
                self.go(call, after, State::Parts)
            }
        }
    }

    /// Reads all arguments as one JSON object between tags.
    fn raw(&mut self, call: &mut Call, text: Text, at: usize) -> Option<Progress> {
        let spelling = self.spelling;
        let start = at + spelling.object.open.len();
        call.at = at;
        let Some(end) = call.find(text, spelling.object.close) else { return Some(Progress::More) };
        let object = text.text.get(start..end).unwrap_or_default().trim();
        // the outer closing brace is emitted with the closing tag
        let Some(fields) = object.strip_suffix('}') else { return Some(Progress::Broken) };
        call.arguments = fields.trim_end().to_owned();
        self.is_copied = true;
        self.go(call, end + spelling.object.close.len(), State::Parts)
    }

    fn done(&mut self, call: &mut Call, at: usize, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let spelling = self.spelling;
        let name = call.name.clone().unwrap_or_default();
        // strict formats require all required parameters
        if spelling.cdata && !has_required(call, tools) {
            return Progress::Broken;
        }
        if !call.started() && !call.begin(&name, tools, out) {
            return Progress::Broken;
        }
        (call.at, call.seen) = (at, at);
        call.arguments.push_str(if call.arguments.is_empty() { "{}" } else { "}" });
        call.is_object = !self.is_copied;
        if call.finish(text, out) { Progress::Done(at) } else { Progress::Broken }
    }

    fn object(&mut self, call: &mut Call, text: Text) -> Option<Progress> {
        let State::Object(scan, from) = &mut self.state else { return Some(Progress::Broken) };
        let from = *from;
        let mut at = call.at;
        let end = scan.run(text.text.as_bytes(), &mut at);
        call.at = end.unwrap_or(at);
        let end = match end {
            Some(end) => end,
            None => return Some(Progress::More),
        };
        // the outer closing brace is emitted with the closing tag
        let raw = text.text.get(from..end).unwrap_or_default().trim_end();
        let Some(raw) = raw.strip_suffix('}') else { return Some(Progress::Broken) };
        call.arguments = raw.trim_end().to_owned();
        self.is_copied = true;
        self.go(call, end, State::Parts)
    }

    /// Reads the key whose marker is at this position and has this length.
    fn key(
        &mut self,
        call: &mut Call,
        text: Text,
        (at, size): (usize, usize),
        tools: &[Tool],
        out: &mut Out,
    ) -> Option<Progress> {
        let spelling = self.spelling;
        let start = at + size;
        call.at = start;
        let found = call.find_any(text, spelling.key_end);
        // a name has no tags: the end of this one is missing
        let name = text.text.get(start..found.map_or(text.text.len(), |(end, _)| end)).unwrap_or_default();
        if overruns(spelling, name) {
            return Some(Progress::Broken);
        }
        let Some((end, size)) = found else {
            call.at = at;
            return Some(Progress::More);
        };
        let inner = text.text.get(start..end).unwrap_or_default();
        // the end of the tag is missing, and the value follows on the next line
        let (inner, end, size) = match inner.split_once('\n') {
            Some((line, _)) if !spelling.quoted && !line.trim().is_empty() && spelling.value.is_empty() => {
                (line, start + line.len(), 0)
            }
            _ => (inner, end, size),
        };
        let name = if spelling.quoted || inner.trim_start().starts_with('"') {
            attribute(inner)
        } else {
            inner.trim().trim_end_matches('"')
        };
        let name = written(spelling, name);
        // the next attribute follows a name whose closing quotation mark is missing
        let next = name.strip_suffix('=').and_then(|joined| joined.rsplit_once(' ')).filter(|_| spelling.quoted);
        let name = next.map_or(&*name, |(name, _)| name);
        // a bracket in a tag belongs to the next one, if it is not in the name of a declared parameter
        let is_declared = || schema::property(call.parameters(tools), name).is_some();
        let is_overrun = spelling.quoted && inner.contains('<') && !name.contains('<');
        if is_overrun || (BRACKETS.is_in(name) && !is_declared()) {
            return Some(Progress::Broken);
        }
        let mut from = end + size;
        let mut stated = None;
        if !spelling.kind.open.is_empty() {
            let start = skip(text, from);
            match compare(text.from(start), spelling.kind.open, text.end) {
                Match::Yes => {
                    let inner = text.from(start + spelling.kind.open.len());
                    let Some(length) = inner.find(spelling.kind.close) else {
                        call.at = at;
                        return Some(if inner.len() > HEAD { Progress::Broken } else { Progress::More });
                    };
                    stated = inner.get(..length).map(|kind| typed::is_string(kind.trim()));
                    from = text.text.len() - inner.len() + length + spelling.kind.close.len();
                }
                Match::Maybe => {
                    call.at = at;
                    return Some(Progress::More);
                }
                Match::No => {}
            }
        }
        if !spelling.value.is_empty() {
            from = skip(text, from);
            match compare_marker(call.format, text.from(from), spelling.value, text.end) {
                (Match::Yes, size) => from += size,
                _ if text.from(from) == "\\" && !text.end => {
                    call.at = at;
                    return Some(Progress::More);
                }
                (Match::Maybe, _) => {
                    call.at = at;
                    return Some(Progress::More);
                }
                (Match::No, _) => {
                    out.lose("the name of an argument without a value was dropped", name);
                    return self.go(call, from, State::Parts);
                }
            }
        }
        let kind = if spelling.flag == Flag::Raw { named(inner, "type").unwrap_or_default() } else { "" };
        let flagged = match spelling.flag {
            Flag::String => named(inner, "string").map(|flag| flag == "true"),
            Flag::Type | Flag::Raw => named(inner, "type").map(|kind| matches!(kind, "string" | "raw")),
            Flag::None => stated,
        };
        let parameters = call.parameters(tools);
        let schema = schema::property(parameters, name);
        let unknown = parameters.is_empty() && flagged == Some(false);
        let text_value = match flagged {
            Some(true) => typed::takes_text(schema),
            _ => typed::is_text(schema) && !unknown && flagged != Some(false),
        } && !spelling.cdata;
        // which value was meant is not clear
        if call.keys.insert(name.to_owned(), ()).is_some() {
            return Some(Progress::Broken);
        }
        if text_value {
            open(call, name);
            call.arguments.push('"');
        }
        let argument = Argument::new(self.tags, name.to_owned(), from, (text_value, kind));
        self.go(call, from, State::Value(argument))
    }
}

/// Whether the name of an argument with a tag of its own for the value runs on into the value.
fn overruns(spelling: &Tagged, name: &str) -> bool {
    let start = name.get(..name.floor_char_boundary(HEAD)).unwrap_or_default();
    !spelling.value.is_empty() && [spelling.value, spelling.value_close].iter().any(|tag| start.contains(tag))
}

/// Whether a tag of an argument or of the end of a call follows.
fn is_followed(call: &Call, spelling: &Tagged, text: Text, at: usize) -> Match {
    let at = text.solid(at);
    if at == text.text.len() {
        return if text.end { Match::Yes } else { Match::Maybe };
    }
    let tags = [spelling.key, spelling.close, call.format.call.closer()];
    match compare_markers(call.format, text.from(at), &tags, false).0 {
        // the end of the text may cut it off
        Match::Maybe if text.end => Match::Yes,
        found => found,
    }
}

/// Whether all required parameters are present.
fn has_required(call: &Call, tools: &[Tool]) -> bool {
    let required = call.parameters(tools).get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str).all(|name| call.keys.contains_key(name))
}
