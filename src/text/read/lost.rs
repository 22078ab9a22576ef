//! Calls that can't be read: where they end, and what they become.

use super::block::{BlockReader, Part, Step};
use super::call::{CUT, Call, Opening, Standing};
use super::kinds::json::is_definition;
use super::kinds::origin;
use super::names::declared;
use super::out::Out;
use super::scan::{Match, Text, compare};
use super::{guess, salvage};
use crate::text::Tool;

impl BlockReader {
    /// The input after a marker can't be read as a call.
    pub(super) fn broken(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let started = self.call().is_some_and(Call::started);
        let marked = self.first > 0 && !self.closing_marker().is_empty();
        // other notations begin with the same brackets
        let begins = |brackets: &[char]| self.list || text.from(text.solid(self.at)).starts_with(brackets);
        let other = marked && (self.facts.is_python || (self.facts.is_object && begins(&['{', '['])));
        let read = self.call().map_or(self.at, |call| call.at);
        let raw = text.text.get(self.from..read).unwrap_or_default();
        if !started && !other && self.may_be_text() && !self.names_declared(raw, tools) {
            let at = if text.end { text.text.len() } else { self.first.max(self.from) };
            return Step::Broken(at.max(self.from));
        }
        // skip an opening marker that belongs to the call itself
        let call = match std::mem::replace(&mut self.part, Part::Between) {
            Part::Call(reader) => Some(reader.call),
            _ => None,
        };
        self.part = Part::Lost(read.max(self.first).max(self.from + 1).min(text.text.len()), call);
        self.list = false;
        self.lose(text, tools, out)
    }

    /// The closing marker of a call, or else that of the section.
    pub(super) fn closing_marker(&self) -> &'static str {
        let markers = [self.format.call.close.trim(), self.facts.close, self.format.section.close.trim()];
        markers.into_iter().find(|marker| !marker.is_empty()).unwrap_or_default()
    }

    /// Gives up on a call that can't be read: it ends at its closing marker or at the next call. First tries other notations.
    pub(super) fn lose(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let Some((end, next)) = self.lost_end(text) else { return Step::More };
        let started = self.call().is_some_and(Call::started);
        let body = text.text.get(self.first.max(self.from)..end).unwrap_or_default().trim();
        if !started && salvage::calls(self.format, self.standing, body, tools, out) {
            return self.called(next);
        }
        let raw = text.text.get(self.from..end).unwrap_or_default();
        if !started && self.may_be_text() && !self.names_declared(raw, tools) {
            return Step::Broken(next.max(self.from));
        }
        let error = if text.end && next == text.text.len() {
            CUT.to_owned()
        } else {
            format!("the call does not follow its format, `{}`", self.format.shape())
        };
        self.fail(raw, &error, tools, out);
        self.called(next)
    }

    /// Whether a text that can't be read names a declared tool as a call does.
    pub(super) fn names_declared(&self, raw: &str, tools: &[Tool]) -> bool {
        let name =
            guess::written_name(raw, tools).or_else(|| guess::called_name(raw, tools).filter(|_| self.facts.is_python));
        let is_definition = || {
            let name = name.clone().unwrap_or_default();
            guess::arguments(raw).is_some_and(|arguments| is_definition(arguments, &name, tools))
        };
        let is_declared = name.as_ref().is_some_and(|name| tools.iter().any(|tool| tool.name == *name));
        self.standing != Standing::Doubtful && is_declared && !is_definition()
    }

    /// Emits an invalid call, with the best name.
    pub(super) fn fail(&mut self, raw: &str, error: &str, tools: &[Tool], out: &mut Out) {
        let call = match std::mem::replace(&mut self.part, Part::Between) {
            Part::Call(reader) => Some(reader.call),
            Part::Lost(_, call) => call,
            Part::Between | Part::Noise => None,
        };
        let mut call =
            call.unwrap_or_else(|| Call::new(origin(self.format, self.standing, Opening::Marked), self.from));
        if call.name.as_ref().is_none_or(String::is_empty) {
            let name = call.headed.take().unwrap_or_else(|| guess::name(raw, tools, self.format));
            call.name = Some(declared(&name, tools));
        }
        call.fail(raw, error, out);
    }

    /// The end of a call that can't be read, and the position where reading continues.
    fn lost_end(&mut self, text: Text) -> Option<(usize, usize)> {
        let close = self.closing_marker();
        let format = self.format;
        let others = [format.section.close, format.call.open, format.section.open, self.facts.open].map(str::trim);
        let markers = || {
            let all = others.into_iter().chain([close]).filter(|marker| !marker.is_empty());
            all.flat_map(|marker| format.spellings_of(marker))
        };
        let mut at = match &self.part {
            Part::Lost(at, _) => *at,
            _ => self.at,
        };
        while let Some(&byte) = text.text.as_bytes().get(at) {
            if !text.text.is_char_boundary(at) {
                at += 1;
                continue;
            }
            let mut found: Option<&str> = None;
            for marker in markers().filter(|marker| marker.as_bytes().first() == Some(&byte)) {
                match compare(text.from(at), marker, text.end) {
                    Match::Maybe => {
                        self.lost_until(at);
                        return None;
                    }
                    Match::Yes if found.is_none_or(|other| other.len() < marker.len()) => found = Some(marker),
                    _ => {}
                }
            }
            match found {
                Some(marker) if format.spellings_of(close).any(|close| close == marker) => {
                    self.section &= close != format.section.close.trim();
                    self.armed &= self.section;
                    return Some((at, at + marker.len()));
                }
                Some(_) => return Some((at, at)),
                None => at += 1,
            }
        }
        self.lost_until(at);
        text.end.then_some((at, at))
    }

    /// The end of the call that can't be read is not before this position.
    fn lost_until(&mut self, to: usize) {
        if let Part::Lost(at, _) = &mut self.part {
            *at = to;
        }
    }
}
