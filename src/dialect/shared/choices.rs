//! Responses with several choices: the first one is converted (Q123).

use crate::model::Metadata;
use crate::run::{At, Elements, Key, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// Takes the index of the first choice if it is 0, which is the default.
pub fn take_first_index(run: &Run, answer: &mut Reading) {
    if answer
        .peek(Word::index)
        .is_some_and(|index| run.store.kind(index) == Kind::Number && run.store.number(index) == 0.0)
    {
        answer.take_any(Word::index);
    }
}

/// Writes the index of the first choice, unless its provider gave another one.
pub fn put_index(run: &mut Run, answer: &mut Writing, metadata: &Metadata) {
    if !answer.states(run, metadata, Word::index) {
        answer.number(run, Word::index, 0.0);
    }
}

/// The index of the choice that a stream chunk belongs to; the field is not taken.
pub fn index_of(run: &mut Run, piece: &Reading) -> Result<u32> {
    match piece.peek(Word::index).filter(|index| run.store.kind(*index) != Kind::Null) {
        Some(index) => {
            let at = run.down(piece.at(), Word::index);
            Ok(run.number(index, at)? as u32)
        }
        None => Ok(0),
    }
}

/// The position of choice `index` in the list, to which it is added if it is new. The choice that arrived first stays first; the others are sorted by
/// index.
pub fn place<T>(answers: &mut Vec<T>, index: u32, index_of: fn(&T) -> u32, new: fn(u32) -> T) -> usize {
    let place = match answers.split_first() {
        Some((first, others)) if index_of(first) != index => {
            1 + others.partition_point(|other| index_of(other) < index)
        }
        Some(_) | None => 0,
    };
    if answers.get(place).is_none_or(|answer| index_of(answer) != index) {
        answers.insert(place, new(index));
    }
    place
}

/// Warns that a further choice is left out.
fn warn_dropped<T>(run: &mut Run, at: At) -> Option<T> {
    run.warn(WarningCode::ChoicesDropped, at, "only the first choice was converted");
    None
}

/// What becomes of something that only the source's provider understands: `kept` for its format, `instead` for another one.
pub fn keep_or<T>(run: &mut Run, kept: impl FnOnce(&mut Run) -> T, instead: impl FnOnce(&mut Run) -> T) -> T {
    if run.route.keeps_family() { kept(run) } else { instead(run) }
}

/// Keeps a further choice for its provider; otherwise warns about it.
pub fn keep_other<T>(run: &mut Run, at: At, kept: impl FnOnce(&mut Run) -> T) -> Option<T> {
    keep_or(run, |run| Some(kept(run)), |run| warn_dropped(run, at))
}

/// Keeps further choices whole for their provider; otherwise warns about them.
pub fn keep_others(run: &mut Run, others: Elements, metadata: &mut Metadata) {
    let kept: Vec<Value> = others.filter_map(|(value, at)| keep_other(run, at, |_| value)).collect();
    if !kept.is_empty() {
        let value = run.store.array_of(&kept);
        metadata.add(Key::Word(Word::choices), value);
    }
}

/// Writes the choices that were kept, after the first one.
pub fn put_others(run: &mut Run, metadata: &Metadata, at: At) -> Result<()> {
    let Some(others) = metadata.own_field(Word::choices) else { return Ok(()) };
    for other in run.store.items(others).map_err(|fault| run.fault(fault, at))? {
        run.store.put(other);
    }
    Ok(())
}
