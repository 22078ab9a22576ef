//! Finish reasons: the target's own word where the answer still means it, else its default (Q125–Q135).

use crate::model::Finish;
use crate::run::{At, Run, WarningCode};
use crate::value::{Value, Word};

/// Reads a reason by the dialect's table; one that it does not know is `other`.
pub fn read(run: &Run, table: &[(Word, Finish)], raw: Option<Value>, has_calls: bool) -> Finish {
    raw.and_then(|raw| of(run, table, raw)).map_or(Finish::Other, |finish| finish.with_calls(has_calls))
}

/// Whether a reader makes `finish` of what its provider said: calls decide between a plain stop and calls.
fn is_read_as(said: Finish, finish: Finish, has_calls: bool) -> bool {
    said.with_calls(has_calls) == finish || said == Finish::ToolCalls && finish == Finish::Stop && !has_calls
}

fn of(run: &Run, table: &[(Word, Finish)], raw: Value) -> Option<Finish> {
    let word = run.store.word(raw);
    table.iter().find(|(known, _)| *known == word && word != Word::Unknown).map(|(_, finish)| *finish)
}

/// The word for an answer with calls that says nothing of its end: clients that go by the reason would not run them otherwise.
fn of_calls(table: &[(Word, Finish)], default: Word) -> Word {
    let word = |finish| table.iter().find(|(_, meaning)| *meaning == finish).map(|(word, _)| *word);
    word(Finish::ToolCalls).or_else(|| word(Finish::Stop)).unwrap_or(default)
}

/// What an answer says of its end.
pub struct Ending {
    pub finish: Finish,
    pub raw: Option<Value>,
    /// Where it stands in the input.
    pub at: At,
    pub has_calls: bool,
    /// Whether the target's own provider gave the answer, so that a reason unknown here is one of its own.
    pub is_own: bool,
}

/// Writes a reason: what the provider said if that still means the same, else `default`. One that would pass for a good end
/// is told (Q128, Q130), and so is one that nobody knows.
pub fn put(run: &mut Run, table: &[(Word, Finish)], ending: &Ending, default: Word) {
    let Ending { finish, raw, at, has_calls, is_own } = ending;
    let said = raw.filter(|raw| match of(run, table, *raw) {
        // calls go by another word for most clients, so that one who only means the same is their own provider's
        Some(said) => said == *finish || *is_own && is_read_as(said, *finish, *has_calls),
        None => *finish == Finish::Other && *is_own,
    });
    match said {
        Some(raw) => run.store.put(raw),
        None => {
            let is_end = table.iter().any(|(word, meaning)| *word == default && *meaning == Finish::Stop);
            let is_changed = match finish {
                Finish::Stop | Finish::ToolCalls => false,
                // a word that nobody knows may mean anything
                Finish::Other => raw.is_some(),
                Finish::Length | Finish::ContentFilter | Finish::Refusal | Finish::Pause | Finish::Error => is_end,
            };
            if is_changed {
                run.warn(
                    WarningCode::FinishChanged,
                    *at,
                    "the target has no word for this reason: it is told another one",
                );
            }
            let is_unsaid = *finish == Finish::Other && raw.is_none();
            run.store.put_word(if is_unsaid && *has_calls { of_calls(table, default) } else { default });
        }
    }
}
