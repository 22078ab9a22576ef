//! Sources of media as objects with a type, in the canonical format and in Anthropic's.

use crate::model::Source;
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
