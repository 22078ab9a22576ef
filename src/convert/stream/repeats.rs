//! Most events of a stream are like the one before, but for a piece of text. Such an event is not read again: its decoder is only
//! given the text.

use crate::model::Event;
use crate::run::{Places, Run};
use crate::value::Value;
use crate::value::text::TextStore;
use smallvec::SmallVec;

/// The last event that was read, if the next one may be like it.
#[derive(Default)]
pub struct Repeats(Option<Pattern>);

struct Pattern {
    /// What it gave.
    event: Event,
    places: Places,
    /// What may be another string or number the next time, in the order in which it stands there.
    varying: SmallVec<[Value; 4]>,
    /// Which of them is the text.
    text: usize,
}

impl Repeats {
    pub fn forget(&mut self) {
        self.0 = None;
    }

    /// Remembers what was read, if its decoder said that it may come again.
    pub fn remember(&mut self, run: &Run, events: &[Event]) {
        let mut varying = run.varying.clone();
        varying.sort_by_key(|value| value.start());
        self.0 = match events {
            [event] if !varying.is_empty() => event.text().and_then(|text| {
                let text = varying.iter().position(|value| *value == text)?;
                Some(Pattern { event: event.clone(), places: run.paths.places(), varying, text })
            }),
            _ => None,
        };
    }

    /// What `json` gives, which becomes the text of the store, if it is like the event before.
    pub fn next(&mut self, store: &mut TextStore, json: &[u8]) -> Option<(Event, Value, Places)> {
        let pattern = self.0.as_mut()?;
        if !store.reset_alike(json, &mut pattern.varying) {
            return None;
        }
        let text = *pattern.varying.get(pattern.text)?;
        Some((pattern.event.with_text(text), text, pattern.places))
    }
}
