//! Calls whose arguments arrive in pieces (WIRE §4.8): Vertex AI sends them if streamed arguments were requested, and clients keep the pieces as
//! parts. The pieces are joined to one call.

use super::partial_arguments::PartialArguments;
use crate::dialect::shared::{arguments, stream};
use crate::model::{Add, Arguments, Block, Call, CallStart, Event, Metadata, Native};
use crate::run::{At, Place, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

/// Whether a `functionCall` is a piece of one. The last piece of a call may be empty.
pub fn is_piece(run: &Run, call: &Reading) -> bool {
    call.holds(run, Word::partialArgs) || call.holds(run, Word::willContinue) || !call.has(Word::name)
}

/// The part of a block that is a piece of a call.
pub fn part_of(run: &mut Run, block: &Block) -> Option<(Value, At)> {
    let Block::Native(Native { at, provider, value, .. }) = block else { return None };
    let call = run.member(*value, Word::functionCall).filter(|_| run.route.provider == Some(*provider))?;
    (run.store.kind(call) != Kind::Null).then_some((*value, *at))
}

/// Whether a part continues a call: only the first piece has a name.
pub fn continues(run: &mut Run, part: Value) -> bool {
    let call = run.member(part, Word::functionCall);
    call.is_some_and(|call| run.store.kind(call) == Kind::Object && run.member(call, Word::name).is_none())
}

/// Whether the first block continues the previous call.
pub fn goes_on(run: &mut Run, blocks: &[Block]) -> bool {
    let part = blocks.first().and_then(|block| part_of(run, block));
    part.is_some_and(|(part, _)| continues(run, part))
}

/// The pieces of a call so far.
#[derive(Default)]
struct Pieces {
    parts: Vec<(Value, At)>,
    arguments: PartialArguments,
}

/// Joins the pieces among the blocks to calls.
pub fn join(run: &mut Run, blocks: Vec<Block>) -> Result<Vec<Block>> {
    let mut joined = Vec::with_capacity(blocks.len());
    let mut open: Option<Pieces> = None;
    for block in blocks {
        let part = part_of(run, &block);
        if !part.is_some_and(|(part, _)| continues(run, part)) {
            close(run, open.take(), &mut joined)?;
        }
        let Some(part) = part else {
            joined.push(block);
            continue;
        };
        let mut pieces = open.take().unwrap_or_default();
        pieces.parts.push(part);
        if pieces.arguments.add(run, part)? {
            open = Some(pieces);
        } else {
            close(run, Some(pieces), &mut joined)?;
        }
    }
    close(run, open, &mut joined)?;
    Ok(joined)
}

fn close(run: &mut Run, pieces: Option<Pieces>, joined: &mut Vec<Block>) -> Result<()> {
    if let Some(Pieces { parts, arguments }) = pieces {
        joined.push(Block::Call(call_of(run, &parts, &arguments)?));
    }
    Ok(())
}

/// The call that parts make, with these arguments.
fn call_of(run: &mut Run, parts: &[(Value, At)], arguments: &PartialArguments) -> Result<Call> {
    let (id, name) = (run.store.string(""), run.store.string(""));
    let arguments = arguments.read(run)?;
    let mut call = Call { at: At::ROOT, id, name, arguments, metadata: Metadata::default() };
    for (index, (part, at)) in parts.iter().enumerate() {
        let mut reading = run.object(*part, *at)?;
        let mut piece = reading.require_object(run, Word::functionCall)?;
        if index == 0 {
            call.at = *at;
            call.id = piece.string_or_empty(run, Word::id)?;
            call.name = arguments::take_name(run, &mut piece)?;
        }
        if let Some(signature) = reading.string(run, Word::thoughtSignature)? {
            call.metadata.set_thought_signature(signature);
        }
        let mut rest = reading.rest();
        run.place(&mut rest, *at);
        call.metadata.append(rest);
    }
    call.arguments = arguments::named(run, call.name, call.arguments, call.at)?;
    let parts: Vec<Value> = parts.iter().map(|(part, _)| *part).collect();
    call.metadata.add_form(Word::args, run.store.array_of(&parts));
    Ok(call)
}

/// Writes a call in its original pieces, if the target accepts them and the call is unchanged.
pub fn put(run: &mut Run, call: &Call) -> bool {
    let form = call.metadata.form(Word::args).filter(|form| run.store.kind(*form) == Kind::Array);
    let Some(form) = form.filter(|_| run.route.to.format().limits.calls_in_pieces) else { return false };
    let parts = run.list(form);
    let Some(provider) = run.route.provider else { return false };
    let native = |part: &Value| Block::Native(Native::new(provider, *part, call.at));
    let Ok(joined) = run.attempt(|run| join(run, parts.iter().map(native).collect())) else { return false };
    let [Block::Call(other)] = joined.as_slice() else { return false };
    // fields that were added have no place in the pieces
    let means_it = call.metadata.family_fields().is_empty()
        && run.store.same(other.name, call.name)
        && (run.store.is_empty(other.id) || run.store.same(other.id, call.id))
        && match (&other.arguments, &call.arguments) {
            (Arguments::Object { value: other, .. }, Arguments::Object { value, .. }) => run.store.same(*other, *value),
            (Arguments::Invalid { raw: other, .. }, Arguments::Invalid { raw, .. }) => run.store.same(*other, *raw),
            _ => false,
        };
    if means_it {
        parts.into_iter().for_each(|part| run.store.put(part));
    }
    means_it
}

/// The open call of a stream: its text grows with the pieces.
pub struct OpenCall {
    block: u32,
    /// The parts so far as JSON texts, and their positions.
    parts: Vec<(Place, Vec<u8>)>,
    arguments: PartialArguments,
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
        let id = call.string_or_empty(run, Word::id)?;
        let is_emitted = seeded || !run.store.is_empty(id);
        if is_emitted {
            let mut metadata = Metadata::default();
            if let Some(signature) = reading.string(run, Word::thoughtSignature)? {
                metadata.set_thought_signature(signature);
            }
            events.add(Event::CallStart(CallStart { at, block, id, name, metadata }));
        }
        Ok(OpenCall { block, parts: Vec::new(), arguments: PartialArguments::default(), is_emitted })
    }

    /// Adds a piece. Returns whether more follow.
    pub fn add(&mut self, run: &mut Run, (part, at): (Value, At)) -> Result<bool> {
        self.parts.push((run.keep_place(at), run.export(part)?));
        self.arguments.add(run, (part, at))
    }

    /// Emits what the last piece added to the text.
    pub fn emit(&mut self, run: &mut Run, events: &mut Vec<Event>) {
        if self.is_emitted {
            let text = self.arguments.take_text();
            if !text.is_empty() {
                let text = run.store.string(&text);
                events.add(Event::CallDelta { block: self.block, text });
            }
        }
    }

    /// Ends the call. The call is the same as if the pieces were read as a whole response.
    pub fn end(mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for (place, part) in &self.parts {
            parts.push((run.import(part)?, run.recall(place)));
        }
        let call = call_of(run, &parts, &self.arguments)?;
        self.arguments.finish(run, call.at);
        if !std::mem::replace(&mut self.is_emitted, true) {
            events.add(stream::begin_call(self.block, &call));
        }
        self.emit(run, events);
        events.add(Event::CallEnd { block: self.block, call });
        Ok(())
    }
}
