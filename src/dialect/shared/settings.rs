//! Settings with a single value under a single wire key: the rows of the format ([`crate::format::Format::settings`]).

use crate::format::Values;
use crate::model::{Metadata, Setting, Settings};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// The reasoning efforts, from none to the highest.
pub const EFFORTS: &[Word] = &[Word::none, Word::minimal, Word::low, Word::medium, Word::high, Word::xhigh, Word::max];

pub fn read_model(run: &mut Run, reading: &mut Reading, settings: &mut Settings) -> Result<()> {
    if let Some((model, at)) = reading.string_at(run, Word::model)? {
        settings.set(Setting::Model, model, at);
    }
    Ok(())
}

/// False for an effort that is not known here. It is left where it is: only servers of the same format may know it.
pub fn is_effort_or_invalid(run: &mut Run, effort: Value) -> bool {
    run.store.kind(effort) != Kind::String || EFFORTS.contains(&run.store.word(effort))
}

pub fn read_effort(run: &mut Run, value: Value, at: At) -> Result<(Word, At)> {
    let word = run.store.word(value);
    if EFFORTS.contains(&word) {
        Ok((word, at))
    } else {
        run.wrong_word(value, at, "an effort from \"none\" to \"max\"")
    }
}

/// Reads the settings of an object, to which `path` leads.
pub fn read(
    run: &mut Run,
    reading: &mut Reading,
    path: &'static [Word],
    settings: &mut Settings,
    forms: &mut Metadata,
) -> Result<()> {
    for (setting, word, values) in run.route.from.format().settings_in(path) {
        match values {
            Values::Own | Values::Texts { .. } => {}
            Values::Flag if settings.get(setting).is_some() => take_flag(run, reading, word, forms),
            Values::Flag => {}
            Values::Any | Values::Hashed(_) | Values::Clamped(..) | Values::Only(..) => {
                let key = run.route.from.format().spelled(word);
                if !reading.has(key) {
                    continue;
                }
                let Some(kind) = setting.shape().kind() else { continue };
                let Some((value, at)) = reading.take_at(run, key) else { continue };
                if run.store.kind(value) != kind {
                    return run.wrong_type(value, at, kind.name());
                }
                settings.set(setting, value, at);
            }
        }
    }
    Ok(())
}

/// Takes a flag that the setting implies.
fn take_flag(run: &mut Run, reading: &mut Reading, word: Word, forms: &mut Metadata) {
    match reading.peek(word).map(|asks| run.store.boolean(asks)) {
        Some(true) => reading.skip(&[word]),
        Some(false) => {}
        None => forms.add_form(word, run.store.word_value(Word::omitted)),
    }
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

/// Writes the settings of an object, to which `path` leads.
pub fn write(run: &mut Run, object: &mut Writing, path: &'static [Word], settings: &Settings, metadata: &Metadata) {
    for row in run.route.to.format().settings_in(path) {
        put(run, object, row, settings, metadata);
    }
}

/// Writes those of the settings that are at the top of the request.
pub fn write_those(run: &mut Run, object: &mut Writing, those: &[Setting], settings: &Settings, metadata: &Metadata) {
    for (setting, path, values) in run.route.to.format().settings.iter().filter(|(setting, ..)| those.contains(setting))
    {
        if let [word] = path {
            put(run, object, (*setting, *word, *values), settings, metadata);
        }
    }
}

/// Writes the setting of a row.
pub fn put(
    run: &mut Run,
    object: &mut Writing,
    (setting, word, values): (Setting, Word, Values),
    settings: &Settings,
    metadata: &Metadata,
) {
    let Some((value, _)) = settings.get(setting) else { return };
    match values {
        Values::Own | Values::Texts { .. } => {}
        Values::Flag => {
            if !object.states(run, metadata, word) {
                object.boolean(run, word, true);
            }
        }
        Values::Any | Values::Hashed(_) | Values::Clamped(..) | Values::Only(..) => {
            let key = run.route.spelled(word);
            object.put(run, key, value);
        }
    }
}
