//! How a streamed response ended. The finish event may come before other events that change its meaning: a call turns a plain stop into `tool_calls`.
//! So the finish is held back until the stream ends.

use crate::convert::finish;
use crate::model::{Block, End, Event, Finish, Metadata};
use crate::run::{Place, Result, Run};

#[derive(Default)]
pub struct Ending {
    held: Option<Held>,
    has_calls: bool,
    /// There are native blocks that the target accepts as they are. Such a block may be a call.
    has_natives: bool,
}

/// A finish that was held back beyond its event.
struct Held {
    place: Place,
    finish: Finish,
    /// JSON text.
    raw: Option<Vec<u8>>,
    metadata: Option<Kept>,
}

/// Metadata whose values are not in a store: they are JSON texts, in the order of [`Metadata::visit`].
struct Kept {
    metadata: Metadata,
    values: Vec<Vec<u8>>,
    places: Vec<Place>,
}

impl Ending {
    pub fn is_known(&self) -> bool {
        self.held.is_some()
    }

    /// Records what an event states about the end of the response. Returns false if the event is held back.
    pub fn note(&mut self, run: &mut Run, event: &mut Event) -> Result<bool> {
        match event {
            Event::CallStart(_) => self.has_calls = true,
            Event::Block { value: Block::Native(native), .. } => {
                self.has_natives |= finish::takes_native(run, native);
            }
            Event::Finish(End { at, finish, raw, metadata }) => {
                let earlier = self.held.take();
                self.held = Some(Held {
                    place: run.keep_place(*at),
                    finish: *finish,
                    raw: run.export_option(*raw)?,
                    metadata: Kept::keep(run, std::mem::take(metadata))?,
                });
                // the last finish counts, but the metadata of earlier ones are kept
                let Some(Held { place, metadata: Some(kept), .. }) = earlier else { return Ok(false) };
                let (at, metadata) = (run.recall(&place), kept.restore(run)?);
                *event = Event::State { at, metadata };
            }
            _ => {}
        }
        Ok(true)
    }

    /// Returns the finish at the end of the stream. A stream that ended with an error is not a successful end.
    pub fn release(&mut self, run: &mut Run, has_error: bool) -> Result<Option<Event>> {
        let Some(Held { place, finish, raw, metadata }) = self.held.take() else { return Ok(None) };
        let at = run.recall(&place);
        let finish = if has_error {
            Finish::Error
        } else {
            finish::match_calls(run, finish, at, self.has_calls, self.has_natives)
        };
        let raw = raw.map(|raw| run.import(&raw)).transpose()?;
        let metadata = match metadata {
            Some(kept) => kept.restore(run)?,
            None => Metadata::default(),
        };
        Ok(Some(Event::Finish(End { at, finish, raw, metadata })))
    }
}

impl Kept {
    fn keep(run: &mut Run, mut metadata: Metadata) -> Result<Option<Kept>> {
        if metadata.is_empty() {
            return Ok(None);
        }
        let (mut values, mut places) = (Vec::new(), Vec::new());
        metadata.visit(&mut |value, at| {
            values.push(run.export(*value)?);
            places.extend(at.map(|at| run.keep_place(*at)));
            Ok(())
        })?;
        Ok(Some(Kept { metadata, values, places }))
    }

    fn restore(mut self, run: &mut Run) -> Result<Metadata> {
        let (mut values, mut places) = (self.values.iter(), self.places.iter());
        self.metadata.visit(&mut |value, at| {
            if let Some(json) = values.next() {
                *value = run.import(json)?;
            }
            if let Some(at) = at
                && let Some(place) = places.next()
            {
                *at = run.recall(place);
            }
            Ok(())
        })?;
        Ok(self.metadata)
    }
}
