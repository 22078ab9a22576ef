//! Settings with a single value under a single wire key: a table per dialect.

pub use crate::fit::settings::{Range, StopLimits, Table};
use crate::model::{Metadata, Setting, Settings};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Value, Word};

/// The reasoning efforts, from none to the highest.
pub const EFFORTS: &[Word] = &[Word::none, Word::minimal, Word::low, Word::medium, Word::high, Word::xhigh, Word::max];

pub fn read_model(run: &mut Run, reading: &mut Reading, settings: &mut Settings) -> Result<()> {
    if let Some((model, at)) = reading.string_at(run, Word::model)? {
        settings.set(Setting::Model, model, at);
    }
    Ok(())
}

/// Takes the flag `word` that requests log probabilities, if the setting for their number implies it.
pub fn take_logprobs(run: &mut Run, reading: &mut Reading, word: Word, settings: &Settings, forms: &mut Metadata) {
    if settings.get(Setting::TopLogprobs).is_none() {
        return;
    }
    match reading.peek(word).map(|asks| run.store.boolean(asks)) {
        Some(true) => reading.skip(&[word]),
        Some(false) => {}
        None => forms.add_form(word, run.store.word_value(Word::omitted)),
    }
}

/// Writes what [`take_logprobs`] takes.
pub fn put_logprobs(run: &mut Run, object: &mut Writing, word: Word, settings: &Settings, metadata: &Metadata) {
    if settings.get(Setting::TopLogprobs).is_some() && !object.states(run, metadata, word) {
        object.boolean(run, word, true);
    }
}

pub fn read_effort(run: &mut Run, value: Value, at: At) -> Result<(Word, At)> {
    let word = run.store.word(value);
    if EFFORTS.contains(&word) {
        Ok((word, at))
    } else {
        run.wrong_word(value, at, "an effort from \"none\" to \"max\"")
    }
}

pub fn read(run: &mut Run, reading: &mut Reading, table: &Table, settings: &mut Settings) -> Result<()> {
    for (setting, word, _) in table {
        let key = run.route.from.format().spelled(*word);
        let Some((value, at)) = reading.take_at(run, key) else { continue };
        let (_, kind) = setting.shape();
        if run.store.kind(value) != kind {
            return run.wrong_type(value, at, kind.name());
        }
        settings.set(*setting, value, at);
    }
    Ok(())
}

/// Takes stop sequences. A form records an empty list, which has no effect.
pub fn read_stop(run: &mut Run, reading: &mut Reading, word: Word, settings: &mut Settings) -> Result<()> {
    let Some((value, at)) = reading.take_at(run, word) else { return Ok(()) };
    let stop = run.strings(value, at)?;
    match stop.is_empty() {
        true => reading.note(word, value),
        false => settings.stop = Some((stop, at)),
    }
    Ok(())
}

/// Writes the settings of a table.
pub fn write(run: &mut Run, object: &mut Writing, table: &Table, settings: &Settings) {
    for (setting, word, _) in table {
        let key = run.route.to.format().spelled(*word);
        object.option(run, key, settings.get(*setting).map(|(value, _)| value));
    }
}
