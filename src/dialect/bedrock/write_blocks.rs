//! Writes content blocks (WIRE §5.3, §5.9).

use super::blocks::{ID, REASONING, original};
use super::{cache_points, media};
use crate::dialect::shared::arguments;
use crate::fit::native;
use crate::model::{Assistant, Block, Call, Content, Metadata, Reasoning};
use crate::run::{At, Run};
use crate::value::{Kind, Value, Word};

pub fn content_blocks(run: &mut Run, content: &Content) {
    match content {
        Content::Text(text, at) => write_text(run, *text, &Metadata::default(), *at),
        Content::Blocks(blocks) => blocks.iter().for_each(|block| write_block(run, block)),
    }
}

pub fn assistant_blocks(run: &mut Run, assistant: &Assistant) {
    match &assistant.content {
        Content::Text(text, _) if run.store.is_empty(*text) => {}
        content => content_blocks(run, content),
    }
    assistant.calls.iter().for_each(|call| write_call(run, call));
}

/// Writes a block. Refusals and data are text by now.
pub fn write_block(run: &mut Run, block: &Block) {
    match block {
        Block::Text { at, text, metadata } => write_text(run, *text, metadata, *at),
        Block::Media(media) => media::write(run, media),
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) => native::put(run, native),
        Block::Call(call) => write_call(run, call),
        Block::Refusal { .. } | Block::Data { .. } => {}
    }
}

pub fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    if let Some((key, kept)) = original(run, text, metadata) {
        object.object_with_rest(run, metadata, key, |run, inner| {
            for field in run.members(kept) {
                inner.put(run, field.word, field.value);
            }
        });
        return cache_points::end(run, object, metadata, at);
    }
    let cited = metadata.own_field(Word::citationsContent).filter(|cited| run.store.kind(*cited) == Kind::Object);
    if cited.is_some() {
        object.object_with_rest(run, metadata, Word::citationsContent, |run, inner| {
            inner.array(run, Word::content, |run| {
                let mut part = run.begin();
                part.put(run, Word::text, text);
                part.close(run);
            });
        });
        return cache_points::end(run, object, metadata, at);
    }
    object.put(run, Word::text, text);
    cache_points::end(run, object, metadata, at);
}

/// Writes reasoning unmodified, with its signature.
fn write_reasoning(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = reasoning;
    let mut object = run.begin();
    object.object_with_rest(run, metadata, Word::reasoningContent, |run, inner| match redacted {
        Some(redacted) => inner.put(run, Word::redactedContent, *redacted),
        None => inner.object_with_rest(run, metadata, Word::reasoningText, |run, part| {
            REASONING.put(run, part, *text, metadata);
            part.option(run, Word::signature, *signature);
        }),
    });
    object.skip(run, Word::reasoningText);
    cache_points::end(run, object, metadata, *at);
}

fn write_call(run: &mut Run, call: &Call) {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    object.object_with_rest(run, metadata, Word::toolUse, |run, inner| {
        ID.put(run, inner, *id, metadata);
        inner.put(run, Word::name, *name);
        arguments::put_as_object(run, inner, Word::input, call);
        put_type(run, inner, metadata);
    });
    cache_points::end(run, object, metadata, *at);
}

/// Writes the type of an ordinary call, if it had one.
pub fn put_type(run: &mut Run, inner: &mut crate::run::Writing, metadata: &Metadata) {
    let kind = metadata.form(Word::r#type).filter(|kind| run.store.kind(*kind) == Kind::String);
    inner.option(run, Word::r#type, kind);
}
