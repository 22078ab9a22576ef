//! Calls whose name is outside their arguments, which are a JSON object.

use super::kind::{Bracket, Facts, Kind, PLAIN, Spot};
use crate::json::{Map, Value};
use crate::text::Tool;
use crate::text::formats::words::NAMESPACE;
use crate::text::formats::{Format, Json, Named};
use crate::text::read::call::{Call, CallBody, Found, HEAD, Opening, Progress};
use crate::text::read::event::Verbatim;
use crate::text::read::guess;
use crate::text::read::kinds;
use crate::text::read::names::{declared, may_be_empty};
use crate::text::read::out::Out;
use crate::text::read::scan::{JsonScan, Match, Text, compare, compare_marker};
use crate::text::read::unmarked::{Unmarked, ends_lines};

/// The keys of an object without a marker.
const BARE: Json = Json { bare: true, ..PLAIN };

impl Kind for Named {
    fn facts(&'static self) -> Facts {
        let [_, separator, other] = self.sibling;
        let heads = [self.id, self.separator, separator];
        Facts {
            openers: if self.bare { ["{", "["] } else { [self.tag(), ""] },
            after: [self.after.trim(), other.trim()],
            is_json: true,
            takes_objects: self.bare,
            heads: heads.map(|marker| if marker.starts_with(['<', '[']) { marker } else { "" }),
            has_head: true,
            has_lines: self.lines,
            is_optional: self.optional,
            ..Facts::default()
        }
    }

    fn start(&'static self, call: &mut Call) -> Box<dyn CallBody> {
        call.origin.is_json = false;
        Box::new(NamedBody { spelling: self, state: State::Name })
    }

    fn spelling(&'static self, opening: Opening) -> &'static Json {
        if self.bare && opening == Opening::Object { &BARE } else { &PLAIN }
    }

    fn opener(&'static self, _spot: Spot) -> &'static str {
        self.tag()
    }

    fn starts(&'static self, _rest: &str, spot: Spot) -> bool {
        !spot.in_list
    }

    /// Markers of a call may begin with a bracket, too.
    fn bracket(&'static self, format: &Format, text: Text, at: usize, _seen: &mut usize, spot: Spot) -> Bracket {
        let rest = text.from(at);
        let markers = [format.call.open, self.separator, self.id];
        let begun = |marker: &&str| marker.starts_with('[') && compare(rest, marker, text.end) != Match::No;
        match markers.into_iter().find(begun) {
            _ if spot.is_bare => Bracket::List,
            Some(marker) if rest.len() < marker.len() => Bracket::Unknown,
            Some(_) => Bracket::Call,
            None => Bracket::List,
        }
    }

    fn begins(&'static self, format: &'static Format, text: &str, tools: &[Tool]) -> bool {
        let open = if self.lines { format.separator } else { format.call.open };
        let after = text.strip_prefix(open).filter(|_| !open.is_empty()).map(str::trim_start);
        let after = after.and_then(|after| after.strip_prefix(self.before)).map(str::trim_start);
        let after_id =
            after.and_then(|after| after.split_once(self.id)).filter(|_| self.id_first).map(|(_, name)| name);
        after_id.or(after).is_some_and(|name| guess::begins_with_name(name, tools))
            || (self.bare && PLAIN.begins(format, text, tools))
    }

    fn salvage(&'static self, body: &str, _tools: &[Tool]) -> Option<Vec<Found>> {
        super::json::objects(body, &PLAIN)
    }

    fn may_be(&'static self, text: &str, _prefill: &str) -> bool {
        text.contains(self.before)
    }

    fn begins_message(&'static self, format: &'static Format, start: &str, _prefill: &str) -> bool {
        let begins = |unmarked: Unmarked| unmarked.begins(start, 0, &[], true).0 == Match::Yes;
        let mut closes = format.wrappers.iter().copied().filter(|_| self.lines).chain([format.call.close]);
        closes.any(|close| !close.is_empty() && start.contains(close))
            && Unmarked::of(format, &self.facts()).is_some_and(begins)
    }

    fn continued<'a>(&'static self, format: &Format, prefill: &'a str) -> Option<&'a str> {
        let call = format.call.open;
        let at = prefill.rfind(call).filter(|_| !call.is_empty())?;
        prefill.get(at..)
    }
}

enum State {
    Name,
    /// JSON arguments that follow the name, from this position on.
    Arguments(JsonScan, usize),
    /// After arguments that start here, of a call without an opening marker: only a closing marker shows that it is one.
    Unclosed(usize),
}

struct NamedBody {
    spelling: &'static Named,
    state: State,
}

impl CallBody for NamedBody {
    fn step(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        match &self.state {
            State::Name => self.named(call, text, tools, out),
            State::Arguments(..) => self.object(call, text, tools, out),
            State::Unclosed(from) => unclosed(call, text, *from, tools, out),
        }
    }

    fn verbatim(&self, call: &Call, length: usize) -> Verbatim {
        match &self.state {
            State::Arguments(scan, from) if from + call.sent == length && scan.is_in_string() => Verbatim::Json,
            _ => Verbatim::None,
        }
    }
}

impl Named {
    /// The marker before the name. Empty if a word precedes it.
    fn tag(&self) -> &'static str {
        if self.before.starts_with('<') { self.before } else { "" }
    }
}

impl NamedBody {
    /// Reads `NAME separator {…}`.
    fn named(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let named = self.spelling;
        let found = self.head(call, text);
        let length = found.as_ref().map_or(text.text.len(), |(_, next)| *next) - call.from;
        if length > HEAD {
            return Progress::Broken;
        }
        let Some((head, next)) = found else {
            return if text.end { self.no_arguments(call, text, tools, out) } else { Progress::More };
        };
        let head = if head.is_empty() { call.headed.take().unwrap_or_default() } else { head };
        (call.at, call.seen) = (next, next);
        if !text.from(next).starts_with('{') {
            return self.empty(call, &head, text, tools, out);
        }
        if named.indexed && !head.is_empty() && head.bytes().all(|byte| byte.is_ascii_digit()) {
            // the arguments show which tool is called
            call.id = Some(head);
        } else {
            let Some(name) = self.identify(call, &head, tools) else { return Progress::Broken };
            call.name = Some(name.clone());
            let is_declared = tools.iter().any(|tool| tool.name == name);
            let is_sure = call.origin.opening.is_marked() || (call.origin.opening == Opening::Line && is_declared);
            if is_sure && !call.begin(&name, tools, out) {
                return Progress::Broken;
            }
        }
        self.state = State::Arguments(JsonScan::default(), next);
        call.origin.is_json = true;
        self.object(call, text, tools, out)
    }

    /// The text before the arguments, and the position where they start, or the closing marker if there are none.
    fn head(&self, call: &mut Call, text: Text) -> Option<(String, usize)> {
        let (start, _) = call.window(text);
        let [open, close] = [call.format.call.open, call.format.call.close].map(str::trim);
        let closed = if close.is_empty() { None } else { start.find(close) };
        // a marker of the next call ends a name, too
        let next = start.get(1..).and_then(|rest| rest.find(open)).filter(|_| !open.is_empty()).map(|at| at + 1);
        let at = start.find('{').into_iter().chain(closed).chain(next).min()?;
        Some((self.inner(start.get(..at)?, close).to_owned(), call.from + at))
    }

    /// A head without what separates it from its marker and from the arguments.
    fn inner<'a>(&self, head: &'a str, close: &str) -> &'a str {
        let named = self.spelling;
        let layouts = [[named.before, named.separator, named.after], named.sibling];
        let start = head.trim_start();
        let heads = named.facts().heads.into_iter().filter(|head| !head.is_empty());
        let start = heads.filter_map(|head| start.strip_prefix(head)).next().unwrap_or(start);
        let head = layouts.into_iter().fold(start.trim(), |head, [before, separator, after]| {
            let head = head.strip_suffix(after.trim()).unwrap_or(head).trim();
            let head = head.strip_suffix(separator.trim()).unwrap_or(head).trim();
            without(head, before).unwrap_or(head).trim()
        });
        let separators = if named.bare && !close.is_empty() { "=>(),[: \t\r\n" } else { "=>" };
        head.trim_end_matches(|one| separators.contains(one)).trim()
    }

    /// Ends a call that has no arguments between its markers.
    fn empty(&self, call: &mut Call, head: &str, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let Some(name) = self.identify(call, head, tools) else { return Progress::Broken };
        // before the next call, the name may be cut off
        let close = call.format.call.closer();
        let is_closed = !close.is_empty() && text.from(call.at).starts_with(close);
        if !(is_closed || may_be_empty(&declared(&name, tools), tools)) || !call.begin(&name, tools, out) {
            return Progress::Broken;
        }
        call.arguments.push_str("{}");
        call.finish(text, out);
        Progress::Done(call.at)
    }

    fn no_arguments(&self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let named = self.spelling;
        let head = self.inner(text.from(call.from), call.format.call.closer());
        let is_name = !head.is_empty() && !head.contains(char::is_whitespace) && !head.contains('[');
        let Some(name) = Some(head).filter(|_| is_name).and_then(|head| self.identify(call, head, tools)) else {
            return Progress::Cut;
        };
        // without a marker, the name alone may as well be text
        let is_marked = call.origin.opening.is_marked();
        if !is_marked {
            call.begin(&name, tools, out);
        }
        let is_sure = (named.optional || !tools.is_empty()) && is_marked;
        if !is_sure || !may_be_empty(&declared(&name, tools), tools) {
            return Progress::Cut;
        }
        call.at = text.text.len();
        if !call.begin(&name, tools, out) {
            return Progress::Broken;
        }
        call.arguments.push_str("{}");
        call.finish(text, out);
        Progress::Done(call.at)
    }

    fn identify(&self, call: &mut Call, head: &str, tools: &[Tool]) -> Option<String> {
        let named = self.spelling;
        if named.indexed {
            call.id = Some(head.to_owned());
            let name = indexed(head, tools)?;
            // clients write ids without the separators
            let is_sanitised = !head.contains(':');
            call.id = call.id.take().filter(|_| !is_sanitised);
            return Some(name);
        }
        let mut name = head;
        if !named.id.is_empty()
            && let Some((first, second)) = head.split_once(named.id)
        {
            let (id, rest) = if named.id_first { (first, second) } else { (second, first) };
            call.id = Some(id.trim().to_owned());
            name = rest.trim();
        }
        let plain = name.len() <= 256
            && (named.optional || !name.is_empty())
            && !name.contains(|one: char| one.is_whitespace() || matches!(one, '<' | '>' | '{' | '[' | '"' | '('));
        plain.then(|| name.to_owned())
    }

    fn object(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let State::Arguments(scan, from) = &mut self.state else { return Progress::Broken };
        let from = *from;
        call.arguments = String::new();
        let (end, sure, seam) = call.scan(text, scan, from);
        let stop = call.at;
        let so_far = text.text.get(from..sure).unwrap_or_default();
        if let Some((block, id)) = &call.begun {
            out.delta(*block, id, so_far.get(call.sent..).unwrap_or_default());
            call.sent = call.sent.max(so_far.len());
        }
        if let Some(next) = seam {
            call.arguments = so_far.to_owned();
            return if call.started() { call.cut_at(text, (sure, next), out) } else { Progress::Broken };
        }
        if end.is_none() && !text.end {
            return Progress::More;
        }
        let so_far = text.text.get(from..stop).unwrap_or_default();
        call.arguments = so_far.to_owned();
        if !call.origin.opening.is_marked() && !call.started() {
            self.state = State::Unclosed(from);
            call.origin.is_json = false;
            return unclosed(call, text, from, tools, out);
        }
        if call.started() {
            call.sent = call.arguments.len();
            if end.is_none() && !crate::json::is_object(&call.arguments) {
                return Progress::Cut;
            }
        } else {
            let Some(name) = inferred(call, tools) else { return Progress::Broken };
            call.begin(&name, tools, out);
        }
        Progress::Read
    }
}

/// Continues after arguments that belong to a call only if its closing marker follows.
fn unclosed(call: &mut Call, text: Text, from: usize, tools: &[Tool], out: &mut Out) -> Progress {
    let rest = text.from(text.solid(call.at));
    let name = call.name.clone().unwrap_or_default();
    let is_known = tools.is_empty() || tools.iter().any(|tool| tool.name == name);
    let found = match kinds::of(call.format).facts().has_lines {
        true => ends_lines(call.format, rest, is_known, text.end),
        false => compare_marker(call.format, rest, call.format.call.close, text.end).0,
    };
    match found {
        Match::Maybe => return Progress::More,
        Match::No => return Progress::Broken,
        Match::Yes => {}
    }
    call.arguments = text.text.get(from..call.at).unwrap_or_default().to_owned();
    if !call.begin(&name, tools, out) {
        return Progress::Broken;
    }
    call.finish(text, out);
    Progress::Done(call.at)
}

/// The only tool that has parameters of these names, if the text has no name.
fn inferred(call: &Call, tools: &[Tool]) -> Option<String> {
    let fields = crate::json::from_str::<Map<String, Value>>(&call.arguments).ok()?;
    let fits = |tool: &&Tool| {
        let properties = tool.parameters.get("properties").and_then(Value::as_object);
        !fields.is_empty() && properties.is_some_and(|known| fields.keys().all(|key| known.contains_key(key)))
    };
    let mut found = tools.iter().filter(fits);
    let tool = found.next()?;
    found.next().is_none().then(|| tool.name.clone())
}

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
    let short = plain
        .strip_prefix(NAMESPACE.trim_end_matches('.'))
        .and_then(|rest| rest.strip_prefix(['.', '_', ':']))
        .unwrap_or(plain);
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
