//! What both of OpenAI's formats have in common.

use crate::model::{Block, Media, MediaKind, Source};
use crate::run::{Reading, Result, Run};
use crate::value::text::split_around;
use crate::value::{Kind, Value, Word};

/// Follows the kind of item in ids that were generated here, which OpenAI has never seen (Q70).
const MADE: &str = "_tw_";

/// An id for an item without one (Q178).
pub fn made_id(kind: &str, answer: &str, index: usize) -> String {
    format!("{kind}{MADE}{answer}_{index}")
}

/// Whether the target takes the id of an item: OpenAI issued it, or the target is where it was generated.
pub fn takes_id(run: &Run, id: Value) -> bool {
    !run.route.is_new_request() || is_issued(run, id)
}

/// Whether OpenAI issued an id.
pub fn is_issued(run: &Run, id: Value) -> bool {
    let is_made = |head: &str| split_around(head, MADE).is_some_and(|(kind, _)| kind.len() <= 3);
    run.store.kind(id) == Kind::String && !is_made(&run.store.head(id, 8))
}

/// Reads an audio part. `keeps_form` returns whether the value of `format` must be kept because the media type does not express it.
pub fn read_audio(run: &mut Run, mut reading: Reading, keeps_form: impl Fn(Word) -> bool) -> Result<Block> {
    let at = reading.at();
    reading.take_any(Word::r#type);
    let mut audio = reading.require_object(run, Word::input_audio)?;
    let data = audio.require_string(run, Word::data)?;
    let format = audio.require_string(run, Word::format)?;
    let name = run.store.word(format);
    let media_type = match name {
        Word::mp3 => "audio/mpeg".to_owned(),
        _ => format!("audio/{}", run.store.text(format)),
    };
    if keeps_form(name) {
        audio.note(Word::format, format);
    }
    let mut metadata = reading.rest();
    audio.rest_into(run, Word::input_audio, &mut metadata);
    let media_type = Some(run.store.string(&media_type));
    let source = Source::Base64(data);
    Ok(Block::Media(Media { at, kind: MediaKind::Audio, source, media_type, name: None, metadata }))
}
