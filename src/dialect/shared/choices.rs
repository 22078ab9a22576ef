//! Answers of which a provider gives several at once: the first is converted (Q123).

use crate::model::Metadata;
use crate::run::{At, Key, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// The first answer usually has index 0.
pub fn take_first_index(run: &Run, answer: &mut Reading) {
    if answer
        .peek(Word::index)
        .is_some_and(|index| run.store.kind(index) == Kind::Number && run.store.number(index) == 0.0)
    {
        answer.take_any(Word::index);
    }
}

/// Answers beyond the first are kept whole for their provider; others are told.
pub fn keep_others(run: &mut Run, others: &[(Value, At)], metadata: &mut Metadata) {
    if others.is_empty() {
        return;
    }
    if run.keeps_family() {
        let values: Vec<Value> = others.iter().map(|(value, _)| *value).collect();
        let value = run.array_of(&values);
        metadata.add(Key::Word(Word::choices), value);
    } else {
        for (_, at) in others {
            run.warn(WarningCode::ChoicesDropped, *at, "only the first answer was converted");
        }
    }
}

/// Writes the answers that were kept, after the first.
pub fn put_others(run: &mut Run, metadata: &Metadata, at: At) -> Result<()> {
    let Some(others) = metadata.family_field(Word::choices).filter(|_| run.keeps_family()) else { return Ok(()) };
    for other in run.store.items(others).map_err(|fault| run.fault(fault, at))? {
        run.store.put(other);
    }
    Ok(())
}
