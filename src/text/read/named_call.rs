//! Reads a call whose name is outside its arguments, which are a JSON object.

use super::block::Text;
use super::call::{CallReader, CallState, HEAD, Progress, Seam};
use super::event::Event;
use super::out::Out;
use super::scan::{JsonScan, Match, compare_any};
use super::unmarked::Opening;
use crate::json::{Map, Value};
use crate::text::Tool;
use crate::text::formats::{Body, Named};

/// The name in an id such as `functions.NAME:INDEX`. Clients replace its separators by `_`, or leave parts out, which only the name of a
/// declared tool shows.
fn indexed(head: &str, tools: &[Tool]) -> Option<String> {
    let known = |name: &&str| tools.iter().any(|tool| tool.name == **name);
    let name = match head.rsplit_once(':') {
        Some((name, index)) if index.parse::<u64>().is_ok() => Some(name),
        _ => None,
    };
    if let Some(name) = name {
        // namespaces precede the name, which may contain dots itself
        let dots = name.match_indices('.').filter_map(|(at, dot)| name.get(at + dot.len()..));
        let declared = std::iter::once(name).chain(dots).find(known);
        if let Some(name) = declared {
            return Some(name.to_owned());
        }
    }
    let plain = name.unwrap_or(head);
    let short = plain.strip_prefix("functions").and_then(|rest| rest.strip_prefix(['.', '_', ':'])).unwrap_or(plain);
    let counted = short.trim_end_matches(|one: char| one.is_ascii_digit());
    let counted = counted.strip_suffix(['_', '-', ':', '.']).unwrap_or(short);
    let found = [plain, short, counted].into_iter().find(known).map(str::to_owned);
    found.or_else(|| name?.rsplit('.').next().map(str::to_owned))
}

/// The text after this word and this marker, which may have whitespace between them.
fn without<'a>(head: &'a str, before: &str) -> Option<&'a str> {
    let (word, marker) = before.split_at(before.find('<').unwrap_or(before.len()));
    head.strip_prefix(word)?.trim_start().strip_prefix(marker)
}

impl CallReader {
    /// Reads `NAME separator {…}`.
    pub(super) fn named(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let Body::Named(named) = &self.format.body else { return Progress::Broken };
        let found = self.head(text, named);
        let length = found.as_ref().map_or(text.text.len(), |(_, next)| *next) - self.from;
        if length > HEAD {
            return Progress::Broken;
        }
        let Some((head, next)) = found else {
            return if text.end { self.no_arguments(text, named, tools, out) } else { Progress::More };
        };
        (self.at, self.seen) = (next, next);
        if !text.from(next).starts_with('{') {
            return self.empty(&head, text, named, tools, out);
        }
        if named.indexed && !head.is_empty() && head.bytes().all(|byte| byte.is_ascii_digit()) {
            // the arguments show which tool is called
            self.id = Some(head);
        } else {
            let Some(name) = self.identify(&head, named, tools) else { return Progress::Broken };
            self.name = Some(name.clone());
            let is_declared = tools.iter().any(|tool| tool.name == name);
            let is_sure = self.opening == Opening::Marked || (self.opening == Opening::Line && is_declared);
            if is_sure && !self.begin(&name, tools, out) {
                return Progress::Broken;
            }
        }
        self.state = CallState::Arguments(JsonScan::default(), next);
        self.object(text, tools, out)
    }

    /// The text before the arguments, and the position where they start, or the closing marker if there are none.
    fn head(&mut self, text: Text, named: &Named) -> Option<(String, usize)> {
        let (start, _) = self.window(text);
        let close = self.format.call.close.trim();
        let closed = if close.is_empty() { None } else { start.find(close) };
        let at = start.find('{').into_iter().chain(closed).min()?;
        let head = start.get(..at)?.trim();
        let at = self.from + at;
        let [before, separator, _] = named.sibling;
        let layouts = [(named.before, named.separator), (before, separator)];
        let head = layouts.into_iter().fold(head, |head, (before, separator)| {
            let head = head.strip_suffix(separator.trim()).unwrap_or(head).trim();
            without(head, before).unwrap_or(head).trim()
        });
        let separators = if named.bare && !close.is_empty() { "=>(),[: \t\r\n" } else { "=>" };
        let head = head.trim_end_matches(|one| separators.contains(one));
        Some((head.trim().to_owned(), at))
    }

    /// Ends a call that has no arguments between its markers.
    fn empty(&mut self, head: &str, text: Text, named: &Named, tools: &[Tool], out: &mut Out) -> Progress {
        let Some(name) = self.identify(head, named, tools) else { return Progress::Broken };
        if !self.begin(&name, tools, out) {
            return Progress::Broken;
        }
        self.arguments.push_str("{}");
        self.finish(text, out);
        Progress::Done(self.at)
    }

    fn no_arguments(&mut self, text: Text, named: &Named, tools: &[Tool], out: &mut Out) -> Progress {
        let head = text.from(self.from).trim();
        if !named.optional || head.is_empty() || head.contains(char::is_whitespace) || head.contains('[') {
            return Progress::Cut;
        }
        self.at = text.text.len();
        if !self.begin(head, tools, out) {
            return Progress::Broken;
        }
        self.arguments.push_str("{}");
        self.finish(text, out);
        Progress::Done(self.at)
    }

    fn identify(&mut self, head: &str, named: &Named, tools: &[Tool]) -> Option<String> {
        if named.indexed {
            self.id = Some(head.to_owned());
            let name = indexed(head, tools)?;
            // clients write ids without the separators
            let is_sanitised = !head.contains(':');
            self.id = self.id.take().filter(|_| !is_sanitised);
            return Some(name);
        }
        let mut name = head;
        if !named.id.is_empty()
            && let Some((first, second)) = head.split_once(named.id)
        {
            let (id, rest) = if named.id_first { (first, second) } else { (second, first) };
            self.id = Some(id.trim().to_owned());
            name = rest.trim();
        }
        let plain = name.len() <= 256
            && (named.optional || !name.is_empty())
            && !name.contains(|one: char| one.is_whitespace() || matches!(one, '<' | '>' | '{' | '"' | '('));
        plain.then(|| name.to_owned())
    }

    pub(super) fn object(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let CallState::Arguments(scan, from) = &mut self.state else { return Progress::Broken };
        let from = *from;
        let mut at = self.at;
        let end = scan.run(text.text.as_bytes(), &mut at);
        let stop = end.unwrap_or(at);
        self.arguments = String::new();
        self.at = stop;
        self.whole = self.whole.max(from);
        let (sure, seam) = match self.seam(text, stop) {
            Seam::At(end, next) => (end, Some(next)),
            Seam::NotBefore(sure) => (sure, None),
        };
        let so_far = text.text.get(from..sure).unwrap_or_default();
        // copy only the new part
        let new = so_far.get(self.sent..).unwrap_or_default().to_owned();
        if let Some((block, id)) = &self.begun
            && !new.is_empty()
        {
            out.events.push(Event::CallDelta { block: *block, id: id.clone(), text: new });
            self.sent = so_far.len();
        }
        if let Some(next) = seam {
            self.arguments = so_far.to_owned();
            return if self.started() { self.cut_at(text, (sure, next), out) } else { Progress::Broken };
        }
        if end.is_none() && !text.end {
            return Progress::More;
        }
        let so_far = text.text.get(from..stop).unwrap_or_default();
        self.arguments = so_far.to_owned();
        if self.opening != Opening::Marked && !self.started() {
            self.state = CallState::Unclosed(from);
            return self.unclosed(text, from, tools, out);
        }
        if self.started() {
            self.sent = self.arguments.len();
        } else {
            let Some(name) = self.inferred(tools) else { return Progress::Broken };
            self.begin(&name, tools, out);
        }
        self.finish(text, out);
        Progress::Done(self.at)
    }

    /// Continues after arguments that belong to a call only if its closing marker follows.
    pub(super) fn unclosed(&mut self, text: Text, from: usize, tools: &[Tool], out: &mut Out) -> Progress {
        let at = text.solid(self.at);
        let close = self.format.spellings_of(self.format.call.close);
        match compare_any(text.from(at), close, text.end).0 {
            Match::Maybe => return Progress::More,
            Match::No => return Progress::Broken,
            Match::Yes => {}
        }
        let name = self.name.clone().unwrap_or_default();
        self.arguments = text.text.get(from..self.at).unwrap_or_default().to_owned();
        if !self.begin(&name, tools, out) {
            return Progress::Broken;
        }
        self.finish(text, out);
        Progress::Done(self.at)
    }

    /// The only tool that has parameters of these names, if the text has no name.
    fn inferred(&self, tools: &[Tool]) -> Option<String> {
        let fields = crate::json::from_str::<Map<String, Value>>(&self.arguments).ok()?;
        let fits = |tool: &&Tool| {
            let properties = tool.parameters.get("properties").and_then(Value::as_object);
            !fields.is_empty() && properties.is_some_and(|known| fields.keys().all(|key| known.contains_key(key)))
        };
        let mut found = tools.iter().filter(fits);
        let tool = found.next()?;
        found.next().is_none().then(|| tool.name.clone())
    }
}
