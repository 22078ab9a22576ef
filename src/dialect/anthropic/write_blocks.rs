//! Writes content blocks (WIRE §3.3, §3.4, §3.9).

use super::blocks::search_text;
use super::{adopted, thinking};
use crate::dialect::shared::{arguments, outcome};
use crate::fit::media::{self, By, Takes};
use crate::model::{
    Assistant, Block, Call, Content, Media, MediaKind, Message, Metadata, Outcome, Reasoning, Source, ToolResult,
};
use crate::run::{At, Dialect, Provider, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// What contains the blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Assistant,
    /// A user message, or a result.
    User,
    /// An error result, which accepts text only.
    Error,
}

pub fn user_blocks(run: &mut Run, content: &Content) -> Result<()> {
    match content {
        Content::Text(text, at) => write_text(run, *text, &Metadata::default(), *at),
        Content::Blocks(blocks) => write_blocks(run, blocks, Place::User)?,
    }
    Ok(())
}

pub fn assistant_blocks(run: &mut Run, assistant: &Assistant) -> Result<()> {
    match &assistant.content {
        Content::Text(text, _) if run.store.is_empty(*text) => {}
        Content::Text(text, at) => write_text(run, *text, &Metadata::default(), *at),
        Content::Blocks(blocks) => write_blocks(run, blocks, Place::Assistant)?,
    }
    for call in &assistant.calls {
        write_call(run, call);
    }
    Ok(())
}

fn write_blocks(run: &mut Run, blocks: &[Block], place: Place) -> Result<()> {
    let is_said = |run: &Run, block: &Block| matches!(block, Block::Text { text, .. } if !run.is_blank(*text));
    let says_something = blocks.iter().any(|block| is_said(run, block));
    for block in blocks {
        match block {
            Block::Text { at, text, metadata } if says_something && !run.store.is_empty(*text) => {
                put_text(run, *text, metadata, *at)
            }
            block => write_block(run, block, place)?,
        }
    }
    Ok(())
}

pub fn write_block(run: &mut Run, block: &Block, place: Place) -> Result<()> {
    match block {
        Block::Text { at, text, metadata } => write_text(run, *text, metadata, *at),
        Block::Refusal { at, text, metadata } => {
            run.warn(WarningCode::RefusalAsText, *at, "the target has no refusal block");
            write_text(run, *text, metadata, *at);
        }
        Block::Data { at, value, metadata } => {
            let text = run.data_text(*value, *at)?;
            write_text(run, text, metadata, *at);
        }
        Block::Media(_) if place == Place::Error => {}
        Block::Media(media) if place == Place::Assistant && run.from != Dialect::Anthropic => {
            run.warn(WarningCode::MediaDropped, media.at, "assistant messages of the target can't contain media");
        }
        Block::Media(media) => {
            if let Some(media) = fit(run, media) {
                write_media(run, &media);
            }
        }
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) if native.provider == Provider::Anthropic && place != Place::Error => {
            run.put_native(native);
        }
        Block::Native(native) => run.warn_native_block(native.at),
        Block::Call(call) => write_call(run, call),
    }
    Ok(())
}

/// Text blocks must not be empty, and not all of them may be blank (Q69, Q106, Q217).
fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let is_refused = if run.is_response { run.store.is_empty(text) } else { run.is_blank(text) };
    if is_refused && run.from != run.to {
        run.warn(WarningCode::EmptyDropped, at, "the target does not accept an empty text block");
        run.warn_metadata(metadata, at);
        return;
    }
    put_text(run, text, metadata, at);
}

fn put_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    let found = metadata.form(Word::search_result);
    let said = found.and_then(|found| search_text(run, found));
    if said.is_some_and(|said| run.store.same(said, text)) {
        object.word(run, Word::r#type, Word::search_result);
        object.add_rest(run, found);
        return object.end(run, metadata, at);
    }
    object.word(run, Word::r#type, Word::text);
    object.put(run, Word::text, text);
    if run.fills_types && metadata.family_field(Word::citations).is_none() {
        object.null(run, Word::citations);
    }
    let metadata = adopted::cache_control(run, &mut object, metadata);
    object.end(run, &metadata, at);
}

const IMAGES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The media that messages and results accept (WIRE §3.9).
const TAKES: Takes = Takes {
    rows: &[
        (MediaKind::Image, By::Base64, IMAGES),
        (MediaKind::Image, By::WebUrl, IMAGES),
        (MediaKind::Image, By::File, &[]),
        (MediaKind::Document, By::Base64, &["application/pdf"]),
        (MediaKind::Document, By::WebUrl, &["application/pdf"]),
        (MediaKind::Document, By::File, &[]),
        (MediaKind::Document, By::Text, &[]),
    ],
    types_urls: false,
};

fn fit(run: &mut Run, media: &Media) -> Option<Media> {
    media::fit(run, media, &TAKES)
}

/// Writes media in a form that is accepted.
fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type, name, metadata } = media;
    let mut object = run.begin();
    object.word(run, Word::r#type, if *kind == MediaKind::Image { Word::image } else { Word::document });
    object.key(run, Word::source);
    let mut inner = run.begin();
    match source {
        Source::Base64(data) => {
            inner.word(run, Word::r#type, Word::base64);
            let usual = if *kind == MediaKind::Image { "image/png" } else { "application/pdf" };
            put_media_type(run, &mut inner, *media_type, usual);
            inner.put(run, Word::data, *data);
        }
        Source::Text(data) => {
            inner.word(run, Word::r#type, Word::text);
            put_media_type(run, &mut inner, *media_type, "text/plain");
            inner.put(run, Word::data, *data);
        }
        Source::Url(url) => {
            inner.word(run, Word::r#type, Word::url);
            inner.put(run, Word::url, *url);
        }
        Source::File(id) => {
            inner.word(run, Word::r#type, Word::file);
            inner.put(run, Word::file_id, *id);
        }
    }
    inner.add_nested(run, metadata, Word::source);
    inner.close(run);
    match kind {
        MediaKind::Document => object.option(run, Word::title, *name),
        MediaKind::Image | MediaKind::Audio | MediaKind::Video => media::warn_name(run, media),
    }
    object.skip(run, Word::source);
    let metadata = adopted::cache_control(run, &mut object, metadata);
    object.end(run, &metadata, *at);
}

fn put_media_type(run: &mut Run, inner: &mut Writing, media_type: Option<Value>, usual: &str) {
    match media_type {
        Some(media_type) => inner.put(run, Word::media_type, media_type),
        None => inner.text(run, Word::media_type, usual),
    }
}

/// Writes thinking unmodified, with Anthropic's signature (Q197–Q200). Compatible servers that do not sign require it back as they sent it (Q207).
pub fn write_reasoning(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = reasoning;
    if thinking::is_carried(run, reasoning) {
        return write_carried(run, reasoning);
    }
    if !thinking::is_sent(reasoning) {
        run.warn_reasoning(reasoning);
        return;
    }
    let mut object = run.begin();
    match redacted {
        Some(redacted) => {
            object.word(run, Word::r#type, Word::redacted_thinking);
            object.put(run, Word::data, *redacted);
        }
        None => {
            object.word(run, Word::r#type, Word::thinking);
            match text {
                Some(text) => object.put(run, Word::thinking, *text),
                None => object.text(run, Word::thinking, ""),
            }
            object.option(run, Word::signature, *signature);
        }
    }
    object.end(run, metadata, *at);
}

/// Unsigned thinking: the client's types require a signature, so it gets an empty one.
fn write_carried(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = reasoning;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::thinking);
    object.option(run, Word::thinking, *text);
    object.text(run, Word::signature, "");
    object.close(run);
    run.warn_reasoning_end(*at, (*signature, *redacted), metadata);
}

fn write_call(run: &mut Run, call: &Call) {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::tool_use);
    object.put(run, Word::id, *id);
    object.put(run, Word::name, *name);
    match arguments::empty_form(run, call, Word::input) {
        Some(form) if run.store.word(form) == Word::omitted => object.skip(run, Word::input),
        Some(form) => object.put(run, Word::input, form),
        None => {
            object.key(run, Word::input);
            arguments::put_object(run, call);
        }
    }
    if run.fills_types && metadata.own_field(Word::caller).is_none() {
        object.key(run, Word::caller);
        let mut caller = run.begin();
        caller.word(run, Word::r#type, Word::direct);
        caller.close(run);
    }
    let metadata = adopted::cache_control(run, &mut object, metadata);
    object.end(run, &metadata, *at);
}

pub fn result_block(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name: _, outcome, metadata } = result;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::tool_result);
    object.put(run, Word::tool_use_id, *id);
    let is_error = match outcome {
        Outcome::Text(text) | Outcome::Error(text) => {
            let form = metadata.form(Word::content).filter(|_| run.store.is_empty(*text));
            let is_error = matches!(outcome, Outcome::Error(_));
            match form {
                Some(form) if run.store.word(form) == Word::omitted => object.skip(run, Word::content),
                Some(form) => object.put(run, Word::content, form),
                None if is_error && run.from != run.to && run.store.is_empty(*text) => {
                    let text = error_word(run, *at);
                    object.put(run, Word::content, text);
                }
                // the result was empty (WIRE §3.4)
                None if run.store.is_empty(*text) => object.skip(run, Word::content),
                None => object.put(run, Word::content, *text),
            }
            is_error
        }
        Outcome::Data { value, is_error } => {
            object.key(run, Word::content);
            run.put_data_text(*value, *at)?;
            *is_error
        }
        Outcome::Multimodal { blocks, is_error } => {
            object.key(run, Word::content);
            run.store.begin_array();
            let place = if *is_error && run.from != run.to { Place::Error } else { Place::User };
            write_blocks(run, blocks, place)?;
            if place == Place::Error && !blocks.iter().any(|block| speaks(run, block)) {
                let text = error_word(run, *at);
                put_text(run, text, &Metadata::default(), *at);
            }
            run.store.end_array();
            *is_error
        }
    };
    if is_error {
        object.boolean(run, Word::is_error, true);
    } else if metadata.form(Word::is_error).is_some() {
        object.boolean(run, Word::is_error, false);
    }
    object.skip(run, Word::wireMessage);
    let metadata = adopted::cache_control(run, &mut object, metadata);
    object.end(run, &metadata, *at);
    Ok(())
}

fn speaks(run: &Run, block: &Block) -> bool {
    match block {
        Block::Text { text, .. } | Block::Refusal { text, .. } => !run.is_blank(*text),
        Block::Data { .. } => true,
        Block::Media(_) | Block::Native(_) | Block::Reasoning(_) | Block::Call(_) => false,
    }
}

/// The text of an error result without content, which the API rejects.
fn error_word(run: &mut Run, at: At) -> Value {
    run.warn(WarningCode::DefaultUsed, at, "an error result must contain text");
    run.store.string("Error")
}

/// Writes media of error results, which can't contain them, after all results of the turn (Q93).
pub fn error_media(run: &mut Run, turn: &[Message]) {
    for message in turn {
        if let Message::Tool(result) = message
            && let Outcome::Multimodal { blocks, is_error: true } = &result.outcome
            && run.from != run.to
        {
            let moved = outcome::moved_media(run, blocks, fit);
            outcome::write_moved(run, result, &moved, put_text, write_media);
        }
    }
}
