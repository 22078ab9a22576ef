//! Sources of media: as objects with a type, in the canonical format and in Anthropic's; as URLs and data, in OpenAI's formats.

use crate::fit::data_url;
use crate::model::{Metadata, Source};
use crate::run::{Reading, Result, Run};
use crate::value::{Value, Word};

/// Takes the source of the type `tag`; None for any other type. `file` is the key of a file's id.
pub fn take_source(run: &mut Run, reading: &mut Reading, tag: Value, file: Word) -> Result<Option<Source>> {
    Ok(Some(match run.store.word(tag) {
        Word::base64 => Source::Base64(reading.require_string(run, Word::data)?),
        Word::url => Source::Url(reading.require_string(run, Word::url)?),
        Word::file => Source::File(reading.require_string(run, file)?),
        Word::text => Source::Text(reading.require_string(run, Word::data)?),
        _ => return Ok(None),
    }))
}

/// The type of a source, and its key and value.
pub fn source_words(source: Source, file: Word) -> (Word, Word, Value) {
    match source {
        Source::Base64(data) => (Word::base64, Word::data, data),
        Source::Url(url) => (Word::url, Word::url, url),
        Source::File(id) => (Word::file, file, id),
        Source::Text(data) => (Word::text, Word::data, data),
    }
}

/// The source and the media type of a URL. A form keeps a data URL that is written in an unusual way.
pub fn of_url(run: &mut Run, url: Value, forms: &mut Metadata) -> (Source, Option<Value>) {
    let Some(parts) = data_url::read(run, url) else { return (Source::Url(url), None) };
    if !parts.is_plain {
        forms.add_form(Word::url, url);
    }
    (Source::Base64(parts.data), Some(parts.media_type))
}

/// The same for the data of a file.
pub fn of_file_data(run: &mut Run, data: Value, forms: &mut Metadata) -> (Source, Option<Value>) {
    let file = data_url::of_file(run, data);
    if !file.is_plain {
        let form = if run.store.is_empty(data) { run.store.word_value(Word::omitted) } else { data };
        forms.add_form(Word::url, form);
    }
    (Source::Base64(file.data), Some(file.media_type))
}
