//! Writes content blocks (WIRE §3.3, §3.4, §3.9).

use super::adopted;
use super::blocks::{IS_ERROR, RESULT_CONTENT, search_text};
use crate::dialect::shared::media::source_words;
use crate::dialect::shared::{arguments, outcome};
use crate::fit::{media, native};
use crate::model::{Assistant, Block, Call, Content, Media, MediaKind, Metadata, Reasoning, Source, ToolResult};
use crate::run::{At, Result, Run};
use crate::value::{Value, Word};

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
        Block::Media(media) => write_media(run, media),
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) => native::put(run, native),
        Block::Call(call) => write_call(run, call),
        Block::Refusal { .. } | Block::Data { .. } => {}
    }
}

fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    let found = metadata.form(Word::search_result);
    let found_text = found.and_then(|found| search_text(run, found));
    if found_text.is_some_and(|found_text| run.store.same(found_text, text)) {
        object.word(run, Word::r#type, Word::search_result);
        object.add_rest(run, found);
        return object.end(run, metadata, at);
    }
    object.word(run, Word::r#type, Word::text);
    object.put(run, Word::text, text);
    adopted::end(run, object, metadata, at);
}

fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type, name, metadata } = media;
    let mut object = run.begin();
    object.word(run, Word::r#type, if *kind == MediaKind::Image { Word::image } else { Word::document });
    object.object_with_rest(run, metadata, Word::source, |run, inner| {
        let (tag, key, value) = source_words(*source, Word::file_id);
        inner.word(run, Word::r#type, tag);
        let usual = match (source, kind) {
            (Source::Base64(_), MediaKind::Image) => Some("image/png"),
            (Source::Base64(_), _) => Some("application/pdf"),
            (Source::Text(_), _) => Some("text/plain"),
            (Source::Url(_) | Source::File(_), _) => None,
        };
        if let Some(usual) = usual {
            let media_type = media_type.unwrap_or_else(|| run.store.string(usual));
            inner.put(run, Word::media_type, media_type);
        }
        inner.put(run, key, value);
    });
    match kind {
        MediaKind::Document => object.option(run, Word::title, *name),
        MediaKind::Image | MediaKind::Audio | MediaKind::Video => media::warn_name(run, media),
    }
    object.skip(run, Word::source);
    adopted::end(run, object, metadata, *at);
}

/// Writes thinking unmodified, with Anthropic's signature (Q197–Q200). Compatible servers that do not sign require it back as they sent it (Q207). What is
/// shown of other issuers has an empty signature, as the client's types require one.
fn write_reasoning(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = reasoning;
    let empty = run.store.string("");
    let mut object = run.begin();
    match redacted {
        Some(redacted) => {
            object.word(run, Word::r#type, Word::redacted_thinking);
            object.put(run, Word::data, *redacted);
        }
        None => {
            object.word(run, Word::r#type, Word::thinking);
            if text.is_some() || metadata.form(Word::thinking).is_none() {
                object.put(run, Word::thinking, text.unwrap_or(empty));
            }
            let is_required = run.route.is_response && metadata.form(Word::signature).is_none();
            object.option(run, Word::signature, signature.or_else(|| is_required.then_some(empty)));
        }
    }
    object.end(run, metadata, *at);
}

fn write_call(run: &mut Run, call: &Call) {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::tool_use);
    object.put(run, Word::id, *id);
    object.put(run, Word::name, *name);
    arguments::put_as_object(run, &mut object, Word::input, call);
    adopted::end(run, object, metadata, *at);
}

pub fn result_block(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name: _, outcome, metadata } = result;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::tool_result);
    object.put(run, Word::tool_use_id, *id);
    outcome::put(run, &mut object, &RESULT_CONTENT, (result, true), write_block)?;
    IS_ERROR.put_flag(run, &mut object, Some(outcome.is_error()), metadata);
    object.skip(run, Word::wireMessage);
    adopted::end(run, object, metadata, *at);
    Ok(())
}
