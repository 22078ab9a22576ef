//! Features that certain models reject, with an error for the whole request (WIRE §3.0, §3.10).

use crate::fit::reasoning::{Efforts, Takes};
use crate::model::{Setting, Settings};
use crate::run::{At, Run, WarningCode};
use crate::value::text::split_around;
use crate::value::{Value, Word};

/// A feature that a request may use.
#[derive(Clone, Copy)]
pub enum Asked {
    TemperatureAndTopP,
    UnusualSampling,
    ForcedCall,
}

/// Whether the request's model is known to reject it.
pub fn refuses(run: &Run, settings: &Settings, asked: Asked) -> bool {
    let Some((family, version)) = model_of(run, settings) else { return false };
    match asked {
        Asked::TemperatureAndTopP => version >= number(b"41"),
        Asked::UnusualSampling => version >= number(b"47"),
        Asked::ForcedCall => version >= number(b"51") && family != HAIKU,
    }
}

/// The family and version of the request's model, if known.
fn model_of(run: &Run, settings: &Settings) -> Option<(u8, u16)> {
    let (model, _) = settings.get(Setting::Model)?;
    version_of(&run.store.text(model))
}

/// The smallest budget. A budget must also be less than `max_tokens`.
const BUDGETS: Option<(f64, f64)> = Some((1024.0, f64::INFINITY));
const UP_TO_MAX: Efforts = [Word::low, Word::low, Word::medium, Word::high, Word::xhigh, Word::max];
const UP_TO_HIGH: Efforts = [Word::low, Word::low, Word::medium, Word::high, Word::high, Word::high];
const WITHOUT_XHIGH: Efforts = [Word::low, Word::low, Word::medium, Word::high, Word::high, Word::max];

/// An unknown model.
const ANY: Takes = Takes {
    efforts: Some(UP_TO_MAX),
    budgets: BUDGETS,
    off: true,
    adaptive: true,
    both: true,
    maps_efforts: false,
    within_limit: true,
};
/// Claude 3.7 to 4.5.
const BUDGETS_ONLY: Takes = Takes { efforts: None, adaptive: false, ..ANY };

/// The reasoning settings that the request's model accepts (<https://platform.claude.com/docs/en/build-with-claude/extended-thinking>,
/// <https://platform.claude.com/docs/en/build-with-claude/effort>).
pub fn takes(run: &Run, settings: &Settings) -> Takes {
    let Some((family, version)) = model_of(run, settings) else { return ANY };
    let newest = Takes { budgets: None, ..ANY };
    if version < number(b"37") {
        Takes::NOTHING
    } else if version == number(b"45") && family == OPUS {
        Takes { efforts: Some(UP_TO_HIGH), adaptive: false, ..ANY }
    } else if version < number(b"46") {
        BUDGETS_ONLY
    } else if version < number(b"47") {
        Takes { efforts: Some(WITHOUT_XHIGH), ..ANY }
    } else if version >= number(b"55") && family != HAIKU
        || version >= number(b"50") && matches!(family, FABLE | MYTHOS)
    {
        Takes { off: false, ..newest }
    } else {
        newest
    }
}

pub fn warn_refused(run: &mut Run, at: At) {
    run.warn(
        WarningCode::SettingDropped,
        at,
        "the model does not accept this, or not together with the other settings",
    );
}

/// Model families by their first letters.
const FABLE: u8 = b'f';
const HAIKU: u8 = b'h';
const MYTHOS: u8 = b'm';
const OPUS: u8 = b'o';

/// A version of two digits as a number that can be compared.
const fn number(digits: &[u8; 2]) -> u16 {
    u16::from_be_bytes(*digits)
}

/// The family and version, as in `claude-opus-4-1-20250805` or `claude-3-7-sonnet-latest`. A date is not a version.
fn version_of(model: &str) -> Option<(u8, u16)> {
    let (_, name) = split_around(model, "claude-")?;
    let is_number = |part: &&str| matches!(part.as_bytes(), [digit] if digit.is_ascii_digit());
    let mut numbers = name.split(['-', '.', '@', ':']).skip_while(|part| !is_number(part)).take_while(is_number);
    let digit = |part: &str| part.bytes().next();
    let major = digit(numbers.next()?)?;
    let minor = numbers.next().and_then(digit);
    let mut families = name.split('-').filter_map(|part| part.bytes().next());
    let family = families.find(u8::is_ascii_lowercase).unwrap_or_default();
    Some((family, number(&[major, minor.unwrap_or(b'0')])))
}

/// Whether the request's model accepts a sampling setting (Q210). `thinks`: whether thinking is on.
pub fn takes_sampling(run: &Run, settings: &Settings, (setting, value): (Setting, Value), thinks: bool) -> bool {
    let number = run.store.number(value);
    let has_temperature = settings.get(Setting::Temperature).is_some();
    let is_usual_only = refuses(run, settings, Asked::UnusualSampling);
    match setting {
        Setting::TopP if has_temperature && refuses(run, settings, Asked::TemperatureAndTopP) => false,
        Setting::TopP if is_usual_only => number >= 0.99,
        Setting::TopP => !thinks || number >= 0.95,
        Setting::Temperature => !(thinks || is_usual_only) || number == 1.0,
        _ => !(thinks || is_usual_only),
    }
}
