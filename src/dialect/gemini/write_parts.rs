//! Writes parts (WIRE §4.3, §4.4, §4.9).

use super::partial;
use crate::dialect::shared::{arguments, outcome};
use crate::fit::data_url;
use crate::fit::media::{self, By, Takes};
use crate::model::{
    Assistant, Block, Call, Content, MADE_ID, Media, MediaKind, Metadata, Outcome, Reasoning, Source, ToolResult,
};
use crate::run::{At, GeminiResultKey, Provider, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// The message whose parts are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PartsOf {
    User,
    Model,
}

pub fn user_parts(run: &mut Run, content: &Content, of: PartsOf) -> Result<()> {
    match content {
        Content::Text(text, at) => write_text(run, *text, &Metadata::default(), *at),
        Content::Blocks(blocks) => {
            for block in blocks {
                write_block(run, block, of)?;
            }
        }
    }
    Ok(())
}

pub fn assistant_parts(run: &mut Run, assistant: &Assistant) -> Result<()> {
    match &assistant.content {
        // a message that only has calls has no text part
        Content::Text(text, _) if run.store.is_empty(*text) && !assistant.calls.is_empty() => {}
        content => user_parts(run, content, PartsOf::Model)?,
    }
    for call in &assistant.calls {
        write_call(run, call);
    }
    Ok(())
}

pub fn write_block(run: &mut Run, block: &Block, of: PartsOf) -> Result<()> {
    match block {
        Block::Text { at, text, metadata } => write_text(run, *text, metadata, *at),
        Block::Refusal { at, text, metadata } => {
            run.warn(WarningCode::RefusalAsText, *at, "the target has no refusal part");
            write_text(run, *text, metadata, *at);
        }
        Block::Data { at, value, metadata } => {
            let text = run.data_text(*value, *at)?;
            write_text(run, text, metadata, *at);
        }
        Block::Media(media) => write_media(run, media),
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) if native.provider == Provider::Google => run.put_native(native),
        Block::Native(native) => run.warn_native_block(native.at),
        Block::Call(call) if of == PartsOf::Model => write_call(run, call),
        Block::Call(_) => {}
    }
    Ok(())
}

/// Writes a text. An empty text is left out, unless it carries a signature or is in the input.
fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let signature = metadata.thought_signature();
    let kept = run.is_response || signature.is_some() || metadata.form(Word::text).is_some();
    if run.store.is_empty(text) && !kept {
        run.warn(WarningCode::EmptyDropped, at, "an empty text part was left out");
        run.warn_metadata(metadata, at);
        return;
    }
    let mut object = run.begin();
    object.put(run, Word::text, text);
    object.option(run, Word::thought, metadata.form(Word::thought).filter(|form| !run.store.boolean(*form)));
    object.option(run, Word::thoughtSignature, signature);
    object.end(run, metadata, at);
}

/// Writes thoughts and their signatures, which only Google understands (Q200).
fn write_reasoning(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted, issuer, scope: _, metadata } = reasoning;
    let is_void = redacted.is_some() && text.is_none() && signature.is_none();
    if *issuer != Provider::Google || is_void {
        run.warn_reasoning(reasoning);
        return;
    }
    let mut object = run.begin();
    match text {
        Some(text) => object.put(run, Word::text, *text),
        None => object.text(run, Word::text, ""),
    }
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
    object.key(run, Word::functionCall);
    let mut inner = run.begin();
    put_id(run, &mut inner, *id);
    inner.put(run, Word::name, *name);
    match arguments::empty_form(run, call, Word::args).filter(|form| run.store.kind(*form) != Kind::Array) {
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) => inner.put(run, Word::args, form),
        None => {
            inner.key(run, Word::args);
            arguments::put_object(run, call);
        }
    }
    inner.add_nested(run, metadata, Word::functionCall);
    inner.close(run);
    object.option(run, Word::thoughtSignature, metadata.thought_signature());
    object.end(run, metadata, *at);
}

/// Writes an id, unless it was generated here (Q175).
fn put_id(run: &mut Run, object: &mut Writing, id: Value) {
    let text = run.store.text(id);
    if !text.is_empty() && !text.starts_with(MADE_ID) {
        object.put(run, Word::id, id);
    }
}

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/// The media that contents accept (WIRE §4.9).
const TAKES: Takes = Takes {
    rows: &[
        (MediaKind::Image, By::Base64, IMAGES),
        (MediaKind::Image, By::Uri, IMAGES),
        (MediaKind::Audio, By::Base64, &[]),
        (MediaKind::Audio, By::Uri, &[]),
        (MediaKind::Video, By::Base64, &[]),
        (MediaKind::Video, By::Uri, &[]),
        (MediaKind::Document, By::Base64, &[]),
        (MediaKind::Document, By::Uri, &[]),
    ],
    types_urls: true,
};

pub fn write_media(run: &mut Run, media: &Media) {
    if let Some(media) = media::fit(run, media, &TAKES) {
        put_media(run, &media);
    }
}

/// Writes fitted media.
fn put_media(run: &mut Run, media: &Media) {
    let Media { at, kind: _, source, media_type, name, metadata } = media;
    let (key, value_key) = match source {
        Source::Base64(_) => (Word::inlineData, Word::data),
        Source::Url(_) | Source::File(_) | Source::Text(_) => (Word::fileData, Word::fileUri),
    };
    let mut object = run.begin();
    object.key(run, key);
    let mut inner = run.begin();
    inner.option(run, Word::mimeType, *media_type);
    inner.put(run, value_key, media::source_value(*source));
    inner.option(run, Word::displayName, *name);
    inner.add_nested(run, metadata, key);
    inner.close(run);
    object.option(run, Word::thoughtSignature, metadata.thought_signature());
    object.end(run, metadata, *at);
}

pub fn result_part(run: &mut Run, result: &ToolResult, media_in_results: bool) -> Result<()> {
    let ToolResult { at, id, name, outcome, metadata } = result;
    let mut object = run.begin();
    object.key(run, Word::functionResponse);
    let mut inner = run.begin();
    if !run.is_omitted(metadata, Word::id) {
        put_id(run, &mut inner, *id);
    }
    inner.put(run, Word::name, *name);
    let omitted = run.is_omitted(metadata, Word::response);
    let is_void = matches!(outcome, Outcome::Text(text) if run.store.is_empty(*text));
    if !(omitted && is_void) {
        inner.key(run, Word::response);
        write_response(run, outcome, *at)?;
    }
    if let Outcome::Multimodal { blocks, .. } = outcome {
        write_result_media(run, &mut inner, blocks, media_in_results)?;
    }
    inner.add_nested(run, metadata, Word::functionResponse);
    inner.close(run);
    object.skip(run, Word::wireMessage);
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes the object that a result must be.
fn write_response(run: &mut Run, outcome: &Outcome, at: At) -> Result<()> {
    let boxed = match run.options.gemini_result_key {
        GeminiResultKey::Output => Word::output,
        GeminiResultKey::Result => Word::result,
    };
    let (data, is_error) = match outcome {
        Outcome::Text(text) => {
            put_boxed(run, boxed, *text);
            return Ok(());
        }
        Outcome::Error(value) => (*value, true),
        Outcome::Data { value, is_error } => (*value, *is_error),
        Outcome::Multimodal { blocks, is_error } => {
            let said: Vec<&Block> = blocks.iter().filter(|block| is_said(block)).collect();
            let data = match said.as_slice() {
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
    let data = if refers_to_nothing(run, data, blocks)? { run.data_text(data, at)? } else { data };
    match run.store.kind(data) {
        Kind::Object if !is_error => run.store.put(data),
        _ => put_boxed(run, if is_error { Word::error } else { boxed }, data),
    }
    outcome::warn_losses(run, blocks);
    Ok(())
}

/// Whether a `$ref` in the data of a result names none of its media: Google looks for media with that `displayName` wherever there is a `$ref`, and
/// rejects a result without them. Such data are sent as text.
fn refers_to_nothing(run: &mut Run, data: Value, blocks: &[Block]) -> Result<bool> {
    if run.from.provider() == Some(Provider::Google) || !matches!(run.store.kind(data), Kind::Object | Kind::Array) {
        return Ok(false);
    }
    let json = run.export(data)?;
    let is_reference = |at: usize| json.get(at..).is_some_and(|rest| rest.starts_with(b"$ref"));
    if !memchr::memchr_iter(b'$', &json).any(is_reference) {
        return Ok(false);
    }
    let names: Vec<Value> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Media(media) => media.name,
            _ => None,
        })
        .collect();
    Ok(has_reference(run, data, &names))
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

fn is_said(block: &Block) -> bool {
    matches!(block, Block::Text { .. } | Block::Refusal { .. } | Block::Data { .. })
}

fn put_boxed(run: &mut Run, key: Word, value: Value) {
    run.store.begin_object();
    run.store.key(key);
    run.store.put(value);
    run.store.end_object();
}

fn write_result_media(run: &mut Run, inner: &mut Writing, blocks: &[Block], media_in_results: bool) -> Result<()> {
    let mut inside = Vec::new();
    for media in blocks.iter().filter_map(as_media) {
        if stays_inside(run, media, media_in_results) {
            inside.extend(media::fit(run, media, &TAKES));
        }
    }
    if inside.is_empty() {
        return Ok(());
    }
    inner.key(run, Word::parts);
    run.store.begin_array();
    for media in &inside {
        put_media(run, media);
    }
    run.store.end_array();
    Ok(())
}

fn as_media(block: &Block) -> Option<&Media> {
    match block {
        Block::Media(media) => Some(media),
        _ => None,
    }
}

/// Since Gemini 3, results may contain media, but only as bytes (WIRE §13). Media that were inside a result stay there.
fn stays_inside(run: &mut Run, media: &Media, media_in_results: bool) -> bool {
    let is_address = match media.source {
        Source::Url(url) => data_url::read(run, url).is_none() && media.metadata.form(Word::parts).is_none(),
        Source::Base64(_) | Source::File(_) | Source::Text(_) => false,
    };
    media_in_results && !is_address
}

/// Writes the media of a result that must be beside it (Q93).
pub fn sibling_media(run: &mut Run, result: &ToolResult, media_in_results: bool) {
    for media in multimodal_blocks(&result.outcome).iter().filter_map(as_media) {
        if stays_inside(run, media, media_in_results) {
            continue;
        }
        if let Some(fitting) = media::fit(run, media, &TAKES) {
            run.warn(WarningCode::MediaMoved, media.at, "results can't contain such media: it is sent next to them");
            put_media(run, &fitting);
        }
    }
}
