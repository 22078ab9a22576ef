//! Settings that are one plain value under one wire key: a table per dialect.

use crate::model::{Metadata, Setting, Settings};
use crate::run::{At, Reading, Result, Run, WarningCode, Writing};
use crate::value::text::number::javascript;
use crate::value::text::{is_plain, plain};
use crate::value::{Kind, Value, Word};

/// Efforts of reasoning, from none to most.
pub const EFFORTS: &[Word] = &[Word::none, Word::minimal, Word::low, Word::medium, Word::high, Word::xhigh, Word::max];

/// What a target does with a value outside its range.
#[derive(Clone, Copy)]
enum Outside {
    /// It takes the nearest one.
    Clamp,
    /// No other value means nearly the same.
    Drop,
}

/// Which values of a setting the target takes; it refuses a whole request for any other (Q219).
#[derive(Clone, Copy)]
pub struct Range {
    least: f64,
    most: f64,
    outside: Outside,
}

impl Range {
    pub const ANY: Range = Range::of(f64::NEG_INFINITY, f64::INFINITY);

    /// Other values become the nearest one.
    pub const fn of(least: f64, most: f64) -> Range {
        Range { least, most, outside: Outside::Clamp }
    }

    /// Other values are left out.
    pub const fn only(least: f64, most: f64) -> Range {
        Range { least, most, outside: Outside::Drop }
    }
}

/// Which setting stands under which wire key, and what the target takes there.
pub type Table = [(Setting, Word, Range)];

/// Takes `model`.
pub fn read_model(run: &mut Run, reading: &mut Reading, settings: &mut Settings) -> Result<()> {
    if let Some((model, at)) = reading.string_at(run, Word::model)? {
        settings.set(Setting::Model, model, at);
    }
    Ok(())
}

/// Takes `word`, what asks for the probabilities of tokens, where the setting itself, how many there shall be, asks for them.
pub fn take_logprobs(run: &mut Run, reading: &mut Reading, word: Word, settings: &Settings, forms: &mut Metadata) {
    if settings.get(Setting::TopLogprobs).is_none() {
        return;
    }
    match reading.peek(word).map(|asks| run.store.boolean(asks)) {
        Some(true) => {
            reading.take_any(word);
        }
        Some(false) => {}
        None => forms.add_form(word, run.word_value(Word::omitted)),
    }
}

/// Writes what [`take_logprobs`] takes.
pub fn put_logprobs(run: &mut Run, object: &mut Writing, word: Word, settings: &Settings, metadata: &Metadata) {
    let is_said = metadata.family_field(word).is_some() || metadata.form(word).is_some() && run.keeps_family();
    if settings.get(Setting::TopLogprobs).is_some() && !is_said {
        object.boolean(run, word, true);
    }
}

pub fn read_effort(run: &mut Run, value: Value, at: At) -> Result<(Word, At)> {
    let word = run.store.word(value);
    if EFFORTS.contains(&word) {
        Ok((word, at))
    } else {
        run.wrong_word(value, at, "an effort from \"none\" to \"max\"")
    }
}

pub fn read(run: &mut Run, reading: &mut Reading, table: &Table, settings: &mut Settings) -> Result<()> {
    for (setting, word, _) in table {
        let Some((value, at)) = reading.take_at(run, *word) else { continue };
        let (_, kind) = setting.shape();
        if run.store.kind(value) != kind {
            return run.wrong_type(value, at, kind.name());
        }
        settings.set(*setting, value, at);
    }
    Ok(())
}

pub fn write(run: &mut Run, object: &mut Writing, table: &Table, settings: &Settings) {
    for (setting, word, range) in table {
        let value = fitting(run, settings, *setting, range);
        object.option(run, *word, value);
    }
}

/// The value of a setting as the target takes it. What its own users sent to it stays.
pub fn fitting(run: &mut Run, settings: &Settings, setting: Setting, range: &Range) -> Option<Value> {
    let (value, at) = settings.get(setting)?;
    if run.from == run.to || run.store.kind(value) != Kind::Number {
        return Some(value);
    }
    let Range { least, most, outside } = *range;
    let given = run.store.number(value);
    let whole = if setting.is_whole() { given.floor() } else { given };
    // `clamp` would bring 20 kB along: it can say which numbers it was given, should they be the wrong way round
    let fitting = whole.max(least).min(most);
    if fitting == given {
        return Some(value);
    }
    if whole.is_nan() || fitting != whole && matches!(outside, Outside::Drop) {
        run.warn(
            WarningCode::SettingDropped,
            at,
            &format!("the target takes values from {} to {}", shown(least), shown(most)),
        );
        return None;
    }
    run.warn(WarningCode::SettingChanged, at, &format!("the target takes {} instead", shown(fitting)));
    Some(run.build(|run| run.store.put_number(fitting)))
}

/// What the schema of an answer is called that came without a name, where one is demanded.
const SCHEMA_NAME: &str = "response";
const LONGEST_SCHEMA_NAME: usize = 64;
const MARKS: &str = "_-";

/// Writes the name of an answer's schema as OpenAI takes it: "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a
/// maximum length of 64". `at` is the place of the format.
pub fn put_schema_name(run: &mut Run, object: &mut Writing, name: Option<(Value, At)>, at: At) {
    let Some((name, name_at)) = name else {
        run.warn(WarningCode::DefaultUsed, at, &format!("a schema needs a name: \"{SCHEMA_NAME}\" was taken"));
        return object.text(run, Word::name, SCHEMA_NAME);
    };
    let text = run.store.text(name);
    if run.from == run.to || (1..=LONGEST_SCHEMA_NAME).contains(&text.len()) && is_plain(&text, MARKS) {
        std::mem::drop(text);
        return object.put(run, Word::name, name);
    }
    let plain: String = plain(&text, MARKS).chars().take(LONGEST_SCHEMA_NAME).collect();
    std::mem::drop(text);
    let plain = if plain.is_empty() { SCHEMA_NAME } else { &plain };
    run.warn(WarningCode::SettingChanged, name_at, &format!("the target gets the name {plain}"));
    object.text(run, Word::name, plain);
}

fn shown(number: f64) -> String {
    if number.is_finite() { javascript(number) } else { "no limit".to_owned() }
}

/// Which stop sequences the target takes.
pub struct StopLimits {
    /// How many at most; 0 is no limit.
    pub most: usize,
    /// Whether one may be nothing but white space (Q97i).
    pub blank: bool,
}

/// The stop sequences that the target takes; none if there is nothing to say.
pub fn fitting_stop(run: &mut Run, settings: &Settings, limits: &StopLimits) -> Option<Vec<Value>> {
    let (stop, at) = settings.stop.as_ref()?;
    if run.from == run.to {
        return Some(stop.clone());
    }
    let takes = |run: &Run, sequence: Value| match limits.blank {
        true => !run.store.is_empty(sequence),
        false => !run.is_blank(sequence),
    };
    let mut fitting: Vec<Value> = stop.iter().copied().filter(|sequence| takes(run, *sequence)).collect();
    if limits.most > 0 {
        fitting.truncate(limits.most);
    }
    if fitting.is_empty() {
        if !stop.is_empty() {
            run.warn(WarningCode::SettingDropped, *at, "the target takes none of these sequences");
        }
        return None;
    }
    if fitting.len() < stop.len() {
        let kept = fitting.len();
        run.warn(WarningCode::SettingChanged, *at, &format!("the target takes {kept} of these sequences"));
    }
    Some(fitting)
}

/// Warns about each of `missing` that is set: the target does not have it. One candidate is what it gives unasked.
pub fn drop(run: &mut Run, missing: &[Setting], settings: &Settings) {
    for setting in missing {
        if let Some((value, at)) = settings.get(*setting) {
            if *setting == Setting::CandidateCount && run.store.number(value) == 1.0 {
                continue;
            }
            run.warn(WarningCode::SettingDropped, at, "the target does not have this setting");
        }
    }
}
