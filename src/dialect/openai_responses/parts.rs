//! Reads content parts (WIRE §2.9).

use super::items::{self, Level};
use crate::dialect::shared::openai_items::read_audio;
use crate::fit::data_url;
use crate::model::{Block, Media, MediaKind, Metadata, Native, Source};
use crate::run::{At, Provider, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

/// Whether parts are in a message or in a tool's output: in messages, images have `detail`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Message,
    Output,
}

pub fn read_parts(run: &mut Run, value: Value, at: At, holder: Holder) -> Result<Vec<Block>> {
    run.elements(value, at)?.map(|(part, at)| read_part(run, part, at, holder)).collect()
}

fn read_part(run: &mut Run, value: Value, at: At, holder: Holder) -> Result<Block> {
    match run.type_of(value) {
        Word::input_text => {
            let mut reading = run.object(value, at)?;
            reading.take_any(Word::r#type);
            let text = reading.require_string(run, Word::text)?;
            Ok(Block::Text { at, text, metadata: reading.rest() })
        }
        Word::input_image => {
            let reading = run.object(value, at)?;
            read_image(run, reading, holder)
        }
        Word::input_file => {
            let reading = run.object(value, at)?;
            read_file(run, reading)
        }
        Word::input_audio => {
            let reading = run.object(value, at)?;
            // in OpenAI's description, but in no message of this format; kept for formats with audio
            read_audio(run, reading, |_| true)
        }
        _ => read_unknown(run, value, at),
    }
}

/// A part that only OpenAI understands.
pub fn read_unknown(run: &mut Run, value: Value, at: At) -> Result<Block> {
    run.plain_object(value, at)?;
    let mut metadata = Metadata::default();
    items::mark(run, Level::Part, &mut metadata);
    Ok(Block::Native(Native { at, provider: Provider::OpenAI, value, metadata }))
}

fn read_image(run: &mut Run, mut reading: Reading, holder: Holder) -> Result<Block> {
    let at = reading.at();
    reading.take_any(Word::r#type);
    let mut forms = Metadata::default();
    let url = reading.string(run, Word::image_url)?;
    let (source, media_type) = match url {
        Some(url) => from_url(run, url, &mut forms),
        None => (Source::File(reading.require_string(run, Word::file_id)?), None),
    };
    take_usual_detail(run, &mut reading, holder, &mut forms);
    let mut metadata = reading.rest();
    metadata.append(forms);
    Ok(Block::Media(Media { at, kind: MediaKind::Image, source, media_type, name: None, metadata }))
}

fn from_url(run: &mut Run, url: Value, forms: &mut Metadata) -> (Source, Option<Value>) {
    match data_url::read(run, url) {
        Some(parts) => {
            if !parts.is_plain {
                forms.add_form(Word::url, url);
            }
            (Source::Base64(parts.data), Some(parts.media_type))
        }
        None => (Source::Url(url), None),
    }
}

/// In messages `detail` is required, and usually `auto`.
fn take_usual_detail(run: &mut Run, reading: &mut Reading, holder: Holder, forms: &mut Metadata) {
    if holder == Holder::Output {
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
    reading.take_any(Word::r#type);
    let name = reading.string(run, Word::filename)?;
    let mut forms = Metadata::default();
    let (source, media_type) = if let Some(id) = reading.string(run, Word::file_id)? {
        (Source::File(id), None)
    } else if let Some(url) = reading.string(run, Word::file_url)? {
        (Source::Url(url), None)
    } else {
        let data = reading.require_string(run, Word::file_data)?;
        let file = data_url::of_file(run, data);
        if !file.is_plain {
            forms.add_form(Word::url, data);
        }
        (Source::Base64(file.data), Some(file.media_type))
    };
    let mut metadata = reading.rest();
    metadata.append(forms);
    Ok(Block::Media(Media { at, kind: MediaKind::Document, source, media_type, name, metadata }))
}

/// A part of an assistant message: text with annotations, or a refusal.
pub fn read_output_part(run: &mut Run, value: Value, at: At) -> Result<Block> {
    match run.type_of(value) {
        Word::output_text => {
            let mut reading = run.object(value, at)?;
            reading.take_any(Word::r#type);
            let text = reading.require_string(run, Word::text)?;
            for word in [Word::annotations, Word::logprobs] {
                take_usual_list(run, &mut reading, word);
            }
            let mut metadata = Metadata::default();
            reading.rest_into(run, Word::output_text, &mut metadata);
            Ok(Block::Text { at, text, metadata })
        }
        kind @ (Word::input_text | Word::text) => {
            let mut reading = run.object(value, at)?;
            reading.take_any(Word::r#type);
            let text = reading.require_string(run, Word::text)?;
            let mut metadata = Metadata::default();
            reading.rest_into(run, Word::output_text, &mut metadata);
            metadata.add_form(Word::r#type, run.store.word_value(kind));
            Ok(Block::Text { at, text, metadata })
        }
        Word::refusal => {
            let mut reading = run.object(value, at)?;
            reading.take_any(Word::r#type);
            let text = reading.require_string(run, Word::refusal)?;
            let mut metadata = Metadata::default();
            reading.rest_into(run, Word::output_text, &mut metadata);
            Ok(Block::Refusal { at, text, metadata })
        }
        _ => read_unknown(run, value, at),
    }
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
