//! Writes `StreamEvent`s.

use super::calls::{CANONICAL, write_call};
use super::messages::write_block;
use super::response::write_usage;
use super::{end, error, tools};
use crate::dialect::shared::stream::{Encode, Output, UnderWay};
use crate::model::{CallStart, End, Event, Metadata, Native, Reasoning, Start};
use crate::run::{Result, Run};
use crate::value::Word;

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
        let none = Metadata::default();
        let (kind, block, members, metadata) = match event {
            Event::Start(Start { at: _, id, model, metadata }) => {
                (Word::start, None, vec![(Word::id, *id), (Word::model, *model)], metadata)
            }
            Event::TextDelta { at: _, block, text, metadata } => {
                (Word::textDelta, Some(*block), vec![(Word::text, Some(*text))], metadata)
            }
            Event::RefusalDelta { at: _, block, text, metadata } => {
                (Word::refusalDelta, Some(*block), vec![(Word::text, Some(*text))], metadata)
            }
            Event::ReasoningDelta { at: _, block, text, issuer, metadata } => {
                let issuer = Some(run.store.word_value(issuer.word()));
                let members = vec![(Word::text, Some(*text)), (Word::issuer, issuer)];
                (Word::reasoningDelta, Some(*block), members, metadata)
            }
            Event::ReasoningEnd { block, reasoning: Reasoning { signature, redacted, issuer, metadata, .. } } => {
                let issuer = Some(run.store.word_value(issuer.word()));
                let members = vec![(Word::signature, *signature), (Word::redacted, *redacted), (Word::issuer, issuer)];
                (Word::reasoningEnd, Some(*block), members, metadata)
            }
            Event::CallStart(CallStart { at: _, block, id, name, metadata }) => {
                let members = vec![(Word::id, Some(*id)), (Word::name, Some(*name))];
                (Word::toolCallStart, Some(*block), members, metadata)
            }
            Event::CallDelta { block, text } => {
                let id = run.import_option(self.0.latest(*block).map(Vec::as_slice))?;
                (Word::toolCallDelta, Some(*block), vec![(Word::id, id), (Word::text, Some(*text))], &none)
            }
            Event::CallEnd { block, call } => {
                let call = run.build(|run| write_call(run, call, &CANONICAL));
                (Word::toolCallEnd, Some(*block), vec![(Word::call, Some(call))], &none)
            }
            Event::Block { block, value } => {
                let value = run.build(|run| write_block(run, value));
                (Word::block, Some(*block), vec![(Word::value, Some(value))], &none)
            }
            Event::Usage(usage) => {
                let usage = run.build(|run| write_usage(run, usage));
                (Word::usage, None, vec![(Word::usage, Some(usage))], &none)
            }
            Event::Error(failure) => {
                let failure = run.try_build(|run| error::write(run, failure))?;
                (Word::error, None, vec![(Word::error, Some(failure))], &none)
            }
            Event::Finish(End { at: _, finish, raw, metadata }) => {
                let finish = Some(run.store.word_value(finish.word()));
                (Word::finish, None, vec![(Word::finishReason, finish), (Word::rawFinishReason, *raw)], metadata)
            }
            Event::Native(native) => {
                tools::write_native(run, native);
                return Ok(());
            }
            // fields of the response that came after its start: an event of their provider
            Event::State { at, metadata } => {
                let value = run.family_object(metadata);
                let provider = run.route.source_provider();
                tools::write_native(run, &Native::new(provider, value, *at));
                return Ok(());
            }
        };
        let mut object = run.begin();
        object.word(run, Word::r#type, kind);
        object.count(run, Word::block, block.map(f64::from));
        for (word, value) in members {
            object.option(run, word, value);
        }
        end(run, object, metadata);
        Ok(())
    }
}
