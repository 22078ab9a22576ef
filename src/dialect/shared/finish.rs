//! Finish reasons: the target's own word where the answer still means it, else its default (Q125–Q135).

use crate::model::{Finish, Metadata};
use crate::run::Run;
use crate::value::{Store, Word};

/// Reads a reason by the dialect's table. A reason that it does not know is `other`, and kept as a form under `key`.
pub fn read<S: Store>(
    run: &Run<S>,
    table: &[(Word, Finish)],
    key: Word,
    raw: Option<S::V>,
    has_calls: bool,
    metadata: &mut Metadata<S::V>,
) -> Finish {
    let Some(raw) = raw else { return Finish::Other.with_calls(has_calls) };
    match of(run, table, raw) {
        Some(finish) => finish.with_calls(has_calls),
        None => {
            metadata.add_form(key, raw);
            Finish::Other
        }
    }
}

fn of<S: Store>(run: &Run<S>, table: &[(Word, Finish)], raw: S::V) -> Option<Finish> {
    let word = run.store.word(raw);
    table.iter().find(|(known, _)| *known == word && word != Word::Unknown).map(|(_, finish)| *finish)
}

/// Writes a reason: what the provider said if that still means `finish`, else `default`.
pub fn put<S: Store>(
    run: &mut Run<S>,
    table: &[(Word, Finish)],
    (finish, raw): (Finish, Option<S::V>),
    has_calls: bool,
    form: Option<S::V>,
    default: Word,
) {
    let said = raw.filter(|raw| of(run, table, *raw).map(|said| said.with_calls(has_calls)) == Some(finish));
    let unknown = form.filter(|_| finish == Finish::Other);
    match said.or(unknown) {
        Some(raw) => run.store.put(raw),
        None => run.store.put_word(default),
    }
}
