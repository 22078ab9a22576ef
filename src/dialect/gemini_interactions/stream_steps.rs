//! The steps of a streamed response, assembled from their deltas.

use super::contents::{is_content, read_content};
use super::messages::{read_call_start, read_output_step};
use crate::dialect::shared::stream::{
    Fragments, Members, Parts, UnderWay, end_block, next_block, reasoning_delta, state,
};
use crate::model::{Add, Event, Metadata};
use crate::run::{At, Key, Place, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// Strings that arrive in pieces.
const GROWING: &[Word] = &[Word::text];

pub struct Steps {
    keeps: bool,
    /// Number of blocks so far.
    count: u32,
    /// Number of steps so far.
    steps: u32,
    /// By their indices on the wire.
    open: UnderWay<OpenStep>,
    /// The type of the last step that ended.
    before: Word,
    /// The complete steps.
    pub whole: Parts,
    pub has_calls: bool,
}

struct OpenStep {
    number: u32,
    /// The position of its start.
    place: Place,
    kind: Word,
    /// The fields of the step, apart from its content and its arguments.
    members: Members,
    /// Its contents, or those of its summary.
    contents: Parts,
    /// The number of its last content, if that is a text that may go on.
    text: Option<u32>,
    /// How many contents it has.
    length: u32,
    /// The numbers of its blocks.
    blocks: Vec<u32>,
    arguments: Fragments,
}

impl Steps {
    pub fn new(keeps: bool) -> Steps {
        let (open, whole) = (UnderWay::default(), Parts::default());
        Steps { keeps, count: 0, steps: 0, open, before: Word::Unknown, whole, has_calls: false }
    }

    pub fn open(&mut self, run: &mut Run, index: u32, (step, at): (Value, At), events: &mut Vec<Event>) -> Result<()> {
        self.close(run, index, events)?;
        run.plain_object(step, at)?;
        let kind = run.type_of(step);
        let number = next_block(&mut self.steps);
        let mut open = OpenStep {
            number,
            place: run.keep_place(at),
            kind,
            members: Members::new(GROWING),
            contents: Parts::default(),
            text: None,
            length: 0,
            blocks: Vec::new(),
            arguments: Fragments::default(),
        };
        let mut list = None;
        let mut own = Metadata::default();
        for member in run.object(step, at)?.rest().family_fields() {
            match (kind, member.key.word()) {
                (Word::model_output, Word::content) | (Word::thought, Word::summary)
                    if run.store.kind(member.value) == Kind::Array =>
                {
                    list = Some(member.value);
                    continue;
                }
                (_, Word::r#type) => {}
                _ => own.add_member(*member),
            }
            open.members.add(run, member.key, member.value, at)?;
        }
        if kind == Word::model_output {
            // its contents are blocks, which are emitted as they arrive; the step itself is none
            events.extend(state(run, at, own));
        }
        if kind == Word::function_call {
            self.has_calls = true;
            let block = next_block(&mut self.count);
            open.blocks.add(block);
            events.add(Event::CallStart(read_call_start(run, step, at, block)?));
        }
        for content in list.map(|list| run.list(list)).unwrap_or_default() {
            // each is one of its own
            open.text = None;
            open.add_content(run, (content, at), &mut self.count, events)?;
        }
        self.open.begin(index, open);
        Ok(())
    }

    /// Opens a content of the first version of the API. A call without a name begins with its delta.
    pub fn open_content(
        &mut self,
        run: &mut Run,
        index: u32,
        (content, at): (Value, At),
        events: &mut Vec<Event>,
    ) -> Result<()> {
        run.plain_object(content, at)?;
        if run.type_of(content) == Word::function_call && run.member(content, Word::name).is_none() {
            let mut reading = run.object(content, at)?;
            reading.skip(&[Word::r#type, Word::id]);
            events.extend(state(run, at, reading.rest()));
            return self.close(run, index, events);
        }
        if !is_content(run, content) {
            return self.open(run, index, (content, at), events);
        }
        let has_more = run.members(content).len() > 1;
        let step = run.build_object(|run, step| {
            step.word(run, Word::r#type, Word::model_output);
            if has_more {
                step.list(run, Word::content, &[content]);
            }
        });
        self.open(run, index, (step, at), events)
    }

    pub fn delta(
        &mut self,
        run: &mut Run,
        index: u32,
        (delta, at): (Value, At),
        events: &mut Vec<Event>,
    ) -> Result<()> {
        run.plain_object(delta, at)?;
        if self.open.latest(index).is_none() {
            if run.type_of(delta) == Word::function_call {
                return self.open(run, index, (delta, at), events);
            }
            let step = run.build_object(|run, step| step.word(run, Word::r#type, Word::model_output));
            self.open(run, index, (step, at), events)?;
        }
        let count = &mut self.count;
        let Some(open) = self.open.latest_mut(index) else { return Ok(()) };
        match (open.kind, run.type_of(delta)) {
            (Word::thought, Word::thought_summary) => {
                let mut reading = run.object(delta, at)?;
                reading.skip(&[Word::r#type]);
                if let Some(content) = reading.take_at(run, Word::content) {
                    open.add_content(run, content, count, events)?;
                }
                events.extend(state(run, at, reading.rest()));
                Ok(())
            }
            (Word::thought, Word::thought_signature) => {
                let mut reading = run.object(delta, at)?;
                reading.skip(&[Word::r#type]);
                if let Some((signature, at)) = reading.take_at(run, Word::signature) {
                    open.members.add(run, Key::Word(Word::signature), signature, at)?;
                }
                events.extend(state(run, at, reading.rest()));
                Ok(())
            }
            // whole, in the first version of the API
            (Word::function_call, Word::function_call) => {
                let mut reading = run.object(delta, at)?;
                reading.skip(&[Word::r#type]);
                for word in [Word::id, Word::name, Word::arguments, Word::signature] {
                    if let Some((value, at)) = reading.take_at(run, word) {
                        open.members.add(run, Key::Word(word), value, at)?;
                    }
                }
                events.extend(state(run, at, reading.rest()));
                Ok(())
            }
            (_, Word::text_annotation_delta | Word::text_annotation) => open.annotate(run, (delta, at), events),
            (_, Word::arguments_piece) => open.add_arguments(run, (delta, at), events),
            (Word::model_output, _) => open.add_content(run, (delta, at), count, events),
            _ => {
                let mut members = run.object(delta, at)?;
                members.skip(&[Word::r#type]);
                let members = members.rest();
                open.members.add_all(run, &members, at)
            }
        }
    }

    pub fn close(&mut self, run: &mut Run, index: u32, events: &mut Vec<Event>) -> Result<()> {
        self.open.end_latest(index).map_or(Ok(()), |open| self.complete(run, open, events))
    }

    pub fn close_all(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        while let Some(open) = self.open.end_first() {
            self.complete(run, open, events)?;
        }
        Ok(())
    }

    fn complete(&mut self, run: &mut Run, open: OpenStep, events: &mut Vec<Event>) -> Result<()> {
        let value = run.try_build(|run| open.put(run))?;
        run.warn_notices(At::ROOT);
        let place = run.recall(&open.place);
        if self.keeps {
            self.whole.add(run, open.number, value)?;
        }
        let before = std::mem::replace(&mut self.before, open.kind);
        if open.kind == Word::model_output {
            // its contents were emitted as they came
            return Ok(());
        }
        let mut numbers = open.blocks.into_iter();
        for block in read_output_step(run, value, place, before, Word::steps)? {
            let number = numbers.next().unwrap_or_else(|| next_block(&mut self.count));
            end_block(run, (number, block), (place, place), !open.arguments.is_empty(), events)?;
        }
        Ok(())
    }
}

impl OpenStep {
    /// Adds a content: a piece of the last text, or another content.
    fn add_content(
        &mut self,
        run: &mut Run,
        (content, at): (Value, At),
        count: &mut u32,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let text = run.member(content, Word::text).filter(|text| run.store.kind(*text) == Kind::String);
        let text = text.filter(|_| run.type_of(content) == Word::text);
        let (number, block) = match self.text.filter(|_| text.is_some()) {
            Some(number) => (number, self.blocks.last().copied().unwrap_or_default()),
            None => {
                let block = next_block(count);
                self.blocks.add(block);
                (next_block(&mut self.length), block)
            }
        };
        self.text = Some(number).filter(|_| text.is_some());
        let Some(text) = text else {
            self.contents.add(run, number, content)?;
            if self.kind == Word::model_output {
                let value = read_content(run, content, at)?;
                events.add(Event::Block { block, value });
            }
            return Ok(());
        };
        let mut reading = run.object(content, at)?;
        reading.skip(&[Word::r#type, Word::text]);
        let mut metadata = reading.rest();
        if let Some(members) = self.contents.object(number, GROWING) {
            for word in [Word::r#type, Word::text] {
                if let Some(value) = run.member(content, word) {
                    members.add(run, Key::Word(word), value, at)?;
                }
            }
            if self.kind == Word::model_output {
                members.add_all(run, &metadata, at)?;
            }
        }
        metadata.retain_family(&mut |member| !run.is_void(member.value));
        // the texts of a thought are plain
        if self.kind == Word::thought {
            events.extend(state(run, at, std::mem::take(&mut metadata)));
        }
        let has_fields = !metadata.family_fields().is_empty();
        if !run.store.is_empty(text) || has_fields {
            events.add(match self.kind {
                Word::thought => reasoning_delta(run.route.source_provider(), at, block, text),
                _ => Event::TextDelta { at, block, text, metadata },
            });
        }
        Ok(())
    }

    /// Adds annotations to the last text. Without one, they are fields of the response.
    fn annotate(&mut self, run: &mut Run, (delta, at): (Value, At), events: &mut Vec<Event>) -> Result<()> {
        let mut reading = run.object(delta, at)?;
        reading.skip(&[Word::r#type]);
        let annotations = reading.take_at(run, Word::annotations);
        events.extend(state(run, at, reading.rest()));
        let Some((list, at)) = annotations else { return Ok(()) };
        let mut metadata = Metadata::default();
        metadata.add_at(Key::Word(Word::annotations), list, at);
        let Some(number) = self.text else {
            events.extend(state(run, at, metadata));
            return Ok(());
        };
        if let Some(members) = self.contents.object(number, GROWING) {
            members.add(run, Key::Word(Word::annotations), list, at)?;
        }
        let block = self.blocks.last().copied().unwrap_or_default();
        let text = run.store.string("");
        events.add(Event::TextDelta { at, block, text, metadata });
        Ok(())
    }

    fn add_arguments(&mut self, run: &mut Run, (delta, at): (Value, At), events: &mut Vec<Event>) -> Result<()> {
        let mut reading = run.object(delta, at)?;
        reading.skip(&[Word::r#type]);
        let text = reading.string_or_empty(run, Word::arguments)?;
        events.extend(state(run, at, reading.rest()));
        self.arguments.push(run, text, at)?;
        if !run.store.is_empty(text) && self.kind == Word::function_call {
            let block = self.blocks.last().copied().unwrap_or_default();
            events.add(Event::CallDelta { block, text });
        }
        Ok(())
    }

    /// Reports arguments of the start that the deltas replace.
    fn warn_replaced(&self, run: &mut Run, arguments: Value) -> Result<()> {
        let first = self.members.value(run, Word::arguments)?;
        if first.is_some_and(|first| !run.is_all_void(first) && !run.store.same(first, arguments)) {
            let at = run.recall(&self.place);
            let at = run.down(at, Word::arguments);
            run.warn(WarningCode::FieldDropped, at, "the deltas that follow replace it");
        }
        Ok(())
    }

    /// The step as in a whole response.
    fn put(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        let has_arguments = !self.arguments.is_empty();
        self.members.put_but(run, if has_arguments { &[Word::arguments] } else { &[] })?;
        let list = if self.kind == Word::thought { Word::summary } else { Word::content };
        if self.length > 0 {
            run.store.key(list);
            self.contents.put(run)?;
        }
        if has_arguments {
            run.store.key(Word::arguments);
            let text = self.arguments.value(run)?;
            // anything but an object stays text, which the reader of whole responses handles
            let parsed = run.store.parse(text).ok().filter(|parsed| run.store.kind(*parsed) == Kind::Object);
            let arguments = parsed.unwrap_or(text);
            self.warn_replaced(run, arguments)?;
            run.store.put(arguments);
        }
        run.store.end_object();
        Ok(())
    }
}
