//! Writes `StreamEvent`s.

use super::calls::{CANONICAL, write_call};
use super::messages::write_block;
use super::response::write_usage;
use super::{end, error, tools};
use crate::dialect::shared::stream::{Encode, Output, UnderWay};
use crate::model::{CallStart, End, Event, Metadata, Native, Reasoning, Start};
use crate::run::{At, Provider, Result, Run, Writing};
use crate::value::{Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder::default()))
}

/// The ids of the open calls by block: JSON texts.
#[derive(Default)]
struct Encoder(UnderWay<Vec<u8>>);

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        if let Event::CallStart(CallStart { block, id, .. }) = event {
            let id = run.export(*id)?;
            self.0.begin(*block, id);
        }
        let value = run.try_build(|run| self.put(run, event))?;
        if let Event::CallEnd { block, .. } = event {
            self.0.end_latest(*block);
        }
        output.event(run, "", value)
    }

    fn may_repeat(&self, _event: &Event) -> bool {
        true
    }

    fn end(&mut self, _run: &mut Run, output: &mut Output) -> Result<()> {
        output.done();
        Ok(())
    }
}

impl Encoder {
    fn put(&self, run: &mut Run, event: &Event) -> Result<()> {
        match event {
            Event::Start(Start { at: _, id, model, metadata }) => {
                put(run, (Word::start, None), &[(Word::id, *id), (Word::model, *model)], metadata);
            }
            Event::TextDelta { at: _, block, text, metadata } => {
                put(run, (Word::textDelta, Some(*block)), &[(Word::text, Some(*text))], metadata);
            }
            Event::RefusalDelta { at: _, block, text, metadata } => {
                put(run, (Word::refusalDelta, Some(*block)), &[(Word::text, Some(*text))], metadata);
            }
            Event::ReasoningDelta { at: _, block, text, issuer, metadata } => {
                let issuer = Some(run.store.word_value(issuer.word()));
                let members = [(Word::text, Some(*text)), (Word::issuer, issuer)];
                put(run, (Word::reasoningDelta, Some(*block)), &members, metadata);
            }
            Event::ReasoningEnd { block, reasoning: Reasoning { signature, redacted, issuer, metadata, .. } } => {
                let issuer = Some(run.store.word_value(issuer.word()));
                let members = [(Word::signature, *signature), (Word::redacted, *redacted), (Word::issuer, issuer)];
                put(run, (Word::reasoningEnd, Some(*block)), &members, metadata);
            }
            Event::CallStart(CallStart { at: _, block, id, name, metadata }) => {
                let members = [(Word::id, Some(*id)), (Word::name, Some(*name))];
                put(run, (Word::toolCallStart, Some(*block)), &members, metadata);
            }
            Event::CallDelta { block, text } => {
                let id = run.import_option(self.0.latest(*block).map(Vec::as_slice))?;
                let members = [(Word::id, id), (Word::text, Some(*text))];
                put(run, (Word::toolCallDelta, Some(*block)), &members, &Metadata::default());
            }
            Event::CallEnd { block, call } => {
                put_value(run, (Word::toolCallEnd, Some(*block)), Word::call, |run| write_call(run, call, &CANONICAL));
            }
            Event::Block { block, value } => {
                put_value(run, (Word::block, Some(*block)), Word::value, |run| write_block(run, value));
            }
            Event::Usage(usage) => put_value(run, (Word::usage, None), Word::usage, |run| write_usage(run, usage)),
            Event::Error(failure) => {
                put_value(run, (Word::error, None), Word::error, |run| error::write(run, failure))?
            }
            Event::Finish(End { at: _, finish, raw, metadata }) => {
                let finish = Some(run.store.word_value(finish.word()));
                let members = [(Word::finishReason, finish), (Word::rawFinishReason, *raw)];
                put(run, (Word::finish, None), &members, metadata);
            }
            Event::Native(native) => tools::write_native(run, native),
            Event::State { at, metadata } => put_state(run, *at, metadata),
        }
        Ok(())
    }
}

fn begin(run: &mut Run, (kind, block): (Word, Option<u32>)) -> Writing {
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    object.count(run, Word::block, block.map(f64::from));
    object
}

/// Writes an event with these members.
fn put(run: &mut Run, event: (Word, Option<u32>), members: &[(Word, Option<Value>)], metadata: &Metadata) {
    let mut object = begin(run, event);
    for (word, value) in members {
        object.option(run, *word, *value);
    }
    end(run, object, metadata);
}

/// Writes an event with a value.
fn put_value<T>(run: &mut Run, event: (Word, Option<u32>), key: Word, write: impl FnOnce(&mut Run) -> T) -> T {
    let mut object = begin(run, event);
    object.key(run, key);
    let written = write(run);
    object.close(run);
    written
}

/// Writes fields of the response that came after its start as an event of their provider.
fn put_state(run: &mut Run, at: At, metadata: &Metadata) {
    let value = run.family_object(metadata);
    let provider = run.route.family.unwrap_or(Provider::OpenAI);
    tools::write_native(run, &Native::new(provider, value, at));
}
