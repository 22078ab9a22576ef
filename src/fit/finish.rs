//! Finish reasons: the original word if it still has the same meaning, otherwise the target's default (Q125–Q135).

use crate::model::{Finish, Metadata};
use crate::run::{At, Run, WarningCode};
use crate::value::{Kind, Value, Word};

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
fn word(table: &[(Word, Finish)], finish: Finish) -> Word {
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

/// The finish reasons of a format.
pub struct Reasons {
    /// The key of the reason.
    pub key: Word,
    pub table: &'static [(Word, Finish)],
    /// The word for a reason that no format knows.
    pub other: Word,
    /// Whether a word that is not in the table may be a reason of the format, because the list is open. None: only in the format's own responses.
    pub shape: Option<fn(&str) -> bool>,
    /// Whether a response of the format may lack the reason.
    pub optional: Optional,
    /// The field that states why there is no response at all.
    pub instead: Option<Word>,
}

/// Which responses of a format may lack a reason.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Optional {
    Never,
    WithoutCalls,
    Always,
}

impl Reasons {
    /// The reasons of a format whose list is closed, and whose responses always have one.
    pub const fn of(key: Word, table: &'static [(Word, Finish)], other: Word) -> Reasons {
        Reasons { key, table, other, shape: None, optional: Optional::Never, instead: None }
    }

    /// Whether a field of the response states why there is none.
    pub fn is_instead(&self, metadata: &Metadata) -> bool {
        self.instead.is_some_and(|word| metadata.own_field(word).is_some())
    }
}

/// Why a response failed, for a format that has no reason for that: its clients would take it for an end. None if the response did not fail, or the
/// format can state it.
pub fn failure(
    run: &Run,
    reasons: &Reasons,
    finish: Finish,
    raw: Option<Value>,
    metadata: &Metadata,
) -> Option<String> {
    if finish != Finish::Error || reasons.table.iter().any(|(_, meaning)| *meaning == Finish::Error) {
        return None;
    }
    let message = metadata.fields().find(|member| member.key.word() == Word::finishMessage).map(|member| member.value);
    let stated = [raw, message].into_iter().flatten();
    let stated =
        stated.filter(|text| run.store.kind(*text) == Kind::String).map(|text| run.store.text(text).into_owned());
    let parts: Vec<_> = std::iter::once("the response failed".to_owned()).chain(stated).collect();
    Some(parts.join(": "))
}

/// What else is known of how a response ended.
#[derive(Clone, Copy, Default)]
pub struct Ending {
    pub has_calls: bool,
    /// Whether the model refused, and whether the target has the refusal apart from the text.
    pub has_refused: bool,
    pub has_refusal: bool,
    /// Whether the target's own format wrote the response, so that an unknown reason is one of its own.
    pub is_own: bool,
    /// Whether an error was sent, which is more specific than the reason.
    pub has_failed: bool,
    /// Whether [`Reasons::instead`] states why there is no response.
    pub is_blocked: bool,
}

/// The reason for the target: the original word if it still has the same meaning, otherwise the target's. A change into a successful end is reported
/// (Q128, Q130), as is that of an unknown reason. None if the response does not state a reason.
pub fn fit(
    run: &mut Run,
    reasons: &Reasons,
    (finish, raw, at): (Finish, Option<Value>, At),
    ending: Ending,
    metadata: &Metadata,
) -> Option<Value> {
    let Reasons { key, table, other, shape, optional, instead: _ } = *reasons;
    let Ending { has_calls, has_refused, has_refusal, is_own, has_failed, is_blocked } = ending;
    let is_unstated = finish == Finish::Other && raw.is_none();
    // in the object of the response, or in that of its choice
    let is_null = metadata.forms().iter().any(|(word, form)| match form.kind() {
        Kind::Null => *word == key,
        Kind::Object => run.member(*form, key).is_some(),
        _ => false,
    });
    let is_optional = match optional {
        Optional::Never => false,
        Optional::WithoutCalls => !has_calls,
        Optional::Always => true,
    };
    let is_absent = is_null || is_optional && is_own;
    if is_unstated && is_absent || is_blocked && raw.is_none() {
        return None;
    }
    let finish = if finish == Finish::Refusal && has_refusal { Finish::Stop } else { finish };
    let is_own = shape.map_or(is_own, |shape| raw.is_some_and(|raw| shape(&run.store.text(raw))));
    let stated = raw.filter(|raw| match of(run, table, *raw) {
        // most clients expect one specific reason for calls, so a word that means calls only if there are any is only sent back to its own provider
        Some(stated) => stated == finish || is_own && is_read_as(stated, finish, has_calls),
        None => finish == Finish::Other && is_own,
    });
    if stated.is_some() {
        return stated;
    }
    let refusal = table.iter().find(|(_, meaning)| has_refused && *meaning == Finish::Refusal);
    let default = match finish {
        Finish::Other => other,
        Finish::Stop => refusal.map_or(word(table, finish), |(word, _)| *word),
        _ => word(table, finish),
    };
    let is_end = table.iter().any(|(word, meaning)| *word == default && *meaning == Finish::Stop);
    let is_changed = match finish {
        Finish::Stop | Finish::ToolCalls => false,
        // an unknown reason may mean anything
        Finish::Other => raw.is_some(),
        Finish::Length | Finish::ContentFilter | Finish::Refusal | Finish::Pause | Finish::Error => is_end,
    };
    if is_changed && !has_failed {
        run.warn(WarningCode::FinishChanged, at, "the target does not have this finish reason: another one is sent");
    }
    // many clients run calls only if the reason is the one for calls
    let word = if is_unstated && has_calls { word(table, Finish::ToolCalls) } else { default };
    Some(run.store.word_value(word))
}
