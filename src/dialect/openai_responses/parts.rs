//! Reads content parts (WIRE §2.9).

use super::items::{self, Level};
use crate::dialect::shared::media;
use crate::dialect::shared::openai_items::read_audio;
use crate::model::{Block, Media, MediaKind, Metadata, Source};
use crate::run::{At, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

/// What parts are in. Images have `detail`, apart from those in a tool's output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Within {
    Assistant,
    /// A message of the user or the system.
    Message,
    Output,
}

pub fn read_parts(run: &mut Run, value: Value, at: At, holder: Within) -> Result<Vec<Block>> {
    run.elements(value, at)?.map(|(part, at)| read_part(run, part, at, holder)).collect()
}

fn read_part(run: &mut Run, value: Value, at: At, holder: Within) -> Result<Block> {
    let kind = run.type_of(value);
    if !matches!(kind, Word::input_text | Word::input_image | Word::input_file | Word::input_audio) {
        return read_unknown(run, value, at);
    }
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    match kind {
        Word::input_image => read_image(run, reading, holder),
        Word::input_file => read_file(run, reading),
        // in OpenAI's description, but in no message of this format; kept for formats with audio
        Word::input_audio => read_audio(run, reading, |_| true),
        _ => {
            let text = reading.require_string(run, Word::text)?;
            Ok(Block::Text { at, text, metadata: reading.rest() })
        }
    }
}

/// A part that only OpenAI understands.
pub fn read_unknown(run: &mut Run, value: Value, at: At) -> Result<Block> {
    run.plain_object(value, at)?;
    Ok(items::native(run, Level::Part, value, at))
}

fn read_image(run: &mut Run, mut reading: Reading, holder: Within) -> Result<Block> {
    let at = reading.at();
    let mut forms = Metadata::default();
    let url = reading.string(run, Word::image_url)?;
    let (source, media_type) = match url {
        Some(url) => media::of_url(run, url, &mut forms),
        None => (Source::File(reading.require_string(run, Word::file_id)?), None),
    };
    take_usual_detail(run, &mut reading, holder, &mut forms);
    let mut metadata = reading.rest();
    metadata.append(forms);
    Ok(Block::Media(Media { at, kind: MediaKind::Image, source, media_type, name: None, metadata }))
}

/// In messages `detail` is required, and usually `auto`.
fn take_usual_detail(run: &mut Run, reading: &mut Reading, holder: Within, forms: &mut Metadata) {
    if holder == Within::Output {
        return;
    }
    match reading.peek(Word::detail) {
        Some(detail) if run.store.word(detail) == Word::auto => {
            reading.take_any(Word::detail);
        }
        Some(_) => {}
        None => forms.add_form(Word::detail, run.store.word_value(Word::omitted)),
    }
}

fn read_file(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let at = reading.at();
    let name = reading.string(run, Word::filename)?;
    let mut forms = Metadata::default();
    let (source, media_type) = if let Some(id) = reading.string(run, Word::file_id)? {
        (Source::File(id), None)
    } else if let Some(url) = reading.string(run, Word::file_url)? {
        (Source::Url(url), None)
    } else {
        let data = reading.require_string(run, Word::file_data)?;
        media::of_file_data(run, data, &mut forms)
    };
    let mut metadata = reading.rest();
    metadata.append(forms);
    Ok(Block::Media(Media { at, kind: MediaKind::Document, source, media_type, name, metadata }))
}

/// A part of an assistant message: text with annotations, or a refusal.
pub fn read_output_part(run: &mut Run, value: Value, at: At) -> Result<Block> {
    let kind = run.type_of(value);
    let key = match kind {
        Word::output_text | Word::input_text | Word::text => Word::text,
        Word::refusal => Word::refusal,
        _ => return read_unknown(run, value, at),
    };
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let text = reading.require_string(run, key)?;
    if kind == Word::output_text {
        for word in [Word::annotations, Word::logprobs] {
            take_usual_list(run, &mut reading, word);
        }
    }
    let mut metadata = reading.rest_in(run, Word::output_text);
    if matches!(kind, Word::input_text | Word::text) {
        metadata.add_form(Word::r#type, run.store.word_value(kind));
    }
    let is_refusal = kind == Word::refusal;
    Ok(if is_refusal { Block::Refusal { at, text, metadata } } else { Block::Text { at, text, metadata } })
}

/// Takes a list that is always beside a text and usually empty.
fn take_usual_list(run: &mut Run, reading: &mut Reading, word: Word) {
    match reading.peek(word) {
        Some(list) if run.store.kind(list) == Kind::Array && run.is_void(list) => {
            reading.take_any(word);
        }
        Some(_) => {}
        None => reading.note_omitted(run, word),
    }
}
