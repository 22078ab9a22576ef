//! Finish reasons: the target's own word where the answer still means it, else its default (Q125–Q135).

use crate::model::Finish;
use crate::run::Run;
use crate::value::{Value, Word};

/// Reads a reason by the dialect's table; one that it does not know is `other`.
pub fn read(run: &Run, table: &[(Word, Finish)], raw: Option<Value>, has_calls: bool) -> Finish {
    raw.and_then(|raw| of(run, table, raw)).map_or(Finish::Other, |finish| finish.with_calls(has_calls))
}

fn of(run: &Run, table: &[(Word, Finish)], raw: Value) -> Option<Finish> {
    let word = run.store.word(raw);
    table.iter().find(|(known, _)| *known == word && word != Word::Unknown).map(|(_, finish)| *finish)
}

/// What an answer says of its end.
pub struct Ending {
    pub finish: Finish,
    pub raw: Option<Value>,
    pub has_calls: bool,
    /// Whether the target's own provider gave the answer, so that a reason unknown here is one of its own.
    pub is_own: bool,
}

/// Writes a reason: what the provider said if that still means the same, else `default`.
pub fn put(run: &mut Run, table: &[(Word, Finish)], ending: &Ending, default: Word) {
    let Ending { finish, raw, has_calls, is_own } = ending;
    let said = raw.filter(|raw| match of(run, table, *raw) {
        Some(said) => said.with_calls(*has_calls) == *finish,
        None => *finish == Finish::Other && *is_own,
    });
    match said {
        Some(raw) => run.store.put(raw),
        None => run.store.put_word(default),
    }
}
