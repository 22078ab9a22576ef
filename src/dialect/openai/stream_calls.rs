//! The calls of a streamed response, assembled from fragments that refer to them by index, by id or not at all (Q142–Q147).

use super::messages::{read_call, read_function_call};
use crate::dialect::shared::freeform;
use crate::dialect::shared::stream::{Fragments, Members, next_block};
use crate::model::{Add, Block, CallStart, Event, Metadata};
use crate::run::{At, Place, Reading, Result, Run, WarningCode};
use crate::value::{Keyed, Kind, Value, Word};

/// A call, as far as it was received.
pub struct StreamedCall {
    /// The position of its first fragment.
    place: Place,
    /// Its block number, once it was emitted.
    block: Option<u32>,
    index: Option<u32>,
    /// JSON texts of strings.
    id: Option<Vec<u8>>,
    /// An unknown type: the call is emitted whole.
    foreign: Option<Vec<u8>>,
    name: Fragments,
    /// `function` or `custom`, which determines the meaning of the fragments.
    kind: Word,
    arguments: Fragments,
    /// Whether there was a `type`.
    has_type: bool,
    /// Fields beside `function`, and fields in it.
    rest: Members,
    inner: Members,
    has_ended: bool,
}

/// The fragment of a call in one delta.
pub struct Fragment {
    pub at: At,
    index: Option<u32>,
    id: Option<Value>,
    name: Option<Value>,
    kind: Word,
    /// The value of `type`.
    stated_type: Option<Value>,
    arguments: Option<Value>,
    rest: Metadata,
    inner: Metadata,
}

#[derive(Default)]
pub struct Calls {
    all: Vec<StreamedCall>,
    /// The call that the last delta belonged to.
    latest: usize,
    /// The last call of each id and index: a response may have thousands of calls.
    by_id: Keyed<usize>,
    by_index: Keyed<usize>,
    /// Number of calls at the front whose start was emitted, or that are emitted whole.
    resolved: usize,
}

impl Fragment {
    /// Takes the fragments in a delta.
    pub fn take_all(run: &mut Run, delta: &mut Reading) -> Result<Vec<Fragment>> {
        let mut pieces = Vec::new();
        for (call, at) in delta.elements(run, Word::tool_calls)? {
            pieces.push(Fragment::read(run, call, at)?);
        }
        pieces.extend(delta.read(run, Word::function_call, Fragment::legacy)?);
        Ok(pieces)
    }

    fn read(run: &mut Run, value: Value, at: At) -> Result<Fragment> {
        let mut reading = run.object(value, at)?;
        let index = reading.number(run, Word::index)?.map(|index| index as u32);
        let id = reading.string(run, Word::id)?.filter(|id| !run.store.is_empty(*id));
        let stated_type = reading.string(run, Word::r#type)?.filter(|stated_type| !run.store.is_empty(*stated_type));
        let is_custom = reading.holds(run, Word::custom)
            || stated_type.is_some_and(|stated_type| run.store.word(stated_type) == Word::custom);
        let kind = if is_custom { Word::custom } else { Word::function };
        let (name, arguments, inner) = match reading.object(run, kind)? {
            Some(inner) => read_function(run, inner, kind)?,
            None => (None, None, Metadata::default()),
        };
        for word in [Word::function, Word::custom] {
            if !reading.holds(run, word) {
                reading.take_any(word);
            }
        }
        let rest = reading.rest();
        Ok(Fragment { at, index, id, name, kind, stated_type, arguments, rest, inner })
    }

    /// Whether it has only a fragment of arguments.
    pub fn has_only_arguments(&self) -> bool {
        let is_named = self.id.is_some() || self.name.is_some() || self.stated_type.is_some();
        !is_named && self.rest.family_fields().is_empty() && self.inner.family_fields().is_empty()
    }

    /// The legacy call: one per response, without an id.
    fn legacy(run: &mut Run, value: Value, at: At) -> Result<Fragment> {
        let reading = run.object(value, at)?;
        let (name, arguments, inner) = read_function(run, reading, Word::function)?;
        let (kind, rest) = (Word::function_call, Metadata::default());
        Ok(Fragment { at, index: None, id: None, name, kind, stated_type: None, arguments, rest, inner })
    }
}

/// Reads a name, a fragment of the arguments, and other fields. Some servers send an object as arguments (Q61).
fn read_function(run: &mut Run, mut inner: Reading, kind: Word) -> Result<(Option<Value>, Option<Value>, Metadata)> {
    let name = inner.string(run, Word::name)?.filter(|name| !run.store.is_empty(*name));
    let key = if kind == Word::custom { Word::input } else { Word::arguments };
    let arguments = match inner.take_at(run, key) {
        Some((value, at)) if run.store.kind(value) == Kind::Object => Some(run.json_text(value, at)?),
        Some((value, at)) => Some(run.string(value, at)?),
        None => None,
    };
    Ok((name, arguments, inner.rest()))
}

impl Calls {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether there is a call that the client must run.
    pub fn has_any(&self) -> bool {
        self.all.iter().any(|call| call.foreign.is_none())
    }

    /// Adds the content of a delta. `blocks` counts the blocks of the response. `seeded`: ids can be generated without arguments.
    pub fn add(
        &mut self,
        run: &mut Run,
        piece: Fragment,
        blocks: &mut u32,
        seeded: bool,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let latest = piece.arguments;
        let position = match self.find(run, &piece)? {
            Some(position) => position,
            None => {
                if let Some(index) = piece.index {
                    self.by_index.insert(&index.to_le_bytes(), self.all.len());
                }
                self.all.push(StreamedCall::new(run, &piece));
                self.all.len() - 1
            }
        };
        self.latest = position;
        if let Some(call) = self.all.get_mut(position) {
            if call.has_ended {
                let has_text = piece.arguments.is_some_and(|text| !run.store.is_empty(text));
                let is_renamed = match piece.name {
                    Some(name) => call.name.json() != run.export(name)?,
                    None => false,
                };
                if has_text || is_renamed || !piece.rest.is_empty() || !piece.inner.is_empty() {
                    run.warn(WarningCode::ContentDropped, piece.at, "the response and this call have already ended");
                }
                return Ok(());
            }
            let had_id = call.id.is_some();
            call.add(run, piece, events)?;
            if let (false, Some(id)) = (had_id, &call.id) {
                let last = self.by_id.get(id).copied().unwrap_or_default();
                self.by_id.insert(id, position.max(last));
            }
        }
        self.start_ready(run, blocks, seeded, latest, events)
    }

    /// Appends to the arguments of the latest call.
    pub fn repeat(&mut self, text: &[u8]) {
        if let Some(call) = self.all.get_mut(self.latest) {
            call.arguments.extend(text);
        }
    }

    /// Emits the start of calls as soon as enough is known, in order, as a generated id depends on the number of calls before it. `latest` is the
    /// last fragment of arguments.
    fn start_ready(
        &mut self,
        run: &mut Run,
        blocks: &mut u32,
        seeded: bool,
        latest: Option<Value>,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let last = self.all.len().saturating_sub(1);
        while let Some(call) = self.all.get_mut(self.resolved) {
            if call.block.is_none() && call.foreign.is_none() {
                // the name may continue until there are arguments or another call (Q145)
                let is_named = !call.name.is_empty() && (!call.arguments.is_empty() || self.resolved < last);
                if !is_named || call.id.is_none() && !seeded {
                    break;
                }
                call.start(run, blocks, latest, events)?;
            }
            self.resolved += 1;
        }
        Ok(())
    }

    /// The call that a delta belongs to: by id, else by index, else the latest one.
    fn find(&self, run: &mut Run, piece: &Fragment) -> Result<Option<usize>> {
        // there is only one legacy call
        if piece.kind == Word::function_call {
            return Ok(self.all.iter().position(|call| call.kind == Word::function_call));
        }
        let id = run.export_option(piece.id)?;
        let same_id = id.as_ref().and_then(|id| self.by_id.get(id)).copied();
        let same_index = piece.index.and_then(|index| self.by_index.get(&index.to_le_bytes())).copied();
        let candidate = same_id.or(if piece.index.is_some() { same_index } else { Some(self.latest) });
        let Some((position, call)) = candidate.and_then(|position| Some((position, self.all.get(position)?))) else {
            return Ok(None);
        };
        let is_another = if same_id.is_some() {
            // some servers give all calls the same id
            let is_elsewhere = piece.index.is_some() && call.index.is_some() && call.index != piece.index;
            is_elsewhere && call.precedes(run, piece, same_index.is_none())?
        } else {
            id.is_some() && call.id.is_some() || call.has_ended || call.precedes(run, piece, false)?
        };
        Ok((!is_another).then_some(position))
    }

    /// Ends all calls at the end of the response. If it was cut off (`is_cut`), a call may have no name and is dropped.
    pub fn end(&mut self, run: &mut Run, is_cut: bool, blocks: &mut u32, events: &mut Vec<Event>) -> Result<()> {
        if is_cut {
            self.all.retain(|call| {
                let is_ready = call.has_ended || call.foreign.is_some() || !call.name.is_empty();
                if !is_ready {
                    let at = run.recall(&call.place);
                    run.warn(WarningCode::CallDropped, at, "the stream ended before the call had a name");
                }
                is_ready
            });
        }
        self.all.iter_mut().filter(|call| !call.has_ended).try_for_each(|call| call.end(run, blocks, events))
    }

    /// Writes `tool_calls`, or `function_call`, into the message that is open.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        let (legacy, plain): (Vec<&StreamedCall>, Vec<&StreamedCall>) =
            self.all.iter().partition(|call| call.kind == Word::function_call);
        if !plain.is_empty() {
            run.store.key(Word::tool_calls);
            let has_index = run.route.from.format().whole_calls;
            run.try_put_each(plain.iter().enumerate(), |run, (place, call)| {
                call.put(run, Some(place).filter(|_| has_index))
            })?;
        }
        if let Some(call) = legacy.first() {
            run.store.key(Word::function_call);
            call.put_function(run)?;
        }
        Ok(())
    }
}

impl StreamedCall {
    fn new(run: &Run, piece: &Fragment) -> StreamedCall {
        StreamedCall {
            place: run.keep_place(piece.at),
            block: None,
            index: piece.index,
            id: None,
            foreign: None,
            name: Fragments::default(),
            kind: piece.kind,
            arguments: Fragments::default(),
            has_type: false,
            rest: Members::new(&[]),
            inner: Members::new(&[]),
            has_ended: false,
        }
    }

    /// Whether a delta starts another call: it has a name, and the arguments of this call are complete. A server that repeats the header of a call
    /// repeats its index too.
    fn precedes(&self, run: &mut Run, piece: &Fragment, has_new_index: bool) -> Result<bool> {
        let Some(name) = piece.name else { return Ok(false) };
        if !self.is_whole(run)? {
            return Ok(false);
        }
        // white space may follow complete arguments
        let has_arguments = piece.arguments.is_some_and(|text| !run.store.text(text).trim().is_empty());
        let is_renamed = !self.name.is_empty() && (has_arguments || run.export(name)? != self.name.json());
        Ok(has_new_index || is_renamed)
    }

    fn is_whole(&self, run: &mut Run) -> Result<bool> {
        if !self.arguments.ends_with(b'}') {
            return Ok(false);
        }
        let text = self.arguments.value(run)?;
        let parsed = run.store.parse(text);
        run.store.take_notices().clear();
        Ok(parsed.is_ok_and(|value| run.store.kind(value) == Kind::Object))
    }

    fn add(&mut self, run: &mut Run, piece: Fragment, events: &mut Vec<Event>) -> Result<()> {
        if let Some(stated_type) = piece.stated_type {
            self.has_type = true;
            let is_known = matches!(run.store.word(stated_type), Word::function | Word::custom);
            if !is_known && self.block.is_none() {
                self.foreign = Some(run.export(stated_type)?);
            }
        }
        if self.block.is_none() && piece.kind == Word::custom {
            self.kind = Word::custom;
        }
        if self.id.is_none() {
            self.id = run.export_option(piece.id)?;
        }
        if let Some(name) = piece.name {
            self.add_name(run, name, piece.at)?;
        }
        self.rest.add_all(run, &piece.rest, piece.at)?;
        self.inner.add_all(run, &piece.inner, piece.at)?;
        let Some(text) = piece.arguments.filter(|text| !run.store.is_empty(*text)) else { return Ok(()) };
        self.arguments.push(run, text, piece.at)?;
        if let Some(block) = self.block {
            self.emit(run, block, text, events);
        }
        Ok(())
    }

    /// Appends to the name. Some servers repeat it in each delta, others send it in pieces.
    fn add_name(&mut self, run: &mut Run, name: Value, at: At) -> Result<()> {
        if self.name.json() == run.export(name)? {
            return Ok(());
        }
        if self.block.is_some() {
            let at = run.down(at, Word::name);
            run.warn(WarningCode::FieldDropped, at, "the call already has a name");
            return Ok(());
        }
        self.name.push(run, name, at)
    }

    fn start(
        &mut self,
        run: &mut Run,
        blocks: &mut u32,
        latest: Option<Value>,
        events: &mut Vec<Event>,
    ) -> Result<u32> {
        let block = next_block(blocks);
        self.block = Some(block);
        let at = run.recall(&self.place);
        let id = run.import_option(self.id.as_deref())?.unwrap_or_else(|| run.store.string(""));
        let name = self.name.value(run)?;
        let mut metadata = Metadata::default();
        if self.kind == Word::custom {
            freeform::mark_call(run, &mut metadata);
        }
        events.add(Event::CallStart(CallStart { at, block, id, name, metadata }));
        if self.kind == Word::custom {
            let opening = run.store.string(freeform::OPENING);
            events.add(Event::CallDelta { block, text: opening });
        }
        if !self.arguments.is_empty() {
            let text = match latest {
                // reuses the value of the event, so that the next event may repeat it
                Some(text) if run.export(text)? == self.arguments.json() => text,
                Some(_) | None => self.arguments.value(run)?,
            };
            self.emit(run, block, text, events);
        }
        Ok(block)
    }

    /// Emits a fragment. The text of a freeform call is emitted as JSON.
    fn emit(&self, run: &mut Run, block: u32, text: Value, events: &mut Vec<Event>) {
        let text = if self.kind == Word::custom { freeform::inside_json(run, text) } else { text };
        events.add(Event::CallDelta { block, text });
    }

    fn end(&mut self, run: &mut Run, blocks: &mut u32, events: &mut Vec<Event>) -> Result<()> {
        self.has_ended = true;
        let is_foreign = self.foreign.is_some() && self.block.is_none();
        let block = match self.block {
            Some(block) => block,
            None if is_foreign => next_block(blocks),
            None => self.start(run, blocks, None, events)?,
        };
        self.block = Some(block);
        if self.kind == Word::custom && !is_foreign {
            let closing = run.store.string(freeform::CLOSING);
            events.add(Event::CallDelta { block, text: closing });
        }
        let at = run.recall(&self.place);
        let value = if self.kind == Word::function_call {
            let value = run.try_build(|run| self.put_function(run))?;
            Block::Call(read_function_call(run, value, at)?)
        } else {
            let value = run.try_build(|run| self.put(run, None))?;
            read_call(run, value, at)?
        };
        events.add(match value {
            Block::Call(call) => Event::CallEnd { block, call },
            value => Event::Block { block, value },
        });
        Ok(())
    }

    /// Writes the call as in a whole response.
    fn put(&self, run: &mut Run, index: Option<usize>) -> Result<()> {
        let id = run.import_option(self.id.as_deref())?;
        let mut object = run.begin();
        object.option(run, Word::id, id);
        match &self.foreign {
            Some(stated_type) => {
                let stated_type = run.import(stated_type)?;
                object.put(run, Word::r#type, stated_type);
            }
            None if self.has_type => object.word(run, Word::r#type, self.kind),
            None => {}
        }
        if self.foreign.is_none() || !self.name.is_empty() {
            object.key(run, self.kind);
            self.put_function(run)?;
        }
        object.count(run, Word::index, index.map(|index| index as f64));
        self.rest.put(run)?;
        object.close(run);
        Ok(())
    }

    fn put_function(&self, run: &mut Run) -> Result<()> {
        let (name, arguments) = (self.name.value(run)?, self.arguments.value(run)?);
        let key = if self.kind == Word::custom { Word::input } else { Word::arguments };
        let mut function = run.begin();
        function.put(run, Word::name, name);
        function.put(run, key, arguments);
        let put = self.inner.put(run);
        function.close(run);
        put
    }
}
