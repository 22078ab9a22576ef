//! Finish reasons: the original word if it still has the same meaning, otherwise the target's default (Q125–Q135).

use crate::model::Finish;
use crate::run::{At, Run, WarningCode};
use crate::value::{Value, Word};

/// Reads a reason by the dialect's table; an unknown reason is `other`.
pub fn read(run: &Run, table: &[(Word, Finish)], raw: Option<Value>, has_calls: bool) -> Finish {
    raw.and_then(|raw| of(run, table, raw)).map_or(Finish::Other, |finish| finish.with_calls(has_calls))
}

/// Whether a reader would turn the provider's reason `stated` into `finish`: calls decide between `stop` and `tool_calls`.
fn is_read_as(stated: Finish, finish: Finish, has_calls: bool) -> bool {
    stated.with_calls(has_calls) == finish || stated == Finish::ToolCalls && finish == Finish::Stop && !has_calls
}

fn of(run: &Run, table: &[(Word, Finish)], raw: Value) -> Option<Finish> {
    let word = run.store.word(raw);
    table.iter().find(|(known, _)| *known == word && word != Word::Unknown).map(|(_, finish)| *finish)
}

/// The word for a reason: the first one in the table. For a reason that the format lacks, the word for a similar one.
pub fn word(table: &[(Word, Finish)], finish: Finish) -> Word {
    let similar = match finish {
        Finish::Refusal => Finish::ContentFilter,
        Finish::ContentFilter => Finish::Refusal,
        _ => Finish::Stop,
    };
    // a word whose meaning is unknown is only sent back
    let wanted = [Some(finish).filter(|finish| *finish != Finish::Other), Some(similar), Some(Finish::Stop)];
    let row = |wanted| table.iter().find(|(_, meaning)| *meaning == wanted);
    wanted.into_iter().flatten().find_map(row).map_or(Word::stop, |(word, _)| *word)
}

/// How a response ended.
pub struct Ending {
    pub finish: Finish,
    pub raw: Option<Value>,
    /// The position in the input.
    pub at: At,
    pub has_calls: bool,
    /// Whether the target's own provider gave the response, so that an unknown reason is one of its own.
    pub is_own: bool,
}

/// Writes a reason: the original word if it still has the same meaning, otherwise [`word`].
pub fn put(run: &mut Run, table: &[(Word, Finish)], ending: &Ending) {
    put_or(run, table, ending, word(table, ending.finish));
}

/// Writes a reason: the original word if it still has the same meaning, otherwise `default`. A change into a successful end is reported (Q128, Q130),
/// as is that of an unknown reason.
pub fn put_or(run: &mut Run, table: &[(Word, Finish)], ending: &Ending, default: Word) {
    let Ending { finish, raw, at, has_calls, is_own } = ending;
    let stated = raw.filter(|raw| match of(run, table, *raw) {
        // most clients expect one specific reason for calls, so a word that means calls only if there are any is only sent back to its own provider
        Some(stated) => stated == *finish || *is_own && is_read_as(stated, *finish, *has_calls),
        None => *finish == Finish::Other && *is_own,
    });
    match stated {
        Some(raw) => run.store.put(raw),
        None => {
            let is_end = table.iter().any(|(word, meaning)| *word == default && *meaning == Finish::Stop);
            let is_changed = match finish {
                Finish::Stop | Finish::ToolCalls => false,
                // an unknown reason may mean anything
                Finish::Other => raw.is_some(),
                Finish::Length | Finish::ContentFilter | Finish::Refusal | Finish::Pause | Finish::Error => is_end,
            };
            if is_changed {
                run.warn(
                    WarningCode::FinishChanged,
                    *at,
                    "the target does not have this finish reason: another one is sent",
                );
            }
            let is_unstated = *finish == Finish::Other && raw.is_none();
            // many clients run calls only if the reason says so
            let word = if is_unstated && *has_calls { word(table, Finish::ToolCalls) } else { default };
            run.store.put_word(word);
        }
    }
}
