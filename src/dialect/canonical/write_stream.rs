//! Writes `StreamEvent`s.

use super::calls::{CANONICAL, write_call};
use super::messages::write_block;
use super::response::write_usage;
use super::{error, tools, write_metadata};
use crate::dialect::shared::stream::{Encode, Output, UnderWay};
use crate::model::{CallStart, End, Event, Metadata, Native, Reasoning, Start};
use crate::run::{Provider, Result, Run, Writing};
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
                let mut object = begin(run, Word::start, None);
                object.option(run, Word::id, *id);
                object.option(run, Word::model, *model);
                end(run, object, metadata);
            }
            Event::TextDelta { at: _, block, text, metadata } => delta(run, Word::textDelta, *block, *text, metadata),
            Event::RefusalDelta { at: _, block, text, metadata } => {
                delta(run, Word::refusalDelta, *block, *text, metadata);
            }
            Event::ReasoningDelta { at: _, block, text, issuer, metadata } => {
                let mut object = begin(run, Word::reasoningDelta, Some(*block));
                object.put(run, Word::text, *text);
                object.word(run, Word::issuer, issuer.word());
                end(run, object, metadata);
            }
            Event::ReasoningEnd { block, reasoning: Reasoning { signature, redacted, issuer, metadata, .. } } => {
                let mut object = begin(run, Word::reasoningEnd, Some(*block));
                object.option(run, Word::signature, *signature);
                object.option(run, Word::redacted, *redacted);
                object.word(run, Word::issuer, issuer.word());
                end(run, object, metadata);
            }
            Event::CallStart(CallStart { at: _, block, id, name, metadata }) => {
                let mut object = begin(run, Word::toolCallStart, Some(*block));
                object.put(run, Word::id, *id);
                object.put(run, Word::name, *name);
                end(run, object, metadata);
            }
            Event::CallDelta { block, text } => {
                let mut object = begin(run, Word::toolCallDelta, Some(*block));
                if let Some(id) = self.0.latest(*block) {
                    let id = run.import(id)?;
                    object.put(run, Word::id, id);
                }
                object.put(run, Word::text, *text);
                object.close(run);
            }
            Event::CallEnd { block, call } => {
                let mut object = begin(run, Word::toolCallEnd, Some(*block));
                object.key(run, Word::call);
                write_call(run, call, &CANONICAL);
                object.close(run);
            }
            Event::Block { block, value } => {
                let mut object = begin(run, Word::block, Some(*block));
                object.key(run, Word::value);
                write_block(run, value);
                object.close(run);
            }
            Event::Usage(usage) => {
                let mut object = begin(run, Word::usage, None);
                object.key(run, Word::usage);
                write_usage(run, usage);
                object.close(run);
            }
            Event::Finish(End { at: _, finish, raw, metadata }) => {
                let mut object = begin(run, Word::finish, None);
                object.word(run, Word::finishReason, finish.word());
                object.option(run, Word::rawFinishReason, *raw);
                end(run, object, metadata);
            }
            Event::Error(failure) => {
                let mut object = begin(run, Word::error, None);
                object.key(run, Word::error);
                error::write(run, failure)?;
                object.close(run);
            }
            Event::Native(native) => tools::write_native(run, native),
            Event::State { at, metadata } => put_state(run, *at, metadata),
        }
        Ok(())
    }
}

fn begin(run: &mut Run, kind: Word, block: Option<u32>) -> Writing {
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    object.count(run, Word::block, block.map(f64::from));
    object
}

fn end(run: &mut Run, object: Writing, metadata: &Metadata) {
    write_metadata(run, metadata, None);
    object.close(run);
}

fn delta(run: &mut Run, kind: Word, block: u32, text: Value, metadata: &Metadata) {
    let mut object = begin(run, kind, Some(block));
    object.put(run, Word::text, text);
    end(run, object, metadata);
}

/// Writes fields of the response that came after its start as an event of their provider.
fn put_state(run: &mut Run, at: crate::run::At, metadata: &Metadata) {
    let value = run.build(|run| {
        run.store.begin_object();
        for member in metadata.family() {
            run.put_key(member.key);
            run.store.put(member.value);
        }
        run.store.end_object();
    });
    let provider = run.route.family.unwrap_or(Provider::OpenAI);
    tools::write_native(run, &Native::new(provider, value, at));
}
