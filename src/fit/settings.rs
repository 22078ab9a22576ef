//! Keeps settings within the ranges that a target accepts.

use crate::model::{ResponseFormat, Setting, Settings};
use crate::number::javascript;
use crate::run::{At, Run, WarningCode};
use crate::value::text::{is_plain, plain};
use crate::value::{Kind, Value, Word};

/// What a target does with a value outside its range.
#[derive(Clone, Copy)]
enum Outside {
    /// Uses the nearest accepted value.
    Clamp,
    /// Leaves the setting out: no other value has nearly the same meaning.
    Drop,
}

/// The values of a setting that the target accepts. For any other value it rejects the whole request (Q219).
#[derive(Clone, Copy)]
pub struct Range {
    least: f64,
    most: f64,
    outside: Outside,
}

impl Range {
    pub const ANY: Range = Range::of(f64::NEG_INFINITY, f64::INFINITY);

    /// Other values are replaced by the nearest one.
    pub const fn of(least: f64, most: f64) -> Range {
        Range { least, most, outside: Outside::Clamp }
    }

    /// Other values are left out.
    pub const fn only(least: f64, most: f64) -> Range {
        Range { least, most, outside: Outside::Drop }
    }
}

/// The wire key of each setting, and the values that the target accepts.
pub type Table = [(Setting, Word, Range)];

/// Brings settings into the ranges of the target.
pub fn fit(run: &mut Run, settings: &mut Settings, table: &Table) {
    let lacks = run.route.to.format().limits.missing;
    for (setting, key, range) in table {
        if lacks.contains(key) {
            drop(run, &[*setting], settings);
        }
        fit_one(run, settings, *setting, range);
    }
}

/// Brings one setting into its range.
pub fn fit_one(run: &mut Run, settings: &mut Settings, setting: Setting, range: &Range) {
    let Some((value, at)) = settings.get(setting) else { return };
    if run.store.kind(value) != Kind::Number {
        return;
    }
    match fitting(run, (value, at), setting, range) {
        Some(fitted) => settings.set(setting, fitted, at),
        None => settings.clear(setting),
    }
}

fn fitting(run: &mut Run, (value, at): (Value, At), setting: Setting, range: &Range) -> Option<Value> {
    let Range { least, most, outside } = *range;
    let given = run.store.number(value);
    let whole = if setting.is_whole() { given.floor() } else { given };
    // not `clamp`, which would add 20 kB for its panic message
    let fitting = whole.max(least).min(most);
    if fitting == given {
        return Some(value);
    }
    if whole.is_nan() || fitting != whole && matches!(outside, Outside::Drop) {
        run.warn(
            WarningCode::SettingDropped,
            at,
            &format!("the target accepts values from {} to {}", shown(least), shown(most)),
        );
        return None;
    }
    run.warn(WarningCode::SettingChanged, at, &format!("{} is sent instead", shown(fitting)));
    Some(run.build(|run| run.store.put_number(fitting)))
}

fn shown(number: f64) -> String {
    if number.is_finite() { javascript(number) } else { "no limit".to_owned() }
}

/// Drops settings that the target does not have. One candidate is the default, so it is dropped without a warning.
pub fn drop(run: &mut Run, missing: &[Setting], settings: &mut Settings) {
    for setting in missing {
        let Some((value, at)) = settings.get(*setting) else { continue };
        settings.clear(*setting);
        if *setting == Setting::CandidateCount && run.store.number(value) == 1.0 {
            continue;
        }
        run.warn(WarningCode::SettingDropped, at, "the target does not have this setting");
    }
}

/// Which stop sequences the target accepts.
pub struct StopLimits {
    /// Maximum number; 0: unlimited.
    pub most: usize,
    /// Whether one may consist of white space only (Q97i).
    pub blank: bool,
}

/// Keeps the stop sequences that the target accepts.
pub fn fit_stop(run: &mut Run, settings: &mut Settings, limits: &StopLimits) {
    let Some((stop, at)) = settings.stop.take() else { return };
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
            run.warn(WarningCode::SettingDropped, at, "the target accepts none of these sequences");
        }
        return;
    }
    if fitting.len() < stop.len() {
        let kept = fitting.len();
        run.warn(WarningCode::SettingChanged, at, &format!("the target accepts {kept} of these sequences"));
    }
    settings.stop = Some((fitting, at));
}

/// The name of a response schema without one, for a target that requires a name.
const SCHEMA_NAME: &str = "response";
const LONGEST_SCHEMA_NAME: usize = 64;
const MARKS: &str = "_-";

/// Gives a response schema a name that OpenAI accepts: "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64".
pub fn name_schema(run: &mut Run, settings: &mut Settings) {
    let Some((ResponseFormat::Schema { name, .. }, at)) = &mut settings.response_format else { return };
    let Some((given, name_at)) = *name else {
        run.warn(WarningCode::DefaultUsed, *at, &format!("a schema requires a name: \"{SCHEMA_NAME}\" is used"));
        *name = Some((run.store.string(SCHEMA_NAME), *at));
        return;
    };
    let text = run.store.text(given);
    if (1..=LONGEST_SCHEMA_NAME).contains(&text.len()) && is_plain(&text, MARKS) {
        return;
    }
    let plain: String = plain(&text, MARKS).chars().take(LONGEST_SCHEMA_NAME).collect();
    std::mem::drop(text);
    let plain = if plain.is_empty() { SCHEMA_NAME } else { &plain };
    run.warn(WarningCode::SettingChanged, name_at, &format!("it is sent with the name {plain}"));
    *name = Some((run.store.string(plain), name_at));
}

/// Drops the name and the description of a response schema, which the target has no place for.
pub fn drop_schema_labels(run: &mut Run, settings: &mut Settings) {
    let Some((ResponseFormat::Schema { name, description, .. }, _)) = &mut settings.response_format else { return };
    if let Some((_, at)) = name.take() {
        run.warn(WarningCode::StateDropped, at, "the target has no name for a schema");
    }
    if let Some((_, at)) = description.take() {
        run.warn(WarningCode::FieldDropped, at, "the target has no description of a schema");
    }
}
