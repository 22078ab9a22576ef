//! Token counts and their totals (Q139).

use crate::model::{Metadata, Usage};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Value, Word};

/// The names of OpenAI's counts, which differ between its two formats.
pub struct Names {
    pub input: Word,
    pub output: Word,
    pub total: Word,
    pub input_details: Word,
    pub output_details: Word,
    /// Whether the objects with details are always present.
    pub always_details: bool,
}

/// Takes a count that is always present.
pub fn take_count(run: &mut Run, reading: &mut Reading, word: Word) -> Option<f64> {
    if !reading.has(word) {
        reading.note_omitted(run, word);
    }
    reading.count(run, word)
}

/// Writes what [`take_count`] takes: 0 for an unknown count, unless the provider stated it otherwise.
pub fn put_count(run: &mut Run, object: &mut Writing, metadata: &Metadata, word: Word, count: Option<f64>) {
    if count.is_some() || !object.states(run, metadata, word) {
        object.number(run, word, count.unwrap_or(0.0));
    }
}

/// Reads counts whose details are in nested objects.
pub fn read(run: &mut Run, value: Value, at: At, names: &Names) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    let mut usage = Usage::new(at);
    usage.input = take_count(run, &mut reading, names.input);
    usage.output = take_count(run, &mut reading, names.output);
    let total = reading.take_at(run, names.total);
    let mut nested = Metadata::default();
    let has_details = reading.has(names.input_details);
    if let Some(mut details) = reading.object(run, names.input_details)? {
        usage.cached = details.count(run, Word::cached_tokens);
        usage.cache_write = details.count(run, Word::cache_write_tokens);
        keep_details(run, details, names.input_details, &mut nested, usage.cached.or(usage.cache_write));
    } else if names.always_details {
        nested.add_form(names.input_details, run.store.word_value(Word::omitted));
    }
    if read_cache_hits(run, &mut reading, &mut usage) && !has_details {
        nested.add_form(names.input_details, run.store.word_value(Word::omitted));
    }
    if let Some(mut details) = reading.object(run, names.output_details)? {
        usage.reasoning = details.count(run, Word::reasoning_tokens);
        keep_details(run, details, names.output_details, &mut nested, usage.reasoning);
    } else if names.always_details {
        nested.add_form(names.output_details, run.store.word_value(Word::omitted));
    }
    let mut metadata = reading.rest();
    metadata.append(nested);
    read_total(run, &mut usage, total, names.total, &mut metadata)?;
    usage.metadata = metadata;
    Ok(usage)
}

/// DeepSeek has its count of cached tokens beside the other counts. Returns whether the field is left there.
fn read_cache_hits(run: &mut Run, reading: &mut Reading, usage: &mut Usage) -> bool {
    let hits = reading.peek(Word::prompt_cache_hit_tokens).and_then(|hits| run.count(hits));
    if hits.is_none() || usage.cached.is_some() && usage.cached != hits {
        return false;
    }
    usage.cached = hits;
    let is_kept = run.route.keeps_family();
    if !is_kept {
        // the tokens that are not hits are misses
        reading.skip(&[Word::prompt_cache_hit_tokens, Word::prompt_cache_miss_tokens]);
    }
    is_kept
}

/// Keeps details without modelled fields even if they are empty, so that they are written again.
pub fn keep_details(run: &mut Run, details: Reading, word: Word, nested: &mut Metadata, modelled: Option<f64>) {
    if modelled.is_none() && details.is_empty() {
        nested.add_form(word, run.store.empty_object());
    }
    details.nest_into(run, word, nested);
}

/// Writes what [`read`] reads.
pub fn write(run: &mut Run, usage: &Usage, names: &Names) {
    let Usage { at, input, output, total: _, cached, cache_write, reasoning, metadata } = usage;
    let mut object = run.begin();
    put_count(run, &mut object, metadata, names.input, *input);
    put_count(run, &mut object, metadata, names.output, *output);
    write_total(run, &mut object, usage, names.total);
    if !object.has(run, names.total) {
        put_count(run, &mut object, metadata, names.total, None);
    }
    let inputs = [(Word::cached_tokens, *cached), (Word::cache_write_tokens, *cache_write)];
    write_details(run, &mut object, names.input_details, &inputs, metadata);
    write_details(run, &mut object, names.output_details, &[(Word::reasoning_tokens, *reasoning)], metadata);
    object.end(run, metadata, *at);
}

fn write_details(run: &mut Run, object: &mut Writing, word: Word, counts: &[(Word, Option<f64>)], metadata: &Metadata) {
    // the provider has this count elsewhere
    if metadata.family_field(Word::prompt_cache_hit_tokens).is_some() && run.is_omitted(metadata, word) {
        return;
    }
    object.nested(run, metadata, word, |run, details| {
        for (word, count) in counts {
            details.count(run, *word, *count);
        }
    });
}

/// The sum of input and output, if either is known.
pub fn sum(usage: &Usage) -> Option<f64> {
    match (usage.input, usage.output) {
        (None, None) => None,
        (input, output) => Some(input.unwrap_or(0.0) + output.unwrap_or(0.0)),
    }
}

/// Reads the total. A wire total that differs from the sum is kept as a form (Q139).
pub fn read_total(
    run: &mut Run,
    usage: &mut Usage,
    wire: Option<(Value, At)>,
    word: Word,
    metadata: &mut Metadata,
) -> Result<()> {
    usage.total = sum(usage);
    match wire {
        Some((value, _)) if run.count(value).is_none() || run.count(value) != usage.total => {
            usage.total = usage.total.or(run.count(value));
            metadata.add_form(word, value);
        }
        Some(_) => {}
        None => metadata.add_form(word, run.store.word_value(Word::omitted)),
    }
    Ok(())
}

/// Writes the provider's total, or the sum.
pub fn write_total(run: &mut Run, object: &mut Writing, usage: &Usage, word: Word) {
    let sum = sum(usage).or(usage.total);
    match usage.metadata.form(word) {
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) if usage.total == sum => object.put(run, word, form),
        _ => {
            object.count(run, word, sum);
        }
    }
}
