//! Takes citations from one of OpenAI's formats to the other: beside the message, or in the part of its text.

use crate::dialect::shared::citations::{moved, start, take_flat, take_nested};
use crate::format::Layout;
use crate::model::{Assistant, Block, Content, Event, Metadata};
use crate::run::{Key, Run};
use crate::value::{Kind, Value, Word};

/// How the target has citations; None if it does not understand those of the source.
fn layout(run: &Run) -> Option<Layout> {
    run.route.to.format().layout.filter(|_| !run.route.changes_provider())
}

/// Moves the citations of a whole response to where the target has them.
pub fn carry(run: &mut Run, message: &mut Assistant) {
    match layout(run) {
        Some(Layout::Flat) => to_parts(run, message),
        Some(Layout::Nested) => to_message(run, message),
        None => {}
    }
}

fn to_message(run: &mut Run, message: &mut Assistant) {
    let Content::Blocks(blocks) = &mut message.content else { return };
    let (mut offset, mut citations) = (0.0, Vec::new());
    for block in blocks {
        if let Block::Text { at, text, metadata } = block {
            citations.extend(take_nested(run, metadata, *at, offset));
            offset += length(run, *text);
        }
    }
    if !citations.is_empty() {
        let list = run.store.array_of(&citations);
        message.metadata.add(Key::Word(Word::annotations), list);
    }
}

fn to_parts(run: &mut Run, message: &mut Assistant) {
    let citations = take_flat(run, &mut message.metadata, message.at);
    if citations.is_empty() {
        return;
    }
    let content = std::mem::replace(&mut message.content, Content::Blocks(Vec::new()));
    let mut blocks = content.into_blocks();
    let mut texts: Vec<(f64, f64, &mut Metadata)> = Vec::new();
    let mut offset = 0.0;
    for block in &mut blocks {
        if let Block::Text { text, metadata, .. } = block {
            let end = offset + length(run, *text);
            texts.push((offset, end, metadata));
            offset = end;
        }
    }
    let count = texts.len();
    let mut left = citations;
    for (index, (offset, end, metadata)) in texts.into_iter().enumerate() {
        let is_last = index + 1 == count;
        let (own, others) = left.into_iter().partition(|citation| is_last || start(run, *citation) < end);
        left = others;
        add(run, metadata, own, offset);
    }
    message.content = Content::Blocks(blocks);
}

/// Adds citations to the metadata of a text that begins at `offset`.
fn add(run: &mut Run, metadata: &mut Metadata, citations: Vec<Value>, offset: f64) {
    if citations.is_empty() {
        return;
    }
    let citations: Vec<Value> = citations.into_iter().map(|citation| moved(run, citation, -offset)).collect();
    let part = run.build_object(|run, part| part.list(run, Word::annotations, &citations));
    metadata.add(Key::Word(Word::output_text), part);
}

/// The length of a text in characters, as OpenAI counts.
fn length(run: &Run, text: Value) -> f64 {
    run.store.text(text).chars().count() as f64
}

/// The citations of a stream. Only those of the first text are carried: the places of others are not known.
#[derive(Default)]
pub struct Cited {
    text: Option<u32>,
    has_more: bool,
}

impl Cited {
    /// Moves the citations in an event to where the target has them. Then the event has nothing else.
    pub fn carry(&mut self, run: &mut Run, event: &mut Event) {
        let Some(layout) = layout(run) else { return };
        if let Event::TextDelta { block, .. } = event {
            let first = *self.text.get_or_insert(*block);
            self.has_more |= first != *block;
        }
        let Some(text) = self.text.filter(|_| !self.has_more) else { return };
        match layout {
            Layout::Flat => to_part(run, event, text),
            Layout::Nested => to_chunk(run, event),
        }
    }
}

/// Makes citations beside the message fields of its text.
fn to_part(run: &mut Run, event: &mut Event, block: u32) {
    let (at, mut metadata) = match event {
        Event::State { at, metadata } => (*at, std::mem::take(metadata)),
        Event::Native(native) if native.provider.has_openai_format() => {
            let Some(delta) = only_delta(run, native.value) else { return };
            let mut metadata = Metadata::default();
            run.members(delta).into_iter().for_each(|field| metadata.add(Key::from(field), field.value));
            metadata.append(native.metadata.clone());
            (native.at, metadata)
        }
        _ => return,
    };
    let citations = take_flat(run, &mut metadata, at);
    if !citations.is_empty() {
        run.warn_metadata(&metadata, at);
        let mut metadata = Metadata::default();
        add(run, &mut metadata, citations, 0.0);
        *event = Event::TextDelta { at, block, text: run.store.string(""), metadata };
    } else if let Event::State { metadata: own, .. } = event {
        *own = metadata;
    }
}

/// Makes the citations of a text fields of the message.
fn to_chunk(run: &mut Run, event: &mut Event) {
    let Event::TextDelta { at, text, metadata, .. } = event else { return };
    if metadata.is_empty() || !run.store.is_empty(*text) {
        return;
    }
    let citations = take_nested(run, metadata, *at, 0.0);
    if !citations.is_empty() {
        run.warn_metadata(metadata, *at);
        let list = run.store.array_of(&citations);
        *metadata = Metadata::default();
        metadata.add(Key::Word(Word::annotations), list);
    }
}

/// The delta of a chunk of Chat Completions that has nothing but annotations.
fn only_delta(run: &mut Run, chunk: Value) -> Option<Value> {
    let choices = run.field(chunk, Word::choices).filter(|choices| run.store.kind(*choices) == Kind::Array)?;
    let choice = run.list(choices).first().copied()?;
    let delta = run.field(choice, Word::delta)?;
    let is_alone = run.members(chunk).len() == 1
        && run.list(choices).len() == 1
        && run.members(choice).iter().all(|field| matches!(field.word, Word::index | Word::delta))
        && run.members(delta).iter().all(|field| field.word == Word::annotations);
    is_alone.then_some(delta)
}
