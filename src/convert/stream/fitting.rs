//! Makes the events of a streamed response what the target's clients accept, as the fit stage does with a whole response.

use crate::convert::citations::Cited;
use crate::dialect::{required, target};
use crate::fit::explanations::Explained;
use crate::fit::responses::Streamed;
use crate::model::{Block, End, Event};
use crate::run::{Result, Run};

#[derive(Default)]
pub struct Fitting {
    streamed: Streamed,
    cited: Cited,
    explained: Explained,
}

impl Fitting {
    /// Fits an event. Returns false if nothing is left of it.
    pub fn fit(&mut self, run: &mut Run, event: &mut Event) -> Result<bool> {
        self.cited.carry(run, event);
        self.explained.note(run, event);
        match event {
            Event::Block { value, .. } => {
                if let Block::Refusal { .. } = value {
                    self.streamed.note_refusal();
                }
                let Some(fitted) = (target(run).fit_block)(run, value.clone())? else { return Ok(false) };
                *value = fitted;
            }
            Event::RefusalDelta { at, block, text, metadata } if !run.store.is_empty(*text) => {
                self.streamed.note_refusal();
                let (at, block) = (*at, *block);
                let refusal = Block::Refusal { at, text: *text, metadata: std::mem::take(metadata) };
                match (target(run).fit_block)(run, refusal)? {
                    Some(Block::Refusal { text, metadata, .. }) => {
                        *event = Event::RefusalDelta { at, block, text, metadata };
                    }
                    Some(Block::Text { text, metadata, .. }) => *event = Event::TextDelta { at, block, text, metadata },
                    Some(value) => *event = Event::Block { block, value },
                    None => return Ok(false),
                }
            }
            _ => {}
        }
        self.streamed.complete(run, event, required(run));
        Ok(true)
    }

    /// Records another piece of the last text: the content of a JSON string.
    pub fn repeat(&mut self, text: &[u8]) {
        self.explained.repeat(text);
    }

    /// States in the end why the response was refused. Returns what is sent before it.
    pub fn explain(&mut self, run: &mut Run, end: &mut End) -> Option<Event> {
        if run.route.is_to_provider() { self.explained.end(run, end) } else { None }
    }
}
