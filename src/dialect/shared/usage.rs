//! Totals of token counts (Q139).

use crate::model::{Metadata, Usage};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Value, Word};

/// Input and output together, if either is known.
pub fn sum(usage: &Usage) -> Option<f64> {
    match (usage.input, usage.output) {
        (None, None) => None,
        (input, output) => Some(input.unwrap_or(0.0) + output.unwrap_or(0.0)),
    }
}

/// The total is the sum; a wire total that differs is kept as a form (Q139).
pub fn read_total(
    run: &mut Run,
    usage: &mut Usage,
    wire: Option<(Value, At)>,
    word: Word,
    metadata: &mut Metadata,
) -> Result<()> {
    usage.total = sum(usage);
    match wire {
        Some((value, at)) if Some(run.number(value, at)?) != usage.total => {
            if usage.total.is_none() {
                usage.total = Some(run.store.number(value));
            }
            metadata.add_form(word, value);
        }
        Some(_) => {}
        None => metadata.add_form(word, run.word_value(Word::omitted)),
    }
    Ok(())
}

/// Writes the total as the provider gave it, or the sum.
pub fn write_total(run: &mut Run, object: &mut Writing, usage: &Usage, word: Word) {
    let sum = sum(usage).or(usage.total);
    match usage.metadata.form(word) {
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) if usage.total == sum => object.put(run, word, form),
        _ => {
            if let Some(total) = sum {
                object.number(run, word, total);
            }
        }
    }
}
