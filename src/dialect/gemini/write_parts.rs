//! Writing parts (WIRE §4.3, §4.4, §4.9).

use super::{MADE_ID, partial};
use crate::dialect::shared::{arguments, base64, outcome};
use crate::model::{
    Assistant, Block, Call, Content, Media, MediaKind, Metadata, Outcome, Reasoning, Source, ToolResult,
};
use crate::run::{At, GeminiResultKey, Provider, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// Whose parts are written.
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
        // what only calls say nothing
        Content::Text(text, _) if run.store.is_empty(*text) && !assistant.calls.is_empty() => {}
        content => user_parts(run, content, PartsOf::Model)?,
    }
    for call in &assistant.calls {
        write_call(run, call);
    }
    Ok(())
}

fn write_block(run: &mut Run, block: &Block, of: PartsOf) -> Result<()> {
    match block {
        Block::Text { at, text, metadata } => write_text(run, *text, metadata, *at),
        Block::Refusal { at, text, metadata } => {
            run.warn(WarningCode::RefusalAsText, *at, "the target has no refusal part");
            write_text(run, *text, metadata, *at);
        }
        Block::Data { at, value, metadata } => {
            let text = run.json_text(*value, *at)?;
            write_text(run, text, metadata, *at);
        }
        Block::Media(media) => write_media(run, media),
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) if native.provider == Provider::Google => run.store.put(native.value),
        Block::Native(native) => run.warn_native_block(native.at),
        Block::Call(call) if of == PartsOf::Model => write_call(run, call),
        Block::Call(_) => {}
    }
    Ok(())
}

/// An empty text says nothing, unless it carries a signature or came so.
fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let signature = metadata.thought_signature();
    let kept = run.is_answer || signature.is_some() || metadata.form(Word::text).is_some();
    if run.store.is_empty(text) && !kept {
        run.warn(WarningCode::EmptyDropped, at, "an empty text part is left out");
        return;
    }
    let mut object = run.begin();
    object.put(run, Word::text, text);
    if metadata.form(Word::thought).is_some() {
        object.boolean(run, Word::thought, false);
    }
    object.option(run, Word::thoughtSignature, signature);
    object.end(run, metadata, at);
}

/// Thoughts and their signatures are Google's own (Q200).
fn write_reasoning(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted: _, issuer, scope: _, metadata } = reasoning;
    if *issuer != Provider::Google {
        run.warn_reasoning(*at);
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

/// Ids that Gemini never gave are left out (Q175).
fn put_id(run: &mut Run, object: &mut Writing, id: Value) {
    let text = run.store.text(id);
    if !text.is_empty() && !text.starts_with(MADE_ID) {
        object.put(run, Word::id, id);
    }
}

pub fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type, name, metadata } = media;
    let key = match source {
        Source::Base64(_) | Source::Text(_) => Word::inlineData,
        Source::Url(_) => Word::fileData,
        Source::File(_) => {
            run.warn(WarningCode::MediaDropped, *at, "file ids are known to their provider only");
            return;
        }
    };
    let mut object = run.begin();
    object.key(run, key);
    let mut inner = run.begin();
    match (media_type, source) {
        (Some(media_type), _) => inner.put(run, Word::mimeType, *media_type),
        (None, _) if metadata.form(Word::mimeType).is_some() => {}
        (None, Source::Url(url)) => {
            let media_type = type_of_url(&run.store.text(*url)).unwrap_or(usual_type(*kind));
            inner.text(run, Word::mimeType, media_type);
        }
        (None, Source::Text(_)) => inner.text(run, Word::mimeType, "text/plain"),
        (None, _) => inner.text(run, Word::mimeType, usual_type(*kind)),
    }
    match source {
        Source::Base64(data) => inner.put(run, Word::data, *data),
        Source::Text(text) => {
            let encoded = base64::encode(run.store.text(*text).as_bytes());
            inner.text(run, Word::data, &encoded);
        }
        Source::Url(url) | Source::File(url) => inner.put(run, Word::fileUri, *url),
    }
    inner.option(run, Word::displayName, *name);
    inner.add_nested(run, metadata, key);
    inner.close(run);
    object.option(run, Word::thoughtSignature, metadata.thought_signature());
    object.end(run, metadata, *at);
}

/// The media type that the file name in a URL tells: Google demands one (Q186).
fn type_of_url(url: &str) -> Option<&'static str> {
    const TYPES: [(&str, &str); 10] = [
        (".png", "image/png"),
        (".jpg", "image/jpeg"),
        (".jpeg", "image/jpeg"),
        (".gif", "image/gif"),
        (".webp", "image/webp"),
        (".pdf", "application/pdf"),
        (".mp4", "video/mp4"),
        (".mp3", "audio/mpeg"),
        (".wav", "audio/wav"),
        (".txt", "text/plain"),
    ];
    let path = url.split(['?', '#']).next().unwrap_or(url).to_ascii_lowercase();
    TYPES.iter().find(|(extension, _)| path.ends_with(extension)).map(|(_, media_type)| *media_type)
}

fn usual_type(kind: MediaKind) -> &'static str {
    match kind {
        MediaKind::Image => "image/png",
        MediaKind::Audio => "audio/wav",
        MediaKind::Video => "video/mp4",
        MediaKind::Document => "application/pdf",
    }
}

pub fn result_part(run: &mut Run, result: &ToolResult, media_in_results: bool) -> Result<()> {
    let ToolResult { at, id, name, outcome, metadata } = result;
    let mut object = run.begin();
    object.key(run, Word::functionResponse);
    let mut inner = run.begin();
    if metadata.form(Word::id).is_none_or(|form| run.store.word(form) != Word::omitted) {
        put_id(run, &mut inner, *id);
    }
    inner.put(run, Word::name, *name);
    let omitted = metadata.form(Word::response).is_some_and(|form| run.store.word(form) == Word::omitted);
    let says_nothing = matches!(outcome, Outcome::Text(text) if run.store.is_empty(*text));
    if !(omitted && says_nothing) {
        inner.key(run, Word::response);
        write_response(run, outcome)?;
    }
    if let Outcome::Multimodal { blocks, .. } = outcome {
        write_result_media(run, &mut inner, blocks, media_in_results)?;
    }
    inner.add_nested(run, metadata, Word::functionResponse);
    inner.close(run);
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes the object that a result must be.
fn write_response(run: &mut Run, outcome: &Outcome) -> Result<()> {
    let boxed = match run.options.gemini_result_key {
        GeminiResultKey::Output => Word::output,
        GeminiResultKey::Result => Word::result,
    };
    match outcome {
        Outcome::Text(text) => put_boxed(run, boxed, *text),
        Outcome::Error(value) | Outcome::Data { value, is_error: true } => put_boxed(run, Word::error, *value),
        Outcome::Data { value, is_error: false } if run.store.kind(*value) == Kind::Object => run.store.put(*value),
        Outcome::Data { value, is_error: false } => put_boxed(run, boxed, *value),
        Outcome::Multimodal { blocks, is_error } => {
            let said: Vec<&Block> = blocks.iter().filter(|block| is_said(block)).collect();
            match said.as_slice() {
                [Block::Data { value, .. }] if *is_error => put_boxed(run, Word::error, *value),
                [Block::Data { value, .. }] if run.store.kind(*value) == Kind::Object => run.store.put(*value),
                [Block::Data { value, .. }] => put_boxed(run, boxed, *value),
                _ => {
                    let texts = outcome::texts(run, blocks)?;
                    let joined = run.store.join(&texts);
                    put_boxed(run, if *is_error { Word::error } else { boxed }, joined);
                }
            }
        }
    }
    for block in multimodal_blocks(outcome) {
        match block {
            Block::Native(native) => run.warn_native_block(native.at),
            Block::Reasoning(reasoning) => run.warn_reasoning(reasoning.at),
            Block::Text { at: block_at, metadata, .. }
            | Block::Refusal { at: block_at, metadata, .. }
            | Block::Data { at: block_at, metadata, .. } => {
                if !run.keeps_family() {
                    run.warn_metadata(metadata, *block_at);
                }
            }
            Block::Media(_) | Block::Call(_) => {}
        }
    }
    Ok(())
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

fn write_result_media(
    run: &mut Run,
    inner: &mut Writing,
    blocks: &[Block],
    media_in_results: bool,
) -> Result<()> {
    if !media_in_results || !blocks.iter().any(|block| matches!(block, Block::Media(_))) {
        return Ok(());
    }
    inner.key(run, Word::parts);
    run.store.begin_array();
    for block in blocks {
        if let Block::Media(media) = block {
            write_media(run, media);
        }
    }
    run.store.end_array();
    Ok(())
}

/// Media of a result beside it, for models before Gemini 3 (Q93).
pub fn sibling_media(run: &mut Run, result: &ToolResult) -> Result<()> {
    for block in multimodal_blocks(&result.outcome) {
        if let Block::Media(media) = block {
            run.warn(WarningCode::MediaMoved, media.at, "this model takes media beside results only");
            write_media(run, media);
        }
    }
    Ok(())
}
