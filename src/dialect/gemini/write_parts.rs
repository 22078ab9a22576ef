//! Writes parts (WIRE §4.3, §4.4, §4.9).

use super::partial;
use super::parts::{ID, TEXT, THOUGHT, result_key};
use crate::dialect::shared::{arguments, outcome};
use crate::fit::results::states_its_error;
use crate::fit::{media, native};
use crate::model::{Assistant, Block, Call, Content, Media, Metadata, Outcome, Reasoning, Source, ToolResult};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub fn content_parts(run: &mut Run, content: &Content) {
    match content {
        Content::Text(text, at) => write_text(run, *text, &Metadata::default(), *at),
        Content::Blocks(blocks) => blocks.iter().for_each(|block| write_block(run, block)),
    }
}

pub fn assistant_parts(run: &mut Run, assistant: &Assistant) {
    match &assistant.content {
        // a message that only has calls has no text part
        Content::Text(text, _) if run.store.is_empty(*text) && !assistant.calls.is_empty() => {}
        content => content_parts(run, content),
    }
    assistant.calls.iter().for_each(|call| write_call(run, call));
}

/// Writes a block. Refusals and data are text by now.
pub fn write_block(run: &mut Run, block: &Block) {
    match block {
        Block::Text { at, text, metadata } => write_text(run, *text, metadata, *at),
        Block::Media(media) => write_media(run, media),
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) => native::put(run, native),
        Block::Call(call) => write_call(run, call),
        Block::Refusal { .. } | Block::Data { .. } => {}
    }
}

fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    object.put(run, Word::text, text);
    THOUGHT.put_flag(run, &mut object, Some(false), metadata);
    object.option(run, Word::thoughtSignature, metadata.thought_signature());
    object.end(run, metadata, at);
}

/// Writes thoughts and their signatures.
fn write_reasoning(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted: _, issuer: _, scope: _, metadata } = reasoning;
    let mut object = run.begin();
    let text = text.filter(|text| !run.store.is_empty(*text));
    TEXT.put(run, &mut object, text, metadata);
    object.boolean(run, Word::thought, true);
    object.option(run, Word::thoughtSignature, *signature);
    object.end(run, metadata, *at);
}

fn write_call(run: &mut Run, call: &Call) {
    if partial::put(run, call) {
        return;
    }
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    object.object_with_rest(run, metadata, Word::functionCall, |run, inner| {
        ID.put(run, inner, *id, metadata);
        inner.put(run, Word::name, *name);
        arguments::put_as_object(run, inner, Word::args, call);
    });
    object.option(run, Word::thoughtSignature, metadata.thought_signature());
    object.end(run, metadata, *at);
}

fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind: _, source, media_type, name, metadata } = media;
    let (key, value_key) = match source {
        Source::Base64(_) => (Word::inlineData, Word::data),
        Source::Url(_) | Source::File(_) | Source::Text(_) => (Word::fileData, Word::fileUri),
    };
    // Google accepts data without a type, which the canonical format has
    let is_untyped = run.is_omitted(metadata, Word::mimeType) && matches!(source, Source::Base64(_));
    let mut object = run.begin();
    object.object_with_rest(run, metadata, key, |run, inner| {
        inner.option(run, Word::mimeType, media_type.filter(|_| !is_untyped));
        inner.put(run, value_key, media::source_value(*source));
        inner.option(run, Word::displayName, *name);
    });
    object.option(run, Word::thoughtSignature, metadata.thought_signature());
    object.end(run, metadata, *at);
}

pub fn result_part(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name, outcome, metadata } = result;
    let mut object = run.begin();
    object.key(run, Word::functionResponse);
    let mut inner = run.begin_inside(metadata, Word::functionResponse);
    ID.put(run, &mut inner, *id, metadata);
    inner.put(run, Word::name, *name);
    let is_void = match outcome {
        Outcome::Text(text) => run.store.is_empty(*text),
        Outcome::Multimodal { blocks, .. } => blocks.iter().all(|block| matches!(block, Block::Media(_))),
        Outcome::Error(_) | Outcome::Data { .. } => false,
    };
    if !(is_void && inner.form(run, metadata, Word::response).is_some()) {
        inner.key(run, Word::response);
        write_response(run, outcome, (metadata, *at))?;
    }
    write_result_media(run, &mut inner, multimodal_blocks(outcome));
    inner.add_nested(run, metadata, Word::functionResponse);
    inner.close(run);
    object.skip(run, Word::wireMessage);
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes the object that a result must be.
fn write_response(run: &mut Run, outcome: &Outcome, (metadata, at): (&Metadata, At)) -> Result<()> {
    let boxed = result_key(run);
    let (data, is_error) = match outcome {
        Outcome::Text(text) => {
            put_boxed(run, boxed, *text);
            return Ok(());
        }
        Outcome::Error(value) => (*value, true),
        Outcome::Data { value, is_error } => (*value, *is_error),
        Outcome::Multimodal { blocks, is_error } => {
            let contents: Vec<&Block> = blocks.iter().filter(|block| is_content(block)).collect();
            let data = match contents.as_slice() {
                [Block::Data { value, .. }] => *value,
                _ => {
                    let texts = outcome::texts(run, blocks)?;
                    run.store.join(&texts)
                }
            };
            (data, *is_error)
        }
    };
    let blocks = multimodal_blocks(outcome);
    let data = if refers_to_nothing(run, data, blocks) { run.data_text(data, at)? } else { data };
    match run.store.kind(data) {
        Kind::Object if !is_error || metadata.form(Word::error).is_none() && states_its_error(run, data) => {
            run.store.put(data)
        }
        _ => put_boxed(run, if is_error { Word::error } else { boxed }, data),
    }
    outcome::warn_losses(run, blocks);
    Ok(())
}

/// Whether a `$ref` in the data of a result names none of its media: Google looks for media with that `displayName` wherever there is a `$ref`, and
/// rejects a result without them. Such data are sent as text.
fn refers_to_nothing(run: &mut Run, data: Value, blocks: &[Block]) -> bool {
    if run.route.stays_in_family() || !run.store.mentions(data, &[Word::reference]) {
        return false;
    }
    let name = |block: &Block| match block {
        Block::Media(media) => media.name,
        _ => None,
    };
    let names: Vec<Value> = blocks.iter().filter_map(name).collect();
    has_reference(run, data, &names)
}

fn has_reference(run: &mut Run, value: Value, names: &[Value]) -> bool {
    match run.store.kind(value) {
        Kind::Object => run.members(value).into_iter().any(|field| {
            let is_known = names.iter().any(|name| run.store.same(*name, field.value));
            field.word == Word::reference && !is_known || has_reference(run, field.value, names)
        }),
        Kind::Array => run.list(value).into_iter().any(|item| has_reference(run, item, names)),
        _ => false,
    }
}

fn multimodal_blocks(outcome: &Outcome) -> &[Block] {
    match outcome {
        Outcome::Multimodal { blocks, .. } => blocks,
        Outcome::Text(_) | Outcome::Error(_) | Outcome::Data { .. } => &[],
    }
}

fn is_content(block: &Block) -> bool {
    matches!(block, Block::Text { .. } | Block::Refusal { .. } | Block::Data { .. })
}

fn put_boxed(run: &mut Run, key: Word, value: Value) {
    run.store.begin_object();
    run.store.key(key);
    run.store.put(value);
    run.store.end_object();
}

fn write_result_media(run: &mut Run, inner: &mut Writing, blocks: &[Block]) {
    let mut media = blocks.iter().filter(|block| matches!(block, Block::Media(_))).peekable();
    if media.peek().is_none() {
        return;
    }
    inner.each(run, Word::parts, media, write_block);
}
