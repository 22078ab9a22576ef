//! Makes settings what a target accepts, by its rows ([`crate::format::Format::settings`]).

use crate::call_ids;
use crate::format::{Shape, Values};
use crate::model::{ResponseFormat, Setting, Settings};
use crate::number::javascript;
use crate::run::{At, NO_SETTING, Run, WarningCode};
use crate::value::text::{is_plain, plain};
use crate::value::{Kind, Value};

/// Brings the settings into the ranges of the target, and drops those that it does not have.
pub fn fit(run: &mut Run, settings: &mut Settings) {
    for (setting, _, values) in run.route.to.format().settings {
        if settings.get(*setting).is_none() {
            continue;
        }
        match *values {
            Values::Clamped(least, most) => fit_number(run, settings, *setting, (least, most), false),
            Values::Only(least, most) => fit_number(run, settings, *setting, (least, most), true),
            Values::Any => fit_number(run, settings, *setting, (f64::NEG_INFINITY, f64::INFINITY), false),
            Values::Hashed(longest) => fit_identifier(run, settings, *setting, longest),
            Values::Texts { .. } | Values::Flag | Values::Own => {}
        }
    }
    drop_missing(run, settings);
    if settings.stop.is_none() {
        return;
    }
    for (_, _, values) in run.route.to.format().settings {
        if let Values::Texts { most, blank } = *values {
            fit_stop(run, settings, most, blank);
        }
    }
}

/// Brings a number into its range, or drops it if only the values in the range will do.
fn fit_number(run: &mut Run, settings: &mut Settings, setting: Setting, (least, most): (f64, f64), only: bool) {
    let Some((value, at)) = settings.get(setting).filter(|(value, _)| run.store.kind(*value) == Kind::Number) else {
        return;
    };
    let given = run.store.number(value);
    let whole = if matches!(setting.shape(), Shape::Integer) { given.floor() } else { given };
    // not `clamp`, which would add 20 kB for its panic message
    let fitting = whole.max(least).min(most);
    if fitting == given {
        return;
    }
    if whole.is_nan() || fitting != whole && only {
        let accepted = format!("the target accepts values from {} to {}", shown(least), shown(most));
        run.warn(WarningCode::SettingDropped, at, &accepted);
        settings.clear(setting);
        return;
    }
    run.warn(WarningCode::SettingChanged, at, &format!("{} is sent instead", shown(fitting)));
    let fitting = run.build(|run| run.store.put_number(fitting));
    settings.set(setting, fitting, at);
}

/// Replaces an identifier that is too long.
fn fit_identifier(run: &mut Run, settings: &mut Settings, setting: Setting, longest: usize) {
    let Some((value, at)) = settings.get(setting) else { return };
    let text = run.store.text(value);
    if text.chars().count() <= longest {
        return;
    }
    let hash = call_ids::of_user(&text);
    std::mem::drop(text);
    let why = format!("the target accepts at most {longest} characters: the hash {hash} is sent instead");
    run.warn(WarningCode::IdRewritten, at, &why);
    settings.set(setting, run.store.string(&hash), at);
}

fn shown(number: f64) -> String {
    if number.is_finite() { javascript(number) } else { "no limit".to_owned() }
}

/// Drops the settings that the target does not have, in the order of the canonical format.
pub fn drop_missing(run: &mut Run, settings: &mut Settings) {
    let format = run.route.to.format();
    for setting in Setting::ALL {
        if settings.has(*setting) && !format.has(*setting) {
            drop(run, settings, *setting);
        }
    }
}

/// Drops a setting, with a warning unless it has its default.
pub fn drop(run: &mut Run, settings: &mut Settings, setting: Setting) {
    drop_with(run, settings, setting, |run, at| {
        // an identifier of the user has no effect on the response
        let code = if setting == Setting::UserId { WarningCode::StateDropped } else { WarningCode::SettingDropped };
        run.warn(code, at, NO_SETTING);
    });
}

/// Like [`drop`], with another warning.
pub fn drop_with(run: &mut Run, settings: &mut Settings, setting: Setting, mut warn: impl FnMut(&mut Run, At)) {
    let is_default = has_default(run, settings, setting);
    for at in take(settings, setting).into_iter().flatten().filter(|_| !is_default) {
        warn(run, at);
    }
}

/// Whether a setting has a value that means the same as none.
pub fn has_default(run: &Run, settings: &Settings, setting: Setting) -> bool {
    let Some((value, _)) = settings.get(setting) else { return false };
    match run.store.kind(value) {
        Kind::Number => setting.default() == Some(run.store.number(value)),
        Kind::String => setting.usual_word() == Some(run.store.word(value)),
        _ => false,
    }
}

/// Takes a setting out; returns the positions of its parts that have an effect.
pub fn take(settings: &mut Settings, setting: Setting) -> [Option<At>; 3] {
    match setting {
        // the fit stage of tools drops these
        Setting::ToolChoice | Setting::ParallelToolCalls => [None; 3],
        Setting::Reasoning => settings.reasoning.take().map(|reasoning| reasoning.positions()).unwrap_or_default(),
        Setting::Stop => [settings.stop.take().filter(|(stop, _)| !stop.is_empty()).map(|(_, at)| at), None, None],
        Setting::ResponseFormat => {
            let format = settings.response_format.take();
            [format.filter(|(format, _)| !matches!(format, ResponseFormat::Text)).map(|(_, at)| at), None, None]
        }
        _ => [settings.take(setting).map(|(_, at)| at), None, None],
    }
}

/// Keeps the stop sequences that the target accepts: at most so many (0: any number), which may consist of white space only if `blank`.
fn fit_stop(run: &mut Run, settings: &mut Settings, most: usize, blank: bool) {
    let Some((stop, at)) = settings.stop.take() else { return };
    let takes = |run: &Run, sequence: Value| match blank {
        true => !run.store.is_empty(sequence),
        false => !run.is_blank(sequence),
    };
    let mut fitting: Vec<Value> = stop.iter().copied().filter(|sequence| takes(run, *sequence)).collect();
    if most > 0 {
        fitting.truncate(most);
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
        run.warn(WarningCode::FieldSupplied, *at, &format!("a schema requires a name: \"{SCHEMA_NAME}\" is used"));
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
