//! Calls of a streamed response whose arguments arrive in pieces (WIRE §4.8): their text grows with the pieces.

use super::arguments_text::ArgumentsText;
use super::partial::{self, read_argument};
use crate::dialect::shared::{arguments, stream};
use crate::model::{Add, Block, Call, CallStart, Event, Metadata, Native};
use crate::run::{At, Place, Provider, Reading, Result, Run};
use crate::value::{Value, Word};

/// The open call.
pub struct OpenCall {
    block: u32,
    /// The parts so far as JSON texts, and their positions.
    parts: Vec<(Place, Vec<u8>)>,
    text: ArgumentsText,
    /// Whether the start was emitted. A call whose id depends on its arguments is emitted when they are complete.
    is_emitted: bool,
}

impl OpenCall {
    /// Starts a call with its first piece. `seeded`: an id can be generated before the arguments are known.
    pub fn begin(
        run: &mut Run,
        (part, at): (Value, At),
        block: u32,
        seeded: bool,
        events: &mut Vec<Event>,
    ) -> Result<OpenCall> {
        let mut reading = run.object(part, at)?;
        let mut call = reading.require_object(run, Word::functionCall)?;
        let name = arguments::take_name(run, &mut call)?;
        let id = call.string(run, Word::id)?.filter(|id| !run.store.is_empty(*id));
        let is_emitted = id.is_some() || seeded;
        if is_emitted {
            let mut metadata = Metadata::default();
            if let Some(signature) = reading.string(run, Word::thoughtSignature)? {
                metadata.set_thought_signature(signature);
            }
            let id = id.unwrap_or_else(|| run.store.string(""));
            events.add(Event::CallStart(CallStart { at, block, id, name, metadata }));
        }
        Ok(OpenCall { block, parts: Vec::new(), text: ArgumentsText::default(), is_emitted })
    }

    /// Adds a piece. Returns whether more follow.
    pub fn add(&mut self, run: &mut Run, (part, at): (Value, At)) -> Result<bool> {
        let mut reading = run.object(part, at)?;
        let mut call = reading.require_object(run, Word::functionCall)?;
        if let Some((args, at)) = call.take_at(run, Word::args) {
            let args = run.plain_object(args, at)?;
            if !run.is_void(args) {
                self.text.hold();
            }
        }
        for (piece, at) in call.elements(run, Word::partialArgs)? {
            let mut piece = run.object(piece, at)?;
            let argument = read_argument(run, &mut piece)?;
            self.text.add(run, &argument)?;
        }
        self.parts.push((run.keep_place(at), run.export(part)?));
        Ok(call.boolean(run, Word::willContinue)?.unwrap_or(false))
    }

    /// Emits what the last piece added to the text.
    pub fn emit(&mut self, run: &mut Run, events: &mut Vec<Event>) {
        if self.is_emitted {
            let text = self.text.take();
            if !text.is_empty() {
                let text = run.store.string(&text);
                events.add(Event::CallDelta { block: self.block, text });
            }
        }
    }

    /// Ends the call. The call is the same as if the pieces were read as a whole response.
    pub fn end(mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        let mut blocks = Vec::with_capacity(self.parts.len());
        for (place, part) in &self.parts {
            let (at, value, metadata) = (run.recall(place), run.import(part)?, Metadata::default());
            blocks.add(Block::Native(Native { at, provider: Provider::Google, value, metadata }));
        }
        for block in partial::join(run, blocks)? {
            let Block::Call(call) = block else { continue };
            self.end_call(run, call, events)?;
        }
        Ok(())
    }

    fn end_call(&mut self, run: &mut Run, call: Call, events: &mut Vec<Event>) -> Result<()> {
        // text that was cut off or is invalid is not completed
        if let Some(value) = arguments::object_of(run, &call.arguments) {
            self.text.finish(run, value, call.at)?;
        }
        if !std::mem::replace(&mut self.is_emitted, true) {
            events.add(stream::begin_call(self.block, &call));
        }
        self.emit(run, events);
        events.add(Event::CallEnd { block: self.block, call });
        Ok(())
    }
}

/// Whether a part starts a call instead of continuing one: it has a name.
pub fn begins_call(run: &mut Run, part: Value, at: At) -> Result<bool> {
    let mut reading = run.object(part, at)?;
    let (call, at) = reading.require(run, Word::functionCall)?;
    let call: Reading = run.object(call, at)?;
    Ok(call.has(Word::name))
}
