//! What certain models refuse, with an error for the whole request (WIRE §3.0, §3.10).

use crate::dialect::shared::around::around;
use crate::model::{Setting, Settings};
use crate::run::{At, Run, WarningCode};
use crate::value::Value;

/// What a request may ask for.
#[derive(Clone, Copy)]
pub enum Asked {
    TemperatureAndTopP,
    UnusualSampling,
    ForcedCall,
    ThinkingBudget,
    ThinkingOff,
    AdaptiveThinking,
    Effort,
}

/// Whether the request's model is known to refuse it. What the API's own users sent stays.
pub fn refuses(run: &Run, settings: &Settings, asked: Asked) -> bool {
    let model = settings.get(Setting::Model).filter(|_| run.from != run.to);
    let Some((family, version)) = model.and_then(|(model, _)| version_of(&run.store.text(model))) else { return false };
    match asked {
        Asked::TemperatureAndTopP => version >= number(b"41"),
        Asked::UnusualSampling | Asked::ThinkingBudget => version >= number(b"47"),
        Asked::ForcedCall => version >= number(b"51") && family != HAIKU,
        Asked::ThinkingOff if family == FABLE || family == MYTHOS => version >= number(b"50"),
        Asked::ThinkingOff => version >= number(b"55") && family != HAIKU,
        Asked::AdaptiveThinking => version < number(b"46"),
        Asked::Effort => version < number(if family == OPUS { b"45" } else { b"46" }),
    }
}

/// The same, told where it is so.
pub fn drops(run: &mut Run, settings: &Settings, asked: Asked, at: At) -> bool {
    let is_refused = refuses(run, settings, asked);
    if is_refused {
        tell_dropped(run, at);
    }
    is_refused
}

pub fn tell_dropped(run: &mut Run, at: At) {
    run.warn(WarningCode::SettingDropped, at, "the model does not take this, or not here");
}

/// The families by their first letters.
const FABLE: u8 = b'f';
const HAIKU: u8 = b'h';
const MYTHOS: u8 = b'm';
const OPUS: u8 = b'o';

/// A version of two digits, to be compared.
const fn number(digits: &[u8; 2]) -> u16 {
    u16::from_be_bytes(*digits)
}

/// Family and version, as in `claude-opus-4-1-20250805`; a date is none. Older names begin with theirs: of them nothing is known.
fn version_of(model: &str) -> Option<(u8, u16)> {
    let (_, name) = around(model, "claude-")?;
    let mut rest = name.bytes();
    let family = rest.next().filter(u8::is_ascii_lowercase)?;
    rest.find(|letter| *letter == b'-')?;
    let digit = |letter: Option<u8>| letter.filter(u8::is_ascii_digit);
    let major = digit(rest.next())?;
    let minor = digit(rest.nth(1)).filter(|_| digit(rest.next()).is_none());
    Some((family, number(&[major, minor.unwrap_or(b'0')])))
}

/// What decides on sampling settings beside the model.
#[derive(Clone, Copy)]
pub struct Beside {
    pub thinking: bool,
    pub temperature: bool,
}

/// Whether the request's model takes a sampling setting there (Q210).
pub fn takes_sampling(run: &Run, settings: &Settings, (setting, value): (Setting, Value), beside: Beside) -> bool {
    if run.from == run.to {
        return true;
    }
    let number = run.store.number(value);
    let is_usual_only = refuses(run, settings, Asked::UnusualSampling);
    match setting {
        Setting::TopP if beside.temperature && refuses(run, settings, Asked::TemperatureAndTopP) => false,
        Setting::TopP if is_usual_only => number >= 0.99,
        Setting::TopP => !beside.thinking || number >= 0.95,
        Setting::Temperature => !(beside.thinking || is_usual_only) || number == 1.0,
        _ => !(beside.thinking || is_usual_only),
    }
}
