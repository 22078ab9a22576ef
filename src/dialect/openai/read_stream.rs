//! Reads streams (WIRE §1.8): chunks whose deltas are fragments of one message.

use super::details;
use super::messages::read_part;
use super::response::{CLIENTS_OBJECT, USAGE, check_case, reasons};
use super::stream_calls::{Calls, Fragment};
use super::stream_whole::Whole;
use crate::dialect::shared::stream::{Decode, Members, next_block, reasoning_delta, skip_foreign, state};
use crate::dialect::shared::{choices, finish, usage};
use crate::model::{Add, Block, End, Event, Finish, Metadata, Native, Reasoning, Start};
use crate::run::{At, ErrorCode, Key, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    let head = Head { fields: Members::new(&[]), keeps, ..Head::default() };
    Some(Box::new(Decoder { head, whole: keeps.then(Whole::default), ..Decoder::default() }))
}

/// The fields in which compatible servers send reasoning, each as a block of its own.
const REASONING: [Word; 2] = [Word::reasoning_content, Word::reasoning];

#[derive(Default)]
struct Decoder {
    head: Head,
    /// The index of the choice that arrived first, which is the one that is converted.
    index: Option<u32>,
    blocks: u32,
    text: Option<u32>,
    refusal: Option<u32>,
    reasoning: [Option<u32>; REASONING.len()],
    /// The block of the texts in lists; whether the fields above have any.
    listed: Option<u32>,
    has_fields: bool,
    /// The block of thinking in the content.
    thinking: Option<u32>,
    calls: Calls,
    finish: Option<Finish>,
    /// The string that the current event appended to: a field of the message, or the arguments of the latest call. [`SEVERAL`] if there was more.
    grown: Option<Word>,
    /// The choices and the usage so far, if the whole response is needed at the end.
    whole: Option<Whole>,
}

const SEVERAL: Word = Word::Unknown;

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let mut chunk = run.object(event, At::ROOT)?;
        let is_error = chunk.peek(Word::object).is_some_and(|object| run.store.word(object) == Word::error);
        if chunk.holds(run, Word::error) || is_error {
            let error = super::error::read(run, event)?;
            self.close(run, At::ROOT, true, events)?;
            events.add(Event::Error(error));
            return Ok(());
        }
        let is_chunk =
            chunk.peek(Word::object).is_some_and(|object| run.store.word(object) == Word::chat_completion_chunk);
        if run.route.from.format().chunks && chunk.holds(run, Word::data) {
            let at = run.down(At::ROOT, Word::data);
            return run.fail(ErrorCode::InvalidValue, at, CLIENTS_OBJECT);
        }
        if !is_chunk && ![Word::choices, Word::usage].iter().any(|word| chunk.has(*word)) {
            return skip_foreign(run, (event, At::ROOT), "this is not a chunk of a Chat Completions stream");
        }
        chunk.take_any(Word::object);
        let obfuscation = chunk.take_any(Word::obfuscation);
        let created = chunk.peek(Word::created);
        let usage = chunk.take_at(run, Word::usage).or_else(|| usage_of_groq(run, &chunk));
        let choices = chunk.elements(run, Word::choices)?;
        let counted = if usage.is_none() { usage_of_choice(run, choices.first()) } else { None };
        let is_counted = counted.is_some();
        let usage = usage.or(counted);
        let rest = chunk.rest();
        // lists and objects grow with each chunk, even if they are equal
        let is_settled = self.whole.is_none() || rest.family_fields().iter().all(|member| is_scalar(run, member.value));
        self.head.read(run, rest, usage.is_some() || !choices.is_empty(), events)?;
        self.grown = None;
        let has_one_choice = choices.len() == 1;
        let mut finish = None;
        for (choice, at) in choices {
            finish = self.read_choice(run, (choice, at), is_counted, events)?.or(finish);
        }
        if let Some((usage, at)) = usage {
            if let Some(whole) = &mut self.whole {
                whole.usage = Some(run.export(usage)?);
            }
            events.add(Event::Usage(Box::new(usage::read(run, usage, at, USAGE)?)));
        }
        events.extend(finish);
        if let Some(event) = events.last()
            && let Some(text) = event.text().filter(|_| is_settled && has_one_choice)
            && self.grown.is_some_and(|grown| grown != SEVERAL)
        {
            run.may_repeat(&[Some(text), obfuscation, created]);
        }
        Ok(())
    }

    fn repeat(&mut self, text: &[u8]) {
        match (self.grown, &mut self.whole) {
            (Some(Word::arguments), _) => self.calls.repeat(text),
            (Some(word), Some(whole)) => whole.repeat(word, text),
            // nothing grows, or no whole response is needed
            (None, _) | (Some(_), None) => {}
        }
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.head.start(run, events)?;
        self.close(run, At::ROOT, self.finish.is_none(), events)
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        let whole = self.whole.take().unwrap_or_default();
        run.try_build(|run| whole.put(run, &self.head.fields, &self.calls))
    }
}

/// Groq's usage, in an object of its own (<https://console.groq.com/docs/api-reference#chat-create>), which stays where it is.
fn usage_of_groq(run: &mut Run, chunk: &Reading) -> Option<(Value, At)> {
    let own = chunk.peek(Word::x_groq)?;
    let usage = run.field(own, Word::usage).filter(|usage| run.store.kind(*usage) == Kind::Object)?;
    let at = run.down(chunk.at(), Word::x_groq);
    Some((usage, run.down(at, Word::usage)))
}

/// Moonshot's usage, in the last choice (<https://platform.moonshot.ai/docs/api/chat>), where it stays.
fn usage_of_choice(run: &mut Run, choice: Option<Value>) -> Option<(Value, At)> {
    let choice = choice.filter(|choice| run.store.kind(*choice) == Kind::Object)?;
    let usage = run.field(choice, Word::usage).filter(|usage| run.store.kind(*usage) == Kind::Object)?;
    let choices = run.down(At::ROOT, Word::choices);
    let at = run.nth(choices, 0);
    Some((usage, run.down(at, Word::usage)))
}

fn is_scalar(run: &Run, value: Value) -> bool {
    !matches!(run.store.kind(value), Kind::Array | Kind::Object)
}

impl Decoder {
    fn grows(&mut self, word: Word) {
        self.grown = Some(if self.grown.is_none() { word } else { SEVERAL });
    }

    /// Ends what is open. In a response that was cut off (`is_cut`), calls may be incomplete.
    fn close(&mut self, run: &mut Run, at: At, is_cut: bool, events: &mut Vec<Event>) -> Result<()> {
        self.close_reasoning(run, at, events);
        self.calls.end(run, is_cut, &mut self.blocks, events)
    }

    /// Reads a choice, whose usage may be read already (`is_counted`). Returns its finish event, which must be emitted last.
    fn read_choice(
        &mut self,
        run: &mut Run,
        (choice, at): (Value, At),
        is_counted: bool,
        events: &mut Vec<Event>,
    ) -> Result<Option<Event>> {
        let mut reading = run.object(choice, at)?;
        if reading.has(Word::message) && !reading.has(Word::delta) {
            return run.fail(ErrorCode::InvalidStream, at, "this is a whole response, not a chunk of one");
        }
        check_case(run, &reading)?;
        if is_counted && !run.route.keeps_family() {
            reading.skip(&[Word::usage]);
        }
        let index = choices::index_of(run, &reading)?;
        if let Some(whole) = &mut self.whole {
            whole.add_choice(run, choice, index, at)?;
        }
        if *self.index.get_or_insert(index) != index {
            let piece = |run: &mut Run| piece_of_chunk(run, at, |run| run.store.put(choice));
            events.extend(choices::keep_other(run, at, piece));
            return Ok(None);
        }
        if let Some(delta) = reading.object(run, Word::delta)? {
            self.read_delta(run, delta, events)?;
        }
        let raw = reading.string(run, Word::finish_reason)?.filter(|raw| !run.store.is_empty(*raw));
        let Some(raw) = raw.filter(|_| self.finish.is_none()) else {
            reading.take_any(Word::index);
            emit_rest(run, at, reading.rest(), None, events);
            return Ok(None);
        };
        let mut metadata = Metadata::default();
        choices::take_first_index(run, &mut reading);
        reading.rest_into(run, Word::choice, &mut metadata);
        self.close(run, at, false, events)?;
        let finish = finish::read(run, reasons(run.route.from.format()), Some(raw), self.calls.has_any())
            .with_refusal(self.refusal.is_some());
        self.finish = Some(finish);
        Ok(Some(Event::Finish(End { at, finish, raw: Some(raw), metadata })))
    }

    fn read_delta(&mut self, run: &mut Run, mut delta: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = delta.at();
        delta.take_any(Word::role);
        self.read_reasoning_once(run, &mut delta);
        let fields: &[Word] = if run.route.from.format().chunks { &[] } else { &REASONING };
        for (slot, word) in fields.iter().copied().enumerate() {
            let Some(text) = delta.peek(word).filter(|text| run.store.kind(*text) == Kind::String) else { continue };
            delta.take_any(word);
            if let Some(open) = self.reasoning.get_mut(slot).filter(|_| !run.store.is_empty(text)) {
                let block = *open.get_or_insert_with(|| next_block(&mut self.blocks));
                self.has_fields = true;
                self.grows(word);
                let at = run.down(at, word);
                events.add(reasoning_delta(run.route.source_provider(), at, block, text));
            }
        }
        if !fields.is_empty() && !self.has_fields {
            self.read_listed(run, &delta, events);
        }
        if let Some((content, at)) = delta.take_at(run, Word::content) {
            self.read_content(run, content, at, events)?;
        }
        if let Some((text, at)) = delta.take_at(run, Word::refusal) {
            let text = run.string(text, at)?;
            if !run.store.is_empty(text) {
                self.grows(Word::refusal);
                self.close_reasoning(run, at, events);
                let block = *self.refusal.get_or_insert_with(|| next_block(&mut self.blocks));
                events.add(Event::RefusalDelta { at, block, text, metadata: Metadata::default() });
            }
        }
        for piece in Fragment::take_all(run, &mut delta)? {
            self.grows(if piece.has_only_arguments() { Word::arguments } else { SEVERAL });
            self.close_reasoning(run, piece.at, events);
            self.calls.add(run, piece, &mut self.blocks, self.head.seeds_ids, events)?;
        }
        emit_rest(run, at, delta.rest(), Some(Word::delta), events);
        Ok(())
    }

    /// Content is a string; some servers send parts instead.
    fn read_content(&mut self, run: &mut Run, content: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        match run.store.kind(content) {
            Kind::String => {
                self.grows(Word::content);
                self.add_text(run, (content, at), Metadata::default(), events);
            }
            Kind::Array => {
                self.grows(SEVERAL);
                for (part, at) in run.elements(content, at)? {
                    match read_part(run, part, at)? {
                        Block::Text { text, metadata, .. } => self.add_text(run, (text, at), metadata, events),
                        Block::Reasoning(part) => self.add_thinking(run, part, events),
                        value => {
                            self.close_reasoning(run, at, events);
                            self.text = None;
                            let block = next_block(&mut self.blocks);
                            events.add(Event::Block { block, value });
                        }
                    }
                }
            }
            _ => return run.wrong_type(content, at, "a string, null or an array of parts"),
        }
        Ok(())
    }

    fn add_text(&mut self, run: &Run, (text, at): (Value, At), metadata: Metadata, events: &mut Vec<Event>) {
        if run.store.is_empty(text) && metadata.is_empty() {
            return;
        }
        self.close_reasoning(run, at, events);
        let block = *self.text.get_or_insert_with(|| next_block(&mut self.blocks));
        events.add(Event::TextDelta { at, block, text, metadata });
    }

    /// A piece of thinking, which ends with its signature.
    fn add_thinking(&mut self, run: &mut Run, part: Reasoning, events: &mut Vec<Event>) {
        self.text = None;
        if part.redacted.is_some() && self.thinking.is_none() {
            let block = next_block(&mut self.blocks);
            return events.add(Event::Block { block, value: Block::Reasoning(part) });
        }
        let Reasoning { at, text, signature, redacted, issuer, scope: _, mut metadata } = part;
        let block = *self.thinking.get_or_insert_with(|| next_block(&mut self.blocks));
        metadata.forget_form(Word::thinking);
        if text.is_some() || !metadata.is_empty() {
            let text = text.unwrap_or_else(|| run.store.string(""));
            events.add(Event::ReasoningDelta { at, block, text, issuer, metadata });
        }
        if let Some(signature) = signature.or(redacted) {
            self.thinking = None;
            let reasoning = Reasoning { signature: Some(signature), ..Reasoning::empty(at, issuer) };
            events.add(Event::ReasoningEnd { block, reasoning });
        }
    }

    /// Texts of reasoning that are in a list only, which is emitted, too.
    fn read_listed(&mut self, run: &mut Run, delta: &Reading, events: &mut Vec<Event>) {
        let Some(Block::Reasoning(part)) = details::read_texts(run, delta) else { return };
        let Reasoning { at, text: Some(text), issuer, metadata, .. } = part else { return };
        let block = *self.listed.get_or_insert_with(|| next_block(&mut self.blocks));
        self.grows(SEVERAL);
        events.add(Event::ReasoningDelta { at, block, text, issuer, metadata });
    }

    /// Some servers send the same reasoning in both fields: it is emitted once.
    fn read_reasoning_once(&mut self, run: &mut Run, delta: &mut Reading) {
        let (Some(long), Some(short)) = (delta.peek(Word::reasoning_content), delta.peek(Word::reasoning)) else {
            return;
        };
        let [_, open] = self.reasoning;
        if open.is_none() && run.store.kind(long) == Kind::String && run.store.same(long, short) {
            delta.take_any(Word::reasoning);
            self.grows(SEVERAL);
        }
    }

    /// Reasoning ends where other content begins.
    fn close_reasoning(&mut self, run: &Run, at: At, events: &mut Vec<Event>) {
        for block in self.reasoning.iter_mut().chain([&mut self.thinking, &mut self.listed]).filter_map(Option::take) {
            events.add(Event::ReasoningEnd { block, reasoning: Reasoning::empty(at, run.route.source_provider()) });
        }
    }
}

/// The fields of chunks beside `choices`: emitted at the start, and later when they change.
#[derive(Default)]
struct Head {
    /// All fields so far; after the start, only if they are needed at the end. Chunks before the actual response have fields too: those of a content
    /// filter do not even contain its id (Q152).
    fields: Members,
    keeps: bool,
    /// The emitted values: repeating them is not news.
    latest: Members,
    has_started: bool,
    /// Whether ids can be generated before the arguments are known.
    seeds_ids: bool,
}

/// Fields whose first value counts: the same in all chunks, or a count of them.
const FIRST_COUNTS: &[Word] = &[Word::id, Word::model, Word::created];

impl Head {
    /// `has_content`: the chunk has content beside these fields.
    fn read(&mut self, run: &mut Run, mut fields: Metadata, has_content: bool, events: &mut Vec<Event>) -> Result<()> {
        if !self.has_started {
            self.fields.add_all(run, &fields, At::ROOT)?;
            let has_id = !self.fields.is_blank(Word::id);
            return if has_id || has_content { self.start(run, events) } else { Ok(()) };
        }
        let news = self.latest.news(run, &fields, FIRST_COUNTS)?;
        events.extend(state(run, At::ROOT, news));
        if self.keeps {
            fields.retain_family(&mut |member| !FIRST_COUNTS.contains(&member.key.word()));
            self.fields.add_all(run, &fields, At::ROOT)?;
        }
        Ok(())
    }

    /// Emits the start, if there are any fields for it.
    fn start(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        if std::mem::replace(&mut self.has_started, true) || self.fields.is_empty() {
            return Ok(());
        }
        let object = self.fields.object(run)?;
        let at = At::ROOT;
        let mut reading = run.object(object, at)?;
        let (id, model) = (reading.string(run, Word::id)?, reading.string(run, Word::model)?);
        self.seeds_ids = id.is_some_and(|id| !run.store.is_empty(id)) || run.options.id_seed.is_some();
        for (word, value) in [(Word::id, id), (Word::model, model)] {
            if let Some(value) = value.filter(|value| !run.store.is_empty(*value)) {
                self.latest.add(run, Key::Word(word), value, at)?;
            }
        }
        let metadata = self.latest.news(run, &reading.rest(), FIRST_COUNTS)?;
        events.add(Event::Start(Start { at, id, model, metadata }));
        Ok(())
    }
}

/// Emits unmodelled fields of the first choice, or of the object `inner` in it.
fn emit_rest(run: &mut Run, at: At, mut rest: Metadata, inner: Option<Word>, events: &mut Vec<Event>) {
    rest.retain_family(&mut |member| !run.is_void(member.value));
    if rest.family_fields().is_empty() {
        return;
    }
    let piece = |run: &mut Run| {
        let fields = run.family_object(&rest);
        piece_of_chunk(run, at, |run| {
            let mut choice = run.begin();
            choice.number(run, Word::index, 0.0);
            match inner {
                Some(inner) => choice.put(run, inner, fields),
                None => run.put_members(&rest),
            }
            choice.close(run);
        })
    };
    let event = choices::keep_or(run, |run| Some(piece(run)), |run| state(run, at, rest.clone()));
    events.extend(event);
}

/// A part of a chunk that only its provider understands: a choice in its usual place.
fn piece_of_chunk(run: &mut Run, at: At, put_choice: impl FnOnce(&mut Run)) -> Event {
    let value = run.build_object(|run, chunk| {
        chunk.array(run, Word::choices, |run| put_choice(run));
    });
    Event::Native(Native::of_source(run, value, at))
}
