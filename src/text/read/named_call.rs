//! Reads a call whose name is outside its arguments, which are a JSON object.

use super::block::Text;
use super::call::{Call, HEAD, Progress, State};
use super::event::Event;
use super::out::Out;
use super::scan::JsonScan;
use crate::json::{Map, Value};
use crate::text::Tool;
use crate::text::formats::{Body, Named};

impl Call {
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
        if named.indexed && !head.is_empty() && head.bytes().all(|byte| byte.is_ascii_digit()) {
            // the arguments show which tool is called
            self.id = Some(head);
        } else {
            let Some(name) = self.identify(&head, named, tools) else { return Progress::Broken };
            if !self.begin(&name, tools, out) {
                return Progress::Broken;
            }
        }
        (self.at, self.seen) = (next, next);
        self.state = State::Arguments(JsonScan::default(), next);
        self.object(text, tools, out)
    }

    /// The text before the arguments, and the position where they start.
    fn head(&mut self, text: Text, named: &Named) -> Option<(String, usize)> {
        let (start, _) = self.window(text);
        let window = text.text.get(..self.from + start.len())?;
        let at = self.find(Text { text: window, end: text.end }, "{")?;
        let head = text.text.get(self.from..at)?.trim();
        let head = head.strip_suffix(named.separator.trim()).unwrap_or(head);
        let head = head.trim_end_matches(['=', '>']);
        Some((head.trim().trim_start_matches(named.before).trim().to_owned(), at))
    }

    fn no_arguments(&mut self, text: Text, named: &Named, tools: &[Tool], out: &mut Out) -> Progress {
        let head = text.from(self.from).trim();
        if !named.separator.contains("[ARGS]")
            || head.is_empty()
            || head.contains(char::is_whitespace)
            || head.contains('[')
        {
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
            let (name, index) = head.rsplit_once(':')?;
            index.parse::<u64>().ok()?;
            self.id = Some(head.to_owned());
            let name = if tools.iter().any(|tool| tool.name == name) { name } else { name.rsplit('.').next()? };
            return Some(name.to_owned());
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
            && !name.contains(|one: char| one.is_whitespace() || matches!(one, '<' | '{' | '"' | '('));
        plain.then(|| name.to_owned())
    }

    pub(super) fn object(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let State::Arguments(scan, from) = &mut self.state else { return Progress::Broken };
        let from = *from;
        let mut at = self.at;
        let end = scan.run(text.text.as_bytes(), &mut at);
        let stop = end.unwrap_or(at);
        self.arguments = String::new();
        self.at = stop;
        let so_far = text.text.get(from..stop).unwrap_or_default();
        // copy only the new part
        let new = so_far.get(self.sent..).unwrap_or_default().to_owned();
        if let Some((block, id)) = &self.begun
            && !new.is_empty()
        {
            out.events.push(Event::CallDelta { block: *block, id: id.clone(), text: new });
            self.sent = so_far.len();
        }
        if end.is_none() && !text.end {
            return Progress::More;
        }
        self.arguments = so_far.to_owned();
        if self.started() {
            self.sent = self.arguments.len();
        } else {
            let Some(name) = self.inferred(tools) else { return Progress::Broken };
            self.begin(&name, tools, out);
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
