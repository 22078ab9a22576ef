//! Most events of a stream are like the one before, but for a piece of text. Such an event is not read again: its decoder is only
//! given the text.

use crate::model::Event;
use crate::run::{Places, Run};
use crate::value::Value;
use crate::value::text::TextStore;
use smallvec::SmallVec;

/// The last event that was read, if the next one may be like it.
#[derive(Default)]
pub struct Repeats(Option<Box<Pattern>>);

pub struct Pattern {
    /// What it gave.
    pub event: Event,
    pub text: Value,
    /// What was named while it was read.
    pub places: Places,
    /// What may be another string or number the next time.
    varying: SmallVec<[Value; 4]>,
}

impl Repeats {
    /// Remembers what was read, if its decoder said that it may come again.
    pub fn remember(&mut self, run: &Run, events: &[Event]) {
        self.0 = match events {
            [event] => event.text().filter(|text| run.varying.contains(text)).map(|text| {
                let (event, places, varying) = (event.clone(), run.paths.places(), run.varying.clone());
                Box::new(Pattern { event, text, places, varying })
            }),
            _ => None,
        };
    }

    /// What `json` gives, which becomes the text of the store, if it is like the event before. It is to be put back.
    pub fn take(&mut self, store: &mut TextStore, json: &[u8]) -> Option<Box<Pattern>> {
        let mut pattern = self.0.take()?;
        store.put_in_order(&mut pattern.varying);
        let which = pattern.varying.iter().position(|value| *value == pattern.text)?;
        if !store.reset_alike(json, &mut pattern.varying) {
            return None;
        }
        pattern.text = *pattern.varying.get(which)?;
        pattern.event.set_text(pattern.text);
        Some(pattern)
    }

    pub fn put_back(&mut self, pattern: Box<Pattern>) {
        self.0 = Some(pattern);
    }
}
