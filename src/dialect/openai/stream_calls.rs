//! The calls of a streamed answer, put together from fragments that name them by index, by id or not at all (Q142–Q147).

use super::messages::read_call;
use crate::dialect::shared::stream::{Fragments, Members};
use crate::model::{Block, Event, Metadata};
use crate::run::{At, ErrorCode, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// One call so far.
pub struct Call {
    at: At,
    block: u32,
    index: Option<u32>,
    /// JSON texts of strings.
    id: Option<Vec<u8>>,
    name: Fragments,
    /// `function` or `custom`, which decides what the fragments are.
    kind: Word,
    arguments: Fragments,
    /// What is not told yet of the arguments.
    untold: Fragments,
    /// Whether `type` ever came.
    has_type: bool,
    /// Fields beside `function`, and inside of it.
    rest: Members,
    inner: Members,
    has_started: bool,
    has_ended: bool,
}

/// What one delta says of a call.
pub struct Piece {
    at: At,
    index: Option<u32>,
    id: Option<Value>,
    name: Option<Value>,
    kind: Word,
    has_type: bool,
    arguments: Option<Value>,
    rest: Metadata,
    inner: Metadata,
}

#[derive(Default)]
pub struct Calls {
    all: Vec<Call>,
    /// The call that the last delta belonged to.
    latest: usize,
}

impl Piece {
    pub fn read(run: &mut Run, value: Value, at: At) -> Result<Piece> {
        let mut reading = run.object(value, at)?;
        let index = reading.number(run, Word::index)?.map(|index| index as u32);
        let id = reading.string(run, Word::id)?.filter(|id| !run.store.is_empty(*id));
        let said = reading.string(run, Word::r#type)?.map(|kind| run.store.word(kind));
        let kind = match said {
            Some(Word::custom) => Word::custom,
            _ if reading.has(Word::custom) => Word::custom,
            _ => Word::function,
        };
        let (mut name, mut arguments) = (None, None);
        let mut inner_rest = Metadata::default();
        if let Some((inner, at)) = reading.take_at(run, kind) {
            let mut inner = run.object(inner, at)?;
            name = inner.string(run, Word::name)?.filter(|name| !run.store.is_empty(*name));
            arguments = read_fragment(run, &mut inner, kind)?;
            inner_rest = inner.rest();
        }
        let rest = reading.rest();
        Ok(Piece { at, index, id, name, kind, has_type: said.is_some(), arguments, rest, inner: inner_rest })
    }

    /// The legacy call, which is one for each answer and has no id.
    pub fn legacy(run: &mut Run, value: Value, at: At) -> Result<Piece> {
        let mut reading = run.object(value, at)?;
        let name = reading.string(run, Word::name)?.filter(|name| !run.store.is_empty(*name));
        let arguments = read_fragment(run, &mut reading, Word::function)?;
        let kind = Word::function_call;
        let (rest, inner) = (Metadata::default(), reading.rest());
        Ok(Piece { at, index: None, id: None, name, kind, has_type: true, arguments, rest, inner })
    }
}

/// A fragment of the arguments; some servers give an object instead (Q61).
fn read_fragment(run: &mut Run, inner: &mut Reading, kind: Word) -> Result<Option<Value>> {
    let key = if kind == Word::custom { Word::input } else { Word::arguments };
    let Some((value, at)) = inner.take_at(run, key) else { return Ok(None) };
    match run.store.kind(value) {
        Kind::String => Ok(Some(value)),
        Kind::Object => run.json_text(value, at).map(Some),
        _ => run.wrong_type(value, at, "a string"),
    }
}

impl Calls {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds what a delta says. `blocks` counts the blocks of the answer, `seeded` says whether ids can be made without arguments.
    pub fn add(&mut self, run: &mut Run, piece: Piece, blocks: &mut u32, seeded: bool, events: &mut Vec<Event>) -> Result<()> {
        let position = match self.find(run, &piece)? {
            Some(position) => position,
            None => {
                self.start_waiting(run, seeded, events)?;
                self.all.push(Call::new(&piece, *blocks));
                *blocks += 1;
                self.all.len() - 1
            }
        };
        self.latest = position;
        match self.all.get_mut(position) {
            Some(call) => call.add(run, piece, seeded, events),
            None => Ok(()),
        }
    }

    /// The call that a delta belongs to: by id, else by index, else the latest one.
    fn find(&self, run: &mut Run, piece: &Piece) -> Result<Option<usize>> {
        let id = run.export_option(piece.id)?;
        if id.is_some()
            && let Some(known) = self.all.iter().position(|call| call.id == id)
        {
            return Ok(Some(known));
        }
        let candidate = match piece.index {
            Some(index) => self.all.iter().rposition(|call| call.index == Some(index)),
            None => (self.latest < self.all.len()).then_some(self.latest),
        };
        let Some((position, call)) = candidate.and_then(|position| Some((position, self.all.get(position)?))) else {
            return Ok(None);
        };
        // a new id is a new call, at whatever index; so is a name where the arguments are already whole
        let is_another = match (&id, &call.id) {
            (Some(_), Some(_)) => true,
            (Some(_), None) | (None, _) => piece.name.is_some() && call.is_another(run, piece)?,
        };
        Ok((!is_another && !call.has_ended).then_some(position))
    }

    /// Starts calls that waited for more to be told of them (their arguments, the rest of their name).
    pub fn start_waiting(&mut self, run: &mut Run, seeded: bool, events: &mut Vec<Event>) -> Result<()> {
        for call in self.all.iter_mut().filter(|call| !call.has_started && !call.name.is_empty()) {
            if call.id.is_some() || seeded {
                call.start(run, events)?;
            }
        }
        Ok(())
    }

    /// The answer is over: no call gets more.
    pub fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.all.iter_mut().filter(|call| !call.has_ended).try_for_each(|call| call.end(run, events))
    }

    /// Writes `tool_calls`, or `function_call`, into the message that is open.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        let (legacy, plain): (Vec<&Call>, Vec<&Call>) =
            self.all.iter().partition(|call| call.kind == Word::function_call);
        if !plain.is_empty() {
            run.store.key(Word::tool_calls);
            run.store.begin_array();
            plain.iter().try_for_each(|call| call.put(run))?;
            run.store.end_array();
        }
        if let Some(call) = legacy.first() {
            run.store.key(Word::function_call);
            run.store.begin_object();
            call.put_function(run)?;
            run.store.end_object();
        }
        Ok(())
    }
}

impl Call {
    fn new(piece: &Piece, block: u32) -> Call {
        Call {
            at: piece.at,
            block,
            index: piece.index,
            id: None,
            name: Fragments::default(),
            kind: piece.kind,
            arguments: Fragments::default(),
            untold: Fragments::default(),
            has_type: false,
            rest: Members::new(&[]),
            inner: Members::new(&[]),
            has_started: false,
            has_ended: false,
        }
    }

    /// Whether a delta with a name begins another call: this one has its arguments already.
    fn is_another(&self, run: &mut Run, piece: &Piece) -> Result<bool> {
        if self.arguments.is_empty() {
            return Ok(false);
        }
        let has_arguments = piece.arguments.is_some_and(|text| !run.store.is_empty(text));
        let name = run.export_option(piece.name)?;
        let is_repeated = name.is_some_and(|name| name == self.name.json());
        Ok(!is_repeated || has_arguments && self.is_whole(run)?)
    }

    fn is_whole(&self, run: &mut Run) -> Result<bool> {
        let text = self.arguments.value(run)?;
        let parsed = run.store.parse(text);
        run.store.take_notices().clear();
        Ok(parsed.is_ok_and(|value| run.store.kind(value) == Kind::Object))
    }

    fn add(&mut self, run: &mut Run, piece: Piece, seeded: bool, events: &mut Vec<Event>) -> Result<()> {
        self.at = piece.at;
        self.has_type |= piece.has_type;
        if self.id.is_none() {
            self.id = run.export_option(piece.id)?;
        }
        if let Some(name) = piece.name {
            self.add_name(run, name, piece.at)?;
        }
        self.rest.add_all(run, &piece.rest, piece.at)?;
        self.inner.add_all(run, &piece.inner, piece.at)?;
        if let Some(text) = piece.arguments {
            self.arguments.push(run, text, piece.at)?;
            if !self.has_started {
                self.untold.push(run, text, piece.at)?;
            }
        }
        // the name may go on in the next delta where this one says nothing of the arguments (Q145)
        let is_named = !self.name.is_empty() && (piece.arguments.is_some() || !self.arguments.is_empty());
        if self.has_started {
            if let Some(text) = piece.arguments.filter(|text| !run.store.is_empty(*text)) {
                self.tell(run, text, events);
            }
        } else if is_named && (self.id.is_some() || seeded) {
            self.start(run, events)?;
        }
        Ok(())
    }

    /// Some servers repeat the name with each delta, others send it in pieces.
    fn add_name(&mut self, run: &mut Run, name: Value, at: At) -> Result<()> {
        if self.name.json() == run.export(name)? {
            return Ok(());
        }
        if self.has_started {
            let at = run.down(at, Word::name);
            run.warn(WarningCode::FieldDropped, at, "the call's name was told already");
            return Ok(());
        }
        self.name.push(run, name, at)
    }

    fn start(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.has_started = true;
        let id = self.id_value(run)?;
        let name = self.name.value(run)?;
        let mut metadata = Metadata::default();
        if self.kind == Word::custom {
            let mark = run.boolean_value(true);
            metadata.add(crate::run::Key::Word(Word::custom), mark);
        }
        events.push(Event::CallStart { at: self.at, block: self.block, id, name, metadata });
        if self.kind == Word::custom {
            let opening = run.store.string(OPENING);
            events.push(Event::CallDelta { block: self.block, text: opening });
        }
        let untold = std::mem::take(&mut self.untold);
        if !untold.is_empty() {
            let text = untold.value(run)?;
            self.tell(run, text, events);
        }
        Ok(())
    }

    /// Tells a fragment; the text of a freeform call is told as JSON.
    fn tell(&self, run: &mut Run, text: Value, events: &mut Vec<Event>) {
        let text = if self.kind == Word::custom { inside_json(run, text) } else { text };
        events.push(Event::CallDelta { block: self.block, text });
    }

    fn id_value(&self, run: &mut Run) -> Result<Value> {
        match &self.id {
            Some(id) => run.import(id),
            None => Ok(run.store.string("")),
        }
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.has_ended = true;
        if self.name.is_empty() {
            let at = run.down(self.at, Word::name);
            return run.fail(ErrorCode::MissingField, at, "the call never got a name");
        }
        if !self.has_started {
            self.start(run, events)?;
        }
        if self.kind == Word::custom {
            let closing = run.store.string(CLOSING);
            events.push(Event::CallDelta { block: self.block, text: closing });
        }
        let call = match self.kind {
            Word::function_call => self.read_legacy(run)?,
            _ => {
                let value = run.try_build(|run| self.put(run))?;
                match read_call(run, value, self.at)? {
                    Block::Call(call) => call,
                    _ => return Ok(()),
                }
            }
        };
        events.push(Event::CallEnd { block: self.block, call });
        Ok(())
    }

    fn read_legacy(&self, run: &mut Run) -> Result<crate::model::Call> {
        let value = run.try_build(|run| {
            run.store.begin_object();
            let put = self.put_function(run);
            run.store.end_object();
            put
        })?;
        super::messages::read_function_call(run, value, self.at)
    }

    /// The call as a whole answer has it.
    fn put(&self, run: &mut Run) -> Result<()> {
        let mut object = run.begin();
        if let Some(id) = &self.id {
            let id = run.import(id)?;
            object.put(run, Word::id, id);
        }
        if self.has_type {
            object.word(run, Word::r#type, self.kind);
        }
        object.key(run, self.kind);
        run.store.begin_object();
        self.put_function(run)?;
        run.store.end_object();
        self.rest.put(run)?;
        object.close(run);
        Ok(())
    }

    fn put_function(&self, run: &mut Run) -> Result<()> {
        let name = self.name.value(run)?;
        run.store.key(Word::name);
        run.store.put(name);
        let arguments = self.arguments.value(run)?;
        run.store.key(if self.kind == Word::custom { Word::input } else { Word::arguments });
        run.store.put(arguments);
        self.inner.put(run)
    }
}

/// The argument text of a freeform call: its input in an object.
const OPENING: &str = "{\"input\":\"";
const CLOSING: &str = "\"}";

/// A piece of a text as it stands inside a JSON string.
fn inside_json(run: &mut Run, text: Value) -> Value {
    let quoted = match run.store.stringify(text) {
        Ok(quoted) => run.store.text(quoted).into_owned(),
        Err(_) => return text,
    };
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&quoted);
    run.store.string(inside)
}
