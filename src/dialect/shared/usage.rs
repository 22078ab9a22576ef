//! Token counts and their totals (Q139).

use crate::model::{Metadata, Usage};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

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

/// A count of OpenAI's that other servers name differently, in the details or beside the other counts (Q136).
struct Detail {
    usual: Word,
    others: &'static [Word],
    of: fn(&mut Usage) -> &mut Option<f64>,
}

/// DeepSeek: `prompt_cache_hit_tokens`. LiteLLM: `cache_creation_tokens`. Gateways to Claude: Anthropic's names. Moonshot: the usual name, beside the
/// other counts (<https://platform.moonshot.ai/docs/api/chat>).
const INPUT_DETAILS: &[Detail] = &[
    Detail {
        usual: Word::cached_tokens,
        others: &[Word::prompt_cache_hit_tokens, Word::cache_read_input_tokens],
        of: |usage| &mut usage.cached,
    },
    Detail {
        usual: Word::cache_write_tokens,
        others: &[Word::cache_creation_tokens, Word::cache_creation_input_tokens],
        of: |usage| &mut usage.cache_write,
    },
];

/// Reads counts whose details are in nested objects.
pub fn read(run: &mut Run, value: Value, at: At, names: &Names) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    let mut usage = Usage::new(at);
    usage.input = take_count(run, &mut reading, names.input);
    usage.output = take_count(run, &mut reading, names.output);
    let total = reading.take_at(run, names.total);
    let mut nested = Metadata::default();
    let mut details = reading.object(run, names.input_details)?;
    let was_empty = details.as_ref().is_some_and(Reading::is_empty);
    for part in INPUT_DETAILS {
        *(part.of)(&mut usage) = read_part(run, &mut reading, details.as_mut(), part);
    }
    if let Some(details) = details {
        keep_details(run, details, names.input_details, &mut nested, was_empty);
    } else if names.always_details {
        nested.add_form(names.input_details, run.store.word_value(Word::omitted));
    }
    if let Some(mut details) = reading.object(run, names.output_details)? {
        let was_empty = details.is_empty();
        usage.reasoning = details.count(run, Word::reasoning_tokens);
        keep_details(run, details, names.output_details, &mut nested, was_empty);
    } else if names.always_details {
        nested.add_form(names.output_details, run.store.word_value(Word::omitted));
    }
    let mut metadata = reading.rest();
    metadata.append(nested);
    include_parts(run, &mut usage, total, names, &mut metadata);
    read_total(run, &mut usage, total, names.total, &mut metadata)?;
    usage.metadata = metadata;
    Ok(usage)
}

/// Reads a count. If another name than the usual one states it, all of them stay where they are, so that the same format gets them back.
fn read_part(run: &mut Run, reading: &mut Reading, mut details: Option<&mut Reading>, part: &Detail) -> Option<f64> {
    let stated = |run: &Run, holder: &Reading, word| holder.peek(word).and_then(|value| run.count(value));
    let mut count = details.as_deref().and_then(|details| stated(run, details, part.usual));
    let mut is_kept = false;
    let holders = [(details.as_deref_mut(), [].as_slice()), (Some(reading), std::slice::from_ref(&part.usual))];
    for (holder, own) in holders.into_iter().filter_map(|(holder, own)| Some((holder?, own))) {
        for word in own.iter().chain(part.others) {
            let other = stated(run, holder, *word);
            if other.is_none() || count.is_some() && count != other {
                continue;
            }
            count = other;
            is_kept = run.route.keeps_family();
            if !is_kept {
                holder.skip(&[*word]);
            }
            if !is_kept && *word == Word::prompt_cache_hit_tokens {
                // the tokens that are not hits are misses
                holder.skip(&[Word::prompt_cache_miss_tokens]);
            }
        }
    }
    if let Some(details) = details.filter(|_| !is_kept) {
        details.count(run, part.usual);
    }
    count
}

/// The parts of the input and of the output that have counts of their own.
fn parts(usage: &Usage) -> (f64, f64) {
    (usage.cached.unwrap_or(0.0) + usage.cache_write.unwrap_or(0.0), usage.reasoning.unwrap_or(0.0))
}

/// Adds the parts that the server does not include in its counts: the total shows it (Q136, Q137). A part that is greater than the whole is not
/// included in it, either. The server's counts are kept as forms.
fn include_parts(run: &mut Run, usage: &mut Usage, total: Option<(Value, At)>, names: &Names, metadata: &mut Metadata) {
    let (cache, reasoning) = parts(usage);
    let total = total.and_then(|(total, _)| run.count(total));
    let missing = total.zip(sum(usage)).map_or(0.0, |(total, sum)| total - sum);
    let (adds_cache, adds_reasoning) = match missing {
        missing if missing <= 0.0 => (false, false),
        missing if missing == reasoning => (false, true),
        missing => (missing == cache || missing == cache + reasoning, missing == cache + reasoning),
    };
    // Google's endpoint for OpenAI's clients does not state how much the model thought
    let is_unstated = missing > 0.0 && usage.reasoning.is_none() && missing != cache && usage.output.is_some();
    let (reasoning, adds_reasoning) = if is_unstated { (missing, true) } else { (reasoning, adds_reasoning) };
    if is_unstated {
        usage.reasoning = Some(missing);
        metadata.add_form(Word::reasoning_tokens, run.store.word_value(Word::omitted));
    }
    let is_too_small = usage.input.is_some_and(|input| input < cache);
    let mut include = |count: &mut Option<f64>, part: f64, word: Word| {
        if let Some(stated) = *count
            && part > 0.0
        {
            metadata.add_form(word, run.build(|run| run.store.put_number(stated)));
            *count = Some(stated + part);
        }
    };
    if adds_cache || is_too_small {
        include(&mut usage.input, cache, names.input);
    }
    if adds_reasoning {
        include(&mut usage.output, reasoning, names.output);
    }
}

/// The count that the server stated, if it does not include the part.
fn stated(run: &Run, metadata: &Metadata, word: Word, count: Option<f64>, part: f64) -> Option<f64> {
    let form = metadata.form(word).and_then(|form| run.count(form));
    form.filter(|form| count == Some(form + part)).or(count)
}

/// Keeps details, also those that were empty before the counts were taken, so that they are written again.
pub fn keep_details(run: &mut Run, details: Reading, word: Word, nested: &mut Metadata, was_empty: bool) {
    if was_empty {
        nested.add_form(word, run.store.empty_object());
    }
    details.nest_into(run, word, nested);
}

/// Writes what [`read`] reads.
pub fn write(run: &mut Run, usage: &Usage, names: &Names) {
    let Usage { at, input, output, total: _, cached, cache_write, reasoning, metadata } = usage;
    let (in_input, in_output) = parts(usage);
    let mut object = run.begin();
    let (input, output) =
        (stated(run, metadata, names.input, *input, in_input), stated(run, metadata, names.output, *output, in_output));
    put_count(run, &mut object, metadata, names.input, input);
    put_count(run, &mut object, metadata, names.output, output);
    write_total(run, &mut object, usage, names.total);
    if !object.has(run, names.total) {
        put_count(run, &mut object, metadata, names.total, None);
    }
    let has_details = |counts: &[Option<f64>]| !metadata.is_empty() || counts.iter().any(Option::is_some);
    if has_details(&[*cached, *cache_write]) {
        write_input_details(run, &mut object, usage, names.input_details);
    }
    let reasoning = reasoning.filter(|_| !run.is_omitted(metadata, Word::reasoning_tokens));
    if has_details(&[reasoning]) {
        object.nested(run, metadata, names.output_details, |run, details| {
            details.count(run, Word::reasoning_tokens, reasoning);
        });
    }
    object.end(run, metadata, *at);
}

fn write_input_details(run: &mut Run, object: &mut Writing, usage: &Usage, word: Word) {
    let metadata = &usage.metadata;
    let details = metadata.own_field(word).filter(|details| run.store.kind(*details) == Kind::Object);
    object.nested(run, metadata, word, |run, object| {
        for (part, count) in INPUT_DETAILS.iter().zip([usage.cached, usage.cache_write]) {
            if metadata.is_empty() || !is_elsewhere(run, metadata, details, part, count) {
                object.count(run, part.usual, count);
            }
        }
    });
}

/// Whether the provider's own fields state the count under another name.
fn is_elsewhere(run: &mut Run, metadata: &Metadata, details: Option<Value>, part: &Detail, count: Option<f64>) -> bool {
    let is_beside = metadata.own_field(part.usual).is_some_and(|beside| run.count(beside) == count);
    count.is_some() && is_beside
        || part.others.iter().any(|word| {
            let inside = details.and_then(|details| run.member(details, *word));
            let fields = [metadata.own_field(*word), inside].into_iter().flatten();
            count.is_some() && fields.map(|field| run.count(field)).any(|stated| stated == count)
        })
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
