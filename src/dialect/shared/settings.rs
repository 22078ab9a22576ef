//! Settings that are one plain value under one wire key: a table per dialect.

use crate::model::{Setting, Settings};
use crate::run::{Reading, Result, Run, WarningCode, Writing};
use crate::value::Word;

/// Efforts of reasoning, from none to most.
pub const EFFORTS: &[Word] = &[Word::none, Word::minimal, Word::low, Word::medium, Word::high, Word::xhigh, Word::max];

/// Which setting stands under which wire key.
pub type Table = [(Setting, Word)];

pub fn read(run: &mut Run, reading: &mut Reading, table: &Table, settings: &mut Settings) -> Result<()> {
    for (setting, word) in table {
        let Some((value, at)) = reading.take_at(run, *word) else { continue };
        let (_, kind) = setting.shape();
        if run.store.kind(value) != kind {
            return run.wrong_type(value, at, kind.name());
        }
        settings.set(*setting, value, at);
    }
    Ok(())
}

pub fn write(run: &mut Run, object: &mut Writing, table: &Table, settings: &Settings) {
    for (setting, word) in table {
        object.option(run, *word, settings.get(*setting).map(|(value, _)| value));
    }
}

/// Warns about each of `missing` that is set: the target does not have it.
pub fn drop(run: &mut Run, missing: &[Setting], settings: &Settings) {
    for setting in missing {
        if let Some((_, at)) = settings.get(*setting) {
            run.warn(WarningCode::SettingDropped, at, "the target does not have this setting");
        }
    }
}
